"""What rows of the instruction table are made of: types and their widths, machine operations, and the row itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from volta_pipe.ir.nodes import Node

INT16 = ("s16", "u16")
INT32 = ("s32", "u32")
INT64 = ("s64", "u64")
INTS = (*INT16, *INT32, *INT64)
BITS = ("b16", "b32", "b64")
FLOATS = ("f32", "f64")
HALVES = ("f16", "bf16")
PAIRS = ("f16x2", "bf16x2")
# Floats that cvt makes and reads in pairs only.
SMALL_PAIRS = ("e4m3x2", "e5m2x2")
# Register width in bits of each type; a predicate is 1.
WIDTH = {"pred": 1, "b1": 1, "b128": 128, "bf16": 16, "tf32": 32, "f16x2": 32, "bf16x2": 32, "f32x2": 64}
WIDTH |= {"e4m3x2": 16, "e5m2x2": 16}
WIDTH |= {f"{kind}{bits}": bits for kind in "bsuf" for bits in (8, 16, 32, 64) if (kind, bits) != ("f", 8)}
# Of types that no register or variable has, too.
TYPE_WIDTH = WIDTH | {f"{kind}{bits}": bits for kind in "su" for bits in (2, 4)} | {"s16x2": 32, "u16x2": 32}


class Op(IntEnum):
    """Machine operations. Integer ones are computed by `unroll`; VALUE ones only exist symbolically (float arithmetic)."""

    NOP = 0
    CONST = 1
    MOV = 2
    ADD = 3
    SUB = 4
    MUL_LO = 5
    MUL_HI = 6
    MUL_WIDE = 7
    MAD_LO = 8
    MAD_HI = 9
    MAD_WIDE = 10
    DIV = 11
    REM = 12
    MIN = 13
    MAX = 14
    ABS = 15
    NEG = 16
    AND = 17
    OR = 18
    XOR = 19
    NOT = 20
    SHL = 21
    SHR = 22
    BFE = 23
    BFI = 24
    POPC = 25
    CLZ = 26
    BREV = 27
    LOP3 = 28
    PRMT = 29
    SHF = 30
    SETP = 31
    SELP = 32
    CVT = 33  # integer to integer
    CVTA = 34
    SPECIAL = 35
    PACK = 36  # mov d, {a, b} or {a, b, c, d}, the lowest part first
    UNPACK = 37  # mov {a, b}, x
    SAD = 38
    VALUE = 40  # float arithmetic: node gives the meaning
    FSETP = 41  # float comparison
    FCVT = 42  # conversions to a float
    FCVTI = 43  # conversions from a float to an integer
    LD = 50
    ST = 51
    LDPARAM = 52
    SHFL = 60
    VOTE = 61
    ACTIVEMASK = 62
    BAR = 63
    WARPSYNC = 64
    FENCE = 65
    BRA = 70
    CBRA = 71
    RET = 72
    TRAP = 73
    ATOM = 120  # read-modify-write with a result
    RED = 121  # without one
    COPY = 122  # cp.async
    COPY_COMMIT = 123
    COPY_WAIT = 124
    MATCH = 125
    REDUX = 126
    ELECT = 127
    BAR_RED = 128
    BAR_ARRIVE = 129
    # Matrix instructions of a whole warp, described by ir/tensor.py.
    MMA = 110
    LDMATRIX = 111  # wmma.load, too
    STMATRIX = 112  # wmma.store, too
    MOVMATRIX = 113
    OPAQUE = 130  # a result that has no value (a cache policy)
    # Barrier objects in shared memory (ir/mbarriers.py).
    MBARRIER_INIT = 131
    MBARRIER_INVAL = 132
    MBARRIER_SIGNAL = 133  # arrive, arrive_drop, expect_tx, complete_tx
    MBARRIER_TRACK = 134  # cp.async.mbarrier.arrive
    MBARRIER_WAIT = 135
    MBARRIER_COUNT = 136  # mbarrier.pending_count
    KNOWN = 137  # of the machine only: a float instruction whose bits are computed, too (passes/unroll/known.py)
    # Integer and bit work that is rare enough to be computed one lane at a time.
    ADDC = 80  # add and sub with carry in or out; the carry is a predicate
    MADC = 81
    ADD_SAT = 82
    MAD_HI_SAT = 83
    MUL24 = 84
    MAD24 = 85
    MIN_RELU = 86
    MAX_RELU = 87
    ADD_X2 = 88  # two 16-bit halves
    MIN_X2 = 89
    MAX_X2 = 90
    CNOT = 91
    SZEXT = 92
    BMSK = 93
    BFIND = 94
    FNS = 95
    DP4A = 96
    DP2A = 97
    SET = 98  # comparison of integers into a register
    SLCT = 99
    LOP3_PRED = 100  # lop3 with a predicate as second result
    PRMT_MODE = 101
    CVT_PACK = 102
    ISSPACEP = 103
    COPYSIGN = 104
    FSET = 105  # comparison of floats into a register


MATRIX_MEMORY = frozenset({Op.LDMATRIX, Op.STMATRIX})
MATRIX = MATRIX_MEMORY | {Op.MMA, Op.MOVMATRIX}
# What has the address of a barrier object as first operand.
MBARRIER = frozenset({Op.MBARRIER_INIT, Op.MBARRIER_INVAL, Op.MBARRIER_SIGNAL, Op.MBARRIER_TRACK, Op.MBARRIER_WAIT})


@dataclass(frozen=True)
class Form:
    """One row of the table.

    mnemonic: the first word. types: allowed first types (empty: the form has none). required, optional: modifiers other than
    types, as sets. signatures: "results=operands", comma-separated: T instruction type, W twice as wide, H half, Q a quarter as
    wide, U second type, X third type, u 32 bits, f 32 bits of a float, p predicate, V vector or scalar of T, A address, x bits
    of either 32 or 64, * as ir/tensor.py says. The modifier L2::cache_hint adds a last operand, a cache policy of 64 bits.
    Forms with carry (.cc, addc, …) have it as last result or last operand: a predicate that PTX does not show. section: of the
    PTX ISA."""

    mnemonic: str
    types: tuple[str, ...]
    signatures: tuple[str, ...]
    op: Op
    section: str
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    node: Node = Node.NONE


def form(
    mnemonic: str,
    types: Sequence[str],
    signature: str,
    op: Op,
    section: str,
    need: str = "",
    may: str = "",
    node: Node = Node.NONE,
) -> Form:
    """A row, written briefly."""
    return Form(
        mnemonic, tuple(types), tuple(signature.split(" ")), op, section, frozenset(need.split()), frozenset(may.split()), node
    )

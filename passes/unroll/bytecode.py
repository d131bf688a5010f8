"""The machine's bytecode: its columns, and how modifiers become the variant (`sub`) of an instruction."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.atomics import variant_of
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.mbarriers import mbarrier_variant

# RW: width of the result register; IMM: the address offset.
# Columns of the bytecode, int64 [instructions, COLUMNS].
(
    OP, WALK, D, D2, D3, D4, A, B, C, E, F, W, SG, SUB, W2, SG2, GUARD, GNEG, RW, NRES, NIN, FIRST, TARGET, TARGET2, IMM, HINT,
) = range(26)  # fmt: skip
COLUMNS = 26
# Of stores under a guard: what the bytes are marked with that a store leaves half written (-1: nothing), and the mark of the
# store that this one is the other case of (complements.py). Stores have no results.
TOKEN, PARTNER = D3, D4
# Results D, D2, … and operands A, B, C, E, F that a row names; memory accesses have more, in the list of all operands.
MAX_RESULTS, MAX_OPERANDS = 4, 5

# The operand that is the member mask of a warp instruction.
MEMBERS = {Op.SHFL: E, Op.VOTE: B, Op.WARPSYNC: A, Op.MATCH: B, Op.REDUX: B, Op.ELECT: A}

# Variants (`sub`) of comparisons: the low bits; unordered ones of floats have 8 added; a boolean operator is in bits 8-9.
# testp: finite and infinite, and num and nan under other names.
COMPARE = {"finite": 6, "infinite": 7, "number": 14, "notanumber": 15}
COMPARE |= {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5, "lo": 2, "ls": 3, "hi": 4, "hs": 5, "num": 14, "nan": 15}
COMPARE |= {f"{name}u": COMPARE[name] + 8 for name in ("eq", "ne", "lt", "le", "gt", "ge")}
BOOLEAN = {"and": 1, "or": 2, "xor": 3}
SHUFFLE = {"up": 0, "down": 1, "bfly": 2, "idx": 3}
VOTE = {"ballot": 0, "all": 1, "any": 2, "uni": 3}
SPACE = {"shared": 1, "shared::cta": 1, "local": 2, "const": 3, "global": 4}
# No address lies in the window of kernel parameters: nothing takes the address of one. A cluster has one CTA.
WINDOW = {**SPACE, "shared::cluster": 1, "param": 5}
MODE = {"f4e": 0, "b4e": 1, "rc8": 2, "ecl": 3, "ecr": 4, "rc16": 5}
REDUCE = {"add": 0, "min": 1, "max": 2, "and": 3, "or": 4, "xor": 5}
# Barriers: bit 0 for .aligned; bits 1-2 for what bar.red reduces with.
REDUCE_SHIFT = 1
BAR_REDUCE = {"popc": 0, "and": 1, "or": 2}
# Modifiers that are a bit each, from the lowest; and tables that one modifier is looked up in.
_BITS = {
    Op.CVT: ("sat",), Op.SHF: ("r", "clamp"), Op.MADC: ("hi",), Op.MUL24: ("hi",), Op.MAD24: ("hi", "sat"), Op.DP2A: ("hi",),
    Op.MIN_X2: ("relu",), Op.MAX_X2: ("relu",), Op.SZEXT: ("clamp",), Op.BMSK: ("clamp",), Op.BFIND: ("shiftamt",),
    Op.SLCT: ("ftz",), Op.MATCH: ("all",), Op.COPY: ("ignore_src",), Op.COPY_WAIT: ("wait_all",),
}  # fmt: skip
_TABLES = {
    Op.SHFL: SHUFFLE, Op.VOTE: VOTE, Op.LD: SPACE, Op.ST: SPACE, Op.ISSPACEP: WINDOW, Op.PRMT_MODE: MODE, Op.LOP3_PRED: BOOLEAN,
    Op.REDUX: REDUCE,
}  # fmt: skip
# Rounding of VALUE and FCVT; 4 is added for .sat, 8 for .relu of VALUE and for rounding to an integer of FCVT, 16 for .relu of
# FCVT, 32 for .satfinite; FCVT to tf32 has 64, as nothing else tells it from one to f32.
ROUNDING = {"rn": 0, "rm": 1, "rp": 2, "rz": 3}
INTEGRAL = {"rni": 8, "rmi": 9, "rpi": 10, "rzi": 11}
SATURATE, RELU, CONVERTED_RELU, SATFINITE, TO_TF32 = 4, 8, 16, 32, 64
# Column of the program's static table: where it is in the bytecode, and its type.
STATIC_COLUMNS: dict[str, tuple[int, type[np.generic]]] = {
    "op": (OP, np.uint8), "width": (W, np.uint8), "width2": (W2, np.uint8), "signed": (SG, np.uint8),
    "signed2": (SG2, np.uint8), "sub": (SUB, np.int32), "imm": (IMM, np.int64), "guard": (GUARD, np.int32),
    "negated": (GNEG, np.uint8), "first": (FIRST, np.int32), "results": (NRES, np.int32), "inputs": (NIN, np.int32),
}  # fmt: skip


def signedness(kind: str) -> int:
    """0 unsigned or untyped bits, 1 signed, 2 float, 3 the second float of its width (bf16, e5m2); of pairs 4 and 5."""
    if kind[0] not in "fbet" or kind in ("b8", "b16", "b32", "b64", "b128", "b1"):
        return int(kind[0] == "s")
    return 2 + int(kind.startswith(("bf16", "e5m2"))) + (2 if kind.endswith("x2") else 0)


def variant(op: Op, mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...]) -> int:
    """The `sub` field."""
    words = set(modifiers)

    def pick(table: dict[str, int]) -> int:
        return next((code for name, code in table.items() if name in words), 0)

    if op in _BITS:
        return sum(1 << place for place, word in enumerate(_BITS[op]) if word in words)
    if op in _TABLES:
        return pick(_TABLES[op])
    if op in (Op.SETP, Op.SET, Op.FSET, Op.FSETP):
        return pick(COMPARE) | pick(BOOLEAN) << 8
    if op in (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE):  # `bar` is the aligned form of `barrier`
        return int(mnemonic == "bar" or "aligned" in words) | pick(BAR_REDUCE) << REDUCE_SHIFT
    if op in (Op.ATOM, Op.RED):
        return variant_of(words, pick(SPACE))
    if op in MBARRIER:
        return mbarrier_variant(words)
    if op is Op.CVTA:
        return int("to" in words) | pick(SPACE) << 1
    if op in (Op.ADDC, Op.ADD_SAT):
        return int(mnemonic.startswith("sub"))
    if op is Op.VALUE:
        return pick(ROUNDING) | (SATURATE if "sat" in words else 0) | (RELU if "relu" in words else 0)
    if op in (Op.FCVT, Op.FCVTI):
        code = (pick(INTEGRAL) or pick(ROUNDING)) | (SATURATE if "sat" in words else 0)
        code |= (CONVERTED_RELU if "relu" in words else 0) | (SATFINITE if "satfinite" in words else 0)
        return code | (TO_TF32 if types[0] == "tf32" else 0)
    return 0

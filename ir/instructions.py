"""The instruction table: for each PTX form its operands, its concrete meaning (machine operation), its symbolic one (node).

`lower` verifies operations against it, `unroll` takes the machine operation, `vc` the node. A form that is not here is
refused with file and line. docs/adding-an-instruction.md is the checklist."""

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
# Register width in bits of each type; a predicate is 1.
WIDTH = {"pred": 1, "b1": 1, "b128": 128}
WIDTH |= {f"{kind}{bits}": bits for kind in "bsuf" for bits in (8, 16, 32, 64) if (kind, bits) != ("f", 8)}


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
    PACK = 36  # mov.b64 d, {lo, hi}
    UNPACK = 37  # mov.b64 {lo, hi}, a
    SAD = 38
    VALUE = 40  # float arithmetic: node gives the meaning
    FSETP = 41  # float comparison
    FCVT = 42  # conversions with a float side
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
    ATOM = 80  # read-modify-write with a result
    RED = 81  # without one
    COPY = 82  # cp.async
    COPY_COMMIT = 83
    COPY_WAIT = 84
    MATCH = 85
    REDUX = 86
    ELECT = 87
    BAR_RED = 88
    BAR_ARRIVE = 89
    OPAQUE = 90  # a result that has no value (a cache policy)


@dataclass(frozen=True)
class Form:
    """One row of the table.

    mnemonic: the first word. types: allowed first types (empty: the form has none). required, optional: modifiers other than
    types, as sets. signatures: "results=operands", comma-separated: T instruction type, W twice as wide, U second type,
    u 32 bits, f 32 bits of a float, p predicate, V vector or scalar of T, A address, x bits of either 32 or 64. section: of the
    PTX ISA. The modifier L2::cache_hint adds a last operand, a cache policy of 64 bits."""

    mnemonic: str
    types: tuple[str, ...]
    signatures: tuple[str, ...]
    op: Op
    section: str
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    node: Node = Node.NONE


def _form(
    mnemonic: str,
    types: Sequence[str],
    signature: str,
    op: Op,
    section: str,
    need: str = "",
    may: str = "",
    node: Node = Node.NONE,
) -> Form:
    return Form(
        mnemonic, tuple(types), tuple(signature.split(" ")), op, section, frozenset(need.split()), frozenset(may.split()), node
    )


_ROUND = "rn rz rm rp"
_CMP = "eq ne lt le gt ge"
_CMP_U = f"{_CMP} lo ls hi hs"
_CMP_F = f"{_CMP} equ neu ltu leu gtu geu num nan"
_SETP = "p=T,T p,p=T,T p=T,T,p p,p=T,T,p"
_CACHE = "nc ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"
_CACHE += " L2::64B L2::128B L2::256B L2::cache_hint"
_SPACE = "global shared shared::cta local const param weak volatile relaxed mmio cta cluster gpu sys v2 v4 v8"
_PRIORITY = "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"
_SCOPE = "cta cluster gpu sys"
_ATOMIC = f"global shared shared::cta relaxed acquire release acq_rel {_SCOPE} L2::cache_hint"
_PROXY = "alias async async::generic global shared::cta shared::cluster acquire release cluster"
_PROXY += " sync_restrict::shared::cta sync_restrict::shared::cluster"

FORMS: tuple[Form, ...] = (
    # 9.7.1 integer arithmetic
    _form("add", INTS, "T=T,T", Op.ADD, "9.7.1.1"),
    _form("sub", INTS, "T=T,T", Op.SUB, "9.7.1.2"),
    _form("mul", INTS, "T=T,T", Op.MUL_LO, "9.7.1.3", need="lo"),
    _form("mul", INTS, "T=T,T", Op.MUL_HI, "9.7.1.3", need="hi"),
    _form("mul", (*INT16, *INT32), "W=T,T", Op.MUL_WIDE, "9.7.1.3", need="wide"),
    _form("mad", INTS, "T=T,T,T", Op.MAD_LO, "9.7.1.4", need="lo"),
    _form("mad", INTS, "T=T,T,T", Op.MAD_HI, "9.7.1.4", need="hi"),
    _form("mad", (*INT16, *INT32), "W=T,T,W", Op.MAD_WIDE, "9.7.1.4", need="wide"),
    _form("sad", INTS, "T=T,T,T", Op.SAD, "9.7.1.7"),
    _form("div", INTS, "T=T,T", Op.DIV, "9.7.1.8"),
    _form("rem", INTS, "T=T,T", Op.REM, "9.7.1.9"),
    _form("abs", ("s16", "s32", "s64"), "T=T", Op.ABS, "9.7.1.10"),
    _form("neg", ("s16", "s32", "s64"), "T=T", Op.NEG, "9.7.1.11"),
    _form("min", INTS, "T=T,T", Op.MIN, "9.7.1.12"),
    _form("max", INTS, "T=T,T", Op.MAX, "9.7.1.13"),
    _form("popc", ("b32", "b64"), "u=T", Op.POPC, "9.7.1.14"),
    _form("clz", ("b32", "b64"), "u=T", Op.CLZ, "9.7.1.15"),
    _form("brev", ("b32", "b64"), "T=T", Op.BREV, "9.7.1.18"),
    _form("bfe", (*INT32, *INT64), "T=T,u,u", Op.BFE, "9.7.1.19"),
    _form("bfi", ("b32", "b64"), "T=T,T,u,u", Op.BFI, "9.7.1.20"),
    # 9.7.8 logic and shift
    _form("and", (*BITS, "pred"), "T=T,T", Op.AND, "9.7.8.1"),
    _form("or", (*BITS, "pred"), "T=T,T", Op.OR, "9.7.8.2"),
    _form("xor", (*BITS, "pred"), "T=T,T", Op.XOR, "9.7.8.3"),
    _form("not", (*BITS, "pred"), "T=T", Op.NOT, "9.7.8.4"),
    _form("lop3", ("b32",), "T=T,T,T,u", Op.LOP3, "9.7.8.6"),
    _form("shf", ("b32",), "T=T,T,u", Op.SHF, "9.7.8.7", need="", may="l r wrap clamp"),
    _form("shl", BITS, "T=T,u", Op.SHL, "9.7.8.8"),
    _form("shr", (*BITS, *INTS), "T=T,u", Op.SHR, "9.7.8.9"),
    _form("prmt", ("b32",), "T=T,T,u", Op.PRMT, "9.7.9.7"),
    # comparison and selection
    _form("setp", (*BITS, *INTS), _SETP, Op.SETP, "9.7.6.2", may=f"{_CMP_U} and or xor"),
    _form("setp", FLOATS, _SETP, Op.FSETP, "9.7.6.2", may=f"{_CMP_F} and or xor ftz"),
    _form("selp", (*BITS, *INTS, *FLOATS), "T=T,T,p", Op.SELP, "9.7.6.3"),
    # 9.7.3, 9.7.4 floating point
    _form("add", FLOATS, "T=T,T", Op.VALUE, "9.7.3.3", may=f"{_ROUND} ftz", node=Node.ADD),
    _form("sub", FLOATS, "T=T,T", Op.VALUE, "9.7.3.4", may=f"{_ROUND} ftz", node=Node.SUB),
    _form("mul", FLOATS, "T=T,T", Op.VALUE, "9.7.3.5", may=f"{_ROUND} ftz", node=Node.MUL),
    _form("fma", FLOATS, "T=T,T,T", Op.VALUE, "9.7.3.6", may=f"{_ROUND} ftz sat", node=Node.FMA),
    _form("mad", FLOATS, "T=T,T,T", Op.VALUE, "9.7.3.7", may=f"{_ROUND} ftz sat", node=Node.FMA),
    _form("div", FLOATS, "T=T,T", Op.VALUE, "9.7.3.8", may=f"{_ROUND} ftz approx full", node=Node.DIV),
    _form("abs", FLOATS, "T=T", Op.VALUE, "9.7.3.9", may="ftz", node=Node.ABS),
    _form("neg", FLOATS, "T=T", Op.VALUE, "9.7.3.10", may="ftz", node=Node.NEG),
    _form("min", FLOATS, "T=T,T", Op.VALUE, "9.7.3.11", may="ftz", node=Node.MIN),
    _form("max", FLOATS, "T=T,T", Op.VALUE, "9.7.3.12", may="ftz", node=Node.MAX),
    _form("rcp", FLOATS, "T=T", Op.VALUE, "9.7.3.13", may=f"{_ROUND} ftz approx", node=Node.RCP),
    _form("sqrt", FLOATS, "T=T", Op.VALUE, "9.7.3.15", may=f"{_ROUND} ftz approx", node=Node.SQRT),
    _form("rsqrt", FLOATS, "T=T", Op.VALUE, "9.7.3.16", need="approx", may="ftz", node=Node.RSQRT),
    _form("sin", ("f32",), "T=T", Op.VALUE, "9.7.3.18", need="approx", may="ftz", node=Node.SIN),
    _form("cos", ("f32",), "T=T", Op.VALUE, "9.7.3.19", need="approx", may="ftz", node=Node.COS),
    _form("lg2", ("f32",), "T=T", Op.VALUE, "9.7.3.20", need="approx", may="ftz", node=Node.LG2),
    _form("ex2", ("f32",), "T=T", Op.VALUE, "9.7.3.21", need="approx", may="ftz", node=Node.EX2),
    _form("tanh", ("f32",), "T=T", Op.VALUE, "9.7.3.22", need="approx", node=Node.TANH),
    # 9.7.9 data movement and conversion
    _form("mov", (*BITS, *INTS, *FLOATS, "pred"), "T=T", Op.MOV, "9.7.9.2"),
    _form("mov", ("b32", "b64"), "T=H,H", Op.PACK, "9.7.9.3", need="pack"),
    _form("mov", ("b32", "b64"), "H,H=T", Op.UNPACK, "9.7.9.3", need="unpack"),
    _form("cvt", ("s8", "u8", *INTS), "T=U", Op.CVT, "9.7.9.21", may="sat"),
    _form("cvt", FLOATS, "T=U", Op.FCVT, "9.7.9.21", may=f"{_ROUND} rni rzi rmi rpi ftz sat"),
    _form("cvta", ("u32", "u64"), "T=T", Op.CVTA, "9.7.9.20", may="to global shared shared::cta local const param"),
    _form("ld", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "V=A", Op.LD, "9.7.9.8", may=f"{_SPACE} acquire {_CACHE}"),
    _form("st", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "=A,V", Op.ST, "9.7.9.11", may=f"{_SPACE} release {_CACHE}"),
    _form("ldu", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "V=A", Op.LD, "9.7.9.10", may="global v2 v4"),
    # Hints change no value; the contents of a cache policy have no meaning of their own.
    _form("prefetch", (), "=A", Op.FENCE, "9.7.9.15", may=f"global local const L1 L2 {_PRIORITY}"),
    _form("prefetchu", (), "=A", Op.FENCE, "9.7.9.15", need="L1"),
    _form("applypriority", (), "=A,u", Op.FENCE, "9.7.9.16", need="L2::evict_normal", may="global"),
    _form("createpolicy", ("b64",), "T= T=f", Op.OPAQUE, "9.7.9.18", need="fractional", may=_PRIORITY),
    _form("createpolicy", ("b64",), "T=T", Op.OPAQUE, "9.7.9.18", need="cvt L2"),
    # 9.7.9.25 asynchronous copies: address operands are destination and source
    *(
        _form("cp", (), signature, Op.COPY, "9.7.9.25.3.1", need=f"async {level} {space} global {ignore}", may=_CACHE)
        for level in ("ca", "cg")
        for space in ("shared", "shared::cta")
        for ignore, signature in (("", "=A,A,u =A,A,u,u"), ("ignore_src", "=A,A,u,p"))
    ),
    _form("cp", (), "=", Op.COPY_COMMIT, "9.7.9.25.3.2", need="async commit_group"),
    _form("cp", (), "=u", Op.COPY_WAIT, "9.7.9.25.3.3", need="async wait_group"),
    _form("cp", (), "=", Op.COPY_WAIT, "9.7.9.25.3.3", need="async wait_all"),
    # 9.7.13.13, 14 atomics
    *(
        _form(name, types, signature.format("T=" if name == "atom" else "="), op, section, need=word, may=f"{_ATOMIC} {more}")
        for name, op, section in (("atom", Op.ATOM, "9.7.13.13"), ("red", Op.RED, "9.7.13.14"))
        for words, types, signature, more in (
            ("add min max", (*INT32, *INT64), "{}A,T", ""),
            ("add", FLOATS, "{}A,T", "ftz noftz"),
            ("and or xor", ("b32", "b64"), "{}A,T", ""),
            ("inc dec", ("u32",), "{}A,T", ""),
            ("exch", ("b32", "b64"), "{}A,T", ""),
            ("cas", ("b16", "b32", "b64"), "{}A,T,T", ""),
        )
        for word in words.split()
        if name == "atom" or word not in ("exch", "cas")
    ),
    _form("red", ("f32",), "=A,V", Op.RED, "9.7.13.14", need="add", may=f"{_ATOMIC} v2 v4"),
    # 9.7.13 synchronisation, votes, shuffles
    _form("shfl", ("b32",), "T=T,u,u,u T,p=T,u,u,u", Op.SHFL, "9.7.9.6", need="sync", may="up down bfly idx"),
    _form("vote", ("b32",), "u=p,u", Op.VOTE, "9.7.13.9", need="sync ballot"),
    _form("vote", ("pred",), "p=p,u", Op.VOTE, "9.7.13.9", need="sync", may="all any uni"),
    _form("activemask", ("b32",), "u=", Op.ACTIVEMASK, "9.7.13.11"),
    _form("bar", (), "=u =u,u", Op.BAR, "9.7.13.1", need="sync", may="cta aligned"),
    _form("barrier", (), "=u =u,u", Op.BAR, "9.7.13.1", need="sync", may="cta aligned"),
    *(
        _form(name, types, signature, op, "9.7.13.1", need=need, may="cta aligned")
        for name in ("bar", "barrier")
        for op, need, types, signature in (
            (Op.BAR_ARRIVE, "arrive", (), "=u,u"),
            (Op.BAR_RED, "red popc", ("u32",), "u=u,p u=u,u,p"),
            (Op.BAR_RED, "red and", ("pred",), "p=u,p p=u,u,p"),
            (Op.BAR_RED, "red or", ("pred",), "p=u,p p=u,u,p"),
        )
    ),
    _form("bar", (), "=u", Op.WARPSYNC, "9.7.13.2", need="warp sync"),
    _form("match", ("b32", "b64"), "u=T,u", Op.MATCH, "9.7.13.10", need="any sync"),
    _form("match", ("b32", "b64"), "u=T,u u,p=T,u", Op.MATCH, "9.7.13.10", need="all sync"),
    *(_form("redux", INT32, "T=T,u", Op.REDUX, "9.7.13.12", need=f"sync {word}") for word in ("add", "min", "max")),
    *(_form("redux", ("b32",), "T=T,u", Op.REDUX, "9.7.13.12", need=f"sync {word}") for word in ("and", "or", "xor")),
    _form("elect", (), "u,p=u", Op.ELECT, "9.7.13.15", need="sync"),
    # Fences order nothing here (barriers do), and change no value.
    _form("membar", (), "=", Op.FENCE, "9.7.13.4", may="cta gl sys"),
    _form("membar", (), "=", Op.FENCE, "9.7.13.4", need="proxy", may=_PROXY),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", may=f"sc acq_rel acquire release {_SCOPE}"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="acquire cluster sync_restrict::shared::cluster"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="release cluster sync_restrict::shared::cta"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="mbarrier_init release cluster"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="proxy", may=_PROXY),
    # 9.7.12 control flow (branches are block terminators, see ir/ptx)
    _form("ret", (), "=", Op.RET, "9.7.12.6", may="uni"),
    _form("exit", (), "=", Op.RET, "9.7.14.4"),
    _form("trap", (), "=", Op.TRAP, "9.7.14.7"),
)

_BY_MNEMONIC: dict[str, list[Form]] = {}
for _row in FORMS:
    _BY_MNEMONIC.setdefault(_row.mnemonic, []).append(_row)


def find_form(mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> Form | None:
    """The row for an instruction, or None. Modifiers are a set (their order in real PTX varies); `types` in PTX order."""
    have = frozenset(modifiers)
    for form in _BY_MNEMONIC.get(mnemonic, ()):
        first = types[0] if types else ""
        if (first in form.types if form.types else not first) and form.required <= have <= form.required | form.optional:
            return form
    return None


def is_known(mnemonic: str) -> bool:
    """Whether any form of the mnemonic is in the table."""
    return mnemonic in _BY_MNEMONIC

"""The instruction table: for each PTX form its operands, its concrete meaning (machine operation), its symbolic one (node).

`lower` verifies operations against it, `unroll` takes the machine operation, `vc` the node. A form that is not here is
refused with file and line. Rows of integer and bit work: integer_forms.py; of mbarrier: mbarriers.py.
docs/adding-an-instruction.md is the checklist."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.ir.externs import EXTERNS
from volta_pipe.ir.integer_forms import INTEGER_FORMS, SETP
from volta_pipe.ir.mbarriers import MBARRIER_FORMS
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.operations import (
    BITS,
    FLOATS,
    HALVES,
    INT16,
    INT32,
    INT64,
    INTS,
    MATRIX,
    MATRIX_MEMORY,
    MBARRIER,
    PAIRS,
    SMALL_PAIRS,
    TYPE_WIDTH,
    WIDTH,
    Form,
    Op,
)
from volta_pipe.ir.operations import form as _form

__all__ = [
    "BITS",
    "FLOATS",
    "FORMS",
    "HALVES",
    "INT16",
    "INT32",
    "INT64",
    "INTS",
    "MATRIX",
    "MATRIX_MEMORY",
    "MBARRIER",
    "PAIRS",
    "SMALL_PAIRS",
    "TYPE_WIDTH",
    "WIDTH",
    "Form",
    "Op",
    "find_form",
    "is_known",
]  # fmt: skip

_ROUND = "rn rz rm rp"
_CMP_F = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"
_CACHE = "nc ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"
_CACHE += " L2::64B L2::128B L2::256B L2::cache_hint"
_SPACE = "global shared shared::cta local const param weak volatile relaxed mmio cta cluster gpu sys v2 v4 v8"
_PRIORITY = "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"
_SCOPE = "cta cluster gpu sys"
_ATOMIC = f"global shared shared::cta relaxed acquire release acq_rel {_SCOPE} L2::cache_hint"
_PROXY = "alias async async::generic global shared::cta shared::cluster acquire release cluster"
_PROXY += " sync_restrict::shared::cta sync_restrict::shared::cluster"

_SHAPES = "m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m8n8k16 m16n16k16 m8n32k16 m32n8k16 m16n16k8"
_PRODUCT = f"{_SHAPES} row_row row_col col_row col_col {_ROUND} satfinite kind::f8f6f4"
_ACC = ("f16", "f32", "f64", "s32")
_MUL = (*_ACC, "bf16", "tf32", "s8", "u8")
_EIGHT = "x1 x2 x4 trans shared shared::cta"
_EIGHT_BITS = "x1 x2 x4 shared shared::cta"
_TILE = f"row col {_SHAPES} shared shared::cta global"

FORMS: tuple[Form, ...] = (
    *INTEGER_FORMS,
    # 9.7.3, 9.7.4 floating point
    _form("setp", FLOATS, SETP, Op.FSETP, "9.7.6.2", may=f"{_CMP_F} and or xor ftz"),
    _form("add", FLOATS, "T=T,T", Op.VALUE, "9.7.3.3", may=f"{_ROUND} ftz sat", node=Node.ADD),
    _form("sub", FLOATS, "T=T,T", Op.VALUE, "9.7.3.4", may=f"{_ROUND} ftz sat", node=Node.SUB),
    _form("mul", FLOATS, "T=T,T", Op.VALUE, "9.7.3.5", may=f"{_ROUND} ftz sat", node=Node.MUL),
    _form("fma", FLOATS, "T=T,T,T", Op.VALUE, "9.7.3.6", may=f"{_ROUND} ftz sat", node=Node.FMA),
    _form("mad", FLOATS, "T=T,T,T", Op.VALUE, "9.7.3.7", may=f"{_ROUND} ftz sat", node=Node.FMA),
    _form("div", FLOATS, "T=T,T", Op.VALUE, "9.7.3.8", may=f"{_ROUND} ftz approx full", node=Node.DIV),
    _form("abs", FLOATS, "T=T", Op.VALUE, "9.7.3.9", may="ftz", node=Node.ABS),
    _form("neg", FLOATS, "T=T", Op.VALUE, "9.7.3.10", may="ftz", node=Node.NEG),
    _form("min", FLOATS, "T=T,T T=T,T,T", Op.VALUE, "9.7.3.11", may="ftz NaN", node=Node.MIN),
    _form("max", FLOATS, "T=T,T T=T,T,T", Op.VALUE, "9.7.3.12", may="ftz NaN", node=Node.MAX),
    _form("rcp", FLOATS, "T=T", Op.VALUE, "9.7.3.13", may=f"{_ROUND} ftz approx", node=Node.RCP),
    _form("sqrt", FLOATS, "T=T", Op.VALUE, "9.7.3.15", may=f"{_ROUND} ftz approx", node=Node.SQRT),
    _form("rsqrt", FLOATS, "T=T", Op.VALUE, "9.7.3.16", need="approx", may="ftz", node=Node.RSQRT),
    _form("sin", ("f32",), "T=T", Op.VALUE, "9.7.3.18", need="approx", may="ftz", node=Node.SIN),
    _form("cos", ("f32",), "T=T", Op.VALUE, "9.7.3.19", need="approx", may="ftz", node=Node.COS),
    _form("lg2", ("f32",), "T=T", Op.VALUE, "9.7.3.20", need="approx", may="ftz", node=Node.LG2),
    _form("ex2", ("f32",), "T=T", Op.VALUE, "9.7.3.21", need="approx", may="ftz", node=Node.EX2),
    _form("tanh", ("f32",), "T=T", Op.VALUE, "9.7.3.22", need="approx", node=Node.TANH),
    _form("copysign", FLOATS, "T=T,T", Op.COPYSIGN, "9.7.3.2"),
    _form("testp", FLOATS, "p=T", Op.FSETP, "9.7.3.1", may="finite infinite number notanumber"),
    # 9.7.4 half precision, and pairs of floats
    _form("add", (*HALVES, *PAIRS, "f32x2"), "T=T,T", Op.VALUE, "9.7.4.1", may=f"{_ROUND} ftz sat", node=Node.ADD),
    _form("sub", (*HALVES, *PAIRS, "f32x2"), "T=T,T", Op.VALUE, "9.7.4.2", may=f"{_ROUND} ftz sat", node=Node.SUB),
    _form("mul", (*HALVES, *PAIRS, "f32x2"), "T=T,T", Op.VALUE, "9.7.4.3", may=f"{_ROUND} ftz sat", node=Node.MUL),
    _form("fma", (*HALVES, *PAIRS, "f32x2"), "T=T,T,T", Op.VALUE, "9.7.4.4", may=f"{_ROUND} ftz sat relu oob", node=Node.FMA),
    _form("neg", (*HALVES, *PAIRS), "T=T", Op.VALUE, "9.7.4.5", may="ftz", node=Node.NEG),
    _form("abs", (*HALVES, *PAIRS), "T=T", Op.VALUE, "9.7.4.6", may="ftz", node=Node.ABS),
    _form("min", (*HALVES, *PAIRS), "T=T,T", Op.VALUE, "9.7.4.7", may="ftz NaN", node=Node.MIN),
    _form("max", (*HALVES, *PAIRS), "T=T,T", Op.VALUE, "9.7.4.8", may="ftz NaN", node=Node.MAX),
    _form("tanh", (*HALVES, *PAIRS), "T=T", Op.VALUE, "9.7.4.9", need="approx", node=Node.TANH),
    _form("ex2", (*HALVES, *PAIRS), "T=T", Op.VALUE, "9.7.4.10", need="approx", may="ftz", node=Node.EX2),
    _form("setp", HALVES, SETP, Op.FSETP, "9.7.7.2", may=f"{_CMP_F} and or xor ftz"),
    # 9.7.9 data movement and conversion
    _form("cvt", (*FLOATS, *HALVES), "T=U", Op.FCVT, "9.7.9.21", may=f"{_ROUND} rni rzi rmi rpi ftz sat relu satfinite"),
    _form("cvt", ("tf32",), "T=U", Op.FCVT, "9.7.9.21", may="rna rn rz relu satfinite"),
    _form("cvt", (*PAIRS, *SMALL_PAIRS), "T=U,U T=U", Op.FCVT, "9.7.9.21", may="rn rz relu satfinite ftz"),
    _form("ld", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "V=A", Op.LD, "9.7.9.8", may=f"{_SPACE} acquire {_CACHE}"),
    _form("st", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "=A,V", Op.ST, "9.7.9.11", may=f"{_SPACE} release {_CACHE}"),
    _form("ldu", ("b8", "s8", "u8", *BITS, *INTS, *FLOATS), "V=A", Op.LD, "9.7.9.10", may="global v2 v4"),
    # Hints change no value; the contents of a cache policy have no meaning of their own.
    _form("prefetch", (), "=A", Op.FENCE, "9.7.9.15", may=f"global local const L1 L2 {_PRIORITY}"),
    _form("prefetchu", (), "=A", Op.FENCE, "9.7.9.15", need="L1"),
    _form("applypriority", (), "=A,u", Op.FENCE, "9.7.9.16", need="L2::evict_normal", may="global"),
    _form("createpolicy", ("b64",), "T= T=f", Op.OPAQUE, "9.7.9.18", need="fractional", may=_PRIORITY),
    _form("createpolicy", ("b64",), "T=A,u,u", Op.OPAQUE, "9.7.9.18", need="range", may=f"global {_PRIORITY}"),
    _form("createpolicy", ("b64",), "T=T", Op.OPAQUE, "9.7.9.18", need="cvt L2"),
    # 9.7.9.25 asynchronous copies: address operands are destination and source
    *(
        _form(
            "cp",
            (),
            signature,
            Op.COPY,
            "9.7.9.25.3.1",
            need=f"async {level} {space} global {ignore}",
            may="L2::64B L2::128B L2::256B L2::cache_hint",
        )
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
            ("add", (*FLOATS, *HALVES, *PAIRS), "{}A,T", "ftz noftz"),
            ("and or xor", ("b32", "b64"), "{}A,T", ""),
            ("inc dec", ("u32",), "{}A,T", ""),
            ("exch", ("b32", "b64"), "{}A,T", ""),
            ("cas", ("b16", "b32", "b64"), "{}A,T,T", ""),
        )
        for word in words.split()
        if name == "atom" or word not in ("exch", "cas")
    ),
    *(
        _form("red", ("f32", *HALVES, *PAIRS), "=A,V", Op.RED, "9.7.13.14", need=f"add {length}", may=f"{_ATOMIC} noftz")
        for length in ("v2", "v4", "v8")
    ),
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
    *MBARRIER_FORMS,
    # Fences order nothing here (barriers do), and change no value.
    _form("membar", (), "=", Op.FENCE, "9.7.13.4", may="cta gl sys"),
    _form("membar", (), "=", Op.FENCE, "9.7.13.4", need="proxy", may=_PROXY),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", may=f"sc acq_rel acquire release {_SCOPE}"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="acquire cluster sync_restrict::shared::cluster"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="release cluster sync_restrict::shared::cta"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="mbarrier_init release cluster"),
    _form("fence", (), "=", Op.FENCE, "9.7.13.4", need="proxy", may=_PROXY),
    # 9.7.14 matrices in the registers of a warp; shapes, layouts and types are matched by ir/tensor.py
    _form("mma", _ACC, "*=*", Op.MMA, "9.7.14.5", need="sync aligned", may=_PRODUCT),
    _form("wmma", _ACC, "*=*", Op.MMA, "9.7.14.4", need="mma sync aligned", may=_PRODUCT),
    _form("wmma", _MUL, "*=A,*", Op.LDMATRIX, "9.7.14.4.3", need="load sync aligned", may=f"a b c {_TILE}"),
    _form("wmma", _ACC, "=A,*", Op.STMATRIX, "9.7.14.4.5", need="store d sync aligned", may=_TILE),
    _form("ldmatrix", ("b16",), "*=A,*", Op.LDMATRIX, "9.7.14.5.15", need="sync aligned m8n8", may=_EIGHT),
    _form("stmatrix", ("b16",), "=A,*", Op.STMATRIX, "9.7.14.5.16", need="sync aligned m8n8", may=_EIGHT),
    _form("stmatrix", ("b8",), "=A,*", Op.STMATRIX, "9.7.14.5.16", need="sync aligned m16n8 trans", may=_EIGHT_BITS),
    _form("movmatrix", ("b16",), "*=*", Op.MOVMATRIX, "9.7.14.5.17", need="sync aligned m8n8 trans"),
    # Calls of extern functions whose meaning the contract gives. No text can spell them: `lower` makes them of calls.
    *(
        _form("extern", FLOATS, "T=" + ",".join("T" * arity), Op.VALUE, "9.7.12.5", need=name, node=node)
        for name, (arity, node) in EXTERNS.items()
    ),
    # 9.7.12 control flow (branches are block terminators, see ir/ptx)
    _form("ret", (), "=", Op.RET, "9.7.12.6", may="uni"),
    _form("exit", (), "=", Op.RET, "9.7.14.4"),
    _form("trap", (), "=", Op.TRAP, "9.7.14.7"),
    # waiting changes no value
    _form("nanosleep", ("u32",), "=T", Op.FENCE, "9.7.14.6"),
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

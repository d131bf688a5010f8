"""Comparisons and selections: set setp selp slct (PTX ISA 9.7.6, 9.7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import BITS, FLOATS, INTS, WIDTH
from volta_pipe.passes.replay.bits import U64, flags, full, masked, number, signed, truth
from volta_pipe.passes.replay.formats import BF16, F16, F32, F64, decode, flush
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
Compare = Callable[[Array, Array], Array]
_INTEGER = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_OPERATORS: dict[str, Compare] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip
_FLOAT_NAMES = (*_INTEGER, *(f"{name}u" for name in _INTEGER), "num", "nan")
_FORMATS = {"f16": F16, "bf16": BF16, "f16x2": F16, "bf16x2": BF16, "f32": F32, "f64": F64}
_PACKED = ("f16x2", "bf16x2")
_BOOLEAN: dict[str, Compare] = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def _float_compare(name: str) -> Compare:
    """Ordered comparisons are false where an operand is NaN, those that end in u true."""
    if name in ("num", "nan"):
        wanted = name == "nan"
        return lambda x, y: (np.isnan(x) | np.isnan(y)) == wanted
    if name.endswith("u"):
        operate = _OPERATORS[name[:-1]]
        return lambda x, y: operate(x, y) | np.isnan(x) | np.isnan(y)
    operate = _OPERATORS[name]
    return lambda x, y: operate(x, y) & ~(np.isnan(x) | np.isnan(y))


def comparison(s: Spelling, kind: str) -> Compare:
    """The comparison on bits of type `kind` (one half where it is packed); takes the operator and .ftz."""
    if kind in _FORMATS:
        fmt, name, ftz = _FORMATS[kind], s.one_of(" ".join(_FLOAT_NAMES)), s.flag("ftz")
        s.need(name != "", "needs a comparison")
        s.need(not ftz or fmt in (F32, F16), "has .ftz, which its type has not")
        compare = _float_compare(name)

        def of_floats(a: Array, b: Array) -> Array:
            if ftz:
                a, b = flush(a, fmt), flush(b, fmt)
            return compare(decode(a, fmt), decode(b, fmt))

        return of_floats
    name = s.one_of(" ".join((*_INTEGER, *_UNSIGNED)))
    s.need(name != "" and kind in WIDTH, "needs a comparison")
    s.need(kind[0] != "b" or name in ("eq", "ne"), "compares bits by order")
    s.need(name in _INTEGER or kind[0] == "u", f"has .{name}, which is for unsigned integers")
    width, operate = WIDTH[kind], _OPERATORS[_INTEGER.get(name) or _UNSIGNED[name]]
    return lambda a, b: operate(number(a, kind[0], width), number(b, kind[0], width))


def _combination(s: Spelling) -> Callable[[Array, tuple[Array, ...]], Array]:
    """BoolOp(t, c) where the form has one, else t; takes the operator."""
    name = s.one_of("and or xor")
    if not name:
        return lambda t, rest: t
    operate = _BOOLEAN[name]
    return lambda t, rest: operate(t, truth(rest[0]))


@meaning_for("setp", among(*BITS, *INTS, *_FORMATS))
def _setp(s: Spelling) -> Function:
    """Two results: of a scalar type BoolOp of the comparison and of its complement, of a packed one those of the two halves."""
    compare, combine = comparison(s, s.type), _combination(s)
    if s.type in _PACKED:

        def halves(a: Array, b: Array, *rest: Array) -> tuple[Array, ...]:
            low = compare(a & full(16), b & full(16))
            high = compare(a >> U64(16), b >> U64(16))
            return flags(combine(low, rest)), flags(combine(high, rest))

        return halves

    def function(a: Array, b: Array, *rest: Array) -> tuple[Array, ...]:
        t = compare(a, b)
        return flags(combine(t, rest)), flags(combine(~t, rest))

    return function


_SET = {"u16": full(16), "s16": full(16), "u32": full(32), "s32": full(32), "f32": U64(0x3F800000), "f16": U64(0x3C00)}
_SET |= {"bf16": U64(0x3F80)}


@meaning_for("set", among(*_SET, *_PACKED))
def _set(s: Spelling) -> Function:
    """True is all ones in an integer type, 1.0 in a float type; of packed sources each half has its own result."""
    s.need(len(s.types) == 2)
    target, kind = s.types
    compare, combine = comparison(s, kind), _combination(s)
    if kind in _PACKED:
        s.need(target in (kind, "u32", "s32"))
        one = _SET[kind[:-2]] if target == kind else full(16)

        def halves(a: Array, b: Array, *rest: Array) -> tuple[Array, ...]:
            low = np.where(combine(compare(a & full(16), b & full(16)), rest), one, U64(0))
            high = np.where(combine(compare(a >> U64(16), b >> U64(16)), rest), one, U64(0))
            return (low | high << U64(16),)

        return halves
    s.need(target in _SET)
    yes = _SET[target]
    return lambda a, b, *rest: (np.where(combine(compare(a, b), rest), yes, U64(0)),)


def choose(condition: Array, a: Array, b: Array, width: int) -> Array:
    """a where the condition holds, else b."""
    return masked(np.where(condition, a, b), width)


@meaning_for("selp", among(*BITS, *INTS, *FLOATS, "pred"))
def _selp(s: Spelling) -> Function:
    width = WIDTH[s.type]
    return lambda a, b, c: (choose(truth(c), a, b, width),)


@meaning_for("slct", among(*BITS, *INTS, *FLOATS))
def _slct(s: Spelling) -> Function:
    """a where c >= 0 (-0 too), else b; b for NaN. .ftz makes a negative subnormal c a zero."""
    s.need(len(s.types) == 2 and s.types[1] in ("s32", "f32"))
    width, ftz = WIDTH[s.type], s.flag("ftz")
    s.need(not ftz or s.types[1] == "f32", "has .ftz, which its type has not")
    if s.types[1] == "s32":
        return lambda a, b, c: (choose(signed(c, 32) >= 0, a, b, width),)

    def function(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
        chosen = decode(flush(c, F32) if ftz else c, F32) >= 0
        return (choose(chosen, a, b, width),)

    return function

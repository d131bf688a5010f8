"""Comparisons, selections, minima and maxima, signs and properties of floats (PTX ISA 9.7.3, 9.7.4, 9.7.6, 9.7.7)."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from replay_reference import LAYOUT, NAN, call, interesting, one, value_of

from volta_pipe.ir.errors import UnsupportedError

OPERATORS = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}
FLOATS = ("f16", "bf16", "f32", "f64")
ONE = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}


def is_nan(bits: int, name: str) -> bool:
    value = value_of(bits, name)
    return isinstance(value, float) and math.isnan(value)


def pairs(name: str) -> tuple[list[int], list[int]]:
    values = interesting(name, np.random.default_rng(8), 6)
    rows = [(a, b) for a in values for b in values]
    return [a for a, _ in rows], [b for _, b in rows]


@pytest.mark.parametrize("name", FLOATS)
def test_float_comparisons(name: str) -> None:
    a, b = pairs(name)
    either = [is_nan(x, name) or is_nan(y, name) for x, y in zip(a, b, strict=True)]
    values = [(value_of(x, name), value_of(y, name)) for x, y in zip(a, b, strict=True)]
    for word, operate in OPERATORS.items():
        ordered, complement = call(f"setp.{word}.{name}", a, b)
        truths = [operate(x, y) for x, y in values]
        assert ordered == [int(truth and not nan) for truth, nan in zip(truths, either, strict=True)]
        assert complement == [1 - bit for bit in ordered]
        assert call(f"setp.{word}u.{name}", a, b)[0] == [int(truth or nan) for truth, nan in zip(truths, either, strict=True)]
    assert call(f"setp.nan.{name}", a, b)[0] == [int(e) for e in either]
    assert call(f"setp.num.{name}", a, b)[0] == [int(not e) for e in either]


@pytest.mark.parametrize("kind", ["s16", "u16", "s32", "u32", "s64", "u64"])
def test_integer_comparisons(kind: str) -> None:
    n = int(kind[1:])
    values = [0, 1, (1 << (n - 1)) - 1, 1 << (n - 1), (1 << n) - 1]
    rows = [(a, b) for a in values for b in values]
    a, b = [r[0] for r in rows], [r[1] for r in rows]
    signed = (
        [v - (1 << n) if kind[0] == "s" and v >> (n - 1) else v for v in a],
        [v - (1 << n) if kind[0] == "s" and v >> (n - 1) else v for v in b],
    )
    for word, operate in OPERATORS.items():
        assert call(f"setp.{word}.{kind}", a, b)[0] == [int(operate(x, y)) for x, y in zip(*signed, strict=True)]
    if kind[0] == "u":
        for word, operate in (("lo", operator.lt), ("ls", operator.le), ("hi", operator.gt), ("hs", operator.ge)):
            assert call(f"setp.{word}.{kind}", a, b)[0] == [int(operate(x, y)) for x, y in rows]


def test_boolean_combinations() -> None:
    """p = BoolOp(t, c), q = BoolOp(!t, c)."""
    a, b, c = [1, 1, 2, 2], [1, 1, 1, 1], [0, 1, 0, 1]
    assert call("setp.eq.and.s32", a, b, c) == [[0, 1, 0, 0], [0, 0, 0, 1]]
    assert call("setp.eq.or.s32", a, b, c) == [[1, 1, 0, 1], [0, 1, 1, 1]]
    assert call("setp.eq.xor.s32", a, b, c) == [[1, 0, 0, 1], [0, 1, 1, 0]]
    assert call("setp.lt.and.f16x2", [0x3C00_0000], [0x0000_3C00], [1]) == [[1], [0]]  # lower halves, upper halves


def test_set_writes_ones_or_one() -> None:
    assert call("set.lt.u32.s32", [0xFFFFFFFF, 1], [0, 0])[0] == [0xFFFFFFFF, 0]
    assert call("set.lt.u32.u32", [0xFFFFFFFF, 1], [0, 2])[0] == [0, 0xFFFFFFFF]
    assert call("set.eq.f32.f32", [0x80000000, NAN["f32"]], [0, 0])[0] == [0x3F800000, 0]
    assert call("set.neu.f32.f32", [NAN["f32"]], [0])[0] == [0x3F800000]
    assert call("set.gt.u16.f16", [0x3C00], [0])[0] == [0xFFFF]
    assert call("set.gt.f16.f16", [0x3C00], [0])[0] == [0x3C00]
    assert call("set.gt.f16x2.f16x2", [0x3C00_0000], [0])[0] == [0x3C00_0000]
    assert call("set.gt.u32.f16x2", [0x3C00_0000], [0])[0] == [0xFFFF_0000]
    assert call("set.eq.and.s32.s32", [5, 5], [5, 5], [0, 1])[0] == [0, 0xFFFFFFFF]


def test_ftz_of_comparisons() -> None:
    assert call("setp.gt.f32", [1], [0])[0] == [1]
    assert call("setp.gt.ftz.f32", [1], [0])[0] == [0]
    assert call("setp.eq.ftz.f32", [0x80000001], [0x007FFFFF])[0] == [1]
    with pytest.raises(UnsupportedError):
        call("setp.gt.ftz.f64", [1], [0])


def test_selections() -> None:
    assert call("selp.b32", [1, 1], [2, 2], [1, 0])[0] == [1, 2]
    assert call("selp.f64", [1 << 63], [0], [1])[0] == [1 << 63]
    c = [0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    assert call("slct.u16.s32", [7] * 4, [9] * 4, c)[0] == [7, 7, 9, 9]
    c = [0, 0x80000000, 0x3F800000, 0xBF800000, 0x80000001, NAN["f32"]]
    assert call("slct.b64.f32", [7] * 6, [9] * 6, c)[0] == [7, 7, 7, 9, 9, 9]
    assert call("slct.ftz.b64.f32", [7] * 6, [9] * 6, c)[0] == [7, 7, 7, 9, 7, 9]


def extreme(a: int, b: int, name: str, largest: bool, nan_wins: bool) -> int:
    """min_num, max_num, min_nan, max_nan of the ISA, with -0 below +0."""
    if is_nan(a, name) or is_nan(b, name):
        if nan_wins or (is_nan(a, name) and is_nan(b, name)):
            return NAN[name]
        return b if is_nan(a, name) else a

    def key(bits: int) -> tuple[Fraction | float, int]:
        value = value_of(bits, name)
        return value, 0 if bits >> (LAYOUT[name][0] - 1) else 1

    return (max if largest else min)(a, b, key=key)


@pytest.mark.parametrize("name", FLOATS)
def test_minima_and_maxima(name: str) -> None:
    a, b = pairs(name)
    for word in ("min", "max"):
        for nan in ("",) if name == "f64" else ("", ".NaN"):
            found = call(f"{word}{nan}.{name}", a, b)[0]
            assert found == [extreme(x, y, name, word == "max", bool(nan)) for x, y in zip(a, b, strict=True)]
    if name == "f64":
        return
    sign = 1 << (LAYOUT[name][0] - 1)
    found = call(f"max.xorsign.abs.{name}", a, b)[0]
    for bits, x, y in zip(found, a, b, strict=True):
        size = extreme(x & ~sign, y & ~sign, name, True, False)
        assert bits == (size if is_nan(size, name) else size & ~sign | (x ^ y) & sign)


def test_three_inputs_and_packed() -> None:
    one_, two, three = 0x3F800000, 0x40000000, 0xC0400000
    assert one("max.f32", one_, two, three) == two
    assert one("min.f32", one_, two, three) == three
    assert one("max.abs.f32", one_, two, three) == 0x40400000
    assert one("min.NaN.f32", one_, NAN["f32"], three) == NAN["f32"]
    assert one("min.f32", one_, NAN["f32"], three) == three
    assert one("max.f16x2", 0x3C00_8000, 0x4000_0000) == 0x4000_0000
    assert one("min.bf16x2", 0x3F80_8000, 0x4000_0000) == 0x3F80_8000
    assert one("max.ftz.f32", 0x80000001, 0x80000000) == 0x80000000
    assert one("min.ftz.f32", 0x00000001, 0x3F800000) == 0
    assert one("min.f32", 0x00000001, 0x00000002) == 1
    for form in ("max.xorsign.f32", "max.abs.f16", "min.NaN.f64", "max.relu.f32"):
        with pytest.raises(UnsupportedError):
            one(form, 0, 0)
    with pytest.raises(UnsupportedError):
        one("max.xorsign.abs.f32", 0, 0, 0)


def test_signs() -> None:
    for name in FLOATS:
        sign = 1 << (LAYOUT[name][0] - 1)
        for bits in interesting(name, np.random.default_rng(9), 9):
            if is_nan(bits, name) and name != "f64":
                assert one(f"abs.{name}", bits) == one(f"neg.{name}", bits) == NAN[name]
            else:
                assert one(f"abs.{name}", bits) == bits & ~sign
                assert one(f"neg.{name}", bits) == bits ^ sign
    assert one("neg.ftz.f32", 0x00000001) == 0x80000000
    assert one("abs.ftz.f32", 0x80000001) == 0
    assert one("neg.f16x2", 0x3C00_8000) == 0xBC00_0000
    assert one("copysign.f32", 0x80000000, 0x3F800000) == 0xBF800000
    assert one("copysign.f64", 0, 0xBFF0000000000000) == 0x3FF0000000000000


def test_properties() -> None:
    values = [0, 0x80000000, 1, 0x807FFFFF, 0x00800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, NAN["f32"]]
    finite = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert call("testp.finite.f32", values)[0] == finite
    assert call("testp.infinite.f32", values)[0] == [0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]
    assert call("testp.number.f32", values)[0] == [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    assert call("testp.notanumber.f32", values)[0] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert call("testp.normal.f32", values)[0] == [1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0]
    assert call("testp.subnormal.f32", values)[0] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert call("testp.subnormal.f64", [1, 1 << 52])[0] == [1, 0]

"""The approximations: within the ISA's error bounds of the exact value (ball arithmetic), their special values, and moves."""

from __future__ import annotations

from collections.abc import Callable

import flint
import numpy as np
import pytest
from replay_reference import NAN, call, interesting, one, value_of

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.replay.meaning.moves import unpack_parts
from volta_pipe.passes.replay.meaning.spelling import meaning_of, mnemonics

INFINITY, MINUS = 0x7F800000, 0xFF800000
LN2 = flint.arb(2).log()
EXACT: dict[str, Callable[[flint.arb], flint.arb]] = {
    "ex2": lambda x: (x * LN2).exp(),
    "lg2": lambda x: x.log() / LN2,
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "tanh": lambda x: x.tanh(),
    "rsqrt": lambda x: x.rsqrt(),
    "sqrt": lambda x: x.sqrt(),
    "rcp": lambda x: 1 / x,
}


def ball(bits: int, name: str = "f32") -> flint.arb:
    value = value_of(bits, name)
    return flint.arb(flint.fmpq(value.numerator, value.denominator)) if not isinstance(value, float) else flint.arb(0)


@pytest.mark.parametrize("name", sorted(EXACT))
def test_approximations_are_close(name: str) -> None:
    """Results are the nearest float32 of the exact value, or its neighbour."""
    rng = np.random.default_rng(6)
    low, high = {"ex2": (-120, 120), "lg2": (1e-3, 1e3), "rsqrt": (1e-3, 1e3), "sqrt": (0, 1e3)}.get(name, (-3, 3))
    values = rng.uniform(low, high, 120).astype(np.float32).view(np.uint32).tolist()
    form = f"{name}.approx.f32"
    assert meaning_of(name, ["approx"], ["f32"]).approximate
    for bits, source in zip(call(form, values)[0], values, strict=True):
        exact = EXACT[name](ball(source))
        unit = float(np.spacing(np.abs(np.uint32(bits).view(np.float32))))
        assert abs(ball(bits) - exact) < flint.arb(0.51 * unit), hex(source)


def test_special_values() -> None:
    """The tables of the ISA."""
    inputs = [MINUS, 0x80000000, 0, INFINITY, NAN["f32"], 0xBF800000]
    nan = NAN["f32"]
    assert call("rcp.approx.f32", inputs)[0] == [0x80000000, MINUS, INFINITY, 0, nan, 0xBF800000]
    assert call("sqrt.approx.f32", inputs)[0] == [nan, 0x80000000, 0, INFINITY, nan, nan]
    assert call("rsqrt.approx.f32", inputs)[0] == [nan, MINUS, INFINITY, 0, nan, nan]
    assert call("sin.approx.f32", inputs)[0][:5] == [nan, 0x80000000, 0, nan, nan]
    assert call("cos.approx.f32", inputs)[0][:5] == [nan, 0x3F800000, 0x3F800000, nan, nan]
    assert call("lg2.approx.f32", inputs)[0] == [nan, MINUS, MINUS, INFINITY, nan, nan]
    assert call("ex2.approx.f32", inputs)[0] == [0, 0x3F800000, 0x3F800000, INFINITY, nan, 0x3F000000]
    assert call("tanh.approx.f32", inputs)[0][:5] == [0xBF800000, 0x80000000, 0, 0x3F800000, nan]


def test_ftz_of_functions() -> None:
    assert one("ex2.approx.ftz.f32", 0xC3000000) == 0  # 2^-128 is subnormal
    assert one("ex2.approx.f32", 0xC3000000) == 0x00200000
    assert one("rcp.approx.ftz.f32", 1) == INFINITY
    assert one("sqrt.approx.ftz.f32", 0x80000001) == 0x80000000
    assert one("rsqrt.approx.ftz.f32", 0x80000001) == MINUS
    assert one("lg2.approx.ftz.f32", 1) == MINUS
    assert one("lg2.approx.f32", 1) == 0xC3150000  # -149
    assert one("div.full.ftz.f32", 0x00800000, 0x40000000) == 0


def test_half_functions() -> None:
    assert one("ex2.approx.f16", 0x4000) == 0x4400
    assert one("ex2.approx.f16x2", 0x4000_BC00) == 0x4400_3800
    assert one("ex2.approx.ftz.bf16", 0x4000) == 0x4080
    assert one("tanh.approx.f16x2", 0x7C00_FC00) == 0x3C00_BC00
    assert one("tanh.approx.bf16", 0x8000) == 0x8000
    for form in ("ex2.f32", "ex2.approx.bf16", "tanh.approx.ftz.f32", "sin.approx.f16", "lg2.approx.f64"):
        with pytest.raises(UnsupportedError):
            one(form, 0)


def test_approximate_division() -> None:
    """a · (1/b); |b| above 2^126 gives 0, or NaN for an infinite a."""
    assert one("div.approx.f32", 0x40C00000, 0x40000000) == 0x40400000
    assert one("div.approx.f32", 0x3F800000, 0x7F000000) == 0  # 2^127
    assert one("div.approx.f32", 0xBF800000, 0x7F000000) == 0x80000000
    assert one("div.approx.f32", INFINITY, 0x7F000000) == NAN["f32"]
    assert one("div.approx.f32", 0x3F800000, 0x7E800000) == 0x00400000 << 1  # 2^-126, the divisor is 2^126
    assert one("div.full.f32", 0x7F000000, 0x7F000000) == 0x3F800000
    assert one("div.full.f32", 0x3F800000, 0) == INFINITY
    assert meaning_of("div", ["full"], ["f32"]).approximate
    assert not meaning_of("div", ["rn"], ["f32"]).approximate


def test_gross_approximations_of_f64() -> None:
    """Only the upper word counts, the lower word of the result is zero, NaN is 0x7fffffff00000000."""
    assert one("rcp.approx.ftz.f64", 0x4000000012345678) == 0x3FE0000000000000
    assert one("rcp.approx.ftz.f64", 0x7FF0000000000000) == 0
    assert one("rcp.approx.ftz.f64", 0x8000000000000001) == 0xFFF0000000000000
    assert one("rcp.approx.ftz.f64", 0x7FF8000000000000) == 0x7FFFFFFF00000000
    assert one("rsqrt.approx.ftz.f64", 0x4010000000000000) == 0x3FE0000000000000
    assert one("rsqrt.approx.ftz.f64", 0xBFF0000000000000) == 0x7FFFFFFF00000000
    assert one("rsqrt.approx.f64", 0x4010000000000000) == 0x3FE0000000000000
    for bits in interesting("f64", np.random.default_rng(7), 30):
        assert one("rcp.approx.ftz.f64", bits) & 0xFFFFFFFF == 0
    with pytest.raises(UnsupportedError):
        one("rcp.approx.f64", 0)


def test_moves() -> None:
    assert one("mov.b32", 0xDEADBEEF) == 0xDEADBEEF
    assert call("mov.pack.b64", [0x11111111], [0x22222222])[0] == [0x22222222_11111111]
    assert call("mov.pack.b32", [1], [2], [3], [4])[0] == [0x04030201]
    assert call("mov.unpack.b32", [0xBEEF_DEAD]) == [[0xDEAD], [0xBEEF]]
    parts = unpack_parts(np.array([0x4444333322221111], np.uint64), 64, 4)
    assert [int(p[0]) for p in parts] == [0x1111, 0x2222, 0x3333, 0x4444]


def test_the_table_is_complete() -> None:
    """The mnemonics of the integer, float, comparison, logic, conversion, address, atomic and warp sections."""
    wanted = "abs activemask add addc and atom bfe bfi bfind bmsk brev clz cnot copysign cos cvt cvta div dp2a dp4a elect ex2"
    wanted += " extern fma fns isspacep lg2 lop3 mad mad24 madc match max min mov mul mul24 neg not or popc prmt rcp red redux"
    wanted += " rem rsqrt sad selp set setp shf shfl shl shr sin slct sqrt sub subc szext tanh testp vote xor"
    assert mnemonics() == tuple(wanted.split())
    with pytest.raises(UnsupportedError, match=r"wgmma\.x\.f16 has no concrete meaning"):
        meaning_of("wgmma", ["x"], ["f16"])

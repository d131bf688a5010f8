"""cvt: integers, floats, narrow and packed formats, against exact fractions and brute force (PTX ISA 9.7.9.21, 9.7.9.22)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from replay_reference import LAYOUT, NAN, Value, call, interesting, one, round_to, value_of

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.replay.meaning.convert import widen

INTS = ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")


def width(kind: str) -> int:
    return int(kind[1:])


def number(bits: int, kind: str) -> int:
    bits &= (1 << width(kind)) - 1
    return bits - (1 << width(kind)) if kind[0] == "s" and bits >> (width(kind) - 1) else bits


def bounds(kind: str) -> tuple[int, int]:
    n = width(kind)
    return (-(1 << (n - 1)), (1 << (n - 1)) - 1) if kind[0] == "s" else (0, (1 << n) - 1)


def edges(kind: str) -> list[int]:
    n = width(kind)
    random = np.random.default_rng(n).integers(0, 1 << 63, 20, np.uint64) * 2 + 1
    return [0, 1, 127, 128, 255, (1 << (n - 1)) - 1, 1 << (n - 1), (1 << n) - 1] + [int(x) & ((1 << n) - 1) for x in random]


@pytest.mark.parametrize("source", INTS)
def test_integers_to_integers(source: str) -> None:
    """Truncated or extended by the sign of the source; .sat clamps. Bits above the source's width do not count."""
    values = edges(source)
    dirty = [v | 0xAB << width(source) if width(source) < 64 else v for v in values]
    for target in INTS:
        mask = (1 << width(target)) - 1
        assert call(f"cvt.{target}.{source}", dirty)[0] == [number(v, source) & mask for v in values]
        low, high = bounds(target)
        assert call(f"cvt.sat.{target}.{source}", dirty)[0] == [min(max(number(v, source), low), high) & mask for v in values]


def test_a_wider_register_is_sign_extended() -> None:
    bits = np.array([0x80, 0x7F], np.uint64)
    assert widen(bits, "s8", 32).tolist() == [0xFFFFFF80, 0x7F]
    assert widen(bits, "u8", 32).tolist() == [0x80, 0x7F]


@pytest.mark.parametrize("source", INTS)
def test_integers_to_floats(source: str) -> None:
    values = [*edges(source), (1 << width(source) - 2) + 1]
    for target in FLOATS:
        for mode in ("rn", "rz", "rm", "rp"):
            wanted = [round_to(Fraction(number(v, source)), target, mode) for v in values]
            assert call(f"cvt.{mode}.{target}.{source}", values)[0] == wanted
    with pytest.raises(UnsupportedError):
        one(f"cvt.f32.{source}", 0)


def to_integer(value: Fraction, mode: str) -> int:
    below = math.floor(value)
    if mode == "rmi":
        return below
    if mode == "rpi":
        return math.ceil(value)
    if mode == "rzi":
        return math.trunc(value)
    return round(value)  # ties to even


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("mode", ["rni", "rzi", "rmi", "rpi"])
def test_floats_to_integers(source: str, mode: str) -> None:
    halves: list[Value] = [Fraction(n, 2) for n in range(-9, 10)]
    near = [Fraction(b) + d for kind in INTS for b in bounds(kind) for d in (-1, Fraction(-1, 2), 0, Fraction(1, 2), 1)]
    near += [Fraction(2) ** 63 + Fraction(2) ** 40 * 3, -(Fraction(2) ** 62) * 3, Fraction(2) ** 62 * 3]
    values = [round_to(v, source, finite=True) for v in (*halves, *near)] + interesting(source, np.random.default_rng(1), 40)
    for target in INTS:
        low, high = bounds(target)
        found = call(f"cvt.{mode}.{target}.{source}", values)[0]
        for bits, source_bits in zip(found, values, strict=True):
            value = value_of(source_bits, source)
            if isinstance(value, float) and math.isnan(value):
                wanted = 1 << (width(target) - 1) if source == "f64" or width(target) == 64 else 0
            elif isinstance(value, float) and math.isinf(value):
                wanted = high if value > 0 else low
            else:
                wanted = min(max(to_integer(Fraction(value), mode), low), high)
            assert bits == wanted & ((1 << width(target)) - 1), (target, hex(source_bits))


def test_ftz_of_conversions() -> None:
    assert one("cvt.rpi.s32.f32", 1) == 1
    assert one("cvt.rpi.ftz.s32.f32", 1) == 0
    assert one("cvt.rn.ftz.f16.f32", 0x80000001) == 0x8000
    assert one("cvt.rn.ftz.f32.f64", 1) == 0
    assert one("cvt.rn.f32.f64", 0x36A0000000000000) == 1  # 2^-149
    assert one("cvt.rn.ftz.f32.f64", 0xB6A0000000000000) == 0x80000000
    assert one("cvt.ftz.f64.f32", 1) == 0


@pytest.mark.parametrize("source", FLOATS)
def test_floats_to_floats(source: str) -> None:
    rng = np.random.default_rng(2)
    values = interesting(source, rng, 60)
    for target in FLOATS:
        narrower = LAYOUT[target][2] < LAYOUT[source][2] or LAYOUT[target][1] < LAYOUT[source][1]
        # Values in the middle between two numbers of the target, and next to it.
        more: list[int] = []
        if narrower:
            for bits in interesting(target, rng, 10):
                value = value_of(bits, target)
                if isinstance(value, Fraction) and value:
                    middle = value * (1 + Fraction(1, 1 << (LAYOUT[target][2] + 1)))
                    more += [round_to(middle, source), round_to(middle, source) ^ 1]
        for mode in ("rn", "rz", "rm", "rp") if narrower else ("",):
            form = f"cvt.{mode}.{target}.{source}".replace("..", ".")
            columns = values + more
            assert call(form, columns)[0] == [round_to(value_of(v, source), target, mode or "rn") for v in columns], form


def test_every_f16_goes_to_every_format() -> None:
    every = list(range(65536))
    values = np.arange(65536, dtype=np.uint16).view(np.float16)
    nan = np.isnan(values)
    wide = np.array(call("cvt.f32.f16", every)[0], np.uint64)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(wide[~nan], values.astype(np.float32).view(np.uint32)[~nan])
    assert (wide[nan] == NAN["f32"]).all()
    back = np.array(call("cvt.rn.f16.f32", wide)[0], np.uint64)
    assert np.array_equal(back[~nan], np.arange(65536)[~nan])


@pytest.mark.parametrize(("mode", "function"), [("rni", np.rint), ("rzi", np.trunc), ("rmi", np.floor), ("rpi", np.ceil)])
def test_rounding_to_an_integer_in_the_format(mode: str, function: np.ufunc) -> None:
    values = interesting("f32", np.random.default_rng(3), 200)
    for bits, source in zip(call(f"cvt.{mode}.f32.f32", values)[0], values, strict=True):
        number_ = np.uint32(source).view(np.float32)
        wanted = NAN["f32"] if np.isnan(number_) else int(function(number_).view(np.uint32))
        assert bits == wanted, hex(source)


def test_sat_relu_satfinite() -> None:
    one_ = 0x3F800000
    assert call("cvt.sat.f32.f32", [one_ + 1, 0xBF800000, NAN["f32"], 0x80000000, 0x3F000000])[0] == [one_, 0, 0, 0, 0x3F000000]
    assert call("cvt.rn.sat.f16.f32", [0x40000000, 0x3F000000])[0] == [0x3C00, 0x3800]
    assert one("cvt.rn.f16.f32", 0x477FF000) == 0x7C00  # 65520 is the first number that rounds to infinity
    assert one("cvt.rn.f16.f32", 0x477FEFFF) == 0x7BFF
    assert one("cvt.rn.satfinite.f16.f32", 0x7F800000) == 0x7BFF
    assert one("cvt.rn.satfinite.bf16.f32", 0xFF800000) == 0xFF7F
    assert one("cvt.rn.satfinite.f16.f32", NAN["f32"]) == 0x7FFF
    assert one("cvt.rn.relu.bf16.f32", 0xBF800000) == 0
    assert one("cvt.rn.relu.f16.f32", 0xFFC00000) == 0x7FFF
    assert one("cvt.rz.bf16.f32", 0x3F80FFFF) == 0x3F80
    assert one("cvt.rn.bf16.f32", 0x3F808000) == 0x3F80  # a tie
    assert one("cvt.rn.bf16.f32", 0x3F818000) == 0x3F82
    assert one("cvt.rn.bf16.f32", 0x3F808001) == 0x3F81
    assert one("cvt.rn.bf16.f32", 0x7F7FFFFF) == 0x7F80
    assert one("cvt.rn.bf16.f32", 0x00008001) == 1  # subnormal


def test_tf32() -> None:
    """Ten fraction bits in the upper part of 32."""
    assert one("cvt.rna.tf32.f32", 0x3F801000) == 0x3F802000  # a tie, away from zero
    assert one("cvt.rn.tf32.f32", 0x3F801000) == 0x3F800000  # a tie, to even
    assert one("cvt.rz.tf32.f32", 0x3F801FFF) == 0x3F800000
    assert one("cvt.rna.tf32.f32", 0xBF801000) == 0xBF802000
    assert one("cvt.rna.tf32.f32", 0x7F7FFFFF) == 0x7F800000
    assert one("cvt.rna.satfinite.tf32.f32", 0x7F7FFFFF) == 0x7F7FE000
    assert one("cvt.rn.relu.tf32.f32", 0xBF800000) == 0
    for bits in interesting("f32", np.random.default_rng(4), 60):
        assert one("cvt.rna.tf32.f32", bits) == round_to(value_of(bits, "f32"), "tf32", "rna")


@pytest.mark.parametrize("name", ["e4m3", "e5m2"])
def test_every_fp8_value(name: str) -> None:
    """To f16 exactly, and f16 back (every 13th) by rounding to nearest, clamped to the largest finite number."""
    every = list(range(256))
    pairs = call(f"cvt.rn.f16x2.{name}x2", [b << 8 | 255 - b for b in every])[0]
    for bits, pair in zip(every, pairs, strict=True):
        assert pair >> 16 == round_to(value_of(bits, name), "f16")
        assert pair & 0xFFFF == round_to(value_of(255 - bits, name), "f16")
    halves = list(range(0, 65536, 13))  # odd: all low bits
    wanted = [round_to(value_of(h, "f16"), name, finite=True) for h in halves]
    found = call(f"cvt.rn.satfinite.{name}x2.f16x2", [h << 16 | 0x3C00 for h in halves])[0]
    one_ = round_to(Fraction(1), name)
    assert found == [w << 8 | one_ for w in wanted]
    assert call(f"cvt.rn.satfinite.relu.{name}x2.f16x2", [0xBC00_3C00])[0] == [one_]


def test_fp8_from_single() -> None:
    """The first operand goes into the upper byte. Middles between neighbours, overflow, NaN."""
    for name in ("e4m3", "e5m2"):
        values = interesting("f32", np.random.default_rng(5), 40)
        for b in range(256):
            value = value_of(b, name)
            if isinstance(value, Fraction) and value:
                values.append(round_to(value * (1 + Fraction(1, 1 << (LAYOUT[name][2] + 1))), "f32"))
        wanted = [round_to(value_of(v, "f32"), name, finite=True) for v in values]
        found = call(f"cvt.rn.satfinite.{name}x2.f32", values, values[::-1])[0]
        assert found == [w << 8 | v for w, v in zip(wanted, wanted[::-1], strict=True)]
    assert one("cvt.rn.satfinite.e4m3x2.f32", 0x43E80000, 0xC3E80000) == 0x7EFE  # ±464 to ±448
    assert one("cvt.rn.satfinite.e4m3x2.f32", NAN["f32"], 0x7F800000) == 0x7F7E
    assert one("cvt.rn.satfinite.e5m2x2.f32", 0x7F800000, NAN["f32"]) == 0x7B7F
    for form in ("cvt.rn.e4m3x2.f32", "cvt.rz.satfinite.e4m3x2.f32"):
        with pytest.raises(UnsupportedError):
            one(form, 0, 0)


def test_packed_halves() -> None:
    """a in the upper half."""
    assert one("cvt.rn.f16x2.f32", 0x3F800000, 0xC0000000) == 0x3C00_C000
    assert one("cvt.rz.bf16x2.f32", 0x3F80FFFF, 0x40000000) == 0x3F80_4000
    assert one("cvt.rn.relu.bf16x2.f32", 0xBF800000, 0x40000000) == 0x0000_4000
    assert one("cvt.rn.satfinite.f16x2.f32", 0x7F800000, 0xFF800000) == 0x7BFF_FBFF
    with pytest.raises(UnsupportedError):
        call("cvt.rs.f16x2.f32", [0], [0], [0])


def test_cvt_pack() -> None:
    """ta above tb in the low bits, then the low bits of c."""
    assert one("cvt.pack.sat.u16.s32", 70000, 0xFFFFFFFF) == 0xFFFF_0000
    assert one("cvt.pack.sat.s16.s32", 70000, 0x80000000) == 0x7FFF_8000
    assert one("cvt.pack.sat.u8.s32.b32", 300, 5, 0x12345678) == 0x5678_FF_05
    assert one("cvt.pack.sat.s8.s32.b32", 300, 0xFFFFFF00, 0x12345678) == 0x5678_7F_80
    assert one("cvt.pack.sat.u4.s32.b32", 20, 3, 0x12345678) == 0x345678_F3
    assert one("cvt.pack.sat.s2.s32.b32", 5, 0xFFFFFFFB, 0x12345678) == 0x12345678 << 4 & 0xFFFFFFFF | 0b0110
    for form in ("cvt.pack.u8.s32.b32", "cvt.pack.sat.u8.s32", "cvt.pack.sat.u16.s32.b32"):
        with pytest.raises(UnsupportedError):
            call(form, [0], [0], [0])

"""Float formats in plain Python: values as fractions, rounding by definition. Written without the code under test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from volta_pipe.passes.replay.meaning.spelling import meaning_of

# name: (bits, exponent bits, fraction bits, zero bits below the fraction, has infinities)
LAYOUT = {
    "f64": (64, 11, 52, 0, True), "f32": (32, 8, 23, 0, True), "tf32": (32, 8, 10, 13, True), "f16": (16, 5, 10, 0, True),
    "bf16": (16, 8, 7, 0, True), "e4m3": (8, 4, 3, 0, False), "e5m2": (8, 5, 2, 0, True),
}  # fmt: skip
NAN = {"f64": 0x7FF8000000000000, "f32": 0x7FFFFFFF, "f16": 0x7FFF, "bf16": 0x7FFF, "e4m3": 0x7F, "e5m2": 0x7F}
NAN["tf32"] = 0x7FFFE000
Value = Fraction | float  # a float only for nan, ±inf and -0.0


def call(form: str, *operands: Sequence[int]) -> list[list[int]]:
    """Runs a form, such as "add.rn.f32", on columns of bits; the results' columns as Python integers."""
    mnemonic, *words = form.split(".")
    types = [w for w in words if w in TYPES]
    modifiers = [w for w in words if w not in TYPES]
    columns = [np.array(column, np.uint64) for column in operands]
    results = meaning_of(mnemonic, modifiers, types)(*columns)
    return [[int(x) for x in column] for column in results]


def one(form: str, *operands: int) -> int:
    """The first result of one lane."""
    return call(form, *([x] for x in operands))[0][0]


TYPES = {f"{kind}{bits}" for kind in "bsu" for bits in (8, 16, 32, 64)} | set(LAYOUT) | {"pred"}
TYPES |= {"f16x2", "bf16x2", "f32x2", "e4m3x2", "e5m2x2", "u16x2", "s16x2", "u4", "s4", "u2", "s2"}


@lru_cache(maxsize=1024)
def power(exponent: int) -> Fraction:
    """2^exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@lru_cache(maxsize=1 << 17)
def value_of(bits: int, name: str) -> Value:
    """What bits stand for."""
    width, exponent_bits, fraction_bits, low, ieee = LAYOUT[name]
    negative = bits >> (width - 1) & 1
    field = bits >> (fraction_bits + low) & ((1 << exponent_bits) - 1)
    fraction = bits >> low & ((1 << fraction_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    top = field == (1 << exponent_bits) - 1
    if top and ieee:
        return math.nan if fraction else -math.inf if negative else math.inf
    if top and fraction == (1 << fraction_bits) - 1:
        return math.nan
    if field:
        size = Fraction(fraction + (1 << fraction_bits)) * power(field - bias - fraction_bits)
    else:
        size = Fraction(fraction) * power(1 - bias - fraction_bits)
    if negative:
        return -size if size else -0.0
    return size


def largest(name: str) -> int:
    """Bits of the largest finite number."""
    width, _, _fraction_bits, low, ieee = LAYOUT[name]
    if not ieee:
        return (1 << (width - 1)) - 2
    return infinity(name) - (1 << low)


def infinity(name: str) -> int:
    _, exponent_bits, fraction_bits, low, _ = LAYOUT[name]
    return ((1 << exponent_bits) - 1) << (fraction_bits + low)


def round_to(value: Value, name: str, mode: str = "rn", *, finite: bool = False, zero_sign: int = 0) -> int:
    """The bits of `value` rounded by definition: the two neighbours on the grid, and the one that the mode chooses.
    zero_sign: the sign of an exact zero."""
    width, exponent_bits, fraction_bits, _low, ieee = LAYOUT[name]
    sign_bit = 1 << (width - 1)
    if isinstance(value, float):
        if math.isnan(value):
            return NAN[name]
        if math.isinf(value):
            top = largest(name) if finite else infinity(name) if ieee else NAN[name]
            return top | (sign_bit if value < 0 else 0)
        value, zero_sign = Fraction(0), 1
    if value == 0:
        return sign_bit if zero_sign else 0
    negative, size = value < 0, abs(value)
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if power(exponent) > size:
        exponent -= 1
    unit = power(max(exponent, 1 - bias) - fraction_bits)
    scaled = size / unit
    below = scaled.numerator // scaled.denominator
    rest = scaled - below
    if mode == "rz" or (mode == "rm" and not negative) or (mode == "rp" and negative):
        up = False
    elif mode in ("rm", "rp"):
        up = rest > 0
    elif mode == "rna":
        up = rest >= Fraction(1, 2)
    else:
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2 == 1)
    rounded = (below + up) * unit
    biggest = value_of(largest(name), name)
    assert isinstance(biggest, Fraction)
    if rounded > biggest:
        towards_zero = mode == "rz" or (mode == "rm" and not negative) or (mode == "rp" and negative)
        bits = largest(name) if finite or towards_zero else infinity(name) if ieee else NAN[name]
    else:
        bits = _encode(rounded, name)
    return bits | (sign_bit if negative else 0)


def _encode(size: Fraction, name: str) -> int:
    """Bits of a number on the format's grid, not negative."""
    _, exponent_bits, fraction_bits, low, _ = LAYOUT[name]
    if size == 0:
        return 0
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if power(exponent) > size:
        exponent -= 1
    if exponent < 1 - bias:
        whole = size / power(1 - bias - fraction_bits)
        assert whole.denominator == 1
        return whole.numerator << low
    fraction = size / power(exponent - fraction_bits) - (1 << fraction_bits)
    assert fraction.denominator == 1
    return ((exponent + bias) << fraction_bits | fraction.numerator) << low


def interesting(name: str, rng: np.random.Generator, count: int) -> list[int]:
    """Bits of a format: zeros, infinities, NaN, the least and largest of each kind, then random ones, some of them near 1."""
    width, exponent_bits, fraction_bits, low, _ = LAYOUT[name]
    sign = 1 << (width - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    step = 1 << low
    least = 1 << (fraction_bits + low)
    some = [0, step, 2 * step, least - step, least, least + step, largest(name), infinity(name), NAN[name]]
    some += [bias << (fraction_bits + low), (bias << (fraction_bits + low)) + step, (bias + 1) << (fraction_bits + low)]
    edges = some + [x | sign for x in some]
    patterns = [int(x) & ((1 << width) - 1) & ~(step - 1) for x in rng.integers(0, 1 << 63, count, np.uint64) * 2 + 1]
    near = (bias - 3) << (fraction_bits + low)
    for k in range(0, count, 3):
        field = int(rng.integers(0, 7)) << (fraction_bits + low)
        patterns[k] = patterns[k] & (sign | (least - step)) | (near + field)
    return edges + patterns

"""Bits of small floats as numbers: all of them, against NumPy and against the formulas of the formats' documents."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.small_floats import decode


@entry
def _decode_all(bits: np.ndarray, format: int, out: np.ndarray) -> None:  # type: ignore[type-arg]
    for i in range(len(bits)):
        out[i] = decode(bits[i], format)


def _all(format: int) -> np.ndarray:  # type: ignore[type-arg]
    bits = np.arange(1 << (format & ~1), dtype=np.int64)
    out = np.zeros(len(bits))
    _decode_all(bits, np.int64(format), out)
    return out


def test_binary16_is_numpys() -> None:
    np.testing.assert_array_equal(_all(16), np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64))


def test_bfloat16_is_the_upper_half_of_binary32() -> None:
    np.testing.assert_array_equal(_all(17), (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32).astype(np.float64))


def test_sign_extended_bits_are_the_same_number() -> None:
    out = np.zeros(2)
    _decode_all(np.array([-1024, 0xFC00], np.int64), np.int64(16), out)
    assert (out == -np.inf).all()


@pytest.mark.parametrize(("format", "mantissa", "bias"), [(8, 3, 7), (9, 2, 15)])
def test_fp8_by_its_formula(format: int, mantissa: int, bias: int) -> None:
    """OCP 8-bit floating point, tables 1 and 2: e4m3 has NaN at S.1111.111 only, e5m2 infinities and NaN like IEEE 754."""
    for bits, value in enumerate(_all(format)):
        sign = -1 if bits & 128 else 1
        exponent, fraction = bits >> mantissa & ((1 << (7 - mantissa)) - 1), bits & ((1 << mantissa) - 1)
        if format == 8 and bits & 127 == 127:
            assert np.isnan(value)
        elif format == 9 and exponent == 31:
            assert np.isnan(value) if fraction else value == sign * np.inf
        else:
            lead = 1 if exponent else 0
            exact = sign * (lead + Fraction(fraction, 1 << mantissa)) * Fraction(2) ** (max(exponent, 1) - bias)
            assert Fraction(float(value)) == exact
    assert _all(8)[0x7E] == 448 and _all(9)[0x7B] == 57344

"""Literals that stand for real numbers: the floats nearest to log2 e, and the correction that precise `expf` adds.

nvcc's `expf` computes 2^(c1·x + c2·x − j) · 2^j with c1 the float32 nearest to log2 e and c1 + c2 closer still; `__expf` and
Triton use c1 alone. A power of two times such a literal is the same mantissa, hence the same literal times an exact number."""

from __future__ import annotations

import math
import struct
from typing import Any

from flint import fmpq


def _float32(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


LOG2E_32 = _float32(0x3FB8AA3B)
LOG2E_LOW_32 = _float32(0x32A57060)
LOG2E_64 = 1.4426950408889634
# Atom kind → value of the literal, and what the verdict says when it was read as the real number.
VALUES = {"c1": LOG2E_32, "c2": LOG2E_LOW_32, "d1": LOG2E_64}
ASSUMPTIONS = {
    "c1": "the literal 0f3FB8AA3B stands for log2 e",
    "c2": "the literals 0f3FB8AA3B + 0f32A57060 stand for log2 e",
    "d1": "the literal 0d3FF71547652B82FE stands for log2 e",
}
_MANTISSAS = {math.frexp(LOG2E_32): "c1", math.frexp(LOG2E_64): "d1"}
_LIMIT = 64  # binary exponent up to which a scaled literal is looked for


def exact(value: float) -> Any:
    """The rational that a finite float is: int or fmpq."""
    p, q = value.as_integer_ratio()
    return p if q == 1 else fmpq(p, q)


def named(value: float) -> tuple[str, Any] | None:
    """(atom kind, factor) with value = factor · VALUES[kind] exactly; None for any other literal."""
    if abs(value) == LOG2E_LOW_32:
        return "c2", 1 if value > 0 else -1
    mantissa, exponent = math.frexp(abs(value))
    for (m, e), kind in _MANTISSAS.items():
        if mantissa == m and abs(exponent - e) <= _LIMIT:
            return kind, exact(math.ldexp(math.copysign(1.0, value), exponent - e))
    return None

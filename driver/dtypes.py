"""Element types of a contract and which numbers fit them, without NumPy (the path where everything is cached imports none)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class DType:
    """`size` in bytes; `kind`: f float, s signed, u unsigned, b raw bits (as `ir.launch.DTYPES`). For floats: `precision`
    in bits with the implicit one, `least` the exponent of the smallest normal number, `largest` the largest finite one."""

    size: int
    kind: str
    precision: int = 0
    least: int = 0
    largest: float = 0.0


DTYPES = {
    "f64": DType(8, "f", 53, -1022, math.ldexp(2 - 2.0**-52, 1023)),
    "f32": DType(4, "f", 24, -126, math.ldexp(2 - 2.0**-23, 127)),
    "tf32": DType(4, "f", 11, -126, math.ldexp(2 - 2.0**-10, 127)),
    "f16": DType(2, "f", 11, -14, 65504.0),
    "bf16": DType(2, "f", 8, -126, math.ldexp(2 - 2.0**-7, 127)),
    "e4m3": DType(1, "f", 4, -6, 448.0),  # OCP FP8: no infinities
    "e5m2": DType(1, "f", 3, -14, 57344.0),
    "s8": DType(1, "s"), "s16": DType(2, "s"), "s32": DType(4, "s"), "s64": DType(8, "s"),
    "u8": DType(1, "u"), "u16": DType(2, "u"), "u32": DType(4, "u"), "u64": DType(8, "u"), "b8": DType(1, "b"),
}  # fmt: skip


def integer_range(dtype: DType) -> tuple[int, int]:
    """Least and largest integer of a signed, unsigned or raw type."""
    bits = 8 * dtype.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype.kind == "s" else (0, (1 << bits) - 1)


def fit(value: float | int, name: str) -> float | int:
    """`value` as an element of dtype `name`: floats are rounded to nearest, ties to even, as a host program would.

    Errors: ValueError when it does not fit (a fraction in an integer type, out of range)."""
    dtype = DTYPES[name]
    if dtype.kind == "f":
        try:
            return _round(float(value), dtype, name)
        except OverflowError:  # an integer beyond all doubles
            raise ValueError(f"does not fit {name} (largest: {dtype.largest:g})") from None
    if isinstance(value, float):
        raise ValueError(f"{value} is no integer, as {name} needs")
    low, high = integer_range(dtype)
    if not low <= value <= high:
        raise ValueError(f"{value} does not fit {name} ({low} to {high})")
    return value


def _round(value: float, dtype: DType, name: str) -> float:
    if not math.isfinite(value):
        if name == "e4m3" and math.isinf(value):
            raise ValueError("e4m3 has no infinity")
        return value
    if value == 0.0:
        return value
    exponent = max(math.frexp(value)[1] - 1, dtype.least)
    scale = exponent - (dtype.precision - 1)
    rounded = math.ldexp(round(math.ldexp(value, -scale)), scale) if scale > -1074 else value
    if abs(rounded) > dtype.largest:
        raise ValueError(f"{value} does not fit {name} (largest: {dtype.largest:g})")
    return rounded

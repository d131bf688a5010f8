"""Contents of tensors and scalars: NumPy arrays to and from bytes, and formats that NumPy does not have to and from numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError
from volta_pipe.ir.launch import DTYPES, Scalar, Tensor
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import FORMATS, decode

Array = np.ndarray[Any, np.dtype[Any]]
# The NumPy dtype in which contents of each dtype are given and returned; bf16, tf32, e4m3, e5m2 are bit patterns.
STORED: dict[str, type[np.generic]] = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "tf32": np.uint32, "bf16": np.uint16, "e4m3": np.uint8,
    "e5m2": np.uint8, "s8": np.int8, "u8": np.uint8, "s16": np.int16, "u16": np.uint16, "s32": np.int32, "u32": np.uint32,
    "s64": np.int64, "u64": np.uint64, "b8": np.uint8,
}  # fmt: skip
PATTERNS = frozenset({"tf32", "bf16", "e4m3", "e5m2"})


def to_numbers(array: Array, dtype: str) -> Array:
    """Stored contents as numbers: float64 of a float dtype, unchanged of an integer one."""
    if dtype in PATTERNS:
        shape = array.shape
        with np.errstate(invalid="ignore"):  # a signalling NaN is no error
            values = decode(np.ascontiguousarray(array).reshape(-1).astype(np.uint64), FORMATS[dtype])
        return values.reshape(shape)
    return array.astype(np.float64) if DTYPES[dtype][1] == "f" else array


def from_numbers(array: Array, dtype: str) -> Array:
    """Numbers as contents of `dtype`: floats rounded to nearest (beyond the largest e4m3: to it), integers cast."""
    if dtype in PATTERNS:
        shape = np.shape(array)
        values = np.ascontiguousarray(array, np.float64).reshape(-1)
        with np.errstate(all="ignore"):
            bits = encode(values, FORMATS[dtype], "rn", finite=dtype == "e4m3")
        return bits.astype(STORED[dtype]).reshape(shape)
    return np.asarray(array).astype(STORED[dtype])


def tensor_bytes(tensor: Tensor, array: Array) -> Array:
    """The bytes of a tensor's elements in row-major order, uint8. Errors: InputError on another shape or dtype."""
    wanted = np.dtype(STORED[tensor.dtype])
    if tuple(array.shape) != tensor.shape or array.dtype != wanted:
        raise InputError(
            f"contents of {tensor.name} have shape {tuple(array.shape)} and type {array.dtype}, "
            f"the tensor {tensor.shape} and {wanted}"
        )
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def from_bytes(tensor: Tensor, raw: Array) -> Array:
    """The array of a tensor whose elements have these bytes, uint8 [size, itemsize]."""
    return np.ascontiguousarray(raw).reshape(-1).view(STORED[tensor.dtype]).reshape(tensor.shape)


def scalar_bits(scalar: Scalar, contents: Any) -> int:
    """The bits of a scalar's value. Errors: InputError where it has none."""
    value = contents.get(scalar.name) if scalar.value is None else scalar.value
    if value is None:
        raise InputError(f"scalar {scalar.name} needs a value")
    array = np.asarray(value).reshape(1)
    stored = array if array.dtype == np.dtype(STORED[scalar.dtype]) else from_numbers(array, scalar.dtype)
    return int.from_bytes(stored.tobytes(), "little")

"""What a kernel is launched on: tensors, scalars, arguments, grid and block, with every dim a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, UnsupportedError

# dtype name -> (bytes, kind); kind: f float, s signed, u unsigned, b raw bits. tf32 is stored in 4 bytes.
DTYPES: dict[str, tuple[int, str]] = {
    "f64": (8, "f"), "f32": (4, "f"), "tf32": (4, "f"), "f16": (2, "f"), "bf16": (2, "f"), "e4m3": (1, "f"), "e5m2": (1, "f"),
    "s8": (1, "s"), "u8": (1, "u"), "s16": (2, "s"), "u16": (2, "u"), "s32": (4, "s"), "u32": (4, "u"), "s64": (8, "s"),
    "u64": (8, "u"), "b8": (1, "b"),
}  # fmt: skip


# dtypes whose known values NumPy can hold as they are.
_NUMPY = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "s8": "i1", "u8": "u1", "b8": "u1"}
_NUMPY |= {"s16": "<i2", "u16": "<u2", "s32": "<i4", "u32": "<u4", "s64": "<i8", "u64": "<u8"}


@dataclass(frozen=True)
class Tensor:
    """A buffer of the contract. `strides` in elements; `align` in bytes of the base address; `values`: contents known before
    the launch (integer or float array of `shape`) or None for symbolic (in, inout) and uninitialised (out, scratch)."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    role: str  # in | out | inout | scratch
    align: int = 256
    values: np.ndarray[Any, Any] | None = field(default=None, compare=False)
    alias_of: int = -1  # index of the tensor whose memory this one shares, or -1

    @property
    def itemsize(self) -> int:
        return DTYPES[self.dtype][0]

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def extent(self) -> int:
        """Bytes from the base to the end of the last element (0 for an empty tensor)."""
        if self.size == 0:
            return 0
        return (sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)) + 1) * self.itemsize

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie one behind the other in row-major order."""
        expected, good = 1, True
        for n, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            good = good and (n == 1 or stride == expected)
            expected *= n
        return good or not self.size

    def known_bytes(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes of known contents, uint8 [extent]; gaps between strides are zero. Errors: UnsupportedError for a dtype that
        NumPy does not have."""
        dtype = _NUMPY.get(self.dtype)
        if self.values is None or dtype is None:
            raise UnsupportedError(f"tensor {self.name}: known contents of dtype {self.dtype} are not supported yet")
        raw = np.asarray(self.values).astype(dtype).reshape(-1).view(np.uint8).reshape(-1, self.itemsize)
        out = np.zeros(self.extent, np.uint8)
        out[self.element_offsets()[:, None] + np.arange(self.itemsize)[None, :]] = raw
        return out

    def element_offsets(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Byte offset of each element in row-major order of its index, int64 [size]."""
        offsets = np.zeros(1, np.int64)
        for n, s in zip(self.shape, self.strides, strict=True):
            offsets = (offsets[:, None] + np.arange(n, dtype=np.int64)[None, :] * s).reshape(-1)
        return offsets * self.itemsize


@dataclass(frozen=True)
class Scalar:
    """A scalar of the contract; `value` None means symbolic."""

    name: str
    dtype: str
    value: float | int | None


@dataclass(frozen=True)
class Argument:
    """One kernel argument. kind: `pointer` (tensor index, byte offset), `number` (an integer or float value), `scalar`
    (index into scalars), `null`."""

    kind: str
    index: int = -1
    offset: int = 0
    number: float | int = 0


@dataclass(frozen=True)
class GlobalValue:
    """What a module variable in .const or .global memory holds before the launch: the bytes that its tensor holds then, or
    `content`, in either case as many as the variable has. `tensor`: index, or -1."""

    name: str
    tensor: int = -1
    content: bytes = b""


@dataclass(frozen=True)
class Launch:
    """One launch of one kernel. `ctas`: the CTAs to run in order, or None for the whole grid. `globals`: of variables that
    the kernel may not have, too."""

    tensors: tuple[Tensor, ...]
    scalars: tuple[Scalar, ...]
    arguments: tuple[Argument, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0
    ctas: tuple[tuple[int, int, int], ...] | None = None
    exited_threads_block_barriers: bool = False
    warp_collectives_order_memory: bool = False
    globals: tuple[GlobalValue, ...] = ()

    @property
    def threads(self) -> int:
        return prod(self.block)

    def known_contents(self, index: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes that the memory of tensor `index` holds before the launch, from it or an alias of it, uint8.

        Errors: InputError where two of them say different things."""
        sharing = [t for i, t in enumerate(self.tensors) if (i == index or t.alias_of == index) and t.values is not None]
        contents = [tensor.known_bytes() for tensor in sharing]
        if not contents:
            raise InputError(f"tensor {self.tensors[index].name} has no known contents")
        for tensor, content in zip(sharing[1:], contents[1:], strict=True):
            if not np.array_equal(content, contents[0]):
                raise InputError(f"aliased tensors {sharing[0].name} and {tensor.name} have different values")
        return contents[0]

    def cta_list(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The CTAs to run, int32 [n, 3] of (x, y, z), x fastest."""
        if self.ctas is not None:
            return np.array(self.ctas, np.int32).reshape(-1, 3)
        gx, gy, gz = self.grid
        z, y, x = np.meshgrid(np.arange(gz), np.arange(gy), np.arange(gx), indexing="ij")
        return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1).astype(np.int32)


def types_of(launch: Launch) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The dtypes of the tensors and of the scalars."""
    return tuple(t.dtype for t in launch.tensors), tuple(s.dtype for s in launch.scalars)

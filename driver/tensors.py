"""Tensors of a contract at one combination of dims: sizes, strides, aliases and known contents."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.contract_parts import MAX_VALUES_BYTES, TensorSpec
from volta_pipe.driver.dtypes import DTYPES, fit, integer_range
from volta_pipe.driver.files import CHANGED, read_bytes
from volta_pipe.driver.toml_lines import Source
from volta_pipe.ir.errors import InputError, Place

if TYPE_CHECKING:
    import numpy as np

    from volta_pipe.driver.contract import Contract
    from volta_pipe.driver.plan import Numbers
    from volta_pipe.ir.launch import Tensor

MAX_DIM = 1 << 31
MAX_EXTENT = 1 << 32  # bytes: the machine gives each tensor a window of 32 bits
MAX_OVERLAP_SEARCH = 1 << 22  # elements whose addresses are compared one by one


@dataclass(frozen=True)
class TensorPlan:
    """A tensor with its numbers; `alias_of` is the index of the tensor whose memory it shares, or -1; `digest`: sha256 of the
    .npy file that it was planned with, or ""."""

    spec: TensorSpec
    source: Source
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    alias_of: int = -1
    digest: str = ""

    @property
    def extent(self) -> int:
        """Bytes from the base to the end of the last element."""
        last = sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))
        return (last + 1) * DTYPES[self.spec.dtype].size

    def key(self) -> list[Any]:
        """What a cache key holds of the tensor; a .npy file counts by its digest."""
        spec, values = self.spec, self.spec.values
        if isinstance(values, Path):
            values = "sha256:" + self.digest
        return [spec.name, spec.dtype, self.shape, self.strides, spec.role, spec.align, values, self.alias_of]

    def build(self) -> Tensor:
        """The tensor of the launch, with its contents as an array."""
        from volta_pipe.ir.launch import Tensor

        spec = self.spec
        return Tensor(spec.name, spec.dtype, self.shape, self.strides, spec.role, spec.align, self._array(), self.alias_of)

    def _array(self) -> np.ndarray[Any, Any] | None:
        import numpy as np

        dtype, values = DTYPES[self.spec.dtype], self.spec.values
        kind = np.dtype(np.float64 if dtype.kind == "f" else np.uint64 if dtype.kind == "u" else np.int64)
        if values is None:
            return None
        if isinstance(values, Path):
            return self._loaded(values, kind)
        if values == "index":
            last = prod(self.shape) - 1
            most = 1 << dtype.precision if dtype.kind == "f" else integer_range(dtype)[1]
            if last > most:
                raise self._error(f"the last index, {last}, is not exact in {self.spec.dtype} (at most {most})")
            return np.arange(prod(self.shape), dtype=kind).reshape(self.shape)
        return np.full(self.shape, values, kind)

    def _loaded(self, path: Path, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
        import numpy as np

        data = read_bytes(path, "values", MAX_VALUES_BYTES)
        if hashlib.sha256(data).hexdigest() != self.digest:  # else its result would be kept under the key of the old contents
            raise InputError(CHANGED, Place(str(path)))
        try:
            array = np.load(io.BytesIO(data), allow_pickle=False)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise self._error(f"{path} is not a .npy file of numbers: {_why(error)}") from None
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iufb":
            raise self._error(f"{path} holds no array of numbers")
        if array.shape != self.shape:
            raise self._error(f"{path} has shape {array.shape}, the tensor {self.shape}")
        name, dtype = self.spec.dtype, DTYPES[self.spec.dtype]
        if dtype.kind == "f":
            try:
                rounded = [fit(value, name) for value in array.astype(np.float64).ravel().tolist()]
            except ValueError as error:
                raise self._error(f"{path} holds a value that is no {name}: {error}") from None
            return np.array(rounded, np.float64).reshape(self.shape)
        if array.dtype.kind == "f":
            raise self._error(f"{path} holds {array.dtype}, the tensor is {name}")
        low, high = integer_range(dtype)
        if int(array.min()) < low or int(array.max()) > high:
            raise self._error(f"{path} holds {int(array.min())} to {int(array.max())}, {name} holds {low} to {high}")
        return array.astype(kind)

    def _error(self, message: str) -> InputError:
        return self.source.error(("tensors", self.spec.name, "values"), message)


def _why(error: Exception) -> str:
    """What NumPy said of a file, without its advice to load pickles, which may run code."""
    text = str(error).partition("\n")[0]
    if "Object arrays" in text:
        return "it holds Python objects (a pickle), which are never loaded"
    if "pickled" in text:
        return "it does not start as one, or it is a pickle, which is never loaded"
    return text


@lru_cache(maxsize=64)
def _digest(path: Path) -> str:
    """Once a run, not once for each combination of dims: a run begins with `forget_digests`."""
    return hashlib.sha256(read_bytes(path, "values", MAX_VALUES_BYTES)).hexdigest()


def forget_digests() -> None:
    """Makes the next plan look at the .npy files again."""
    _digest.cache_clear()


def plan_tensors(contract: Contract, numbers: Numbers) -> tuple[TensorPlan, ...]:
    """All tensors at these dims. Errors: InputError on sizes out of range, overlaps and aliases that do not fit."""
    planned = [_tensor(spec, contract.source, numbers) for spec in contract.tensors]
    index = {tensor.spec.name: place for place, tensor in enumerate(planned)}
    for place, (left, right) in enumerate(contract.aliases):
        roots = sorted({_root(planned, index[left]), _root(planned, index[right])})
        first, last = planned[index[left]], planned[index[right]]
        if first.extent != last.extent:
            message = (
                f"{left} has {first.extent:,} bytes and {right} {last.extent:,}: tensors that share memory must have one size"
            )
            raise numbers.error(("aliases", place), message)
        if len(roots) == 2:
            planned[roots[1]] = replace(planned[roots[1]], alias_of=roots[0])
    return tuple(replace(t, alias_of=-1 if _root(planned, i) == i else _root(planned, i)) for i, t in enumerate(planned))


def _root(planned: list[TensorPlan], place: int) -> int:
    while planned[place].alias_of >= 0:
        place = planned[place].alias_of
    return place


def _tensor(spec: TensorSpec, source: Source, numbers: Numbers) -> TensorPlan:
    path = ("tensors", spec.name)
    shape = numbers.values(spec.shape, 1, MAX_DIM, *path, "shape")
    if spec.strides is None:
        strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
    else:
        strides = numbers.values(spec.strides, 0, MAX_EXTENT, *path, "strides")
    digest = _digest(spec.values) if isinstance(spec.values, Path) else ""
    tensor = TensorPlan(spec, source, shape, strides, digest=digest)
    if tensor.extent > MAX_EXTENT:
        raise numbers.error((*path, "shape"), f"the tensor spans {tensor.extent:,} bytes (at most {MAX_EXTENT:,})")
    if spec.strides is not None and _overlaps(shape, strides):
        raise numbers.error((*path, "strides"), f"elements overlap in memory (shape {shape}, strides {strides})")
    return tensor


def _overlaps(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether two elements share an address: exact up to MAX_OVERLAP_SEARCH elements, beyond that nested strides are needed."""
    span, nested = 0, True
    for stride, count in sorted((s, n) for s, n in zip(strides, shape, strict=True) if n > 1):
        nested = nested and stride > span
        span += stride * (count - 1)
    if nested:
        return False
    if prod(shape) > MAX_OVERLAP_SEARCH or any(s == 0 and n > 1 for s, n in zip(strides, shape, strict=True)):
        return True
    axes = [range(0, n * s, s) if n > 1 else (0,) for n, s in zip(shape, strides, strict=True)]
    return len({sum(offsets) for offsets in product(*axes)}) < prod(shape)

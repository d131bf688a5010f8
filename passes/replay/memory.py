"""Memory on bytes: one array for each region (one for each CTA of a batch for shared, for each thread for local memory)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import INIT_UNINIT, REGION_SHIFT, Program, Region
from volta_pipe.passes.replay.contents import tensor_bytes

Array = np.ndarray[Any, np.dtype[Any]]
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
# Memory that nobody has written: a pattern that reads as NaN in every float format, so that a use of it shows.
_UNWRITTEN = 0xFF
_OFFSET = (1 << REGION_SHIFT) - 1


class _Space:
    """The bytes of one region: `copies` of `stride` bytes, byte i of the window at i. `written` marks bytes, or is None."""

    def __init__(self, region: Region, copies: int) -> None:
        self.region = region
        self.first, self.end = region.start, region.start + region.size
        self.stride = -(-self.end // 16) * 16
        self.data = np.full(self.stride * copies, _UNWRITTEN, np.uint8)
        track = region.init == INIT_UNINIT and region.tensor >= 0
        self.written = np.zeros(self.stride * copies, np.bool_) if track else None


class Memory:
    """All regions of a program. `batch`: CTAs that run together at most."""

    def __init__(self, program: Program, launch: Launch, contents: Mapping[str, Array], batch: int) -> None:
        self.threads = program.threads
        self.spaces: dict[int, _Space] = {}
        for region in program.regions:
            copies = {"shared": batch, "local": batch * program.threads}.get(region.space, 1)
            space = self.spaces[region.number] = _Space(region, copies)
            if region.content:
                space.data[space.first : space.first + len(region.content)] = np.frombuffer(region.content, np.uint8)
            if region.tensor >= 0:
                self._fill(space, region, launch, contents)

    def _fill(self, space: _Space, region: Region, launch: Launch, contents: Mapping[str, Array]) -> None:
        """The bytes of a tensor and its aliases before the launch. Errors: InputError."""
        window = space.data[space.first : space.end]
        sharing = [t for i, t in enumerate(launch.tensors) if region.tensor in (i, t.alias_of)]
        for tensor in sharing:
            if tensor.values is not None:
                window[:] = launch.known_contents(region.tensor)
            elif tensor.name in contents:
                offsets = (tensor.element_offsets()[:, None] + np.arange(tensor.itemsize)).reshape(-1)
                window[offsets] = tensor_bytes(tensor, contents[tensor.name])
            elif tensor.role in ("in", "inout") and len(sharing) == 1:
                raise InputError(f"tensor {tensor.name} needs contents")
        for tensor in sharing:
            if tensor.name in contents and tensor.values is None:
                offsets = (tensor.element_offsets()[:, None] + np.arange(tensor.itemsize)).reshape(-1)
                if not np.array_equal(window[offsets], tensor_bytes(tensor, contents[tensor.name])):
                    raise InputError(f"tensor {tensor.name} shares memory with another that was given other contents")

    def forget(self) -> None:
        """Shared and local memory at the start of a CTA."""
        for space in self.spaces.values():
            if space.region.space in ("shared", "local"):
                space.data[:] = _UNWRITTEN

    def load(self, addresses: Array, size: int, lanes: Array) -> Array:
        """Values of `size` bytes, uint64, at full addresses int64; `lanes`: index in the batch, CTA · threads + thread."""
        out = np.empty(len(addresses), np.uint64)
        for space, at, part in self._places(addresses, size, lanes):
            values = space.data.view(_WORDS[size])[at]
            if part is None:
                return values.astype(np.uint64)
            out[part] = values
        return out

    def store(self, addresses: Array, size: int, values: Array, lanes: Array) -> None:
        """Writes the low `size` bytes of uint64 values."""
        word = _WORDS[size]
        for space, at, part in self._places(addresses, size, lanes):
            space.data.view(word)[at] = (values if part is None else values[part]).astype(word)
            if space.written is not None:
                space.written.reshape(-1, size)[at] = True

    def _places(self, addresses: Array, size: int, lanes: Array) -> list[tuple[_Space, Array, Array | None]]:
        """(space, index of the word in it, which of the lanes or None for all) for each region that is met.

        Errors: UnsupportedError for an address outside, or that is not a multiple of the size."""
        regions = addresses >> REGION_SHIFT
        first = int(regions[0])
        if (regions == first).all():
            space = self._space(first)
            return [(space, self._index(space, addresses, size, lanes), None)]
        found: list[tuple[_Space, Array, Array | None]] = []
        for number in np.unique(regions):
            part = np.flatnonzero(regions == number)
            space = self._space(int(number))
            found.append((space, self._index(space, addresses[part], size, lanes[part]), part))
        return found

    def _space(self, number: int) -> _Space:
        space = self.spaces.get(number)
        if space is None:
            raise UnsupportedError("an access outside every region of memory", kind="out-of-bounds")
        return space

    def _index(self, space: _Space, addresses: Array, size: int, lanes: Array) -> Array:
        offset = addresses & _OFFSET
        if int(offset.min()) < space.first or int(offset.max()) + size > space.end:
            raise UnsupportedError(f"an access outside {space.region.name}", kind="out-of-bounds")
        if size > 1 and (offset & (size - 1)).any():
            raise UnsupportedError(f"a misaligned access to {space.region.name}", kind="misaligned")
        if space.region.space == "shared":
            offset = offset + lanes // self.threads * space.stride
        elif space.region.space == "local":
            offset = offset + lanes * space.stride
        return offset // size

    def tensor(self, launch: Launch, index: int) -> tuple[Array, Array]:
        """(bytes uint8 [elements, itemsize], whether each element was written or held something before, bool [elements])."""
        tensor = launch.tensors[index]
        root = tensor.alias_of if tensor.alias_of >= 0 else index
        space = next((s for s in self.spaces.values() if s.region.tensor == root), None)
        if space is None:
            return np.zeros((0, tensor.itemsize), np.uint8), np.zeros(0, np.bool_)
        offsets = tensor.element_offsets()[:, None] + np.arange(tensor.itemsize) + space.first
        written = np.ones(len(offsets), np.bool_) if space.written is None else space.written[offsets].all(axis=1)
        return space.data[offsets], written

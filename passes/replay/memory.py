"""Memory on bytes: one array for each region (one for each CTA of a batch for shared, for each thread for local memory)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import GlobalValue, Launch
from volta_pipe.ir.program import INIT_UNINIT, Program, Region
from volta_pipe.passes.replay.contents import tensor_bytes

Array = np.ndarray[Any, np.dtype[Any]]
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_SHIFT = {1: 0, 2: 1, 4: 2, 8: 3}
# Memory that nobody has written: a pattern that reads as NaN in every float format, so that a use of it shows.
_UNWRITTEN = 0xFF
_OFFSET = (1 << REGION_SHIFT) - 1


class _Space:
    """The bytes of one region: `copies` of `stride` bytes, byte i of the window at i. `stored`: bytes that were stored to, of
    tensors; `unknown`: others hold nothing."""

    def __init__(self, region: Region, copies: int) -> None:
        self.region = region
        self.first, self.end = region.start, region.start + region.size
        self.stride = max(16, -(-self.end // 16) * 16)
        self.data = np.full(self.stride * copies, _UNWRITTEN, np.uint8)
        self.unknown = region.init == INIT_UNINIT
        self.stored = np.zeros(self.stride * copies, np.bool_) if region.tensor >= 0 else None

    def window(self, part: slice) -> Array:
        """These bytes of the region in each copy, uint8 [copies, bytes], a view."""
        inside: Array = self.data.reshape(-1, self.stride)[:, self.first : self.end][:, part]
        return inside

    def words(self, size: int) -> Array:
        """The bytes as words of `size` bytes, a view."""
        return self.data.view(_WORDS[size])

    def put(self, size: int, index: Array, values: Array) -> None:
        """Writes words."""
        self.words(size)[index] = values.astype(_WORDS[size])
        if self.stored is not None:
            self.stored.reshape(-1, size)[index] = True


class Addresses(NamedTuple):
    """Full addresses int64, the least and the largest, and the union of their low bits."""

    values: Array
    low: int
    high: int
    bits: int


class Lanes(NamedTuple):
    """Active lanes of a batch: places copy · threads + thread; copies: the copy of a CTA in the batch (one for each trial) of
    each, None where it has one; trials: the trial of each, None where there is one."""

    places: Array
    copies: Array | None
    trials: Array | None = None

    def part(self, which: Array) -> Lanes:
        """Some of the lanes."""
        copies, trials = self.copies, self.trials
        return Lanes(self.places[which], None if copies is None else copies[which], None if trials is None else trials[which])


class Memory:
    """All regions of a program. `batch`: copies of CTAs that run together at most; `trials`: the contents of each."""

    def __init__(self, program: Program, launch: Launch, trials: Sequence[Mapping[str, Array]], batch: int) -> None:
        self.spaces: dict[int, _Space] = {}
        for region in program.regions:
            copies = {"shared": batch, "local": batch * program.threads}.get(region.space, len(trials))
            space = self.spaces[region.number] = _Space(region, copies)
            if region.content:
                space.window(slice(0, len(region.content)))[:] = np.frombuffer(region.content, np.uint8)
            if region.tensor >= 0:
                for window, contents in zip(space.window(slice(0, region.size)), trials, strict=True):
                    self._fill(window, region, launch, contents)
        for one in launch.globals:
            self._set_variable(launch, one)

    def _set_variable(self, launch: Launch, one: GlobalValue) -> None:
        """The bytes of a tensor in the variable that holds them before the launch."""
        for space in self.spaces.values():
            for name, offset, size in space.region.variables:
                if name == one.name and one.tensor >= 0 and space.region.space in ("const", "global"):
                    root = launch.tensors[one.tensor].alias_of
                    tensor = next(s for s in self.spaces.values() if s.region.tensor == (one.tensor if root < 0 else root))
                    space.window(slice(offset, offset + size))[:] = tensor.window(slice(0, size))

    def _fill(self, window: Array, region: Region, launch: Launch, contents: Mapping[str, Array]) -> None:
        """The bytes of a tensor and its aliases before the launch, in one trial. Errors: InputError."""
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

    def load(self, at: Addresses, place: int, size: int, lanes: Lanes) -> Array:
        """Values of `size` bytes at the addresses plus place · size, uint64."""
        space = self._common(at, place * size, size)
        if space is not None:
            return space.words(size)[self._index(space, at.values + place * size, size, lanes)].astype(np.uint64)
        out = np.empty(len(at.values), np.uint64)
        for one, index, part in self._apart(at.values + place * size, size, lanes):
            out[part] = one.words(size)[index]
        return out

    def store(self, at: Addresses, place: int, size: int, values: Array, lanes: Lanes) -> None:
        """Writes the low `size` bytes of uint64 values."""
        space = self._common(at, place * size, size)
        if space is not None:
            space.put(size, self._index(space, at.values + place * size, size, lanes), values)
            return
        for one, index, part in self._apart(at.values + place * size, size, lanes):
            one.put(size, index, values[part])

    def _common(self, at: Addresses, offset: int, size: int) -> _Space | None:
        """The space that all lanes access within its bounds and aligned, or None where that is not so."""
        low, high = at.low + offset, at.high + offset
        space = self.spaces.get(low >> REGION_SHIFT)
        if space is None or high >> REGION_SHIFT != low >> REGION_SHIFT:
            return None
        inside = low & _OFFSET >= space.first and (high & _OFFSET) + size <= space.end
        return space if inside and not (at.bits | offset) & (size - 1) else None

    def _apart(self, addresses: Array, size: int, lanes: Lanes) -> Iterator[tuple[_Space, Array, Array]]:
        """(space, index of the word in it, which of the lanes) for each region that is met.

        Errors: UnsupportedError for an address outside, or that is not a multiple of the size."""
        regions = addresses >> REGION_SHIFT
        for number in np.unique(regions):
            part = np.flatnonzero(regions == number)
            space = self.spaces.get(int(number))
            if space is None:
                raise UnsupportedError("an access outside every region of memory", kind="out-of-bounds")
            offset = addresses[part] & _OFFSET
            if int(offset.min()) < space.first or int(offset.max()) + size > space.end:
                raise UnsupportedError(f"an access outside {space.region.name}", kind="out-of-bounds")
            if (offset & (size - 1)).any():
                raise UnsupportedError(f"a misaligned access to {space.region.name}", kind="misaligned")
            yield space, self._index(space, addresses[part], size, lanes.part(part)), part

    def _index(self, space: _Space, addresses: Array, size: int, lanes: Lanes) -> Array:
        """Index of the word in the space's array, one for each lane."""
        offset = addresses & _OFFSET
        if space.region.space == "shared" and lanes.copies is not None:
            offset += lanes.copies * space.stride
        elif space.region.space == "local":
            offset += lanes.places * space.stride
        elif space.region.space != "shared" and lanes.trials is not None:
            offset += lanes.trials * space.stride
        return offset >> _SHIFT[size]

    def tensor(self, launch: Launch, index: int, trial: int) -> tuple[Array, Array, bool]:
        """After a trial: (bytes uint8 [elements, itemsize], whether each element was stored to, bool [elements], whether others
        hold what they held before)."""
        tensor = launch.tensors[index]
        root = tensor.alias_of if tensor.alias_of >= 0 else index
        space = next((s for s in self.spaces.values() if s.region.tensor == root), None)
        if space is None:
            return np.zeros((0, tensor.itemsize), np.uint8), np.zeros(0, np.bool_), False
        offsets = tensor.element_offsets()[:, None] + np.arange(tensor.itemsize) + space.first + trial * space.stride
        assert space.stored is not None
        return space.data[offsets], space.stored[offsets].all(axis=1), not space.unknown

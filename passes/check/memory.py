"""Regions of memory as flat tables for the compiled loops, and as names for messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, tensor_region
from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.ir.program import Program, Region

Array = np.ndarray[Any, np.dtype[Any]]
EXISTS, WRITABLE = 1, 2  # bits of a slot
# Columns of the table of regions. START, END: where the bytes lie. FRAME: a store is outside the frame. SLOT_SHIFT: log2 bytes
# of a slot, -1 where all bytes exist and are alike. SLOT_AT: the first slot.
# Filled by the scan: LOW, HIGH: touched range. BITS: or of addresses and sizes of all accesses. WRITTEN: there are stores.
# MIXED: atomics or asynchronous copies touch it.
# Filled for a walk: SHIFT: log2 bytes of a granule. CELL_AT: place of the first cell, -1 without. CELL: stamps in a cell.
START, END, FRAME, SLOT_SHIFT, SLOT_AT, LOW, HIGH, BITS, WRITTEN, SHIFT, CELL_AT, CELL, MIXED = range(13)
COLUMNS = 13
WINDOW = (1 << REGION_SHIFT) - 1  # of an address: the bits of its place in its region


class Regions(NamedTuple):
    """The regions of a program as tables.

    place: int64, region number -> row of `table`, or -1. table: int64 [regions, COLUMNS], offsets in bytes of the region's
    window. slots: uint8, bits EXISTS and WRITABLE, of regions in which not all bytes are alike."""

    place: Array
    table: Array
    slots: Array


def root_of(launch: Launch, tensor: int) -> int:
    """The tensor whose memory a tensor lies in."""
    while launch.tensors[tensor].alias_of >= 0:
        tensor = launch.tensors[tensor].alias_of
    return tensor


def is_dense(tensor: Tensor) -> bool:
    """Whether every byte of the extent belongs to an element."""
    span = 1
    for stride, n in sorted(zip(tensor.strides, tensor.shape, strict=True)):
        if n > 1:
            if stride > span:
                return False
            span += (n - 1) * stride
    return True


def regions_of(program: Program, launch: Launch) -> Regions:
    """The tables of a program."""
    count = len(program.regions)
    numbers = [region.number for region in program.regions]
    place = np.full(max([*numbers, 0]) + 1, -1, np.int64)
    place[numbers] = np.arange(count)
    table = np.zeros((max(count, 1), COLUMNS), np.int64)
    table[:, LOW] = np.iinfo(np.int64).max
    table[:, CELL_AT] = -1
    slots: list[Array] = [np.zeros(0, np.uint8)]
    used = 0
    members: dict[int, list[Tensor]] = {}
    for i, tensor in enumerate(launch.tensors):
        members.setdefault(tensor_region(root_of(launch, i)), []).append(tensor)
    for i, region in enumerate(program.regions):
        table[i, START] = region.start
        table[i, END] = region.start + region.size
        table[i, SLOT_SHIFT] = -1
        tensors = members.get(region.number, []) if region.tensor >= 0 else []
        writable = [tensor for tensor in tensors if tensor.role != "in"]
        table[i, FRAME] = not writable if tensors else region.space in ("const", "global")
        if any(is_dense(t) and t.extent >= region.size for t in tensors) and (
            not writable or any(is_dense(t) and t.extent >= region.size for t in writable)
        ):
            continue
        if tensors:
            itemsize = min(tensor.itemsize for tensor in tensors)
            table[i, SLOT_SHIFT] = itemsize.bit_length() - 1
            table[i, SLOT_AT] = used
            slots.append(_slots(tensors, itemsize, region.size))
            used += len(slots[-1])
    return Regions(place, table, np.concatenate(slots))


def _slots(tensors: list[Tensor], itemsize: int, size: int) -> Array:
    slots = np.zeros(-(-size // itemsize), np.uint8)
    for tensor in tensors:
        bits = EXISTS if tensor.role == "in" else EXISTS | WRITABLE
        first = tensor.element_offsets() // itemsize
        for k in range(tensor.itemsize // itemsize):
            slots[first + k] |= bits
    return slots


@dataclass(frozen=True)
class Location:
    """An address in words: `inside` says whether the byte lies in the region."""

    space: str = ""
    name: str = ""
    offset: int = 0
    index: tuple[int, ...] = ()
    region: Region | None = None

    def __str__(self) -> str:
        if self.region is None:
            return f"address {self.offset:#x}, which is in no buffer"
        if self.index and self.region.tensor >= 0:
            return f"{self.space} memory {self.name}[{', '.join(map(str, self.index))}]"
        sign = "-" if self.offset < 0 else "+"
        return f"{self.space} memory {self.name}{sign}{abs(self.offset)}"


def locate(program: Program, launch: Launch, address: int, width: int = 0) -> Location:
    """Names an address. `width`: bytes of the accessed element, for an index into a variable (0: none)."""
    region = program.region_of(address)
    if region is None:
        return Location(offset=address)
    offset = address - (region.number << REGION_SHIFT) - region.start
    if region.tensor >= 0:
        index = element_index(launch.tensors[region.tensor], offset) if 0 <= offset < region.size else ()
        return Location(region.space, region.name, offset, index, region)
    # The variable that the byte lies in, else the last one before it.
    before = [v for v in region.variables if v[1] <= offset]
    inside = [v for v in before if offset < v[1] + v[2]]
    if not before:
        return Location(region.space, region.name, offset, (), region)
    name, start, size = max(inside or before, key=lambda variable: variable[1])
    offset -= start
    index = (offset // width,) if width and offset % width == 0 and offset < size else ()
    return Location(region.space, name, offset, index, region)


def element_index(tensor: Tensor, offset: int) -> tuple[int, ...]:
    """Index of the element that the byte at `offset` belongs to, or () where there is none."""
    rest = offset // tensor.itemsize
    index = [0] * len(tensor.shape)
    for axis in sorted(range(len(index)), key=lambda axis: -tensor.strides[axis]):
        if tensor.strides[axis] > 0:
            index[axis] = min(rest // tensor.strides[axis], tensor.shape[axis] - 1)
            rest -= index[axis] * tensor.strides[axis]
    if rest == 0:
        return tuple(index)
    # Strides that overlap: look it up.
    found = np.flatnonzero(tensor.element_offsets() == offset // tensor.itemsize * tensor.itemsize)
    return tuple(int(i) for i in np.unravel_index(int(found[0]), tensor.shape)) if len(found) else ()

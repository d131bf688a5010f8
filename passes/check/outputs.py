"""Elements of outputs that nobody wrote, as the cells of the race check tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import tensor_region
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.check import memory
from volta_pipe.passes.check.clocks import WRITES
from volta_pipe.passes.check.memory import Regions, root_of
from volta_pipe.passes.check.sorts import FIRST_ATOMIC

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Unwritten:
    """Elements of an output that nobody wrote: launch index of the tensor, flat index of the first, how many."""

    tensor: int
    first: int
    count: int


def _place_of(regions: Regions, number: int) -> int:
    return int(regions.place[number]) if number < len(regions.place) else -1


def unwritten_of(launch: Launch, regions: Regions, cells: Array, sorts: int) -> Iterator[Unwritten]:
    for number, tensor in enumerate(launch.tensors):
        if tensor.role != "out" or tensor.size == 0:
            continue
        region = _place_of(regions, tensor_region(root_of(launch, number)))
        if region < 0 or regions.table[region, memory.CELL_AT] < 0:
            yield Unwritten(number, 0, tensor.size)
            continue
        columns = (memory.LOW, memory.HIGH, memory.SHIFT, memory.CELL_AT, memory.CELL, memory.START)
        low, high, shift, at, cell, start = (int(regions.table[region, column]) for column in columns)
        end = at + ((high - low) >> shift) * cell
        written = cells[at + WRITES : end : cell] != 0
        for sort in range(FIRST_ATOMIC, sorts if regions.table[region, memory.MIXED] else 0):
            written |= cells[at + 2 * sort : end : cell] != 0
        if low <= start and high >= start + tensor.extent and written.all():
            continue
        offsets = tensor.element_offsets() + (start - low)
        missing = np.zeros(tensor.size, np.bool_)
        for byte in range(0, tensor.itemsize, min(1 << shift, tensor.itemsize)):
            granule = (offsets + byte) >> shift
            known = (granule >= 0) & (granule < len(written))
            missing |= ~known
            missing[known] |= ~written[granule[known]]
        if missing.any():
            yield Unwritten(number, int(missing.argmax()), int(missing.sum()))

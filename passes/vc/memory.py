"""Lays out the words of `vc`'s memory from the program's regions and the launch's tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import tensor_region
from volta_pipe.ir.launch import DTYPES, Launch
from volta_pipe.ir.program import INIT_KNOWN, Program
from volta_pipe.ir.small_floats import FORMATS
from volta_pipe.passes.vc.cells_type import Cells

Array = np.ndarray[Any, np.dtype[Any]]
_PAGE = 4096


def make_cells(program: Program, launch: Launch) -> Cells:
    """Zero pages for every region; known contents are copied in, element maps made for tensors that are not contiguous."""
    table = np.zeros((tensor_region(len(launch.tensors)), 6), np.int64)
    cursor = 0
    maps: list[Array] = []
    mapped = 0
    for region in program.regions:
        copies = program.threads if region.space == "local" else 1
        start_of_map = -1
        if region.tensor >= 0:
            tensor = launch.tensors[region.tensor]
            if not tensor.contiguous:
                offsets = tensor.element_offsets()
                grain = min(tensor.itemsize, 4)
                element = np.full(-(-tensor.extent // grain), -1, np.int32)
                for k in range(tensor.itemsize // grain):
                    element[offsets // grain + k] = np.arange(tensor.size)
                start_of_map = mapped
                mapped += len(element)
                maps.append(element)
        table[region.number] = (cursor, region.start, region.size, region.init, region.tensor, start_of_map)
        cursor += -(-(region.size + 8) * copies // _PAGE) * _PAGE
    data = np.zeros(cursor + 8, np.uint8)
    for region in program.regions:
        if region.init == INIT_KNOWN:
            start = int(table[region.number, 0])
            content = np.frombuffer(region.content, np.uint8)
            if region.tensor >= 0:
                content = launch.known_contents(region.tensor)
            data[start : start + len(content)] = content
    formats = [FORMATS.get(t.dtype, 0) for t in launch.tensors]
    scalars = [FORMATS.get(s.dtype, 0) for s in launch.scalars]
    return Cells(
        np.zeros((cursor + 8) // 4, np.int32),
        np.zeros(cursor + 8, np.uint8),
        data.view(np.uint32),
        table,
        np.concatenate([*maps, np.zeros(0, np.int32)]).astype(np.int32),
        np.array([*formats, 0], np.int64),
        np.array([*scalars, 0], np.int64),
        np.array([*(t.itemsize for t in launch.tensors), 0], np.int64),
        np.array([*(DTYPES[t.dtype][1] == "s" for t in launch.tensors), 0], np.int64),
    )

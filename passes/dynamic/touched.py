"""Which threads touch an output element, and what they read: where a search for the inputs that an element needs begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program

Array = np.ndarray[Any, np.dtype[Any]]
Threads = Mapping[int, frozenset[int] | None]  # by CTA (index into cta_ids), linear in the CTA; None: all
_MOST_ROWS = 50_000  # about a second
_READS = (Op.LD, Op.COPY, Op.ATOM)


def touching(program: Program, launch: Launch, name: str, element: int) -> Threads:
    """The threads with an access to an element (row-major), whichever it is."""
    index = next(i for i, tensor in enumerate(launch.tensors) if tensor.name == name)
    base, size = _base(program, launch, index), launch.tensors[index].itemsize
    if base < 0:
        return {}
    address = base + int(launch.tensors[index].element_offsets()[element])
    low, high = program.over_patterns(np.minimum, np.maximum)
    widths = _bytes(program)[program.row_instr.clip(0)]
    first, last = (program.row_base + offsets[program.row_pattern] for offsets in (low, high))
    near = (first < address + size) & (last + widths > address) & (program.row_instr >= 0)
    found: dict[int, set[int]] = {}
    for row in np.flatnonzero(near).tolist():
        values = program.row_values(row)
        lanes = (values < address + size) & (values + widths[row] > address)
        cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
        found.setdefault(cta, set()).update(program.active_lanes(int(program.row_mask[row]))[lanes].tolist())
    return {cta: frozenset(threads) for cta, threads in found.items() if threads}


def read_by(program: Program, launch: Launch, threads: Threads) -> dict[str, Array]:
    """Which elements these threads read: bool of each tensor's shape, by name. All of them where too many rows would have to be
    looked at: it is a hint only."""
    reads = np.isin(program.op, _READS)[program.row_instr.clip(0)] & (program.row_instr >= 0)
    rows = {cta: np.flatnonzero(reads[program.cta_rows[cta] : program.cta_rows[cta + 1]]) for cta in threads}
    if sum(map(len, rows.values())) > _MOST_ROWS:
        return {tensor.name: np.ones(tensor.shape, np.bool_) for tensor in launch.tensors}
    addresses: dict[int, list[Array]] = {}
    for cta, chosen in threads.items():
        for row in (rows[cta] + program.cta_rows[cta]).tolist():
            values = program.row_values(row)
            if chosen is not None:
                values = values[np.isin(program.active_lanes(int(program.row_mask[row])), list(chosen))]
            addresses.setdefault(int(program.row_instr[row]), []).append(values)
    found, widths = {}, _bytes(program)
    for index, tensor in enumerate(launch.tensors):
        begin = _base(program, launch, index) + tensor.element_offsets()
        read = np.zeros(tensor.size, np.bool_)
        for instruction, touched in addresses.items():
            at = np.unique(np.concatenate(touched))
            ends = np.append(at, np.iinfo(np.int64).max)
            read |= ends[np.searchsorted(at, begin - widths[instruction], side="right")] < begin + tensor.itemsize
        found[tensor.name] = read.reshape(tensor.shape)
    return found


def lines_of(elements: Array) -> Array:
    """All elements (bool, any shape) of the row, column, plane that some of them lie in: what else is summed there."""
    lines = np.full(elements.shape, bool(elements.any()))
    for axis in range(elements.ndim):
        others = tuple(other for other in range(elements.ndim) if other != axis)
        places = elements.any(axis=others, keepdims=True)
        if int(places.sum()) == 1:
            lines &= places
    return lines


def _base(program: Program, launch: Launch, index: int) -> int:
    """The address of a tensor, or -1 where the program has no memory for it."""
    tensor = launch.tensors[index]
    root = tensor.alias_of if tensor.alias_of >= 0 else index
    return next((((r.number << REGION_SHIFT) + r.start) for r in program.regions if r.tensor == root), -1)


def _bytes(program: Program) -> Array:
    """How many bytes a lane may access with each instruction, int64: of all its registers, at least one."""
    values = np.maximum(program.results, program.inputs.astype(np.int64) - 1).clip(1)
    return np.maximum(values * (program.width.astype(np.int64) // 8), 1)

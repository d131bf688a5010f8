"""The root of each output element: what its bytes hold at the end, read in the tensor's dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.fold import Store, grown
from volta_pipe.ir.graph import NONE
from volta_pipe.ir.launch import DTYPES, Launch
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import INIT_UNINIT, REGION_SHIFT, Program
from volta_pipe.ir.small_floats import FORMATS
from volta_pipe.passes.stores import last_store
from volta_pipe.passes.vc.cells import load_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.integers import as_integer
from volta_pipe.passes.vc.values import as_float

Array = np.ndarray[Any, np.dtype[Any]]
_UNINIT = int64(Node.UNINIT)
_KIND_FLOAT, _KIND_SIGNED, _KIND_UNSIGNED = int64(0), int64(1), int64(2)
_ZERO64, _MINUS64 = int64(0), int64(-1)


@entry
def _collect(store: Store, cells: Cells, region: int, offsets: Array, size: int, kind: int, format: int, roots: Array) -> int:
    """Fills roots; -1 when done, else the element that cannot be read."""
    base = (int64(region) << REGION_SHIFT) + cells.table[region, 1]
    for i in range(len(offsets)):
        at = cells.table[region, 0] + offsets[i]
        if cells.table[region, 3] == INIT_UNINIT:
            written = int64(0)
            for k in range(size):
                written += cells.written[at + k]
            if written == 0:
                roots[i] = NONE
                continue
            if written < size:
                return int64(i)
        node = load_cell(store, cells, base + offsets[i], size, _ZERO64, _ZERO64, _MINUS64)
        if node < 0:
            return int64(i)
        if kind == _KIND_FLOAT:
            node = as_float(store, cells, node, format)
            if node < 0:
                return int64(i)
        elif store.op[node] != _UNINIT:
            node = as_integer(store, cells, node, int64(8 * size), kind == _KIND_SIGNED)
            if node < 0:
                return int64(i)
        roots[i] = node
    return int64(-1)


def roots_of(store: Store, cells: Cells, program: Program, launch: Launch) -> tuple[Store, dict[int, Array]]:
    """Per out and inout tensor its roots, int32 [size]; 0 where an element of an out tensor was never written.

    Errors: UnsupportedError, at the last store there, where an element holds bits that are no value of the tensor's dtype."""
    outputs: dict[int, Array] = {}
    regions = {region.tensor: region.number for region in program.regions}
    for index, tensor in enumerate(launch.tensors):
        if tensor.role not in ("out", "inout") or not tensor.size:
            continue
        region = regions[tensor.alias_of if tensor.alias_of >= 0 else index]
        size, letter = DTYPES[tensor.dtype]
        kind = _KIND_FLOAT if letter == "f" else _KIND_SIGNED if letter == "s" else _KIND_UNSIGNED
        format = int64(FORMATS.get(tensor.dtype, 0))
        roots = np.zeros(tensor.size, np.int32)
        store = grown(store, 16 * tensor.size + 64, 4 * tensor.size + 64)
        bad = int(_collect(store, cells, region, tensor.element_offsets(), size, kind, format, roots))
        if bad >= 0:
            where = ", ".join(str(int(i)) for i in np.unravel_index(bad, tensor.shape))
            message = f"{tensor.name}[{where}] ends up holding bits that are no symbolic {tensor.dtype} value"
            base = (region << REGION_SHIFT) + int(cells.table[region, 1]) + int(tensor.element_offsets()[bad])
            instruction, cta, thread = _stored_last(program, base, size)
            if instruction >= 0:
                x, y, z = (int(n) for n in program.cta_ids[cta])
                message += f"; thread {thread} of CTA ({x}, {y}, {z}) stored there last"
            raise UnsupportedError(message, instruction=instruction)
        outputs[index] = roots
    return store, outputs


def _stored_last(program: Program, address: int, size: int) -> tuple[int, int, int]:
    """(walk index, CTA index, thread) of the last store to one of the bytes of an element; -1 where there is none."""
    return max((last_store(program, address + byte) for byte in range(size)), key=lambda found: found[0] >= 0)

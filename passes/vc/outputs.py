"""The root of each output element: what its bytes hold at the end, read in the tensor's dtype."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.fold import Store, grown
from volta_pipe.ir.graph import rooted
from volta_pipe.ir.launch import DTYPES, Launch, Tensor
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import INIT_UNINIT, Program
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
_NODES = int64(64)  # more than reading one element makes


@entry
def _collect(
    store: Store,
    cells: Cells,
    region: int,
    offsets: Array,
    size: int,
    kind: int,
    format: int,
    begin: int,
    roots: Array,
) -> tuple[int, bool]:
    """Fills roots (of elements at `offsets` of the region) from number `begin` on; (number, fits): where it stopped, how many
    there are when done, and False where the store has to grow first."""
    base = (int64(region) << REGION_SHIFT) + cells.table[region, 1]
    fresh = cells.table[region, 3] == INIT_UNINIT
    for i in range(begin, len(offsets)):
        at = cells.table[region, 0] + offsets[i]
        if fresh:
            for k in range(size):
                if cells.written[at + k] == 0:
                    return int64(i), True
        if store.n[0] + _NODES > len(store.op) or store.counts[0] + _NODES > len(store.values):
            return int64(i), False
        node = load_cell(store, cells, base + offsets[i], size, _ZERO64, _ZERO64, _MINUS64)
        if node < 0:
            return int64(i), True
        if kind == _KIND_FLOAT:
            node = as_float(store, cells, node, format)
            if node < 0:
                return int64(i), True
        elif store.op[node] != _UNINIT:
            node = as_integer(store, cells, node, int64(8 * size), kind == _KIND_SIGNED)
            if node < 0:
                return int64(i), True
        roots[i] = node
    return int64(len(offsets)), True


def _elements(cells: Cells, region: int, tensor: Tensor, written: bool) -> tuple[Array, Array]:
    """(elements, byte offsets), int64: all, or those of which a byte was written; what was never touched costs nothing."""
    if not written:
        return np.arange(tensor.size), tensor.element_offsets()
    start, size = int(cells.table[region, 0]), tensor.itemsize
    if tensor.contiguous:
        touched = rooted(cells.written[start : start + tensor.size * size])
        elements = touched[np.diff(touched // size, prepend=-1) != 0] // size
        return elements, elements * size
    offsets = tensor.element_offsets()
    elements = np.flatnonzero(sum(cells.written[start + offsets + k] for k in range(size)))
    return elements, offsets[elements]


class Roots(NamedTuple):
    """Of one tensor: the elements that have a root, int64 [n], ascending, and these, int32 [n]."""

    elements: Array
    nodes: Array


def roots_of(store: Store, cells: Cells, program: Program, launch: Launch) -> tuple[Store, dict[int, Roots]]:
    """Per out and inout tensor its roots. An element of an out tensor that was never written has none, and, of a launch that
    runs chosen CTAs only, neither has one of any output.

    Errors: UnsupportedError, at the last store there, where an element holds bits that are no value of the tensor's dtype."""
    outputs: dict[int, Roots] = {}
    regions = {region.tensor: region.number for region in program.regions}
    for index, tensor in enumerate(launch.tensors):
        if tensor.role not in ("out", "inout") or not tensor.size:
            continue
        region = regions[tensor.alias_of if tensor.alias_of >= 0 else index]
        size, letter = DTYPES[tensor.dtype]
        kind = _KIND_FLOAT if letter == "f" else _KIND_SIGNED if letter == "s" else _KIND_UNSIGNED
        format = int64(FORMATS.get(tensor.dtype, 0))
        fresh = int(cells.table[region, 3]) == INIT_UNINIT
        elements, offsets = _elements(cells, region, tensor, fresh or launch.ctas is not None)
        found = np.zeros(len(elements), np.int32)
        at, fits = _collect(store, cells, region, offsets, size, kind, format, 0, found)
        while not fits:
            store = grown(store, int(_NODES), int(_NODES))
            at, fits = _collect(store, cells, region, offsets, size, kind, format, at, found)
        if at < len(elements):
            bad, offset = int(elements[at]), int(offsets[at])
            where = ", ".join(str(int(i)) for i in np.unravel_index(bad, tensor.shape))
            message = f"{tensor.name}[{where}] ends up holding bits that are no symbolic {tensor.dtype} value"
            base = (region << REGION_SHIFT) + int(cells.table[region, 1]) + offset
            instruction, cta, thread = _stored_last(program, base, size)
            if instruction >= 0:
                x, y, z = (int(n) for n in program.cta_ids[cta])
                message += f"; thread {thread} of CTA ({x}, {y}, {z}) stored there last"
            raise UnsupportedError(message, instruction=instruction)
        outputs[index] = Roots(elements, found)
    return store, outputs


def _stored_last(program: Program, address: int, size: int) -> tuple[int, int, int]:
    """(walk index, CTA index, thread) of the last store to one of the bytes of an element; -1 where there is none."""
    return max((last_store(program, address + byte) for byte in range(size)), key=lambda found: found[0] >= 0)

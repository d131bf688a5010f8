"""Module variables that the host sets to what a tensor holds: its cells before the first CTA runs."""

from __future__ import annotations

from volta_pipe.ir.address_space import REGION_SHIFT, tensor_region
from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.fold import Store, grown
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells

_PLAIN, _NOBODY = int64(0), int64(-1)
# Words are taken as they are; where they are cut, bytes are taken apart and put together again.
_OF_WORDS, _OF_BYTES = 4, 32


@entry
def _fill(store: Store, cells: Cells, source: int, target: int, size: int) -> bool:
    """Copies `size` bytes; False where a part of them cannot be kept."""
    at = int64(0)
    while at < size:
        unit = int64(4) if at + 4 <= size and (source + at) & 3 == 0 and (target + at) & 3 == 0 else int64(1)
        node = load_cell(store, cells, source + at, unit, _PLAIN, _PLAIN, _NOBODY)
        if node < 0 or not store_cell(store, cells, target + at, unit, _PLAIN, node):
            return False
        at += unit
    return True


def set_variables(store: Store, cells: Cells, program: Program, launch: Launch) -> tuple[Store, str]:
    """Gives variables the contents of their tensors. Returns the store, grown, and the name of a variable that cannot be given
    them ("" where there is none)."""
    regions = {region.number: region for region in program.regions}
    places = {
        name: (number << REGION_SHIFT) + region.start + offset
        for number, region in regions.items()
        if region.space in ("const", "global") and region.tensor < 0
        for name, offset, _ in region.variables
    }
    for one in launch.globals:
        if one.tensor < 0 or one.name not in places:
            continue
        tensor = launch.tensors[one.tensor]
        number = tensor_region(tensor.alias_of if tensor.alias_of >= 0 else one.tensor)
        source = (number << REGION_SHIFT) + regions[number].start
        room = (_OF_BYTES if (source | places[one.name]) & 3 else _OF_WORDS) * tensor.extent + 128
        store = grown(store, room, room)
        if not _fill(store, cells, source, places[one.name], tensor.extent):
            return store, one.name
    return store, ""

"""Accesses beyond the variable that they are meant for: inside the memory of the CTA, but in another variable.

PTX says of the place of a variable only how it is aligned (PTX ISA 5.4), so an address that was computed from one
variable and hits another does something else under another layout. Which variables an address is computed from is found by
dataflow (ir/variables.py). An access has to lie in one of these variables. The sets are never too small,
so what is found is at fault. Where a set has several variables, a second run says which of them it was (origins.py). An
address that is computed from no variable (a number) is tested against the whole of the memory only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_SOURCE, Program
from volta_pipe.ir.variables import Variable, derivations, variables_of
from volta_pipe.passes.check import faults
from volta_pipe.passes.check.memory import Location
from volta_pipe.passes.check.origins import Again, narrow
from volta_pipe.passes.check.rows import COMMIT, COPY, NOTHING, Rows

Array = np.ndarray[Any, np.dtype[Any]]
_WINDOW = (1 << REGION_SHIFT) - 1


def beyond(program: Program, rows: Rows, again: Again | None = None) -> tuple[Array, int]:
    """Raw findings (int64 [:, RAW_COLUMNS]): accesses inside a region, but in none of the variables that their address is
    computed from; and how many rows may be of any of several. Findings are folded by instruction; R_OTHER_THREAD is the
    number of the nearest of the variables (variables_of). again: runs the kernel with other distances between variables
    (origins.py), where an address may be computed from several."""
    variables = variables_of(program.regions)
    none = np.zeros((0, faults.RAW_COLUMNS), np.int64), 0
    if not variables:
        return none
    held, sources = derivations(program)
    known = held.any(axis=0) | sources.any(axis=0)
    accesses = (rows.action != NOTHING) & (rows.action < COMMIT)
    chosen = np.flatnonzero((program.row_instr >= 0) & (known & accesses)[np.maximum(program.row_instr, 0)])
    if not len(chosen):
        return none
    instr, pattern = program.row_instr[chosen], program.row_pattern[chosen]
    source = (rows.action[instr] == COPY) & (program.row_flags[chosen] & FLAG_SOURCE != 0)
    size = np.where(source, program.row_flags[chosen] >> COPIED_SHIFT, rows.bytes[instr])
    low = program.row_base[chosen] + rows.first[pattern]  # -1, of no pattern, is the last entry
    high = program.row_base[chosen] + rows.last[pattern] + size
    meant = np.where(source, sources[:, instr], held[:, instr])
    number = np.array([one.region for one in variables])[:, None]
    inside = (meant & (low >> REGION_SHIFT <= number) & (high >> REGION_SHIFT >= number)).any(axis=0) & (size > 0)
    several = np.flatnonzero(inside & (meant.sum(axis=0) > 1))
    lanes: dict[int, Array] = {}
    left = len(several)
    if left and again is not None:
        lanes, left = narrow(program, again(), variables, chosen, several, meant)
    start = np.array([(one.region << REGION_SHIFT) + one.start for one in variables])[:, None]
    end = start + np.array([one.size for one in variables])[:, None]
    fine = (meant & (low >= start) & (high <= end)).any(axis=0)
    found: dict[int, Array] = {}
    for k in map(int, np.flatnonzero(inside & (~fine | np.isin(np.arange(len(chosen)), list(lanes))))):
        allowed = lanes[k] if k in lanes else np.flatnonzero(meant[:, k])
        for thread, address, near in _outside(program, int(chosen[k]), int(size[k]), variables, allowed, k in lanes):
            i = int(instr[k])
            if i not in found:
                found[i] = np.zeros(faults.RAW_COLUMNS, np.int64)
                found[i][[faults.R_KIND, faults.R_ROW, faults.R_THREAD]] = faults.BEYOND, chosen[k], thread
                found[i][[faults.R_OTHER_ROW, faults.R_OTHER_THREAD, faults.R_ADDRESS]] = -1, near, address
                found[i][[faults.R_LOW, faults.R_HIGH]] = -1, i
            found[i][faults.R_COUNT] += 1
    return np.array(list(found.values()), np.int64).reshape(-1, faults.RAW_COLUMNS), left


def _outside(
    program: Program, row: int, size: int, variables: list[Variable], allowed: Array, by_lane: bool
) -> Iterator[tuple[int, int, int]]:
    """(thread, address, nearest variable) of the lanes of a row that leave what is meant, and not the region (which is found
    without the variables). allowed: numbers of variables, one for each lane with `by_lane` (-1: any), else for all."""
    addresses = program.row_values(row)
    lanes = program.active_lanes(int(program.row_mask[row]))
    fine = np.zeros(len(addresses), np.bool_)
    near = np.full(len(addresses), np.iinfo(np.int64).max)
    nearest = np.zeros(len(addresses), np.int64)
    for number in np.unique(allowed):
        mine = allowed == number if by_lane else np.ones(len(addresses), np.bool_)
        if number < 0:
            fine |= mine
            continue
        one = variables[number]
        start = (one.region << REGION_SHIFT) + one.start
        fine |= mine & (addresses >= start) & (addresses + size <= start + one.size)
        away = np.maximum(start - addresses, addresses + size - (start + one.size))
        closer = mine & (addresses >> REGION_SHIFT == one.region) & (away < near)
        nearest[closer], near[closer] = number, away[closer]
    for k in np.flatnonzero(~fine & (near < np.iinfo(np.int64).max)):
        region = program.region_of(int(addresses[k]))
        if region is None:
            continue
        offset = int(addresses[k]) - (region.number << REGION_SHIFT) - region.start
        if offset >= 0 and offset + size <= region.size:
            yield int(lanes[k]), int(addresses[k]), int(nearest[k])


def locate_meant(program: Program, number: int, address: int) -> tuple[Location, str]:
    """An access outside the variable that was meant, as a place relative to it, and what is wrong, in words."""
    variables = variables_of(program.regions)
    one = variables[number]
    at = address & _WINDOW
    there = next((v for v in variables if v.region == one.region and v.start <= at < v.start + v.size), None)
    words = f", outside the {one.size:,} bytes of {one.name}, which its address is computed from"
    words += f"; {there.name}+{at - there.start} lies there" if there is not None and there is not one else ""
    region = program.region_of(one.region << REGION_SHIFT)
    return Location(region.space if region is not None else "", one.name, at - one.start, (), region), words

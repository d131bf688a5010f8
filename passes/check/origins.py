"""Which of several variables an address was computed from: the kernel is run again with other distances between the variables.

An address that was computed from one variable moves by as much as that variable does, and each moves by another distance.
So the difference of the addresses of both runs names the variable, in each lane and at each access, through selects and
loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.program import Program
from volta_pipe.ir.variables import Variable, variables_of

Array = np.ndarray[Any, np.dtype[Any]]
# Bytes in front of each variable in the second run: a multiple of alignments that occur.
GAP = 4096
# The program of the second run.
Again = Callable[[], Program]


def narrow(
    program: Program, second: Program, variables: list[Variable], chosen: Array, several: Array, meant: Array
) -> tuple[dict[int, Array], int]:
    """Leaves in `meant` (bool [variables, rows]) only the variable that the address of a row was computed from.

    chosen: the rows; several: which of them are in question. Returns, for those whose lanes differ, the variable of each lane
    (-1: a mixture), and how many rows are left that may be of several. Where both runs do not do the same, because addresses
    decide what is done or what is beyond a variable is read, all stays as it is."""
    partner = _partners(program, second)
    pairs = zip(variables, variables_of(second.regions), strict=True)
    moved = [(after.start - before.start, before.region) for before, after in pairs]
    alike = np.array_equal(program.pattern_values, second.pattern_values)
    lanes: dict[int, Array] = {}
    left = 0
    for k in several:
        row = int(chosen[k])
        other = int(partner[row])
        masks = program.mask_bits[program.row_mask[row]], second.mask_bits[second.row_mask[other]]
        if other < 0 or not np.array_equal(*masks):
            left += 1
            continue
        if alike and program.row_pattern[row] == second.row_pattern[other]:
            by = np.array([second.row_base[other] - program.row_base[row]])
        else:
            by = second.row_values(other) - program.row_values(row)
        region = int(program.row_base[row]) >> REGION_SHIFT
        origin = np.full(len(by), -1)
        for number, (distance, where) in enumerate(moved):
            if meant[number, k] and where == region:
                origin[by == distance] = number
        left += bool((origin < 0).any())
        if len(np.unique(origin)) > 1:
            lanes[int(k)] = origin
        elif origin[0] >= 0:
            meant[:, k] = np.arange(len(variables)) == origin[0]
    return lanes, left


def _partners(program: Program, second: Program) -> Array:
    """int64 [rows], the same row of the second run, or -1: in each CTA as far as both run the same instructions."""
    partner = np.full(len(program.row_instr), -1)
    for cta in range(min(len(program.cta_ids), len(second.cta_ids))):
        start, end = (int(row) for row in program.cta_rows[cta : cta + 2])
        other, other_end = (int(row) for row in second.cta_rows[cta : cta + 2])
        count = min(end - start, other_end - other)
        apart = np.flatnonzero(program.row_instr[start : start + count] != second.row_instr[other : other + count])
        alike = int(apart[0]) if len(apart) else count
        partner[start : start + alike] = np.arange(other, other + alike)
    return partner

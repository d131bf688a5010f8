"""Which variables of a program an address may be computed from, whatever the operation: dataflow over the static code, through
block arguments and selects (their union) and through memory (a load may give whatever was stored somewhere)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.ir.instructions import MBARRIER, Op

if TYPE_CHECKING:
    from volta_pipe.ir.program import Program, Region

Array = np.ndarray[Any, np.dtype[Any]]
# Where the values that are stored begin among the operands; what is loaded is what was stored.
_STORES = {Op.ST: 1, Op.STMATRIX: 1, Op.ATOM: 1, Op.RED: 1}
_LOADS = {Op.LD, Op.LDMATRIX, Op.ATOM}
# Instructions whose first operand is an address; that of cp.async has a second one.
ADDRESSED = frozenset((*_STORES, *_LOADS, *MBARRIER, Op.COPY))


@dataclass(frozen=True)
class Variable:
    """A variable of a program: its region's number, where it starts in the region's window, bytes."""

    region: int
    start: int
    size: int
    name: str


def variables_of(regions: Iterable[Region]) -> list[Variable]:
    """All variables of regions that have more than one: elsewhere the bounds of the region are those of the variable."""
    found = []
    for region in regions:
        if len(region.variables) > 1:
            found += [Variable(region.number, region.start + start, size, name) for name, start, size in region.variables]
    return found


def derivations(program: Program) -> tuple[Array, Array]:
    """Whether the address operand of each static instruction (and the second one, of cp.async) may be computed from each of
    `variables_of` its regions: bool [variables, instructions], twice. Never too few."""
    if program.meant is not None:
        return program.meant
    variables = variables_of(program.regions)
    bits: dict[tuple[int, int], int] = {}
    for number, variable in enumerate(variables):  # extern arrays start at one place
        at = variable.region, variable.start
        bits[at] = bits.get(at, 0) | 1 << number
    held = [0] * max(program.registers, 1)
    names = ("op", "first", "results", "inputs", "sub", "imm")
    code: list[tuple[int, list[int], list[int]]] = []
    operands = program.operands.tolist() if variables else []
    columns = [getattr(program, name).tolist() if variables else [] for name in names]
    for op, first, results, inputs, sub, imm in zip(*columns, strict=True):
        middle = first + results
        code.append((op, operands[first:middle], operands[middle : middle + inputs]))
        if op in (Op.NOP, Op.MOV) and sub:
            held[operands[first]] |= bits.get((sub, imm), 0)
    _spread(code, held)
    first = [held[ins[0]] if op in ADDRESSED and ins else 0 for op, _, ins in code]
    second = [held[ins[1]] if op == Op.COPY and len(ins) > 1 else 0 for op, _, ins in code]
    return _bits(first, len(variables), len(program.op)), _bits(second, len(variables), len(program.op))


def _spread(code: list[tuple[int, list[int], list[int]]], held: list[int]) -> None:
    """Adds to each register what it may be computed from, until nothing changes. code: (op, results, inputs)."""
    stored = 0
    changed = True
    while changed:
        changed = False
        for op, outs, ins in code:
            if op in _STORES:
                for register in ins[_STORES[Op(op)] :]:
                    changed |= bool(held[register] & ~stored)
                    stored |= held[register]
            value = stored if op in _LOADS else 0
            if op not in _LOADS:
                for register in ins:
                    value |= held[register]
            if not value:
                continue
            for register in outs:
                if value & ~held[register]:
                    held[register] |= value
                    changed = True


def _bits(sets: list[int], count: int, instructions: int) -> Array:
    """bool [count, instructions]: bit v of each."""
    return np.array([[bits >> v & 1 for bits in sets] for v in range(count)], np.bool_).reshape(count, instructions)

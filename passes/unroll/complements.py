"""Stores of which one always happens: `@p st [a], x` and `@!p st [a], y` leave nothing as it was.

Under a guard that is not known a store leaves, perhaps, what was there; where that is uninitialised, so is what is there then.
Not so once the other case was stored, too. Here pairs of stores are found in the code of a block: the second under the negation
of the very condition of the first, to the same address value, no byte beyond the first's, and between them nothing but loads,
stores and what only computes. So a thread that executes the second has just executed the first. Whether the bytes hold what
the first left still, and both values are there, the machine sees by a state of bytes (BYTE_HALF, see memory_access.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.ptx.flat import FlatBlock, FlatOp
from volta_pipe.ir.ptx.pure import COMPUTES
from volta_pipe.ir.ptx.words import STRONG
from volta_pipe.passes.unroll.bytecode import GUARD, NIN, OP, PARTNER, SG, SUB, TOKEN, WALK, W

# Tokens are walk indices, as they tell where a value comes from; of bytes, which hold no more, they are numbers of their own.
_MOST, _MOST_OF_BYTES = 0xFFFF, 0xFF
_HARMLESS = COMPUTES | {Op.LD, Op.ST}
# Types of pairs: the two results of setp are those of its halves.
_PAIRS = 4
_BOOLEAN_SHIFT = 8

Place = tuple[int, int, int]  # address value, state space, width


@dataclass
class _Stores:
    """Stores of one block that may be the first of a pair, by their condition and place: (row, first byte, behind the last)."""

    open: dict[tuple[int, bool, Place], list[tuple[list[int], int, int]]] = field(default_factory=dict)
    bytes_named: int = 0

    def add(self, row: list[int], op: FlatOp, condition: tuple[int, bool]) -> None:
        size = row[W] // 8
        begin, end = op.number, op.number + size * (row[NIN] - 1)
        place = (op.inputs[0], row[SUB], row[W])
        root, negated = condition
        for first, low, high in reversed(self.open.get((root, not negated, place), [])):
            if low <= begin and end <= high and (begin - low) % size == 0:
                row[PARTNER] = self._token(first)
                break
        self.open.setdefault((root, negated, place), []).append((row, begin, end))

    def _token(self, first: list[int]) -> int:
        """What the machine knows the first of a pair by; -1 where there is none."""
        if first[TOKEN] < 0 and first[W] == 8 and self.bytes_named < _MOST_OF_BYTES:
            self.bytes_named += 1
            first[TOKEN] = self.bytes_named
        elif first[TOKEN] < 0 and first[W] > 8 and first[WALK] <= _MOST:
            first[TOKEN] = first[WALK]
        return first[TOKEN]


def pair_stores(blocks: Sequence[FlatBlock], code: list[list[int]]) -> None:
    """Writes TOKEN and PARTNER of the rows of stores. code: the rows of all instructions, by WALK."""
    if not any(row[OP] == Op.ST and row[GUARD] >= 0 for row in code):
        return
    rows = {row[WALK]: row for row in code}
    negations: dict[int, int] = {}  # condition -> the one that it negates
    stores = _Stores()
    walk = 0
    for block in blocks:
        stores.open.clear()
        for op in block.ops:
            row = rows.get(walk)
            walk += 1
            if row is None or op.spelling is None:
                continue  # a value that is there from the start, or the end of the block
            if row[OP] not in _HARMLESS or (row[OP] in (Op.LD, Op.ST) and not STRONG.isdisjoint(op.spelling[1])):
                stores.open.clear()
            elif row[OP] == Op.ST and op.guard >= 0:
                stores.add(row, op, _condition(op.guard, op.negated, negations))
            elif op.guard < 0:
                _note(op, row, negations)


def _note(op: FlatOp, row: list[int], negations: dict[int, int]) -> None:
    """Keeps which condition is the negation of which: of `setp p|q` without a further condition, and of `not.pred`. A
    comparison and its opposite are not: neither holds where a number is NaN."""
    if row[OP] in (Op.SETP, Op.FSETP) and len(op.results) == 2 and not row[SUB] >> _BOOLEAN_SHIFT and row[SG] < _PAIRS:
        negations[op.results[1]] = op.results[0]
    elif row[OP] == Op.NOT and row[W] == 1:
        negations[op.results[0]] = op.inputs[0]


def _condition(guard: int, negated: bool, negations: dict[int, int]) -> tuple[int, bool]:
    """The value that a guard is, or that it is the negation of (True)."""
    while guard in negations:
        guard, negated = negations[guard], not negated
    return guard, negated

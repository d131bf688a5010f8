"""Waits at barrier objects whose false answer does nothing but ask again: those may be executed as if they blocked.

`mbarrier.test_wait` and `try_wait` say false while a phase is not complete, and how often they do depends on the schedule. The
machine gives the answer true only, when the phase is complete. That is all there is to know iff the code behind a false answer
leads back to the same wait, whatever else it reads and writes no memory, takes part in no synchronisation, and leaves every
register that matters then as it was: so any number of false answers is as good as none. This is proved on the bytecode; where
it cannot be, the machine refuses the wait (UNPROVED_WAIT)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bytecode import COMPARE, FIRST, GNEG, GUARD, NIN, NRES, OP, SUB, TARGET, TARGET2, A, D, W

Array = np.ndarray[Any, np.dtype[Any]]
# What only computes on registers, and what does nothing (nanosleep and fences).
_PURE = frozenset(
    (
        Op.NOP, Op.FENCE, Op.MOV, Op.ADD, Op.SUB, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE, Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.MIN,
        Op.MAX, Op.ABS, Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.SHR, Op.BFE, Op.BFI, Op.POPC, Op.CLZ, Op.BREV,
        Op.LOP3, Op.PRMT, Op.SHF, Op.SETP, Op.SELP, Op.CVT, Op.CVTA, Op.PACK, Op.UNPACK, Op.SET,
    )
)  # fmt: skip
_BRA, _CBRA, _RET, _TRAP, _WAIT = int(Op.BRA), int(Op.CBRA), int(Op.RET), int(Op.TRAP), int(Op.MBARRIER_WAIT)
_EQUAL, _UNEQUAL = COMPARE["eq"], COMPARE["ne"]


@dataclass
class _Path:
    """What lies behind a false answer: known values of registers, and what each register that is written is made from (None: of
    the answer, or of what it held before)."""

    known: dict[int, int]
    made: dict[int, tuple[int, ...] | None] = field(default_factory=dict)

    def write(self, register: int, sources: tuple[int, ...] | None, value: int | None) -> None:
        self.made[register] = None if register in self.made else sources
        self.known.pop(register, None)
        if value is not None:
            self.known[register] = value


def prove_waits(code: list[list[int]], operands: Sequence[int], sharing: Sequence[int], constants: Mapping[int, int]) -> None:
    """Sets TARGET of each wait in `code` (rows of bytecode) to 1 where the proof succeeds, else to 0.

    sharing: how many values of the SSA form are in each register (those behind its end are set once, when a CTA starts);
    constants: registers that always hold the same number."""
    waits = [at for at, row in enumerate(code) if row[OP] == _WAIT]
    if not waits:
        return
    alive = _alive(code, operands)
    for at in waits:
        path = _back(code, operands, at, constants)
        code[at][TARGET] = int(path is not None and _unchanged(code[at], path, alive[at], sharing, constants))


def _registers(row: Sequence[int], operands: Sequence[int]) -> tuple[list[int], list[int]]:
    """(results, inputs with the guard) of a row."""
    middle = row[FIRST] + row[NRES]
    inputs = [*operands[middle : middle + row[NIN]], *([row[GUARD]] if row[GUARD] >= 0 else [])]
    return list(operands[row[FIRST] : middle]), inputs


def _back(code: list[list[int]], operands: Sequence[int], wait: int, constants: Mapping[int, int]) -> _Path | None:
    """The path from a false answer back to the wait, or None where that is not all there is."""
    results, _ = _registers(code[wait], operands)
    path = _Path(dict(constants))
    path.write(results[0], None, 0)
    at, seen = wait + 1, set[int]()
    while at != wait:
        if at in seen or at >= len(code):
            return None
        seen.add(at)
        row = code[at]
        op = row[OP]
        if op == _BRA:
            at = row[TARGET]
            continue
        if op == _CBRA:
            if row[A] not in path.known:
                return None
            at = row[TARGET] if path.known[row[A]] else row[TARGET2]
            continue
        if op not in _PURE:
            return None
        if row[GUARD] >= 0 and row[GUARD] in path.known and bool(path.known[row[GUARD]]) == bool(row[GNEG]):
            at += 1
            continue
        written, sources = _registers(row, operands)
        always = row[GUARD] < 0 or row[GUARD] in path.known
        value = _value(row, sources, path.known) if always else None
        for register in written:
            path.write(register, tuple(sources) if always else None, value)
        at += 1
    return path


def _value(row: Sequence[int], sources: Sequence[int], known: Mapping[int, int]) -> int | None:
    """The result where it is known: what compilers make of an answer."""
    values = [known.get(register) for register in sources]
    op = row[OP]
    if op == Op.SELP and values[2] is not None:
        return values[0] if values[2] else values[1]
    if None in values[: row[NIN]]:
        return None
    a, *rest = (value for value in values if value is not None)
    b = rest[0] if rest else 0
    if op == Op.MOV:
        return a
    if op == Op.AND:
        return a & b
    if op == Op.OR:
        return a | b
    if op == Op.XOR:
        return a ^ b
    if op == Op.SETP and row[NRES] == 1 and row[NIN] == 2 and row[SUB] in (_EQUAL, _UNEQUAL):
        return int((a == b) == (row[SUB] == _EQUAL))
    return 1 - a if op == Op.NOT and row[W] == 1 else None


def _unchanged(wait: Sequence[int], path: _Path, alive: int, sharing: Sequence[int], constants: Mapping[int, int]) -> bool:
    """Whether every register that is looked at from the wait on is the same when the path comes back.

    One that the path writes is, if it is one value of the SSA form that is made of such values: its definition dominates the
    wait, so it held then what the same operands gave."""
    checked: dict[int, bool] = {}

    def same(register: int, outermost: bool) -> bool:
        single = register in constants or register >= len(sharing) or sharing[register] == 1
        if register not in path.made:
            return outermost or single
        if register not in checked:
            checked[register] = False
            sources = path.made[register]
            checked[register] = single and sources is not None and all(same(source, False) for source in sources)
        return checked[register]

    # The answer itself, where a guard keeps lanes from asking: they did not lose what they had, the others get it anew.
    answer = 1 << wait[D] if wait[GUARD] >= 0 else 0
    left = alive & ~answer
    return all(same(register, True) for register in range(left.bit_length()) if left >> register & 1)


def _alive(code: list[list[int]], operands: Sequence[int]) -> list[int]:
    """Of each row the registers that are looked at from there on before they are written, as bits."""
    count = len(code)
    used, kept = [0] * count, [-1] * count
    for at, row in enumerate(code):
        written, sources = _registers(row, operands)
        used[at] = sum(1 << register for register in set(sources))
        if row[GUARD] < 0:
            kept[at] = ~sum(1 << register for register in set(written))
    after: list[tuple[int, ...]] = [successors(row, at, count) for at, row in enumerate(code)]
    alive = [0] * count
    changed = True
    while changed:
        changed = False
        for at in range(count - 1, -1, -1):
            out = 0
            for successor in after[at]:
                out |= alive[successor]
            now = used[at] | (out & kept[at])
            if now != alive[at]:
                alive[at], changed = now, True
    return alive


def successors(row: Sequence[int], at: int, count: int) -> tuple[int, ...]:
    """Where a lane may go on behind a row."""
    if row[OP] == _BRA:
        return (row[TARGET],)
    if row[OP] == _CBRA:
        return (row[TARGET], row[TARGET2])
    if row[OP] == _TRAP or (row[OP] == _RET and row[GUARD] < 0) or at + 1 >= count:
        return ()
    return (at + 1,)

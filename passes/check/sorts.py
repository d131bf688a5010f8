"""Sorts of accesses, and which of them conflict: plain writes and reads, and kinds of atomics.

Memory that atomics or asynchronous copies touch has cells of its own form (see mixed.py), with a pair of stamps for each sort
that the program has. A kind of atomics is an operation, a width and a scope, and whether its results count (FLAG_DECIDED)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from volta_pipe.ir.atomics import CAS, CODE_MASK, DEC, EXCH, INC, MAX, MIN, WIDE_SCOPE
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import OBJECT_BYTES
from volta_pipe.ir.program import Program

Array = np.ndarray[Any, np.dtype[Any]]
WRITE, READ, FIRST_ATOMIC = 0, 1, 2
# What two accesses that are not ordered do to each other. ORDER: no race, but the outcome depends on who comes first.
NONE, RACING, ORDER = 0, 1, 2


@dataclass(frozen=True)
class Kind:
    """One kind of atomics. `family` tells integers (1), signed (2) where that matters, and floats (3) apart; `bound`: of inc
    and dec, where it is one number for all threads."""

    code: int
    width: int
    family: int
    wide: bool
    decided: bool
    bound: int | None = None


@dataclass(frozen=True)
class Sorts:
    """count: sorts of the program. of: int64 [instructions], the sort of an atomic (the next one where its results count) or of
    what is done at a barrier object, else 0. rules: uint8 [2, count, count], what accesses of two sorts do within a CTA (0) and
    from two CTAs (1)."""

    count: int
    of: Array
    rules: Array


# Instructions at one barrier object (mbarrier) do not race with each other.
_OBJECT = Kind(-1, 8 * OBJECT_BYTES, 4, False, False)


def _commutes(a: Kind, b: Kind) -> bool:
    """Whether the memory after both is the same in either order. inc and dec wrap at bounds; with one bound they are one
    function, done twice."""
    if a.code in (INC, DEC):
        return a.code == b.code and a.bound == b.bound and a.bound is not None
    return a.code == b.code and a.family == b.family and a.code not in (EXCH, CAS)


def _rule(a: Kind, b: Kind, across: bool) -> int:
    if _OBJECT in (a, b):
        return NONE if a == b else RACING
    if a.width != b.width or (across and not (a.wide and b.wide)):
        return RACING
    return ORDER if a.decided or b.decided or not _commutes(a, b) else NONE


def sorts_of(program: Program) -> Sorts:
    """The sorts of a program's accesses. (That mbarrier.init and .inval are writes is said in run.py.)"""
    of = np.zeros(len(program.op), np.int64)
    kinds: list[Kind] = []
    for i in np.flatnonzero((program.op == Op.ATOM) | (program.op == Op.RED)):
        sub, sign = int(program.sub[i]), int(program.signed[i])
        code = sub & CODE_MASK
        family = 3 if sign >= 2 else 2 if sign == 1 and code in (MIN, MAX) else 1
        bound = _bound(program, int(i)) if code in (INC, DEC) else None
        plain = Kind(code, int(program.width[i]), family, bool(sub & WIDE_SCOPE), False, bound)
        if plain not in kinds:
            kinds += [plain, replace(plain, decided=True)]
        of[i] = FIRST_ATOMIC + kinds.index(plain)
    objects = np.isin(program.op, (Op.MBARRIER_SIGNAL, Op.MBARRIER_TRACK, Op.MBARRIER_WAIT))
    if objects.any():
        of[objects] = FIRST_ATOMIC + len(kinds)
        kinds.append(_OBJECT)
    count = FIRST_ATOMIC + len(kinds)
    rules = np.zeros((2, count, count), np.uint8)
    rules[:, WRITE, :] = rules[:, :, WRITE] = RACING
    rules[:, READ, FIRST_ATOMIC:] = rules[:, FIRST_ATOMIC:, READ] = RACING
    for across in range(2):
        for x, a in enumerate(kinds):
            for y, b in enumerate(kinds):
                rules[across, FIRST_ATOMIC + x, FIRST_ATOMIC + y] = _rule(a, b, bool(across))
    return Sorts(count, of, rules)


def _bound(program: Program, instruction: int) -> int | None:
    """The operand of an inc or dec, where its register holds one constant through the whole run; else None."""
    register = int(program.operands[program.first[instruction] + program.results[instruction] + 1])
    given = program.first[:, None] + np.arange(max(1, int(program.results.max(initial=1))))[None, :]
    is_result = np.arange(given.shape[1])[None, :] < program.results[:, None]
    written = (program.operands[np.minimum(given, len(program.operands) - 1)] == register) & is_result
    constants = np.flatnonzero(program.row_instr == -1 - register)
    if np.isin(program.row_instr, np.flatnonzero(written.any(axis=1))).any() or not len(constants):
        return None
    values = program.row_base[constants]
    one = (program.row_pattern[constants] < 0).all() and (values == values[0]).all()
    return int(values[0]) if one else None

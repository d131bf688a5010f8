"""Floats whose bits are known, where integers or branches depend on them: which instructions the machine computes as well.

A float that is computed stays symbolic in the program, so that its value is the real one; where it becomes an integer, or
decides a branch, what counts is what the device computes, with its rounding. So beside the row of such an instruction its bits
are computed in the lanes that know all operands (known_values.py), exactly or not at all."""

from __future__ import annotations

from collections.abc import Mapping

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.unroll.bytecode import D2, D3, D4, FIRST, GUARD, NIN, NRES, OP, TARGET, A, D, E, F, W

# What the machine does with a row of Op.KNOWN, in the column TARGET: arithmetic by its node, or one of these.
MOVE, CONVERT, TO_INTEGER, COMPARE = 100, 101, 102, 103
FTZ = 1 << 8  # added to it
# Columns of a row of Op.KNOWN, which has at most two results and three operands: registers that say in which lanes the bits of
# the result and of each operand are known, -1 for an operand that must be concrete.
KNOWN_RESULT, KNOWN_OPERANDS = E, (D3, D4, F)
_ROUNDED = {Node.ADD, Node.SUB, Node.MUL, Node.FMA}
_NEEDS_MODE = {Node.DIV, Node.RCP, Node.SQRT}
_EXACT = {Node.NEG, Node.ABS, Node.MIN, Node.MAX}
_WIDTHS = (32, 64)


def exact_code(op: Op, node: int, modifiers: tuple[str, ...], types: tuple[str, ...]) -> int:
    """The code of an instruction whose bits can be computed, or -1: single and double precision, rounded to nearest."""
    words = set(modifiers)
    ftz = FTZ if "ftz" in words else 0
    if words & {"approx", "full", "relu", "NaN", "satfinite", "xorsign", "abs"}:
        return -1
    if op is Op.VALUE and types in (("f32",), ("f64",)):
        if node in _ROUNDED | _EXACT or (node in _NEEDS_MODE and "rn" in words):
            return -1 if words & {"rz", "rm", "rp"} else node | ftz
        return -1
    if op is Op.FCVT and types[0] in ("f32", "f64") and types[1] not in ("f16", "bf16"):
        return CONVERT | ftz
    if op is Op.FCVTI and types[1] in ("f32", "f64"):
        return TO_INTEGER | ftz
    if op is Op.FSETP and types in (("f32",), ("f64",)) and not words & {"finite", "infinite", "number", "notanumber"}:
        return COMPARE | ftz
    return MOVE if op is Op.MOV else -1


def compute_known(code: list[list[int]], operands: list[int], codes: Mapping[int, int], count: int) -> int:
    """Replaces rows of bytecode by those that compute known bits, too. code: all rows; operands: of all rows; codes: exact_code
    by index into `code`; count: registers. Returns how many registers there are then."""
    decided = {row[A] for row in code if row[OP] == Op.CBRA}
    ends = [index for index, kind in codes.items() if _ends(code[index], kind & ~FTZ, decided)]
    makers: dict[int, list[int]] = {}
    for index, row in enumerate(code if ends else ()):
        for register in operands[row[FIRST] : row[FIRST] + row[NRES]]:
            makers.setdefault(register, []).append(index)
    followed: dict[int, int] = {}  # register -> the one that says where its bits are known
    todo = [register for index in ends for register in _floats(code[index])]
    while todo:
        register = todo.pop()
        made = makers.get(register, [])
        if register in followed or not made or not all(_follows(code[index], codes.get(index, -1)) for index in made):
            continue
        followed[register] = count + len(followed)
        todo += [source for index in made for source in _floats(code[index])]
    changed = [index for register in followed for index in makers[register]]
    changed += [index for index in ends if not followed.keys().isdisjoint(_floats(code[index]))]
    for index in set(changed):
        row = code[index] = list(code[index])
        row[OP], row[TARGET] = int(Op.KNOWN), codes[index]
        for place, column in enumerate(KNOWN_OPERANDS):
            row[column] = followed.get(row[A + place], -1) if place < row[NIN] else -1
        if codes[index] & ~FTZ not in (TO_INTEGER, COMPARE):
            row[KNOWN_RESULT] = followed[row[D]]
    return count + len(followed)


def _ends(row: list[int], kind: int, decided: set[int]) -> bool:
    """Whether an instruction turns a float into what the machine must know: an integer, or the condition of a branch."""
    if row[GUARD] >= 0:
        return False
    return kind == TO_INTEGER or (kind == COMPARE and bool(decided & {row[D], row[D2]}))


def _follows(row: list[int], kind: int) -> bool:
    """Whether the bits that an instruction makes can be followed."""
    return kind >= 0 and kind & ~FTZ not in (TO_INTEGER, COMPARE) and row[GUARD] < 0 and row[NRES] == 1 and row[W] in _WIDTHS


def _floats(row: list[int]) -> list[int]:
    """The operands of a row that may be floats whose bits are followed."""
    return row[A : A + row[NIN]]

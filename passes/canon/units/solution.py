"""What comes of a unit, computed or read back from somewhere; what is read is data from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgpack

from volta_pipe.ir.errors import ArtifactError, BudgetError
from volta_pipe.ir.normal_form import ATOM, FORM, Table
from volta_pipe.ir.program_checks import number, text
from volta_pipe.passes.canon.compare import Comparison, Effort, Outcome
from volta_pipe.passes.canon.readings import reading
from volta_pipe.passes.canon.tables import Packed, packed, unpacked
from volta_pipe.passes.canon.units.unit import Unit

_OUTCOMES = {"equal": True, "cases": True, "differ": True, "undecidable": False}  # whether there are normal forms
_MOST = 1 << 62


@dataclass(frozen=True)
class Solution:
    """outcomes: of each class, forms being numbers in `table`; assumptions: sorted; terms, parts: that were made; effort: for
    units to come; general: whether it is the same whatever earlier units say but of literals; spent: whether it rests on a
    budget that ran out; written: the table as it is written, where that is known."""

    outcomes: tuple[Outcome, ...]
    table: Table
    assumptions: tuple[str, ...]
    terms: int
    parts: int
    effort: Effort
    general: bool
    spent: bool = False
    written: Packed | None = None

    @cached_property
    def packed(self) -> Packed:
        """The table as it is written."""
        return self.written or packed(self.table, sorted({f for _, _, forms in self.outcomes for f in forms if f}))

    def pack(self) -> Packed:
        """The same, for who may not need it."""
        return self.packed

    def to_dict(self, unit: Unit) -> dict[str, Any]:
        """Plain data, read back by `from_dict`."""
        numbers, table = self.packed
        e = self.effort
        return {
            "unit": unit.digest,
            "outcomes": [[outcome, why, [numbers[f] for f in forms]] for outcome, why, forms in self.outcomes],
            "table": table,
            "assumptions": list(self.assumptions),
            "made": [self.terms, self.parts],
            "effort": None if self.general else [list(e.read), e.apart, e.unsettled, e.unequal],
        }

    @staticmethod
    def from_dict(data: Any, unit: Unit, before: Effort, *, general: bool) -> Solution:
        """The solution of a unit after `before`. Errors: ArtifactError on anything that is none, as far as can be told without
        solving it, or that is not as general as it should be."""
        try:
            return _read(data, unit, before, general=general)
        except (
            KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, ZeroDivisionError, MemoryError,
            BudgetError, RecursionError, msgpack.UnpackException,
        ) as error:  # fmt: skip
            raise ArtifactError("it is no solution of its unit") from error


Solve = Callable[[Unit, Effort], Solution]


def compute(unit: Unit, effort: Effort) -> Solution:
    """Compares the classes of a unit, one after the other, over one table."""
    comparison = Comparison(unit.graphs, unit.inputs, named=unit.named, max_terms=unit.max_terms, effort=effort)
    outcomes = tuple(comparison.compare(roots) for roots in unit.roots)
    table = comparison.table
    return Solution(
        outcomes, table, tuple(sorted(comparison.assumptions)), table.work, len(table.items), comparison.effort,
        comparison.general, comparison.spent,
    )  # fmt: skip


def _read(data: Any, unit: Unit, before: Effort, *, general: bool) -> Solution:
    if data["unit"] != unit.digest or (data["effort"] is None) != general:
        raise ValueError("it is of another unit, or after another effort")
    table = unpacked(data["table"])
    atoms = {item for item, kind in zip(table.items, table.kinds, strict=True) if kind == ATOM}
    if not {item for item in atoms if item[0] in ("leaf", "scalar")} <= unit.atoms:
        raise ValueError("an atom is of an input that the unit does not have")
    outcomes: list[Outcome] = []
    for outcome, why, (f, g) in data["outcomes"]:
        forms = number(f, 0, len(table.items)), number(g, 0, len(table.items))
        if any(bool(i) != _OUTCOMES[outcome] or (i and table.kinds[i] != FORM) for i in forms):
            raise ValueError("a class lacks its normal forms")
        outcomes.append((outcome, text(why), forms))
    if len(outcomes) != len(unit.roots):
        raise ValueError("it has another number of classes")
    terms, parts = (number(n, 0, _MOST) for n in data["made"])
    after = before if general else _effort(data["effort"])
    assumptions = tuple(text(a) for a in data["assumptions"])
    same = {f: f for _, _, forms in outcomes for f in (0, *forms)}, bytes(data["table"])
    return Solution(tuple(outcomes), table, assumptions, terms, parts, after, general, written=same)


def _effort(data: Any) -> Effort:
    read, apart, unsettled, unequal = data
    if type(apart) is not bool or not all(type(v) is float and reading(v) is not None for v in read):
        raise ValueError("no effort")
    if list(read) != sorted(set(read)):
        raise ValueError("literals are out of order")
    return Effort(tuple(read), apart, number(unsettled, 0, _MOST), number(unequal, 0, _MOST))

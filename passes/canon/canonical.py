"""What `canon` hands to `decide`: classes of elements and the normal forms of their representatives, in a table for each unit
of classes that were compared together.

The numbers of a table go on behind those of the one before; 0 is the same in all. In the artifact each has numbers of its own
(`tables`), as it came from its unit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import msgpack
import numpy as np

from volta_pipe.ir import columns, renaming
from volta_pipe.ir.errors import ArtifactError, BudgetError
from volta_pipe.ir.normal_form import ATOM, FORM, Form, Table
from volta_pipe.ir.program_checks import number, text
from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon.tables import Packed, packed, unpacked

Int32 = np.ndarray[Any, np.dtype[np.int32]]
# identical: the same expression; equal, differ: normal forms; cases: the normal forms differ, and are equal in each case of the
# conditions in them; undecidable: no normal form (`why` says what is in the way).
OUTCOMES = ("identical", "equal", "cases", "differ", "undecidable")


@dataclass(frozen=True)
class EquivalenceClass:
    """tensors, elements: int32 [n], the members, the first one the representative; sizes: nodes of its two expressions;
    outcome: one of OUTCOMES; forms: numbers of the two normal forms (of one table), 0 where there is none; renaming: of its
    inputs to those of the members, None where nothing is claimed of the class or it would take too much room."""

    tensors: Int32
    elements: Int32
    sizes: tuple[int, int]
    outcome: str
    why: str = ""
    forms: tuple[int, int] = (0, 0)
    renaming: Renaming | None = None


@dataclass(frozen=True)
class Unmatched:
    """Elements that one side alone writes: how many, and the first one (tensor, row-major element)."""

    count: int = 0
    tensor: int = -1
    element: int = -1


@dataclass(frozen=True)
class Canonical:
    """`tables`: part i of a table has number i plus the parts of the tables before, without their part 0. `constants`: "named"
    where literals may stand for real numbers, else "exact". `stats`: counts, never times; `packs`: give the tables as they are
    written, where somebody else knows."""

    classes: tuple[EquivalenceClass, ...]
    tables: tuple[Table, ...]
    tensors: tuple[str, ...]
    scalars: tuple[str, ...]
    constants: str = "named"
    only_reference: Unmatched = Unmatched()
    only_candidate: Unmatched = Unmatched()
    assumptions: tuple[str, ...] = ()
    stats: dict[str, int] = field(default_factory=dict)
    packs: tuple[Callable[[], Packed], ...] = field(default=(), compare=False, repr=False)

    KIND = "canonical"
    VERSION = 3

    @cached_property
    def starts(self) -> list[int]:
        """What is added to the numbers of each table's parts."""
        return [0, *accumulate(len(table.items) - 1 for table in self.tables)][: len(self.tables)]

    def place(self, number: int) -> tuple[Table, int]:
        """The table of a part that is not 0, and its number there."""
        i = self._table(number)
        return self.tables[i], number - self.starts[i]

    def _table(self, number: int) -> int:
        return max(bisect_right(self.starts, number - 1) - 1, 0)

    def form(self, number: int) -> Form:
        """A normal form by its number."""
        table, local = self.place(number)
        if table.kinds[local] != FORM:
            raise ArtifactError(f"part {number} of the tables is no normal form")
        item = table.items[local]
        return Form(item.num, item.den)

    def packed(self) -> tuple[Packed, ...]:
        """Each table as it is written."""
        if self.packs:
            return tuple(pack() for pack in self.packs)
        wanted = sorted({f for c in self.classes for f in c.forms if f})
        both = zip(self.tables, self.starts, strict=True)
        return tuple(packed(t, [f - start for f in wanted if 0 < f - start < len(t.items)]) for t, start in both)

    def encode(self) -> list[bytes | memoryview]:
        tables = self.packed()

        def form(c: EquivalenceClass) -> tuple[int, list[int]]:
            """The number of the table, and those of both forms in it."""
            i = self._table(c.forms[0])
            numbers = tables[i][0]
            return i, [numbers[f - self.starts[i]] if f else 0 for f in c.forms]

        sizes, renamings = renaming.written([c.renaming for c in self.classes])
        meta = {
            "tables": [data for _, data in tables],
            "classes": [[len(c.elements), list(c.sizes), c.outcome, c.why, *form(c)] for c in self.classes],
            "renamings": sizes,
            "tensors": list(self.tensors),
            "scalars": list(self.scalars),
            "constants": self.constants,
            "unmatched": [[u.count, u.tensor, u.element] for u in (self.only_reference, self.only_candidate)],
            "assumptions": list(self.assumptions),
            "stats": dict(sorted(self.stats.items())),
        }
        empty = np.zeros(0, np.int32)
        members = {
            "tensors": np.concatenate([empty, *(c.tensors for c in self.classes)]),
            "elements": np.concatenate([empty, *(c.elements for c in self.classes)]),
        }
        return columns.encode(self.KIND, self.VERSION, meta, members | renamings)

    @staticmethod
    def decode(data: bytes | memoryview) -> Canonical:
        """Reads an artifact. Errors: ArtifactError on anything that is not well-formed."""
        try:
            return _read(*columns.decode(data, Canonical.KIND, Canonical.VERSION))
        except (
            KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, ZeroDivisionError, MemoryError,
            BudgetError, RecursionError, msgpack.UnpackException,
        ) as error:  # fmt: skip
            raise ArtifactError(f"canonical artifact is damaged: {error}") from error


def _read(meta: dict[str, Any], cols: dict[str, Any]) -> Canonical:
    tables = tuple(unpacked(data) for data in meta["tables"])
    tensors, elements = cols["tensors"], cols["elements"]
    names = tuple(tuple(text(s) for s in meta[key]) for key in ("tensors", "scalars", "assumptions"))
    if tensors.dtype != np.int32 or elements.dtype != np.int32 or tensors.shape != elements.shape or tensors.ndim != 1:
        raise ValueError("member columns have the wrong form")
    if tensors.size and not (0 <= int(tensors.min()) <= int(tensors.max()) < len(names[0]) and int(elements.min()) >= 0):
        raise ValueError("a member is out of range")
    for table in tables:
        for item, kind in zip(table.items, table.kinds, strict=True):
            if kind == ATOM and item[0] in ("leaf", "scalar") and item[1] >= len(names[item[0] == "scalar"]):
                raise ValueError("an atom is of an input that does not exist")
    if meta["constants"] not in ("named", "exact"):
        raise ValueError("unknown reading of constants")
    counts = [row[0] for row in meta["classes"]]
    if any(type(count) is not int or count < 1 for count in counts):
        raise ValueError("a class has no members")
    renamings = renaming.read(meta["renamings"], counts, cols, len(names[0]))
    classes = []
    at = 0
    starts = [0, *accumulate(len(table.items) - 1 for table in tables)]
    for (count, (n, m), outcome, why, i, (f, g)), renamed in zip(meta["classes"], renamings, strict=True):
        if outcome not in OUTCOMES or at + count > len(elements):
            raise ValueError("a class is out of range")
        table = tables[number(i, 0, len(tables))]
        both = bool(f) and bool(g)
        if (outcome in ("equal", "cases", "differ")) != both or any(
            f and table.kinds[number(f, 0, len(table.kinds))] != FORM for f in (f, g)
        ):
            raise ValueError("a class lacks its normal forms")
        forms = (f + starts[i], g + starts[i]) if both else (0, 0)
        part = slice(at, at + count)
        members = tensors[part], elements[part]
        sizes = number(n, 0, 1 << 62), number(m, 0, 1 << 62)
        classes.append(EquivalenceClass(*members, sizes, outcome, text(why), forms, renamed))
        at += count
    if at != len(elements):
        raise ValueError("a member belongs to no class")
    only = [
        Unmatched(number(c, 0, 1 << 62), number(t, -1, len(names[0])), number(e, -1, 1 << 62)) for c, t, e in meta["unmatched"]
    ]
    if len(only) != 2 or any(bool(u.count) != (u.tensor >= 0 and u.element >= 0) for u in only):
        raise ValueError("an unmatched element is out of range")
    stats = {text(k): number(v, 0, 1 << 62) for k, v in meta["stats"].items()}
    return Canonical(
        tuple(classes), tables, names[0], names[1], meta["constants"], only[0], only[1], names[2], stats
    )  # fmt: skip

"""What `canon` hands to `decide`: classes of elements and the normal forms of their representatives, in one table.

The table is written as a list of its parts in order of creation, only those that the forms need, renumbered from 1: parts come
before what is made of them, and equal forms are equal numbers again after reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import fmpq

from volta_pipe.ir import columns, renaming
from volta_pipe.ir.errors import ArtifactError, BudgetError
from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MASK, MONOMIAL, POLYNOMIAL, Coef, Form, Table, rational, tidy
from volta_pipe.ir.program_checks import number, text
from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon.circles import cosine, ruled

Int32 = np.ndarray[Any, np.dtype[np.int32]]
# identical: the same expression; equal, differ: normal forms; cases: the normal forms differ, and are equal in each case of the
# conditions in them; undecidable: no normal form (`why` says what is in the way).
_MOST_POWER = 1 << 20  # rules on powers go step by step
OUTCOMES = ("identical", "equal", "cases", "differ", "undecidable")
# Atoms whose arguments are plain numbers, with how many; every other atom's arguments are forms, but for a name's: a factor.
PLAIN = {"leaf": 2, "scalar": 1, "lambda": 0, "pi": 0, "c1": 0, "c2": 0, "d1": 0}
_FUNCTIONS = {"value": 1, "lg2": 1, "rsqrt": 1, "pow": 2, "sin": 1, "cos": 2, "erf": 1, "floor": 1, "rint": 1, "trunc": 1}
_FUNCTIONS |= {"lt0": 1, "eq0": 1, "name": 1}


@dataclass(frozen=True)
class EquivalenceClass:
    """tensors, elements: int32 [n], the members, the first one the representative; sizes: nodes of its two expressions;
    outcome: one of OUTCOMES; forms: numbers of the two normal forms in the table, 0 where there is none; renaming: of its
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
    """`constants`: "named" where literals may stand for real numbers, else "exact". `stats`: counts, never times."""

    classes: tuple[EquivalenceClass, ...]
    table: Table
    tensors: tuple[str, ...]
    scalars: tuple[str, ...]
    constants: str = "named"
    only_reference: Unmatched = Unmatched()
    only_candidate: Unmatched = Unmatched()
    assumptions: tuple[str, ...] = ()
    stats: dict[str, int] = field(default_factory=dict)

    KIND = "canonical"
    VERSION = 2

    def form(self, number: int) -> Form:
        """A normal form by its number."""
        item = self.table.items[number]
        if self.table.kinds[number] != FORM:
            raise ArtifactError(f"part {number} of the table is no normal form")
        return Form(item.num, item.den)

    def encode(self) -> list[bytes | memoryview]:
        numbers, parts = written_parts(self.table, [f for c in self.classes for f in c.forms if f])
        sizes, renamings = renaming.written([c.renaming for c in self.classes])
        meta = {
            "parts": parts,
            "classes": [
                [len(c.elements), list(c.sizes), c.outcome, c.why, [numbers[f] for f in c.forms]] for c in self.classes
            ],
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
            BudgetError, RecursionError,
        ) as error:  # fmt: skip
            raise ArtifactError(f"canonical artifact is damaged: {error}") from error


def _parts_of(table: Table, number: int) -> list[int]:
    """Numbers that a part refers to."""
    item, kind = table.items[number], table.kinds[number]
    if kind == ATOM:
        return [] if item[0] in PLAIN else list(item[1:])
    if kind == MONOMIAL:
        return [a for a, _ in item]
    if kind == POLYNOMIAL:
        return list(item)
    terms = item.num if kind == FORM else item
    found = [part for k in terms for part in (k >> 32, k & MASK)]
    return found + list(item.den) if kind == FORM else found


def coefficient(c: Coef) -> str:
    if type(c) is int:
        return str(c)
    p, q = rational(c)
    return str(p) if q == 1 else f"{p}/{q}"


def needed_parts(table: Table, forms: Iterable[int]) -> list[int]:
    """The parts that forms are made of and these themselves, but for part 0: ascending, what a part is made of first."""
    needed = {0}
    stack = list(forms)
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += _parts_of(table, number)
    needed.remove(0)
    return sorted(needed)


def written_parts(table: Table, forms: list[int]) -> tuple[dict[int, int], list[Any]]:
    """(new number of each part that the forms need, the parts in order)."""
    order = [0, *needed_parts(table, forms)]
    new = {old: i for i, old in enumerate(order)}
    parts: list[Any] = []
    for old in order[1:]:
        item, kind = table.items[old], table.kinds[old]
        if kind == ATOM:
            parts.append([kind, item[0], list(item[1:]) if item[0] in PLAIN else [new[f] for f in item[1:]]])
        elif kind == MONOMIAL:
            parts.append([kind, [[new[a], p] for a, p in item]])
        elif kind == POLYNOMIAL:
            parts.append([kind, [[new[m], coefficient(c)] for m, c in sorted(item.items())]])
        else:
            terms = item.num if kind == FORM else item
            rows = sorted((new[k >> 32], new[k & MASK], coefficient(c)) for k, c in terms.items())
            parts.append([kind, [list(r) for r in rows], [new[f] for f in item.den] if kind == FORM else []])
    return new, parts


def _rational(text: str) -> Coef:
    p, _, q = text.partition("/")
    value = tidy(fmpq(int(p), int(q or "1")))
    if not value:
        raise ValueError("a coefficient is 0")
    return value


def _table(parts: list[Any]) -> Table:
    """The table of a list of parts; each may only refer to earlier ones of the right kind, and must be new."""
    t = Table()
    cosines: list[tuple[int, int]] = []

    def known(number: Any, *kinds: int) -> int:
        if not isinstance(number, int) or not 0 <= number < len(t.items) or (t.kinds[number] not in kinds and number):
            raise ValueError(f"part {number} is out of order")
        return number

    def terms(rows: list[Any]) -> dict[int, Coef]:
        return {known(e, POLYNOMIAL) << 32 | known(m, MONOMIAL): _rational(c) for e, m, c in rows}

    for place, part in enumerate(parts, 1):
        kind = part[0]
        if kind == ATOM:
            name, arguments = part[1], part[2]
            plain = name in PLAIN
            within = FACTOR if name == "name" else FORM
            count = PLAIN[name] if plain else len(arguments) if name == "max" else _FUNCTIONS[name]
            right = len(arguments) == count and (name != "max" or count >= 2)
            if not right or not all(isinstance(i, int) and i >= 0 for i in arguments):
                raise ValueError(f"atom {name} has the wrong arguments")
            within_table = arguments if plain else [_nonzero(known(f, within)) for f in arguments]
            made = t.atom(name, *within_table)
            if name == "cos":
                ruled(t, made)
                cosines.append((made, within_table[1]))
        elif kind == MONOMIAL:
            powers = tuple((known(a, ATOM), p) for a, p in part[1])
            atoms = [a for a, _ in powers]
            if not all(type(p) is int and 0 < abs(p) <= _MOST_POWER and a for a, p in powers) or sorted(set(atoms)) != atoms:
                raise ValueError("a monomial is out of order")
            made = t.monomial(powers)
        elif kind == POLYNOMIAL:
            made = t.polynomial({known(m, MONOMIAL): _rational(c) for m, c in part[1]})
        elif kind == FACTOR and part[1]:
            made = t.factor(terms(part[1]))
        elif kind == FORM:
            made = t.form(Form(terms(part[1]), tuple(sorted(_nonzero(known(f, FACTOR)) for f in part[2]))))
        else:
            raise ValueError(f"part {place} is of unknown kind")
        if made != place:
            raise ValueError(f"part {place} occurs twice")
    # Behind all parts: what a square is computed with need not be one of those that were written.
    if any(cosine(t, angle) != made for made, angle in cosines):
        raise ValueError("a cosine has the wrong square")
    return t


def _nonzero(number: int) -> int:
    if not number:
        raise ValueError("a part is missing")
    return number


def _read(meta: dict[str, Any], cols: dict[str, Any]) -> Canonical:
    table = _table(meta["parts"])
    tensors, elements = cols["tensors"], cols["elements"]
    names = tuple(tuple(text(s) for s in meta[key]) for key in ("tensors", "scalars", "assumptions"))
    if tensors.dtype != np.int32 or elements.dtype != np.int32 or tensors.shape != elements.shape or tensors.ndim != 1:
        raise ValueError("member columns have the wrong form")
    if tensors.size and not (0 <= int(tensors.min()) <= int(tensors.max()) < len(names[0]) and int(elements.min()) >= 0):
        raise ValueError("a member is out of range")
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
    for (count, (n, m), outcome, why, (f, g)), renamed in zip(meta["classes"], renamings, strict=True):
        if outcome not in OUTCOMES or at + count > len(elements):
            raise ValueError("a class is out of range")
        both = bool(f) and bool(g)
        if (outcome in ("equal", "cases", "differ")) != both or any(
            i and table.kinds[number(i, 0, len(table.kinds))] != FORM for i in (f, g)
        ):
            raise ValueError("a class lacks its normal forms")
        part = slice(at, at + count)
        members = tensors[part], elements[part]
        sizes = number(n, 0, 1 << 62), number(m, 0, 1 << 62)
        forms = number(f, 0, len(table.items)), number(g, 0, len(table.items))
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
        tuple(classes), table, names[0], names[1], meta["constants"], only[0], only[1], names[2], stats
    )  # fmt: skip

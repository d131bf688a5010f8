"""Tables of parts as plain lists, as artifacts and the solutions of units hold them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MASK, MONOMIAL, POLYNOMIAL, Coef, Form, Table, rational, tidy
from volta_pipe.passes.canon.circles import cosine, ruled

_MOST_POWER = 1 << 20  # rules on powers go step by step
# Atoms whose arguments are plain numbers, with how many; every other atom's arguments are forms, but for a name's: a factor.
PLAIN = {"leaf": 2, "scalar": 1, "lambda": 0, "pi": 0, "c1": 0, "c2": 0, "d1": 0}
_FUNCTIONS = {"value": 1, "lg2": 1, "rsqrt": 1, "pow": 2, "sin": 1, "cos": 2, "erf": 1, "floor": 1, "rint": 1, "trunc": 1}
_FUNCTIONS |= {"lt0": 1, "eq0": 1, "name": 1}


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


def written_parts(table: Table, forms: list[int], behind: int = 0) -> tuple[dict[int, int], list[Any]]:
    """(new number of each part that the forms need, the parts in order); the first one's number is that of one behind `behind`
    others."""
    order = [0, *needed_parts(table, forms)]
    new = {old: i + behind for i, old in enumerate(order)} | {0: 0}
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


def read_parts(parts: list[Any], behind: int = 0) -> Table:
    """The table of a list of parts behind `behind` others; each may only refer to earlier ones of its table that are of the
    right kind, and must be new. Errors: many, on anything else (see `Canonical.decode`)."""
    t = Table()
    cosines: list[tuple[int, int]] = []

    def known(number: Any, *kinds: int) -> int:
        if number == 0 and type(number) is int:
            return 0
        if type(number) is not int or not 0 < (own := number - behind) < len(t.items) or t.kinds[own] not in kinds:
            raise ValueError(f"part {number} is out of order")
        return own

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


def read_tables(parts: list[Any], counts: list[int]) -> tuple[Table, ...]:
    """The tables of so many parts each."""
    if any(type(count) is not int or count < 0 for count in counts) or not counts or sum(counts) != len(parts):
        raise ValueError("the tables have another number of parts")
    starts = [0, *accumulate(counts)]
    return tuple(read_parts(parts[start:end], start) for start, end in pairwise(starts))

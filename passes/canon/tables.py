"""Tables of parts as bytes, as artifacts and the solutions of units hold them: msgpack of a list of the parts in order of
creation, only those that the forms need, renumbered from 1. Parts come before what is made of them, and equal forms are equal
numbers again after reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgpack

from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MASK, MONOMIAL, POLYNOMIAL, Coef, Form, Table, rational, tidy

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


Packed = tuple[dict[int, int], bytes]  # the new number of each form, and the table


def packed(table: Table, forms: Iterable[int]) -> Packed:
    """A table as far as the forms need it."""
    wanted = list(forms)
    order = [0, *needed_parts(table, wanted)]
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
    return {f: new[f] for f in (0, *wanted)}, msgpack.packb(parts)


def _rational(text: str) -> Coef:
    from flint import fmpq

    p, fraction, q = text.partition("/")
    value = tidy(fmpq(int(p), int(q))) if fraction else int(p)
    if not value:
        raise ValueError("a coefficient is 0")
    return value


def unpacked(data: bytes) -> Table:
    """The table that was packed; each part may only refer to earlier ones of the right kind, and must be new.

    Errors: many, on anything else (see `Canonical.decode`)."""
    from volta_pipe.passes.canon.circles import cosine, ruled

    t = Table()
    kinds = t.kinds
    cosines: list[tuple[int, int]] = []

    def known(number: Any, kind: int) -> int:
        if type(number) is not int or not 0 <= number < len(kinds) or (kinds[number] != kind and number):
            raise ValueError(f"part {number} is out of order")
        return number

    def terms(rows: list[Any]) -> dict[int, Coef]:
        return {known(e, POLYNOMIAL) << 32 | known(m, MONOMIAL): _rational(c) for e, m, c in rows}

    for place, part in enumerate(msgpack.unpackb(data), 1):
        kind = part[0]
        if kind == ATOM:
            name, arguments = part[1], part[2]
            within = FACTOR if name == "name" else FORM
            if name in PLAIN:
                right = len(arguments) == PLAIN[name] and all(type(i) is int and i >= 0 for i in arguments)
            else:
                right = len(arguments) >= 2 if name == "max" else len(arguments) == _FUNCTIONS[name]
                arguments = [_nonzero(known(f, within)) for f in arguments]
            if not right:
                raise ValueError(f"atom {name} has the wrong arguments")
            made = t.atom(name, *arguments)
            if name == "cos":
                ruled(t, made)
                cosines.append((made, arguments[1]))
        elif kind == MONOMIAL:
            powers, last = [], 0
            for a, p in part[1]:
                if type(a) is not int or not last < a < len(kinds) or kinds[a] != ATOM or not _is_power(p):
                    raise ValueError("a monomial is out of order")
                powers.append((a, p))
                last = a
            made = t.monomial(tuple(powers))
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


def _is_power(p: Any) -> bool:
    return type(p) is int and 0 < abs(p) <= _MOST_POWER


def _nonzero(number: int) -> int:
    if not number:
        raise ValueError("a part is missing")
    return number

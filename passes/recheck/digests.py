"""Digests of normal forms and what these are made of, computed anew from the table of terms that the artifact of `canon` holds.

The digest of a part is the sha256 of a word for its kind and its contents, a line each: what other parts stand in it appear
by their digests, sums, products, denominators and the arguments of a maximum in sorted order. Number 0, the unit, has "1"."""

from __future__ import annotations

import hashlib
from typing import Any

# Kinds of parts in the artifact, and atoms that have numbers and not parts as arguments.
_WORDS = {0: "atom", 1: "monomial", 2: "polynomial", 3: "factor", 4: "form"}
_PLAIN = ("leaf", "scalar", "lambda", "pi", "c1", "c2", "d1")


def digests(parts: list[Any]) -> tuple[list[str], list[frozenset[str]]]:
    """(digest, kinds of atoms and exponentials) of each part, by its number. Errors: ValueError, IndexError, TypeError."""
    found, made_of = ["1"], [frozenset[str]()]
    for kind, first, *more in parts:
        word = _WORDS[kind]
        inside: list[int] = []
        own: set[str] = set()
        if word == "atom":
            arguments = more[0]
            if first in _PLAIN:
                lines = [str(i) for i in arguments]
            else:
                inside = arguments
                lines = [found[i] for i in arguments]
            lines = [first, *(sorted(lines) if first == "max" else lines)]
            own = set() if first in ("leaf", "scalar") else {first}
        elif word in ("monomial", "polynomial"):
            inside = [i for i, _ in first]
            lines = sorted(f"{found[i]} {factor}" for i, factor in first)
            own = {"2^x"} if word == "polynomial" else set()
        else:
            inside = [i for exponent, monomial, _ in first for i in (exponent, monomial)] + more[0]
            lines = [f"{found[exponent]} {found[monomial]} {c}" for exponent, monomial, c in first]
            lines = [*sorted(lines), "/", *sorted(found[i] for i in more[0])]
        if any(not 0 <= i < len(found) for i in inside):
            raise ValueError("a part is out of order")
        found.append(hashlib.sha256("\n".join((word, *lines)).encode()).hexdigest())
        made_of.append(frozenset(own).union(*(made_of[i] for i in inside)))
    return found, made_of

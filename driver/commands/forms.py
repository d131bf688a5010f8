"""Classes of `canon` as plain facts and as readable formulas: both normal forms of each, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from volta_pipe.driver.elements import Shapes, by_shape, element_name

OUTCOMES = {
    "identical": "the two expressions are the same tree",
    "equal": "the two normal forms are equal",
    "cases": "equal in each case of their comparisons and maxima",
    "differ": "the two normal forms differ",
    "undecidable": "not decided",
}
_WIDEST = 400  # characters of a formula
_SPACES = re.compile(r"\s+")


def class_facts(canonical: Any, one: Any, shapes: Shapes) -> dict[str, Any]:
    """A class: its representative (`like`), how many members, the nodes of its two expressions, the outcome and why, and the
    normal forms by side (absent where there are none; cut where they are long). Equal forms are one number of the table, so
    `same` says whether they are one."""
    forms = {
        side: form_text(canonical, number, shapes)
        for side, number in zip(("reference", "candidate"), one.forms, strict=True)
        if number
    }
    return {
        "like": element_name(canonical.tensors[int(one.tensors[0])], int(one.elements[0]), shapes),
        "members": len(one.elements),
        "nodes": list(one.sizes),
        "outcome": one.outcome,
        "why": by_shape(one.why, shapes),
        "forms": forms,
        "same": bool(one.forms[0]) and one.forms[0] == one.forms[1],
    }


def form_text(canonical: Any, number: int, shapes: Shapes) -> str:
    """A normal form with its inputs by index, at most some lines long."""
    from volta_pipe.passes.canon.show import show

    text: str = _SPACES.sub(" ", by_shape(show(canonical, number), shapes))
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


def outcome_text(found: Mapping[str, Any]) -> str:
    """What became of a class, in words."""
    return OUTCOMES.get(found["outcome"], str(found["outcome"])) + (f": {found['why']}" if found["why"] else "")


def forms_text(found: Mapping[str, Any]) -> Iterator[str]:
    """The normal forms of a class; one line where both are the same."""
    if found["same"]:
        yield f"    both sides: {found['like']} = {found['forms']['reference']}"
        return
    for side in ("reference", "candidate"):
        if side in found["forms"]:
            yield f"    {side}: {found['like']} = {found['forms'][side]}"


def members_of(one: Any, tensors: Sequence[str]) -> dict[str, list[int]]:
    """The members of a class by tensor, as row-major element numbers."""
    return {tensors[number]: one.elements[one.tensors == number].tolist() for number in sorted({*one.tensors.tolist()})}

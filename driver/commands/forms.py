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
_MORE = (16, 128, 1024, 8192)  # terms of sums that are looked at where the first few are the same on both sides
_LEFT = re.compile(r"… \d+ (?:terms|more)")  # what was left out of a sum or of arguments
_SPACES = re.compile(r"\s+")


def class_facts(canonical: Any, one: Any, shapes: Shapes) -> dict[str, Any]:
    """A class: its representative (`like`), how many members, the nodes of its two expressions, the outcome and why, and the
    normal forms by side (absent where there are none; cut where they are long; where they are the
    same up to the cut, from the first term on in which they differ). Equal forms are one number of the table, so
    `same` says whether they are one."""
    forms = {
        side: form_text(canonical, number, shapes)
        for side, number in zip(("reference", "candidate"), one.forms, strict=True)
        if number
    }
    if len(forms) == len({*one.forms}) == 2 and len({_LEFT.sub("…", text) for text in forms.values()}) == 1:
        forms = dict(zip(forms, _from_difference(canonical, one.forms, shapes), strict=True))
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
    return _cut(_whole(canonical, number, shapes))


def _whole(canonical: Any, number: int, shapes: Shapes, **terms: int) -> str:
    from volta_pipe.passes.canon.show import show

    return _SPACES.sub(" ", by_shape(show(canonical, number, **terms), shapes))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


def _from_difference(canonical: Any, forms: Sequence[int], shapes: Shapes) -> list[str]:
    """Two normal forms that read the same up to the cut, each from the term on in which they first differ; as they are where
    the difference lies deeper than formulas are shown."""
    for terms in _MORE:
        texts = [_LEFT.sub("…", _whole(canonical, number, shapes, terms=terms)) for number in forms]
        if texts[0] != texts[1]:
            shortest = min(map(len, texts))
            at = next((i for i in range(shortest) if texts[0][i] != texts[1][i]), shortest)
            start = max(texts[0].rfind(sign, 0, at) for sign in (" + ", " − "))
            return [_cut(text if start < 0 else f"…{text[start:]}") for text in texts]
    return [form_text(canonical, number, shapes) for number in forms]


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

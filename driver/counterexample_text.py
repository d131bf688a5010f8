"""A counterexample as text: the element, the inputs that matter, both values, and the two formulas."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

BRIEF = 8  # inputs that `run` shows; `explain` shows all


def counterexample_lines(found: Mapping[str, Any], *, full: bool) -> Iterator[str]:
    """Of a verdict document's counterexample."""
    inputs, matters = found["inputs"], set(found["matters"])
    yield "    counterexample (evaluated on both sides):"
    yield f"      element = {found['element']}"
    if outside := found["outside_range"]:
        yield f"      outside the contract's range: {_list(outside, full=full)}; nothing was found within it"
    first, others, rest = split(inputs, matters)
    if first:
        yield "      inputs that matter:"
        yield from _values(inputs, first, full=full)
    if others:
        yield "      inputs of which no change was seen to matter:"
        yield from _values(inputs, others, full=full)
    if not found["complete"]:
        yield "      more inputs may matter: the search for them ran out of its evaluations"
    if rest:
        yield f"      {all_zero(rest, found['element'], bool(first or others))}"
    yield f"      reference = {found['reference']}"
    yield f"      candidate = {found['candidate']}"
    for side, formula in found["formulas"].items():
        if formula:
            yield f"      formula of the {side} = {formula}"


def split(inputs: Mapping[str, str], matters: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """Inputs that matter (those that are not 0 first), others that are not 0, and the rest, which are 0."""
    first = [name for name in inputs if name in matters]
    first.sort(key=lambda name: inputs[name] == "0")
    others = [name for name, value in inputs.items() if name not in matters and value != "0"]
    return first, others, [name for name, value in inputs.items() if name not in matters and value == "0"]


def all_zero(rest: Sequence[str], element: str, others: bool) -> str:
    """The line for inputs that are 0 and do not matter."""
    return f"all {'other ' if others else ''}inputs that {element} depends on are 0 ({len(rest):,})"


def _values(inputs: Mapping[str, str], names: Sequence[str], *, full: bool) -> Iterator[str]:
    most = len(names) if full else BRIEF
    yield from (f"        {name} = {inputs[name]}" for name in names[:most])
    if len(names) > most:
        yield f"        … {len(names) - most} more"


def _list(names: Sequence[str], *, full: bool) -> str:
    most = len(names) if full else BRIEF
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")

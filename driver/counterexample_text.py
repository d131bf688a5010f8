"""A counterexample as text: the element, the inputs that matter, both values, and the two formulas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Any

BRIEF = 8  # lines of inputs that `run` shows; `explain` shows all
_FORMULA = 300  # characters of a formula that `run` shows
Box = tuple[tuple[int, int], ...]  # of each axis the first and the last index
_REST = re.compile(r"\.\.\d+")


def counterexample_lines(found: Mapping[str, Any], *, full: bool) -> Iterator[str]:
    """Of a verdict document's counterexample."""
    inputs, matters = found["inputs"], set(found["matters"])
    if found.get("computed"):
        yield from _computed(found, full=full)
        return
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
            cut = "" if full or len(formula) <= _FORMULA else " … (volta-pipe explain shows all)"
            yield f"      formula of the {side} = {formula[: None if full else _FORMULA]}{cut}"


def _computed(found: Mapping[str, Any], *, full: bool) -> Iterator[str]:
    """Of a dynamic test: what is not listed is 0, or the nearest to it in the contract's range."""
    inputs = found["inputs"]
    yield f"    counterexample (a run of both sides, found with inputs of kind {found['computed']}):"
    yield f"      element = {found['element']}"
    if inputs:
        cut = "" if found["complete"] else " (some may not: the search for them was cut short)"
        yield f"      inputs that matter{cut}:"
        yield from _values(inputs, list(inputs), full=full)
    yield f"      all {'other ' * bool(inputs)}inputs are 0, or the nearest to it in their range"
    yield f"      reference = {found['reference']}"
    yield f"      candidate = {found['candidate']}"


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
    spans = spans_of(inputs, names)
    most = len(spans) if full else BRIEF
    for name, count in spans[:most]:
        yield f"        {name} = {inputs[first_of(name)]}" + (f"   ({count:,} inputs)" if count > 1 else "")
    if left := sum(count for _, count in spans[most:]):
        yield f"        … {left:,} more"


def _list(names: Sequence[str], *, full: bool) -> str:
    spans = spans_of(dict.fromkeys(names, ""), names)
    most = len(spans) if full else BRIEF
    left = sum(count for _, count in spans[most:])
    return ", ".join(name for name, _ in spans[:most]) + (f" and {left:,} more" if left else "")


def spans_of(inputs: Mapping[str, str], names: Sequence[str]) -> list[tuple[str, int]]:
    """Elements with one value and neighbouring indices as one: (`x[0..63]`, 64), or (`x[0..3,0..15]`, 64) where all rows are
    alike; others as they are, with 1. In the order of the names."""
    boxes: list[tuple[str, Box, str]] = []
    for name in names:
        tensor, _, index = name.partition("[")
        box = tuple((int(i), int(i)) for i in index[:-1].split(",")) if index else ()
        boxes.append((tensor, box, inputs[name]))
    for axis in range(max((len(box) for _, box, _ in boxes), default=0) - 1, -1, -1):
        joined: list[tuple[str, Box, str]] = []
        for tensor, box, value in boxes:
            if joined and axis < len(box) and _follows(joined[-1], (tensor, box, value), axis):
                last = joined[-1][1]
                box = (*last[:axis], (last[axis][0], box[axis][1]), *last[axis + 1 :])
                joined.pop()
            joined.append((tensor, box, value))
        boxes = joined
    return [(_spelled(tensor, box), prod(high - low + 1 for low, high in box)) for tensor, box, _ in boxes]


def _follows(before: tuple[str, Box, str], after: tuple[str, Box, str], axis: int) -> bool:
    """Whether two boxes are one: alike but for an axis, on which the second begins where the first ends."""
    (tensor, box, value), (other, next_box, other_value) = before, after
    if (tensor, value, len(box)) != (other, other_value, len(next_box)):
        return False
    return all(a == b if i != axis else a[1] + 1 == b[0] for i, (a, b) in enumerate(zip(box, next_box, strict=True)))


def _spelled(tensor: str, box: Box) -> str:
    index = ",".join(str(low) if low == high else f"{low}..{high}" for low, high in box)
    return f"{tensor}[{index}]" if box else tensor


def first_of(span: str) -> str:
    """The first element of a span: `x[0,3]` of `x[0..3,3..5]`."""
    return _REST.sub("", span)

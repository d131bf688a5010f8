"""`diff` of two graphs of `vc` or `trace`: output elements whose expressions differ, and where the first of them do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.expressions import ExpressionChanges, expression_changes, first_difference
from volta_pipe.driver.changes.numbering import Numbering, numbering
from volta_pipe.driver.changes.words import many
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.commands.formula import formula_of
from volta_pipe.driver.elements import Shapes, element_name

MOST = 3  # elements of a tensor that are shown
_NODES = 40  # of a formula; of a larger one only the part that differs is shown, and cut where that is larger


def facts(left: Side, right: Side) -> dict[str, Any]:
    """`outputs`: by tensor, how many elements `differ`, are written only by + (`come`) or by - (`gone`), of how many, and the
    first that differ: their formulas (null where they are large), and the first parts that differ, with how many operators
    lie around them (`depth`); `other`: names of what else differs; and as `shapes_apart` has it. Elements are spelled by the
    shapes of their own side."""
    old, new = left.value(), right.value()
    numbers = numbering(left.known_shapes(old.tensors), right.known_shapes(new.tensors))
    found = expression_changes(old, new, numbers)
    shapes = {"-": numbers.names("old"), "+": numbers.names("new")}
    outputs = []
    for one in found.outputs:
        counts = {"differ": len(one.differ), "come": len(one.come), "gone": len(one.gone), "written": one.written}
        first = [_element(found, one.tensor, int(flat), shapes) for flat in one.differ[:MOST]]
        only = {
            word: [element_name(one.tensor, int(f), shapes[sign]) for f in column[:MOST]]
            for word, sign, column in (("come", "+", one.come), ("gone", "-", one.gone))
        }
        outputs.append({"tensor": one.tensor, **counts, "first": first, "first_come": only["come"], "first_gone": only["gone"]})
    return {"outputs": outputs, "other": list(found.other), **shapes_apart(numbers)}


def shapes_apart(numbers: Numbering) -> dict[str, Any]:
    """`shapes`: of each tensor that has one in - and another in +, both; `row_by_row`: those of them whose elements correspond
    by their row-major numbers, as there is no common shape. Nothing where all shapes are equal."""
    both = {name: [list(numbers.old[name]), list(numbers.new[name])] for name in (*numbers.common, *numbers.apart)}
    return {"shapes": both, "row_by_row": list(numbers.apart)} if both else {}


def shapes_text(found: Mapping[str, Any]) -> Iterator[str]:
    """A line for each tensor of two shapes."""
    for name, (old, new) in found.get("shapes", {}).items():
        how = "row-major number" if name in found["row_by_row"] else "index"
        yield f"{name} has shape {old} in - and {new} in +: its elements correspond by {how}"


def _element(found: ExpressionChanges, tensor: str, flat: int, shapes: Mapping[str, Shapes]) -> dict[str, Any]:
    names = {sign: element_name(tensor, flat, shapes[sign]) for sign in "-+"}
    name = names["-"] if names["-"] == names["+"] else f"{names['-']} and {names['+']}"
    roots = int(found.old[tensor][flat]), int(found.new[tensor][flat])
    *parts, depth = first_difference(found.both, *roots)
    conditions = found.side("old")  # the graph and the names are common
    shown: dict[str, Any] = {"element": name, "depth": depth}
    for sign, root, part in zip("-+", roots, parts, strict=True):
        whole = list(formula_of(conditions, shapes[sign], root, names[sign], _NODES))
        small = not whole[-1].startswith("(cut")
        inner = list(formula_of(conditions, shapes[sign], part, "", _NODES))
        shown[sign] = {"formula": whole if small else None, "part": inner}
    return shown


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """Counts by tensor, then formulas with - and +."""
    yield from shapes_text(found)
    for word in found["other"]:
        yield f"the {word} differ"
    for one in found["outputs"]:
        both = one["written"] - one["come"] - one["gone"]
        if one["differ"]:
            have = "has" if one["differ"] == 1 else "have"
            yield f"{one['tensor']}: {one['differ']:,} of {both:,} elements {have} another expression"
        else:
            yield f"{one['tensor']}: all {both:,} elements that both write have the same expressions"
        for word, sign in (("come", "+"), ("gone", "-")):
            if one[word]:
                names = ", ".join([*one[f"first_{word}"], *["…"] * (one[word] > MOST)])
                yield f"  {one[word]:,} that only {sign} writes: {names}"
        for element in one["first"]:
            yield from _shown(element)


def _shown(element: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {element['element']}"
    whole = element["-"]["formula"] and element["+"]["formula"]
    if whole:
        for sign in "-+":
            yield from (f"  {sign}   {line}" for line in element[sign]["formula"])
    if element["depth"]:
        yield f"    where they first differ, {many(element['depth'], 'operator')} inside:"
    if element["depth"] or not whole:
        for sign in "-+":
            yield from (f"  {sign}   {line}" for line in element[sign]["part"])

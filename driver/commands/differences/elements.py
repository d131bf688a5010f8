"""`diff` of two graphs of `vc` or `trace`: output elements whose expressions differ, and where the first of them do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.expressions import ExpressionChanges, expression_changes, first_difference
from volta_pipe.driver.changes.words import many
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.commands.formula import formula_of
from volta_pipe.driver.elements import Shapes, element_name

MOST = 3  # elements of a tensor that are shown
_NODES = 40  # of a formula; of a larger one only the part that differs is shown, and cut where that is larger


def facts(left: Side, right: Side) -> dict[str, Any]:
    """`outputs`: by tensor, how many elements `differ`, are written only by + (`come`) or by - (`gone`), of how many, and the
    first that differ: their formulas (null where they are large), and the first parts that differ, with how many operators
    lie around them (`depth`); `other`: names of what else differs; `reshaped`: tensors whose shapes differ, with both shapes:
    their elements are matched by number, row by row, and each side's formulas have its own indices."""
    found = expression_changes(left.value(), right.value())
    both = left.known_shapes(found.tensors), right.known_shapes(found.tensors)
    reshaped = {name: [[*one[name]] for one in both] for name in both[0] if both[0][name] != both[1].get(name, both[0][name])}
    outputs = []
    for one in found.outputs:
        counts = {"differ": len(one.differ), "come": len(one.come), "gone": len(one.gone), "written": one.written}
        first = [_element(found, one.tensor, int(flat), both) for flat in one.differ[:MOST]]
        only = {
            word: [element_name(one.tensor, int(f), shapes) for f in column[:MOST]]
            for word, column, shapes in (("come", one.come, both[1]), ("gone", one.gone, both[0]))
        }
        outputs.append({"tensor": one.tensor, **counts, "first": first, "first_come": only["come"], "first_gone": only["gone"]})
    return {"outputs": outputs, "other": list(found.other), "reshaped": reshaped}


def _element(found: ExpressionChanges, tensor: str, flat: int, both: tuple[Shapes, Shapes]) -> dict[str, Any]:
    names = [element_name(tensor, flat, shapes) for shapes in both]
    roots = int(found.old[tensor][flat]), int(found.new[tensor][flat])
    *parts, depth = first_difference(found.both, *roots)
    conditions = found.side("old")  # the graph and the names are common
    shown: dict[str, Any] = {"element": " / ".join(dict.fromkeys(names)), "depth": depth}
    for sign, name, shapes, root, part in zip("-+", names, both, roots, parts, strict=True):
        whole = list(formula_of(conditions, shapes, root, name, _NODES))
        small = not whole[-1].startswith("(cut")
        shown[sign] = {"formula": whole if small else None, "part": list(formula_of(conditions, shapes, part, "", _NODES))}
    return shown


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """Counts by tensor, then formulas with - and +."""
    for name, shapes in found["reshaped"].items():
        old, new = ("x".join(map(str, shape)) for shape in shapes)
        yield f"{name} is {old} in - and {new} in +: its elements are matched by number, row by row"
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

"""`diff` of two artifacts of `canon`: classes by their members, outcomes and normal forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.classes import class_changes
from volta_pipe.driver.changes.numbering import numbering
from volta_pipe.driver.changes.words import many
from volta_pipe.driver.commands.differences.elements import shapes_apart, shapes_text
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.commands.forms import class_facts, outcome_text

MOST = 8  # classes of a kind that are shown


def facts(left: Side, right: Side) -> dict[str, Any]:
    """`changed`: classes of - and + that belong together, and the ways in which they differ; `removed`, `added`; `unchanged`:
    how many are as before; `other`: names of what else differs; and as `elements.shapes_apart` has it."""
    old, new = left.value(), right.value()
    numbers = numbering(left.known_shapes(old.tensors), right.known_shapes(new.tensors))
    found = class_changes(old, new, numbers)

    def before(number: int) -> dict[str, Any]:
        return class_facts(old, old.classes[number], numbers.old)

    def after(number: int) -> dict[str, Any]:
        return class_facts(new, new.classes[number], numbers.new)

    pairs = zip(found.changed, found.ways, strict=True)
    changed = [{"ways": list(ways), "-": before(a), "+": after(b)} for (a, b), ways in pairs]
    alone = {"removed": [before(n) for n in found.removed], "added": [after(n) for n in found.added]}
    return {
        "classes": [len(old.classes), len(new.classes)],
        "unchanged": found.same,
        "changed": changed,
        **alone,
        "other": list(found.other),
        **shapes_apart(numbers),
    }


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """Counts, then each class with - and +."""
    old, new = found["classes"]
    counts = ", ".join(f"{len(found[word]):,} {word}" for word in ("changed", "added", "removed") if found[word])
    yield f"classes: {counts or 'none differs'}, of {old:,} in - and {new:,} in +"
    yield from shapes_text(found)
    yield from (f"the {word} differ" for word in found["other"])
    for change in found["changed"][:MOST]:
        yield f"class like {change['+']['like']}: other {', '.join(change['ways'])}"
        for sign in "-+":
            yield from _class(sign, change[sign])
    for word, sign in (("removed", "-"), ("added", "+")):
        for one in found[word][:MOST]:
            yield f"class like {one['like']}: {word}"
            yield from _class(sign, one)
    left = sum(max(len(found[word]) - MOST, 0) for word in ("changed", "removed", "added"))
    if left:
        yield f"… {many(left, 'more class').replace('classs', 'classes')}"


def _class(sign: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {sign} {many(one['members'], 'element')}, {one['nodes'][0]:,} and {one['nodes'][1]:,} nodes: {outcome_text(one)}"
    for side in ("reference", "candidate"):
        if one["forms"].get(side):
            yield f"  {sign}   {side}: {one['forms'][side]}"

"""`diff` of two modules of `lower`: operations in the order of the kernel, with their lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.operations import Item, operation_changes
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.findings import place_of
from volta_pipe.driver.places import where
from volta_pipe.ir.lines import LineTable

_WIDEST = 160  # characters of a line outside of the kernel's body


def facts(left: Side, right: Side) -> dict[str, Any]:
    """`changes`: of each place, the operation of - and of + (text, PTX line, source), one of them null where it was added or
    removed; `head`: lines outside of the kernel's body; heads of blocks (^bb2) count as places and not as operations."""
    found = operation_changes(left.value(), right.value(), left.lines, right.lines)
    changes = [{"-": _operation(old, left.lines), "+": _operation(new, right.lines)} for old, new in found.pairs]
    counts = {"operations": [found.old.operations, found.new.operations], "differ": found.count}
    return {**counts, "head": list(found.head), "changes": changes}


def _operation(item: Item | None, lines: LineTable | None) -> dict[str, Any] | None:
    return None if item is None else {"text": item.text, **place_of(lines, item.index)}


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """Lines with - and +, each behind its own place: that of - in the PTX of -."""
    old, new = found["operations"]
    yield f"operations: {found['differ']:,} changed, added or removed, of {old:,} in - and {new:,} in +"
    yield from (line if len(line) <= _WIDEST else f"{line[:_WIDEST]}…" for line in found["head"])
    last = ""
    for change in found["changes"]:
        for sign in "-+":
            one = change[sign]
            if one is None:
                continue
            at = f"at {where(one)}" if one["ptx_line"] else "without a line of the PTX"
            if at != last and not (last == "" and not one["ptx_line"]):
                yield at
                last = at
            yield f"  {sign} {one['text']}"

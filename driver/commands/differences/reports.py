"""`diff` of two reports of `check`, `decide` or `dynamic`: what came and what went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.lines import place
from volta_pipe.driver.changes.reports import check_changes, decide_changes, dynamic_changes
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.elements import by_shape, short, tight
from volta_pipe.driver.findings import place_of, source_name
from volta_pipe.driver.places import where
from volta_pipe.driver.stage_summaries import plain
from volta_pipe.ir.findings import Finding
from volta_pipe.ir.lines import LineTable

MOST = 8  # items of a list that are shown


def facts(left: Side, right: Side) -> dict[str, Any]:
    """`lists`: of each list of the report that differs, what is `gone` and what has `come`: texts, or findings with their
    places."""
    old, new = left.value(), right.value()
    if left.stage == "check":
        found = check_changes(old, new, lambda i: place(left.lines, i), lambda i: place(right.lines, i))
    else:
        spelled = (_spelled(left), _spelled(right))
        found = (decide_changes if left.stage == "decide" else dynamic_changes)(old, new, *spelled)

    def item(one: Any, side: Side) -> Any:
        if isinstance(one, Finding):
            return _finding(one, side.lines)
        return one

    lists = {one.what: {"gone": [item(i, left) for i in one.gone], "come": [item(i, right) for i in one.come]} for one in found}
    return {"lists": lists}


def _spelled(side: Side) -> Callable[[str], str]:
    """How a text of a report reads with elements by index, where their shapes are known."""
    return lambda text: short(by_shape(text, side.shapes)) if side.shapes else text


def _finding(finding: Finding, lines: LineTable | None) -> dict[str, Any]:
    accesses = [{**plain(access), **place_of(lines, access.instruction)} for access in finding.accesses]
    message = tight(finding.message.replace(finding.name, source_name(finding.name)) if finding.name else finding.message)
    return {"kind": finding.kind, "count": finding.count, "message": message, "accesses": accesses}


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """List by list, with - and +."""
    if not found["lists"]:
        yield "what they say is the same: only counts, or numbers of instructions, differ (--raw compares every column)"
    for what, one in found["lists"].items():
        yield f"{what}:"
        for sign, items in (("-", one["gone"]), ("+", one["come"])):
            for item in items[:MOST]:
                yield from _item(sign, item)
            if len(items) > MOST:
                yield f"  {sign} … {len(items) - MOST:,} more"


def _item(sign: str, item: Any) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"  {sign} {item}"
        return
    times = f" ×{item['count']:,}" if item["count"] > 1 else ""
    yield f"  {sign} {item['kind']}{times}: {item['message']}"
    for access in item["accesses"][:2]:
        yield f"  {sign}   {access['action']} by thread {access['thread']} at {where(access)}"

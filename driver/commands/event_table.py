"""The event table of `check` in words: each finding with who took part and where, remarks, notes, assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.changes.words import many
from volta_pipe.driver.commands.documents import events
from volta_pipe.driver.commands.summaries import checked_text
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.places import where

MOST = 20  # findings, and remarks
_WHO = 2  # accesses of one


def check_text(report: Any, summary: Mapping[str, Any], one: Combination, engine: Engine, side: str) -> Iterator[str]:
    """What was checked (`report`), then event by event (its `summary`)."""
    yield checked_text(report)
    shown = {"finding": 0, "remark": 0}
    for event in events(summary, one, engine, side):
        word = event["event"]
        if word in shown:
            shown[word] += 1
            if shown[word] <= MOST:
                yield from _event(event)
        else:
            yield f"  note: {event['message']}" if word == "note" else f"assuming: {event['message']}"
    for word, count in shown.items():
        if count > MOST:
            yield f"  … and {many(count - MOST, f'{word} more').removesuffix('s')}"
    if report.findings:
        yield "more: volta-pipe explain shows how they came about"


def _event(event: Mapping[str, Any]) -> Iterator[str]:
    kind = "no fault" if event["event"] == "remark" else event["kind"]
    times = f" ×{event['count']:,}" if event["count"] > 1 else ""
    yield f"  {kind}{times}: {event['message']}"
    for access in event["accesses"][:_WHO]:
        cta = ",".join(map(str, access["cta"]))
        thread = f"thread {access['thread']}" if access["thread"] >= 0 else "a thread"
        yield f"    {access['action']} by {thread} of CTA ({cta}) at {where(access)}"
    left = len(event["accesses"]) - _WHO
    if left > 0:
        yield f"    and {many(left, 'other')}"

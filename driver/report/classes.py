"""Classes of output elements and their normal forms, from the artifacts of `canon` and `decide`: for the curious."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from volta_pipe.driver.commands.forms import OUTCOMES
from volta_pipe.driver.commands.summaries import summary
from volta_pipe.driver.elements import Shapes, by_shape, element_name
from volta_pipe.driver.findings import shapes
from volta_pipe.driver.session import Session

MOST_COMBINATIONS = 3
MOST_CLASSES = 12
_WIDEST = 1500  # characters of a formula


def classes(session: Session) -> list[dict[str, Any]]:
    """For the first combinations that were compared: `dims`, `classes` (`elements`, the `first` of them, `outcome` in words,
    `why`, the `forms` of both sides), how many are `left`, and `decided`: what `inspect decide` says."""
    found: list[dict[str, Any]] = []
    for one in session.combinations:
        canon, decide = one.steps.get(("both", "canon")), one.steps.get(("both", "decide"))
        if canon is None or canon.error or not canon.stored:
            continue
        if len(found) == MOST_COMBINATIONS:
            break
        known = shapes(one)
        value = session.engine.value(canon)
        rows = list(_classes(value, known))
        decided = list(summary("decide", session.engine.value(decide), known)) if decide is not None and decide.stored else []
        canon.release()
        if decide is not None:
            decide.release()
        left = len(value.classes) - len(rows)
        decided = [line for line in decided if not line.startswith(("more:", "assuming:"))]
        found.append({"dims": one.plan.dims, "classes": rows, "left": left, "decided": decided})
    return found


def _classes(canonical: Any, known: Shapes) -> Iterator[dict[str, Any]]:
    from volta_pipe.passes.canon.show import show

    for one in canonical.classes[:MOST_CLASSES]:
        first = element_name(canonical.tensors[int(one.tensors[0])], int(one.elements[0]), known)
        forms = [_short(by_shape(show(canonical, number, terms=8), known)) if number else "" for number in one.forms]
        yield {
            "elements": len(one.elements),
            "first": first,
            "outcome": OUTCOMES.get(one.outcome, one.outcome),
            "why": by_shape(one.why, known),
            "nodes": [int(size) for size in one.sizes],
            "forms": dict(zip(("reference", "candidate"), forms, strict=True)),
        }


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[:_WIDEST] + " …"

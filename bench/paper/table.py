"""The table of the evaluation, for the terminal and for docs/paper.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.paper.rows import MOST_MEMORY, Range, Row
from bench.paper.running import Outcome

HEAD = (
    "row",
    "verdict",
    "VCs",
    "instr",
    "safety s",
    "proof s",
    "wall s",
    "peak MB",
    "paper gen s",
    "paper all s",
    "Volta s",
    "ratio",
    "limit s",
)
Result = tuple[Row, Outcome]


def cells(row: Row, one: Outcome) -> tuple[str, ...]:
    """One row, in the order of HEAD. ratio: seconds of the public Volta on two cores over our wall seconds."""
    paper, volta, allowed = row.paper, row.volta, row.seconds_allowed()
    verdict = " ".join([one.verdict, *one.kinds])
    return (
        row.title,
        verdict if one.as_expected(row) else f"{verdict} (expected {row.expect})",
        f"{one.outputs:,}" if one.outputs else "",
        _count(one.steps),
        f"{one.safety:.2f}",
        f"{one.proof:.2f}" if one.outputs else "",
        f"{one.wall:.2f}",
        f"{one.peak / 1e6:.0f}",
        _span(paper.gen if paper else None),
        _span(paper.all if paper else None),
        f"{volta.seconds:.0f}" if volta else "",
        f"{volta.seconds / one.wall:.0f}" if volta else "",
        f"{allowed:.1f}" if allowed else "",
    )


def shortfalls(results: Sequence[Result]) -> list[str]:
    """What does not hold: a verdict, a limit of seconds, the limit of memory."""
    found = []
    for row, one in results:
        allowed = row.seconds_allowed()
        if not one.as_expected(row):
            found.append(f"{row.name}: {one.verdict}, expected {row.expect}")
        if allowed is not None and one.wall > allowed:
            found.append(f"{row.name}: {one.wall:.2f} s, at most {allowed:.2f} s")
        if one.peak > MOST_MEMORY:
            found.append(f"{row.name}: {one.peak / 1e6:.0f} MB, at most {MOST_MEMORY / 1e6:.0f} MB")
    return found


def text_lines(results: Sequence[Result]) -> Iterator[str]:
    """For the terminal, columns aligned."""
    table = [HEAD, *(cells(row, one) for row, one in results)]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEAD))]
    for line in table:
        left = "  ".join(cell.ljust(width) for cell, width in zip(line[:2], widths[:2], strict=True))
        right = "  ".join(cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True))
        yield f"{left}  {right}".rstrip()


def markdown_lines(results: Sequence[Result]) -> Iterator[str]:
    """Two tables, the paper's rows and the others."""
    for beyond, title in ((False, "## The paper's rows"), (True, "## Beyond the paper")):
        chosen = [(row, one) for row, one in results if (row.paper is None) == beyond]
        # A column in which nothing stands is left out.
        lines = [cells(row, one) for row, one in chosen]
        shown = [i for i in range(len(HEAD)) if any(line[i] for line in lines)]
        yield from ("", title, "")
        yield "| " + " | ".join(HEAD[i] for i in shown) + " |"
        yield "|" + "|".join("---" if i < 2 else "--:" for i in shown) + "|"
        for line in lines:
            yield "| " + " | ".join(line[i] for i in shown) + " |"


def _count(steps: int) -> str:
    return f"{steps / 1e6:.1f} M" if steps >= 1e6 else f"{steps / 1e3:.1f} k"


def _span(given: Range | None) -> str:
    if given is None:
        return ""
    low, high = (f"{value:g}" for value in given)
    return low if low == high else f"{low}–{high}"

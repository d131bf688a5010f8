"""`python -m bench.paper`: the evaluation of "Equivalence Checking of ML GPU Kernels" on our own kernels, and rows beyond it.

Each row is run from PTX to verdict in new processes with empty stores and compiled code at hand; medians are shown. Without
`--row` the tables go to docs/paper.md, too. Ends with 1 where a verdict is not the expected one; slowness is only told."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from bench.choosing import chosen
from bench.paper.document import document
from bench.paper.rows import rows
from bench.paper.running import RUNS, measure
from bench.paper.table import Result, shortfalls, text_lines
from bench.runs import ROOT

TARGET = ROOT / "docs" / "paper.md"


def main(
    row: Annotated[list[str], typer.Option(help="only this row; may be given several times")] = [],  # noqa: B006 (typer copies it)
    runs: Annotated[int, typer.Option(min=1, help="runs of each row of the paper, of which the medians are shown")] = RUNS,
) -> None:
    """Runs the rows, prints the tables, and writes docs/paper.md."""
    todo, results = chosen(row, rows(), "--row"), []
    start = time.perf_counter()
    measure(todo[0], runs=1)  # loads the compiled code
    with typer.progressbar(todo, item_show_func=lambda one: one.name if one else "", file=sys.stderr) as bar:
        for one in bar:
            results.append((one, measure(one, runs if one.paper is not None or row else 1)))
    print(*text_lines(results), sep="\n")
    _tell(results, time.perf_counter() - start, runs, write=not row)
    if not all(outcome.as_expected(one) for one, outcome in results):
        raise typer.Exit(1)


def _tell(results: list[Result], seconds: float, runs: int, *, write: bool) -> None:
    short = shortfalls(results)
    print(f"\n{len(results)} rows, {seconds:.0f} s in all; over a limit: {len(short)}", *short, sep="\n  ")
    if write:
        TARGET.write_text(document(results, seconds, runs))
        print(f"written: {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    typer.run(main)

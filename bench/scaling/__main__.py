"""`python -m bench.scaling`: how seconds and memory grow with K, keys, threads and CTAs, and where the time goes.

Without `--study` the figures go to docs/scaling.md and its plots, too. Ends with a message where a verdict is not `equivalent`;
slowness is only told."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from bench.choosing import chosen
from bench.runs import ROOT
from bench.scaling.document import Studied, document, plot_name, slope_lines
from bench.scaling.measuring import LIMIT, RUNS, Curve, curve
from bench.scaling.plots import plot
from bench.scaling.profiling import profile
from bench.scaling.studies import STUDIES, Series

DOCS = ROOT / "docs"


def main(
    study: Annotated[list[str], typer.Option(help="only this study; may be given several times")] = [],  # noqa: B006 (typer copies it)
    runs: Annotated[int, typer.Option(min=1, help="runs of the two largest sizes, of which the medians are shown")] = RUNS,
    limit: Annotated[float, typer.Option(help="seconds of a process, after which a series ends")] = LIMIT,
) -> None:
    """Measures the studies, prints tables and slopes, and writes docs/scaling.md and docs/scaling-*.svg."""
    todo = chosen(study, STUDIES, "--study")
    import matplotlib  # noqa: F401 (said now where it is missing, not after six minutes)

    start, studied = time.perf_counter(), []
    for one in todo:
        curves = tuple(_measured(series, runs, limit) for series in one.series)
        profiles = tuple(profile(found.series, found.points[-1].size) for found in curves)
        studied.append(Studied(one, curves, profiles))
    text = document(studied, time.perf_counter() - start, runs)
    if study:
        print(text)
        return
    (DOCS / "scaling.md").write_text(text)
    for found in studied:
        plot(found.study, found.curves, DOCS / plot_name(found.study))
    print(*slope_lines([one for found in studied for one in found.curves]), sep="\n")
    print("written: docs/scaling.md and its plots")


def _measured(series: Series, runs: int, limit: float) -> Curve:
    found = curve(series, runs, limit, lambda size: print(f"{series.name}, {size} …", file=sys.stderr))
    if not found.points:
        raise SystemExit(f"{series.name}: {series.sizes[0]} took over {limit:g} s")
    return found


if __name__ == "__main__":
    typer.run(main)

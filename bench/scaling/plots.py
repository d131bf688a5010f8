"""docs/scaling-NAME.svg: seconds and memory of a study, on logarithmic axes. The same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.scaling.measuring import Curve
from bench.scaling.studies import Study

# Colours that are told apart without red and green (Okabe and Ito); a white ground, for dark pages, too.
_LINES = (("wall", "#555555"), ("vc … decide", "#D55E00"), ("unroll + check", "#0072B2"))
_MEMORY, _GUIDE = "#009E73", "#BBBBBB"
_STYLES = (("-", "o"), ("--", "s"))  # by series
_SETTINGS = {
    "svg.hashsalt": "volta-pipe",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "figure.facecolor": "white",
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "axes.axisbelow": True,
}


def plot(study: Study, curves: Sequence[Curve], target: Path) -> None:
    """Writes the plot of a study's curves."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib.figure import Figure

    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(9.5, 3.9), layout="constrained")
        seconds, memory = figure.subplots(1, 2)
        for curve, style in zip(curves, _STYLES, strict=False):
            _draw(curve, style, seconds, memory, f", {curve.series.name}" if len(curves) > 1 else "")
        _finish(seconds, study, curves, "seconds")
        _finish(memory, study, curves, "peak memory, MB")
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.read_text()
    target.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def _draw(curve: Curve, style: tuple[str, str], seconds: Any, memory: Any, suffix: str) -> None:
    sizes = [point.size for point in curve.points]
    last = curve.points[-1]
    guide = [last.seconds * point.outcome.steps / last.outcome.steps for point in curve.points]
    label = "stages, if proportional to instructions" if style == _STYLES[0] else None
    seconds.plot(sizes, guide, color=_GUIDE, linestyle=":", label=label)
    values = (
        [p.outcome.wall for p in curve.points],
        [p.outcome.proof for p in curve.points],
        [p.outcome.safety for p in curve.points],
    )
    for (name, colour), line in zip(_LINES, values, strict=True):
        seconds.plot(sizes, line, color=colour, linestyle=style[0], marker=style[1], markersize=4, label=name + suffix)
    peaks = [point.outcome.peak / 1e6 for point in curve.points]
    memory.plot(sizes, peaks, color=_MEMORY, linestyle=style[0], marker=style[1], markersize=4, label=f"peak{suffix}")


def _finish(axes: Any, study: Study, curves: Sequence[Curve], what: str) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    sizes = sorted({size for curve in curves for size in curve.series.sizes})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(sizes[0] * 0.85, sizes[-1] * 1.18)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}" if f"{value:.0e}"[0] in "25" else ""))
    if what != "seconds":
        axes.set_ylim(100, None)
    axes.set_xlabel(study.axis)
    axes.set_ylabel(what)
    axes.legend(fontsize=7, loc="upper left", framealpha=0.9)

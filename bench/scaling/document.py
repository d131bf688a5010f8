"""docs/scaling.md: what was measured and on what, a table and a plot for each study, the slopes, and where time goes."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.paper.document import machine
from bench.runs import ROOT
from bench.scaling.measuring import MOST, Curve
from bench.scaling.profiling import Profile
from bench.scaling.studies import Study

_INTRO = """# How time and memory grow

Made by `make bench-scaling` (`python -m bench.scaling`), with its plots."""

_MEASURED = """
Each size of a study is run from PTX to verdict in a new process with an empty store and compiled code at hand. All output
elements are proved equal. The figures of the two largest sizes of a series are medians of {runs} runs, the others of one.

* **instr**: executed thread-instructions of both kernels.
* **safety s**: seconds of `unroll` and `check`; **proof s**: of `vc`, `canon` and `decide`. Both are added up over the two
  sides, which run side by side, so that together they may be more than the wall seconds.
* **wall s**: the whole process; **peak MB**: its largest resident memory. Starting Python, loading the compiled code and
  reading the PTX take half a second and more, and 170 MB, at every size.
* **ns/instr**: safety and proof seconds over thread-instructions. Small sizes pay for loading the compiled code of the
  stages, which takes some tenths of a second at every size.
* **slope** of the last doubling: how many times safety and proof seconds grow, over how many times the thread-instructions
  grow. 1 is proportional; we allow ourselves at most {most:g}. Wall seconds are not used, as starting would hide growth."""

_PROFILE = """Seconds are those of the run above, added up over both sides; with `lower`, which reads the PTX. The functions
are those with the most time of their own in another run under cProfile, after one at the smallest size that loaded everything,
each with its part of the stage's time there. cProfile slows Python's functions and leaves compiled ones as they are, so it
shows where to look, not how long it takes. A compiled function counts as one, with all that it calls."""

_HEAD = ("instr", "outputs", "safety s", "proof s", "wall s", "peak MB", "ns/instr")


@dataclass(frozen=True)
class Studied:
    """A study with its measured curves, and for each the profile at its largest size."""

    study: Study
    curves: tuple[Curve, ...]
    profiles: tuple[Profile, ...]


def plot_name(study: Study) -> str:
    """The file beside the document."""
    return f"scaling-{study.name}.svg"


def document(studied: Sequence[Studied], seconds: float, runs: int) -> str:
    """The whole text."""
    lines = [_INTRO, "", machine(), "", f"All of it took {seconds:.0f} s.", _MEASURED.format(runs=runs, most=MOST)]
    lines += ["", "## Slopes of the last doubling", "", *slope_lines([one for study in studied for one in study.curves])]
    for one in studied:
        lines += ["", f"## Against {one.study.axis}", "", *textwrap.wrap(one.study.about, 128, break_on_hyphens=False), ""]
        lines.append(f"![Seconds and peak memory against {one.study.axis}]({plot_name(one.study)})")
        for curve in one.curves:
            lines += ["", *_table(one.study, curve)]
    lines += ["", "## Where time goes at the largest size", "", _PROFILE]
    for one in studied:
        for curve, profile in zip(one.curves, one.profiles, strict=True):
            lines += ["", *_profile(one.study, curve, profile)]
    return "\n".join(lines) + "\n"


def slope_lines(curves: Sequence[Curve]) -> Iterator[str]:
    """A table, a line each curve; and what does not hold."""
    yield "| series | last doubling | instr | seconds | slope | |"
    yield "|---|---|--:|--:|--:|---|"
    for curve in curves:
        if curve.slope is None:
            yield f"| {curve.series.name} | fewer than two sizes measured | | | | |"
            continue
        small, large = curve.points[-2:]
        steps, seconds = large.outcome.steps / small.outcome.steps, large.seconds / small.seconds
        kept = "" if curve.slope <= MOST else f"over {MOST:g}"
        if curve.over is not None:
            kept = ", ".join(filter(None, (kept, f"{curve.over:,} took over {curve.limit:g} s")))
        grown = f"{small.size:,} to {large.size:,} | × {steps:.2f} | × {seconds:.2f}"
        yield f"| {curve.series.name} | {grown} | {curve.slope:.2f} | {kept} |"


def _table(study: Study, curve: Curve) -> Iterator[str]:
    contract = os.path.relpath(curve.series.contract, ROOT / "docs")
    yield f"{curve.series.name[:1].upper()}{curve.series.name[1:]} ([contract]({contract})):"
    yield ""
    yield f"| {study.axis} | " + " | ".join(_HEAD) + " |"
    yield "|--:" * (len(_HEAD) + 1) + "|"
    for point in curve.points:
        one = point.outcome
        cells = (
            f"{point.size:,}",
            f"{one.steps / 1e6:.2f} M",
            f"{one.outputs:,}",
            f"{one.safety:.2f}",
            f"{one.proof:.2f}",
            f"{one.wall:.2f}",
            f"{one.peak / 1e6:.0f}",
            f"{point.per_step:.0f}",
        )
        yield "| " + " | ".join(cells) + " |"
    if curve.over is not None:
        yield ""
        yield f"Not measured: {curve.over:,} and more, as {curve.over:,} took over {curve.limit:g} s."


def _profile(study: Study, curve: Curve, profile: Profile) -> Iterator[str]:
    last = curve.points[-1]
    total = sum(last.outcome.stages.values())
    yield f"{curve.series.name[:1].upper()}{curve.series.name[1:]}, {study.axis} = {last.size:,}:"
    yield ""
    yield "| stage | seconds | part | functions |"
    yield "|---|--:|--:|---|"
    for stage, seconds in last.outcome.stages.items():
        functions = ", ".join(f"`{share.name}` {share.part:.0%}" for share in profile.get(stage, ()))
        yield f"| {stage} | {seconds:.2f} | {seconds / total:.0%} | {functions} |"

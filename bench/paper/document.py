"""docs/paper.md: the tables of one run, what they were measured on, and what differs from the authors' inputs."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from bench.paper.rows import MOST_MEMORY, Row
from bench.paper.table import Result, markdown_lines, shortfalls
from bench.runs import ROOT, clock

_INTRO = """# The paper's evaluation

Made by `make bench-paper`. The rows are those of "Equivalence Checking of ML GPU Kernels" (OOPSLA 2026, arXiv 2511.12638), with
kernels that were written for this project, at the paper's sizes; further rows follow. All output elements of a row are decided,
none is sampled."""

_COLUMNS = """
* **VCs**: output elements; each is proved equal to the reference's over the reals, for all inputs.
* **instr**: executed thread-instructions of both kernels.
* **safety s**: seconds of `unroll` and `check`; **proof s**: of `vc`, `canon` and `decide`; both added up over the two sides,
  which run side by side. **wall s**: the whole process from PTX to verdict, with half a second and more for loading
  Python, xDSL and numba. **peak MB**: its largest resident memory.
* **paper gen s**, **paper all s**: the authors' seconds for symbolic execution with race checks, and for deciding all elements,
  on a 128-core EPYC 7742 (a range where the published figure is for several rows).
* **Volta s**: CPU seconds of the public Volta, built from source, on two cores like these (both parts), as the files
  `rows.toml` have it: not measured again here; **ratio**: over our wall seconds. **limit s**: the most that we allow
  ourselves: a 30th of that where it is over 30 s (5 s for all matrix products and unmasked attentions), a 10th where it is
  over 10 s, no more than it below; where it was not measured, the paper's figures; and a second for starting."""


def document(results: Sequence[Result], seconds: float, runs: int) -> str:
    """The whole text."""
    short = shortfalls(results)
    lines = [_INTRO, "", machine(), ""]
    lines.append(f"Medians of {runs} runs of each of the paper's rows, one run of the others, each run a new process with an")
    lines.append("empty store and compiled code at hand;")
    lines.append(f"{len(results)} rows in {seconds:.0f} s. The limit of memory is {MOST_MEMORY / 1e9:g} GB for each row.")
    lines += [_COLUMNS, *markdown_lines(results)]
    lines += ["", "## Limits that do not hold", "", *(f"* {one}" for one in short)] if short else ["", "All limits hold."]
    lines += ["", "## What differs from the authors' inputs", ""]
    lines += _differences([row for row, _ in results])
    lines += ["", "## What each row proves or finds", ""]
    lines += [f"* `{row.name}` ([contract]({_link(row)})): {_about(row)}" for row, _ in results]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """What was measured on: cores, processor, memory, versions, and how fast it is at the moment."""
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    versions = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "python-flint", "xdsl"))
    kind = f"Machine: {cores} cores ({_processor()}), {memory:.0f} GB. Python {platform.python_version()}, {versions}."
    speed = f"A turn of an empty loop of plain Python takes {clock():.0f} ns: figures of two runs compare as far as that does."
    return f"{kind}\n{speed}"


def _processor() -> str:
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else platform.machine()


def _differences(rows: Sequence[Row]) -> list[str]:
    """What rows say, once where several say the same."""
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.differs:
            said.setdefault(row.differs, []).append(row.name)
    return [f"* {', '.join(names)}: {text}" for text, names in said.items()]


def _about(row: Row) -> str:
    """The second line of the contract, a comment that says what it is."""
    return row.contract.read_text().splitlines()[1].removeprefix("#").strip()


def _link(row: Row) -> str:
    return os.path.relpath(row.contract, ROOT / "docs")

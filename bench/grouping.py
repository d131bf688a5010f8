"""`python -m bench.grouping`: what executing some CTAs only would save at most, after an edit to a path that only they take.

Today `unroll` executes all CTAs. Kept by groups of CTAs, the rows of the others would be taken from the last program. What
remains is measured here as a bound from below: the CTAs on the edited path, the decoding of the last program (as if that were
all validation that is needed), a copy of its rows with instructions, masks and patterns numbered anew, and the canonical form,
the encoding and the digests of the whole. What finds out which CTAs may be left alone counts nothing. `held`: the last program
is in the process already, as in `run --watch`. CTAs are grouped by the instructions that their rows name, and the edit is to
all groups but the largest. `both`: as `then`, where `check`, too, took time for the rows of the executed CTAs only (a bound of
its own: accesses of all CTAs to global memory have to be compared with each other). Prints, never fails for being slow."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bench.artifacts import MEMORY, STEPS, assembled, timed, written
from bench.runs import clock
from volta_pipe.ir.canonical_program import restored
from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.ir.program import Program
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import lower, read_ptx
from volta_pipe.passes.unroll.run import Run

RUNS = 5
PTX = Path(__file__).parent / "kernels" / "bordered.ptx"
CASES = (("tiled", 136, 16, (16, 16)), ("registers", 136, 64, (16, 16)), ("registers", 264, 64, (16, 16)),
         ("implicit", 136, 16, (16, 16)), ("special", 520, 16, (256, 1)), ("tiled", 264, 16, (16, 16)))  # fmt: skip


class _Timed(Run):
    """A run that knows how long each CTA took, in seconds."""

    def __init__(self, launch: Launch, layout: Any, code: Any) -> None:
        super().__init__(launch, layout, code, STEPS, MEMORY, None)
        self.seconds: list[float] = []

    def reset(self, cta: Any) -> None:
        self.began = time.perf_counter()
        super().reset(cta)

    def _note_wraps(self, cta: int) -> None:
        super()._note_wraps(cta)
        self.seconds.append(time.perf_counter() - self.began)


@dataclass(frozen=True)
class Parts:
    """Seconds. assemble: layout and code; ctas: all of them; edited: those on the edited path; pack: the rest of `unroll`;
    whole: canonical form, encoding, digests; decode: reading the last program; copy: its rows numbered anew; check."""

    assemble: float
    ctas: float
    edited: float
    pack: float
    whole: float
    decode: float
    copy: float
    check: float


def main() -> None:
    """Prints two lines a kernel."""
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop; medians of {RUNS} runs, in milliseconds")
    heads = "CTAs edited    rows | assem.    CTAs  edited   pack  whole  check | decode   copy"
    print(f"{'':<14}{heads} | {'now':>6}{'then':>7}{'gain':>6} | {'held':>6}{'gain':>6} | {'both':>6}{'gain':>6}")
    for name, n, tile, block in CASES:
        _line(name, n, tile, block)


def _line(name: str, n: int, tile: int, block: tuple[int, int]) -> None:
    module = lower(read_ptx(PTX), str(PTX), name).module
    launch = _launch(n, tile, block)
    found = [_parts(module, launch) for _ in range(RUNS + 1)][1:]
    p = Parts(*(1000 * median(getattr(one[0], field) for one in found) for field in Parts.__annotations__))
    count, edited, rows, touched = found[0][1]
    now = p.assemble + p.ctas + p.pack + p.whole + p.check
    held = p.assemble + p.edited + p.copy + p.whole + p.check
    then = held + p.decode
    both = then - p.check * (1 - touched / rows)
    print(
        f"{name:<10}{n:>4}{count:>5}{edited:>7}{rows:>8} |{p.assemble:>7.1f}{p.ctas:>8.1f}{p.edited:>8.1f}{p.pack:>7.1f}"
        f"{p.whole:>7.1f}{p.check:>7.1f} |{p.decode:>7.1f}{p.copy:>7.1f} |{now:>7.1f}{then:>7.1f}{now / then:>6.2f} |"
        f"{held:>7.1f}{now / held:>6.2f} |{both:>7.1f}{now / both:>6.2f}",
        flush=True,
    )


def _launch(n: int, tile: int, block: tuple[int, int]) -> Launch:
    shapes = (("a", 8 * n, "in"), ("b", n, "in"), ("c", n, "out"))
    tensors = tuple(Tensor(name, "f32", (rows, n), (n, 1), role) for name, rows, role in shapes)
    arguments = (*(Argument("pointer", i) for i in range(3)), Argument("number", number=n))
    across = -(-n // tile)
    grid = (across, across, 1) if block[1] > 1 else (-(-n * n // block[0]), 1, 1)
    return Launch(tensors, (), arguments, grid, (*block, 1))


def _parts(module: Any, launch: Launch) -> tuple[Parts, tuple[int, ...]]:
    (layout, code), assemble = timed(lambda: assembled(module, launch))
    run = _Timed(launch, layout, code)
    program, taken = timed(run.program)
    if not program.complete or program.events:
        raise SystemExit(f"not a sound kernel: {program.events[:1]}")
    artifacts, whole = timed(lambda: written(program))
    report, checked = timed(lambda: check(artifacts[2], launch))
    if report.findings:
        raise SystemExit(f"not a sound kernel: {report.findings[:1]}")
    last, decode = timed(lambda: restored(Program.decode(artifacts[0]), artifacts[1]))
    _, copy = timed(lambda: _numbered(last))
    few = _edited(program)
    ctas = sum(run.seconds)
    edited = sum(run.seconds[i] for i in few)
    parts = Parts(assemble, ctas, edited, taken - ctas, whole, decode, copy, checked)
    touched = int(np.diff(program.cta_rows)[few].sum())
    return parts, (len(program.cta_ids), len(few), len(program.row_instr), touched)


def _numbered(last: Program) -> list[Any]:
    """The rows of a program with all numbers looked up in tables, as those of another program."""
    tables = {"row_mask": len(last.mask_bits), "row_pattern": len(last.pattern_start)}
    columns = [np.arange(count + 1, dtype=np.int32)[getattr(last, name)] for name, count in tables.items()]
    instr = np.concatenate([np.arange(len(last.op)), np.arange(-last.registers, 0)]).astype(np.int32)[last.row_instr]
    rest = [getattr(last, name).copy() for name in ("row_base", "row_flags", "mask_bits", "pattern_start", "pattern_values")]
    return [*columns, instr, *rest]


def _edited(program: Program) -> list[int]:
    """The CTAs outside the largest group."""
    groups: dict[bytes, list[int]] = {}
    for index, (low, high) in enumerate(zip(program.cta_rows, program.cta_rows[1:], strict=False)):
        groups.setdefault(np.unique(program.row_instr[low:high]).tobytes(), []).append(index)
    largest = max(groups.values(), key=len)
    return sorted(index for group in groups.values() if group is not largest for index in group)


if __name__ == "__main__":
    main()

"""`python -m bench.cutting`: what executing only those CTAs again whose code was edited could win; prints, never fails.

The first table says how much of a kernel only some of its CTAs execute: an edit elsewhere is one for all of them, and leaves
nothing to keep. An instruction counts as executed by a CTA where its guard holds for one of its lanes; that is found by putting
a barrier without a number in its place, which ends the run. `kept`: the part of the CTAs that an edit of one executed
instruction leaves out, on average.

The second table says what is to be won where an edit does leave CTAs out: the stages as they are, against what is left where
each row is one of the last run's. `write`: of the canonical form, the bytes and their digests, which remain; `left`: of
`unroll`, with reading what is kept. That is a bound: it has no record of what was executed, no search for it, and no CTA that
is executed again. Compiled code is warm."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from statistics import median

import numpy as np

from bench.artifacts import MEMORY, STEPS, assembled, timed, written
from bench.runs import ROOT, clock
from bench.stages import Launched, launched_at
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.ir.errors import VoltaError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Program
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import lower, read_ptx
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.unroll.bytecode import OP, A, B, C
from volta_pipe.passes.unroll.run import Run
from volta_pipe.passes.vc import vc

RUNS = 5
MOST_CTAS = 64  # of the first table, which runs each CTA once an instruction
# The second table: kernels with borders, and with a CTA a row or a tile, at some hundred CTAs or many terms.
CASES: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("product 120 x 120 x 120", "examples/matmul-spec/volta.toml", {"m": 120, "n": 120, "k": 120}),
    ("product 56 x 56 x 1024", "examples/matmul-spec/volta.toml", {"m": 56, "n": 56, "k": 1024}),
    ("product 250 x 250 x 30", "examples/matmul-spec/volta.toml", {"m": 250, "n": 250, "k": 30}),
    ("transpose 1000 x 1000", "examples/transpose-spec/volta.toml", {"rows": 1000, "cols": 1000}),
    ("attention 128 x 64", "examples/attention/volta.toml", {"n": 128, "d": 64}),
    ("softmax 256 x 100", "examples/softmax/volta.toml", {"rows": 256, "n": 100}),
    ("row sums 256 x 2048", "examples/reduce-tree/volta.toml", {"ctas": 256, "k": 8}),
    ("GELU of 262147 by fours", "bench/paper/norm/gelu.toml", {"n": 262147}),
    ("layer norm 256 x 128", "examples/layernorm/volta.toml", {"rows": 256, "n": 128}),
)


def main() -> None:
    """Prints both tables."""
    print(f"plain Python: {clock():.0f} ns a turn of an empty loop")
    for line in (*executed_lines(), "", *bound_lines()):
        print(line, flush=True)


def executed_lines() -> Iterator[str]:
    """The first table: a line a kernel, and one of all."""
    heads = "".join(f"{head:>6}" for head in ("CTAs", "instr", "all", "some", "none", "kept"))
    yield f"{'instructions that all, some, no CTAs execute':<74}{heads}"
    several, kept = 0, []
    for label, one in _with_several_ctas():
        executed = executions(one)
        count, ctas = executed.shape
        by = executed.sum(axis=1)
        some = int(((by > 0) & (by < ctas)).sum())
        shares = ((by == ctas).mean(), some / count, (by == 0).mean(), 1 - by[by > 0].mean() / ctas)
        yield f"{label:<74}{ctas:>6}{count:>6}" + "".join(f"{share:>6.0%}" for share in shares)
        several += some > 0
        kept.append(shares[3])
    yield f"{several} of {len(kept)} have instructions that only some CTAs execute; kept on average: {np.mean(kept):.1%}"


def bound_lines() -> Iterator[str]:
    """The second table, a line a case: milliseconds of what there is, and of what is left of `unroll`; how many times as fast
    `unroll` and `check` would be together, and with `vc`."""
    heads = "".join(f"{head:>8}" for head in ("CTAs", "unroll", "write", "check", "vc", "left", "both", "with vc"))
    yield f"{f'(ms, medians of {RUNS})':<26}{heads}"
    for label, contract, dims in CASES:
        yield _bound(label, launched_at(contract, dims))


def _with_several_ctas() -> Iterator[tuple[str, Launched]]:
    """The kernels of all examples and of the paper's contracts, each at the dims that give it the most CTAs up to MOST_CTAS."""
    seen: dict[tuple[str, str], tuple[str, Launched]] = {}
    for file in sorted([*ROOT.glob("examples/*/volta.toml"), *ROOT.glob("bench/paper/*/*.toml")]):
        if file.name == "rows.toml":
            continue
        read = read_contract(file)
        for dims in read.combinations():
            planned = plan(read, dims)
            for side in (planned.reference, planned.candidate):
                if not isinstance(side, KernelPlan):
                    continue
                launch, key = side.launch(), (str(file), side.spec.entry)
                count = len(launch.cta_list())
                if not 1 < count <= MOST_CTAS or (key in seen and len(seen[key][1].launch.cta_list()) >= count):
                    continue
                try:
                    lowered = lower(read_ptx(side.spec.path), side.spec.source, side.spec.entry)
                except VoltaError:
                    continue
                one = Launched(side.spec.entry, lowered.module, launch)
                if unroll(one.module, launch).complete:
                    sizes = " ".join(f"{name}={size}" for name, size in dims.items())
                    seen[key] = f"{file.parent.name}/{file.stem} {side.spec.entry} {sizes}", one
    yield from seen.values()


def executions(one: Launched) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """bool [instructions of the machine, CTAs]: whether the CTA executes it. Each CTA starts with the memory that others left
    when they were ended, so that this is for kernels whose CTAs do not branch on what others write."""
    layout, code = assembled(one.module, one.launch)
    code = replace(code, registers=code.registers + 2)  # the last of which nothing ever writes
    ctas = one.launch.cta_list()
    plain, static = code.code.copy(), {name: column.copy() for name, column in code.static.items()}
    run = Run(one.launch, layout, code, STEPS, MEMORY, None)
    start = run.st.copy()
    found = np.zeros((len(plain), len(ctas)), np.bool_)
    for at in range(len(plain)):
        for cta in range(len(ctas)):
            code.code[:] = plain
            for name, column in static.items():
                code.static[name][:] = column
            code.code[at, OP], code.code[at, [A, B, C]] = int(Op.BAR), (code.registers - 1, -1, -1)
            run.rows.used[0], run.st[:] = 0, start
            run.reset(ctas[cta])
            found[at, cta] = not run._run_cta(cta)
    return found


def _bound(label: str, one: Launched) -> str:
    """A line of the second table."""
    program = unroll(one.module, one.launch)
    layout_and_code = _ms(lambda: assembled(one.module, one.launch))
    unrolled = _ms(lambda: unroll(one.module, one.launch))
    data, code, plain = written(program)
    write = _ms(lambda: written(program))
    read = _ms(lambda: (hashlib.sha256(data), hashlib.sha256(code), Program.decode(data)))
    checked, proved = _ms(lambda: check(plain, one.launch)), _ms(lambda: vc(plain, one.launch))
    now, left = unrolled + write, layout_and_code + read + write
    both, whole = (now + checked) / (left + checked), (now + checked + proved) / (left + checked + proved)
    times = "".join(f"{time:>8.1f}" for time in (unrolled, write, checked, proved, left - write))
    return f"{label:<26}{len(program.cta_ids):>8}{times}{both:>7.1f}x{whole:>7.2f}x"


def _ms(work: Callable[[], object]) -> float:
    return median(timed(work)[1] for _ in range(RUNS)) * 1e3


if __name__ == "__main__":
    main()

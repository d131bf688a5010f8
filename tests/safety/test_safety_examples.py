"""Every barrier of every example: without it there is a race, and one more in a branch is a deadlock or a divergent barrier."""

from __future__ import annotations

from functools import cache

import pytest
from safety_examples import Kernel, examine, kernels, without_line

from volta_pipe.ir.findings import Finding

# Barriers that order nothing which is not ordered anyway, by place among the kernel's barriers, and why. The tests prove that
# the kernel stays safe without them, for every combination of dims of every contract.
REDUNDANT = {
    ("reduce_tree.reduce_tree", 8): "the one after the last step: thread 0 alone goes on, with the sum that it wrote itself",
    ("layernorm_two_pass.layernorm_two_pass", 17): "it keeps the second sum from being overwritten, and nothing follows",
}
EACH = [(kernel, place) for kernel in kernels() for place in range(len(kernel.barriers()))]
NEEDED = [pair for pair in EACH if (pair[0].name, pair[1]) not in REDUNDANT]
SPARE = [pair for pair in EACH if (pair[0].name, pair[1]) in REDUNDANT]
WIDE = [kernel for kernel in kernels() if kernel.launches[0].threads >= 64]


def name(value: object) -> str:
    return value.name if isinstance(value, Kernel) else str(value)


@cache
def untouched(kernel: Kernel) -> tuple[str, ...]:
    return tuple(f.kind for launch in kernel.launches for f in examine(kernel, kernel.text, launch)[1].findings)


@pytest.mark.parametrize("kernel", kernels(), ids=name)
def test_the_example_is_safe_as_it_is(kernel: Kernel) -> None:
    assert untouched(kernel) == ()


def test_the_table_of_redundant_barriers_has_no_stale_entry() -> None:
    assert len(SPARE) == len(REDUNDANT)
    assert len(EACH) >= 50


@pytest.mark.parametrize(("kernel", "place"), NEEDED, ids=name)
def test_a_missing_barrier_is_a_race(kernel: Kernel, place: int) -> None:
    """With the smallest dims where it matters (a loop may run once only), both threads, lines and the address are named."""
    text = without_line(kernel.text, kernel.barriers()[place])
    for launch in kernel.launches:
        lowered, report = examine(kernel, text, launch)
        if report.findings:
            break
    assert {finding.kind for finding in report.findings} == {"race"}
    for finding in report.findings:
        one, other = finding.accesses
        assert (one.thread, one.cta) != (other.thread, other.cta)
        assert "write" in (one.action, other.action)
        assert finding.space == "shared" and finding.name and finding.offset >= 0
        lines = text.splitlines()
        for access in (one, other):
            line = lines[lowered.lines.ptx_line(access.instruction) - 1]
            assert ("st.shared" if access.action == "write" else "ld.shared") in line
            source = lowered.lines.source_of(access.instruction)
            assert source is not None and source[0].endswith(".cu") and source[1] > 0


@pytest.mark.parametrize(("kernel", "place"), SPARE, ids=name)
def test_a_redundant_barrier_is_none_that_matters(kernel: Kernel, place: int) -> None:
    text = without_line(kernel.text, kernel.barriers()[place])
    assert [f for launch in kernel.launches for f in examine(kernel, text, launch)[1].findings] == []


def with_extra_barrier(kernel: Kernel, where: int, threads: int) -> str:
    """One more bar.sync before line `where` that the first `threads` threads of the CTA jump over.

    Where the kernel has no barrier, one for all threads follows: a barrier does not wait for threads that have exited."""
    code = (
        "{ .reg .pred %extra_p; .reg .b32 %extra_r<5>; mov.u32 %extra_r0, %tid.x; mov.u32 %extra_r1, %tid.y;"
        "mov.u32 %extra_r2, %ntid.x; mad.lo.u32 %extra_r3, %extra_r1, %extra_r2, %extra_r0;"
        f"setp.lt.u32 %extra_p, %extra_r3, {threads}; @%extra_p bra EXTRA; bar.sync 0; EXTRA: }}"
    )
    lines = kernel.text.splitlines()
    lines[where - 1 : where - 1] = [code if kernel.barriers() else code + " bar.sync 0;"]
    return "\n".join(lines) + "\n"


def places(kernel: Kernel) -> list[int]:
    """Lines before which every thread of the CTA comes past: first, middle and last barrier, else behind the parameters."""
    barriers = kernel.barriers()
    if barriers:
        return sorted({barriers[0], barriers[len(barriers) // 2], barriers[-1]})
    lines = kernel.text.splitlines()
    return [next(n for n in kernel.body() if "ld.param" in lines[n - 1]) + 1]


def blocked(findings: tuple[Finding, ...]) -> Finding | None:
    return next((f for f in findings if f.kind in ("deadlock", "barrier-divergence")), None)


@pytest.mark.parametrize("threads", (16, 32))
@pytest.mark.parametrize("kernel", WIDE, ids=name)
def test_one_more_barrier_in_a_branch_blocks(kernel: Kernel, threads: int) -> None:
    for where in places(kernel):
        text = with_extra_barrier(kernel, where, threads)
        lowered, report = examine(kernel, text, kernel.launches[0])
        finding = blocked(report.findings)
        assert finding is not None, (where, [f.kind for f in report.findings])
        lines = text.splitlines()
        at = {lowered.lines.ptx_line(access.instruction) for access in finding.accesses}
        assert any("bar.sync" in lines[line - 1] for line in at)
        assert {access.thread < threads for access in finding.accesses if access.thread >= 0} == {True, False}

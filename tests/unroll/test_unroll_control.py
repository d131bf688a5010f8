"""Control flow: divergence, reconvergence, exits, predication, special registers, budgets, and barriers."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from unroll_harness import at, kernel, launch_of, run, run_body, tensor

from volta_pipe.ir.launch import Argument

THREADS = (1, 8, 33, 48, 100)


def y(n: int) -> list:  # type: ignore[type-arg]
    return [tensor("y", "u32", n, "out")]


@pytest.mark.parametrize("threads", THREADS)
def test_nested_branches_and_loops_with_different_trip_counts(threads: int) -> None:
    """Collatz with a twist: each lane leaves its loop at another time, through one of two exits."""
    text = (
        at("y")
        + """
    add.u32 %r1, %r50, 1; mov.u32 %r2, 0;
    LOOP: setp.eq.u32 %p1, %r1, 1; @%p1 bra DONE;
    setp.gt.u32 %p2, %r2, 40; @%p2 bra TIRED;
    and.b32 %r3, %r1, 1; setp.eq.u32 %p3, %r3, 0; @!%p3 bra ODD;
    shr.u32 %r1, %r1, 1; bra NEXT;
    ODD: mad.lo.u32 %r1, %r1, 3, 1;
    setp.gt.u32 %p4, %r1, 50; @%p4 add.u32 %r2, %r2, 100;
    @%p4 sub.u32 %r2, %r2, 99;
    NEXT: add.u32 %r2, %r2, 1; bra LOOP;
    TIRED: add.u32 %r2, %r2, 1000;
    DONE: st.global.u32 [%at_y], %r2;
    """
    )
    wanted = []
    for t in range(threads):
        n, count = t + 1, 0
        while n != 1:
            if count > 40:
                count += 1000
                break
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
                count += n > 50
            count += 1
        wanted.append(count)
    outcome = run_body(text, y(threads), threads)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == wanted


@pytest.mark.parametrize("threads", THREADS)
def test_lanes_that_exit_early_and_the_others(threads: int) -> None:
    text = (
        at("y")
        + """
    st.global.u32 [%at_y], %r50; setp.ge.u32 %p1, %r50, 5; @%p1 ret;
    bar.sync 0; mul.lo.u32 %r1, %r50, %r50; setp.eq.u32 %p2, %r50, 2; @%p2 exit;
    st.global.u32 [%at_y], %r1;
    """
    )
    outcome = run_body(text, y(threads), threads)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [t * t if t < 5 and t != 2 else t for t in range(threads)]


def test_predicated_instructions_keep_the_old_value() -> None:
    text = (
        at("x")
        + at("y", size=8)
        + """
    mov.u32 %r1, 7; setp.lt.u32 %p1, %r50, 3; @%p1 mov.u32 %r1, 9; @!%p1 add.u32 %r1, %r1, %r50;
    mov.u32 %r2, 1; @%p1 ld.global.u32 %r2, [%at_x]; setp.eq.u32 %p2, %r50, 0; @%p1 setp.eq.u32 %p2, %r50, 1;
    @%p2 add.u32 %r2, %r2, 5000; st.global.u32 [%at_y], %r1; st.global.u32 [%at_y+4], %r2;
    """
    )
    tensors = [tensor("x", "u32", 3, "in", np.array([10, 20, 30])), tensor("y", "u32", (8, 2), "out")]
    outcome = run_body(text, tensors, 8)
    assert outcome.kinds == []
    wanted = [[9 if t < 3 else 7 + t, (10 * (t + 1) if t < 3 else 1) + 5000 * (t == 1)] for t in range(8)]
    assert outcome.outputs()["y"].tolist() == wanted


@pytest.mark.parametrize(("block", "grid"), [((7, 1, 1), (3, 1, 1)), ((5, 3, 1), (2, 2, 1)), ((3, 2, 4), (2, 1, 3))])
def test_special_registers(block: tuple[int, int, int], grid: tuple[int, int, int]) -> None:
    names = [f"{kind}.{axis}" for kind in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
    names += ["laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"]
    threads, ctas = int(np.prod(block)), int(np.prod(grid))
    text = [
        "mov.u32 %r1, %tid.z; mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r1, %r1, %r2, %r3;"
        "mov.u32 %r2, %ntid.x; mad.lo.u32 %r1, %r1, %r2, %r50;"
        "mov.u32 %r4, %ctaid.z; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %ctaid.y; mad.lo.u32 %r4, %r4, %r5, %r6;"
        f"mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r4, %r4, %r5, %r6; mad.lo.u32 %r1, %r4, {threads}, %r1;"
        + at("y", "%r1", 4 * len(names))
    ]
    text += [f"mov.u32 %r10, %{name}; st.global.u32 [%at_y+{4 * k}], %r10;" for k, name in enumerate(names)]
    outcome = run_body("\n".join(text), [tensor("y", "u32", (ctas * threads, len(names)), "out")], block, grid=grid)
    assert outcome.kinds == []
    found = outcome.outputs()["y"].astype(np.int64)
    row = 0
    for cta in np.ndindex(*grid[::-1]):
        for linear, thread in enumerate(np.ndindex(*block[::-1])):
            lane = linear % 32
            below = (1 << lane) - 1
            masks = [1 << lane, below, below | 1 << lane, 0xFFFFFFFF & ~below & ~(1 << lane), 0xFFFFFFFF & ~below]
            assert found[row].tolist() == [*thread[::-1], *block, *cta[::-1], *grid, lane, *masks]
            row += 1


def test_an_endless_loop_ends_at_the_step_budget_and_names_the_loop() -> None:
    text = kernel(
        "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nHEAD:\nadd.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r2, 1;\n@%p1 bra HEAD;\n", ["y"]
    )
    outcome = run(text, launch_of(y(4), 4), max_steps=1000)
    (event,) = outcome.program.events
    lines = text.splitlines()
    first = lines.index("HEAD:") + 1
    assert event.kind == "budget" and first <= outcome.line(event.instruction) <= first + 3
    assert outcome.program.steps <= 1000 + 4 and not outcome.program.complete


# --- barriers -----------------------------------------------------------------------------------------------------------

STORE = "st.global.u32 [%at_y], %r50;"


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize(
    "barrier", ("bar.sync 0;", "barrier.sync 3;", "barrier.sync.aligned 15;", "mov.u32 %r9, 5; bar.sync %r9;")
)
def test_full_barriers(threads: int, barrier: str) -> None:
    outcome = run_body(at("y") + barrier + STORE, y(threads), threads)
    assert outcome.kinds == [] and outcome.report.barriers == 1


DIVERGED = [
    ("setp.lt.u32 %p1, %r50, 16; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:", 32, ("barrier-divergence",)),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:", 64, ("barrier-divergence",)),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra A; bar.sync 1; bar.sync 2; bra B; A: bar.sync 2; bar.sync 1; B:", 64, ("deadlock",)),
    ("setp.lt.u32 %p1, %r50, 32; @%p1 bra A; bar.sync 1; A: bar.sync 0;", 64, ("deadlock",)),
    ("setp.lt.u32 %p1, %r50, 8; @%p1 bra A; bar.warp.sync -1; bra B; A: bar.sync 0; B:", 32, ("deadlock",)),
    ("bar.sync 0, 128;", 64, ("deadlock",)),
    ("setp.ge.u32 %p1, %r50, 32; @%p1 bra B; bar.sync 0, 64; B:", 64, ("deadlock",)),
]


@pytest.mark.parametrize(("code", "threads", "kinds"), DIVERGED)
def test_barriers_that_do_not_open(code: str, threads: int, kinds: tuple[str, ...]) -> None:
    outcome = run_body(at("y") + STORE + code, y(threads), threads)
    assert set(outcome.kinds) & set(kinds), outcome.kinds


@pytest.mark.parametrize(
    "code",
    [
        "bar.sync 16;",
        "mov.u32 %r9, -1; bar.sync %r9;",
        "bar.sync 0, 0;",
        "bar.sync 0, 40;",
        "mov.u32 %r9, 77; bar.sync %r9, 64;",
    ],
)
def test_barriers_that_the_isa_does_not_have(code: str) -> None:
    """Sixteen barriers, 0 to 15, and thread counts that are positive multiples of the warp size (ISA 9.7.13.1)."""
    assert run_body(at("y") + code + STORE, y(64), 64).kinds != []


EXCHANGE = (
    ".shared .align 4 .b8 s[512]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], %r50;"
    "{SYNC} xor.b32 %r3, %r50, {PARTNER}; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r1; ld.shared.u32 %r4, [%r3];"
    "st.global.u32 [%at_y], %r4;"
)


@pytest.mark.parametrize(("partner", "race"), [(32, False), (64, True), (1, False)])
def test_named_barriers_of_a_part_of_the_cta(partner: int, race: bool) -> None:
    """Two warps meet at barrier 1, two at barrier 2."""
    sync = "shr.u32 %r7, %r50, 6; add.u32 %r7, %r7, 1; bar.sync %r7, 64;"
    text = at("y") + EXCHANGE.replace("{SYNC}", sync).replace("{PARTNER}", str(partner))
    outcome = run_body(text, y(128), 128)
    assert outcome.kinds == (["race"] if race else [])
    if not race:
        assert outcome.outputs()["y"].tolist() == [t ^ partner for t in range(128)]


@pytest.mark.parametrize(
    ("guard", "after", "fine"),
    [
        ("lt.u32 %p1, %r50, 64", "", True),
        ("lt.u32 %p1, %r50, 32", "", True),  # the others exit, and a barrier does not wait for those
        ("lt.u32 %p1, %r50, 32", "bar.sync 0;", False),
        ("lt.u32 %p1, %r50, 32", "bar.sync 1;", False),
    ],
)
def test_a_barrier_under_a_known_guard(guard: str, after: str, fine: bool) -> None:
    """A guard that is known is no data dependence."""
    outcome = run_body(at("y") + f"setp.{guard}; @%p1 bar.sync 0;" + after + STORE, y(64), 64)
    assert outcome.kinds == [] if fine else outcome.kinds[0] in ("deadlock", "barrier-divergence")


def test_shuffles_under_a_known_guard() -> None:
    text = (
        at("y")
        + "mov.u32 %r1, 7; setp.lt.u32 %p1, %r50, 16; @%p1 shfl.sync.bfly.b32 %r1, %r50, 1, 31, 0xffff; st.global.u32 [%at_y], %r1;"
    )
    outcome = run_body(text, y(32), 32)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [t ^ 1 if t < 16 else 7 for t in range(32)]


def test_a_pointer_that_is_null_is_no_buffer() -> None:
    outcome = run(kernel(at("y") + STORE, ["y"]), launch_of(y(4), 4, arguments=(Argument("null"),)))
    assert outcome.kinds[0] == "out-of-bounds"

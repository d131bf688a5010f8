"""match, redux, elect, bar.red and bar.arrive against a plain Python model of PTX ISA 9.7.13."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import pytest
from unroll_harness import at, run_body, tensor

U32 = 0xFFFFFFFF


def values(body: str, threads: int = 64, shape: int = 64) -> list[int]:
    """What the threads leave in %r9."""
    outcome = run_body(body + at("y") + "st.global.u32 [%at_y], %r9;", [tensor("y", "u32", shape, "out")], threads)
    assert outcome.kinds == []
    return [int(x) for x in outcome.outputs()["y"]]


KEYS = "mul.lo.u32 %r1, %r50, 7; and.b32 %r1, %r1, 3;"


def key(t: int) -> int:
    return 7 * t & 3


@pytest.mark.parametrize("wide", [True, False])
def test_match_any(wide: bool) -> None:
    code = (
        "mov.b64 %rd1, {%r1, %r50}; shr.u64 %rd1, %rd1, 0; and.b64 %rd1, %rd1, 0xf00000003; match.any.sync.b64 %r9, %rd1, -1;"
    )
    found = values(KEYS + (code if wide else "match.any.sync.b32 %r9, %r1, -1;"))
    same = (lambda t: (key(t), t & 15)) if wide else key
    assert found == [sum(1 << u for u in range(32) if same(t & ~31 | u) == same(t)) for t in range(64)]


def test_match_all() -> None:
    code = (
        KEYS
        + "setp.lt.u32 %p1, %r50, 32; @%p1 mov.u32 %r1, 5; match.all.sync.b32 %r9|%p2, %r1, -1; selp.u32 %r2, 1, 0, %p2; xor.b32 %r9, %r9, %r2;"
    )
    assert values(code) == [U32 ^ 1] * 32 + [0] * 32


REDUCTIONS: dict[str, Callable[[int, int], int]] = {
    "add.u32": lambda a, b: (a + b) & U32,
    "add.s32": lambda a, b: (a + b) & U32,
    "min.u32": min,
    "max.u32": max,
    "min.s32": lambda a, b: min(a, b, key=lambda x: x ^ 0x80000000),
    "max.s32": lambda a, b: max(a, b, key=lambda x: x ^ 0x80000000),
    "and.b32": lambda a, b: a & b,
    "or.b32": lambda a, b: a | b,
    "xor.b32": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_redux_over_all_and_over_halves(name: str) -> None:
    keys = "mul.lo.u32 %r1, %r50, 0x9E3779B1; or.b32 %r1, %r1, 0x10;"
    mine = [t * 0x9E3779B1 & U32 | 0x10 for t in range(64)]
    assert values(keys + f"redux.sync.{name} %r9, %r1, -1;") == [
        reduce(REDUCTIONS[name], mine[t & ~31 : (t & ~31) + 32]) for t in range(64)
    ]
    halves = "and.b32 %r2, %r50, 31; setp.lt.u32 %p1, %r2, 16; selp.b32 %r3, 0xffff, 0xffff0000, %p1;"
    wanted = [reduce(REDUCTIONS[name], mine[t & ~15 : (t & ~15) + 16]) for t in range(64)]
    assert values(keys + halves + f"redux.sync.{name} %r9, %r1, %r3;") == wanted


def test_elect_takes_one_lane_of_each_warp() -> None:
    outcome = run_body(
        "elect.sync _|%p2, -1; selp.u32 %r9, 1, 0, %p2;" + at("y") + "st.global.u32 [%at_y], %r9;",
        [tensor("y", "u32", 64, "out")],
        64,
    )
    assert [int(x) for x in outcome.outputs()["y"]] == [int(t % 32 == 0) for t in range(64)]
    assert any("elect.sync" in text for text in outcome.program.assumptions)


@pytest.mark.parametrize(("limit", "together"), [(0, True), (5, True), (70, True), (96, True), (70, False), (0, False)])
def test_bar_red(limit: int, together: bool) -> None:
    """96 threads; without `together` the first warp comes by another way."""
    apart = "setp.lt.u32 %p8, %r50, 32; @%p8 bra M; add.u32 %r1, %r1, 0; bra N; M: add.u32 %r1, %r1, 0; add.u32 %r1, %r1, 0; N:"
    code = f"mov.u32 %r1, 0; setp.lt.u32 %p1, %r50, {limit}; {'' if together else apart} barrier.cta.red.popc.aligned.u32 %r2, 1, %p1;"
    code += "bar.red.and.pred %p2, 2, 96, %p1; bar.cta.red.or.pred %p3, 0, %p1; bar.red.or.pred %p4, 0, !%p1;"
    code += "selp.u32 %r3, 1000, 0, %p2; selp.u32 %r4, 2000, 0, %p3; selp.u32 %r5, 4000, 0, %p4; add.u32 %r9, %r2, %r3; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5;"
    wanted = min(limit, 96) + 1000 * (limit >= 96) + 2000 * (limit > 0) + 4000 * (limit < 96)
    assert values(code, 96, 96) == [wanted] * 96


def test_bar_red_of_a_symbolic_predicate_is_refused() -> None:
    text = (
        at("x")
        + at("y")
        + "ld.global.f32 %f1, [%at_x]; setp.gt.f32 %p1, %f1, 0f00000000; bar.red.popc.u32 %r1, 0, %p1; st.global.u32 [%at_y], %r1;"
    )
    assert run_body(text, [tensor("x", "f32", 32, "in"), tensor("y", "u32", 32, "out")]).kinds == ["data-dependent-control"]


SPLIT = ".shared .align 4 .b8 s[256]; mov.u32 %r40, s; shl.b32 %r41, %r50, 2; add.u32 %r42, %r40, %r41; setp.lt.u32 %p1, %r50, 32; @%p1 bra P;"
TAKE = "sub.u32 %r43, %r42, 128; ld.shared.u32 %r1, [%r43]; sub.u32 %r2, %r50, 32;"
TAIL = "st.global.u32 [%at_y], %r1; bra E; P: st.shared.u32 [%r42], %r50;"


@pytest.mark.parametrize(
    ("waits", "arrives", "kind"),
    [
        ("bar.sync 1, 64;", "bar.arrive 1, 64;", ""),
        ("barrier.cta.sync 1, 64;", "barrier.cta.arrive 1, 64;", ""),
        ("bar.sync 1, 64;", "bar.arrive 2, 64;", "deadlock"),
        ("bar.sync 1, 32;", "bar.arrive 1, 64;", "unsupported-instruction"),
        ("", "bar.arrive 1, 64;", "race"),
        ("bar.sync 1, 64;", "bar.arrive 1, 64; bar.arrive 1, 64;", "unsupported-instruction"),
        ("bar.sync 1, 64; bar.sync 2, 64;", "bar.arrive 1, 64; bar.sync 2, 64;", ""),
        ("bar.red.popc.u32 %r7, 1, 64, %p1;", "bar.arrive 1, 64;", "unsupported-instruction"),
        # The other lanes of the warp have exited: the warp arrives, and what they stored is not ordered.
        ("bar.sync 1, 64;", "setp.lt.u32 %p2, %r50, 7; @%p2 bar.arrive 1, 64;", "race"),
    ],
)
def test_producers_arrive_and_consumers_wait(waits: str, arrives: str, kind: str) -> None:
    body = SPLIT + waits + TAKE + at("y", "%r2") + TAIL + arrives + "E:"
    outcome = run_body(body, [tensor("y", "u32", 32, "out")], 64)
    assert outcome.kinds[:1] == ([kind] if kind else [])
    if not kind:
        assert outcome.outputs()["y"].tolist() == list(range(32))


def test_what_is_written_behind_the_arrival_is_not_ordered() -> None:
    body = (
        SPLIT
        + "bar.sync 1, 64;"
        + TAKE
        + at("y", "%r2")
        + TAIL.replace("P: st.shared.u32 [%r42], %r50;", "P: bar.arrive 1, 64; st.shared.u32 [%r42], %r50;")
        + "E:"
    )
    assert "race" in run_body(body, [tensor("y", "u32", 32, "out")], 64).kinds

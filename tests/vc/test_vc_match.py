"""Expressions are compared with those of the last run while CTAs still run: what comes out is what comes out without that."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from unroll_harness import Outcome, at, run_body, tensor

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.vc import vc
from volta_pipe.passes.vc.recognise import Recogniser

CTAS, LANES = 8, 32
N = CTAS * LANES
TENSORS = [
    tensor("x", "f32", N, "in"), tensor("w", "f32", N, "inout"), tensor("o", "f32", N, "out"), tensor("h", "f16", N, "out")
]  # fmt: skip
PLACE = "mov.u32 %r1, %ctaid.x; mad.lo.s32 %r2, %r1, 32, %r50;"
HEAD = PLACE + at("x", "%r2") + at("w", "%r2") + at("o", "%r2") + at("h", "%r2", 2) + "ld.global.f32 %f1, [%at_x];"
# %f2: the same term each time, by another program each time.
WAYS = (
    "mul.f32 %f2, %f1, %f1; fma.rn.f32 %f2, %f2, %f1, %f1;",
    "mov.f32 %f9, %f1; mul.f32 %f3, %f9, %f1; mov.f32 %f4, %f3; fma.rn.f32 %f2, %f9, %f4, %f9; add.s32 %r9, %r50, 1;",
)
CTA_0, CTA_3 = "setp.eq.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r1, 0;", "setp.eq.u32 %p3, %r1, 3;"
SHAPES = {
    "each CTA its part": "{way} st.global.f32 [%at_o], %f2;",
    "half precision": "{way} cvt.rn.f16.f32 %rs1, %f2; st.global.b16 [%at_h], %rs1;",
    "both outputs": "{way} cvt.rn.f16.f32 %rs1, %f2; st.global.b16 [%at_h], %rs1; st.global.f32 [%at_o], %f1;",
    "all CTAs the same part": at("o", "%r50", register="%first") + "{way} st.global.f32 [%first], %f2;",
    "the last but one again": "{way} st.global.f32 [%at_o], %f2; @%p2 st.global.f32 [%at_o+-128], %f1;",
    "a sum through memory": at("w", "%r50", register="%sum") + "{way} ld.global.f32 %f5, [%sum]; add.f32 %f5, %f5, %f2; st.global.f32 [%sum], %f5;",
    "from the first to the fourth": at("w", "%r50", register="%kept") + "{way} @%p1 st.global.f32 [%kept+512], %f2; @%p3 ld.global.f32 %f2, [%kept+512]; st.global.f32 [%at_o], %f2;",
    "one CTA does nothing": "{way} @%p2 st.global.f32 [%at_o], %f2;",
    "a constant": "{way} mov.f32 %f7, 0f40E00000; @%p3 mov.f32 %f2, %f7; @%p1 add.f32 %f2, %f2, 0f40E00000; st.global.f32 [%at_o], %f2;",
    "a product of sums": "{way} add.f32 %f7, %f1, 0f40E00000; mul.f32 %f2, %f2, %f7; sub.f32 %f8, %f1, %f7; max.f32 %f2, %f8, %f2; st.global.f32 [%at_o], %f2;",
}  # fmt: skip


def run(shape: str, way: str, *, more: str = "") -> Outcome:
    return run_body(HEAD + CTA_0 + CTA_3 + SHAPES[shape].replace("{way}", way + more), TENSORS, LANES, grid=CTAS)


def encoded(conditions: Conditions) -> bytes:
    return b"".join(bytes(part) for part in conditions.encode())


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Gets an entry for each look at the end that pieces were of no use to."""
    calls: list[bool] = []
    real = Recogniser.afresh
    monkeypatch.setattr(Recogniser, "afresh", lambda *a: calls.append(True) or real(*a))  # type: ignore[func-returns-value]
    return calls


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_expressions(shape: str, afresh: list[bool]) -> None:
    before = run(shape, WAYS[0]).conditions()
    after = run(shape, WAYS[1])
    found = vc(after.program, after.launch, lambda: before)
    assert found.graph is before.graph
    assert encoded(found) == encoded(after.conditions())
    again = ("all CTAs the same part", "the last but one again", "a sum through memory")  # elements that are written again
    assert bool(afresh) == (shape in again)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("cta", [0, 3, CTAS - 1])
def test_another_expression_in_one_cta(shape: str, cta: int) -> None:
    before = run(shape, WAYS[0]).conditions()
    change = f"setp.eq.u32 %p5, %r1, {cta}; @%p5 add.f32 %f2, %f2, 0f3F800000;"
    after = run(shape, WAYS[1], more=change)
    plain = after.conditions()
    found = vc(after.program, after.launch, lambda: before)
    assert encoded(found) == encoded(plain)
    hidden = {"all CTAs the same part": cta != CTAS - 1, "the last but one again": cta != CTAS - 1}
    hidden |= {"one CTA does nothing": cta == 0, "from the first to the fourth": cta == 3, "a constant": cta == 3}
    same = all(encoded_roots(plain)[i] == encoded_roots(before)[i] for i in range(2))
    assert same == hidden.get(shape, False)
    assert (found.graph is before.graph) == same


def encoded_roots(conditions: Conditions) -> tuple[bytes, bytes]:
    graph = conditions.graph
    columns = (graph.op, graph.a, graph.b, graph.c, graph.constants)
    return b"".join(c.tobytes() for c in columns), b"".join(c.tobytes() for c in conditions.outputs.values())


def test_another_expression_of_one_lane_for_all_places() -> None:
    """One element of many, whichever it is, is enough."""
    before = run("each CTA its part", WAYS[0]).conditions()
    for element in range(0, N, 37):
        after = run("each CTA its part", WAYS[1], more=f"setp.eq.u32 %p5, %r2, {element}; @%p5 neg.f32 %f2, %f2;")
        assert vc(after.program, after.launch, lambda: before).graph is not before.graph


def test_a_difference_behind_an_element_that_is_written_again() -> None:
    """o[1] is another term after the first CTA, and the right one in the end; o[0], of an earlier node, is not; and all terms of
    the earlier run are there somewhere."""
    square = "mul.f32 %f2, %f1, %f1;"
    last = "setp.eq.u32 %p6, %r2, 255; ld.global.f32 %f6, [%rd_x]; @%p6 mul.f32 %f2, %f6, %f6; st.global.f32 [%at_o], %f2;"
    before = run_body(HEAD + square + last, TENSORS, LANES, grid=CTAS).conditions()
    other = "setp.eq.u32 %p4, %r2, 0; setp.eq.u32 %p5, %r2, 1; ld.global.f32 %f7, [%rd_x+4]; @%p4 mul.f32 %f2, %f1, %f7; @%p5 neg.f32 %f2, %f1;"
    right = "setp.eq.u32 %p7, %r2, 225; mul.f32 %f8, %f7, %f7; @%p7 st.global.f32 [%rd_o+4], %f8;"
    after = run_body(HEAD + square + other + last + right, TENSORS, LANES, grid=CTAS)
    found = vc(after.program, after.launch, lambda: before)
    assert found.graph is not before.graph and encoded(found) == encoded(after.conditions())


def test_what_is_there_has_more() -> None:
    """Nodes of the graph that nothing reaches any more are none of the expressions."""
    before = run("both outputs", WAYS[0]).conditions()
    after = run("half precision", WAYS[1])
    found = vc(after.program, after.launch, lambda: before)
    assert found.graph is not before.graph and encoded(found) == encoded(after.conditions())


def test_an_error_of_reading_is_raised() -> None:
    after = run("each CTA its part", WAYS[1])

    def failing() -> Conditions:
        raise ValueError("nothing can be read")

    with pytest.raises(ValueError, match="nothing can be read"):
        vc(after.program, after.launch, failing)


@pytest.mark.parametrize("read", [True, False])
def test_no_thread_is_left(read: bool) -> None:
    before = run("each CTA its part", WAYS[0]).conditions()
    bad = run("each CTA its part", WAYS[0], more="mov.b32 %r3, %f2; mul.lo.u32 %r3, %r3, 12345; mov.b32 %f2, %r3;")
    threads = threading.active_count()
    known: Callable[[], Conditions | None] = (lambda: before) if read else (lambda: None)
    with pytest.raises(UnsupportedError):
        vc(bad.program, bad.launch, known)
    assert threading.active_count() == threads

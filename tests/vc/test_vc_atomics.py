"""What atomics and asynchronous copies leave in memory, evaluated numerically, against NumPy."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError

RNG = np.random.default_rng(11)
CELL = ".shared .align 16 .b8 s[1024]; mov.u32 %r40, s; setp.eq.u32 %p1, %r50, 0;"


@pytest.mark.parametrize(("kind", "dtype"), [("f32", np.float32), ("f64", np.float64)])
@pytest.mark.parametrize("place", ("shared", "global"))
def test_a_sum_in_any_order(kind: str, dtype: type, place: str) -> None:
    """96 threads in 3 CTAs add to four cells each CTA, or in all."""
    x = RNG.uniform(-2, 2, 96).astype(dtype)
    size = 4 if kind == "f32" else 8
    f = "%f" if kind == "f32" else "%fd"
    index = "mov.u32 %r51, %ctaid.x; mad.lo.u32 %r52, %r51, 32, %r50; and.b32 %r53, %r50, 3;"
    text = CELL + index + at("x", "%r52", size) + f"ld.global.{kind} {f}1, [%at_x];"
    if place == "global":
        text += at("y", "%r53", size) + f"red.global.add.{kind} [%at_y], {f}1;"
        shape, start = 4, RNG.uniform(-1, 1, 4).astype(dtype)
        wanted = start.astype(np.float64) + x.astype(np.float64).reshape(-1, 4).sum(axis=0)
    else:
        text += f"shl.b32 %r41, %r50, {2 if size == 4 else 3}; add.u32 %r42, %r40, %r41; setp.lt.u32 %p2, %r50, 4; @%p2 st.shared.{kind} [%r42], {f}1; bar.sync 0;"
        text += f"shl.b32 %r43, %r53, {2 if size == 4 else 3}; add.u32 %r44, %r40, %r43; atom.shared.add.{kind} {f}2, [%r44], {f}1; bar.sync 0;"
        text += (
            "mad.lo.u32 %r54, %r51, 4, %r50;"
            + at("y", "%r54", size)
            + f"@%p2 ld.shared.{kind} {f}3, [%r42]; @%p2 st.global.{kind} [%at_y], {f}3;"
        )
        shape, start = 12, np.zeros(12, dtype)
        cells = x.astype(np.float64).reshape(3, 8, 4)
        wanted = (cells.sum(axis=1) + cells[:, 0]).ravel()
    role = "inout" if place == "global" else "out"
    outcome = run_body(text, [tensor("x", kind, 96, "in"), tensor("y", kind, shape, role)], 32, grid=3)
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": x, "y": start})["y"]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_vector_of_sums() -> None:
    x = RNG.uniform(-2, 2, 64).astype(np.float32)
    text = CELL + at("x", size=8) + "ld.global.v2.f32 {%f1, %f2}, [%at_x]; red.global.add.v2.f32 [%rd_y], {%f1, %f2};"
    outcome = run_body(text, [tensor("x", "f32", 64, "in"), tensor("y", "f32", 2, "inout")])
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": x, "y": np.ones(2)})["y"]
    np.testing.assert_allclose(found, 1 + x.astype(np.float64).reshape(-1, 2).sum(axis=0), rtol=1e-12)


def test_an_exchange_of_floats_gives_what_was_there() -> None:
    x, y = RNG.uniform(-2, 2, 32), RNG.uniform(-2, 2, 32)
    text = (
        at("x")
        + at("y")
        + "ld.global.b32 %r1, [%at_x]; atom.global.exch.b32 %r2, [%at_y], %r1; add.f32 %r3, %r2, %r2; st.global.b32 [%at_x], %r3;"
    )
    outcome = run_body(text, [tensor("x", "f32", 32, "inout"), tensor("y", "f32", 32, "inout")])
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": x, "y": y})
    np.testing.assert_allclose(found["x"], 2 * y)
    np.testing.assert_allclose(found["y"], x)


def test_a_float_sum_whose_result_is_used_by_its_only_thread() -> None:
    text = at("x") + at("y") + "ld.global.f32 %f1, [%at_x]; atom.global.add.f32 %f2, [%at_y], %f1; st.global.f32 [%at_x], %f2;"
    x, y = RNG.uniform(-2, 2, 32), RNG.uniform(-2, 2, 32)
    outcome = run_body(text, [tensor("x", "f32", 32, "inout"), tensor("y", "f32", 32, "inout")])
    assert outcome.kinds == []
    found = evaluate(outcome.conditions(), {"x": x, "y": y})
    np.testing.assert_allclose(found["x"], y)
    np.testing.assert_allclose(found["y"], x + y)


@pytest.mark.parametrize(
    "code",
    [
        "red.global.max.s32 [%at_y], %r1;",  # the order of floats as integers
        "red.global.add.u32 [%at_y], %r1;",
        "red.global.or.b32 [%at_y], %r1;",
        "atom.global.cas.b32 %r2, [%at_y], %r1, %r1; st.global.b32 [%at_y], %r2;",
        "red.global.add.f64 [%at_y], %fd1;",
    ],
)
def test_other_atomics_on_symbolic_floats_are_refused(code: str) -> None:
    text = at("x", size=8) + at("y", size=8) + "ld.global.b32 %r1, [%at_x]; mov.f64 %fd1, 0d3FF0000000000000;" + code
    outcome = run_body(text, [tensor("x", "f32", 64, "in"), tensor("y", "f32", 64, "inout")])
    if outcome.kinds:
        assert outcome.kinds == ["unsupported-instruction"]
    else:
        with pytest.raises(UnsupportedError):
            outcome.conditions()


def test_copies_move_symbolic_values_and_zeros() -> None:
    """16 bytes of which 4 * (lane & 3) are read, then a transposed read."""
    x = RNG.uniform(-2, 2, 128)
    text = (
        CELL
        + "shl.b32 %r41, %r50, 4; add.u32 %r42, %r40, %r41; and.b32 %r43, %r50, 3; shl.b32 %r43, %r43, 2;"
        + at("x", size=16)
        + at("y", size=16)
    )
    text += "cp.async.cg.shared.global [%r42], [%at_x], 16, %r43; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;"
    text += "xor.b32 %r44, %r42, 32; ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r44]; add.f32 %f1, %f1, %f1; st.global.v4.f32 [%at_y], {%f1, %f2, %f3, %f4};"
    outcome = run_body(text, [tensor("x", "f32", 128, "in"), tensor("y", "f32", 128, "out")])
    assert outcome.kinds == []
    quads = np.where(np.arange(4) < (np.arange(32) & 3)[:, None], x.reshape(32, 4), 0)[np.arange(32) ^ 2] * np.array(
        [2, 1, 1, 1]
    )
    np.testing.assert_allclose(evaluate(outcome.conditions(), {"x": x})["y"], quads.ravel())


def test_copies_of_doubles() -> None:
    x = RNG.uniform(-2, 2, 32)
    text = CELL + "shl.b32 %r41, %r50, 3; add.u32 %r42, %r40, %r41;" + at("x", size=8) + at("y", size=8)
    text += "cp.async.ca.shared.global [%r42], [%at_x], 8; cp.async.wait_all; ld.shared.f64 %fd1, [%r42]; add.f64 %fd1, %fd1, %fd1; st.global.f64 [%at_y], %fd1;"
    outcome = run_body(text, [tensor("x", "f64", 32, "in"), tensor("y", "f64", 32, "out")])
    assert outcome.kinds == []
    np.testing.assert_allclose(evaluate(outcome.conditions(), {"x": x})["y"], 2 * x)


def test_a_part_of_a_symbolic_word_is_not_copied() -> None:
    text = CELL + "shl.b32 %r41, %r50, 4; add.u32 %r42, %r40, %r41;" + at("x", size=16)
    text += "cp.async.cg.shared.global [%r42], [%at_x], 16, 6; cp.async.wait_all;"
    outcome = run_body(text, [tensor("x", "f32", 128, "in")])
    assert outcome.kinds == []
    with pytest.raises(UnsupportedError):
        outcome.conditions()


@pytest.mark.parametrize(
    ("operation", "kind"), [("add", "u32"), ("add", "s32"), ("max", "s32"), ("min", "s32"), ("max", "u32"), ("min", "u32")]
)
def test_integers_that_are_not_known(operation: str, kind: str) -> None:
    """Sums modulo 2^32 and extrema of elements of an integer tensor, in exact arithmetic."""
    rng = np.random.default_rng(2)
    types = {"s32": np.int32, "u32": np.uint32}
    limits = np.iinfo(types[kind])
    x = np.concatenate([[limits.min, limits.max, limits.max], rng.integers(limits.min, limits.max, 29)]).astype(types[kind])
    text = at("x") + f"ld.global.b32 %r1, [%at_x]; red.global.{operation}.{kind} [%rd_o], %r1;"
    outcome = run_body(text, [tensor("x", kind, 32, "in"), tensor("o", kind, 1, "inout")], 32)
    assert outcome.kinds == []
    start = np.array([7], types[kind])
    found = evaluate(outcome.conditions(), {"x": x, "o": start}, exact=True)["o"].tolist()
    both = np.concatenate([x, start])
    expected = {"add": np.sum(both, dtype=types[kind]), "max": both.max(), "min": both.min()}[operation]
    assert found == [int(expected)]

"""Constants are taken in the dtype they meet, as NumPy 2 does; leaves, scalars and folds; the order of sums."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trace_specs import tensor, traced

from volta_pipe.ir.errors import InputError
from volta_pipe.ir.graph import FIXED_CONSTANTS, ONE, Conditions
from volta_pipe.ir.launch import Scalar
from volta_pipe.ir.nodes import Node

F32 = float(np.float32(0.1))
F16 = float(np.float16(0.1))


def _constants(conditions: Conditions) -> set[float]:
    return set(conditions.graph.constants[len(FIXED_CONSTANTS) :].tolist())


@pytest.mark.parametrize(
    ("dtype", "expression", "expected"),
    [
        ("f32", "x * 0.1", F32), ("f64", "x * 0.1", 0.1), ("f16", "x * 0.1", F16), ("bf16", "x * 0.1", F32),
        ("f32", "x * np.float64(0.1)", 0.1), ("f32", "x * np.float32(0.1)", F32), ("f64", "x * np.float32(0.1)", F32),
        ("f32", "x * np.array([0.1, 0.1])", 0.1), ("f32", "x * np.array([0.1, 0.1], np.float32)", F32),
        ("f32", "np.where(x > 0, x, 0.1)", F32), ("f32", "np.full_like(x, 0.1)", F32), ("f32", "np.maximum(x, 0.1)", F32),
        ("f32", "np.clip(x, None, 0.1)", F32), ("f32", "(x * np.float64(1)) + 0.1", 0.1),
        ("f32", "x.astype(np.float64) + 0.1", 0.1), ("f64", "x.astype(np.float32) + 0.1", F32),
        ("f32", "np.pad(x[:1], (0, 1), constant_values=0.1)", F32), ("f32", "x + np.arange(2) * 0.1", 0.1),
        ("f32", "np.stack([x[0], 0.1])", 0.1), ("f32", "np.hstack([x, 0.1])[1:]", 0.1),
        ("f32", "np.stack([x[0], np.float32(0.1)])", F32),
        ("f32", "np.sum(x, initial=0.1, keepdims=True) * np.ones_like(x)", F32),
        ("f32", "np.concatenate([x[:1], np.array([0.1])])", 0.1), ("f32", "np.where(x < 0.1, x, 0)", F32),
    ],
)  # fmt: skip
def test_constants_meet_dtypes(tmp_path: Path, dtype: str, expression: str, expected: float) -> None:
    text = f"def spec(x):\n    return {{'r': {expression}}}\n"
    conditions = traced(tmp_path, text, tensor("x", (2,), dtype=dtype), tensor("r", (2,), "out", dtype))
    assert _constants(conditions) == {expected}


def test_item_assignment_rounds_and_scalars_have_their_dtype(tmp_path: Path) -> None:
    text = "def spec(x, eps):\n    r = np.copy(x)\n    r[0] = 0.1\n    r[1] += eps\n    return {'r': r}\n"
    parts = (tensor("x", (2,), dtype="f32"), tensor("r", (2,), "out", "f32"), Scalar("eps", "f32", 0.3))
    assert _constants(traced(tmp_path, text, *parts)) == {F32, float(np.float32(0.3))}


def test_leaves_and_scalars(tmp_path: Path) -> None:
    text = "def spec(x, a):\n    return {'r': x.T, 's': a * np.ones(1)}\n"
    parts = (tensor("unused", (1,), "out"), tensor("x", (2, 3)), tensor("r", (3, 2), "out"), tensor("s", (1,), "out"))
    with pytest.raises(InputError, match="does not return unused"):
        traced(tmp_path, text, *parts, Scalar("a", "f64", None))
    conditions = traced(tmp_path, text, *parts[1:], Scalar("b", "f64", 1.0), Scalar("a", "f64", None))
    graph, roots = conditions.graph, conditions.outputs[1]
    assert (conditions.tensors, conditions.scalars, list(conditions.outputs)) == (("x", "r", "s"), ("b", "a"), [1, 2])
    assert graph.op[roots].tolist() == [Node.LEAF] * 6
    assert graph.b[roots].tolist() == [0, 3, 1, 4, 2, 5]
    scalar = conditions.outputs[2][0]
    assert (graph.op[scalar], graph.a[scalar]) == (Node.SCALAR, 1)


def test_known_masks_leave_no_select_and_zeros_fold(tmp_path: Path) -> None:
    text = "def spec(x):\n    r = np.where(np.tri(3, dtype=bool), x, 0)\n"
    text += "    return {'r': r @ np.eye(3), 's': x - x * 0 + (x < np.inf)}\n"
    conditions = traced(tmp_path, text, tensor("x", (3, 3)), tensor("r", (3, 3), "out"), tensor("s", (3, 3), "out"))
    assert set(conditions.graph.op[6:].tolist()) == {Node.LEAF, Node.ADD}
    assert conditions.outputs[1].tolist()[1] == ONE - 1


def test_sums_run_from_left_to_right_and_products_are_fma_chains(tmp_path: Path) -> None:
    text = "def spec(x, y):\n    return {'r': x.sum(axis=(0, 1), keepdims=True), 's': (x[0] @ y).reshape(1)}\n"
    parts = (tensor("x", (2, 2)), tensor("y", (2,)), tensor("r", (1, 1), "out"), tensor("s", (1,), "out"))
    conditions = traced(tmp_path, text, *parts)
    graph = conditions.graph

    def show(node: int) -> str:
        if graph.op[node] == Node.LEAF:
            return f"{'xy'[graph.a[node]]}{graph.b[node]}"
        return f"{Node(graph.op[node]).name}({', '.join(map(show, graph.operands(node)))})"

    assert show(int(conditions.outputs[2][0])) == "ADD(x3, ADD(x2, ADD(x0, x1)))"  # commuting operands: leaves first
    assert show(int(conditions.outputs[3][0])) == "FMA(x1, y1, MUL(x0, y0))"


def test_shared_memory_of_two_tensors_is_one_leaf(tmp_path: Path) -> None:
    text = "def spec(x, y):\n    return {'r': x + y}\n"
    conditions = traced(tmp_path, text, tensor("x", (4,)), tensor("y", (4,), alias_of=0), tensor("r", (4,), "out"))
    graph = conditions.graph
    root = int(conditions.outputs[2][1])
    assert graph.operands(root)[0] == graph.operands(root)[1]
    message = r"y \(f32, shape \(4,\), in\) shares memory with x \(f64, shape \(4,\), in\): for a spec dtype and layout"
    with pytest.raises(InputError, match=message):
        traced(tmp_path, text, tensor("x", (4,)), tensor("y", (4,), alias_of=0, dtype="f32"), tensor("r", (4,), "out"))


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    text = (
        "def spec(x):\n    p = np.exp(x - x.max(axis=1, keepdims=True))\n    return {'r': p / p.sum(axis=1, keepdims=True)}\n"
    )
    runs = [traced(tmp_path, text, tensor("x", (3, 5)), tensor("r", (3, 5), "out")).encode() for _ in range(2)]
    assert b"".join(map(bytes, runs[0])) == b"".join(map(bytes, runs[1]))

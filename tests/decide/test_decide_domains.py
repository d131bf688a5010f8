"""What a proof takes for granted about where roots and logarithms have values.

By the PTX ISA sqrt and log of a negative number are NaN, comparisons with NaN are false, and max returns its other operand: a
kernel that compares or drops such a value computes something where the other side has no value, or the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from expressions import Builder
from test_decide import decided, single

from volta_pipe.ir.domains import LOGS, NONZERO, ROOTS
from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace import load_spec, trace

N = Node


def root(b: Builder, x: Any) -> Any:
    return b.op(N.SQRT, x)


def log(b: Builder, x: Any) -> Any:
    return b.op(N.LOG, x)


def select(b: Builder, p: Any, x: Any, y: Any) -> Any:
    return b.op(N.SELECT, p, x, y)


CASES: dict[str, tuple[Any, Any, set[str]]] = {
    "a root that cancels": (lambda b, x, y: b.sub(b.add(y, root(b, x)), root(b, x)), lambda b, x, y: y, {ROOTS}),
    "a logarithm times 0": (lambda b, x, y: b.add(y, b.mul(log(b, x), 0.0)), lambda b, x, y: y, {LOGS}),
    "a quotient that cancels": (lambda b, x, y: b.mul(b.div(y, x), x), lambda b, x, y: y, {NONZERO}),
    "the same logarithm twice": (lambda b, x, y: b.add(log(b, x), log(b, x)), lambda b, x, y: b.mul(log(b, x), 2.0), {LOGS}),
    "a logarithm of 1 and a square": (
        lambda b, x, y: b.mul(log(b, b.add(b.mul(x, x), 1.0)), 0.0), lambda b, x, y: b.const(0.0), {LOGS}),
    "a logarithm in a maximum": (lambda b, x, y: b.max(log(b, x), y), lambda b, x, y: b.max(b.mul(y, 1.0), log(b, x)), {LOGS}),
    "a root is compared": (lambda b, x, y: select(b, b.op(N.LE, 0.0, root(b, x)), y, 7.0), lambda b, x, y: y, {ROOTS}),
    "a root is compared with itself": (
        lambda b, x, y: select(b, b.op(N.EQ, root(b, x), b.mul(root(b, x), 1.0)), y, 7.0), lambda b, x, y: y, {ROOTS}),
    "a root in a maximum": (lambda b, x, y: b.max(root(b, x), -1.0), lambda b, x, y: b.mul(root(b, x), 1.0), {ROOTS}),
    "a logarithm where it is taken": (
        lambda b, x, y: select(b, b.op(N.LT, 0.0, x), b.add(log(b, x), y), y),
        lambda b, x, y: b.add(y, select(b, b.op(N.LT, 0.0, x), log(b, x), 0.0)), {LOGS}),
    "a root in one arm": (
        lambda b, x, y: select(b, b.op(N.LT, y, 0.0), b.sub(b.add(root(b, x), y), root(b, x)), y), lambda b, x, y: y, {ROOTS}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_conditions_that_equality_rests_on(name: str) -> None:
    left, right, said = CASES[name]
    for x, y in ((left, right), (right, left)):
        found = decided(single(x), single(y))
        assert found.verdict == "equivalent", found.unknown
        assert {*found.assumptions} == said


FOLDED = {
    "y + 0 * np.sqrt(x)": (ROOTS,),
    "y + 0 * (1 / x)": (NONZERO,),
    "y + 0 * (x / 4)": (),
    "y + 0 * np.log(x * x + 1)": (LOGS,),
    "y + 0 * (x * x)": (),
    "np.where(np.log(x) < np.inf, y, 0)": (LOGS,),
    "y + np.exp(np.minimum(np.sqrt(x), -np.inf))": (ROOTS,),
    "y + 1 / (np.inf + np.sqrt(x))": (ROOTS,),
    "y + np.sqrt(x) / np.inf": (ROOTS,),
    "np.maximum(np.sqrt(x), -np.inf)": (),
    "np.where(True, y, np.sqrt(x))": (),
}


@pytest.mark.parametrize("text", FOLDED)
def test_conditions_of_what_folds_leave_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "spec.py").write_text(f"import numpy as np\ndef spec(x, y):\n    return {{'r': {text}}}\n")
    tensors = tuple(Tensor(name, "f64", (2,), (1,), role) for name, role in (("x", "in"), ("y", "in"), ("r", "out")))
    launch = Launch(tensors, (), (), (1, 1, 1), (1, 1, 1))
    assert trace(load_spec("spec.py:spec", tmp_path), launch).assumptions == FOLDED[text]


def test_of_more_operands_than_are_remembered_all_is_listed(tmp_path: Path) -> None:
    (tmp_path / "spec.py").write_text("import numpy as np\ndef spec(x):\n    return {'r': 0 * (x * x) + np.sqrt(x)}\n")
    for size, said in ((2, ()), (5000, (ROOTS,))):
        tensors = tuple(Tensor(name, "f64", (size,), (1,), role) for name, role in (("x", "in"), ("r", "out")))
        launch = Launch(tensors, (), (), (1, 1, 1), (1, 1, 1))
        assert trace(load_spec("spec.py:spec", tmp_path), launch).assumptions == said

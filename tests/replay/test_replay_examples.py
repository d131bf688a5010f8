"""Every kernel of the examples, both sides, at every combination of dims, on random floats, against its reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.replaying import Side, difference, run_kernel, run_spec
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.passes.dynamic.compare import TOLERANCE
from volta_pipe.passes.replay import from_numbers

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = sorted((ROOT / "examples").glob("*/volta.toml"))
# Not to be run: a race, and an access outside. The kernel with the wrong index is run, and must differ.
UNSAFE = {"broken-race", "broken-tail", "broken-lowering", "broken-option"}
# How far rounding to float32 may take a result from the same in double precision, of the largest output.
ROUNDING = 2e-5


def contents_of(plan: Any, seed: int) -> dict[str, Any]:
    """Floats in [-1, 1) of the full precision of their dtype; scalars in [0.5, 1)."""
    rng = np.random.default_rng(seed)
    drawn: dict[str, Any] = {}
    for tensor in plan.tensors:
        if tensor.spec.role in ("in", "inout") and tensor.spec.values is None:
            drawn[tensor.spec.name] = from_numbers(rng.uniform(-1, 1, tensor.shape), tensor.spec.dtype)
    return drawn | {name: np.float32(rng.uniform(0.5, 1)) for name, _, value in plan.scalars if value is None}


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: path.parent.name)
def test_examples_compute_what_their_references_do(contract: Path, tmp_path: Path) -> None:
    name = contract.parent.name
    with Store(tmp_path) as store:
        session = verify(contract, store, Options("check"))
        assert bool(session.document["findings"]) == (name in UNSAFE)
        if name in UNSAFE:
            return
        for number, one in enumerate(session.combinations):
            contents = contents_of(one.plan.candidate, number)
            candidate = run_kernel(one, session.engine, "candidate", contents)
            if isinstance(one.plan.reference, SpecReference):
                wanted = run_spec(one.plan.reference, one.plan.candidate.launch(), contents)
            else:
                wanted = run_kernel(one, session.engine, "reference", contents)
            assert candidate.numbers
            limit = TOLERANCE["f16"] if "f16" in candidate.rounded else ROUNDING
            assert (limit != ROUNDING) == (name == "broken-precision")
            for tensor in candidate.numbers:
                found = difference(tensor, "f32", candidate, wanted, limit)
                assert found.compared == candidate.numbers[tensor].size
                assert found.close == (name != "broken-index"), found


def test_matmul_against_numpy() -> None:
    """Without the driver: both kernels of the matrix product, element by element the sums that float32 fma gives."""
    from bench.stages import kernels_of
    from volta_pipe.passes.replay import replay
    from volta_pipe.passes.unroll import unroll

    rng = np.random.default_rng(3)
    for one in kernels_of("examples/matmul/volta.toml"):
        shapes = {t.name: t.shape for t in one.launch.tensors}
        a, b = (rng.uniform(-1, 1, shapes[name]).astype(np.float32) for name in "ab")
        done = replay(one.module, unroll(one.module, one.launch), one.launch, {"a": a, "b": b})
        total = np.zeros(shapes["c"], np.longdouble)
        for k in range(a.shape[1]):  # fma: the product is exact, the sum is rounded to float32 once
            total = (total + np.outer(a[:, k].astype(np.longdouble), b[k])).astype(np.float32).astype(np.longdouble)
        exact = a.astype(np.float64) @ b
        assert np.abs(done.outputs["c"] - exact).max() < 1e-4
        assert (done.outputs["c"] == total).mean() > 0.999, "the order of the sum is k ascending in both kernels"
        assert done.written["c"].all()
        assert done.approximate == ()


def test_differences_count_what_is_missing() -> None:
    full, half = np.ones(4, np.bool_), np.array([True, True, False, False])
    numbers = {"y": np.array([1.0, 2.0, np.nan, np.inf])}
    same = difference("y", "f32", Side(numbers, {"y": full}), Side(numbers, {"y": full}), TOLERANCE["f32"])
    assert (same.largest, same.close, same.compared) == (0.0, True, 4)
    missing = difference("y", "f32", Side(numbers, {"y": half}), Side(numbers, {"y": full}), TOLERANCE["f32"])
    assert missing.largest == np.inf
    assert not missing.close
    assert missing.element == (2,)
    other = {"y": np.array([1.0, 2.5, np.nan, -np.inf])}
    found = difference("y", "f32", Side(other, {"y": full}), Side(numbers, {"y": full}), TOLERANCE["f32"])
    assert found.largest == np.inf
    assert found.element == (3,)
    found = difference("y", "f32", Side(other, {"y": half}), Side(numbers, {"y": half}), 0.3)
    assert (found.largest, found.relative, found.close) == (0.5, 0.25, True)
    whole = {"y": np.array([1, 2, 2**64 - 1], np.uint64)}, {"y": np.array([1, 2, 0], np.uint64)}
    sides = [Side(numbers, {"y": np.ones(3, np.bool_)}) for numbers in whole]
    assert difference("y", "u64", *sides, 0.0).largest == 2.0**64

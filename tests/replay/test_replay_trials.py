"""Several trials at once against one run for each: the same bits, and the same elements written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.passes.replay import replay, replay_each

ROOT = Path(__file__).parents[2]
# Registers and loops; shared memory and barriers; shuffles; local memory; atomics in global and shared memory; contents of
# variables that the host sets; scalars; products of matrices; copies; an output that is left in part.
CONTRACTS = (
    "examples/matmul/volta.toml",
    "examples/attention-spec/volta.toml",
    "examples/softmax-spec/volta.toml",
    "tests/kernels/features/local.toml",
    "tests/kernels/atomics/sum.toml",
    "tests/kernels/atomics/histogram.toml",
    "tests/kernels/features/constant.toml",
    "examples/axpy-spec/volta.toml",
    "tests/kernels/tensor/gemm_wmma.toml",
    "tests/kernels/async/two_stages.toml",
    "tests/kernels/axpy/short_tail.toml",
)


@pytest.mark.parametrize("name", CONTRACTS)
def test_trials_together_and_one_by_one(name: str, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        session = verify(ROOT / name, store, Options("unroll"))
        differ = False
        for one in session.combinations:
            module = session.engine.value(one.steps["candidate", "lower"]).module
            program = session.engine.value(one.steps["candidate", "unroll"])
            trials = [random_contents(one.plan.candidate, seed) for seed in range(5)]
            launch = one.plan.candidate.launch()
            together = replay_each(module, program, launch, trials)
            for trial, found in zip(trials, together, strict=True):
                alone = replay(module, program, launch, trial)
                assert (found.approximate, found.rounded) == (alone.approximate, alone.rounded)
                for tensor, output in alone.outputs.items():
                    assert output.tobytes() == found.outputs[tensor].tobytes()
                    assert np.array_equal(alone.written[tensor], found.written[tensor])
            outputs = [b"".join(array.tobytes() for array in done.outputs.values()) for done in together]
            differ = differ or len(set(outputs)) > 1 or not trials[0]
    assert differ, "all trials have the same outputs, whatever they start from"

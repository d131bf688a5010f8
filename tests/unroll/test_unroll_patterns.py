"""What is computed of each pattern of addresses at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor

from volta_pipe.ir.program import Program


@pytest.fixture(scope="module")
def program() -> Program:
    body = (
        at("x")
        + at("y")
        + "ld.global.f32 %f1, [%at_x]; xor.b32 %r1, %r50, 5; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd1, %rd_x;"
        + "ld.global.f32 %f2, [%rd1]; add.f32 %f1, %f1, %f2; st.global.f32 [%at_y], %f1;"
    )
    return run_body(body, [tensor("x", "f32", 32, "in"), tensor("y", "f32", 32, "out")], 32).program


def test_the_least_and_the_most_of_each_row(program: Program) -> None:
    low, high = program.over_patterns(np.minimum, np.maximum)
    assert len(low) == len(high) == len(program.pattern_start) and low[-1] == high[-1] == 0
    rows = range(len(program.row_instr))
    base, pattern = program.row_base, program.row_pattern
    ends = [(int(base[row] + low[pattern[row]]), int(base[row] + high[pattern[row]])) for row in rows]
    assert ends == [(int(program.row_values(r).min()), int(program.row_values(r).max())) for r in rows]
    assert {-1, 0} < set(program.row_pattern.tolist())  # rows without a pattern, and at least two patterns


def test_patterns_without_values(program: Program) -> None:
    """Nothing makes them, but an artifact from outside may have one that no row names, also as the last."""
    start, end = program.pattern_start[:1], program.pattern_start[-1:]
    odd = replace(program, pattern_start=np.concatenate((start, program.pattern_start, end)))
    (low,), (plain,) = odd.over_patterns(np.minimum), program.over_patterns(np.minimum)
    assert low.tolist() == [0, *plain[:-1].tolist(), 0, 0]
    none = replace(program, pattern_start=np.zeros(1, np.int64), pattern_values=np.zeros(0, np.int64))
    assert [one.tolist() for one in none.over_patterns(np.minimum, np.bitwise_or)] == [[0], [0]]

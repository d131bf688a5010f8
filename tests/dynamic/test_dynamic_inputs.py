"""What each kind of trial draws, and that a contract's range holds for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from volta_pipe.ir.launch import Launch, Scalar, Tensor
from volta_pipe.passes.dynamic.inputs import NONFINITE, TRIALS, draw
from volta_pipe.passes.replay import to_numbers

# The least normal and the largest number: IEEE 754 and OCP FP8.
FLOATS = {
    "f64": (2.0**-1022, (2 - 2.0**-52) * 2.0**1023), "f32": (2.0**-126, (2 - 2.0**-23) * 2.0**127),
    "tf32": (2.0**-126, (2 - 2.0**-10) * 2.0**127), "bf16": (2.0**-126, (2 - 2.0**-7) * 2.0**127),
    "f16": (2.0**-14, 65504.0), "e5m2": (2.0**-14, 57344.0), "e4m3": (2.0**-6, 448.0),
}  # fmt: skip
INTEGERS = {"s8": (-128, 127), "u8": (0, 255), "b8": (0, 255), "s16": (-32768, 32767), "u32": (0, 2**32 - 1)}
INTEGERS |= {"s64": (-(2**63), 2**63 - 1), "u64": (0, 2**64 - 1)}


def numbers(dtype: str, kind: str, seed: int = 0, ranges: Any = None, shape: tuple[int, ...] = (40, 10)) -> Any:
    tensor = Tensor("x", dtype, shape, (shape[-1], 1), "in")
    launch = Launch((tensor,), (Scalar("a", "f32", None),), (), (1, 1, 1), (1, 1, 1))
    contents = draw(launch, ranges or {}, kind, seed)
    assert to_numbers(contents["a"], "f32")[0] > 0
    return to_numbers(contents["x"], dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats(dtype: str) -> None:
    least, most = FLOATS[dtype]
    drawn = {kind: numbers(dtype, kind) for kind, _ in TRIALS}
    assert not drawn["zeros"].any() and (drawn["ones"] == 1).all()
    assert sorted(drawn["one-hot"].reshape(-1))[-2:] == [0.0, 1.0]
    small = np.abs(drawn["subnormal"])
    assert small.max() < least and (small > 0).mean() > 0.5
    for kind, scale in (("normal", 1.0), ("large", 100.0), ("small", 1 / 128)):
        assert scale * 0.8 < drawn[kind].std() < scale * 1.2, kind
        assert np.abs(drawn[kind]).max() <= most
    assert drawn["uniform"].min() < -1.8 and drawn["uniform"].max() > 1.8 and np.abs(drawn["uniform"]).max() <= 2


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers(dtype: str) -> None:
    low, high = INTEGERS[dtype]
    for kind, _ in TRIALS:
        drawn = [int(v) for v in numbers(dtype, kind).reshape(-1)]
        assert low <= min(drawn) and max(drawn) <= high
    ends = {int(v) for v in numbers(dtype, "subnormal").reshape(-1)}
    assert ends == {low, high}
    whole = [int(v) for v in numbers(dtype, "uniform").reshape(-1)]
    assert max(whole) - min(whole) > (high - low) * 9 // 10
    assert {int(v) for v in numbers(dtype, "ones").reshape(-1)} == {1}


@pytest.mark.parametrize("dtype", ["f32", "e4m3", "s16", "u8"])
@pytest.mark.parametrize("kind", [kind for kind, _ in TRIALS])
def test_a_range_holds_for_every_kind(dtype: str, kind: str) -> None:
    drawn = numbers(dtype, kind, ranges={"x": (2.5, 9.0)})
    assert drawn.min() >= 2.5 and drawn.max() <= 9.0
    assert dtype[0] not in "su" or drawn.min() >= 3


def test_another_seed_draws_others_and_the_same_seed_the_same() -> None:
    first, again, other = (numbers("f32", "normal", seed) for seed in (0, 0, 1))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


@pytest.mark.parametrize(("kind", "place"), NONFINITE)
def test_one_special_number_in_one_tensor(kind: str, place: int) -> None:
    tensors = tuple(Tensor(name, dtype, (5, 7), (7, 1), "in") for name, dtype in (("x", "f32"), ("n", "s32"), ("y", "f16")))
    contents = draw(Launch(tensors, (), (), (1, 1, 1), (1, 1, 1)), {}, kind, place)
    special = {"infinity": np.isposinf, "negative infinity": np.isneginf, "nan": np.isnan}[kind]
    counts = {name: int(special(to_numbers(contents[name], dtype)).sum()) for name, dtype in (("x", "f32"), ("y", "f16"))}
    assert counts == ({"x": 1, "y": 0} if place % 2 == 0 else {"x": 0, "y": 1})
    assert sum(int((~np.isfinite(contents[name].astype(np.float64))).sum()) for name in ("x", "y")) == 1

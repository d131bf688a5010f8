"""Which calls of a kernel the verdict's function accepts: each precondition, and a call that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driver_calls import Call, text_of, write


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return write(tmp_path)


@pytest.mark.parametrize("n", [32, 33, 64])
def test_a_call_as_the_contract_has_it_is_covered(written: Path, n: int) -> None:
    text = text_of(written)
    assert Call(n).accepted(text)
    assert text is not None and "import os" not in text["function"] + text["expression"] and "\n" not in text["expression"]


def _set(path: str, value: Any) -> Callable[[Call], None]:
    """A change of one attribute or item: `tensors.x.dtype`."""

    def change(call: Call) -> None:
        *steps, last = path.split(".")
        place: Any = call
        for step in steps:
            place = place[step] if isinstance(place, dict) else getattr(place, step)
        if isinstance(place, dict):
            place[last] = value
        else:
            setattr(place, last, value)

    return change


X, Y = 1 << 20, (1 << 20) + 4 * 4096
REFUSED = {
    "a dim that was not proved": _set("dims.rows", 5),
    "a dtype": _set("tensors.x.dtype", "f16"),
    "a shape": _set("tensors.y.shape", (32, 4)),
    "a rank": _set("tensors.y.shape", (4, 32, 1)),
    "a stride": _set("tensors.x.strides", (32, 1)),
    "a transposed tensor": _set("tensors.y.strides", (1, 4)),
    "an address off by 4": lambda call: call.move("x", X + 4),
    "an address that is aligned for x, not for y": lambda call: call.move("y", Y + 16),
    "overlapping memory": lambda call: call.move("x", Y),
    "memory that overlaps in its last row": lambda call: call.move("x", Y - 16 * 30),
    "memory that overlaps an input": lambda call: call.move("y", X + 4096),
    "a scalar of another value": lambda call: (_set("scalars.eps", 1e-4)(call), call.launch.args.__setitem__(3, 1e-4)),
    "a scalar that is no number": lambda call: (
        _set("scalars.a", float("nan"))(call),
        call.launch.args.__setitem__(4, float("nan")),
    ),
    "an infinite scalar": lambda call: (_set("scalars.a", float("inf"))(call), call.launch.args.__setitem__(4, float("inf"))),
    "a grid": _set("launch.grid", (2, 4, 1)),
    "a block": _set("launch.block", (64, 1, 1)),
    "shared memory": _set("launch.shared", 0),
    "an offset": lambda call: call.launch.args.__setitem__(1, Y),
    "a missing argument": lambda call: call.launch.args.pop(),
    "a pointer where null belongs": lambda call: call.launch.args.__setitem__(7, X),
    "other ids": _set("contents.ids", np.arange(1, 33, dtype="<i4").tobytes()),
    "too few ids": _set("contents.ids", np.arange(31, dtype="<i4").tobytes()),
    "another mask": _set("contents.mask", bytes([0, 1, 2, 3, 5, 4])),
    "another bias": _set("contents.bias", np.array([0.5, 0.5, 0.5, 0.25], "<f4").tobytes()),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_call_that_differs_is_not_covered(written: Path, what: str) -> None:
    call = Call()
    REFUSED[what](call)
    assert not call.accepted(text_of(written))


def test_what_is_not_given_is_an_error(written: Path) -> None:
    call = Call()
    del call.contents["ids"]
    with pytest.raises(KeyError):
        call.accepted(text_of(written))


def test_memory_may_touch_and_not_overlap(written: Path) -> None:
    """x has rows of 32 elements 40 apart, so 4 (3*40 + 32) bytes; its gaps count as its memory. All places are tried."""
    text, size = text_of(written), 4 * (3 * 40 + 32)
    for x in range(Y - 1024, Y + 1024, 16):
        call = Call()
        call.move("x", x)
        assert call.accepted(text) == (not set(range(x, x + size)) & set(range(Y, Y + 4 * 4 * 32)))

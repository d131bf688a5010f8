"""A value that is sooner made again than read: it counts where it is written as the store says, and else the store counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.engine import Engine
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.step import Step
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError


def _changed() -> Any:
    raise InputError("it was changed in the meantime")


@pytest.mark.parametrize(
    ("again", "made", "expected"),
    [
        (True, lambda: ("made", "text"), ("made", "text")),
        (True, lambda: ("made", "other"), ("read", "text")),
        (True, _changed, ("read", "text")),
        (False, lambda: ("made", "text"), ("read", "text")),
    ],
)
def test_what_is_made_again_counts_where_it_is_the_same(
    tmp_path: Path, again: bool, made: Callable[[], Any], expected: tuple[str, str]
) -> None:
    stage = replace(
        STAGES["lower"],
        encode=lambda value: {"artifact": value[1].encode()},
        decode=lambda data: ("read", str(data["artifact"], "utf-8")),
        again=again,
    )
    with Store(tmp_path) as store:
        outputs = {"artifact": store.put(b"text")}
        step = Step(stage, "key", {}, outputs, True, 0.0, True, made)
        assert Engine(store).value(step) == expected


def test_an_object_that_is_damaged_is_still_noticed(tmp_path: Path) -> None:
    said: list[str] = []
    stage = replace(STAGES["lower"], encode=lambda value: {"artifact": value.encode()}, again=True)
    with Store(tmp_path) as store:
        outputs = {"artifact": store.put(b"text")}
    with Store(tmp_path, said.append) as store:
        path = store.path("objects", outputs["artifact"])
        path.chmod(0o644)
        path.write_bytes(b"next")
        step = Step(stage, "0" * 64, {}, outputs, True, 0.0, True, lambda: "text")
        assert Engine(store).value(step) == "text"
    assert len(said) == 1 and "is damaged; computing it again" in said[0]

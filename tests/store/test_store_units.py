"""What is kept of classes is data from outside: no such record proves a kernel that is wrong, whatever it says."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_forging import body_of, copied, drop, sealed, written
from store_mutations import edited, flipped

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "incremental"))

import incremental_rows as rows

PROOF = Options(skip=frozenset(("dynamic",)))
TRUE = {"right": "equivalent", "wrong": "not-equivalent"}
MUTATIONS = 40


class Base:
    """Stores of two kernels, one of which is wrong in one row, and which have all other rows in common."""

    def __init__(self, folder: Path) -> None:
        self.contracts = {
            name: rows.written(folder / name, change) for name, change in (("right", {}), ("wrong", {3: rows.WRONG}))
        }
        self.folder = folder
        for name, truth in TRUE.items():
            assert self.verdict(name, folder / f"{name} store", []) == truth

    def verdict(self, name: str, store: Path, said: list[str]) -> str:
        with Store(store, said.append) as opened:
            return str(verify(self.contracts[name], opened, PROOF).document["verdict"])

    def without(self, name: str, target: Path) -> Path:
        """A copy of a store that has what is kept of classes, but neither normal forms nor a decision."""
        store = copied(self.folder / f"{name} store", target)
        drop(store, ("canon", "decide"))
        return store


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return Base(tmp_path_factory.mktemp("base"))


def units(store: Path) -> dict[str, Any]:
    """Records of classes by their path, in the order of what they say."""
    found = {str(path): body_of(path) for path in store.glob("actions/??/*")}
    return dict(sorted((pair for pair in found.items() if pair[1][2] == "canon_unit"), key=lambda pair: repr(pair[1][4])))


def test_nothing_is_said_of_what_is_intact(base: Base, tmp_path: Path) -> None:
    for name, truth in TRUE.items():
        said: list[str] = []
        store = base.without(name, tmp_path / name)
        assert len(units(store)) == rows.ROWS
        assert base.verdict(name, store, said) == truth and not said


@pytest.mark.parametrize("name", TRUE)
def test_no_mutated_record_gives_a_wrong_verdict(base: Base, name: str, tmp_path: Path) -> None:
    noticed = 0
    for number in range(MUTATIONS):
        draw = random.Random(number)
        store = base.without(name, tmp_path / "store")
        path, body = draw.choice(list(units(store).items()))
        way = number % 3
        if way == 0:
            written(Path(path), flipped(Path(path).read_bytes(), draw))
        else:
            body[4] = edited(body[4], draw) if way == 1 else {**body[4], "table": flipped(body[4]["table"], draw)}
            written(Path(path), sealed(body))
        said: list[str] = []
        found = base.verdict(name, store, said)
        assert found in (TRUE[name], "unknown"), number
        noticed += bool(said)
    assert noticed > MUTATIONS // 2


def test_exchanged_records_are_computed_again(base: Base, tmp_path: Path) -> None:
    """As they are, with their keys exchanged, and with the units that they name exchanged besides."""
    for keys, names in ((False, False), (True, False), (True, True)):
        store = base.without("wrong", tmp_path / "store")
        found = list(units(store).items())
        for (path, body), (_, other) in zip(found, found[1:] + found[:1], strict=True):
            put = [other[0], body[1] if keys else other[1], *other[2:4], dict(other[4])]
            if names:
                put[4]["unit"] = body[4]["unit"]
            written(Path(path), sealed(put))
        said: list[str] = []
        assert base.verdict("wrong", store, said) == "not-equivalent"
        assert len(said) == rows.ROWS and all("computing it again" in line for line in said)


def test_a_class_that_is_said_to_be_equal(base: Base, tmp_path: Path) -> None:
    """The same inputs, the right unit, equal forms: all that a row of the right kernel says, told of the wrong one."""
    right, wrong = (units(base.without(name, tmp_path / name)) for name in TRUE)
    (path,) = set(wrong_paths := _relative(wrong, tmp_path / "wrong")) - set(
        right_paths := _relative(right, tmp_path / "right")
    )
    (other,) = set(right_paths) - set(wrong_paths)
    body, truth = wrong_paths[path], right_paths[other]
    assert (truth[4]["outcomes"][0][0], body[4]["outcomes"][0][0]) == ("equal", "differ")
    f, g = body[4]["outcomes"][0][2]
    lies = [
        {**truth[4], "unit": body[4]["unit"]},
        {**truth[4], "unit": body[4]["unit"], "effort": body[4]["effort"]},
        {**body[4], "outcomes": [["equal", "", [f, g]]]},
        {**body[4], "outcomes": [["equal", "", [f, f]]]},
        {**body[4], "outcomes": [["cases", "", [f, g]]]},
        {**body[4], "outcomes": [["identical", "", [0, 0]]]},
    ]
    for lie in lies:
        store = base.without("wrong", tmp_path / "store")
        written(store / path, sealed([*body[:4], lie]))
        assert base.verdict("wrong", store, []) == "not-equivalent"
    # What holds after any effort is looked for first.
    general = next(key for key in right_paths if key != other)
    assert right_paths[general][4]["effort"] is None


def _relative(found: dict[str, Any], store: Path) -> dict[str, Any]:
    return {str(Path(path).relative_to(store)): body for path, body in found.items()}


def test_a_stage_that_fails_behind_what_was_found_is_run_without_it(base: Base, tmp_path: Path) -> None:
    """No step was cached: all that came from the store is in the middle of a stage."""
    store = base.without("right", tmp_path / "store")
    drop(store, ("lower", "unroll", "check", "vc", "trace"))
    calls = 0
    run = STAGES["decide"].run

    def decide(job: Any, values: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("a form that no stage gives")
        return run(job, values)

    said: list[str] = []
    stages = {**STAGES, "decide": replace(STAGES["decide"], run=decide)}
    with Store(store, said.append) as opened:
        document = verify(base.contracts["right"], opened, PROOF, stages=stages).document
    assert document["verdict"] == "equivalent" and calls == 2
    assert said == [
        "store: an artifact made a stage fail (RuntimeError: a form that no stage gives); computing everything again"
    ]
    assert not any("classes" in stage for stage in document["stages"])

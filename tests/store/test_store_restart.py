"""A run that fails on what the store holds starts again without it; one that fails by itself does not hide it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_forging import body_of, copied, drop, forge, sealed, written
from store_hostile import ROOT, Victim

from volta_pipe.driver.session import verify
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.passes.canon.canonical import Canonical, Unmatched
from volta_pipe.passes.decide import decide


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Victim:
    return Victim("examples/reduce-tree/volta.toml", tmp_path_factory.mktemp("victim"))


def _record(store: Path, stage: str) -> Path:
    return next(path for path in sorted(store.glob("actions/??/*")) if body_of(path)[2] == stage)


def test_parameters_that_a_record_of_lower_lacks(victim: Victim, tmp_path: Path) -> None:
    store = copied(victim.store, tmp_path / "store")
    path = _record(store, "lower")
    body = body_of(path)
    body[4]["parameters"].pop()
    written(path, sealed(body))
    said: list[str] = []
    assert victim.verdict(store, said) == victim.truth
    assert said == ["store: a record of lower was wrong; computed it again"]


def test_resources_that_a_record_of_lower_makes_up(victim: Victim, tmp_path: Path) -> None:
    """A kernel that needs more than its architecture has is unsafe by the record alone: the stage is asked again first."""
    store = copied(victim.store, tmp_path / "store")
    path = _record(store, "lower")
    body = body_of(path)
    assert 0 < body[4]["resources"]["shared"] < 1 << 16
    body[4]["resources"]["shared"] = 1 << 40
    written(path, sealed(body))
    said: list[str] = []
    assert victim.verdict(store, said) == victim.truth
    assert len(said) == 1 and "record of lower said what the stage does not" in said[0]
    assert victim.verdict(store, said) == victim.truth and len(said) == 1


def test_a_contract_that_does_not_fit_stays_an_error(victim: Victim, tmp_path: Path) -> None:
    folder = tmp_path / "wrong"
    folder.mkdir()
    for path in victim.contract.parent.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    text = (folder / "volta.toml").read_text()
    assert text.count('"x", ') >= 1
    (folder / "volta.toml").write_text(text.replace('"x", ', "", 1))
    said: list[str] = []
    for _ in range(2):  # the second one finds `lower` in the store
        with Store(tmp_path / "store", said.append) as store, pytest.raises(InputError, match="arguments"):
            verify(folder / "volta.toml", store)
    assert not said


def test_a_dropped_finding_is_seen(tmp_path: Path) -> None:
    """The record of `check` without its race, under a right checksum: its artifact still has it."""
    broken = Victim("examples/broken-race/volta.toml", tmp_path)
    checks = [path for path in broken.store.glob("actions/??/*") if body_of(path)[2] == "check"]
    (path,) = [path for path in checks if body_of(path)[4]["findings"]]
    body = body_of(path)
    body[4]["findings"] = []
    written(path, sealed(body))
    said: list[str] = []
    assert broken.verdict(broken.store, said) == "unsafe"
    assert len(said) == 1 and "it contradicts its artifact; computing it again" in said[0]


def _canonical(victim: Victim) -> tuple[Canonical, Any, Any]:
    with Store(victim.store) as store:
        session = verify(victim.contract, store)
        steps = session.combinations[0].steps
        value = session.engine.value
        return value(steps["both", "canon"]), *(value(steps[side, "vc"]) for side in ("reference", "candidate"))


def test_decide_looks_at_which_elements_are_in_classes(victim: Victim) -> None:
    canonical, reference, candidate = _canonical(victim)
    assert decide(canonical, reference, candidate).verdict == "equivalent"
    first, *others = canonical.classes
    less = replace(first, tensors=first.tensors[:-1], elements=first.elements[:-1], renaming=None)
    moved = replace(first, elements=first.elements * 0, renaming=None)
    for wrong in (
        replace(canonical, classes=(less, *others)),
        replace(canonical, classes=(moved, *others)),
        replace(canonical, classes=(first, first, *others)),
        replace(canonical, only_candidate=Unmatched(1, 1, 0)),
    ):
        with pytest.raises(ArtifactError, match="other elements"):
            decide(wrong, reference, candidate)


def test_normal_forms_of_other_elements_are_computed_again(victim: Victim, tmp_path: Path) -> None:
    store = copied(victim.store, tmp_path / "store")
    canonical, _, _ = _canonical(victim)
    wrong = replace(canonical, only_candidate=Unmatched(1, 1, 0))
    data = [b"".join(bytes(part) for part in c.encode()) for c in (canonical, wrong)]
    with Store(store) as opened:
        digest = opened.put(data[0])
    forge(store, digest, data[1])
    drop(store, ("decide",))
    said: list[str] = []
    assert victim.verdict(store, said) == victim.truth
    assert len(said) == 1 and "of other elements" in said[0] and "computing everything again" in said[0]


def test_a_defect_of_a_stage_is_not_blamed_on_the_store(victim: Victim, tmp_path: Path) -> None:
    def run(*_: Any) -> Any:
        raise KeyError("a defect")

    stages = {**STAGES, "canon": replace(STAGES["canon"], run=run)}
    for contract in (ROOT / "examples/reduce-tree/volta.toml",):
        said: list[str] = []
        with Store(tmp_path / "store", said.append) as store, pytest.raises(KeyError, match="a defect"):
            verify(contract, store, stages=stages)
        assert not said  # nothing was taken from the store
        with Store(tmp_path / "store", said.append) as store, pytest.raises(KeyError, match="a defect"):
            verify(contract, store, stages=stages)
        assert len(said) == 1 and "computing everything again" in said[0]

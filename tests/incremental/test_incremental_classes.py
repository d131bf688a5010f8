"""After an edit of an epilogue exactly the classes that it touches are compared again; artifacts are those of a fresh store."""

from __future__ import annotations

import itertools
import json
import multiprocessing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from incremental_rows import EXCHANGED, ROWS, SPLIT, WRONG, written

from volta_pipe.driver.cli import main
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.store import Store
from volta_pipe.driver.upkeep import damaged
from volta_pipe.passes.canon.units import remembered

ROOT = Path(__file__).resolve().parents[2]
PROOF = Options(skip=frozenset(("dynamic",)))  # which would find a wrong kernel before anything is compared
BASE: dict[int, str] = {}


class Solved:
    """Counts units that are compared, each of which is a class here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        compute = remembered.compute

        def counted(unit: Any, effort: Any) -> Any:
            self.count += len(unit.roots)
            return compute(unit, effort)

        monkeypatch.setattr(remembered, "compute", counted)


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> Solved:
    return Solved(monkeypatch)


def run(folder: Path, epilogues: Mapping[int, str], store: Path, force: tuple[str, ...] = ()) -> tuple[dict[str, Any], Any]:
    """(the document, the bytes of both artifacts)."""
    with Store(store, pytest.fail) as opened:
        session = verify(written(folder, epilogues), opened, PROOF, force=force)
        return session.document, made(session)


def made(session: Session) -> list[bytes]:
    steps = session.combinations[0].steps
    return [bytes(session.engine.bytes_of(steps["both", name])["artifact"]) for name in ("canon", "decide")]


def said(document: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in document.items() if key != "stages"}, sort_keys=True)


def canon_of(document: dict[str, Any]) -> dict[str, Any]:
    (row,) = [stage for stage in document["stages"] if stage["name"] == "canon"]
    return row


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What comes of epilogues in a fresh store."""
    known: dict[str, Any] = {}

    def of(epilogues: Mapping[int, str]) -> Any:
        key = repr(epilogues)
        if key not in known:
            folder = tmp_path_factory.mktemp("fresh")
            document, artifacts = run(folder / "files", epilogues, folder / "store")
            known[key] = said(document), artifacts
        return known[key]

    return of


EDITS: list[tuple[dict[int, str], int, str]] = [
    ({ROWS - 1: SPLIT}, 1, "equivalent"),
    ({0: EXCHANGED}, 1, "equivalent"),
    ({1: SPLIT, 4: SPLIT}, 2, "equivalent"),
    (dict.fromkeys(range(ROWS), EXCHANGED), ROWS, "equivalent"),
    ({3: WRONG}, 1, "not-equivalent"),
    ({3: WRONG, 2: SPLIT}, 2, "not-equivalent"),
]


@pytest.mark.parametrize(("epilogues", "touched", "verdict"), EDITS)
def test_an_edit_compares_what_it_touches(
    epilogues: dict[int, str], touched: int, verdict: str, tmp_path: Path, solved: Solved, fresh: Any
) -> None:
    files, store = tmp_path / "files", tmp_path / "store"
    document, _ = run(files, BASE, store)
    assert document["verdict"] == "equivalent" and solved.count == ROWS
    assert "classes" not in canon_of(document) and not canon_of(document)["why"]
    solved.count = 0
    document, artifacts = run(files, epilogues, store)
    assert solved.count == touched
    assert document["verdict"] == verdict
    told = [touched, ROWS] if touched < ROWS else None
    assert canon_of(document).get("classes") == told
    assert canon_of(document)["why"] == (f"{touched} of {ROWS} classes compared again" if told else "")
    assert (said(document), artifacts) == fresh(epilogues)
    solved.count = 0
    document, artifacts = run(files, BASE, store)
    assert not solved.count and all(stage["cached"] for stage in document["stages"])
    assert (said(document), artifacts) == fresh(BASE)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_edits_does_not_matter(order: tuple[int, ...], tmp_path: Path, solved: Solved, fresh: Any) -> None:
    """All that an edit leaves as it was before any of the others is found, also where both sides of it are new."""
    edits = [{2: SPLIT}, {2: SPLIT, 3: WRONG}, {4: EXCHANGED}]
    fresh(BASE)
    for edit in edits:
        fresh(edit)
    solved.count = 0
    run(tmp_path / "files", BASE, tmp_path / "store")
    for i in order:
        document, artifacts = run(tmp_path / "files", edits[i], tmp_path / "store")
        assert (said(document), artifacts) == fresh(edits[i])
    assert solved.count == ROWS + 3


def test_force_compares_all_again(tmp_path: Path, solved: Solved, fresh: Any) -> None:
    for force in ((), ("canon",), ("all",)):
        solved.count = 0
        document, artifacts = run(tmp_path / "files", BASE, tmp_path / "store", force)
        assert solved.count == ROWS and "classes" not in canon_of(document)
        assert (said(document), artifacts) == fresh(BASE)


def _run(folder: Path, store: Path, epilogues: dict[int, str], answers: Any) -> None:
    document, artifacts = run(folder, epilogues, store)
    answers.put((said(document), artifacts))


def test_two_runs_at_once(tmp_path: Path, fresh: Any) -> None:
    context = multiprocessing.get_context("spawn")
    for turn, edits in enumerate(([BASE, BASE], [{1: SPLIT}, {1: SPLIT}], [{3: WRONG}, {5: SPLIT}])):
        answers = context.Queue()
        both = [
            context.Process(target=_run, args=(tmp_path / f"{turn}{i}", tmp_path / "store", edit, answers))
            for i, edit in enumerate(edits)
        ]
        for one in both:
            one.start()
        found = [answers.get(timeout=300) for _ in both]
        for one in both:
            one.join()
        assert sorted(found) == sorted(fresh(edit) for edit in edits)
    with Store(tmp_path / "store") as store:
        assert not damaged(store)


def test_a_kernel_of_one_class_keeps_nothing_beside_its_stages(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        assert verify(ROOT / "examples/axpy/volta.toml", store, PROOF).document["verdict"] == "equivalent"
        assert {"canon", "decide"} < {record.stage for _, record in store.records() if record} and not units(store)


def units(store: Store) -> int:
    return sum(record is None or record.stage.endswith("_unit") for _, record in store.records())


def test_units_go_as_all_that_was_used_least_recently(tmp_path: Path, solved: Solved) -> None:
    with Store(tmp_path / "store") as store:
        verify(written(tmp_path / "files", BASE), store, PROOF)
        assert units(store) == ROWS
    for command, left in ((["gc"], ROWS), (["gc", "--max-size", "0"], 0)):
        with pytest.raises(SystemExit) as done:
            main(["store", *command, "--store", str(tmp_path / "store")])
        assert not done.value.code
        with Store(tmp_path / "store") as store:
            assert units(store) == left


def test_run_says_how_much(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "--store", str(tmp_path / "store"), "--skip", "dynamic"]
    for epilogues in (BASE, {2: SPLIT}):
        with pytest.raises(SystemExit):
            main([*arguments, str(written(tmp_path / "files", epilogues))])
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if "classes compared again" in line]
    assert line.startswith("canon") and "candidate's expressions changed" in line
    assert line.endswith(f"; 1 of {ROWS} classes compared again)")

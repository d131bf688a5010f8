"""Expressions that an edit leaves as they were are seen to be those of the last run, whatever a store says that was."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from incremental_edits import MATMUL, Edit

import volta_pipe.passes.vc
from volta_pipe.driver.held import HELD
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "matmul"
VC = sys.modules[f"{volta_pipe.passes.vc.__name__}.vc"]  # the package's name `vc` is the function
EDITS = {edit.name: edit for edit in MATMUL}


class Counted:
    """How often terms were shared: not at all where the expressions were recognised."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        share = VC.share

        def counting(*arguments: Any, **more: Any) -> Any:
            self.calls += 1
            return share(*arguments, **more)

        monkeypatch.setattr(VC, "share", counting)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The product with its verdict in a store."""
    shutil.copytree(EXAMPLE, tmp_path / "files")
    run(tmp_path, "store")
    return tmp_path


def run(folder: Path, store: str) -> dict[str, Any]:
    with Store(folder / store) as opened:
        return verify(folder / "files" / "volta.toml", opened).document


def edit(folder: Path, one: Edit) -> None:
    file = folder / "files" / one.file
    file.write_text(one.change(file.read_text()))


def artifact(document: dict[str, Any], stage: str = "vc", side: str = "reference") -> str:
    return str(
        next(
            one["artifact"].removeprefix("sha256:") for one in document["stages"] if (one["name"], one["side"]) == (stage, side)
        )
    )


def said(document: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in document.items() if key != "stages"}, sort_keys=True)


@pytest.mark.parametrize("name", ["other loop", "other compiler"])
@pytest.mark.parametrize("held", [True, False])
def test_the_same_expressions_of_another_program(name: str, held: bool, folder: Path, shared: Counted) -> None:
    before = run(folder, "store")
    edit(folder, EDITS[name])
    if not held:
        HELD.clear()  # a new process reads them from the store
    shared.calls = 0
    document = run(folder, "store")
    assert shared.calls == 0
    fresh = run(folder, "fresh")
    assert shared.calls == 2
    assert artifact(document) == artifact(before) == artifact(fresh)
    assert document["verdict"] == "equivalent" and said(document) == said(fresh)


def test_other_expressions(folder: Path, shared: Counted) -> None:
    edit(folder, EDITS["epilogue"])
    shared.calls = 0
    document = run(folder, "store")
    assert shared.calls == 1
    fresh = run(folder, "fresh")
    assert artifact(document) == artifact(fresh) and said(document) == said(fresh)


def records(store: Path, stage: str) -> list[tuple[str, Any]]:
    with Store(store) as opened:
        return [(record.key, record) for _, record in opened.records() if record is not None and record.stage == stage]


@pytest.mark.parametrize("what", ["gone", "damaged", "others", "no expressions", "no digest"])
def test_what_the_last_run_is_said_to_have_given(what: str, folder: Path, shared: Counted) -> None:
    """The record of the last run may say anything: the verdict is that of a run without it."""
    document = run(folder, "store")
    digest = other = artifact(document)
    text = (folder / "files" / EDITS["epilogue"].file).read_text()
    if what == "others":
        edit(folder, EDITS["epilogue"])
        other = artifact(run(folder, "store"))
        (folder / "files" / EDITS["epilogue"].file).write_text(text)
        run(folder, "store")
    elif what == "no expressions":
        other = artifact(document, "unroll")
    elif what == "no digest":
        other = "../../../etc/passwd"
    HELD.clear()
    with Store(folder / "store") as store:
        ((key, record),) = records(folder / "store", "history")
        steps = record.summary["steps"]
        (name,) = (name for name in steps if name.startswith("reference vc"))
        steps[name][3] = {"artifact": other}
        store.record(key, "history", {}, {"steps": steps})
        path = store.path("objects", digest)
        if what == "gone":
            path.unlink()
        elif what == "damaged":
            data = path.read_bytes()
            path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    edit(folder, EDITS["other loop"])
    shared.calls = 0
    document = run(folder, "store")
    assert shared.calls > 0  # of both sides, as they have the same expressions, where the object is no longer there
    fresh = run(folder, "fresh")
    assert artifact(document) == artifact(fresh) and said(document) == said(fresh)


def test_forced_stages_look_at_nothing(folder: Path, shared: Counted) -> None:
    edit(folder, EDITS["other loop"])
    shared.calls = 0
    with Store(folder / "store") as store:
        verify(folder / "files" / "volta.toml", store, force=["vc"])
    assert shared.calls == 2

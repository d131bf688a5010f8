"""Each edit runs the stages whose inputs it changes, no others, and gives the verdict that a run without a store gives."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from incremental_edits import ALL, EDITS, Edit

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("matmul", "attention")


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each example, with its files in `files` and what a run stored in `store`."""
    found = {}
    for name in EXAMPLES:
        folder = tmp_path_factory.mktemp(name)
        shutil.copytree(ROOT / "examples" / name, folder / "files")
        document = run(folder / "files", folder / "store")
        assert document["verdict"] == "equivalent"
        assert ran(document) == {f"{stage} {side}" for stage in ALL for side in sides(stage)}
        found[name] = folder
    return found


def sides(stage: str, of: str = "rc") -> list[str]:
    return ["b"] if stage in ("canon", "decide") else list(of)


def run(files: Path, folder: Path) -> dict[str, Any]:
    with Store(folder) as store:
        return verify(files / "volta.toml", store).document


def ran(document: dict[str, Any]) -> set[str]:
    return {f"{stage['name']} {stage['side'][0]}" for stage in document["stages"] if not stage["cached"]}


def said(document: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in document.items() if key != "stages"}, sort_keys=True)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.example}: {edit.name}")
def test_an_edit_runs_what_it_changes(edit: Edit, proved: dict[str, Path], tmp_path: Path) -> None:
    base = proved[edit.example]
    shutil.copytree(base / "files", tmp_path / "files")
    shutil.copytree(base / "store", tmp_path / "store")
    file = tmp_path / "files" / edit.file
    text = file.read_text()
    changed = edit.change(text)
    assert changed != text
    file.write_text(changed)
    document = run(tmp_path / "files", tmp_path / "store")
    wanted = {f"{stage} {side}" for stage in edit.ran for side in sides(stage, edit.sides)}
    assert ran(document) == wanted
    assert document["verdict"] == edit.verdict
    assert said(document) == said(run(tmp_path / "files", tmp_path / "fresh"))
    file.write_text(text)
    again = run(tmp_path / "files", tmp_path / "store")
    assert not ran(again) and said(again) == said(run(base / "files", base / "store"))

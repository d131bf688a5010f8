"""Which files `run --watch` looks at, and what counts as another content."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from watch_project import CONTRACT, Folder

from volta_pipe.driver.watching.files import ABSENT, EMPTY, ContractFiles, own_sources
from volta_pipe.driver.watching.turns import changed


def names(files: ContractFiles) -> set[str]:
    """Of those that are there."""
    return {path.name for path, held in files.snapshot().items() if held != ABSENT}


def test_all_that_a_contract_leads_to(folder: Folder) -> None:
    files = ContractFiles(folder.contract)
    assert names(files) == {"volta.toml", "k.ptx", "k.cu", "x.npy", "spec.py", "factor.py"}
    folder.write("factor.py", "import third\nFACTOR = third.F\n")
    folder.write("third.py", "F = 1\n")
    assert "third.py" in names(files)
    folder.write("volta.toml", CONTRACT.replace('values = "x.npy"\n', "").replace("spec.py", "other.py"))
    assert names(files) == {"volta.toml", "k.ptx", "k.cu"}
    files.also([str(folder.path / "x.npy")])
    assert files.read.keys() == {folder.path / "x.npy"} and ABSENT not in files.read.values()
    assert names(files) == {"volta.toml", "k.ptx", "k.cu", "x.npy"}


@pytest.mark.parametrize(
    ("name", "text"),
    [("k.ptx", "// k"), ("x.npy", "x"), ("spec.py", "import factor, more"), ("factor.py", "FACTOR = 2"), ("k.cu", "// l\n")],
)
def test_an_edit_and_its_revert_are_seen(folder: Folder, name: str, text: str) -> None:
    files = ContractFiles(folder.contract)
    before, old = files.snapshot(), (folder.path / name).read_bytes()
    folder.write(name, text)
    after = files.snapshot()
    assert changed(before, after) == [folder.path / name]
    (folder.path / name).write_bytes(old)
    assert changed(after, files.snapshot()) == [folder.path / name] and not changed(before, files.snapshot())


def test_an_edit_within_a_tick_of_the_clock_is_seen(folder: Folder) -> None:
    """Same size, same time to the nanosecond, same inode."""
    files, path = ContractFiles(folder.contract), folder.path / "factor.py"
    before, status = files.snapshot(), path.stat()
    folder.write("factor.py", "FACTOR = 7\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert changed(before, files.snapshot()) == [path]


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written up to now are old."""
    now = time.time_ns() + 3600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: now)


def test_an_old_file_whose_time_is_set_back_is_read_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    files, path = ContractFiles(folder.contract), folder.path / "factor.py"
    before, status = files.snapshot(), path.stat()
    time.sleep(0.02)  # more than a tick of the clock of the file system
    folder.write("factor.py", "FACTOR = 7\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert changed(before, files.snapshot()) == [path]


def test_an_old_file_is_not_read_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    files = ContractFiles(folder.contract)
    before = files.snapshot()
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("a file was read that has not changed"))
    assert files.snapshot() == before


def test_what_is_touched_alone_has_not_changed(folder: Folder) -> None:
    files = ContractFiles(folder.contract)
    before = files.snapshot()
    for name in ("k.ptx", "spec.py", "volta.toml", "x.npy"):
        os.utime(folder.path / name, ns=(1, (folder.path / name).stat().st_mtime_ns + 5_000_000))
    assert not changed(before, files.snapshot())


def test_a_source_that_becomes_newer_than_its_ptx_has_changed(folder: Folder) -> None:
    files = ContractFiles(folder.contract)
    before = files.snapshot()
    later = (folder.path / "k.ptx").stat().st_mtime + 60
    os.utime(folder.path / "k.cu", (later, later))
    assert changed(before, files.snapshot()) == [folder.path / "k.cu"]


def test_what_is_missing_or_empty_is_looked_for(folder: Folder) -> None:
    (folder.path / "k.ptx").unlink()
    (folder.path / "factor.py").unlink()
    folder.write("spec.py", "")
    files = ContractFiles(folder.contract)
    before = files.snapshot()
    assert before[folder.path / "k.ptx"] == ABSENT and before[folder.path / "spec.py"] == EMPTY
    folder.write("k.ptx", folder.ptx_text)
    assert changed(before, files.snapshot()) == [folder.path / "k.ptx"]
    folder.write("spec.py", "import factor\n")
    before = files.snapshot()
    folder.write("factor.py", "F = 1\n")
    assert changed(before, files.snapshot()) == [folder.path / "factor.py"]


@pytest.mark.parametrize("text", ["[dims\n", "", '[candidate]\nsource = ["', "\x00"])
def test_of_a_broken_contract_the_files_stay(folder: Folder, text: str) -> None:
    files = ContractFiles(folder.contract)
    whole = files.snapshot()
    folder.write("volta.toml", text)
    broken = files.snapshot()
    assert changed(whole, broken) == [folder.contract]
    if text != "":  # an empty one names nothing, and is TOML
        assert broken.keys() == whole.keys()
    folder.write("volta.toml", CONTRACT)
    assert not changed(whole, files.snapshot())


@pytest.mark.parametrize(
    "kind", ["candidate = 3", "[candidate]\nsource = 3", "[reference]\nspec = 3", "tensors = 1", "[tensors]\nx = 1"]
)
def test_a_contract_of_wrong_types_names_nothing(tmp_path: Path, kind: str) -> None:
    (tmp_path / "volta.toml").write_text(kind)
    assert list(ContractFiles(tmp_path / "volta.toml").snapshot()) == [tmp_path / "volta.toml"]


def test_folders_and_pipes_are_not_read(folder: Folder) -> None:
    (folder.path / "k.ptx").unlink()
    os.mkfifo(folder.path / "k.ptx")
    (folder.path / "k.cu").unlink()
    (folder.path / "k.cu").mkdir()
    found = ContractFiles(folder.contract).snapshot()
    assert found[folder.path / "k.ptx"] == ABSENT and found[folder.path / "k.cu"].startswith(ABSENT)


def test_the_tool_knows_when_its_own_files_change(tmp_path: Path) -> None:
    (tmp_path / "passes" / "x").mkdir(parents=True)
    path = tmp_path / "passes" / "x" / "a.py"
    path.write_text("a = 1\n")
    before = own_sources(tmp_path)
    (tmp_path / "passes" / "x" / "a.txt").write_text("no code")
    assert own_sources(tmp_path) == before
    path.write_text("a = 12\n")
    assert own_sources(tmp_path) != before

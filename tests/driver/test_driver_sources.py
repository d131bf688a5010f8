"""What was read of the tool's sources is kept, and never believed of a file that is another one."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from pathlib import Path

import msgpack
import pytest

from volta_pipe.driver import sources
from volta_pipe.driver.sources import Sources

KEPT = f"driver/__pycache__/{sources._KEPT}"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "driver" / "__pycache__").mkdir(parents=True)
    (tmp_path / "one.py").write_text("import volta_pipe.two\n")
    return tmp_path


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files written before this line have settled."""
    now = time.time_ns() + 10 * sources._SETTLED
    monkeypatch.setattr(sources.time, "time_ns", lambda: now)


def kept(root: Path) -> Sources:
    Sources(root).keep("lower", "aa")
    return Sources(root)


def test_what_was_found_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    assert kept(root).stages == {"lower": "aa"}
    Sources(root).keep("unroll", "bb")
    assert Sources(root).stages == {"lower": "aa", "unroll": "bb"}


def test_facts_are_those_of_the_file(root: Path) -> None:
    path = root / "one.py"
    assert Sources(root).facts("one.py") == (hashlib.sha256(path.read_bytes()).hexdigest(), ("two/__init__.py", "two.py"))
    assert Sources(root).facts("two.py") == ("", ())


@pytest.mark.parametrize("change", ["longer", "same size and time", "replaced", "gone", "another", "inside"])
def test_nothing_is_believed_where_a_file_changed(root: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    later(monkeypatch)
    assert kept(root).stages
    time.sleep(0.02)  # more than a tick of the clock of the file system
    path = root / "one.py"
    before = path.stat()
    other = "import volta_pipe.six\n"
    if change == "gone":
        path.unlink()
    elif change in ("another", "inside"):
        (root / "sub").mkdir()
        (root / ("two.py" if change == "another" else "sub/two.py")).write_text(other)
    elif change == "replaced":
        (root / "new").write_text(other)
        os.utime(root / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
        (root / "new").replace(path)
    else:
        path.write_text(other + ("\n" if change == "longer" else ""))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert Sources(root).stages == {}


def test_a_link_to_nothing_hides_no_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"m{number:02}.py" for number in range(40)]
    for name in names:
        (root / name).write_text("x = 1\n")
        (root / f".#{name}").symlink_to("nobody@nowhere")  # as an editor has it while the file is being edited
    later(monkeypatch)
    assert {stamp[0] for stamp in Sources(root).stamps} == {"one.py", *names}
    for name in names:
        assert kept(root).stages
        time.sleep(0.02)
        (root / name).write_text("x = 2\n")
        assert Sources(root).stages == {}


def test_nothing_is_kept_of_a_file_that_changed_just_now(root: Path) -> None:
    assert kept(root).stages == {}


def test_nothing_is_kept_where_a_file_changed_while_it_was_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    sources = Sources(root)
    (root / "one.py").write_text("x = 1\n")
    sources.keep("lower", "aa")
    assert Sources(root).stages == {}


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\x01", msgpack.packb([[], {}]), msgpack.packb(7), b"\x92\x90\x05"])
def test_a_damaged_record_is_not_believed(root: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    later(monkeypatch)
    (root / KEPT).write_bytes(data)
    assert Sources(root).stages == {}
    stamps = sorted(sources._stamps(str(root), ""))
    for stages in (3, {"lower": 5}, {7: "x"}, ["lower"]):
        (root / KEPT).write_bytes(msgpack.packb([stamps, stages]))
        assert Sources(root).stages == {}


def test_nothing_is_written_where_python_writes_no_compiled_code(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept(root)
    assert not (root / KEPT).exists()

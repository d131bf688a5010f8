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


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kept(root: Path) -> Sources:
    first = Sources(root)
    first.facts("one.py")
    first.keep()
    return Sources(root)


def test_what_was_read_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    second = kept(root)
    monkeypatch.setattr(sources.hashlib, "sha256", lambda _: pytest.fail("it was read again"))
    assert second.facts("one.py")[1] == ("two/__init__.py", "two.py")
    assert not second.changed


@pytest.mark.parametrize("change", ["longer", "same size and time", "replaced", "gone"])
def test_another_file_is_read(root: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    later(monkeypatch)
    second = kept(root)
    path = root / "one.py"
    before = path.stat()
    time.sleep(0.02)  # more than a tick of the clock of the file system
    other = "import volta_pipe.six\n" if change != "longer" else "import volta_pipe.two, volta_pipe.six\n"
    if change == "gone":
        path.unlink()
        assert second.facts("one.py") == ("", ())
        return
    if change == "replaced":
        (root / "new.py").write_text(other)
        (root / "new.py").replace(path)
    else:
        path.write_text(other)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert second.facts("one.py")[0] == digest(path)


def test_a_file_that_changed_just_now_is_not_kept(root: Path) -> None:
    assert kept(root).kept == {}


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\x01", msgpack.packb({"one.py": [1, 2]}), msgpack.packb({"one.py": 7})])
def test_a_damaged_record_is_not_believed(root: Path, data: bytes) -> None:
    (root / KEPT).write_bytes(data)
    assert Sources(root).facts("one.py")[0] == digest(root / "one.py")


def test_nothing_is_written_where_python_writes_no_compiled_code(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept(root)
    assert not (root / KEPT).exists()

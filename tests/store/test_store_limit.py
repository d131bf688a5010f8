"""The size limit: who sets it, what it takes away, and that nobody loses what they work with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from driver_commands import Commands

from volta_pipe.driver.eviction import limit_of
from volta_pipe.driver.store import Store, action_key
from volta_pipe.driver.upkeep import damaged
from volta_pipe.ir.errors import InputError


@pytest.fixture(autouse=True)
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOLTA_STORE_SIZE", raising=False)


def _fill(folder: Path, numbers: range, said: list[str] | None = None) -> list[str]:
    """Actions of 1,000 bytes each; number i was used at second i."""
    keys = []
    with Store(folder, (said if said is not None else []).append) as store:
        for i in numbers:
            keys.append(action_key(i))
            store.record(keys[-1], "lower", {"artifact": store.put(bytes([i]) * 1000)}, {})
            os.utime(store.path("actions", keys[-1]), (i, i))
    return keys


def _held(folder: Path) -> int:
    return sum(path.stat().st_size for kind in ("objects", "actions") for path in folder.glob(f"{kind}/??/*"))


def test_what_was_used_least_recently_goes_at_the_end_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = _fill(tmp_path, range(8))
    one = _held(tmp_path) // 8
    (tmp_path / "objects" / "ab").mkdir(exist_ok=True)
    (tmp_path / "objects" / "ab" / ".tmp-1-x").write_bytes(b"of a killed run")
    monkeypatch.setenv("VOLTA_STORE_SIZE", str(5 * one))
    with Store(tmp_path) as store:
        assert store.lookup(keys[0]) is not None  # used again, and nothing put in: nothing goes
    assert _held(tmp_path) > 8 * one
    said: list[str] = []
    keys += _fill(tmp_path, range(8, 9), said)
    assert _held(tmp_path) <= 5 * one - 5 * one // 10 and len(said) == 1 and "$VOLTA_STORE_SIZE" in said[0]
    with Store(tmp_path, said.append) as store:
        there = [store.lookup(key) is not None for key in keys]
        assert there == [True, *[False] * 5, True, True, True]
        assert not damaged(store) and len(said) == 1 and not store.files("objects", temporary=True)


def test_nothing_goes_while_another_run_has_the_store_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = _fill(tmp_path, range(4))
    monkeypatch.setenv("VOLTA_STORE_SIZE", "1500")
    with Store(tmp_path) as other:
        _fill(tmp_path, range(4, 6))
        assert all(other.lookup(key) is not None for key in keys)
        other.grew = True  # it put something in, too, and is the last one
    assert _held(tmp_path) <= 1500


def test_an_object_of_two_records_stays_with_the_younger_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOLTA_STORE_SIZE", "2500")
    with Store(tmp_path) as store:
        for i in range(3):
            store.record(action_key(i), "lower", {"artifact": store.put(b"shared" * 200)}, {})
            os.utime(store.path("actions", action_key(i)), (i, i))
        store.record(action_key(3), "lower", {"artifact": store.put(b"other" * 200)}, {})
        os.utime(store.path("actions", action_key(3)), (9, 9))
    with Store(tmp_path) as store:
        assert store.lookup(action_key(0)) is None and store.lookup(action_key(3)) is not None and not damaged(store)


def test_a_limit_is_set_once_and_taken_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, folder = Commands(capsys), tmp_path / "store"
    _fill(folder, range(8))
    assert command("store", "gc", "--store", str(folder), "--max-size", "4K", "--keep") == 0
    assert command.out.endswith(f"runs keep {folder} to 4,096 bytes\n") and _held(folder) <= 4096
    _fill(folder, range(8, 16))
    assert 0 < _held(folder) <= 4096
    assert command("store", "ls", "--store", str(folder)) == 0
    assert f", {_held(folder):,} bytes, of at most 4,096 ({folder / 'limit'}) in {folder}" in command.out
    assert command("store", "verify", "--store", str(folder)) == 0 and ", 0 problems\n" in command.out
    monkeypatch.setenv("VOLTA_STORE_SIZE", "1G")
    assert limit_of(folder) is not None and limit_of(folder).size == 1 << 30  # type: ignore[union-attr]
    assert command("store", "gc", "--store", str(folder), "--max-size", "unlimited", "--keep") == 0
    assert "has no limit; as long as $VOLTA_STORE_SIZE is set, that holds instead" in command.out
    monkeypatch.delenv("VOLTA_STORE_SIZE")
    assert limit_of(folder) is None


@pytest.mark.parametrize(
    "options", [("--keep",), ("--max-size", "unlimited"), ("--max-size", "4X"), ("--max-size", "-1", "--keep")]
)
def test_bad_options_of_gc(tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    command, folder = Commands(capsys), tmp_path / "store"
    _fill(folder, range(2))
    held = _held(folder)
    assert command("store", "gc", "--store", str(folder), *options) == 2
    assert len(command.err.splitlines()) == 1 and _held(folder) == held and limit_of(folder) is None


@pytest.mark.parametrize("text", ["lots", "1.5G", "-1", "\xff" * 100, ""])
def test_a_limit_that_is_no_size_ends_a_run_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    _fill(tmp_path, range(1))
    (tmp_path / "limit").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"limit: '.*' is no size"):
        Store(tmp_path)
    monkeypatch.setenv("VOLTA_STORE_SIZE", text or "nothing")
    with pytest.raises(InputError, match=r"VOLTA_STORE_SIZE: '.*' is no size"):
        Store(tmp_path)
    with Store(tmp_path, create=False) as store:  # commands that mend it still run
        assert not damaged(store)

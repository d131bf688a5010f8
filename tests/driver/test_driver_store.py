"""The store: content addressing, damage, several processes at once, killed runs, and its upkeep."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from driver_commands import Commands

from volta_pipe.driver.eviction import size_of
from volta_pipe.driver.records import Record
from volta_pipe.driver.store import Store, action_key
from volta_pipe.driver.upkeep import damaged, sweep
from volta_pipe.ir.errors import ArtifactError, InputError


def _filled(folder: Path, warnings: list[str]) -> tuple[Store, str, str]:
    store = Store(folder, warnings.append)
    digest = store.put([b"hello ", memoryview(b"world")])
    key = action_key(["lower", "1", [], []])
    store.record(key, "lower", {"artifact": digest}, {"n": 1})
    return store, key, digest


def test_put_load_record(tmp_path: Path) -> None:
    store, key, digest = _filled(tmp_path, [])
    assert bytes(store.load(digest)) == b"hello world"
    assert store.put(b"hello world") == digest
    record = store.lookup(key)
    assert record is not None and record.summary == {"n": 1} and record.outputs["artifact"].digest == digest
    assert store.lookup("0" * 64) is None
    assert bytes(store.load(store.put(b""))) == b""


@pytest.mark.parametrize("content", [b"hello worlD", b"hello", b"", None])
def test_a_damaged_object_is_reported_and_not_trusted(tmp_path: Path, content: bytes | None) -> None:
    warnings: list[str] = []
    store, key, digest = _filled(tmp_path, warnings)
    store.close()
    path = store.path("objects", digest)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with Store(tmp_path, warnings.append) as again:
        with pytest.raises(ArtifactError):
            again.load(digest)
        assert again.lookup(key) is None
        assert len(warnings) == 1 and "computing it again" in warnings[0]
        assert again.put(b"hello world") == digest  # repairs it
        assert again.lookup(key) is not None


def test_damage_behind_an_unchanged_stamp_is_seen_on_load(tmp_path: Path) -> None:
    store, key, digest = _filled(tmp_path, [])
    path = store.path("objects", digest)
    status = path.stat()
    path.write_bytes(b"jello world")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with Store(tmp_path) as again:
        assert again.lookup(key) is not None
        with pytest.raises(ArtifactError, match="damaged"):
            again.load(digest)


def test_an_object_with_another_stamp_is_hashed_and_stamped_again(tmp_path: Path) -> None:
    warnings: list[str] = []
    store, key, digest = _filled(tmp_path, warnings)
    os.utime(store.path("objects", digest), ns=(1, 1))
    with Store(tmp_path, warnings.append) as again:
        record = again.lookup(key)
        assert record is not None and not warnings
    with Store(tmp_path) as third:
        record = third.lookup(key)
        assert record is not None and record.outputs["artifact"].time == 1


@pytest.mark.parametrize("cut", [0, 1, 10, -1])
def test_a_damaged_record_is_reported_and_forgotten(tmp_path: Path, cut: int) -> None:
    warnings: list[str] = []
    store, key, _ = _filled(tmp_path, warnings)
    path = store.path("actions", key)
    path.write_bytes(path.read_bytes()[:cut])
    assert store.lookup(key) is None and len(warnings) == 1


def test_every_flipped_byte_of_a_record_is_noticed(tmp_path: Path) -> None:
    store, key, _ = _filled(tmp_path, [])
    data = store.path("actions", key).read_bytes()
    for place in range(len(data)):
        broken = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(ArtifactError):
            Record.decode(broken, key)


def test_an_unwritable_store_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot be written.*--store"):
        Store(tmp_path / "file")


def _work(folder: str, seed: int) -> None:
    with Store(folder) as store:
        for i in range(60):
            data = bytes([i]) * 20_000
            digest = store.put(data)
            store.record(action_key(i), "lower", {"artifact": digest}, {"i": i})
            record = store.lookup(action_key((i * 7 + seed) % 60))
            if record is not None:
                assert bytes(store.load(record.outputs["artifact"].digest))[:1] == bytes([record.summary["i"]])


def test_several_processes_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_work, args=(str(tmp_path), seed)) for seed in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with Store(tmp_path) as store:
        assert not damaged(store) and len(store.files("objects")) == 60 and not store.files("objects", temporary=True)


def test_a_killed_run_leaves_a_valid_store(tmp_path: Path) -> None:
    code = """
import sys
from volta_pipe.driver.store import Store, action_key
store = Store(sys.argv[1])
def endless():
    yield b"x" * 1000000
    print("writing", flush=True)
    import time
    time.sleep(60)
i = 0
while True:
    i += 1
    store.record(action_key(i), "lower", {"artifact": store.put(str(i).encode())}, {})
    if i == 20:
        store.write(store.path("objects", "ab" * 32), endless())
"""
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"writing\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with Store(tmp_path) as store:
        assert len(store.files("objects", temporary=True)) == 1
        assert not damaged(store)
        assert store.lookup(action_key(20)) is not None
        swept = sweep(store)
        assert swept.removed == 1 and not store.files("objects", temporary=True)
        assert store.lookup(action_key(20)) is not None


def test_gc_removes_what_is_unnamed_damaged_or_least_recently_used(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keys = []
        for i in range(5):
            keys.append(action_key(i))
            store.record(keys[i], "lower", {"artifact": store.put(bytes([i]) * 100)}, {})
            os.utime(store.path("actions", keys[i]), (i, i))
        store.put(b"unnamed")
        store.lookup(keys[0])  # used again
        one = 100 + store.path("actions", keys[0]).stat().st_size  # the artifact and its record
        swept = sweep(store, 2 * one + 50)
        assert (swept.size, swept.kept) == (2 * one, 4)
        assert [store.lookup(key) is not None for key in keys] == [True, False, False, False, True]


def test_gc_refuses_while_a_run_has_the_store_open(tmp_path: Path) -> None:
    with Store(tmp_path), Store(tmp_path) as other:
        start = time.perf_counter()
        with pytest.raises(InputError, match="in use"):
            sweep(other)
        assert time.perf_counter() - start < 5


def test_sizes() -> None:
    assert (size_of("10"), size_of("2K"), size_of("3g")) == (10, 2048, 3 << 30)
    for wrong in ("", "K", "-1", "1.5G", "9" * 30):
        with pytest.raises(InputError):
            size_of(wrong)


@pytest.mark.parametrize(
    "arguments", [("store", "ls"), ("store", "verify"), ("store", "gc"), ("diff", "abcdef", "fedcba"), ("inspect", "abcdef")]
)
def test_commands_that_read_make_no_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    command = Commands(capsys)
    absent = tmp_path / "absent"
    code = command(*arguments, "--store", str(absent))
    assert not absent.exists()
    if arguments[0] == "store":
        assert code == 0 and command.err == ""
        assert (
            arguments[1] != "ls"
            or command.out == f"0 records, 0 artifacts, 0 bytes in {absent} (there is no such store; a run makes it)\n"
        )
    else:
        assert code == 2 and "the store has no artifact abcdef" in command.err

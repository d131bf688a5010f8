"""Looking after a store: listing it, checking every byte, and removing what is stray, damaged or long unused."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.records import Record
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError, Place


@dataclass(frozen=True)
class Swept:
    """What `gc` removed, and what is left: counts and bytes."""

    removed: int
    freed: int
    kept: int
    size: int


def damaged(store: Store) -> list[str]:
    """One line for each object whose digest is wrong, and each record that is damaged or lacks an object."""
    lines: list[str] = []
    for path in store.files("objects"):
        digest = path.parent.name + path.name
        with path.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != digest:
                lines.append(f"object {digest} is damaged")
    for path, record in store.records():
        key = path.parent.name + path.name
        if record is None:
            lines.append(f"record {key} is damaged")
            continue
        absent = [s.digest for s in record.outputs.values() if not store.path("objects", s.digest).is_file()]
        lines += [f"record {key} ({record.stage}) lacks object {digest}" for digest in absent]
    return lines


def find(store: Store, prefix: str) -> list[tuple[Record, str, str]]:
    """(record, output name, digest) of every recorded object whose digest starts with `prefix` (with or without `sha256:`)."""
    prefix = prefix.removeprefix("sha256:")
    found: dict[str, tuple[Record, str, str]] = {}
    for _, record in store.records():
        for name, stamped in record.outputs.items() if record else ():
            if stamped.digest.startswith(prefix):
                found.setdefault(stamped.digest, (record, name, stamped.digest))  # type: ignore[arg-type]
    return list(found.values())


def sweep(store: Store, max_size: int | None = None) -> Swept:
    """Removes stray temporary files, damaged objects and records, objects that no record names and, while the rest is larger
    than `max_size` bytes, the records used least recently. Errors: InputError while another run has the store open."""
    try:
        fcntl.flock(store.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError("the store is in use by another run; try again when it has ended", Place(str(store.folder))) from None
    removed = freed = 0

    def remove(path: Path) -> None:
        nonlocal removed, freed
        size = path.stat().st_size
        path.unlink()
        removed, freed = removed + 1, freed + size

    for kind in ("objects", "actions"):
        for path in store.files(kind, temporary=True):
            remove(path)
    sizes = _sound_objects(store, remove)
    records = _sound_records(store, sizes, remove)
    if max_size is not None:
        _shrink(store, records, sizes, max_size, remove)
    named = {s.digest for _, record in records for s in record.outputs.values()}
    for digest in [d for d in sizes if d not in named]:
        remove(store.path("objects", digest))
        del sizes[digest]
    return Swept(removed, freed, len(sizes) + len(records), sum(sizes.values()))


def _sound_objects(store: Store, remove: Callable[[Path], None]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for path in store.files("objects"):
        digest = path.parent.name + path.name
        with path.open("rb") as stream:
            sound = hashlib.file_digest(stream, "sha256").hexdigest() == digest
        if sound:
            sizes[digest] = path.stat().st_size
        else:
            remove(path)
    return sizes


def _sound_records(store: Store, sizes: dict[str, int], remove: Callable[[Path], None]) -> list[tuple[Path, Record]]:
    """Records whose objects are all there, least recently used first."""
    records: list[tuple[Path, Record]] = []
    for path, record in list(store.records()):
        if record is None or any(s.digest not in sizes for s in record.outputs.values()):
            remove(path)
        else:
            records.append((path, record))
    return sorted(records, key=lambda pair: (pair[0].stat().st_mtime_ns, pair[0].name))


def _shrink(
    store: Store, records: list[tuple[Path, Record]], sizes: dict[str, int], max_size: int, remove: Callable[[Path], None]
) -> None:
    users: dict[str, int] = {}
    for _, record in records:
        for digest in {s.digest for s in record.outputs.values()}:
            users[digest] = users.get(digest, 0) + 1
    size = sum(sizes[digest] for digest in users)
    while records and size > max_size:
        path, record = records.pop(0)
        remove(path)
        for digest in {s.digest for s in record.outputs.values()}:
            users[digest] -= 1
            if not users[digest]:
                size -= sizes[digest]

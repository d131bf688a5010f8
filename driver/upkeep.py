"""Looking after a store: listing it, checking every byte, and removing what is stray, damaged or long unused."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.eviction import alone, by_age, shrink, unnamed
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
        if not _sound(path):
            lines.append(f"object {digest} is damaged")
    for path, record in store.records():
        key = path.parent.name + path.name
        if record is None:
            lines.append(f"record {key} is damaged")
            continue
        absent = [s.digest for s in record.outputs.values() if not store.path("objects", s.digest).is_file()]
        lines += [f"record {key} ({record.stage}) lacks object {digest}" for digest in absent]
    return lines


def _sound(path: Path) -> bool:
    """Whether an object has the digest that it is named by."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == path.parent.name + path.name
    except OSError:
        return False


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
    if not alone(store):
        raise InputError("the store is in use by another run; try again when it has ended", Place(str(store.folder)))
    removed = freed = 0

    def remove(path: Path) -> None:
        nonlocal removed, freed
        try:
            size = path.stat().st_size
            path.unlink()
        except OSError as error:
            raise InputError(f"cannot be removed: {error.strerror}", Place(str(path))) from None
        removed, freed = removed + 1, freed + size
        with contextlib.suppress(OSError):
            path.parent.rmdir()  # where it was the last one

    for kind in ("objects", "actions"):
        for path in store.files(kind, temporary=True):
            remove(path)
    sizes = _sound_objects(store, remove)
    records = by_age(_sound_records(store, sizes, remove))
    for digest in unnamed(records, sizes):
        remove(store.path("objects", digest))
        del sizes[digest]
    if max_size is not None:
        shrink(store, records, sizes, max_size, remove)
    size = sum(sizes.values()) + sum(path.stat().st_size for path, _ in records)
    return Swept(removed, freed, len(sizes) + len(records), size)


def _sound_objects(store: Store, remove: Callable[[Path], None]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for path in store.files("objects"):
        digest = path.parent.name + path.name
        if _sound(path):
            sizes[digest] = path.stat().st_size
        else:
            remove(path)
    return sizes


def _sound_records(store: Store, sizes: dict[str, int], remove: Callable[[Path], None]) -> list[tuple[Path, Record]]:
    """Records whose objects are all there."""
    records: list[tuple[Path, Record]] = []
    for path, record in list(store.records()):
        if record is None or any(s.digest not in sizes for s in record.outputs.values()):
            remove(path)
        else:
            records.append((path, record))
    return records

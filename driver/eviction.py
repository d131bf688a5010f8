"""The size limit of a store, and making room: what was used least recently goes first.

A limit comes from $VOLTA_STORE_SIZE, else from the file `limit` in the store, which `store gc --max-size SIZE --keep` writes. A
run looks at it when it ends and has put something in; it waits for nobody: while another run has the store open, it leaves the
work to the last one. So nothing that a run works with is taken away under it."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.records import Record
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError, Place

VARIABLE = "VOLTA_STORE_SIZE"
FILE = "limit"
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LONGEST = 64  # bytes of the file that are looked at
_ROOM = 10  # a run that makes room makes a tenth of the limit free, so that the next one need not


@dataclass(frozen=True)
class Limit:
    """A size in bytes, and who says so: the variable or the file."""

    size: int
    origin: str


def size_of(text: str) -> int:
    """Bytes that `10G`, `500M` or `1000` mean. Errors: InputError."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in _UNITS else (text, "")
    if not (number.isascii() and number.isdecimal()) or len(number) > 18:
        raise InputError(f"'{text}' is no size (bytes, or a number with K, M, G or T)")
    return int(number) * _UNITS.get(unit, 1)


def limit_of(folder: Path) -> Limit | None:
    """The limit of a store, None where there is none. Errors: InputError where it is no size."""
    if (text := os.environ.get(VARIABLE, "")) != "":
        try:
            return Limit(size_of(text), f"${VARIABLE}")
        except InputError as error:
            raise InputError(error.message, Place(f"${VARIABLE}")) from None
    path = folder / FILE
    try:
        with path.open("rb") as stream:
            text = stream.read(_LONGEST).decode(errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Place(str(path))) from None
    try:
        return Limit(size_of(text), str(path))
    except InputError as error:
        raise InputError(error.message, Place(str(path))) from None


def keep_limit(store: Store, size: int | None) -> None:
    """Makes `size` the store's limit; None takes it away. Errors: InputError."""
    if size is None:
        with contextlib.suppress(FileNotFoundError):
            (store.folder / FILE).unlink()
    else:
        store.write(store.folder / FILE, [f"{size}\n".encode()])


def alone(store: Store) -> bool:
    """Whether nobody else has the store open; it is then locked for the caller until it is closed."""
    try:
        fcntl.flock(store.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def make_room(store: Store, limit: Limit) -> int:
    """At the end of a run: where the store is larger than its limit, takes away what was used least recently until a tenth of
    the limit is free, and says so. Bytes freed; 0 where there is room, or another run has the store open."""
    if _size(store) <= limit.size or not alone(store):
        return 0
    freed = 0

    def remove(path: Path) -> None:
        nonlocal freed
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            freed += size
            path.parent.rmdir()  # where it was the last one

    for kind in ("objects", "actions"):
        for path in store.files(kind, temporary=True):  # of runs that were killed: there is no other
            remove(path)
    records = []
    for path, record in list(store.records()):
        if record is None:
            remove(path)
        else:
            records.append((path, record))
    sizes = {path.parent.name + path.name: path.stat().st_size for path in store.files("objects")}
    for digest in unnamed(records, sizes):
        remove(store.path("objects", digest))
        del sizes[digest]
    shrink(store, by_age(records), sizes, limit.size - limit.size // _ROOM, remove)
    store.warn(
        f"store: {freed:,} bytes of what was used least recently are gone, as it may have {limit.size:,} ({limit.origin})"
    )
    return freed


def _size(store: Store) -> int:
    """Bytes of all files."""
    total = 0
    for kind in ("objects", "actions"):
        with contextlib.suppress(FileNotFoundError), os.scandir(store.folder / kind) as folders:
            for folder in folders:
                if folder.is_dir():
                    with os.scandir(folder.path) as files:
                        total += sum(file.stat().st_size for file in files)
    return total


def by_age(records: list[tuple[Path, Record]]) -> list[tuple[Path, Record]]:
    """Least recently used first."""
    return sorted(records, key=lambda pair: (pair[0].stat().st_mtime_ns, pair[0].name))


def unnamed(records: list[tuple[Path, Record]], sizes: dict[str, int]) -> list[str]:
    """Objects that no record names."""
    named = {s.digest for _, record in records for s in record.outputs.values()}
    return [digest for digest in sizes if digest not in named]


def shrink(
    store: Store, records: list[tuple[Path, Record]], sizes: dict[str, int], most: int, remove: Callable[[Path], None]
) -> None:
    """Takes records away, in their order, and the objects that no other one names, until all files have at most `most` bytes.
    `records` and `sizes` (of objects) lose what goes."""
    users: dict[str, int] = {}
    for _, record in records:
        for digest in {s.digest for s in record.outputs.values()}:
            users[digest] = users.get(digest, 0) + 1
    size = sum(sizes.values()) + sum(path.stat().st_size for path, _ in records)
    while records and size > most:
        path, record = records.pop(0)
        size -= path.stat().st_size
        remove(path)
        for digest in {s.digest for s in record.outputs.values()}:
            users[digest] -= 1
            if not users[digest] and digest in sizes:
                size -= sizes.pop(digest)
                remove(store.path("objects", digest))

"""Stores that were tampered with: an object replaced, and the records that name it made to fit."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgpack

from volta_pipe.driver.store import Store


@dataclass(frozen=True)
class Output:
    """An output of a record in a store."""

    key: str
    stage: str
    name: str
    digest: str


def outputs(folder: Path) -> list[Output]:
    """All outputs of all records, in order."""
    with Store(folder) as store:
        records = [record for _, record in store.records() if record is not None]
    rows = [Output(r.key, r.stage, name, s.digest) for r in records for name, s in r.outputs.items()]
    return sorted(rows, key=lambda o: (o.stage, o.name, o.digest, o.key))


def copied(source: Path, target: Path) -> Path:
    """A copy of a store; files are links, as the store replaces files and changes none."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, copy_function=os.link)
    (target / "lock").unlink()
    return target


def written(path: Path, data: bytes) -> None:
    """Replaces a file without touching what other links to it show."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(".forged")
    fresh.write_bytes(data)
    os.replace(fresh, path)  # noqa: PTH105


def forge(folder: Path, digest: str, data: bytes) -> None:
    """Puts other bytes in the place of an object, under their own digest, and lets all records name them."""
    with Store(folder) as store:
        fresh = store.put(data)
        for path, record in list(store.records()):
            if record is not None and any(s.digest == digest for s in record.outputs.values()):
                named = {n: store.stamp(fresh) if s.digest == digest else s for n, s in record.outputs.items()}
                written(path, replace(record, outputs=named).encode())


def damage(folder: Path, digest: str, data: bytes) -> None:
    """Puts other bytes in the place of an object, under its name and, where they are as many, its time."""
    with Store(folder) as store:
        path = store.path("objects", digest)
        status = path.stat()
        written(path, data)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def drop(folder: Path, stages: tuple[str, ...]) -> None:
    """Takes the records of some stages away, so that they run and read what lies before them."""
    with Store(folder) as store:
        for path, record in list(store.records()):
            if record is not None and record.stage in stages:
                path.unlink()


def body_of(path: Path) -> list[Any]:
    """What a record holds, without its checksum."""
    return list(msgpack.unpackb(path.read_bytes()[:-8], strict_map_key=False))


def sealed(body: Any) -> bytes:
    """A record with a right checksum."""
    import hashlib

    packed = bytes(msgpack.packb(body))
    return packed + hashlib.sha256(packed).digest()[:8]

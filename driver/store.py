"""The artifact store: content-addressed objects, and a table of actions that says which objects a stage's inputs gave.

    objects/ab/cdef…   bytes, named by their sha256
    actions/ab/cdef…   msgpack record, named by the sha256 of what the action depends on
    limit              how many bytes all files may have (eviction.py), where somebody said so
    lock               held shared by runs, exclusively by `gc` and by a run that makes room

Writes go to a temporary file in the same folder and are renamed, so several runs at once and killed runs leave a valid store.
What lies here is data from outside: nothing is trusted before its digest or its stamp was checked."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import mmap
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack

from volta_pipe.driver.records import Record, Stamped
from volta_pipe.ir.errors import ArtifactError, InputError, Place

if TYPE_CHECKING:
    from volta_pipe.driver.eviction import Limit

Chunks = Iterable[bytes | memoryview]
FORMAT = 1  # part of every key: raise it when the layout of records or objects changes
TEMPORARY = ".tmp-"
DIGEST_LENGTH = 64  # hex digits of a sha256


def action_key(parts: Any) -> str:
    """The key of an action: sha256 of msgpack of (store format, parts)."""
    return hashlib.sha256(msgpack.packb([FORMAT, parts])).hexdigest()


def print_warning(message: str) -> None:
    """Where warnings go unless somebody else wants them."""
    print(f"warning: {message}", file=sys.stderr)


class Store:
    """An open store; one per run. `warn` gets a line for each damaged object or record; `create`: a store that is not there is
    made, else it is an empty one that nothing can be put into. `limit`: the size that a run keeps it to.

    Errors: InputError when the folder cannot be written, or its limit is no size; ArtifactError when an object is missing or
    damaged."""

    def __init__(self, folder: str | Path, warn: Callable[[str], None] = print_warning, *, create: bool = True) -> None:
        self.folder = Path(folder)
        self.warn = warn
        self.verified: set[str] = set()
        self.grew = False
        self.limit: Limit | None = None
        self.lock = -1
        try:
            self.exists = create or (self.folder / "objects").is_dir()
        except OSError as error:
            raise InputError(f"no store can be there: {error.strerror} (--store DIR)", Place(str(self.folder))) from None
        if not self.exists:
            return
        try:
            for part in ("objects", "actions"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            self.lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
            self._share()
        except OSError as error:
            raise self._unwritable(error) from None
        if create:
            from volta_pipe.driver.eviction import limit_of

            try:
                self.limit = limit_of(self.folder)
            except InputError:
                self.close()
                raise

    def _share(self) -> None:
        """The lock of a run. `gc` of a large store takes a while: somebody who waits for it is told."""
        try:
            fcntl.flock(self.lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            self.warn(f"store: waiting until {self.folder} has been cleaned up by another command")
            fcntl.flock(self.lock, fcntl.LOCK_SH)

    def close(self) -> None:
        """Releases the lock. A run that put something in keeps the store to its limit first, where it has one and nobody else
        has it open."""
        try:
            if self.grew and self.limit is not None and self.lock >= 0:
                from volta_pipe.driver.eviction import make_room

                make_room(self, self.limit)
        except OSError as error:
            self.warn(f"store: it could not be made smaller: {error}")
        finally:
            if self.lock >= 0:
                os.close(self.lock)
            self.lock = -1

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _unwritable(self, error: OSError) -> InputError:
        reason = error.strerror or error
        return InputError(f"the store cannot be written: {reason} (choose another: --store DIR)", Place(str(self.folder)))

    def path(self, kind: str, digest: str) -> Path:
        """Where the object or action `digest` lies."""
        return self.folder / kind / digest[:2] / digest[2:]

    def put(self, chunks: Chunks) -> str:
        """Stores bytes; returns their sha256. Nothing is written when an intact object is there already."""
        parts = [chunks] if isinstance(chunks, bytes | memoryview) else list(chunks)
        sha = hashlib.sha256()
        for part in parts:
            sha.update(part)
        digest = sha.hexdigest()
        self.grew = True
        path = self.path("objects", digest)
        if not (path.exists() and self._hash(path) == digest):
            self.write(path, parts)
        self.verified.add(digest)
        return digest

    def write(self, path: Path, parts: Iterable[bytes | memoryview]) -> None:
        """Writes a file of the store, all of it or nothing. Errors: InputError."""
        temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}")
        try:
            path.parent.mkdir(exist_ok=True)
            with temporary.open("xb") as stream:
                for part in parts:
                    stream.write(part)
            os.replace(temporary, path)  # noqa: PTH105
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise self._unwritable(error) from None

    def _hash(self, path: Path) -> str:
        try:
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            return ""

    def load(self, digest: str) -> memoryview:
        """The bytes of an object, mapped; its digest is checked the first time in a run. Errors: ArtifactError."""
        path = self.path("objects", digest)
        try:
            with path.open("rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if size else b"")
        except OSError as error:
            raise ArtifactError(f"object {digest[:12]} is missing: {error.strerror}") from None
        if digest not in self.verified:
            if hashlib.sha256(data).hexdigest() != digest:
                raise ArtifactError(f"object {digest[:12]} is damaged")
            self.verified.add(digest)
        return data

    def stamp(self, digest: str) -> Stamped:
        """Digest, size and time of an object, as a record holds them."""
        status = self.path("objects", digest).stat()
        return Stamped(digest, status.st_size, status.st_mtime_ns)

    def intact(self, stamped: Stamped) -> bool:
        """Whether an object is there and unharmed: by its stamp where that is unchanged, else by its digest."""
        try:
            status = self.path("objects", stamped.digest).stat()
        except OSError:
            return False
        if (status.st_size, status.st_mtime_ns) == (stamped.size, stamped.time) or stamped.digest in self.verified:
            return status.st_size == stamped.size
        return status.st_size == stamped.size and self._hash(self.path("objects", stamped.digest)) == stamped.digest

    def record(self, key: str, stage: str, outputs: dict[str, str], summary: dict[str, Any]) -> None:
        """Remembers what an action gave: named objects and a plain summary."""
        record = Record(key, stage, {name: self.stamp(digest) for name, digest in outputs.items()}, summary)
        self.write(self.path("actions", key), [record.encode()])

    def lookup(self, key: str) -> Record | None:
        """The record of an action whose objects are all intact, or None; what is damaged is reported and forgotten."""
        path = self.path("actions", key)
        try:
            record = Record.decode(path.read_bytes(), key)
        except FileNotFoundError:
            return None
        except (ArtifactError, OSError) as error:
            self.forget(key)
            self.warn(f"store: record {key[:12]} is damaged ({error}); computing it again")
            return None
        for name, stamped in record.outputs.items():
            if not self.intact(stamped):
                self.warn(f"store: {record.stage} {name} {stamped.digest[:12]} is missing or damaged; computing it again")
                return None
        try:
            outputs = {name: s.digest for name, s in record.outputs.items()}
            if any(self.stamp(s.digest) != s for s in record.outputs.values()):  # copied, or written again: new stamps
                self.record(key, record.stage, outputs, record.summary)
            else:
                os.utime(path)  # `gc` keeps what was used last
        except OSError:
            return record
        return record

    def forget(self, key: str) -> None:
        """Takes an action's record away, where that can be done."""
        with contextlib.suppress(OSError):
            self.path("actions", key).unlink()

    def records(self) -> Iterator[tuple[Path, Record | None]]:
        """Every action file with its record, None where damaged; temporary files are passed over."""
        for path in self.files("actions"):
            try:
                yield path, Record.decode(path.read_bytes(), path.parent.name + path.name)
            except (ArtifactError, OSError):
                yield path, None

    def files(self, kind: str, *, temporary: bool = False) -> list[Path]:
        """Files of a kind in order; stray temporary ones instead with `temporary`."""
        found = (path for path in self.folder.glob(f"{kind}/??/*") if path.is_file())
        return sorted(path for path in found if path.name.startswith(TEMPORARY) == temporary)

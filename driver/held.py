"""Values of artifacts that a process read or made last: one that stays (`run --watch`, the API) need not read them again.

Only what takes long to decode is held, up to a limit; what was used longest ago goes first. A value is that of an object in a
store, and is given only while that object has the stamp that it had, as records are believed (store.py)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, NamedTuple

from volta_pipe.driver.records import Stamped

# Bytes: the expressions of both sides of a product of 128³ are a third of it.
LIMIT = 192 << 20


class _Entry(NamedTuple):
    stamped: Stamped
    value: Any
    size: int


class Held:
    """Values by the digest of their artifact. limit: bytes of all together."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def put(self, stamped: Stamped, value: Any, size: int) -> None:
        """Holds a value of `size` bytes; one of more than half of the limit is not held."""
        if size > self.limit // 2:
            return
        with self._lock:
            self._drop(stamped.digest)
            self._entries[stamped.digest] = _Entry(stamped, value, size)
            self._size += size
            while self._size > self.limit:
                self._drop(next(iter(self._entries)))

    def get(self, stamped: Stamped) -> Any:
        """The value of the object that has this stamp; None where none is held."""
        with self._lock:
            entry = self._entries.get(stamped.digest)
            if entry is None:
                return None
            if entry.stamped != stamped:  # of another store, or written again
                self._drop(stamped.digest)
                return None
            self._entries.move_to_end(stamped.digest)
            return entry.value

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def _drop(self, digest: str) -> None:
        entry = self._entries.pop(digest, None)
        self._size -= entry.size if entry is not None else 0


HELD = Held()

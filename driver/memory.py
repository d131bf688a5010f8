"""What came of parts of a stage's work, kept in the store by all that these depend on: the stage runs, and most of it is there.

A record of its own kind for each part; the stage says what it is made of and reads it back. What is read is data from outside,
as all that lies in a store: where the stage cannot take it for what it asked for, it is computed again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from volta_pipe.driver.store import Store, action_key
from volta_pipe.ir.errors import ArtifactError

T = TypeVar("T")


class Memory:
    """The parts of one run of a stage. look: whether what is there may be taken; took: gets the stage's name where it is.
    `asked`, `computed`: how many pieces of work (classes) the stage needed, and did itself."""

    def __init__(self, store: Store, stage: str, version: str, *, look: bool, took: set[str]) -> None:
        self._store, self._stage, self._version = store, stage, version
        self._kind = f"{stage}_unit"
        self._look, self._took = look, took
        self.asked = self.computed = 0

    def find(self, parts: Any, read: Callable[[Any], T]) -> T | None:
        """What is kept of a part of work that depends on `parts` (plain data), as `read` makes it of plain data; None where it
        is not there, or is none: then `read` raises ArtifactError."""
        if not self._look:
            return None
        key = self._key(parts)
        record = self._store.lookup(key)
        if record is None or record.stage != self._kind:
            return None
        try:
            found = read(record.summary)
        except ArtifactError as error:
            self._store.forget(key)  # so that it is said once
            self._store.warn(f"store: record {key[:12]} of {self._kind}: {error}; computing it again")
            return None
        self._took.add(self._stage)
        return found

    def keep(self, parts: Any, data: dict[str, Any]) -> None:
        """Keeps plain data for `find`. Errors: InputError where the store cannot be written."""
        self._store.record(self._key(parts), self._kind, {}, data)

    def did(self, pieces: int, *, computed: bool) -> None:
        """Counts pieces of work."""
        self.asked += pieces
        self.computed += pieces if computed else 0

    def _key(self, parts: Any) -> str:
        return action_key([self._kind, self._version, parts])

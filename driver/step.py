"""A step of a run: one stage on one set of inputs, what came of it, and how its value is had again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from volta_pipe.driver.stage import Stage
from volta_pipe.ir.errors import BudgetError, UnsupportedError


@dataclass
class Step:
    """One stage that was run or found. `outputs`: digest by name, `artifact` the main one; `stored`: they are in the store;
    `summary`: plain data, see `stages`; `error` in it means the stage could not give a value."""

    stage: Stage
    key: str
    summary: dict[str, Any]
    outputs: dict[str, str]
    cached: bool
    seconds: float
    stored: bool
    recompute: Callable[[], Any]
    why: str = ""  # why it ran, where that is known (history.py)
    unkept: str = ""  # why it is not stored
    classes: tuple[int, int] = (0, 0)  # where some of them were found in the store: how many it computed, and of how many
    value_lock: threading.RLock = field(default_factory=threading.RLock)
    held: Any = None

    @property
    def artifact(self) -> str:
        """Digest of the main output, "" when there is none."""
        return self.outputs.get("artifact", "")

    @property
    def error(self) -> dict[str, Any] | None:
        """What stopped the stage: kind, message, instruction, place; or None."""
        return self.summary.get("error")

    @property
    def blocks(self) -> bool:
        """Whether this step ends its combination: the stages after it would mean nothing."""
        return bool(self.error or self.summary.get("findings"))

    def release(self) -> None:
        """Forgets the value; it is read from the store, or computed again, when somebody asks."""
        with self.value_lock:
            self.held = None


def error_data(error: UnsupportedError | BudgetError) -> dict[str, Any]:
    """What stopped a stage, as plain data for its summary."""
    kind = error.kind if isinstance(error, UnsupportedError) else "budget"
    place = [error.place.file, error.place.line, error.place.column, error.place.field]
    return {"kind": kind, "message": error.message, "instruction": error.instruction, "place": place}

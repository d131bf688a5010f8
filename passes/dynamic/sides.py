"""What both sides of a dynamic test give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Side:
    """Outputs of one side by name: numbers (float64, or integers), and which elements hold a value. rounded: float formats that
    the side rounds to on the way. stored: of a kernel, which elements this run wrote (an inout tensor holds a value before)."""

    numbers: dict[str, Array]
    written: dict[str, Array]
    rounded: tuple[str, ...] = ()
    stored: dict[str, Array] = field(default_factory=dict)


class Runs(Protocol):
    """A side, run on the contents of several trials."""

    def __call__(self, trials: Sequence[Mapping[str, Array]]) -> list[Side]:
        """The outputs in each trial. Errors: UnsupportedError for what has no concrete meaning, InputError."""

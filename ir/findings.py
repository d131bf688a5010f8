"""Safety findings and their kinds, before line numbers are known (the driver resolves instruction indices to lines)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

# The public list of finding kinds (shared with the verdict's JSON).
KINDS = (
    "race",
    "deadlock",
    "barrier-divergence",
    "out-of-bounds",
    "uninitialized-read",
    "misaligned",
    "frame",
    "unwritten-output",
    "mismatch",
    "precision",
    "launch-limit",
    "data-dependent-control",
    "data-dependent-address",
    "unsupported-instruction",
    "budget",
)
# Kinds that say "cannot decide" rather than "wrong".
UNSUPPORTED_KINDS = ("data-dependent-control", "data-dependent-address", "unsupported-instruction")


@dataclass(frozen=True)
class Access:
    """One access that takes part in a finding. `instruction`: index in the kernel's walk order; `thread`: linear in the CTA."""

    instruction: int
    cta: tuple[int, int, int]
    thread: int
    action: str  # read | write | atomic | copy (asynchronous) | barrier | wait (in a warp instruction) | run


@dataclass(frozen=True)
class Step:
    """One line of an explanation; `instruction` that it speaks of, or -1."""

    text: str
    instruction: int = -1


@dataclass(frozen=True)
class Finding:
    """One finding. `accesses` holds who took part, the most telling first; `space`, `name`, `offset` (bytes), `index`
    (element index in the tensor, or empty) say where in memory; `count` how many of the same cause were folded;
    `explanation` how it came about (the last common synchronisation, who waits, the arithmetic of an address)."""

    kind: str
    message: str
    accesses: tuple[Access, ...] = ()
    space: str = ""
    name: str = ""
    offset: int = 0
    index: tuple[int, ...] = ()
    count: int = 1
    explanation: tuple[Step, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """A msgpack-able form; `from_dict` reads it back."""
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Finding:
        """Errors: KeyError, TypeError, ValueError on anything that is not well-formed."""
        accesses = tuple(
            Access(_int(a["instruction"]), _three(a["cta"]), _int(a["thread"]), _str(a["action"])) for a in data["accesses"]
        )
        words = [_str(data[key]) for key in ("kind", "message", "space", "name")]
        steps = tuple(Step(_str(step["text"]), _int(step["instruction"])) for step in data["explanation"])
        index = tuple(_int(i) for i in data["index"])
        return Finding(
            words[0], words[1], accesses, words[2], words[3], _int(data["offset"]), index, _int(data["count"]), steps
        )


def _int(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("something is no number")
    return value


def _str(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("something is no text")
    return value


def _three(value: Any) -> tuple[int, int, int]:
    x, y, z = value
    return _int(x), _int(y), _int(z)

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
        accesses = tuple(
            Access(
                int(a["instruction"]),
                (int(a["cta"][0]), int(a["cta"][1]), int(a["cta"][2])),
                int(a["thread"]),
                str(a["action"]),
            )
            for a in data["accesses"]
        )
        return Finding(
            str(data["kind"]),
            str(data["message"]),
            accesses,
            str(data["space"]),
            str(data["name"]),
            int(data["offset"]),
            tuple(int(i) for i in data["index"]),
            int(data["count"]),
            tuple(Step(str(step["text"]), int(step["instruction"])) for step in data["explanation"]),
        )

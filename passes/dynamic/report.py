"""What a dynamic test saw: each trial, and the first mismatch with the inputs that make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from volta_pipe.ir import columns

KIND = "dynamic"
VERSION = 1


@dataclass(frozen=True)
class Trial:
    """A run on inputs of one kind and seed. `compared`: output elements; `bad`: beyond what is allowed; `worst`: the largest
    difference by what is allowed there, as text (3 digits, so that libraries of different machines agree)."""

    kind: str
    seed: int
    compared: int
    bad: int
    worst: str


@dataclass(frozen=True)
class Mismatch:
    """An output element that differs. `tensor` and row-major `element`; `expected`, `got` as text; `inputs`: (name, row-major
    element, exact number) of those that are not 0, all of which matter where `complete`; the others are 0 (of a tensor whose
    range leaves it out: the nearest to it). `count`: elements of the tensor that differ in the trial `kind` of `seed`;
    `compared`: elements; `allowed`: how large a difference may be, "" where the element is never written."""

    tensor: str
    element: int
    expected: str
    got: str
    inputs: tuple[tuple[str, int, str], ...]
    complete: bool
    count: int
    compared: int
    kind: str
    seed: int
    allowed: str

    def finding(self) -> dict[str, Any]:
        """In the form of the findings of `decide`, with elements by their row-major number."""
        allowed = f" ({self.allowed} apart is allowed)" if self.allowed else ""
        message = f"{self.tensor}[{self.element}] is {self.got}, the reference has {self.expected}{allowed}; "
        message += "a run on concrete inputs, with the rounding of PTX"
        if self.got in ("nan", "inf", "-inf"):
            message += " (if such inputs never come, a range in the contract says so)"
        return {"kind": "mismatch", "name": self.tensor, "offset": self.element, "message": message, "count": self.count}


@dataclass(frozen=True)
class Report:
    """All trials that were run, the first mismatch or None. `refused`: why nothing (more) was run, "" where all was, and the
    walk index of the instruction that has no concrete meaning, or -1. `planned`: trials that a cheaper kernel would have."""

    trials: tuple[Trial, ...]
    mismatch: Mismatch | None
    refused: str = ""
    instruction: int = -1
    planned: int = 0

    def summary(self) -> dict[str, Any]:
        """What a verdict needs of it; a mismatch is a finding, too, in the form of those of `decide`."""
        found = self.mismatch
        return {
            "trials": len(self.trials),
            "planned": self.planned,
            "compared": sum(trial.compared for trial in self.trials),
            "refused": self.refused,
            "instruction": self.instruction,
            "findings": [] if found is None else [found.finding()],
            "mismatch": None if found is None else asdict(found),
        }

    def encode(self) -> list[bytes | memoryview]:
        """The artifact."""
        return columns.encode(KIND, VERSION, asdict(self), {})

    @staticmethod
    def decode(data: bytes | memoryview) -> Report:
        """The report of an artifact. Errors: ArtifactError."""
        meta, _ = columns.decode(data, KIND, VERSION)
        found = meta["mismatch"]
        return Report(
            tuple(Trial(**trial) for trial in meta["trials"]),
            None if found is None else _mismatch(found),
            meta["refused"], meta["instruction"], meta["planned"],
        )  # fmt: skip


def _mismatch(data: Mapping[str, Any]) -> Mismatch:
    inputs = tuple((str(name), int(flat), str(value)) for name, flat, value in data["inputs"])
    return Mismatch(**{**data, "inputs": inputs})

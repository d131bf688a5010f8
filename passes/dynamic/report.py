"""What a dynamic test saw: each trial, and the first mismatch with the inputs that make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.program_checks import number, text

KIND = "dynamic"
VERSION = 1
_MOST = 1 << 62


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
        try:
            trials = tuple(_read(Trial, trial) for trial in meta["trials"])
            found = None if meta["mismatch"] is None else _mismatch(meta["mismatch"])
            said = text(meta["refused"]), number(meta["instruction"], -1, _MOST), number(meta["planned"], 0, _MOST)
        except (KeyError, TypeError, ValueError) as error:
            raise ArtifactError(f"the report of a dynamic test is damaged: {error}") from error
        if (found is not None) != any(trial.bad for trial in trials):
            raise ArtifactError("the report of a dynamic test contradicts itself")
        return Report(trials, found, *said)


def _mismatch(data: Mapping[str, Any]) -> Mismatch:
    inputs = tuple((text(name), number(flat, 0, _MOST), text(value)) for name, flat, value in data["inputs"])
    made: Mismatch = _read(Mismatch, {**data, "inputs": inputs})
    return made


def _read(kind: Any, data: Mapping[str, Any]) -> Any:
    """A dataclass of texts, numbers and flags. Errors: TypeError, ValueError on other fields or other types."""
    made = kind(**data)
    for field in fields(kind):
        value = getattr(made, field.name)
        if field.type == "int":
            number(value, 0, _MOST)
        elif field.type in ("str", "bool") and type(value).__name__ != field.type:
            raise ValueError(f"{field.name} has another type")
    return made

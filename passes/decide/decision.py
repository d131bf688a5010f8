"""The outcome of `decide` and its artifact."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import KINDS, Finding
from volta_pipe.ir.program_checks import number, text
from volta_pipe.passes.decide.certificate import Certificate

EQUIVALENT, NOT_EQUIVALENT, UNKNOWN = "equivalent", "not-equivalent", "unknown"
_RATIONAL = re.compile(r"-?\d+(/[1-9]\d*)?")
VERDICTS = (EQUIVALENT, NOT_EQUIVALENT, UNKNOWN)


@dataclass(frozen=True)
class Counterexample:
    """A point at which the two sides certainly differ. inputs: (tensor, row-major element) → "p/q"; a scalar of the contract
    has element -1; inputs that neither side uses are absent. reference, candidate: decimal intervals that hold the exact
    values; formulas: the two normal forms, shortened, empty where there are none. matters: inputs whose change was seen to
    change the difference; complete: all were changed; outside: inputs that lie outside the range that the contract gives to
    their tensor."""

    tensor: str
    element: int
    inputs: dict[tuple[str, int], str]
    reference: str
    candidate: str
    reference_formula: str = ""
    candidate_formula: str = ""
    matters: tuple[tuple[str, int], ...] = ()
    complete: bool = True
    outside: tuple[tuple[str, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "tensor": self.tensor,
            "element": self.element,
            "inputs": [[name, element, value] for (name, element), value in self.inputs.items()],
            "values": [self.reference, self.candidate],
            "formulas": [self.reference_formula, self.candidate_formula],
            "matters": [[name, element] for name, element in self.matters],
            "complete": self.complete,
            "outside": [[name, element] for name, element in self.outside],
        }

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Counterexample:
        inputs = {_input(n, e): _exact(v) for n, e, v in data["inputs"]}
        (x, y), (f, g) = data["values"], data["formulas"]
        matters, outside = (tuple(_input(n, e) for n, e in data[key]) for key in ("matters", "outside"))
        if not {*matters, *outside} <= inputs.keys():
            raise ValueError("an input that matters has no value")
        if type(data["complete"]) is not bool:
            raise ValueError("something is neither true nor false")
        return Counterexample(
            text(data["tensor"]), number(data["element"], 0, 1 << 62), inputs, text(x), text(y), text(f), text(g), matters,
            data["complete"], outside,
        )  # fmt: skip


def _input(name: Any, element: Any) -> tuple[str, int]:
    return text(name), number(element, -1, 1 << 62)


def _exact(value: Any) -> str:
    if not _RATIONAL.fullmatch(text(value)):
        raise ValueError("a value is no rational number")
    return str(value)


@dataclass(frozen=True)
class Decision:
    """verdict: one of VERDICTS; unknown: reasons, one per class that is neither proved nor refuted; stats: elements, classes,
    proved (elements of proved classes); certificate: what `recheck` needs to check it."""

    verdict: str
    findings: tuple[Finding, ...] = ()
    counterexample: Counterexample | None = None
    unknown: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    stats: dict[str, int] = field(default_factory=dict)
    certificate: Certificate | None = None

    KIND = "decision"
    VERSION = 3

    def encode(self) -> list[bytes | memoryview]:
        meta = {
            "verdict": self.verdict,
            "findings": [f.to_dict() for f in self.findings],
            "counterexample": self.counterexample.to_dict() if self.counterexample else None,
            "unknown": list(self.unknown),
            "assumptions": list(self.assumptions),
            "stats": dict(sorted(self.stats.items())),
            "certificate": None if self.certificate is None else self.certificate.meta(),
        }
        held = {} if self.certificate is None else self.certificate.columns()
        return columns.encode(self.KIND, self.VERSION, meta, held)

    @staticmethod
    def decode(data: bytes | memoryview) -> Decision:
        """Reads an artifact. Errors: ArtifactError on anything that is not well-formed."""
        try:
            meta, cols = columns.decode(data, Decision.KIND, Decision.VERSION)
            found, certificate = meta["counterexample"], meta["certificate"]
            decision = Decision(
                meta["verdict"],
                tuple(Finding.from_dict(f) for f in meta["findings"]),
                None if found is None else Counterexample.from_dict(found),
                tuple(text(s) for s in meta["unknown"]),
                tuple(text(s) for s in meta["assumptions"]),
                {text(k): number(v, 0, 1 << 62) for k, v in meta["stats"].items()},
                None if certificate is None else Certificate.read(certificate, cols),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            raise ArtifactError(f"decision artifact is damaged: {error}") from error
        stats = decision.stats
        sane = decision.verdict in VERDICTS and all(f.kind in KINDS for f in decision.findings)
        if decision.verdict == EQUIVALENT:
            whole = 0 < stats.get("elements", 0) == stats.get("proved", -1)
            sane &= whole and not decision.findings and not decision.unknown and found is None
        elif decision.verdict == NOT_EQUIVALENT:
            sane &= bool(decision.findings)
        else:
            sane &= bool(decision.unknown)
        if not sane:
            raise ArtifactError("decision artifact contradicts itself")
        return decision

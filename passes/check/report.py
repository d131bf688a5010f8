"""What `check` hands on: the safety findings of one program."""

from __future__ import annotations

from dataclasses import dataclass

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import KINDS, Finding

KIND = "check"
VERSION = 1
_SCALARS = ("accesses", "barriers", "clocked")


@dataclass(frozen=True)
class SafetyReport:
    """`findings`: definite errors first, by severity. `notes`: what was not checked, or is worth knowing. `accesses`:
    lane accesses checked; `barriers`: barrier rows (of CTAs and of warps); `clocked`: CTAs that needed vector clocks."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    accesses: int
    barriers: int
    clocked: int

    def encode(self) -> list[bytes | memoryview]:
        """The artifact's chunks."""
        meta = {"findings": [finding.to_dict() for finding in self.findings], "notes": list(self.notes)}
        meta |= {name: getattr(self, name) for name in _SCALARS}
        return columns.encode(KIND, VERSION, meta, {})

    @staticmethod
    def decode(data: bytes | memoryview) -> SafetyReport:
        """Errors: ArtifactError on damage."""
        meta, _ = columns.decode(data, KIND, VERSION)
        try:
            findings = tuple(Finding.from_dict(finding) for finding in meta["findings"])
            notes = tuple(str(note) for note in meta["notes"])
            accesses, barriers, clocked = (int(meta[name]) for name in _SCALARS)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise ArtifactError(f"safety report is damaged: {error!r}") from error
        if any(finding.kind not in KINDS or finding.count < 1 for finding in findings) or min(accesses, barriers, clocked) < 0:
            raise ArtifactError("safety report has values out of range")
        return SafetyReport(findings, notes, accesses, barriers, clocked)

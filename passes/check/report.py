"""What `check` hands on: the safety findings of one program."""

from __future__ import annotations

from dataclasses import dataclass

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import KINDS, Finding
from volta_pipe.ir.program_checks import number, text

KIND = "check"
VERSION = 2
_SCALARS = ("accesses", "barriers", "clocked")


@dataclass(frozen=True)
class SafetyReport:
    """`findings`: definite errors first, by severity. `notes`: what was not checked, or is worth knowing. `accesses`:
    lane accesses checked; `barriers`: barrier rows (of CTAs and of warps); `clocked`: CTAs that needed vector clocks;
    `remarks`: what is no fault, in the form of findings (kind "same-value"); `assumptions`: what that rests on."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    accesses: int
    barriers: int
    clocked: int
    remarks: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()

    def encode(self) -> list[bytes | memoryview]:
        """The artifact's chunks."""
        meta = {"findings": [finding.to_dict() for finding in self.findings], "notes": list(self.notes)}
        meta |= {"remarks": [remark.to_dict() for remark in self.remarks], "assumptions": list(self.assumptions)}
        meta |= {name: getattr(self, name) for name in _SCALARS}
        return columns.encode(KIND, VERSION, meta, {})

    @staticmethod
    def decode(data: bytes | memoryview) -> SafetyReport:
        """Errors: ArtifactError on damage."""
        meta, _ = columns.decode(data, KIND, VERSION)
        try:
            findings = tuple(Finding.from_dict(finding) for finding in meta["findings"])
            remarks = tuple(Finding.from_dict(remark) for remark in meta["remarks"])
            notes, assumptions = (tuple(text(said) for said in meta[key]) for key in ("notes", "assumptions"))
            accesses, barriers, clocked = (number(meta[name], 0, 1 << 63) for name in _SCALARS)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise ArtifactError(f"safety report is damaged: {error!r}") from error
        bad = any(finding.kind not in KINDS for finding in findings) or any(one.count < 1 for one in (*findings, *remarks))
        if bad:
            raise ArtifactError("safety report has values out of range")
        return SafetyReport(findings, notes, accesses, barriers, clocked, remarks, assumptions)

"""What a check of a certificate found: for each claim whether it holds, does not hold, or could not be checked and why."""

from __future__ import annotations

from dataclasses import dataclass, field

PASSED, FAILED, NOT_CHECKED = "passed", "failed", "not checked"


@dataclass(frozen=True)
class Line:
    """outcome: PASSED, FAILED or NOT_CHECKED; what: the claim; detail: how it was checked, or why not."""

    outcome: str
    what: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.outcome}: {self.what}" + (f": {self.detail}" if self.detail else "")


@dataclass
class Report:
    """Lines in the order in which they were found."""

    lines: list[Line] = field(default_factory=list)

    def add(self, outcome: str, what: str, detail: str = "") -> None:
        self.lines.append(Line(outcome, what, detail))

    def having(self, outcome: str) -> list[Line]:
        return [line for line in self.lines if line.outcome == outcome]

    @property
    def holds(self) -> bool:
        """Whether every claim was checked and holds."""
        return all(line.outcome == PASSED for line in self.lines)

    @property
    def exit_code(self) -> int:
        """0: all holds; 1: something does not; 3: something could not be checked."""
        return 1 if self.having(FAILED) else 0 if self.holds else 3

"""The error hierarchy. Each error says where (file:line:column), what, and, where it helps, what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A position in a file of the user's; line and column count from 1, 0 means unknown; `field` is a TOML key path."""

    file: str = ""
    line: int = 0
    column: int = 0
    field: str = ""

    def __str__(self) -> str:
        text = self.file
        if self.line:
            text += f":{self.line}" + (f":{self.column}" if self.column else "")
        if self.field:
            text = f"{text}: {self.field}" if text else self.field
        return text


class VoltaError(Exception):
    """Base of all errors that a user may see; `str()` is the one line that is printed."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place or Place()

    def __str__(self) -> str:
        where = str(self.place)
        return f"{where}: {self.message}" if where else self.message


class InputError(VoltaError):
    """Bad input (contract, PTX, spec): exit code 2."""


class ArtifactError(VoltaError):
    """An artifact that is damaged, truncated or of another format: recomputed, never trusted."""


class UnsupportedError(VoltaError):
    """The kernel leaves what the tool can decide: verdict `unsupported`.

    `instruction` is the index of the operation in the kernel's walk order (-1: none), resolved to a line by the driver;
    `kind` is a finding kind of the verdict (see findings.KINDS).
    """

    def __init__(
        self, message: str, place: Place | None = None, *, instruction: int = -1, kind: str = "unsupported-instruction"
    ) -> None:
        super().__init__(message, place)
        self.instruction = instruction
        self.kind = kind


class BudgetError(VoltaError):
    """A budget (steps, memory, terms) ran out: verdict `unknown`."""

    def __init__(self, message: str, place: Place | None = None, *, instruction: int = -1) -> None:
        super().__init__(message, place)
        self.instruction = instruction

"""Per opcode form of the corpus (see census.py): whether the table has it, and whether it has a concrete meaning.

Where a form was lowered and assembled, what became of it counts: an instruction of the form that is not modelled, or that
`replay` refuses, leaves the form uncovered with that reason. A form whose instructions became no operation (branches, inlined
calls, code that is never reached) is looked up by its spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from census import forms
from table import Entry

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import Form, Op, find_form
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx import InstructionOp, UnmodelledOp, walk_kernel
from volta_pipe.ir.ptx.flat import flat_of
from volta_pipe.ir.ptx.words import TYPE_WORDS
from volta_pipe.passes.replay.static import StaticCode

# What becomes edges of the control-flow graph or is inlined: mnemonic -> section of the PTX ISA. `unroll` follows it.
CONTROL = {"bra": "9.7.12.3", "brx": "9.7.12.4", "call": "9.7.12.5", "ret": "9.7.12.6", "exit": "9.7.12.7"}
# Instructions whose results depend on no data: `unroll` computes them, and `replay` gets their values.
BY_UNROLL = frozenset({Op.CVTA})
_OPCODE = re.compile(r"[a-z][\w.:]*")
_GUARD = re.compile(r"@\s*!?\s*[\w$%]+\s*")


@dataclass
class FormCoverage:
    """One form. `kernels`: family/kernel; `spellings`: opcodes as written; `sections`: of the PTX ISA; `refused`, `abstract`:
    why an instruction of it is not modelled, or has no concrete meaning; `accepted`: whether one is modelled."""

    form: str
    kernels: set[str] = field(default_factory=set)
    spellings: set[str] = field(default_factory=set)
    sections: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    abstract: set[str] = field(default_factory=set)
    accepted: bool = False

    @property
    def modelled(self) -> bool:
        """Whether every instruction of the form is."""
        return not self.refused

    @property
    def concrete(self) -> bool:
        return self.modelled and not self.abstract


class FormTable:
    """Collects files, then answers."""

    def __init__(self) -> None:
        self.forms: dict[str, FormCoverage] = {}

    def add_text(self, entry: Entry, text: str) -> None:
        """The forms of a file, reached or not."""
        for form in forms(text):
            self._at(form).kernels.add(f"{entry.family}/{entry.kernel}")

    def add_kernel(self, text: str, module: object, lines: LineTable, program: Program | None) -> None:
        """What became of the instructions of a lowered entry; `program` None: it could not be assembled."""
        rows = text.split("\n")
        code = StaticCode(flat_of(module), program) if program is not None else None  # type: ignore[arg-type]
        for place, operation in enumerate(walk_kernel(module)):  # type: ignore[arg-type]
            line, column = lines.ptx[place]
            if not line or not isinstance(operation, InstructionOp):
                continue
            spelling = _opcode_at(rows[line - 1], column)
            if spelling is None:
                continue
            found = self._at(form_of(spelling))
            if isinstance(operation, UnmodelledOp):
                found.refused.add(operation.message)
                continue
            if operation.mnemonic != spelling.split(".")[0]:
                continue  # moves of arguments and results, which stand where the call stood
            found.accepted = True
            row = find_form(operation.mnemonic, operation.modifier_names, operation.type_names)
            assert row is not None, spelling  # else it were not modelled
            found.sections.add(row.section)
            if code is not None and row.op not in BY_UNROLL:
                try:
                    code[place]
                except UnsupportedError as error:
                    found.abstract.add(error.message)

    def finish(self, texts: Iterable[str]) -> list[FormCoverage]:
        """All forms, the most widespread first. `texts`: the files again, for the spelling of what was never lowered."""
        left = {form for form, one in self.forms.items() if not one.accepted}
        for text in texts:
            for spelling in set(_OPCODE.findall(re.sub(r"//[^\n]*", "", text))):
                if (form := form_of(spelling)) in left:
                    self.forms[form].spellings.add(spelling)
        for form in left:
            self._by_spelling(self.forms[form])
        return sorted(self.forms.values(), key=lambda one: (-len(one.kernels), one.form))

    def _by_spelling(self, one: FormCoverage) -> None:
        mnemonic = one.form.split(".")[0]
        if mnemonic in CONTROL:
            one.sections.add(CONTROL[mnemonic])
            return
        for spelling in sorted(one.spellings):
            row = row_of(spelling)
            if row is not None:
                one.sections.add(row.section)
                # Parameters of inlined calls are renamed: nothing is left to execute.
                if not one.refused and row.op not in BY_UNROLL and "param" not in spelling.split("."):
                    one.abstract.add("it is never reached")
            elif not one.refused:
                one.refused.add("no row of the instruction table has this form")

    def _at(self, form: str) -> FormCoverage:
        return self.forms.setdefault(form, FormCoverage(form))


def form_of(opcode: str) -> str:
    """The form of an opcode, as census.py writes it."""
    mnemonic, *words = opcode.split(".")
    return mnemonic + "".join(f".{word}" for word in sorted(words))


def row_of(opcode: str) -> Form | None:
    """The table's row for an opcode as written: types in order, modifiers as a set, the layouts of A and B as one."""
    mnemonic, *words = opcode.split(".")
    types = [word for word in words if word in TYPE_WORDS]
    modifiers = [word for word in words if word not in TYPE_WORDS]
    for extra in _extras(mnemonic):
        if (row := find_form(mnemonic, [*_layouts(mnemonic, modifiers), *extra], types)) is not None:
            return row
    return None


def _extras(mnemonic: str) -> Sequence[Sequence[str]]:
    """Modifiers that `lower` adds for the kind of operands."""
    return ((), ("pack",), ("unpack",)) if mnemonic == "mov" else ((),)


def _layouts(mnemonic: str, modifiers: list[str]) -> list[str]:
    layouts = [word for word in modifiers if word in ("row", "col")]
    if mnemonic not in ("mma", "wmma") or len(layouts) != 2:
        return modifiers
    return [*(word for word in modifiers if word not in ("row", "col")), "_".join(layouts)]


def _opcode_at(line: str, column: int) -> str | None:
    text = line[column - 1 :]
    guard = _GUARD.match(text)
    match = _OPCODE.match(text, guard.end() if guard else 0)
    return match[0] if match else None

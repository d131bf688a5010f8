"""The document docs/coverage.md: no times, no paths, the same bytes for the same results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from form_coverage import FormCoverage
from outcomes import Concrete, Outcome, Proof

HEAD = """# Coverage

What of the [corpus](../tests/corpus/README.md) is covered. Made by `make coverage`: do not edit.

{counts}

* *verdict*: of the kernel against its NumPy spec on all shapes of its contract; **bold** where the contract expects another
  one. `unsupported` comes with the reason.
* *concrete*: the kernel executed on the CPU with PTX's rounding, on random inputs and all shapes, against NumPy in double
  precision. `exact`, or the largest difference relative to the largest number of the output, and what its dtype allows.
  `n shapes` says how many; *known integers* (or *contents*): the inputs had to be fixed before the program could be made.
* *itself*: the kernel as its own reference; the reason is left out where it is that of the verdict.
"""
KERNELS_HEAD = "| kernel | makers | verdict | concrete | itself |\n|---|---|---|---|---|\n"
FORMS_HEAD = """## Instruction forms

A form is the opcode with its modifiers sorted. *kernels*: in how many it occurs; *table*: the instruction table has it, and no
kernel has it with operands that are refused; *concrete*: `replay` executes it; *section*: of the PTX ISA.

| form | kernels | table | concrete | section |
|---|---|---|---|---|
"""


def document(outcomes: Sequence[Outcome], forms: Sequence[FormCoverage]) -> str:
    """The whole text."""
    counts = "\n".join(f"* {line}" for line in counted(outcomes, forms))
    parts = [HEAD.format(counts=counts)]
    for family in dict.fromkeys(one.entry.family for one in outcomes):
        parts.append(f"## {family}\n\n{KERNELS_HEAD}{_family(outcomes, family)}")
    if problems := [one for one in outcomes if one.text]:
        rows = "".join(f"* {one.entry.family}/{one.entry.ptx.name}: {escaped(one.text)}\n" for one in problems)
        parts.append(f"## Texts that do not come back\n\n{rows}")
    parts.append(FORMS_HEAD + "".join(_form(one) for one in forms))
    return "\n".join(parts)


def counted(outcomes: Sequence[Outcome], forms: Sequence[FormCoverage]) -> list[str]:
    """The counts, a line each."""
    modelled, concrete = sum(one.modelled for one in forms), sum(one.concrete for one in forms)
    partly = sum(one.accepted and not one.modelled for one in forms)
    kernels: dict[str, list[Outcome]] = {}
    for one in outcomes:
        kernels.setdefault(f"{one.entry.family}/{one.entry.kernel}", []).append(one)
    groups = Counter(_group(rows) for rows in kernels.values())
    states = Counter(one.concrete.state for one in outcomes)
    same = sum(one.itself.verdict == "equivalent" for one in outcomes)
    return [
        f"forms: {modelled} of {len(forms)} covered and {partly} in part, {concrete} executed concretely",
        f"kernels: {len(kernels)}: {groups['equivalent']} proved, {groups['refuted']} refuted as expected, "
        f"{groups['out of scope']} out of scope with reason, {groups['']} not as expected",
        f"files: {len(outcomes)}: {sum(one.met for one in outcomes)} as expected, {same} proved equal to themselves",
        f"texts: {len(outcomes) - sum(bool(one.text) for one in outcomes)} of {len(outcomes)} files come back the same from "
        "printed PTX and from both MLIR forms",
        f"concrete runs: {states['agrees']} of {len(outcomes)} files agree with NumPy, {states['differs']} differ, "
        f"{states['not run']} not run",
    ]


def counts_line(outcomes: Sequence[Outcome], forms: Sequence[FormCoverage]) -> str:
    """The counts on one line."""
    return "; ".join(counted(outcomes, forms))


def _group(rows: Sequence[Outcome]) -> str:
    """What a kernel counts as: "" where one of its files does not come out as expected."""
    if not all(one.met for one in rows):
        return ""
    names = {"equivalent": "equivalent", "unsupported": "out of scope"}
    return names.get(rows[0].expected.split()[0], "refuted")


def _family(outcomes: Sequence[Outcome], family: str) -> str:
    """Rows of one family; makers with the same results share a row."""
    rows: dict[tuple[str, str, str, str], list[Outcome]] = {}
    for one in outcomes:
        if one.entry.family == family:
            key = (one.entry.kernel, _verdict(one), _kind_of_run(one.concrete), _itself(one))
            rows.setdefault(key, []).append(one)
    lines = []
    for (kernel, verdict, _, itself), members in rows.items():
        makers = "<br>".join(one.entry.maker for one in members)
        lines.append(f"| {kernel} | {makers} | {verdict} | {_concrete([one.concrete for one in members])} | {itself} |\n")
    return "".join(lines)


def _verdict(one: Outcome) -> str:
    text = _proof(one.proof)
    return text if one.met else f"**{one.proof.verdict}**, expected {one.expected}{text.removeprefix(one.proof.verdict)}"


def _itself(one: Outcome) -> str:
    return one.itself.verdict if one.itself == one.proof else _proof(one.itself)


def _proof(proof: Proof) -> str:
    return escaped(str(proof))


def _kind_of_run(run: Concrete) -> str:
    exact = run.worst is None or run.worst.largest == 0
    return f"{run.state} {run.message} {run.given} {run.shapes} {exact}"


def _concrete(runs: Sequence[Concrete]) -> str:
    first = runs[0]
    if first.state == "not run":
        return escaped(f"not run: {first.message}")
    worst = max((run.worst for run in runs if run.worst is not None), key=lambda d: d.relative, default=None)
    if worst is None or worst.largest == 0:
        text = "exact"
    else:
        # One digit: mathematical functions of NumPy may differ in the last bit between processors.
        text = f"{worst.relative:.0e} of {worst.allowed:g}"
    known = f", known {first.given}" if first.given else ""
    return f"{'' if first.state == 'agrees' else '**differs**: '}{text}, {first.shapes} shapes{known}"


def _form(one: FormCoverage) -> str:
    refused = ("in part: " if one.accepted else "no: ") + min(one.refused, default="")
    table = "yes" if one.modelled else escaped(refused)
    concrete = "yes" if one.concrete else escaped("no: " + min(one.abstract)) if one.abstract else "no"
    return f"| `{one.form}` | {len(one.kernels)} | {table} | {concrete} | {', '.join(sorted(one.sections, key=_numbers))} |\n"


def _numbers(section: str) -> list[int]:
    return [int(word) for word in section.split(".")]


def escaped(text: str) -> str:
    """Text as a cell of a Markdown table."""
    return re.sub(r"([\\|*<>_`\[\]])", r"\\\1", text.replace("\n", " "))

"""Which opcode forms PTX files hold. A form is the opcode with its modifiers sorted, as compilers write them in any order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_LINE_DIRECTIVE = re.compile(r"^[ \t]*\.(?:loc|file|version|target|address_size|section)\b[^\n;{]*", re.MULTILINE)
_LABEL = re.compile(r"^\s*[$%\w]+\s*:(?!:)")
_GUARD = re.compile(r"^@!?\s*%?[\w$]+\s+")
_OPCODE = re.compile(r"^([a-z][a-z0-9]*)((?:(?:\.|::)[A-Za-z0-9_]+)*)(?=\s|$)")


def forms(ptx: str) -> Counter[str]:
    """Opcode forms of one file and how often each is written."""
    text = _LINE_DIRECTIVE.sub("", _NOISE.sub("", ptx))
    found: Counter[str] = Counter()
    # Braces open bodies and scopes at the start of a statement, and hold operands elsewhere: only the former are cut.
    for statement in re.split(r";|\n\s*[{}]\s*(?=\n|[a-z.@%$])|^\s*[{}]", text):
        while match := _LABEL.match(statement):
            statement = statement[match.end() :]
        statement = re.sub(r"^\s*[{}]\s*", "", statement.strip())
        match = _OPCODE.match(_GUARD.sub("", statement))
        if match:
            found[match[1] + "".join(f".{name}" for name in sorted(match[2].split(".")[1:]))] += 1
    return found


def report(files: Iterable[Path]) -> str:
    """A table: count, number of kernels (a kernel with several makers counts once), number of files, form."""
    count: Counter[str] = Counter()
    kernels: dict[str, set[str]] = {}
    in_files: Counter[str] = Counter()
    total = 0
    for path in files:
        total += 1
        here = forms(path.read_text())
        count.update(here)
        in_files.update(here.keys())
        for form in here:
            kernels.setdefault(form, set()).add(f"{path.parent.name}/{path.name.split('.')[0]}")
    everything = {name for names in kernels.values() for name in names}
    lines = [f"# {len(count)} opcode forms, {count.total()} instructions, {len(everything)} kernels, {total} files"]
    lines.append(f"# {'count':>6} {'kernels':>7} {'files':>6}  form")
    ordered = sorted(count, key=lambda form: (-len(kernels[form]), -count[form], form))
    lines += [f"{count[form]:8} {len(kernels[form]):7} {in_files[form]:6}  {form}" for form in ordered]
    return "\n".join(lines) + "\n"

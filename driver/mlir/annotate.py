"""A verdict as discardable attributes of a `gpu.func` or `gpu.binary`, in the text of the module: nothing else is changed.

The text is not parsed as MLIR, since xDSL knows neither `#gpu.object` nor most of what is around a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.ir.errors import InputError
from volta_pipe.passes.lower.embedded import BINARY, assemblies

PREFIX = "volta."
FUNCTION = "gpu.func"
_STRING = r'"(?:[^"\\\n\r]++|\\.)*+"'
_TOKEN = re.compile(rf"//[^\n]*+|{_STRING}|@(?:[\w$.-]++|{_STRING})|[\w.$]++|->|\S", re.ASCII)
_OPENING, _CLOSING = frozenset("([{<"), frozenset(")]}>")
# Attributes of ours that are there already, with the comma behind or before them.
_OLD = re.compile(rf"\s*volta\.\w+ = (?:{_STRING}|\[(?:{_STRING}|[, ])*\])(?:, )?|, (?=\s*volta\.\w+ = )", re.ASCII)
_MOST_FINDINGS = 8


def attributes_of(document: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of a verdict, as MLIR writes them: the verdict, what it covers and assumes, and the first findings."""
    findings = [f"{one['kind']}: {one['message']}{_line(one)}" for one in document["findings"][:_MOST_FINDINGS]]
    coverage = document["coverage"]
    dims = ["; ".join(f"{name} = {value}" for name, value in one.items()) for one in coverage["dims"]]
    found = {
        "verdict": quoted(str(document["verdict"])),
        "contract": quoted(f"{document['contract']['name']} ({document['contract']['digest']})"),
        "dims": _array(dims),
        "assuming": _array(document["assumptions"]),
        "findings": _array(findings),
    }
    return {f"{PREFIX}{key}": value for key, value in found.items() if value != "[]"}


def annotate(module: str, entry: str, attributes: Mapping[str, str]) -> str:
    """The module with the attributes on every function `entry` of a `gpu.module` and every binary that has it.

    Errors: InputError where there is none, or the module is in the generic form."""
    inside = {one.binary for one in assemblies(module) if entry in one.entries}
    edits: list[tuple[int, int, str]] = []
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(module) if not match[0].startswith("//")]
    for place, (text, _) in enumerate(tokens):
        name = _symbol(tokens, place + 1)
        if (text == FUNCTION and name == entry) or (text == BINARY and name in inside):
            edits.append(_edit(module, tokens, place + 1, attributes, text == FUNCTION))
    if not edits:
        kinds = f"no {FUNCTION} @{entry}, and no {BINARY} that holds it"
        is_generic = f'"{FUNCTION}"' in module or f'"{BINARY}"' in module
        hint = " (it is in the generic form: print it with mlir-opt)" if is_generic else ""
        raise InputError(f"the module has {kinds}{hint}")
    for start, end, text in reversed(edits):
        module = module[:start] + text + module[end:]
    return module


def _symbol(tokens: list[tuple[str, int]], place: int) -> str:
    text = tokens[place][0] if place < len(tokens) else ""
    return text[1:].strip('"') if text.startswith("@") else ""


def _edit(
    module: str, tokens: list[tuple[str, int]], place: int, attributes: Mapping[str, str], is_function: bool
) -> tuple[int, int, str]:
    """(start, end, text) of what is put into the module. `place`: the token of the symbol."""
    given = ", ".join(f"{key} = {value}" for key, value in attributes.items())
    for word, at in _outside(tokens, place + 1):
        text, offset = tokens[at]
        # Of a function `attributes {…}` stands before the body, of a binary `{…}` before the list of objects.
        if text == "{" and (word == "attributes" or not is_function):
            end = tokens[_close(tokens, at)][1]
            kept = _OLD.sub("", module[offset + 1 : end]).strip().rstrip(",")
            return offset, end + 1, "{" + ", ".join(part for part in (kept, given) if part) + "}"
        if text == ("{" if is_function else "["):
            return offset, offset, f"{'attributes ' if is_function else ''}{{{given}}} "
    raise InputError("the module ends inside an operation")


def _outside(tokens: list[tuple[str, int]], place: int) -> Iterator[tuple[str, int]]:
    """(the token before, place) of the tokens that stand in no bracket."""
    while place < len(tokens):
        text = tokens[place][0]
        yield tokens[place - 1][0], place
        place = _close(tokens, place) + 1 if text in ("(", "[", "{", "<") else place + 1


def _close(tokens: list[tuple[str, int]], place: int) -> int:
    """The place of the bracket that closes the one at `place`."""
    depth = 0
    for at in range(place, len(tokens)):
        text = tokens[at][0]
        depth += (text in _OPENING) - (text in _CLOSING)
        if depth == 0:
            return at
    raise InputError("a bracket of the module is not closed")


def quoted(text: str) -> str:
    r"""A string of MLIR: what is no printable ASCII is `\` and two hexadecimal digits for each byte."""
    plain = [chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}" for byte in text.encode()]
    return f'"{"".join(plain)}"'


def _array(texts: list[str]) -> str:
    return f"[{', '.join(map(quoted, texts))}]"


def _line(finding: Mapping[str, Any]) -> str:
    return f" (PTX line {finding['ptx_line']})" if finding.get("ptx_line") else ""

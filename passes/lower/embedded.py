"""PTX inside MLIR: the assembly string of a `gpu.binary`, as `gpu-lower-to-nvvm-pipeline` with `cubin-format=isa` leaves it.

The module is read as text: its other dialects are none of ours, and xDSL has no `#gpu.object`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from volta_pipe.ir.errors import InputError, Place

_STRING = r'"(?:[^"\\\n\r]++|\\.)*+"'
_TOKEN = re.compile(
    rf"//[^\n]*+|(?P<string>{_STRING})|(?P<symbol>@(?:[\w$.-]++|{_STRING}))|(?P<word>[\w.$]++)|(?P<mark>\S)", re.ASCII
)
_ESCAPE = re.compile(r'\\(?:([0-9A-Fa-f]{2})|([nt"\\]))')
_PLAIN = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_ENTRY = re.compile(r"\.entry\s+([\w$%]+)", re.ASCII)
BINARY = "gpu.binary"


@dataclass(frozen=True)
class Assembly:
    """The PTX of an object: its text, the binary that it is in ("" where that has no name), and its line in the module."""

    text: str
    binary: str
    line: int

    @property
    def entries(self) -> list[str]:
        """The kernels in it."""
        return _ENTRY.findall(self.text)


def assemblies(module: str) -> list[Assembly]:
    """All PTX texts in the binaries of a module, in order. Errors: InputError where a string is damaged."""
    found: list[Assembly] = []
    name, inside = "", False
    before: list[str] = ["", ""]
    for kind, text, offset in _tokens(module):
        if text in (BINARY, f'"{BINARY}"'):
            name, inside = "", True
        elif inside and kind == "symbol" and not name:
            name = text[1:].strip('"')
        elif inside and kind == "string" and before == ["sym_name", "="]:
            name = text[1:-1]
            found = [Assembly(one.text, one.binary or name, one.line) for one in found]
        elif inside and kind == "string" and before == ["assembly", "="]:
            line = module.count("\n", 0, offset) + 1
            found.append(Assembly(unescape(text, line), name, line))
        before = [before[1], text]
    return found


def embedded_ptx(module: str, entry: str, place: Place) -> Assembly:
    """The assembly that has an entry; of a module with one assembly only that one, as `lower` says best what is wrong then.

    Errors: InputError where the module has none, or several have the entry."""
    try:
        found = assemblies(module)
    except InputError as error:
        raise InputError(error.message, Place(place.file, error.place.line)) from None
    if not found:
        raise InputError(
            "the module holds no gpu.binary with an assembly: lower it with gpu-lower-to-nvvm-pipeline{cubin-format=isa}", place
        )
    chosen = [one for one in found if entry in one.entries] or (found if len(found) == 1 else [])
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(name for one in found for name in one.entries)
    what = "no assembly" if not chosen else f"{len(chosen)} assemblies"
    raise InputError(
        f"{what} of the module with the entry '{entry}' (entries: {names})", Place(place.file, found[0].line, field="entry")
    )


def unescape(literal: str, line: int) -> str:
    r"""The text of a string of MLIR: `\0A`, `\n`, `\t`, `\"` and `\\`. Errors: InputError on another escape, or no UTF-8."""
    body = literal[1:-1]
    parts: list[bytes] = []
    position = 0
    while (at := body.find("\\", position)) >= 0:
        match = _ESCAPE.match(body, at)
        if match is None:
            raise InputError("the assembly has an escape that no string of MLIR has", Place(line=line))
        code, plain = match.groups()
        parts += [body[position:at].encode(), bytes([int(code, 16)]) if code else _PLAIN[plain].encode()]
        position = match.end()
    try:
        return b"".join([*parts, body[position:].encode()]).decode()
    except UnicodeDecodeError:
        raise InputError("the assembly is no text", Place(line=line)) from None


def _tokens(module: str) -> Iterator[tuple[str, str, int]]:
    """(kind, text, offset) of all but comments."""
    for match in _TOKEN.finditer(module):
        if match.lastgroup is not None:
            yield match.lastgroup, match[0], match.start()

"""Line numbers of the keys of a TOML text (tomllib keeps none). Meant for text that tomllib has accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from volta_pipe.ir.errors import InputError, Place

# A step of a key path: a table key or an array index.
Step = str | int

_BARE = r"[A-Za-z0-9_-]+"
_KEY_PART = re.compile(rf"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|({_BARE}))\s*""")


@dataclass(frozen=True)
class Source:
    """A contract's file name as the user gave it, and the line of each key path in it."""

    file: str
    lines: dict[tuple[Step, ...], int] = field(default_factory=dict)

    def place(self, path: tuple[Step, ...]) -> Place:
        """Where `path` is; a key that is absent is placed at its table."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return Place(self.file, self.lines.get(known, 0), 0, show_path(path))

    def error(self, path: tuple[Step, ...], message: str) -> InputError:
        """An InputError that names file, line and field."""
        return InputError(message, self.place(path))


def show_path(path: tuple[Step, ...]) -> str:
    """`tensors.x.shape[1]` for ("tensors", "x", "shape", 1)."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def key_lines(text: str) -> dict[tuple[Step, ...], int]:
    """Key path -> line (from 1) of its table header or `key =`. Values over several lines are skipped by counting brackets
    outside strings; keys in inline tables are found by their table's line."""
    lines: dict[tuple[Step, ...], int] = {}
    table: tuple[Step, ...] = ()
    arrays: dict[tuple[Step, ...], int] = {}
    state = _Value()
    for number, line in enumerate(text.split("\n"), start=1):
        if state.open:
            state.feed(line)
            continue
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith("[["):
            path = _key(stripped[2:])[0]
            arrays[path] = arrays.get(path, -1) + 1
            table = (*path, arrays[path])
            lines.setdefault(path, number)
            lines[table] = number
        elif stripped.startswith("["):
            table = _key(stripped[1:])[0]
            _remember(lines, table, number)
        else:
            path, end = _key(stripped)
            _remember(lines, (*table, *path), number)
            state = _Value()
            state.feed(stripped[end + 1 :])
    return lines


def _remember(lines: dict[tuple[Step, ...], int], path: tuple[Step, ...], number: int) -> None:
    for length in range(1, len(path)):
        lines.setdefault(path[:length], number)
    lines[path] = number


def _key(text: str) -> tuple[tuple[Step, ...], int]:
    """The dotted key at the start of `text` and the position after it."""
    parts: list[Step] = []
    position = 0
    while match := _KEY_PART.match(text, position):
        parts.append(next(group for group in match.groups() if group is not None))
        position = match.end()
        if position >= len(text) or text[position] != ".":
            break
        position += 1
    return tuple(parts), position


class _Value:
    """Follows a value over lines: open brackets, and the multi-line string that is open, if any."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""

    @property
    def open(self) -> bool:
        return self.depth > 0 or bool(self.quote)

    def feed(self, line: str) -> None:
        position = 0
        while position < len(line):
            if self.quote:
                position = self._string(line, position)
                continue
            char = line[position]
            if char == "#":
                return
            if line.startswith(('"""', "'''"), position):
                self.quote = line[position : position + 3]
                position += 3
                continue
            if char in "\"'":
                self.quote = char
            elif char in "[{":
                self.depth += 1
            elif char in "]}":
                self.depth -= 1
            position += 1
        if len(self.quote) == 1:  # a plain string ends on its line
            self.quote = ""

    def _string(self, line: str, position: int) -> int:
        if line[position] == "\\" and self.quote[0] == '"':
            return position + 2
        if line.startswith(self.quote, position):
            position += len(self.quote)
            self.quote = ""
            return position
        return position + 1

"""Fenced blocks of the Markdown documents, and how their examples are read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from run to run: seconds. Digests do not: `doc_refresh.py` writes those of a real run when stages have changed.
_SECONDS = re.compile(r" +\d+\.\d{3} s  ")
GAP = "…"


@dataclass(frozen=True)
class Block:
    """language: after the fence; line: of the fence, from 1."""

    document: Path
    line: int
    language: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A `$ ` line of a console block, the output lines shown below it, and the exit code where `echo $?` shows it."""

    block: Block
    words: str
    output: tuple[str, ...]
    code: int | None = None


def blocks(document: Path) -> list[Block]:
    text = document.read_text()
    return [
        Block(document, text.count("\n", 0, match.start()) + 1, match[1], tuple(match[2].splitlines()))
        for match in _FENCE.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """Those of a console block; `echo $?` gives its number to the command before."""
    found: list[Command] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append(Command(block, line[2:], ()))
        else:
            last = found.pop()
            found.append(Command(block, last.words, (*last.output, line)))
    merged: list[Command] = []
    for one in found:
        if one.words == "echo $?":
            last = merged.pop()
            merged.append(Command(block, last.words, last.output, int(one.output[0])))
        else:
            merged.append(one)
    return merged


def steady(line: str) -> str:
    """A line without what may change."""
    return _SECONDS.sub(" S s  ", line).rstrip()


def missing(shown: tuple[str, ...], real: list[str]) -> list[str]:
    """Shown lines that the real ones lack, in order; `…` stands for any lines. Without a `…` before them, lines follow each
    other. Stage lines come in the order in which the stages finish, which is not fixed."""
    left = [steady(line) for line in real]
    stages = [line for line in left if " S s  " in line]
    left = [line for line in left if " S s  " not in line]
    place, gap, lacking = 0, False, []
    for line in shown:
        text = steady(line)
        if line == GAP:
            gap = True
        elif " S s  " in text:
            if text not in stages:
                lacking.append(line)
        else:
            here = next((i for i in range(place, len(left) if gap else min(place + 1, len(left))) if left[i] == text), None)
            if here is None:
                lacking.append(line)
            else:
                place, gap = here + 1, False
    if not gap and shown and place < len(left):
        lacking.append(f"(nothing shown for: {left[place]})")
    return lacking

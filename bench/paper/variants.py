"""A row's contract at other dims, or with another candidate: as text, since a contract is what the tool takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_SECTION = re.compile(r"\s*\[([\w.\"-]+)\]")
_KEY = re.compile(r"(\s*)([\w-]+)(\s*=\s*)")


def variant(
    contract: Path, folder: Path, dims: Mapping[str, int] | None = None, candidate: Mapping[str, str] | None = None
) -> Path:
    """Writes `contract` into `folder`, an empty one, with these dims and these keys of [candidate], next to links to what lies
    beside it. Errors: SystemExit where a dim or key is not on a line of its own in the contract."""
    changes = {("dims", name): str(value) for name, value in (dims or {}).items()}
    changes |= {("candidate", name): f'"{value}"' for name, value in (candidate or {}).items()}
    section, lines, left = "", [], dict(changes)
    for line in contract.read_text().splitlines():
        head, key = _SECTION.match(line), _KEY.match(line)
        if head:
            section = head[1]
        if key and (section, key[2]) in left:
            line = f"{key[1]}{key[2]}{key[3]}{left.pop((section, key[2]))}"
        lines.append(line)
    if left:
        raise SystemExit(f"{contract}: has no line for {', '.join('.'.join(place) for place in left)}")
    for path in contract.parent.iterdir():
        if path.suffix in {".ptx", ".py", ".cu", ".npy"}:
            (folder / path.name).symlink_to(path)
    written = folder / contract.name
    written.write_text("\n".join(lines) + "\n")
    return written

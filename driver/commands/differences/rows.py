"""`diff` of two programs of `unroll`: rows added, removed and changed, where in the source, and the first of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from volta_pipe.driver.changes.lines import place, row_instructions
from volta_pipe.driver.changes.rows import row_changes
from volta_pipe.driver.changes.words import SHOWN, many
from volta_pipe.driver.commands.differences.sides import Side
from volta_pipe.driver.commands.row_table import RowTable, operation, row_text
from volta_pipe.driver.findings import as_in_source
from volta_pipe.driver.places import where
from volta_pipe.driver.stage_summaries import plain
from volta_pipe.ir.program import Program

MOST = 12  # places that are shown
_LINES = 20


def facts(left: Side, right: Side) -> dict[str, Any]:
    """Counts; `by_line`: how many rows of which operation differ at which place; `first`: the first places, as rows of - and of
    +; `other`: parts of the programs that are no rows, as they stand on both sides."""
    old, new = left.value(), right.value()
    found = row_changes(old, new, left.lines, right.lines)
    counts = {"removed": len(found.removed), "added": len(found.added), "changed": len(found.replaced)}
    ours, theirs = np.concatenate([found.removed, found.replaced[:, 0]]), np.concatenate([found.added, found.replaced[:, 1]])
    tables = RowTable(old, left.lines), RowTable(new, right.lines)
    pairs: list[tuple[int | None, int | None]] = [(int(a), int(b)) for a, b in found.replaced[:MOST]]
    pairs += [(int(row), None) for row in found.removed[:MOST]]
    # A row that is gone stands where the next kept one stands now.
    kept = np.where(found.kept >= 0, found.kept, np.iinfo(np.int64).max)
    following = np.minimum.accumulate(kept[::-1])[::-1] if len(kept) else kept
    pairs += [(None, int(row)) for row in found.added[:MOST]]
    pairs.sort(key=lambda pair: int(following[pair[0]]) if pair[1] is None and pair[0] is not None else pair[1] or 0)
    first = [
        {"-": None if a is None else tables[0].facts(a), "+": None if b is None else tables[1].facts(b)}
        for a, b in pairs[:MOST]
    ]
    other = {name: [_part(old, name), _part(new, name)] for name in found.other}
    return {
        "rows": [len(old.row_instr), len(new.row_instr)],
        **counts,
        "by_line": _by_line(old, left, ours, "-") + _by_line(new, right, theirs, "+"),
        "first": first,
        "other": other,
        "only_code_without_rows": found.static,
    }


def _by_line(program: Program, side: Side, rows: Any, sign: str) -> list[dict[str, Any]]:
    """How many of some rows stand at which place, by operation; the most frequent first."""
    instructions, counts = np.unique(
        np.stack([row_instructions(program, rows), program.row_instr[rows].clip(-1)]), axis=1, return_counts=True
    )
    found: Counter[tuple[str, str]] = Counter()
    for origin, instruction, count in zip(*instructions.tolist(), counts.tolist(), strict=True):
        at = place(side.lines, origin)
        found[at or f"instruction {origin}", operation(program, instruction)] += count
    return [{"side": sign, "place": at, "operation": word, "rows": n} for (at, word), n in found.most_common()]


def _part(program: Program, name: str) -> Any:
    if name == "CTAs":
        return program.cta_ids.tolist()
    value = getattr(program, name)
    if name == "regions":
        return [{k: v for k, v in asdict(r).items() if k != "content"} for r in value]
    return plain(value)


def text(found: Mapping[str, Any]) -> Iterator[str]:
    """Counts, places, then lines with - and +."""
    old, new = found["rows"]
    said = ", ".join(f"{found[word]:,} {word}" for word in ("changed", "added", "removed") if found[word])
    if said:
        yield f"rows: {said}, of {old:,} in - and {new:,} in +"
    elif found["only_code_without_rows"]:
        yield f"all {many(old, 'row')} are the same: what differs is code that leaves no row, or numbers of code and registers"
    else:
        yield f"all {many(old, 'row')} are the same"
    for name, sides in found["other"].items():
        yield f"{SHOWN.get(name, name)}:"
        yield from _other(sides)
    for one in found["by_line"][:_LINES]:
        yield f"  {one['side']} {one['rows']:>8,} {one['operation']}  at {one['place']}"
    if len(found["by_line"]) > _LINES:
        yield f"  … {len(found['by_line']) - _LINES:,} more places"
    if found["first"]:
        yield "the first:"
    for change in found["first"]:
        yield from (f"{sign} {row_text(change[sign], _where(change[sign]))}" for sign in "-+" if change[sign])


def _where(row: Mapping[str, Any]) -> str:
    return where(row) if row["ptx_line"] else ""


def _other(sides: list[Any]) -> Iterator[str]:
    """The parts of a list that only one side has, or both values."""
    lists = [
        side if isinstance(side, list) and any(isinstance(part, (dict, list, str)) for part in side) else [side]
        for side in sides
    ]
    for sign, mine, its in (("-", lists[0], lists[1]), ("+", lists[1], lists[0])):
        rest = [part for part in mine if part not in its]
        yield from (f"  {sign} {_short(part)}" for part in rest[:MOST])
        if len(rest) > MOST:
            yield f"  {sign} … {len(rest) - MOST:,} more"


def _short(part: Any) -> str:
    if isinstance(part, dict) and "message" in part:
        return f"{part['kind']} in CTA {part['cta']}: {part['message']}"
    if isinstance(part, dict):
        own = "variables" if part["space"] == "global" else "memory"  # of what variables are in, which is named like its space
        name = own if part["name"] in ("", part["space"]) and not part["role"] else part["name"]
        held = "".join(f", {symbol} at {offset}" for symbol, offset, _ in part["variables"][:MOST])
        return f"{part['space']} {name}: {part['size']:,} bytes{', ' * bool(part['role'])}{part['role']}{as_in_source(held)}"
    return str(part)

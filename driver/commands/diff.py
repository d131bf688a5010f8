"""`volta-pipe diff`: what differs between two artifacts of one stage."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from volta_pipe.driver.commands.artifacts import Artifact, column_parts, described, load, one_artifact, text_of
from volta_pipe.driver.session import store_folder
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

MOST = 200  # lines of difference shown


def diff_command(left: str, right: str, folder: str | None) -> int:
    """Prints what differs: text line by line, columns one by one; 0 when they are equal, else 1."""
    with Store(store_folder(folder), create=False) as store:
        first, second = one_artifact(store, left), one_artifact(store, right)
        if (first.stage, first.output) != (second.stage, second.output):
            raise InputError(f"{left} is {described(first)}, {right} is {described(second)}: give two of one stage")
        if first.digest == second.digest:
            print("the same artifact")
            return 0
        print(f"{described(first)}: - is {first.digest[:12]}, + is {second.digest[:12]}")
        lines = list(_lines(store, first, second))
    for line in lines[:MOST]:
        print(line)
    if len(lines) > MOST:
        print(f"… {len(lines) - MOST} more lines")
    return 1


def _lines(store: Store, first: Artifact, second: Artifact) -> Iterator[str]:
    if first.stage == "lower":
        yield from list(unified_diff(text_of(store, first), text_of(store, second), lineterm="", n=2))[2:]
        return
    (facts, columns), (other_facts, other_columns) = (column_parts(load(store, one)) for one in (first, second))
    for key in {**facts, **other_facts}:
        if facts.get(key) != other_facts.get(key):
            yield from (f"{sign}{key}: {one[key]}" for sign, one in (("-", facts), ("+", other_facts)) if key in one)
    for name in {**columns, **other_columns}:
        yield from _column(name, columns.get(name), other_columns.get(name))


def _column(name: str, left: Any, right: Any) -> Iterator[str]:
    """How long two columns are, and the first place where they differ."""
    if left is None or right is None:
        yield f"column {name}: only {'+' if left is None else '-'} has it"
        return
    x, y = left.reshape(-1).tolist(), right.reshape(-1).tolist()
    apart = [place for place, (a, b) in enumerate(zip(x, y, strict=False)) if a != b]
    if len(x) != len(y):
        yield f"column {name}: {len(x):,} values in -, {len(y):,} in +"
    elif apart:
        where = f"the first at {apart[0]}: -{x[apart[0]]} +{y[apart[0]]}"
        yield f"column {name}: {len(apart):,} of {len(x):,} values differ, {where}"

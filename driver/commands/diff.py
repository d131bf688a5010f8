"""`volta-pipe diff`: what differs between two artifacts of one stage."""

from __future__ import annotations

from difflib import unified_diff

from volta_pipe.driver.commands.artifacts import one_artifact, text_of
from volta_pipe.driver.session import store_folder
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

MOST = 200  # lines of difference shown


def diff_command(left: str, right: str, folder: str | None) -> int:
    """Prints a unified diff of the two in their readable form; 0 when they are equal, else 1."""
    with Store(store_folder(folder)) as store:
        first, second = one_artifact(store, left), one_artifact(store, right)
        if (first.stage, first.output) != (second.stage, second.output):
            raise InputError(f"{left} is of {first.stage} {first.output}, {right} of {second.stage} {second.output}")
        if first.digest == second.digest:
            print("the same artifact")
            return 0
        lines = list(unified_diff(text_of(store, first), text_of(store, second), left, right, lineterm="", n=2))
    for line in lines[:MOST]:
        print(line)
    if len(lines) > MOST:
        print(f"… {len(lines) - MOST} more lines")
    if not lines:
        print("the readable forms are equal; the bytes differ")
    return 1

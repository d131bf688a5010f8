"""A change in a few words, such as `3 of 12 rows at k.cu:41`: what `run` says of why a stage ran.

What each stage needs is imported when it is called, so that a run that finds all stages in the store pays nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.lines import LineTable

Outputs = Mapping[str, bytes | memoryview]
SAME = "nothing"
# Lists of a report of which no count is given.
_SINGLE = {"verdict", "counterexample", "counts", "mismatch", "refusal", "runs", "not decided"}
_SINGLE |= {"normal forms", "renamings", "members"}
# What a certificate calls the parts that normal forms are made of, in words.
PARTS = {"lambda": "log2 e", "lt0": "< 0", "eq0": "= 0", "name": "named sums", "value": "values of cases", "pi": "π"}


def phrase(
    stage: str, old: Outputs, new: Outputs, old_lines: LineTable | None = None, new_lines: LineTable | None = None
) -> str:
    """What changed from `old` to `new`, outputs of one stage by name (`artifact`; of `lower` the lines are given apart).

        lower   2 of 40 operations at k.cu:12         canon    1 of 3 classes
        unroll  3 of 12 rows at k.cu:41               check    1 finding more, 2 notes fewer
        vc      64 of 4,096 elements of y             decide   the verdict, 1 claim

    Lines are those of the new artifact; for what is gone, of the old one. SAME where nothing differs. Of what is no part of
    rows, elements or classes the names are given (`memory`, `assumptions`). Errors: ArtifactError on damaged outputs."""
    left, right = old["artifact"], new["artifact"]
    if left == right:
        return SAME
    if stage == "unroll":
        return _rows(old, new, old_lines, new_lines)
    makers: dict[str, Callable[..., str]] = {
        "lower": _operations, "vc": _elements, "trace": _elements, "canon": _classes,
        "check": _reports, "decide": _reports, "dynamic": _reports,
    }  # fmt: skip
    if stage == "lower":
        return makers[stage](left, right, old_lines, new_lines)
    if stage in ("vc", "trace", "canon"):
        return makers[stage](left, right)
    return makers[stage](stage, left, right, old_lines, new_lines)


def _operations(old: Any, new: Any, old_lines: LineTable | None, new_lines: LineTable | None) -> str:
    from volta_pipe.driver.changes.lines import at, place
    from volta_pipe.driver.changes.operations import operation_changes

    try:
        found = operation_changes(str(old, "utf-8"), str(new, "utf-8"), old_lines, new_lines)
    except UnicodeDecodeError as error:
        raise ArtifactError(f"module is damaged: {error}") from None
    if not found.count:
        return (
            listed(["the kernel's head"] * bool(found.head) + ["the order of its blocks"] * bool(found.pairs))
            or "the names of values"
        )
    places = [(item.index, new_lines) for item in found.current]
    where = at(place(lines, index) for index, lines in sorted(places, key=lambda pair: pair[0]) if index >= 0)
    where = where or at(place(old_lines, item.index) for item in found.removed if item.index >= 0)
    return share_of(found.count, max(found.old.operations, found.new.operations), "operation") + where


def _rows(old: Outputs, new: Outputs, old_lines: LineTable | None, new_lines: LineTable | None) -> str:
    import numpy as np

    from volta_pipe.driver.changes.lines import at, lines_of_rows
    from volta_pipe.driver.changes.rows import row_changes
    from volta_pipe.driver.stages import STAGES

    before, after = (STAGES["unroll"].decode({n: memoryview(part) for n, part in side.items()}) for side in (old, new))
    found = row_changes(before, after, old_lines, new_lines)
    if not found.count:
        return listed([SHOWN.get(name, name) for name in found.other]) or "no row, only code or numbers behind them"
    rows = np.sort(np.concatenate([found.added, found.replaced[:, 1]]))
    where = at(lines_of_rows(after, rows, new_lines)) or at(lines_of_rows(before, found.removed, old_lines))
    return share_of(found.count, max(len(before.row_instr), len(after.row_instr)), "row") + where


def _elements(old: Any, new: Any) -> str:
    from volta_pipe.driver.changes.expressions import expression_changes
    from volta_pipe.ir.graph import Conditions

    found = expression_changes(Conditions.decode(old), Conditions.decode(new))
    parts = [f"{share_of(one.count, one.written, 'element')} of {one.tensor}" for one in found.outputs if one.count]
    return listed([*parts, *found.other]) or "the order of its expressions"


def _classes(old: Any, new: Any) -> str:
    from volta_pipe.driver.changes.classes import class_changes
    from volta_pipe.passes.canon import Canonical

    before, after = Canonical.decode(old), Canonical.decode(new)
    found = class_changes(before, after)
    total = max(len(before.classes), len(after.classes))
    parts = [share_of(found.count, total, "class", "classes")] if found.count else []
    return listed([*parts, *found.other]) or "the numbering of its terms"


def _reports(stage: str, old: Any, new: Any, old_lines: LineTable | None, new_lines: LineTable | None) -> str:
    from volta_pipe.driver.changes import reports
    from volta_pipe.driver.changes.lines import place
    from volta_pipe.driver.stages import STAGES

    before, after = (STAGES[stage].decode({"artifact": memoryview(data)}) for data in (old, new))
    if stage == "check":
        found = reports.check_changes(before, after, lambda i: place(old_lines, i), lambda i: place(new_lines, i))
    else:
        found = (reports.decide_changes if stage == "decide" else reports.dynamic_changes)(before, after)
    parts: list[str] = []
    for one in found:
        if one.what in _SINGLE:
            parts.append({"counts": "what was counted", "not decided": "what is not decided"}.get(one.what, f"the {one.what}"))
        else:
            parts += [
                many(len(items), one.what[:-1]) + word for items, word in ((one.come, " more"), (one.gone, " fewer")) if items
            ]
    return listed(parts) or "counts"


SHOWN = {"regions": "memory", "block": "the block", "threads": "the number of threads", "complete": "where it ends"}


def share_of(count: int, total: int, one: str, several: str = "") -> str:
    """`3 of 12 rows`; `14 rows` where there were never so many at a time."""
    several = several or f"{one}s"
    return f"{count:,} of {total:,} {one if total == 1 else several}" if count <= total else f"{count:,} {several}"


def many(count: int, one: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{count:,} {one}{'s' * (count != 1)}"


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)

"""`volta-pipe diff`: what differs between two artifacts of one stage, in terms of lines, rows, elements and classes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from importlib import import_module
from typing import Any

from volta_pipe.driver.commands.artifacts import Artifact, column_parts, described, text_of
from volta_pipe.driver.commands.differences.sides import Side, of_contracts, of_digest
from volta_pipe.driver.commands.reached import OF_BOTH, STAGES, StoppedError
from volta_pipe.driver.fields import close
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.screen import print_json
from volta_pipe.driver.session import store_folder
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

MOST = 200  # lines of difference shown
_KINDS = {"lower": "operations", "unroll": "rows", "vc": "elements", "trace": "elements", "canon": "classes"}


@dataclass(frozen=True)
class Compared:
    """How two contracts are compared: `contract` and `against` (None: the reference with the candidate of one contract), side
    ("": the candidate's), combination (`name=value`). `raw`: texts line by line and columns one by one; `json`: a document."""

    contract: str | None = None
    against: str | None = None
    side: str = ""
    dims: tuple[str, ...] = ()
    raw: bool = False
    json: bool = False


def diff_command(left: str, right: str | None, folder: str | None, wanted: Compared, options: Options) -> int:
    """Prints what differs; 0 when the artifacts are equal, 1 when they differ, 3 when a finding keeps the stage from being
    reached on a side, so that nothing is compared. What the store lacks is run with the budgets of `options`.

    Errors: InputError."""
    by_stage = left in STAGES
    _check(left, right, by_stage, wanted)
    with Store(store_folder(folder), create=by_stage) as store:
        if right is not None:
            first, second = of_digest(store, left), of_digest(store, right)
            if (first.stage, first.output) != (second.stage, second.output):
                kinds = [described(Artifact(side.stage, side.output, side.digest)) for side in (first, second)]
                raise InputError(f"{left} is {kinds[0]}, {right} is {kinds[1]}: give two of one stage")
        else:
            try:
                contract = wanted.contract or "volta.toml"
                first, second = of_contracts(left, contract, wanted.against, wanted.side, wanted.dims, store, options)
            except StoppedError as stopped:
                print(stopped, file=sys.stderr)
                if wanted.json:
                    print_json(stopped.facts)
                return stopped.code
            if first.stage != second.stage and {first.stage, second.stage} != {"vc", "trace"}:
                raise InputError(f"{first.label} has {first.stage} and {second.label} has {second.stage}")
        return _shown(store, first, second, wanted)


def _check(left: str, right: str | None, by_stage: bool, wanted: Compared) -> None:
    """Errors: InputError on what is neither two digests nor a stage, and on options that would do nothing."""
    options = {"--contract": wanted.contract, "--against": wanted.against, "--side": wanted.side, "--dims": wanted.dims}
    given = [name for name, value in options.items() if value]
    if by_stage and right is not None:
        raise InputError(f"{left} is a stage: give contracts with --contract and --against, or two digests without a stage")
    if by_stage and left in OF_BOTH and wanted.side:
        raise InputError(f"--side does not apply to {left}, which is of both sides")
    if not by_stage and right is None:
        raise InputError(f"'{left}' is no stage{close(left, STAGES)}: give a stage ({', '.join(STAGES)}) or two digests")
    if not by_stage and given:
        raise InputError(f"{given[0]} does not apply to digests; it is for a stage")
    if wanted.raw and wanted.json:
        raise InputError("--raw and --json show different things: give one of them")


def _shown(store: Store, first: Side, second: Side, wanted: Compared) -> int:
    same = first.digest == second.digest
    if wanted.json:
        found = {} if same else _module(first).facts(first, second) if first.output == "artifact" else {}
        sides = {sign: {"what": s.label, "artifact": f"sha256:{s.digest}"} for sign, s in (("-", first), ("+", second))}
        print_json({"stage": first.stage, **sides, "same": same, **found})
        return 0 if same else 1
    if same:
        print("the same artifact")
        return 0
    print(f"the {first.output} of {first.stage}: - is {first.label}, + is {second.label}")
    if wanted.raw or first.output != "artifact":
        lines = _raw(store, first, second)
    else:
        module = _module(first)
        lines = module.text(module.facts(first, second))
    _print(lines)
    return 1


def _print(lines: Iterator[str]) -> None:
    left = 0
    for place, line in enumerate(lines):
        if place < MOST:
            print(line)
        else:
            left += 1
    if left:
        print(f"… {left:,} more lines")


def _module(side: Side) -> Any:
    return import_module(f"volta_pipe.driver.commands.differences.{_KINDS.get(side.stage, 'reports')}")


def _raw(store: Store, first: Side, second: Side) -> Iterator[str]:
    """Texts line by line, columns one by one."""
    if first.stage == "lower":
        old, new = (text_of(store, Artifact(side.stage, side.output, side.digest)) for side in (first, second))
        yield from list(unified_diff(old, new, lineterm="", n=2))[2:]
        return
    (facts, columns), (other_facts, other_columns) = (column_parts(memoryview(s.outputs[s.output])) for s in (first, second))
    yield from _header(facts, other_facts)
    for name in {**columns, **other_columns}:
        yield from _column(name, columns.get(name), other_columns.get(name))


def _header(left: Mapping[str, Any], right: Mapping[str, Any]) -> Iterator[str]:
    for key in {**left, **right}:
        if left.get(key) != right.get(key):
            yield from (f"{sign}{key}: {one[key]}" for sign, one in (("-", left), ("+", right)) if key in one)


def _column(name: str, left: Any, right: Any) -> Iterator[str]:
    """How long two columns are, and the first place where they differ."""
    if left is None or right is None:
        yield f"column {name}: only {'+' if left is None else '-'} has it"
        return
    x, y = left.reshape(-1), right.reshape(-1)
    if len(x) != len(y):
        yield f"column {name}: {len(x):,} values in -, {len(y):,} in +"
        return
    apart = x != y
    if x.dtype.kind == "f":
        apart &= (x == x) | (y == y)  # noqa: PLR0124 (NaN test)
    if apart.any():
        first, count = int(apart.argmax()), int(apart.sum())
        yield f"column {name}: {count:,} of {len(x):,} values differ, the first at {first}: -{x[first]} +{y[first]}"

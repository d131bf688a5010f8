"""The rows of the evaluation: `rows.toml` in each folder here, one table a row, beside the kernels and contracts that it names.

name       unique: what `--row` takes
title      as the table shows it, with the paper's name where there is one
contract   a contract of the same folder, whose first line says what must come out (`# expect: VERDICT [KIND]`)
small      dims that replace the contract's, for the size at which `make test` runs the row
mutants    kernels with one bug, each with the verdict that it must get at that size
paper      what Volta's authors published; volta: what their tool needs on two cores like ours; both may be absent
limit      seconds; else it follows from `volta` (seconds_allowed)
differs    what differs from the authors' inputs, as far as they are known"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from volta_pipe.driver.expectations import Expectation, expectation

HERE = Path(__file__).resolve().parent
START_UP = 1.0  # seconds that a limit made of the other tool's figures leaves for loading Python and the compiled code
# Our share of the seconds that the public Volta needs, by how many it needs.
SHARES = ((30.0, 1 / 30), (10.0, 1 / 10), (0.0, 1.0))
MOST_MEMORY = 2e9  # bytes, any row
_KNOWN = {"name", "title", "contract", "small", "mutants", "paper", "volta", "limit", "differs"}

Range = tuple[float, float]  # lowest and highest of the published figures


@dataclass(frozen=True)
class Published:
    """threads: reference/candidate; vcs: output elements; instructions: executed thread-instructions of both sides; gen:
    seconds of symbolic execution with race checks; all: seconds to decide every element. None or "": not published."""

    threads: str = ""
    vcs: Range | None = None
    instructions: Range | None = None
    gen: Range | None = None
    all: Range | None = None

    @property
    def seconds(self) -> float:
        """Of both parts, the highest that were published."""
        return sum(span[1] for span in (self.gen, self.all) if span is not None)


@dataclass(frozen=True)
class Measured:
    """CPU seconds of the public Volta on two cores (gen: with race checks; decide: all elements) and its peak in bytes."""

    gen: float
    decide: float = 0.0
    memory: float | None = None

    @property
    def seconds(self) -> float:
        """Of both parts."""
        return self.gen + self.decide


@dataclass(frozen=True)
class Mutant:
    """candidate: the entry that takes the candidate's place; source: its file, where it is another; what: the bug, in words."""

    candidate: str
    what: str
    expect: Expectation
    source: str | None = None


@dataclass(frozen=True)
class Row:
    """One row (fields: above). `contract` is a path; `expect`: what its first line says."""

    name: str
    title: str
    contract: Path
    expect: Expectation
    small: Mapping[str, int] = field(default_factory=dict)
    mutants: tuple[Mutant, ...] = ()
    paper: Published | None = None
    volta: Measured | None = None
    limit: float | None = None
    differs: str = ""

    @property
    def family(self) -> str:
        """The folder."""
        return self.contract.parent.name

    def seconds_allowed(self) -> float | None:
        """The most wall seconds from PTX to verdict, where there is a figure to be held against."""
        if self.limit is not None:
            return self.limit + START_UP
        if self.volta is None:
            return self.paper.seconds + START_UP if self.paper is not None and self.paper.gen is not None else None
        share = next(share for above, share in SHARES if self.volta.seconds >= above)
        return self.volta.seconds * share + START_UP


def _range(value: float | list[float] | None) -> Range | None:
    if value is None:
        return None
    low, high = value if isinstance(value, list) else (value, value)
    return float(low), float(high)


def _row(folder: Path, table: dict[str, Any]) -> Row:
    unknown = set(table) - _KNOWN
    if unknown:
        raise SystemExit(f"{folder / 'rows.toml'}: {table.get('name')}: unknown: {', '.join(sorted(unknown))}")
    contract = folder / table["contract"]
    paper = table.get("paper")
    if paper is not None:
        ranges = {name: _range(paper.get(name)) for name in ("vcs", "instructions", "gen", "all")}
        paper = Published(paper.get("threads", ""), **ranges)
    mutants = tuple(
        Mutant(m["candidate"], m["what"], Expectation(*[*m["expect"].split(), ""][:2]), m.get("source"))
        for m in table.get("mutants", ())
    )
    return Row(
        table["name"],
        table["title"],
        contract,
        expectation(contract),
        table.get("small", {}),
        mutants,
        paper,
        Measured(**table["volta"]) if "volta" in table else None,
        table.get("limit"),
        table.get("differs", ""),
    )


# The order of the tables; families of the paper first. A folder with rows that is not named here is an error.
PAPER = ("reduction", "matmul", "attention", "conv", "gemm", "tilelang", "races")
BEYOND = ("attention-more", "pipelined", "norm", "triton")


def rows() -> list[Row]:
    """All rows, the paper's first. Errors: SystemExit where a table is not as above or a name is used twice."""
    folders = {path.parent.name: path.parent for path in HERE.glob("*/rows.toml")}
    strangers = set(folders) - {*PAPER, *BEYOND}
    if strangers:
        raise SystemExit(f"no place in the order of the tables: {', '.join(sorted(strangers))}")
    found = []
    for family in (*PAPER, *BEYOND):
        if family in folders:
            tables = tomllib.loads((folders[family] / "rows.toml").read_text())["row"]
            found += [_row(folders[family], table) for table in tables]
    names = [row.name for row in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise SystemExit(f"used twice: {', '.join(sorted(twice))}")
    return found

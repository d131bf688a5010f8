"""What happens without each barrier, fence and wait of the kernels that are proved: makes docs/barriers.md.

`python tests/corpus/barriers.py` takes each of them out alone (`volta-pipe explain --redundant-barriers` does it for one
kernel), on all shapes of the kernel's contract: the first file of each kernel of the corpus, and all examples.
`… gemm triton/softmax` does a part and prints it. Exit status 1: without one something happens that is neither a finding
nor the same proof."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from outcomes import contract_of, first_entries, run  # noqa: E402

from volta_pipe.driver.contract import Contract, read_contract  # noqa: E402
from volta_pipe.driver.engine import Engine  # noqa: E402
from volta_pipe.driver.pipeline import Options  # noqa: E402
from volta_pipe.driver.places import where  # noqa: E402
from volta_pipe.driver.redundant import NotProved, Removal, removals  # noqa: E402
from volta_pipe.driver.session import store_folder  # noqa: E402
from volta_pipe.driver.store import Store  # noqa: E402

HEAD = """# Barriers

What happens without each barrier, fence and wait of the kernels that are proved (the examples, and the
[corpus](../tests/corpus/README.md)), each taken out alone, on all shapes of the contract. Made by `make barriers`: do not edit.

"""


@dataclass(frozen=True)
class Line:
    """One instruction that was taken out of one kernel."""

    kernel: str
    removal: Removal

    @property
    def outcome(self) -> str:
        """The kind of finding, `redundant`, or a reason why it is not decided."""
        if not self.removal.needed:
            return "redundant"
        return str(self.removal.finding["kind"]) if self.removal.finding is not None else self.removal.needed

    def row(self) -> str:
        place = where({"source": self.removal.source, "ptx_line": self.removal.ptx_line})
        return f"| {self.kernel} | `{self.removal.words}` | {place} | {self.outcome} |"


def contracts(names: list[str]) -> Iterator[tuple[str, Contract]]:
    """(name, contract) of the examples and of the first file of each kernel of the corpus."""
    for path in sorted(ROOT.glob("examples/*/volta.toml")):
        if not names or path.parent.name in names:
            yield f"examples/{path.parent.name}", read_contract(path)
    for entry in first_entries():
        name = f"{entry.family}/{entry.kernel}"
        if not names or {name, entry.family} & set(names):
            yield f"{name} ({entry.maker})", contract_of(entry)


def measure(names: list[str], store: Store) -> Iterator[Line]:
    """All instructions of all kernels whose verdict is equivalent or safe."""
    for name, contract in contracts(names):
        try:
            found = [Line(name, removal) for removal in removals(run(contract, Engine(store)), Options())]
        except NotProved:
            continue
        print(f"{name}: {len(found)}", file=sys.stderr, flush=True)
        yield from found


def main(
    names: Annotated[list[str] | None, typer.Argument(help="example, family or family/kernel; default: all")] = None,
) -> None:
    """Takes out barriers."""
    with Store(store_folder(None)) as store:
        lines = list(measure(names or [], store))
    counts = Counter(line.outcome for line in lines)
    summary = ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())
    table = ["| kernel | instruction | where | without it |", "|---|---|---|---|", *(line.row() for line in lines)]
    text = (
        HEAD
        + f"* {len(lines)} instructions of {len({line.kernel for line in lines})} kernels: {summary}\n\n"
        + "\n".join(table)
    )
    if names:
        print(text)
    else:
        (ROOT / "docs" / "barriers.md").write_text(text + "\n")
    print(f"{len(lines)} instructions: {summary}", file=sys.stderr)
    raise typer.Exit(int(any(line.removal.needed and line.removal.finding is None for line in lines)))


if __name__ == "__main__":
    typer.run(main)

"""What of the corpus is covered: makes docs/coverage.md.

`python tests/corpus/cover.py` runs every file of the corpus against its spec, against itself and on concrete inputs, on all
shapes of its contract. `… gemm bits/crc32 triton-sm80` does a part and prints it; `--json` prints data instead. The last line
of the output has the counts. Exit status 1: a contract did not come out as it expects, a text does not
come back, or a concrete run differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from coverage_text import counts_line, document  # noqa: E402
from form_coverage import FormCoverage, FormTable  # noqa: E402
from outcomes import Outcome, contract_of, lowered_kernel, outcome  # noqa: E402
from table import Entry, entries  # noqa: E402
from texts import text_problem  # noqa: E402

from volta_pipe.driver.engine import Engine  # noqa: E402
from volta_pipe.driver.session import store_folder  # noqa: E402
from volta_pipe.driver.store import Store  # noqa: E402


def chosen(names: list[str]) -> Iterator[Entry]:
    """The files that some names stand for: family, family/kernel, maker, or a path to a .ptx file; none: all."""
    wanted = set(names)
    paths = {Path(name).resolve() for name in names if name.endswith(".ptx")}
    for entry in entries():
        if not names or wanted & {entry.family, f"{entry.family}/{entry.kernel}", entry.maker} or entry.ptx in paths:
            yield entry


def measure(files: list[Entry], store: Store, *, smallest: bool) -> tuple[list[Outcome], list[FormCoverage]]:
    """Everything about some files; one line a file on standard error."""
    table = FormTable()
    found: list[Outcome] = []
    for number, entry in enumerate(files, start=1):
        text = entry.ptx.read_text()
        table.add_text(entry, text)
        contract = contract_of(entry, smallest=True)
        problem = text_problem(text, entry.ptx.name, contract.candidate.entry)
        one = replace(outcome(entry, store, smallest=smallest), text=problem)
        kernel = lowered_kernel(contract, Engine(store))
        if kernel is not None:
            table.add_kernel(text, *kernel)
        found.append(one)
        state = "as expected" if one.met else f"NOT AS EXPECTED ({one.expected})"
        concrete = f"{one.concrete.state} {one.concrete.message}".strip()
        name = f"{entry.family}/{entry.ptx.name}"
        print(f"[{number}/{len(files)}] {name}: {one.proof.verdict}, {state}; concrete {concrete}", file=sys.stderr, flush=True)
    return found, table.finish(entry.ptx.read_text() for entry in files)


def main(
    names: Annotated[list[str] | None, typer.Argument(help="family, family/kernel, maker or file; default: all")] = None,
    data: Annotated[bool, typer.Option("--json", help="print data instead of the document")] = False,
    smallest: Annotated[bool, typer.Option("--smallest", help="only the smallest dims of each contract")] = False,
    output: Annotated[Path | None, typer.Option(help="where the document goes (default: docs/coverage.md, or stdout)")] = None,
) -> None:
    """Measures the corpus."""
    files = list(chosen(names or []))
    if not files:
        raise typer.BadParameter(f"no file of the corpus is called {' or '.join(names or [])}")
    with Store(store_folder(None)) as store:
        outcomes, forms = measure(files, store, smallest=smallest)
    if output is None and not names and not smallest and not data:
        output = ROOT / "docs" / "coverage.md"
    if data:
        found = {"outcomes": [_plain(one) for one in outcomes], "forms": [_form(one) for one in forms]}
        text = json.dumps(found, indent=1) + "\n"
    else:
        text = document(outcomes, forms)
    if output is None:
        print(text, end="")
    else:
        output.write_text(text)
    if not data:
        print(counts_line(outcomes, forms))
    raise typer.Exit(0 if all(one.met and not one.text and one.concrete.state != "differs" for one in outcomes) else 1)


def _plain(one: Outcome) -> dict[str, Any]:
    entry = one.entry
    rest = {key: value for key, value in asdict(one).items() if key != "entry"}
    return {"kernel": f"{entry.family}/{entry.kernel}", "maker": entry.maker, **rest}


def _form(one: FormCoverage) -> dict[str, Any]:
    data = {key: sorted(value) if isinstance(value, set) else value for key, value in asdict(one).items()}
    return {**data, "modelled": one.modelled, "concrete": one.concrete}


if __name__ == "__main__":
    typer.run(main)

"""Makes the PTX of the corpus from its sources, and counts what is in it.

`python tests/corpus/make.py` compiles what the table names, where the tool is installed, and says what is missing;
`python tests/corpus/make.py --census` prints how often each opcode form occurs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from census import report  # noqa: E402
from makers import MissingToolError, make  # noqa: E402
from table import entries  # noqa: E402


def main(
    names: Annotated[list[str] | None, typer.Argument(help="family, family/kernel or maker; default: all")] = None,
    census: Annotated[bool, typer.Option(help="print the opcode forms of the files on disk and compile nothing")] = False,
) -> None:
    """Regenerates tests/corpus/*/*.ptx."""
    if census:
        print(report(sorted(HERE.glob("*/*.ptx"))), end="")
        return
    missing: dict[str, str] = {}
    counts = {"new": 0, "changed": 0, "same": 0, "failed": 0, "left": 0}
    for entry in entries():
        if names and not {entry.family, f"{entry.family}/{entry.kernel}", entry.maker} & set(names):
            continue
        state = "left"
        if entry.tool not in missing:
            try:
                state = _write(entry.ptx, make(entry.source, entry.maker).text(entry.source.name))
            except MissingToolError as error:
                missing[entry.tool] = str(error)
            except RuntimeError as error:
                state = "failed"
                print(f"failed   {entry.ptx.relative_to(HERE)}\n{error}", file=sys.stderr)
        counts[state] += 1
        if state in ("new", "changed"):
            print(f"{state:8} {entry.ptx.relative_to(HERE)}", flush=True)
    for tool, why in missing.items():
        print(f"missing  {tool}: {why}; its files are left as they are")
    print(", ".join(f"{number} {state}" for state, number in counts.items()))
    raise typer.Exit(1 if counts["failed"] else 0)


def _write(path: Path, text: str) -> str:
    old = path.read_text() if path.exists() else None
    if text == old:
        return "same"
    path.write_text(text)
    return "new" if old is None else "changed"


if __name__ == "__main__":
    typer.run(main)

"""`volta-pipe report`: the evidence of a run as a page of HTML and as JSON."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.files import is_folder, is_there
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.render import verdict_lines
from volta_pipe.driver.report.collect import SCHEMA, report
from volta_pipe.driver.report.page import MARK, page
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import opened
from volta_pipe.driver.verdict import exit_code
from volta_pipe.ir.errors import InputError, Place

DEFAULT = "volta.toml"
SUFFIXES = (".html", ".json")
_LONGEST = 60  # characters of a contract's name in a file name
_HEAD = 400  # bytes in which a file says that it is a report


def report_command(contract: str, store: str | None, options: Options, output: str | None) -> int:
    """Runs what is not cached, writes both files and says where; returns the verdict's exit code.

    Errors: InputError as of `run`; where a file cannot be written, or is there and is no report."""
    with opened(contract, store, options, watch=Screen(None)) as session:
        html, data = targets(output, session.contract)
        for path in (html, data):
            _check(path)
        found = report(session)
    _write(data, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    _write(html, page(found))
    for line in [next(verdict_lines(session.document, session.contract, color=sys.stdout.isatty()))]:
        print(line)
    print(f"  report: {html}")
    print(f"  as JSON: {data}")
    return exit_code(session.document)


def targets(output: str | None, contract: Contract) -> tuple[Path, Path]:
    """(page, JSON): `output` is a file that ends in .html or .json, whose sibling the other is, or else a folder; by default
    the current one. In a folder the files are named after the contract's file, or, where that is volta.toml, its name."""
    path = Path(output) if output else Path()
    if path.suffix in SUFFIXES and not is_folder(path):
        return path.with_suffix(".html"), path.with_suffix(".json")
    if path.suffix and not is_folder(path):
        raise InputError(f"--output: a file ends in {' or '.join(SUFFIXES)}, a folder has no ending", Place(str(path)))
    own = Path(contract.source.file)
    # Contracts are copied with their names: those of a folder are told apart by their files, unless these have the usual name.
    text = contract.name.lower() if own.name == DEFAULT and contract.name else own.stem
    name = re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST].strip("-") or "contract"
    return path / f"{name}.report.html", path / f"{name}.report.json"


def _check(path: Path) -> None:
    """Errors: InputError where `path` is something that is not an earlier report of ours."""
    if not is_there(path):
        return
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise InputError(f"cannot be overwritten: {error.strerror}", Place(str(path))) from None
    if (MARK if path.suffix == ".html" else f'"{SCHEMA.rpartition("/")[0]}/').encode() not in head:
        raise InputError("is there, and is no report of volta-pipe: move it away, or give another --output", Place(str(path)))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # a file name that is no Unicode is in the text as escapes
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(path))) from None

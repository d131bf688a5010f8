"""`volta-pipe explain`: every finding in full, and how to replay a counterexample."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.render import dims_text, verdict_lines
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import store_folder, verify
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import exit_code


def explain_command(contract: str, store: str | None, options: Options) -> int:
    """Runs what is not cached, prints everything; returns the verdict's exit code."""
    screen = Screen(None)
    with Store(store_folder(store)) as opened:
        try:
            session = verify(contract, opened, options, watch=screen)
        finally:
            screen.close()
    for line in verdict_lines(session.document, session.contract, full=True, color=sys.stdout.isatty()):
        print(line)
    for line in _replay(session.document, session.contract):
        print(line)
    return exit_code(session.document)


def _replay(document: Mapping[str, Any], contract: Contract) -> Iterator[str]:
    """How to see a mismatch again: the inputs are in the JSON document; the launch is the contract's."""
    finding = next((f for f in document["findings"] if f.get("counterexample") is not None), None)
    if finding is None:
        return
    kernel, dims = contract.candidate, dims_text(finding["dims"])
    yield "  to replay it:"
    yield f"    launch {kernel.entry} of {kernel.path} with args {list(kernel.args)}" + (f" at {dims}" if dims else "")
    yield "    fill the inputs with the values above (in the JSON document: findings[].counterexample) and compare the element"
    yield f"    volta-pipe run {contract.source.file} --force decide   evaluates both sides again"

"""`volta-pipe explain`: every finding in full, and how to replay a counterexample."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from volta_pipe.driver.commands.removals_text import removal_lines
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.render import verdict_lines
from volta_pipe.driver.report.writers import written
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import opened
from volta_pipe.driver.verdict import exit_code


def explain_command(contract: str, store: str | None, options: Options, *, redundant: bool = False) -> int:
    """Runs what is not cached, prints everything; returns the verdict's exit code. `redundant`: then takes out each barrier of
    the candidate in turn, and says which were not needed."""
    with opened(contract, store, options, watch=Screen(None)) as session:
        color, places = sys.stdout.isatty(), partial(written, session)
        for line in verdict_lines(session.document, session.contract, full=True, color=color, written=places):
            print(line)
        for line in _replay(session.document, session.contract):
            print(line)
        if redundant:
            for line in removal_lines(session, options):
                print(line, flush=True)
    return exit_code(session.document)


def _replay(document: Mapping[str, Any], contract: Contract) -> Iterator[str]:
    """The command that computes a counterexample on both sides."""
    if any(finding.get("counterexample") is not None for finding in document["findings"]):
        yield "  to compute the counterexample on both sides with PTX's rounding:"
        yield f"    volta-pipe replay {shlex.quote(contract.source.file)} --counterexample"

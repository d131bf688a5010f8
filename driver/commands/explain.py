"""`volta-pipe explain`: every finding in full, and how to replay a counterexample."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.places import where
from volta_pipe.driver.redundant import NotProved, removals
from volta_pipe.driver.render import verdict_lines
from volta_pipe.driver.report.writers import written
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import Session, opened
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
            for line in _redundant(session, options):
                print(line, flush=True)
    return exit_code(session.document)


def _redundant(session: Session, options: Options) -> Iterator[str]:
    """A line or more for each instruction that orders threads or copies."""
    kernel = session.contract.candidate
    yield f"  barriers, fences and waits of {kernel.entry}, each taken out alone"
    yield "  (both of two that stand in for each other are redundant; take out one at a time):"
    found = 0
    try:
        for one in removals(session, options):
            found += 1
            place = where({"source": one.source, "ptx_line": one.ptx_line})
            if not one.needed:
                yield f"    redundant: {one.words} at {place}: without it the verdict is the same on all dims"
                continue
            yield f"    needed: {one.words} at {place}: without it {one.needed}"
            if one.finding is not None:
                yield f"      {one.finding['message']}"
                yield from (f"      {access['action']} at {where(access)}" for access in one.finding["accesses"][:2])
    except NotProved as verdict:
        yield f"    not looked at: the verdict is {verdict}, so there is nothing that must stay"
        return
    if not found:
        yield "    there are none"


def _replay(document: Mapping[str, Any], contract: Contract) -> Iterator[str]:
    """The command that computes a counterexample on both sides."""
    if any(finding.get("counterexample") is not None for finding in document["findings"]):
        yield "  to compute the counterexample on both sides with PTX's rounding:"
        yield f"    volta-pipe replay {shlex.quote(contract.source.file)} --counterexample"

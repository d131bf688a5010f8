"""`volta-pipe run`: a line a stage, then the verdict."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from volta_pipe.driver.api.verdict import Verdict, verdict_of
from volta_pipe.driver.options import check_force
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.render import verdict_lines
from volta_pipe.driver.screen import Screen, print_json
from volta_pipe.driver.session import opened


def run_command(contract: str, store: str | None, options: Options, force: Sequence[str], *, json: bool, quiet: bool) -> int:
    """Runs and prints; returns the exit code."""
    check_force(force)
    out = None if quiet else sys.stderr if json else sys.stdout
    with opened(contract, store, options, force=force, watch=Screen(out, progress=not quiet)) as session:
        verdict = verdict_of(session)
    if json:
        print_json(verdict.document)
    else:
        print_verdict(verdict, quiet=quiet)
    return verdict.exit_code


def print_verdict(verdict: Verdict, *, quiet: bool) -> None:
    """Its lines, or the first of them."""
    lines = verdict_lines(verdict.document, verdict.contract, color=sys.stdout.isatty())
    for line in [next(lines)] if quiet else lines:
        print(line)

"""`volta-pipe run`: a line a stage, then the verdict."""

from __future__ import annotations

import sys
from dataclasses import replace

from volta_pipe.driver.fields import close
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.render import verdict_lines
from volta_pipe.driver.screen import Screen, print_json
from volta_pipe.driver.session import store_folder, verify
from volta_pipe.driver.stages import ORDER
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import exit_code
from volta_pipe.ir.errors import InputError


def run_command(contract: str, store: str | None, options: Options, force: list[str], *, json: bool, quiet: bool) -> int:
    """Runs and prints; returns the exit code."""
    for name in [options.last] * bool(options.last) + [stage for stage in force if stage not in ("all", "trace", "dynamic")]:
        if name == "trace":
            raise InputError("trace is what vc is for a NumPy reference, and runs with it: --stage vc")
        if name not in ORDER:
            raise InputError(f"unknown stage '{name}'{close(name, ORDER)} (stages: {', '.join(ORDER)})")
    if options.last == ORDER[-1]:
        options = replace(options, last="")
    out = None if quiet else sys.stderr if json else sys.stdout
    screen = Screen(out, progress=not quiet)
    with Store(store_folder(store)) as opened:
        try:
            session = verify(contract, opened, options, force=force, watch=screen)
        finally:
            screen.close()
    if json:
        print_json(session.document)
        return exit_code(session.document)
    lines = verdict_lines(session.document, session.contract, color=sys.stdout.isatty())
    for line in [next(lines)] if quiet else lines:
        print(line)
    return exit_code(session.document)

"""The command `volta-pipe report`."""

from __future__ import annotations

from typing import Annotated

import typer

from volta_pipe.driver.cli_options import (
    MEMORY,
    STEPS,
    ContractPath,
    JobsOption,
    MemoryOption,
    OnlyOption,
    SkipOption,
    StepsOption,
    StoreOption,
    Text,
)


def report(
    contract: ContractPath = "volta.toml",
    *,
    output: Annotated[
        Text,
        typer.Option("--output", "-o", metavar="DIR-or-FILE", help="A folder, or a file .html or .json (default: here)."),
    ] = None,
    only: OnlyOption = "",
    skip: SkipOption = None,
    store: StoreOption = None,
    jobs: JobsOption = 0,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Writes the evidence of a verdict: a page, and the same as JSON.

    The page is one file that needs no network: contract, layers, findings with their code, counterexample, assumptions,
    trusted base. It is NAME.report.html, beside it NAME.report.json: NAME is that of the contract's file, or, of a
    volta.toml, the contract's name. Runs what the store does not have. Exit codes as of run."""
    from volta_pipe.driver.commands.report import report_command
    from volta_pipe.driver.layers import skipped
    from volta_pipe.driver.pipeline import Options

    options = Options("", jobs, max_steps, max_memory, skipped(only, skip or []), only)
    raise typer.Exit(report_command(contract, store, options, output))

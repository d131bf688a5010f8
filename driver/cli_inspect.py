"""The commands `volta-pipe inspect` and `diff`: what stages made. Each imports what it needs when it is called."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from volta_pipe.driver.cli_options import (
    MEMORY,
    STEPS,
    DimsOption,
    MemoryOption,
    StepsOption,
    StoreOption,
    Text,
)


def inspect(
    what: Annotated[str, typer.Argument(metavar="STAGE-or-DIGEST")],
    *,
    contract: Annotated[
        Text, typer.Option("--contract", metavar="CONTRACT", help="The contract (default: volta.toml).")
    ] = None,
    side: Annotated[
        str, typer.Option("--side", metavar="SIDE", help="candidate (default) or reference; not for canon and decide.")
    ] = "",
    dims: DimsOption = None,
    thread: Annotated[
        int | None, typer.Option("--thread", min=0, metavar="N", help="unroll: the program of this thread of the CTA.")
    ] = None,
    cta: Annotated[
        int | None,
        typer.Option(
            "--cta",
            min=0,
            metavar="N",
            help="With --thread, --rows, --mlir, --graph: which CTA of those run (--thread: 0).",
        ),
    ] = None,
    rows: Annotated[
        Text, typer.Option("--rows", metavar="A:B", help="unroll: rows A to B-1, counted through all CTAs, as operations.")
    ] = None,
    element: Annotated[
        list[str] | None,
        typer.Option("--element", metavar="y[3,5]", help="vc, trace: this element as a formula; can be given more than once."),
    ] = None,
    mlir: Annotated[
        bool,
        typer.Option(
            "--mlir", help="lower, unroll, vc, trace: in MLIR's generic form; of --rows, --cta, --thread, --element only."
        ),
    ] = False,
    raw: Annotated[bool, typer.Option("--raw", help="All stages but lower: the header and columns of the artifact.")] = False,
    json: Annotated[bool, typer.Option("--json", help="What the stage made as JSON; with --rows or --element, these.")] = False,
    check: Annotated[bool, typer.Option("--check", help="decide: check its certificate with code of its own.")] = False,
    graph: Annotated[
        str,
        typer.Option(
            "--graph", metavar="KIND", help="lower: cfg; unroll: barriers (--cta); vc, trace: expression (--element)."
        ),
    ] = "",
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="FORMAT", help="Of the graph: dot or svg (default: as the ending of -o says, else dot)."
        ),
    ] = "",
    output: Annotated[
        Text, typer.Option("--output", "-o", metavar="FILE", help="Where to write the graph (default: here).")
    ] = None,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Shows what a stage made of a kernel, or an artifact of the store.

    The stages are lower, unroll, check, vc, canon and decide, trace of a NumPy reference, and dynamic; what the store does
    not have is run. A digest, or its first digits, stands at the end of each line of a run. Exit code of --check: 0 where
    all claims hold, 1 where one does not, 3 where one could not be checked; where a finding keeps the stage from being reached,
    that of run, and --json has the finding."""
    from volta_pipe.driver.commands.inspect import Wanted, inspect_command
    from volta_pipe.driver.pipeline import Options

    shown = Wanted(side, tuple(dims or ()), thread, cta, tuple(element or ()), mlir, raw, json, check, rows)
    wanted = replace(shown, graph=graph, form=form, output=output)
    options = Options(max_steps=max_steps, max_memory=max_memory)
    raise typer.Exit(inspect_command(what, contract, store, wanted, options))


def diff(
    left: Annotated[str, typer.Argument(metavar="STAGE-or-A")],
    right: Annotated[str | None, typer.Argument(metavar="B")] = None,
    *,
    contract: Annotated[
        Text, typer.Option("--contract", metavar="CONTRACT", help="With a stage: the contract (default: volta.toml).")
    ] = None,
    against: Annotated[
        Text,
        typer.Option("--against", metavar="CONTRACT", help="The other contract (default: the reference with the candidate)."),
    ] = None,
    side: Annotated[
        str, typer.Option("--side", metavar="SIDE", help="candidate (default) or reference, of both contracts.")
    ] = "",
    dims: DimsOption = None,
    raw: Annotated[bool, typer.Option("--raw", help="Texts line by line, and columns one by one.")] = False,
    json: Annotated[bool, typer.Option("--json", help="What differs as JSON.")] = False,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Shows what differs between two artifacts of one stage.

    A and B are digests, or their first digits, as a run shows them. With a stage, what it makes of two contracts is compared
    (--contract, --against), or of the two kernels of one contract; what the store does not have is run. - is the first, + the
    second.

    Exit code 0: they are the same; 1: they differ; 3: a finding keeps the stage from being reached on a side, so that nothing
    is compared."""
    from volta_pipe.driver.commands.diff import Compared, diff_command
    from volta_pipe.driver.pipeline import Options

    wanted = Compared(contract, against, side, tuple(dims or ()), raw, json)
    options = Options(max_steps=max_steps, max_memory=max_memory)
    raise typer.Exit(diff_command(left, right, store, wanted, options))

"""The options that several commands have in common."""

from __future__ import annotations

from typing import Annotated

import typer

Text = str | None
# Without `help=`: newer versions of click forget that of an argument, so the docstrings say what arguments are.
ContractPath = Annotated[str, typer.Argument(metavar="[CONTRACT]", show_default=True)]
StoreOption = Annotated[Text, typer.Option("--store", metavar="DIR", help="Store (default: $VOLTA_STORE or artifacts/).")]
_NAMES = "lower, unroll, check, vc, canon or decide"
StageOption = Annotated[str, typer.Option("--stage", metavar="STAGE", help=f"Stop after this stage: {_NAMES}.")]
_LAYERS = "lower, dynamic, safety or proof"
OnlyOption = Annotated[str, typer.Option("--only", metavar="LAYER", help=f"Run this layer alone: {_LAYERS}.")]
SkipOption = Annotated[
    list[str] | None, typer.Option("--skip", metavar="LAYER", help="Leave this layer out: dynamic, safety or proof.")
]
ForceOption = Annotated[
    list[str] | None,
    typer.Option("--force", metavar="STAGE", help="Compute this stage (or trace, or all) though the store has it."),
]
JobsOption = Annotated[int, typer.Option("--jobs", min=0, metavar="N", help="Stages that run at the same time (0: up to 2).")]
StepsOption = Annotated[
    int,
    typer.Option("--max-steps", min=1, metavar="N", help="Budget of unroll: instructions it executes a kernel, times threads."),
]
MemoryOption = Annotated[
    int,
    typer.Option(
        "--max-memory", min=1, metavar="BYTES",
        help="Budget of unroll: bytes of a kernel's rows, looked at when their tables grow. With another budget unroll runs "
        "again; later stages that the store has for the same rows are used all the same.",
    ),
]  # fmt: skip
JsonOption = Annotated[bool, typer.Option("--json", help="Only the JSON document on standard output.")]
# The budgets' defaults (combination.MAX_STEPS, MAX_MEMORY), kept here so that `--help` needs no import.
STEPS, MEMORY = 200_000_000, 8 << 30
DimsOption = Annotated[
    list[str] | None,
    typer.Option("--dims", metavar="NAME=VALUE", help="Which combination of dims (default: the first); once for each dim."),
]

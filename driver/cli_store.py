"""The commands of `volta-pipe store`. Each imports what it needs when it is called."""

from __future__ import annotations

from typing import Annotated

import typer

from volta_pipe.driver.cli_options import StoreOption, Text

store_app = typer.Typer(help="Looks after the artifact store.", no_args_is_help=True, rich_markup_mode=None)


@store_app.command("ls")
def store_ls(store: StoreOption = None) -> None:
    """Lists the artifacts, last used first."""
    from volta_pipe.driver.commands.store import list_store

    raise typer.Exit(list_store(store))


@store_app.command("verify")
def store_verify(store: StoreOption = None) -> None:
    """Checks every byte of the store.

    Exit code 1: something is damaged; a run computes it again."""
    from volta_pipe.driver.commands.store import verify_store

    raise typer.Exit(verify_store(store))


@store_app.command("gc")
def store_gc(
    store: StoreOption = None,
    max_size: Annotated[
        Text, typer.Option("--max-size", metavar="SIZE", help="Shrink to this size: bytes, or with K, M, G or T.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Runs keep to --max-size from now on (unlimited: to none), as to $VOLTA_STORE_SIZE.")
    ] = False,
) -> None:
    """Removes what is damaged or not needed.

    That is: stray files, damaged artifacts, those that no stage names and, with --max-size, what was used least recently."""
    from volta_pipe.driver.commands.store import collect_store

    raise typer.Exit(collect_store(store, max_size, keep=keep))

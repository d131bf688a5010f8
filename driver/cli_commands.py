"""The commands: what each takes, and its help. Each imports what it needs when it is called."""

from __future__ import annotations

from typing import Annotated

import typer

from volta_pipe.driver.cli_inspect import diff, inspect
from volta_pipe.driver.cli_options import (
    MEMORY,
    STEPS,
    ContractPath,
    ForceOption,
    JobsOption,
    JsonOption,
    MemoryOption,
    OnlyOption,
    SkipOption,
    StageOption,
    StepsOption,
    StoreOption,
    Text,
)
from volta_pipe.driver.cli_report import report
from volta_pipe.driver.cli_store import store_app
from volta_pipe.ir.errors import InputError

app = typer.Typer(
    name="volta-pipe",
    help="Proves GPU kernels (PTX) free of races, deadlocks and bad accesses, and equal to a reference over the reals.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(store_app, name="store")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"volta-pipe {version('volta-pipe')}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")] = False,
) -> None:
    """Options of the command line itself."""


@app.command()
def run(
    contract: ContractPath = "volta.toml",
    *,
    stage: StageOption = "",
    only: OnlyOption = "",
    skip: SkipOption = None,
    store: StoreOption = None,
    force: ForceOption = None,
    jobs: JobsOption = 0,
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the verdict, on one line.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: verify again whenever a file of the contract changes, until Ctrl-C.")
    ] = False,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Runs a contract through the stages and prints the verdict.

    The stages are lower (PTX to SSA), unroll (to straight-line programs), check (races, deadlocks, bad accesses), vc (an
    expression for each output element; trace, where the reference is a NumPy function), canon (normal forms) and decide.

    They make up four layers, and the first that fails ends the run: lower; dynamic (the kernel on concrete inputs against the
    NumPy function); safety (check); proof (vc to decide).

    --watch verifies again in one process whenever the contract, or a file that it names or a spec imports or reads, holds
    something else; with --json each verdict, or error, is one line. Ctrl-C ends it with the exit code of the last verdict, or
    130 while one is being worked on.

    Exit code 0: equivalent or safe; 1: not-equivalent or unsafe; 2: bad input; 3: unsupported or unknown."""
    from volta_pipe.driver.options import run_options

    options = run_options(stage, jobs, max_steps, max_memory, only, skip or [])
    if watch:
        from volta_pipe.driver.commands.watch import watch_command

        raise typer.Exit(watch_command(contract, store, options, force or [], json=json, quiet=quiet))
    from volta_pipe.driver.commands.run import run_command

    raise typer.Exit(run_command(contract, store, options, force or [], json=json, quiet=quiet))


@app.command()
def explain(
    contract: ContractPath = "volta.toml",
    *,
    redundant_barriers: Annotated[
        bool, typer.Option("--redundant-barriers", help="Take out each barrier, fence and wait in turn; say which do nothing.")
    ] = False,
    skip: SkipOption = None,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Shows all findings in full: threads, source lines, inputs.

    What is the same on several combinations of dims is shown once. Runs what the store does not have. Exit codes as of run."""
    from volta_pipe.driver.commands.explain import explain_command
    from volta_pipe.driver.layers import skipped
    from volta_pipe.driver.pipeline import Options

    options = Options(max_steps=max_steps, max_memory=max_memory, skip=skipped("", skip or []))
    raise typer.Exit(explain_command(contract, store, options, redundant=redundant_barriers))


app.command()(report)


@app.command()
def replay(
    contract: ContractPath = "volta.toml",
    *,
    seed: Annotated[int | None, typer.Option("--seed", min=0, metavar="N", help="Of the random inputs (default: 0).")] = None,
    tolerance: Annotated[
        float | None,
        typer.Option("--tolerance", min=0.0, metavar="T", help="Relative to the output's largest number (default: by dtype)."),
    ] = None,
    counterexample: Annotated[
        bool, typer.Option("--counterexample", help="On the inputs of the verdict's counterexample instead.")
    ] = False,
    skip: SkipOption = None,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Runs both sides on concrete inputs and compares the outputs.

    The inputs are random, and every operation rounds as PTX says. Exit code 0: all outputs are within tolerance; 1: one is
    not; 3: an instruction has no concrete meaning yet. A counterexample is that of the first layer which finds one: --skip
    dynamic leaves it to the proof."""
    from volta_pipe.driver.commands.replay import counterexample_command, replay_command
    from volta_pipe.driver.layers import skipped
    from volta_pipe.driver.pipeline import Options

    if counterexample:
        if seed is not None:
            raise InputError("--seed draws inputs, and --counterexample has its own: give one of them")
        options = Options(max_steps=max_steps, max_memory=max_memory, skip=skipped("", skip or []))
        raise typer.Exit(counterexample_command(contract, store, options, tolerance))
    if skip:
        raise InputError("--skip chooses the layers that look for a counterexample: it goes with --counterexample")
    options = Options("check", max_steps=max_steps, max_memory=max_memory)
    raise typer.Exit(replay_command(contract, store, options, seed or 0, tolerance))


app.command()(inspect)
app.command()(diff)


@app.command()
def init(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL.ptx")],
    entry: Annotated[
        Text, typer.Option("--entry", metavar="NAME", help="Which kernel of the file (default: the only one).")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to write the contract.")] = "volta.toml",
) -> None:
    """Writes a contract to fill in, from a kernel's signature.

    KERNEL.ptx is what nvcc -ptx -lineinfo (or another compiler) made. Each guess in the contract is marked with CHECK. A file
    that is there is never overwritten."""
    from volta_pipe.driver.commands.init import init_command

    raise typer.Exit(init_command(kernel, entry, output))


@app.command()
def doctor(
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile the tool's own loops now (once, some minutes) by running a small kernel.")
    ] = False,
) -> None:
    """Shows what is installed, and what of the tool is compiled.

    Exit code 1: a package is missing."""
    from volta_pipe.driver.commands.doctor import doctor_command

    raise typer.Exit(doctor_command(warm=warm))


@app.command()
def serve(
    idle: Annotated[
        float, typer.Option("--idle", min=0.01, metavar="MINUTES", help="End when no command has come for so long.")
    ] = 60.0,
) -> None:
    """Stays ready, so that other commands start at once.

    A command that finds it does its work in a process forked from it, which has all code loaded and is otherwise as it would
    be without. VOLTA_SERVER=off keeps a command from it. Ends on Ctrl-C, and when volta-pipe itself changes."""
    from volta_pipe.driver.serving.server import serve as serve_command

    raise typer.Exit(serve_command(60.0 * idle))

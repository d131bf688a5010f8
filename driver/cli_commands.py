"""The commands: what each takes, and its help. Each imports what it needs when it is called."""

from __future__ import annotations

from typing import Annotated

import typer

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
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Runs a contract through the stages and prints the verdict.

    The stages are lower (PTX to SSA), unroll (to straight-line programs), check (races, deadlocks, bad accesses), vc (an
    expression for each output element; trace, where the reference is a NumPy function), canon (normal forms) and decide.

    They make up four layers, and the first that fails ends the run: lower; dynamic (the kernel on concrete inputs against the
    NumPy function); safety (check); proof (vc to decide).

    Exit code 0: equivalent or safe; 1: not-equivalent or unsafe; 2: bad input; 3: unsupported or unknown."""
    from volta_pipe.driver.commands.run import run_command
    from volta_pipe.driver.layers import skipped
    from volta_pipe.driver.pipeline import Options

    left_out = skipped(only, skip or [])
    if stage and left_out:
        raise InputError("--stage chooses stages, --only and --skip choose layers: give one of them")
    options = Options(stage, jobs, max_steps, max_memory, left_out, only)
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


@app.command()
def inspect(
    what: Annotated[str, typer.Argument(metavar="STAGE-or-DIGEST")],
    *,
    contract: Annotated[
        Text, typer.Option("--contract", metavar="CONTRACT", help="The contract (default: volta.toml).")
    ] = None,
    side: Annotated[
        str, typer.Option("--side", metavar="SIDE", help="candidate (default) or reference; not for canon and decide.")
    ] = "",
    dims: Annotated[
        list[str] | None,
        typer.Option("--dims", metavar="NAME=VALUE", help="Which combination of dims (default: the first); once for each dim."),
    ] = None,
    thread: Annotated[
        int | None, typer.Option("--thread", min=0, metavar="N", help="unroll: the program of this thread of the CTA.")
    ] = None,
    cta: Annotated[
        int | None,
        typer.Option(
            "--cta", min=0, metavar="N", help="With --thread, --rows, --mlir: which of the CTAs run (--thread alone: 0)."
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
    json: Annotated[bool, typer.Option("--json", help="The facts that the store keeps of the stage, as JSON.")] = False,
    check: Annotated[bool, typer.Option("--check", help="decide: check its certificate with code of its own.")] = False,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Shows what a stage made of a kernel, or an artifact of the store.

    The stages are lower, unroll, check, vc, canon and decide, and trace of a NumPy reference; what the store does not have
    is run. A digest, or its first digits, stands at the end of each line of a run. Exit code of --check: 0 where all claims
    hold, 1 where one does not, 3 where one could not be checked."""
    from volta_pipe.driver.commands.inspect import Wanted, inspect_command
    from volta_pipe.driver.pipeline import Options

    wanted = Wanted(side, tuple(dims or ()), thread, cta, tuple(element or ()), mlir, raw, json, check, rows)
    options = Options(max_steps=max_steps, max_memory=max_memory)
    raise typer.Exit(inspect_command(what, contract, store, wanted, options))


@app.command()
def diff(
    left: Annotated[str, typer.Argument(metavar="A")],
    right: Annotated[str, typer.Argument(metavar="B")],
    store: StoreOption = None,
) -> None:
    """Shows what differs between two artifacts of one stage.

    A and B are digests, or their first digits, as a run shows them.

    Exit code 0: they are the same; 1: they differ."""
    from volta_pipe.driver.commands.diff import diff_command

    raise typer.Exit(diff_command(left, right, store))


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

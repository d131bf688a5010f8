"""The command line: `main` runs a command and turns every error into one line and an exit code, never a traceback."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated, NoReturn

import typer

from volta_pipe.ir.errors import VoltaError

app = typer.Typer(
    name="volta-pipe",
    help="Proves GPU kernels (PTX) free of races, deadlocks and bad accesses, and equal to a reference over the reals.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
store_app = typer.Typer(help="Looks after the artifact store.", no_args_is_help=True, rich_markup_mode=None)
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


BAD_INPUT = 2
INTERRUPTED = 130
Text = str | None
ContractPath = Annotated[str, typer.Argument(metavar="[CONTRACT]", help="The contract file.", show_default=True)]
StoreOption = Annotated[Text, typer.Option("--store", metavar="DIR", help="Store (default: $VOLTA_STORE or artifacts/).")]
StageOption = Annotated[str, typer.Option("--stage", metavar="STAGE", help="Stop after this stage.")]
ForceOption = Annotated[list[str] | None, typer.Option("--force", metavar="STAGE", help="Compute this stage again, or all.")]
JobsOption = Annotated[int, typer.Option("--jobs", min=0, help="Stages that run at the same time (0: up to 2).")]
StepsOption = Annotated[int, typer.Option("--max-steps", min=1, help="Budget of executed thread-instructions a kernel.")]
MemoryOption = Annotated[int, typer.Option("--max-memory", min=1, metavar="BYTES", help="Budget of memory.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Only the JSON document on standard output.")]
# The budgets' defaults (pipeline.MAX_STEPS, MAX_MEMORY), kept here so that `--help` needs no import.
STEPS, MEMORY = 200_000_000, 8 << 30


@app.command()
def run(
    contract: ContractPath = "volta.toml",
    *,
    stage: StageOption = "",
    store: StoreOption = None,
    force: ForceOption = None,
    jobs: JobsOption = 0,
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the verdict, on one line.")] = False,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Runs a contract through the stages and prints the verdict."""
    from volta_pipe.driver.commands.run import run_command
    from volta_pipe.driver.pipeline import Options

    options = Options(stage, jobs, max_steps, max_memory)
    raise typer.Exit(run_command(contract, store, options, force or [], json=json, quiet=quiet))


@app.command()
def explain(
    contract: ContractPath = "volta.toml",
    *,
    redundant_barriers: Annotated[
        bool, typer.Option("--redundant-barriers", help="Take out each barrier, fence and wait in turn; say which do nothing.")
    ] = False,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
) -> None:
    """Shows the findings in full: who, where in the source, or a counterexample and how to replay it."""
    from volta_pipe.driver.commands.explain import explain_command
    from volta_pipe.driver.pipeline import Options

    raise typer.Exit(explain_command(contract, store, Options(max_steps=max_steps), redundant=redundant_barriers))


@app.command()
def replay(
    contract: ContractPath = "volta.toml",
    *,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the random inputs.")] = 0,
    tolerance: Annotated[
        float | None, typer.Option("--tolerance", min=0.0, help="Relative to the largest number (default: by dtype).")
    ] = None,
    counterexample: Annotated[
        bool, typer.Option("--counterexample", help="On the inputs of the verdict's counterexample instead.")
    ] = False,
    store: StoreOption = None,
    max_steps: StepsOption = STEPS,
    max_memory: MemoryOption = MEMORY,
) -> None:
    """Runs both sides on concrete inputs and compares the outputs.

    The inputs are random, and every operation rounds as PTX says. Exit code 0: all outputs are within tolerance; 1: one is not;
    3: an instruction has no concrete meaning yet."""
    from volta_pipe.driver.commands.replay import counterexample_command, replay_command
    from volta_pipe.driver.pipeline import Options

    if counterexample:
        options = Options(max_steps=max_steps, max_memory=max_memory)
        raise typer.Exit(counterexample_command(contract, store, options, tolerance))
    options = Options("check", max_steps=max_steps, max_memory=max_memory)
    raise typer.Exit(replay_command(contract, store, options, seed, tolerance))


@app.command()
def inspect(
    what: Annotated[str, typer.Argument(metavar="STAGE-or-DIGEST", help="A stage of the contract, or an artifact's digest.")],
    *,
    contract: Annotated[str, typer.Option("--contract", help="The contract file.")] = "volta.toml",
    side: Annotated[str, typer.Option("--side", help="candidate or reference.")] = "candidate",
    dims: Annotated[
        list[str] | None, typer.Option("--dims", metavar="NAME=VALUE", help="Which combination (default: the first).")
    ] = None,
    thread: Annotated[int | None, typer.Option("--thread", min=0, help="unroll: this thread's program.")] = None,
    cta: Annotated[int, typer.Option("--cta", min=0, help="With --thread: which of the CTAs that were run.")] = 0,
    element: Annotated[Text, typer.Option("--element", metavar="y[3,5]", help="vc: this element's expression.")] = None,
    mlir: Annotated[bool, typer.Option("--mlir", help="lower: MLIR's generic form.")] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Shows an artifact."""
    from volta_pipe.driver.commands.inspect import Wanted, inspect_command

    wanted = Wanted(side, tuple(dims or ()), thread, cta, element, mlir, json)
    raise typer.Exit(inspect_command(what, contract, store, wanted))


@app.command()
def diff(left: str, right: str, store: StoreOption = None) -> None:
    """Shows what differs between two artifacts (digests) of one stage."""
    from volta_pipe.driver.commands.diff import diff_command

    raise typer.Exit(diff_command(left, right, store))


@app.command()
def init(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL.ptx")],
    entry: Annotated[Text, typer.Option("--entry", help="Which entry (default: the only one).")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Where to write the contract.")] = "volta.toml",
) -> None:
    """Writes a contract to fill in, from a kernel's signature."""
    from volta_pipe.driver.commands.init import init_command

    raise typer.Exit(init_command(kernel, entry, output))


@app.command()
def doctor(
    warm: Annotated[bool, typer.Option("--warm", help="Fill numba's cache by running a small kernel.")] = False,
) -> None:
    """Shows what is installed and what each front end needs."""
    from volta_pipe.driver.commands.doctor import doctor_command

    raise typer.Exit(doctor_command(warm=warm))


@store_app.command("ls")
def store_ls(store: StoreOption = None) -> None:
    """Lists the artifacts, last used first."""
    from volta_pipe.driver.commands.store import list_store

    raise typer.Exit(list_store(store))


@store_app.command("verify")
def store_verify(store: StoreOption = None) -> None:
    """Checks every byte of the store; exit 1 when something is damaged (a run computes it again)."""
    from volta_pipe.driver.commands.store import verify_store

    raise typer.Exit(verify_store(store))


@store_app.command("gc")
def store_gc(
    store: StoreOption = None,
    max_size: Annotated[Text, typer.Option("--max-size", help="Shrink to this size: bytes, or with K, M, G.")] = None,
) -> None:
    """Removes what is stray, damaged or unnamed and, with --max-size, what was used least recently."""
    from volta_pipe.driver.commands.store import collect_store

    raise typer.Exit(collect_store(store, max_size))


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits with its code."""
    # Imports and xDSL operations make hundreds of thousands of objects that stay; looking through them for cycles again and
    # again took a tenth of a run. The pipeline collects between combinations.
    gc.disable()
    code = _guarded(arguments)
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """Ends the process at once: taking the objects of numba and xDSL apart took a seventh of a run, for nothing."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # nobody reads any more
    except OSError as error:
        code = _say(f"standard output: {error.strerror}", BAD_INPUT)
    sys.stderr.flush()
    os._exit(code)


def _guarded(arguments: list[str] | None) -> int:
    try:
        result = app(arguments, standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
        return _say("interrupted", code) if code == INTERRUPTED else code  # typer turns an interrupt into this code
    except typer.Exit as error:
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except VoltaError as error:
        return _say(str(error), BAD_INPUT)
    except MemoryError:
        return _say("this machine's memory ran out; try smaller dims, or --max-memory", BAD_INPUT)
    except RecursionError:
        return _say("an input is nested too deeply", BAD_INPUT)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 nobody reads any more; no complaint at exit
        return 0
    except Exception as error:
        message = getattr(error, "format_message", None)  # a usage error of typer's parser, whose class moved between versions
        if type(error).__name__ == "NoArgsIsHelpError":  # a command without its subcommand: the help, line by line
            print(str(error), file=sys.stderr)
            return BAD_INPUT
        if message is not None:
            return _say(str(message()), BAD_INPUT)
        return _say(_internal(error), BAD_INPUT)


def _say(message: str, code: int) -> int:
    print("volta-pipe: error: " + " ".join(message.split()), file=sys.stderr)
    return code


def _internal(error: Exception) -> str:
    """A defect of ours: what, and the innermost line of our code."""
    frame, where = error.__traceback__, ""
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        where = f"{name}:{frame.tb_lineno}" if "volta_pipe" in name else where
        frame = frame.tb_next
    return f"internal error, please report it: {type(error).__name__}: {error} ({where})"

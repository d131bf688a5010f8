"""The command line: `main` runs a command and turns every error into one line and an exit code, never a traceback."""

from __future__ import annotations

import copy
import gc
import io
import os
import re
import sys

import typer
from typer.main import get_command_name

from volta_pipe.driver.cli_commands import app
from volta_pipe.driver.error_line import BAD_INPUT, INTERRUPTED, error_line, say


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits with its code."""
    if arguments is not None:
        sys.exit(_run(arguments))
    code = finished(None)
    # Taking the objects of numba and xDSL apart took a seventh of a run, for nothing.
    os._exit(code)


def finished(arguments: list[str] | None) -> int:
    """Runs the command line, sees to it that all output is out, and returns the exit code of the process, which can end."""
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # nobody reads any more
    except OSError as error:
        code = _say(f"standard output: {error.strerror}", BAD_INPUT)
    sys.stderr.flush()
    return code


def _run(arguments: list[str] | None) -> int:
    # Imports and xDSL operations make hundreds of thousands of objects that stay; looking through them for cycles again and
    # again took a tenth of a run. The pipeline collects between combinations.
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a locale may lack a character of ours, or of a name in the contract
            stream.reconfigure(errors="backslashreplace")
    return _guarded(arguments)


def _guarded(arguments: list[str] | None) -> int:
    try:
        result = _app(sys.argv[1:] if arguments is None else arguments)(
            arguments, standalone_mode=False, prog_name="volta-pipe"
        )
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
        return _say("interrupted", code) if code == INTERRUPTED else code  # typer turns an interrupt into this code
    except typer.Exit as error:
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 nobody reads any more; no complaint at exit
        return 0
    except Exception as error:
        message = getattr(error, "format_message", None)  # a usage error of typer's parser, whose class moved between versions
        if type(error).__name__ == "NoArgsIsHelpError":  # a command without its subcommand: the help, line by line
            print(str(error), file=sys.stderr)
            return BAD_INPUT
        if message is not None:  # typer and click may both ask whether another command was meant
            return _say(" ".join(dict.fromkeys(re.split(r"(?<=[.?]) ", str(message())))), BAD_INPUT)
        return _say(error_line(error), BAD_INPUT)


def _app(arguments: list[str]) -> typer.Typer:
    """The command line; where `arguments` begin with a command, with that one alone: typer makes the parsers of all it has,
    which takes as long as a verdict from the store."""
    chosen = [one for one in app.registered_commands if arguments and _name(one) == arguments[0]]
    if not chosen:
        return app
    found = copy.copy(app)
    found.registered_commands, found.registered_groups = chosen, []
    return found


def _name(command: typer.models.CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _say(message: str, code: int) -> int:
    say(message)
    return code

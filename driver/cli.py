"""The command line: `main` runs a command and turns every error into one line and an exit code, never a traceback."""

from __future__ import annotations

import copy
import functools
import gc
import os
import re
import sys
from typing import Any

import typer
from typer.main import get_command, get_command_name

from volta_pipe.driver.cli_commands import app
from volta_pipe.driver.error_line import BAD_INPUT, INTERRUPTED, error_line, say
from volta_pipe.driver.streams import OutputError, take_over


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits with its code."""
    if arguments is not None:
        sys.exit(_run(arguments))
    code = finished(None)
    # Taking the objects of numba and xDSL apart took a seventh of a run, for nothing.
    os._exit(code)


def finished(arguments: list[str] | None) -> int:
    """Runs the command line, sees to it that all output is out, and returns the exit code of the process, which can end."""
    take_over()
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except OutputError as error:
        code = _say(str(error), BAD_INPUT)
    sys.stderr.flush()
    return code


def _run(arguments: list[str] | None) -> int:
    # Imports and xDSL operations make hundreds of thousands of objects that stay; looking through them for cycles again and
    # again took a tenth of a run. The pipeline collects between combinations.
    gc.disable()
    return _guarded(arguments)


def _guarded(arguments: list[str] | None) -> int:
    try:
        given = sys.argv[1:] if arguments is None else arguments
        result = parser(given[0] if given else "")(arguments, standalone_mode=False, prog_name="volta-pipe")
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
        return _say("interrupted", code) if code == INTERRUPTED else code  # typer turns an interrupt into this code
    except typer.Exit as error:
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except OutputError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 what is left in the buffer is not tried again
        return _say(str(error), BAD_INPUT)
    except Exception as error:
        message = getattr(error, "format_message", None)  # a usage error of typer's parser, whose class moved between versions
        if type(error).__name__ == "NoArgsIsHelpError":  # a command without its subcommand: the help, line by line
            print(str(error), file=sys.stderr)
            return BAD_INPUT
        if message is not None:  # typer and click may both ask whether another command was meant
            return _say(" ".join(dict.fromkeys(re.split(r"(?<=[.?]) ", str(message())))), BAD_INPUT)
        return _say(error_line(error), BAD_INPUT)


@functools.cache
def parser(command: str) -> Any:
    """The command line of one command, or all of it where `command` is none: typer makes the parsers of all it has, which takes
    as long as a verdict from the store."""
    chosen = [one for one in app.registered_commands if _name(one) == command]
    if not chosen:
        return get_command(app)
    found = copy.copy(app)
    found.registered_commands, found.registered_groups = chosen, []
    return get_command(found)


def _name(command: typer.models.CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _say(message: str, code: int) -> int:
    say(message)
    return code

"""`volta-opt`: xdsl-opt with our dialects and passes. Bad input gives one line and exit code 2, what cannot be decided 3."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from volta_pipe.driver.mlir.universe import DIALECTS, FRONTENDS, PASSES, TARGETS
from volta_pipe.ir.errors import BudgetError, InputError, Place, UnsupportedError, VoltaError

_BAD_INPUT, _UNDECIDED = 2, 3
VERIFY = "--verify"


class _IRDLAction(argparse.Action):
    """Prints the definitions of a dialect, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *given: object) -> None:
        from volta_pipe.driver.mlir.definitions import irdl_text

        print(irdl_text(str(given[1])), end="")
        parser.exit()


class VoltaOptMain(xDSLOptMain):
    """The tool. Our things are registered by name, so that it works without being installed, too."""

    version_format = "volta-opt built from xdsl version {xdsl_version}"

    def __init__(self, args: Sequence[str] | None = None) -> None:
        super().__init__("Passes on the dialects ptx, scta and vc", args)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = "volta-opt"
        arg_parser.add_argument(
            VERIFY, nargs="+", metavar="FILE", help="Run a contract and print the MLIR module of its candidate with the verdict"
        )
        arg_parser.add_argument(
            "--irdl",
            choices=sorted(DIALECTS),
            action=_IRDLAction,
            help="Print a dialect's definitions for mlir-opt",
        )

    def register_all_dialects(self) -> None:
        super().register_all_dialects()  # type: ignore[no-untyped-call]
        for name, factory in DIALECTS.items():
            if name not in self.ctx.registered_dialect_names:
                self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        super().register_all_frontends()  # type: ignore[no-untyped-call]
        self.available_frontends.update(FRONTENDS)

    def register_all_passes(self) -> None:
        super().register_all_passes()  # type: ignore[no-untyped-call]
        self.available_passes.update(PASSES)

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        """Errors: those of reading; InputError where xDSL fails in another way on a damaged text."""
        try:
            return super().parse_chunk(chunk, file_extension, start_offset)
        except (VoltaError, ParseError, DiagnosticException, ValueError, OSError):
            raise
        except Exception as error:  # whatever xDSL makes of damaged text, the reader must be told one thing
            reason = _last_line(str(error)) if str(error).strip() else type(error).__name__
            raise InputError(f"cannot be read: {reason}", Place(self.get_input_name())) from None  # type: ignore[no-untyped-call]

    def register_all_targets(self) -> None:
        super().register_all_targets()  # type: ignore[no-untyped-call]
        self.available_targets.update(TARGETS)


def main(args: Sequence[str] | None = None) -> None:
    """Run the tool; exits with its code."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """The exit code: 0, 2 for bad input, 3 where a pass cannot decide."""
    try:
        given = list(sys.argv[1:] if args is None else args)
        if given[:1] == [VERIFY]:
            return _verify(given[1:])
        VoltaOptMain(args).run()  # type: ignore[no-untyped-call]
    except (UnsupportedError, BudgetError) as error:
        return _say(str(error), _UNDECIDED)
    except VoltaError as error:
        return _say(str(error), _BAD_INPUT)
    except ParseError as error:
        return _say(_place(error), _BAD_INPUT)
    except OSError as error:
        return _say(str(Place(str(error.filename)) if error.filename else "error") + f": {error.strerror or error}", _BAD_INPUT)
    except ArgSpecParseError as error:
        return _say(_column(error), _BAD_INPUT)
    except (DiagnosticException, ValueError, UnicodeDecodeError) as error:
        return _say(_last_line(str(error)), _BAD_INPUT)
    return 0


def _verify(given: list[str]) -> int:
    """`--verify CONTRACT [MODULE]`: the module with the verdict, and the verdict's exit code."""
    from volta_pipe.driver.mlir.verifying import verified_module

    if not 1 <= len(given) <= 2:
        return _say(f"{VERIFY} takes a contract, and perhaps the module to annotate", _BAD_INPUT)
    text, code = verified_module(given[0], given[1] if len(given) == 2 else None)
    print(text, end="")
    return code


def _say(message: str, code: int) -> int:
    print(f"volta-opt: {message}", file=sys.stderr)
    return code


def _place(error: ParseError) -> str:
    """The error with file, line and column."""
    span = error.span
    before = span.input.content[: span.start]
    line = before.count("\n") + 1 + span.line_offset
    return f"{span.input.name}:{line}:{span.start - before.rfind(chr(10))}: {error.msg}"


def _column(error: ArgSpecParseError) -> str:
    """The error in a name with arguments, as of -p, which xDSL shows with a mark below the column."""
    _, _, rest = str(error).partition("\n")
    where, _, shown = rest.partition("\n")
    text, column = shown.partition("\n")[0], where.rpartition(":")[2]
    quotes = "; a value with more than letters, digits, - and _ stands in double quotes"
    return f"{text}: column {column}: {_last_line(rest)}{quotes * ('{' in text)}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "error"

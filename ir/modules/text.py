"""MLIR modules as text: parsed as hostile data, with the line of what is wrong; printed in the custom and the generic form."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Dialect, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from volta_pipe.ir.errors import ArtifactError, InputError, Place

MOST_OPERATIONS = 200_000  # of a module that is made of an artifact: xDSL takes 0.2 ms and 2 KB for each


class _PlacingParser(Parser):
    """Remembers where each operation starts."""

    def __init__(self, context: Context, text: str, file: str) -> None:
        super().__init__(context, text, file)
        self.starts: dict[int, int] = {}

    def parse_operation(self) -> Operation:
        start = self.pos
        op = super().parse_operation()
        self.starts[id(op)] = start
        return op


def parse_with(dialects: Sequence[Dialect], text: str, file: str) -> ModuleOp:
    """Reads and verifies a module of these dialects. Errors: ArtifactError with file, line and column."""
    context = Context()
    for dialect in (Builtin, *dialects):
        context.load_dialect(dialect)
    parser = _PlacingParser(context, text, file)
    try:
        module = parser.parse_module()
    except ParseError as error:
        raise ArtifactError(_one_line(error.msg), _place(text, error.span.start, file)) from None
    except RecursionError:
        raise ArtifactError("the module is nested too deeply", Place(file)) from None
    except Exception as error:  # whatever xDSL makes of damaged text, the reader must be told one thing
        raise ArtifactError(_one_line(str(error) or type(error).__name__), _place(text, parser.pos, file)) from None
    for op in module.walk():
        try:
            op.verify(verify_nested_ops=False)
        except Exception as error:  # as above: operations of other dialects have verifiers, too
            raise damaged(op, _one_line(str(error)), _place(text, parser.starts.get(id(op), 0), file)) from None
    return module


def damaged(op: Operation, message: str, place: Place | None = None) -> ArtifactError:
    """The error of one operation; it is named where the message does not do so."""
    return ArtifactError(message if message.startswith(op.name) else f"{op.name}: {message}", place)


def _one_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[-1] if lines else "the text is damaged"


def _place(text: str, position: int, file: str) -> Place:
    before = text[:position]
    return Place(file, before.count("\n") + 1, position - before.rfind("\n"))


def print_custom(module: Operation) -> str:
    """The custom form; values are numbered in order, so equal modules give equal text."""
    return _printed(module, generic=False)


def print_generic(module: Operation) -> str:
    """The generic form, which other MLIR tools read."""
    return _printed(module, generic=True)


def _printed(module: Operation, *, generic: bool) -> str:
    stream = StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"


def check_count(count: int, what: str, hint: str) -> None:
    """Errors: InputError where so many operations would take too long and too much memory."""
    if count > MOST_OPERATIONS:
        raise InputError(f"{count:,} {what} are more than the {MOST_OPERATIONS:,} that become operations; {hint}")

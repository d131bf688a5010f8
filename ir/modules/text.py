"""MLIR modules as text: parsed as hostile data, with the line of what is wrong; printed in the custom and the generic form."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Dialect, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from volta_pipe.ir.errors import ArtifactError, InputError, Place

MOST_OPERATIONS = 200_000  # of a module that is made of an artifact: xDSL takes 0.2 ms and 2 KB for each


class _PlacingParser(Parser):
    """Gives each operation the place where it stands in the text as its location."""

    def __init__(self, context: Context, text: str, file: str) -> None:
        super().__init__(context, text, file)
        self.file = StringAttr(file)
        self.lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, which count from 1."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def parse_operation(self) -> Operation:
        offset = self.pos
        op = super().parse_operation()
        line, column = self.position(offset)
        op.location = FileLineColLoc(self.file, IntAttr(line), IntAttr(column))
        return op


def parse_with(dialects: Sequence[Dialect], text: str, file: str) -> ModuleOp:
    """Reads and verifies a module of these dialects. Errors: ArtifactError with file, line and column."""
    context = Context()
    for dialect in (Builtin, *dialects):
        context.load_dialect(dialect)
    parser = _PlacingParser(context, text, file)
    try:
        module = parser.parse_module()
    except RecursionError:
        raise ArtifactError("the module is nested too deeply", Place(file)) from None
    except Exception as error:  # whatever xDSL makes of damaged text, the reader must be told one thing
        offset, message = parser.pos, _one_line(str(error), type(error).__name__)
        if isinstance(error, ParseError):
            offset, message = error.span.start, _one_line(error.msg, "the text is damaged")
            if message.startswith("in "):  # all that xDSL says where a list of operations does not go on
                message = f"unexpected {error.span.text[:40]!r} {message}"
        raise ArtifactError(message, Place(file, *parser.position(offset))) from None
    verify(module)
    return module


def verify(module: Operation) -> None:
    """Verifies all operations. Errors: ArtifactError with the place of the first that is wrong, where it was read."""
    for op in module.walk():
        try:
            op.verify(verify_nested_ops=False)
        except Exception as error:  # as above: operations of other dialects have verifiers, too
            raise damaged(op, _one_line(str(error), type(error).__name__)) from None


def damaged(op: Operation, message: str) -> ArtifactError:
    """The error of one operation, with its place; it is named where the message does not do so."""
    place = Place()
    if isinstance(op.location, FileLineColLoc):
        place = Place(op.location.filename.data, op.location.line.data, op.location.column.data)
    return ArtifactError(message if message.startswith(op.name) else f"{op.name}: {message}", place)


def _one_line(message: str, otherwise: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[-1] if lines else otherwise


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

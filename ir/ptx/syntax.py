"""Parts of the text form that several operations share: lists of operands and their types, and jumps.

The operations have parsers and printers by hand: xDSL compiles formats when an operation is defined, with a module that takes a
twentieth of a run to load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volta_pipe.ir.ptx.types import TYPE_NAMES, value_width

_Op = TypeVar("_Op", bound=Operation)


def parse_types(parser: Parser) -> list[Attribute]:
    """`i32`, or `(i32, i1)`, or `()`: three times faster than the parser for any type."""
    if parser.parse_optional_punctuation("(") is None:
        return [_parse_type(parser)]
    if parser.parse_optional_punctuation(")"):
        return []
    found = [_parse_type(parser)]
    while parser.parse_optional_punctuation(","):
        found.append(_parse_type(parser))
    parser.parse_punctuation(")")
    return found


def _parse_type(parser: Parser) -> Attribute:
    word = parser.parse_identifier()
    found = TYPE_NAMES.get(word)
    if found is None:
        parser.raise_error(f"{word} is no type of a register")
    return found


def parse_operands(parser: Parser) -> list[UnresolvedOperand]:
    """A comma-separated list of operands, perhaps empty."""
    return (
        parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        or []
    )


def print_type(op: Operation, printer: Printer) -> None:
    """The types of an operation, as xDSL prints them, in one piece where all are registers': a call for each word of them took
    a third of the time of printing."""
    operands, results = [value_width(value) for value in op.operands], [value_width(value) for value in op.results]
    if printer.print_debuginfo or not all(operands) or not all(results):
        printer.print_operation_type(op)
        return
    read, made = (", ".join([f"i{width}" for width in widths]) for widths in (operands, results))
    printer.print_string(f"({read}) -> {made if len(results) == 1 else f'({made})'}")


def print_jump(printer: Printer, target: Block, values: Sequence[SSAValue]) -> None:
    """` ^bb1`, or ` ^bb1(%1, %2 : i32, i1)` with the values of the block's arguments."""
    printer.print_string(" ")
    printer.print_block_name(target)
    if values:
        printer.print_string("(")
        printer.print_list(values, printer.print_operand)
        printer.print_string(" : ")
        printer.print_list([value.type for value in values], printer.print_attribute)
        printer.print_string(")")


def parse_jump(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    """What `print_jump` prints."""
    target = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return target, ()
    operands = parse_operands(parser)
    parser.parse_punctuation(":")
    position = parser.pos
    types: list[Attribute] = [_parse_type(parser)]
    while parser.parse_optional_punctuation(","):
        types.append(_parse_type(parser))
    parser.parse_punctuation(")")
    return target, parser.resolve_operands(operands, types, position)


def with_attributes(parser: Parser, op: _Op) -> _Op:
    """An operation with the discardable attributes that follow."""
    op.attributes = parser.parse_optional_attr_dict()
    return op

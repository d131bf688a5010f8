"""What all instruction operations have behind their own operands, in text: the guard, the old values, and the types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import unpack
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volta_pipe.ir.ptx.syntax import parse_operands, parse_types, print_type

if TYPE_CHECKING:
    from volta_pipe.ir.ptx.instruction import InstructionOp


def segments(op: InstructionOp) -> tuple[list[SSAValue], list[SSAValue], list[SSAValue]]:
    """The inputs, the guard if there is one, and the old values: what `op.inputs`, `op.guard` and `op.old` give, each of which
    takes the sizes of all three apart."""
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    inputs, guards, _ = _sizes(sizes.data.data)
    operands = list(op.operands)
    return operands[:inputs], operands[inputs : inputs + guards], operands[inputs + guards :]


@lru_cache(maxsize=4096)
def _sizes(data: bytes) -> tuple[int, int, int]:
    first, second, third = unpack("<3i", data)
    return first, second, third


def print_guarded(op: InstructionOp, printer: Printer) -> None:
    """The guard, the old values, the types of an operation, and its discardable attributes."""
    _, guards, old = segments(op)
    if guards:
        printer.print_string(" if not " if op.negated is not None else " if ")
        printer.print_operand(guards[0])
        if old:
            printer.print_string(" else ")
            printer.print_list(old, printer.print_operand)
    if op.operands or op.results:
        printer.print_string(" : ")
        print_type(op, printer)
    printer.print_op_attributes(op.attributes)


def parse_guarded(
    parser: Parser, inputs: list[UnresolvedOperand], more: bool
) -> tuple[Sequence[SSAValue], Sequence[Attribute], SSAValue | None, bool, Sequence[SSAValue]]:
    """The rest of an operation behind its first operands (`more`: further ones follow): its inputs, the types of its results,
    the guard, whether that is negated, and the old values."""
    if more:
        inputs = inputs + parse_operands(parser)
    guards: list[UnresolvedOperand] = []
    old: list[UnresolvedOperand] = []
    negated = False
    if parser.parse_optional_keyword("if"):
        negated = parser.parse_optional_keyword("not") is not None
        guards.append(parser.parse_unresolved_operand())
        if parser.parse_optional_keyword("else"):
            old = parse_operands(parser)
    unresolved = [*inputs, *guards, *old]
    result_types: Sequence[Attribute] = ()
    values: list[SSAValue] = []
    if parser.parse_optional_punctuation(":"):
        position = parser.pos
        operand_types = parse_types(parser)
        parser.parse_punctuation("->")
        result_types = parse_types(parser)
        values = list(parser.resolve_operands(unresolved, operand_types, position))
    elif unresolved:
        parser.raise_error("expected the types of the operands")
    first, second = len(inputs), len(inputs) + len(guards)
    return values[:first], result_types, values[first] if guards else None, negated, values[second:]

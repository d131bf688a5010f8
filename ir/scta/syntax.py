"""The custom form of rows, a line each:

    %3 = scta.const register 7 at 1065353216 lanes "0..63"
    %4 = scta.read "ld.f32" at "x" + 256 by 4 lanes "0..63" code 30
    %5 = scta.op "fma.f32" %4, %3, %4 lanes "0..63" code 32 if %2 else %1
    scta.write "st.f32" %5 at "y" + 256 by 4 lanes "0..63" code 33

Of a grid of threads the pattern is `by 4 x 16, 256`: 16 lanes 4 apart, and such groups 256 apart; of other lanes it is a list,
`by [0, 8, 4]`. Left out is a base of 0 without a pattern; said only where it is not the usual are ` part 3`, ` decided`,
` ends_phase`, and ` -> 4` (results)."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volta_pipe.ir.modules.attributes import boolean, integer, integers, number_of
from volta_pipe.ir.scta import rows as ops
from volta_pipe.ir.scta.lanes import LANES, Tiles, lanes_of, tile_values, tiles_of
from volta_pipe.ir.scta.row_bases import CodeRowOp, MemoryRowOp, RowOp

_COUNTED = (ops.OpOp, ops.MatrixOp, ops.ReadOp, ops.AtomicOp)  # whose number of results is said where it is not 1
_ONE = (ops.ConstOp, ops.ShuffleOp)
_PARTED = (ops.ReadOp, ops.WriteOp)
_ENDING = (ops.SyncOp, ops.MbarrierOp)


def print_row(op: RowOp, printer: Printer) -> None:
    """The line behind the name of the operation."""
    say = printer.print_string
    if isinstance(op, CodeRowOp):
        say(" ")
        printer.print_string_literal(op.code_name.data)
        if op.inputs:
            say(" ")
            printer.print_list(op.inputs, printer.print_operand)
    elif isinstance(op, ops.ConstOp):
        say(f" register {number_of(op.register)}")
    _print_place(op, printer)
    say(" lanes ")
    printer.print_string_literal(op.lanes.data)
    if isinstance(op, CodeRowOp):
        say(f" code {number_of(op.code)}")
    if isinstance(op, ops.CopyOp):
        say(f" {op.side.data} of {number_of(op.bytes)}")
    if isinstance(op, _PARTED) and number_of(op.part):
        say(f" part {number_of(op.part)}")
    if isinstance(op, ops.AtomicOp) and op.decided:
        say(" decided")
    if isinstance(op, _ENDING) and op.ends_phase:
        say(" ends_phase")
    if isinstance(op, CodeRowOp) and op.guard_value is not None:
        say(f" {op.guard.data} ")
        printer.print_operand(op.guard_value)
    if op.old:
        say(" else ")
        printer.print_list(op.old, printer.print_operand)
    if isinstance(op, _COUNTED) and len(op.results) != 1:
        say(f" -> {len(op.results)}")
    known = type(op).get_irdl_definition().attributes
    printer.print_op_attributes({key: value for key, value in op.attributes.items() if key not in known})


def _print_place(op: RowOp, printer: Printer) -> None:
    """The base, or the region and the offset in it, and the pattern."""
    base, pattern = number_of(op.attributes[op.BASE]), op.pattern_numbers
    if isinstance(op, MemoryRowOp):
        printer.print_string(" at ")
        if op.region.data:
            printer.print_string_literal(op.region.data)
            printer.print_string(" + ")
        printer.print_string(str(base))
    elif base or pattern or isinstance(op, ops.ConstOp):
        printer.print_string(f" at {base}")
    if len(pattern) == 1:
        printer.print_string(f" by {pattern[0]}")
    elif pattern:
        tiles = [f"{stride} x {count}" if count else str(stride) for stride, count in tiles_of(pattern)]
        printer.print_string(f" by {', '.join(tiles)}" if tiles else f" by [{', '.join(map(str, pattern))}]")


def parse_row(kind: type[Any], parser: Parser) -> RowOp:
    """Reads the line; errors of the parser have its place."""
    attributes: dict[str, Attribute] = {}
    operands: list[UnresolvedOperand] = []
    if issubclass(kind, CodeRowOp):
        attributes["name"] = StringAttr(parser.parse_str_literal())
        operands += _operands(parser)
    else:
        parser.parse_keyword("register")
        attributes["register"] = _integer(parser)
    tiles = _parse_place(kind, parser, attributes)
    parser.parse_keyword("lanes")
    lanes = parser.parse_str_literal()
    attributes["lanes"] = StringAttr(lanes)
    if tiles:
        attributes["pattern"] = integers(tile_values(tiles, len(lanes_of(lanes))))
    if issubclass(kind, CodeRowOp):
        parser.parse_keyword("code")
        attributes["code"] = _integer(parser)
        attributes["guard"] = StringAttr("none")
    if issubclass(kind, ops.CopyOp):
        side = parser.expect(lambda: _word(parser, "source", "target"), "expected 'source' or 'target'")
        attributes["side"] = StringAttr(side)
        parser.parse_keyword("of")
        attributes["bytes"] = _integer(parser)
    if issubclass(kind, _PARTED):
        attributes["part"] = _integer(parser) if parser.parse_optional_keyword("part") else integer(0)
    if issubclass(kind, ops.AtomicOp):
        attributes["decided"] = boolean(parser.parse_optional_keyword("decided") is not None)
    if issubclass(kind, _ENDING):
        attributes["ends_phase"] = boolean(parser.parse_optional_keyword("ends_phase") is not None)
    guard = _word(parser, "if", "unless") if issubclass(kind, CodeRowOp) else None
    if guard:
        attributes["guard"] = StringAttr(guard)
        operands.append(parser.parse_unresolved_operand())
    keeps = parser.parse_optional_keyword("else") is not None
    attributes["keeps"] = boolean(keeps)
    operands += _operands(parser) if keeps else []
    results = int(issubclass(kind, (*_ONE, *_COUNTED)))
    if issubclass(kind, _COUNTED) and parser.parse_optional_punctuation("->"):
        results = parser.parse_integer(allow_boolean=False, allow_negative=False)
        if results > 64:
            parser.raise_error("a row has at most 64 results")
    attributes |= parser.parse_optional_attr_dict()
    values = [parser.resolve_operand(operand, LANES) for operand in operands]
    made: RowOp = kind.make(values, results, attributes)
    return made


def _parse_place(kind: type[RowOp], parser: Parser, attributes: dict[str, Attribute]) -> Tiles:
    """Reads the base and the pattern. A pattern of tiles is given back: how long it is, the lanes say."""
    base = 0
    found = parser.parse_optional_keyword("at") is not None
    if issubclass(kind, MemoryRowOp):
        if not found:
            parser.raise_error("expected 'at' and an address")
        region = parser.parse_optional_str_literal()
        attributes["region"] = StringAttr(region or "")
        if region is not None:
            parser.parse_punctuation("+")
    if found:
        base = parser.parse_integer(allow_boolean=False)
    attributes[kind.BASE] = integer(base)
    attributes["pattern"] = integers(())
    if parser.parse_optional_keyword("by") is None:
        return ()
    listed = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
    )
    if listed is not None:
        attributes["pattern"] = integers(tuple(listed))
        return ()
    tiles = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: _tile(parser))
    if len(tiles) > 1:
        return tuple(tiles)
    attributes["pattern"] = integers((tiles[0][0],))
    return ()


def _tile(parser: Parser) -> tuple[int, int]:
    """`4 x 16` or `4`."""
    stride = parser.parse_integer(allow_boolean=False)
    return stride, parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword("x") else 0


def _integer(parser: Parser) -> Attribute:
    return integer(parser.parse_integer(allow_boolean=False))


def _word(parser: Parser, *words: str) -> str | None:
    """Which of the words stands here, if any does."""
    return next((word for word in words if parser.parse_optional_keyword(word)), None)


def _operands(parser: Parser) -> list[UnresolvedOperand]:
    """A comma-separated list of operands, perhaps empty."""
    return (
        parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        or []
    )

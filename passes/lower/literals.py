"""Literals: float and integer text to values, values to the bits an operand of some type and width holds."""

from __future__ import annotations

import re
import struct

from volta_pipe.passes.lower.constants import NotConstantError, evaluate
from volta_pipe.passes.lower.lexer import Lexer, parse_integer
from volta_pipe.passes.lower.tree import Imm

_PLAIN = re.compile(r"[-~]?\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?", re.ASCII)


def literal(text: str, lexer: Lexer, offset: int) -> Imm:
    """A number as written, perhaps with a sign, or a constant expression; raises InputError at `offset`."""
    if not _PLAIN.fullmatch(text):
        try:
            return Imm("int", evaluate(text))
        except NotConstantError as error:
            raise lexer.error(f"{text} is no constant expression of integers", offset) from error
    negative, inverted = text[0] == "-", text[0] == "~"
    digits = text[1:] if negative or inverted else text
    prefix = digits[:2].lower()
    if prefix in ("0f", "0d") or (prefix != "0x" and any(mark in digits for mark in ".eE")):
        return float_literal(digits, negative)
    value = parse_integer(digits, lexer, offset)
    return Imm("int", -value if negative else ~value if inverted else value)


def float_literal(text: str, negative: bool = False) -> Imm:
    """`0f3F800000`, `0d3FF0000000000000` or `1.5`; the sign is applied to the bits."""
    prefix = text[:2].lower()
    if prefix == "0f":
        return Imm("f32", int(text[2:], 16) ^ (negative << 31))
    if prefix == "0d":
        return Imm("f64", int(text[2:], 16) ^ (negative << 63))
    value = float(text)
    return Imm("decimal", double_bits(-value if negative else value))


def double_bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def _double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def _narrow(bits: int) -> int:
    """Bits of the float nearest to a double."""
    value = _double(bits)
    try:
        return int(struct.unpack("<I", struct.pack("<f", value))[0])
    except OverflowError:  # rounds to infinity
        return 0xFF800000 if value < 0 else 0x7F800000


def _widen(bits: int) -> int:
    return double_bits(float(struct.unpack("<f", struct.pack("<I", bits))[0]))


def literal_bits(literal: Imm, width: int, kind: str) -> int | str:
    """The bits of a literal in an operand of `width` bits and type `kind` ("" where the operand has none of the
    instruction's types), or the reason why it cannot stand there."""
    if literal.kind == "int":
        if kind.startswith("f"):
            return "an integer literal in a floating-point operand"
        return int(literal.value != 0) if width == 1 else literal.value % (1 << width)
    if kind[:1] in ("s", "u", "p", "") or width not in (32, 64):
        return "a floating-point literal in an integer operand"
    single = literal.kind == "f32"
    if kind.startswith("b") and single != (width == 32):
        return "a floating-point literal of another width"
    if width == 32:
        return literal.value if single else _narrow(literal.value)
    return _widen(literal.value) if single else literal.value

"""Parsing the operands of an instruction."""

from __future__ import annotations

from volta_pipe.passes.lower.lexer import FLOAT, INTEGER, WORD, Lexer, parse_integer
from volta_pipe.passes.lower.literals import float_literal
from volta_pipe.passes.lower.names import Names, is_special
from volta_pipe.passes.lower.tree import Imm, Mem, Operand, Pair, Reg, Register, Sink, Special, Sym, Variable, Vec

# No PTX operand nests deeper ([%rd, {%r1, %r2}] has two levels); a bound keeps garbage from deep recursion.
_MAX_DEPTH = 4


def parse_operands(lexer: Lexer, names: Names) -> tuple[Operand, ...]:
    """The operands up to the semicolon, which is taken too."""
    if lexer.take(";"):
        return ()
    operands = [parse_operand(lexer, names)]
    while lexer.take(","):
        operands.append(parse_operand(lexer, names))
    lexer.expect(";")
    return tuple(operands)


def parse_operand(lexer: Lexer, names: Names, depth: int = 0) -> Operand:
    """One operand of any kind."""
    if lexer.kind == WORD:
        operand = _parse_word(lexer, names)
        if lexer.take("|"):
            return Pair(operand, _parse_word(lexer, names))
        return operand
    if lexer.kind in (INTEGER, FLOAT) or lexer.is_punct("-"):
        return parse_literal(lexer)
    if depth >= _MAX_DEPTH:
        raise lexer.error("operands nest too deep")
    if lexer.take("["):
        return _parse_memory(lexer, names, depth)
    if lexer.take("{"):
        return Vec(_parse_items(lexer, names, "}", depth))
    if lexer.take("("):
        return Vec(_parse_items(lexer, names, ")", depth))
    if lexer.take("!"):
        operand = _parse_word(lexer, names)
        if not isinstance(operand, Reg):
            raise lexer.error("'!' stands before a predicate register only")
        return Reg(operand.register, negated=not operand.negated)
    raise lexer.expected("an operand")


def parse_literal(lexer: Lexer) -> Imm:
    """A number, perhaps with a minus sign."""
    negative = lexer.take("-")
    text = lexer.text
    if lexer.kind == FLOAT:
        lexer.advance()
        return float_literal(text, negative)
    if lexer.kind == INTEGER:
        value = parse_integer(text, lexer)
        lexer.advance()
        return Imm("int", -value if negative else value)
    raise lexer.expected("a number")


def _parse_items(lexer: Lexer, names: Names, close: str, depth: int) -> tuple[Operand, ...]:
    items: list[Operand] = []
    if lexer.take(close):
        return ()
    while True:
        items.append(parse_operand(lexer, names, depth + 1))
        if not lexer.take(","):
            lexer.expect(close)
            return tuple(items)


def _parse_word(lexer: Lexer, names: Names) -> Operand:
    name, offset = lexer.text, lexer.offset
    lexer.expect_kind(WORD, "a name")
    if name == "_":
        return Sink()
    found = names.find(name)
    if isinstance(found, Register):
        return Reg(found)
    if found is None:
        if name == "WARP_SZ":
            return Imm("int", 32)
        if is_special(name):
            return Special(name[1:])
        if name.startswith("%"):
            raise lexer.error(f"register {name} is not declared", offset)
    return Sym(name, _parse_displacement(lexer), found if isinstance(found, Variable) else None)


def _parse_displacement(lexer: Lexer) -> int:
    """`+4`, `+-4`, `-4` or nothing."""
    if lexer.take("+"):
        sign = -1 if lexer.take("-") else 1
    elif lexer.take("-"):
        sign = -1
    else:
        return 0
    return sign * lexer.expect_integer("an offset")


def _parse_memory(lexer: Lexer, names: Names, depth: int) -> Mem:
    """Behind `[`: a base, an offset, and for some instructions more operands."""
    base = parse_operand(lexer, names, depth + 1)
    offset = _parse_displacement(lexer)
    if isinstance(base, Sym):
        base, offset = Sym(base.name, 0, base.variable), base.offset + offset
    if not -(1 << 63) <= offset < 1 << 63:
        raise lexer.error("the offset does not fit into 64 bits")
    rest: list[Operand] = []
    while lexer.take(","):
        rest.append(parse_operand(lexer, names, depth + 1))
    lexer.expect("]")
    return Mem(base, offset, tuple(rest))

"""Parsing declarations: registers, variables with their initialisers, and the parameters of an entry."""

from __future__ import annotations

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx.structure import Param
from volta_pipe.passes.lower.lexer import DIRECTIVE, WORD, Lexer
from volta_pipe.passes.lower.literals import literal_bits
from volta_pipe.passes.lower.names import Names
from volta_pipe.passes.lower.operands import parse_literal
from volta_pipe.passes.lower.tree import Variable

_OPAQUE = frozenset({"texref", "samplerref", "surfref"})
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
# A variable larger than the memory of any GPU is a mistake, or garbage.
_MAX_SIZE = 1 << 40
# Kernel parameters: 32,764 bytes since PTX 8.1 (PTX ISA 5.1.6.1).
_MAX_PARAMETERS = 32764
_SPACES = frozenset({"global", "const", "shared", "local", "param", "shared::cta", "shared::cluster"})


def parse_registers(lexer: Lexer, names: Names) -> None:
    """Behind `.reg`: a type, then `%r<5>` or names, up to the semicolon."""
    offset = lexer.offset
    kind = lexer.expect_kind(DIRECTIVE, "a register type")[1:]
    if kind in _VECTORS:
        raise UnsupportedError("vector registers are not supported", lexer.place(offset))
    width = 32 if kind in ("f16x2", "bf16x2") else 16 if kind == "bf16" else WIDTH.get(kind, 0)
    if not width or kind == "b1":
        raise lexer.error(f"unknown register type .{kind}", offset)
    while True:
        where = lexer.offset
        name = lexer.expect_kind(WORD, "the name of a register")
        if names.is_declared_here(name):
            raise lexer.error(f"{name} is declared twice", where)
        if lexer.take("<"):
            names.declare_range(name, lexer.expect_integer("the number of registers"), width)
            lexer.expect(">")
        else:
            names.declare_register(name, width)
        if not lexer.take(","):
            lexer.expect(";")
            return


def parse_variables(lexer: Lexer, space: str, extern: bool, order: int) -> list[Variable]:
    """Behind the state space: attributes, a type, and names with sizes and initialisers, up to the semicolon."""
    align, vector, kind = 0, 1, ""
    while lexer.kind == DIRECTIVE:
        word, offset = lexer.text[1:], lexer.offset
        lexer.advance()
        if word == "align":
            align = _parse_align(lexer)
        elif word == "attribute":
            _skip_parentheses(lexer)
        elif word in _VECTORS:
            vector = _VECTORS[word]
        elif (word in WIDTH and word not in ("pred", "b1")) or word in _OPAQUE:
            kind = word
        else:
            raise lexer.error(f"unknown type or attribute .{word} of a variable", offset)
    if not kind:
        raise lexer.expected("the type of the variable")
    reason = "a texture, sampler or surface" if kind in _OPAQUE else ""
    unit = 8 if reason else WIDTH[kind] // 8
    found: list[Variable] = []
    while True:
        where = lexer.offset
        name = lexer.expect_kind(WORD, "the name of a variable")
        count, open_ended, is_array = parse_dimensions(lexer)
        size, init, why = count * unit * vector, None, reason
        if lexer.take("="):
            init, why = _parse_initialiser(lexer, kind if not reason else "b64", is_array or vector > 1)
            if open_ended:
                size = len(init)
            if len(init) > size:
                raise lexer.error(f"the initialiser of {name} is longer than the variable", where)
            init = init.ljust(size, b"\0")
        elif open_ended and not (extern and space == "shared"):
            why = why or "a variable of unknown size"
        elif extern and space != "shared":
            why = why or "a variable of another module"
        if size > _MAX_SIZE:
            raise lexer.error(f"{name} is larger than any memory", where)
        found.append(Variable(name, space, align or unit * vector, size, extern, init, why, order + len(found)))
        if not lexer.take(","):
            lexer.expect(";")
            return found


def parse_params(lexer: Lexer) -> tuple[Param, ...]:
    """The parenthesised parameters of an entry, or nothing."""
    params: list[Param] = []
    end = 0
    if not lexer.take("(") or lexer.take(")"):
        return ()
    while True:
        if lexer.text != ".param" or lexer.kind != DIRECTIVE:
            raise lexer.expected("'.param'")
        lexer.advance()
        param = _parse_param(lexer, end)
        if any(param.name == other.name for other in params):
            raise lexer.error(f"parameter {param.name} is declared twice")
        params.append(param)
        end = param.offset + param.size
        if end > _MAX_PARAMETERS:
            raise lexer.error(f"more than {_MAX_PARAMETERS} bytes of parameters")
        if not lexer.take(","):
            lexer.expect(")")
            return tuple(params)


def _parse_param(lexer: Lexer, end: int) -> Param:
    kind, align, vector, pointer = "", 0, 1, False
    while lexer.kind == DIRECTIVE:
        word, offset = lexer.text[1:], lexer.offset
        lexer.advance()
        if word == "align":
            value = _parse_align(lexer)
            # Behind `.ptr` it is the alignment of what the parameter points to.
            align = align if pointer else value
        elif word == "ptr":
            pointer = True
        elif word in _VECTORS:
            vector = _VECTORS[word]
        elif word in WIDTH and word not in ("pred", "b1"):
            kind = word
        elif word in _OPAQUE:
            kind = "b64"  # an opaque handle
        elif not (pointer and word in _SPACES):
            raise lexer.error(f"unknown type or attribute .{word} of a parameter", offset)
    if not kind:
        raise lexer.expected("the type of the parameter")
    name = lexer.expect_kind(WORD, "the name of the parameter")
    count, _, _ = parse_dimensions(lexer)
    unit = WIDTH[kind] // 8 * vector
    align = align or unit
    return Param(name, kind, unit * count, align, -(-end // align) * align)


def parse_dimensions(lexer: Lexer) -> tuple[int, bool, bool]:
    """`[4][8]`: the number of elements, whether a dimension is left open, and whether there was any."""
    count, is_open, is_array = 1, False, False
    while lexer.take("["):
        is_array = True
        if lexer.take("]"):
            count, is_open = 0, True
            continue
        count *= lexer.expect_integer("the size of the array")
        lexer.expect("]")
        if count > _MAX_SIZE:
            raise lexer.error("the array is larger than any memory")
    return count, is_open, is_array


def _parse_align(lexer: Lexer) -> int:
    offset = lexer.offset
    align = lexer.expect_integer("an alignment")
    if align < 1 or align & (align - 1) or align > 1 << 20:
        raise lexer.error("the alignment must be a power of two", offset)
    return align


def _skip_parentheses(lexer: Lexer) -> None:
    depth = 0
    while True:
        if lexer.kind not in (DIRECTIVE, WORD, "punct", "integer"):
            raise lexer.expected("')'")
        depth += lexer.is_punct("(") - lexer.is_punct(")")
        lexer.advance()
        if depth <= 0:
            return


def _parse_initialiser(lexer: Lexer, kind: str, is_array: bool) -> tuple[bytes, str]:
    """The bytes of a value or of a braced list, and why they cannot be used ("" when they can)."""
    data = bytearray()
    if not is_array:
        reason = _parse_element(lexer, kind, data)
        return bytes(data), reason
    if kind[0] in "bsu":
        # Tables have up to millions of elements: plain decimal ones are read thirty times faster than by tokens.
        for number in lexer.take_decimals():
            data.extend((number % (1 << WIDTH[kind])).to_bytes(WIDTH[kind] // 8, "little"))
        if data:
            return bytes(data), ""
    lexer.expect("{")
    depth, rows, reason = 1, 0, ""
    while depth:
        if lexer.take("{"):
            depth, rows = depth + 1, rows + 1
            continue
        if not lexer.is_punct("}"):
            reason = _parse_element(lexer, kind, data) or reason
        while depth and lexer.take("}"):
            depth -= 1
        if depth:
            lexer.expect(",")
    # Rows shorter than their dimension would have to be padded one by one.
    return bytes(data), reason or ("a variable with a nested initialiser" if rows else "")


def _parse_element(lexer: Lexer, kind: str, data: bytearray) -> str:
    """Append the bytes of one element; returns why they are not known, or ""."""
    width = WIDTH[kind]
    if lexer.kind == WORD:  # an address: sym, sym+4, generic(sym), or a mask of one
        lexer.advance()
        if lexer.is_punct("("):
            _skip_parentheses(lexer)
        if lexer.take("+"):
            lexer.expect_integer()
        data.extend(bytes(width // 8))
        return "a variable that holds an address"
    offset = lexer.offset
    literal = parse_literal(lexer)
    if lexer.is_punct("("):
        _skip_parentheses(lexer)
        data.extend(bytes(width // 8))
        return "a variable that holds an address"
    bits = literal_bits(literal, width, kind)
    if isinstance(bits, str):
        raise lexer.error(bits, offset)
    data.extend(bits.to_bytes(width // 8, "little"))
    return ""

"""What declarations mean: widths of registers, sizes and initial bytes of variables, and the layout of parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from volta_pipe.ir.address_space import FUNCTION_REGION, REGION_SHIFT
from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.lexer import Lexer, parse_integer
from volta_pipe.passes.lower.literals import literal, literal_bits
from volta_pipe.passes.lower.syntax import Declaration, Function, Item
from volta_pipe.passes.lower.terms import parse_constant
from volta_pipe.passes.lower.tree import Variable

_OPAQUE = frozenset({".texref", ".samplerref", ".surfref"})
VECTORS = {".v2": 2, ".v4": 4, ".v8": 8}
# A variable larger than the memory of any GPU is a mistake, or garbage.
_MAX_SIZE = 1 << 40
# Kernel parameters: 32,764 bytes since PTX 8.1 (PTX ISA 5.1.6.1).
_MAX_PARAMETERS = 32764
_SPACES = frozenset({".global", ".const", ".shared", ".local", ".param", ".shared::cta", ".shared::cluster"})
_WORD = re.compile(r"(?<![\w$.])[A-Za-z_$%][\w$]*", re.ASCII)
# Packed types have no entry in the table of widths unless an instruction uses them.
_PACKED = {"f16x2": 32, "bf16x2": 32, "bf16": 16, "f16": 16}
_NONE: Mapping[str, Function] = {}
# Functions lie this far apart.
_FUNCTION_SIZE = 16


def function_address(functions: Mapping[str, Function], name: str) -> int:
    """Where a function lies, in an order of our own: nothing but calls may depend on it."""
    return (FUNCTION_REGION << REGION_SHIFT) + _FUNCTION_SIZE * (1 + list(functions).index(name))


def register_shape(declaration: Declaration, lexer: Lexer) -> tuple[int, int]:
    """Width in bits and number of components of the registers that are declared; 128 bits are two registers of 64."""
    count, width = 1, 0
    for word in declaration.words:
        if word in VECTORS:
            count = VECTORS[word]
        else:
            width = WIDTH.get(word[1:], _PACKED.get(word[1:], 0))
            if not width or word == ".b1":
                raise lexer.error(f"unknown register type {word}", _place(lexer, declaration, word))
    if not width:
        raise lexer.error("the type of the register is missing", declaration.offset)
    return (64, 2 * count) if width == 128 else (width, count)


def make_variables(
    declaration: Declaration, lexer: Lexer, order: int, functions: Mapping[str, Function] = _NONE
) -> list[Variable]:
    """The variables of a declaration; `order` numbers them. `functions`: those that are known, whose addresses may be held."""
    align, vector, kind, _ = _attributes(declaration, lexer)
    space = declaration.space[1:]
    reason = "a texture, sampler or surface" if kind in _OPAQUE or space == "tex" else ""
    unit = _unit(kind) * vector
    extern = ".extern" in declaration.linking
    found: list[Variable] = []
    for item in declaration.items:
        if item.count >= 0:
            raise lexer.error("only registers are declared by number", item.offset)
        size, open_ended = _dimensions(item, unit, lexer)
        init, why = None, reason
        if item.initialiser is not None:
            reader = Lexer(lexer.source, lexer.file, item.start)
            is_array = bool(item.dimensions) or vector > 1
            init, why = _parse_initialiser(reader, kind[1:] if not reason else "b64", is_array, functions)
            if open_ended:
                size = len(init)
            if len(init) > size:
                raise lexer.error(f"the initialiser of {item.name} is longer than the variable", item.offset)
            init = init.ljust(size, b"\0")
        elif open_ended and not (extern and space == "shared"):
            why = why or "a variable of unknown size"
        elif extern and space != "shared":
            why = why or "a variable of another module"
        parameter = space == "param"
        found.append(
            Variable(
                item.name,
                "local" if parameter else space,
                align or unit,
                size,
                extern,
                init,
                why,
                order + len(found),
                parameter,
                kind[1:],
            )
        )
    return found


def make_params(declarations: tuple[Declaration, ...], lexer: Lexer) -> tuple[Param, ...]:
    """The parameters of an entry, laid out in its parameter buffer."""
    params: list[Param] = []
    end = 0
    for declaration in declarations:
        align, vector, kind, _ = _attributes(declaration, lexer)
        item = declaration.items[0]
        if any(item.name == other.name for other in params):
            raise lexer.error(f"parameter {item.name} is declared twice", item.offset)
        unit = _unit(kind) * vector
        size, _ = _dimensions(item, unit, lexer)
        align = align or unit
        param = Param(item.name, "b64" if kind in _OPAQUE else kind[1:], size, align, -(-end // align) * align)
        params.append(param)
        end = param.offset + param.size
        if end > _MAX_PARAMETERS:
            raise lexer.error(f"more than {_MAX_PARAMETERS} bytes of parameters", item.offset)
    return tuple(params)


def _unit(kind: str) -> int:
    return 8 if kind in _OPAQUE else (WIDTH.get(kind[1:]) or _PACKED[kind[1:]]) // 8


def _attributes(declaration: Declaration, lexer: Lexer) -> tuple[int, int, str, bool]:
    """Alignment (0: none given), components, type, and whether the parameter is a pointer."""
    align, vector, kind, pointer = 0, 1, "", False
    words = iter(declaration.words)
    is_parameter = declaration.space == ".param"
    for word in words:
        if word == ".align":
            value = _align(next(words, ""), declaration, lexer)
            # Behind `.ptr` it is the alignment of what the parameter points to.
            align = align if pointer else value
        elif word == ".attribute":
            depth = 0
            for inner in words:
                depth += (inner == "(") - (inner == ")")
                if not depth:
                    break
        elif word == ".ptr" and is_parameter:
            pointer = True
        elif word in VECTORS:
            vector = VECTORS[word]
        elif (word[1:] in WIDTH and word not in (".pred", ".b1")) or word in _OPAQUE or word[1:] in _PACKED:
            kind = word
        elif not (pointer and word in _SPACES):
            what = "a parameter" if is_parameter else "a variable"
            raise lexer.error(f"unknown type or attribute {word} of {what}", _place(lexer, declaration, word))
    if not kind:
        raise lexer.error("the type is missing", declaration.offset)
    return align, vector, kind, pointer


def _align(text: str, declaration: Declaration, lexer: Lexer) -> int:
    align = parse_integer(text, lexer) if text[:1].isdigit() else 0
    if align < 1 or align & (align - 1) or align > 1 << 20:
        raise lexer.error("the alignment must be a power of two", _place(lexer, declaration, ".align", text))
    return align


def _place(lexer: Lexer, declaration: Declaration, *words: str) -> int:
    """Where a declaration says those words one after the other."""
    offset = declaration.offset
    for word in words:
        offset = max(lexer.source.find(word, offset), offset)
    return offset


def _dimensions(item: Item, unit: int, lexer: Lexer) -> tuple[int, bool]:
    """Size in bytes, and whether a dimension is left open (the size is then 0)."""
    size, is_open = unit, False
    for text in item.dimensions:
        is_open = is_open or not text
        size *= parse_integer(text, lexer) if text else 0
    if size > _MAX_SIZE:
        raise lexer.error(f"{item.name} is larger than any memory", item.offset)
    return size, is_open


def _parse_initialiser(lexer: Lexer, kind: str, is_array: bool, functions: Mapping[str, Function]) -> tuple[bytes, str]:
    """The bytes of a value or of a braced list, and why they cannot be used ("" when they can)."""
    data = bytearray()
    if not is_array:
        reason = _parse_element(lexer, kind, data, functions)
        return bytes(data), reason
    if kind[0] in "bsu":
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
            reason = _parse_element(lexer, kind, data, functions) or reason
        while depth and lexer.take("}"):
            depth -= 1
        if depth:
            lexer.expect(",")
    # Rows shorter than their dimension would have to be padded one by one.
    return bytes(data), reason or ("a variable with a nested initialiser" if rows else "")


def _parse_element(lexer: Lexer, kind: str, data: bytearray, functions: Mapping[str, Function]) -> str:
    """Append the bytes of one element; returns why they are not known, or ""."""
    width = WIDTH.get(kind) or _PACKED[kind]
    offset = lexer.offset
    text = parse_constant(lexer)
    if text in functions and width == 64:
        data.extend(function_address(functions, text).to_bytes(8, "little"))
        return ""
    if any(name != "WARP_SZ" for name in _WORD.findall(text)):
        # An address (`sym`, `sym+4`, `generic(sym)`), or a byte of one (`0xFF(sym)`): PTX ISA 5.4.4.
        data.extend(bytes(width // 8))
        return "a variable that holds an address"
    bits = literal_bits(literal(text, lexer, offset), width, kind)
    if isinstance(bits, str):
        raise lexer.error(bits, offset)
    data.extend(bits.to_bytes(width // 8, "little"))
    return ""

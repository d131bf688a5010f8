"""Parsing declarations as they are written: registers, variables with their initialisers, and parameters."""

from __future__ import annotations

from volta_pipe.passes.lower.lexer import DIRECTIVE, INTEGER, STRING, WORD, Lexer
from volta_pipe.passes.lower.syntax import Declaration, Item

# State spaces of variables, registers apart (PTX ISA 5.1).
SPACES = frozenset({".shared", ".local", ".global", ".const", ".param", ".tex"})
LINKING = frozenset({".visible", ".weak", ".common", ".extern", ".internal"})


def parse_declaration(lexer: Lexer, linking: tuple[str, ...], space: str, offset: int) -> Declaration:
    """Behind the state space, up to the semicolon, which is taken too."""
    words = parse_words(lexer)
    items = [_parse_item(lexer)]
    while lexer.take(","):
        items.append(_parse_item(lexer))
    lexer.expect(";")
    return Declaration(linking, space, words, tuple(items), offset)


def parse_parameters(lexer: Lexer) -> tuple[Declaration, ...]:
    """A parenthesised list of parameters; the opening parenthesis is the present token."""
    lexer.expect("(")
    found: list[Declaration] = []
    if lexer.take(")"):
        return ()
    while True:
        offset = lexer.offset
        if lexer.kind != DIRECTIVE or lexer.text not in (".param", ".reg"):
            raise lexer.expected("'.param' or '.reg'")
        space = lexer.take_token()
        found.append(Declaration((), space, parse_words(lexer), (_parse_item(lexer),), offset))
        if not lexer.take(","):
            lexer.expect(")")
            return tuple(found)


def parse_words(lexer: Lexer) -> tuple[str, ...]:
    """Types and attributes: directives, each perhaps with a number or something in parentheses."""
    words: list[str] = []
    while lexer.kind == DIRECTIVE:
        words.append(lexer.take_token())
        if lexer.kind == INTEGER:
            words.append(lexer.take_token())
        elif lexer.is_punct("("):
            words += parse_group(lexer)
    return tuple(words)


def parse_group(lexer: Lexer) -> list[str]:
    """The tokens of a pair of parentheses and of what they hold."""
    tokens: list[str] = []
    depth = 0
    while True:
        if lexer.kind not in (DIRECTIVE, WORD, INTEGER, STRING, "punct") or lexer.text in (";", "{", "}"):
            raise lexer.expected("')'")
        depth += lexer.is_punct("(") - lexer.is_punct(")")
        tokens.append(lexer.take_token())
        if not depth:
            return tokens


def _parse_item(lexer: Lexer) -> Item:
    offset = lexer.offset
    name = lexer.expect_kind(WORD, "a name")
    count = -1
    if lexer.take("<"):
        count = lexer.expect_integer("the number of registers")
        lexer.expect(">")
    dimensions: list[str] = []
    while lexer.take("["):
        dimensions.append("" if lexer.is_punct("]") else lexer.expect_kind(INTEGER, "the size of the array"))
        lexer.expect("]")
    if not lexer.take("="):
        return Item(name, count, tuple(dimensions), None, offset)
    start = lexer.offset
    return Item(name, count, tuple(dimensions), _parse_initialiser(lexer), offset, start)


def _parse_initialiser(lexer: Lexer) -> tuple[str, ...]:
    """The tokens of a value or of a braced list; what they mean is read where the variable is used (variables.py)."""
    # Tables have up to millions of elements: plain decimal ones are read thirty times faster than token by token.
    tokens = list(lexer.tokens_of_decimals())
    if tokens:
        return tuple(tokens)
    depth = 0
    while depth or not (lexer.is_punct(",") or lexer.is_punct(";")):
        if lexer.is_punct(";"):
            raise lexer.expected("'}'")
        depth += (lexer.text in "{(") - (lexer.text in "})") if lexer.kind == "punct" else 0
        if depth < 0:
            raise lexer.expected("';'")
        tokens.append(lexer.take_token())
    if not tokens:
        raise lexer.expected("a value")
    return tuple(tokens)

"""Parsing operands, twice: token by token, and, many times faster, by the text of whole operands as compilers write them.

The fast way knows fewer spellings and refuses (None) what it does not know; the slow way then parses the statement again and
finds the place of a mistake. Both give equal trees."""

from __future__ import annotations

import re

from volta_pipe.passes.lower.lexer import DIRECTIVE, FLOAT, INTEGER, PUNCT, WORD, Lexer
from volta_pipe.passes.lower.syntax import Index, Memory, Name, Not, Number, Pair, Sum, Term, Vector

# No PTX operand nests deeper ([%rd, {%r1, %r2}] has two levels); a bound keeps garbage from deep recursion.
_MAX_DEPTH = 4
_NAME = r"[A-Za-z_$%][\w$]*+(?:(?:\.|::)[\w$]++)*+"
_INT = r"(?:0[xX][0-9a-fA-F]++|0[bB][01]++|\d++)U?"
_FLOAT = r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}"
_SIMPLE = re.compile(
    rf"(?P<name>{_NAME})|(?P<number>-?(?:{_FLOAT}|{_INT}))|\[\s*+(?P<base>{_NAME})\s*+\]"
    rf"|(?P<open>\[\s*+)?+(?P<term>{_NAME})\s*+(?P<sign>\+-|\+|-)\s*+(?P<addend>{_INT})\s*+(?P<close>\])?+"
    rf"|!\s*+(?P<negated>{_NAME})|(?P<first>{_NAME})\s*+\|\s*+(?P<second>{_NAME})",
    re.ASCII,
)
_FLAT = r"[^\[\](){},]++"
_LIST = r"\{(?:[^\[\](){}]*+)\}"
_PIECE = re.compile(rf"\s*+(\[(?:[^\[\](){{}}]++|{_LIST})*+\]|{_LIST}|\([^\[\](){{}}]*+\)|{_FLAT})\s*+(,|\Z)", re.ASCII)
# What ends a constant expression, and operators of two characters.
_ENDS = frozenset(",;[]{})@")
_JOINED = re.compile(r"(?<=<) (?=<)|(?<=>) (?=>)|(?<=[<>=!]) (?==)|(?<=&) (?=&)|(?<=[|]) (?=[|])")
_BRACKETS = re.compile(r"[\[({]")


class Terms:
    """Operands by their text, each parsed once."""

    def __init__(self) -> None:
        self._known: dict[str, Term] = {}

    def parse(self, text: str) -> tuple[Term, ...] | None:
        """The operands in the text between an opcode and its semicolon; parentheses are read as in a call."""
        known = self._known
        pieces = text.split(",") if _BRACKETS.search(text) is None else _pieces(text)
        found: list[Term] = []
        for piece in pieces:
            piece = piece.strip()
            term = known.get(piece)
            if term is None:
                term = self._term(piece)
                if term is None:
                    return None
                known[piece] = term
            found.append(term)
        return tuple(found) or None

    def _term(self, piece: str) -> Term | None:
        match = _SIMPLE.fullmatch(piece)
        if match is None:
            return self._list(piece)
        kind = match.lastgroup
        if kind == "name":
            return Name(piece)
        if kind == "number":
            return Number(piece)
        if kind == "base":
            return Memory((Name(match["base"]),))
        if kind == "negated":
            return Not(Name(match["negated"]))
        if kind == "second":
            return Pair(Name(match["first"]), Name(match["second"]))
        if (match["open"] is None) != (match["close"] is None):
            return None
        total = Sum(Name(match["term"]), match["sign"], match["addend"])
        return Memory((total,)) if match["open"] is not None else total

    def _list(self, piece: str) -> Term | None:
        """`{a, b}`, `[a, {b}]` or `(a, b)`."""
        ends = piece[:1] + piece[-1:]
        if ends not in ("{}", "[]", "()"):
            return None
        if ends != "[]" and not piece[1:-1].strip():
            return Vector((), ends == "()")
        items = self.parse(piece[1:-1])
        if items is None:
            return None
        return Memory(items) if ends == "[]" else Vector(items, ends == "()")


def _pieces(text: str) -> list[str]:
    """The text cut at its outer commas; nothing when it is not cut cleanly."""
    found: list[str] = []
    position = 0
    while True:
        match = _PIECE.match(text, position)
        if match is None:
            return []
        found.append(match[1])
        position = match.end()
        if not match[2]:
            return found


def parse_operands(lexer: Lexer, is_call: bool) -> tuple[Term, ...]:
    """The operands up to the semicolon, which is taken too. Parentheses hold the lists of a call, else an expression."""
    if lexer.take(";"):
        return ()
    operands = [parse_term(lexer, is_call)]
    while lexer.take(","):
        operands.append(parse_term(lexer, is_call))
    lexer.expect(";")
    return tuple(operands)


def parse_term(lexer: Lexer, is_call: bool = False, depth: int = 0) -> Term:
    """One operand of any kind."""
    if lexer.kind == WORD:
        return _parse_word(lexer)
    if lexer.kind in (INTEGER, FLOAT) or (lexer.kind == PUNCT and lexer.text in "-~" and lexer.text):
        return Number(parse_constant(lexer))
    if depth >= _MAX_DEPTH:
        raise lexer.error("operands nest too deep")
    if lexer.take("["):
        items = _parse_items(lexer, "]", is_call, depth)
        suffix = lexer.take_token() if lexer.kind == DIRECTIVE and lexer.text == ".unified" else ""
        return Memory(items, suffix)
    if lexer.take("{"):
        return Vector(_parse_items(lexer, "}", is_call, depth))
    if is_call and lexer.take("("):
        return Vector(_parse_items(lexer, ")", is_call, depth), True)
    if lexer.is_punct("("):
        return Number(parse_constant(lexer))
    if lexer.take("!"):
        return Not(Name(lexer.expect_kind(WORD, "a predicate")))
    raise lexer.expected("an operand")


def _parse_items(lexer: Lexer, close: str, is_call: bool, depth: int) -> tuple[Term, ...]:
    items: list[Term] = []
    if close != "]" and lexer.take(close):
        return ()
    while True:
        items.append(parse_term(lexer, is_call, depth + 1))
        if not lexer.take(","):
            lexer.expect(close)
            return tuple(items)


def _parse_word(lexer: Lexer) -> Term:
    name = Name(lexer.expect_kind(WORD, "a name"))
    if lexer.take("|"):
        return Pair(name, Name(lexer.expect_kind(WORD, "a name")))
    if lexer.take("["):
        number = parse_constant(lexer)
        lexer.expect("]")
        return Index(name, number)
    if lexer.take("-"):  # not in ptxas, which wants `+-8`
        return Sum(name, "-", lexer.expect_kind(INTEGER, "an offset"))
    if lexer.take("+"):
        if lexer.kind == FLOAT:
            raise lexer.expected("an offset")
        number = parse_constant(lexer)
        return Sum(name, "+-", number[1:]) if number[0] == "-" and number[1:].isalnum() else Sum(name, "+", number)
    return name


def parse_constant(lexer: Lexer) -> str:
    """The text of a number, perhaps with a sign, or of a constant expression (constants.py reads it)."""
    tokens: list[str] = []
    depth = 0
    while True:
        if lexer.kind not in (INTEGER, FLOAT, WORD, DIRECTIVE, PUNCT):
            raise lexer.expected("a number")
        if lexer.kind == PUNCT and (lexer.text in _ENDS if not depth else lexer.text in ";[]{}@"):
            break
        # Two numbers or names side by side are no expression: let the caller say what it expected.
        if tokens and tokens[-1][-1].isalnum() and lexer.kind != PUNCT:
            break
        depth += lexer.is_punct("(") - lexer.is_punct(")")
        tokens.append(lexer.take_token())
    if not tokens or depth or not (tokens[-1][-1].isalnum() or tokens[-1] == ")"):
        raise lexer.expected("a number")
    if len(tokens) == 2 and tokens[0] in "-~" and tokens[1][0].isdigit():
        return "".join(tokens)
    return _JOINED.sub("", " ".join(tokens))

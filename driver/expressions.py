"""Integer expressions of a contract: integers, dim names, + - * // % ( ), min, max. Parsed here, never `eval`ed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_LENGTH = 1000
MAX_DEPTH = 50
MAX_DIGITS = 19  # of a literal; results are held to 64 bits
LIMIT = 1 << 63
FUNCTIONS = ("min", "max")

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>//|[-+*%(),]))")


class ExpressionError(ValueError):
    """An expression that cannot be read or has no value; the message ends with the column (from 1). at_dims: it has one for
    other dims."""

    def __init__(self, message: str, at_dims: bool = False) -> None:
        super().__init__(message)
        self.at_dims = at_dims


@dataclass(frozen=True)
class _Token:
    kind: str  # number | name | sign | end
    text: str
    column: int


def evaluate(text: str, names: Mapping[str, int]) -> int:
    """The value of `text` with `names` for the dims; `//` and `%` round like Python's.

    Errors: ExpressionError on anything that is not such an expression, an unknown name, division by zero, or a value
    (also an intermediate one) that does not fit 64 bits."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"expression of {len(text)} characters (at most {MAX_LENGTH})")
    parser = _Parser(_tokens(text), names)
    value = parser.sum(0)
    rest = parser.peek()
    if rest.kind != "end":
        raise _error(f"unexpected '{rest.text}'", rest.column)
    return value


def respelled(text: str, names: Mapping[str, str]) -> str:
    """An expression that `evaluate` accepts as Python spells it, in one line, with `names` for the dims. Errors:
    ExpressionError where it holds something that no expression does, or a name that is none of `names`."""
    words: list[str] = []
    for token in _tokens(text):
        if token.kind == "name" and token.text not in FUNCTIONS:
            if token.text not in names:
                raise _error(f"unknown name '{token.text}'", token.column)
            words.append(names[token.text])
        elif token.kind == "number":
            words.append(str(int(token.text)))  # Python has no 007
        elif token.text == ",":
            words.append(", ")
        elif token.text in ("+", "*", "//", "%") or (token.text == "-" and words and words[-1][-1] not in " (-"):
            words.append(f" {token.text} ")
        else:  # brackets, functions, and the sign of a number
            words.append(token.text)
    return "".join(words)


def _error(message: str, column: int, at_dims: bool = False) -> ExpressionError:
    return ExpressionError(f"{message} at column {column} of the expression", at_dims)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            column = position + len(text[position:]) - len(text[position:].lstrip()) + 1
            raise _error(f"unexpected '{text[column - 1]}'", column)
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match.group(kind), match.start(kind) + 1))
        position = match.end()
    tokens.append(_Token("end", "", end + 1))
    return tokens


class _Parser:
    """Recursive descent that evaluates on the way; the depth is bounded by MAX_DEPTH."""

    def __init__(self, tokens: list[_Token], names: Mapping[str, int]) -> None:
        self.tokens = tokens
        self.names = names
        self.next = 0

    def peek(self) -> _Token:
        return self.tokens[self.next]

    def take(self) -> _Token:
        token = self.tokens[self.next]
        self.next += token.kind != "end"
        return token

    def expect(self, sign: str) -> None:
        token = self.take()
        if token.text != sign:
            raise _error(f"expected '{sign}', found {_shown(token)}", token.column)

    def sum(self, depth: int) -> int:
        value = self.product(depth)
        while self.peek().text in ("+", "-"):
            sign = self.take()
            right = self.product(depth)
            value = _fit(value + right if sign.text == "+" else value - right, sign)
        return value

    def product(self, depth: int) -> int:
        value = self.unary(depth)
        while self.peek().text in ("*", "//", "%"):
            sign = self.take()
            right = self.unary(depth)
            if sign.text == "*":
                value = _fit(value * right, sign)
            elif right == 0:
                raise _error("division by zero", sign.column, at_dims=True)
            else:
                value = _fit(value // right if sign.text == "//" else value % right, sign)
        return value

    def unary(self, depth: int) -> int:
        token = self.take()
        if depth > MAX_DEPTH:
            raise _error(f"nested deeper than {MAX_DEPTH}", token.column)
        if token.text == "-":
            return _fit(-self.unary(depth + 1), token)
        if token.text == "(":
            value = self.sum(depth + 1)
            self.expect(")")
            return value
        if token.kind == "number":
            if len(token.text.lstrip("0")) > MAX_DIGITS:
                raise _error(f"number of {len(token.text)} digits does not fit 64 bits", token.column)
            return _fit(int(token.text), token)
        if token.kind == "name":
            return self.function(token, depth) if token.text in FUNCTIONS else self.name(token)
        raise _error(f"expected a number, a dim or '(', found {_shown(token)}", token.column)

    def name(self, token: _Token) -> int:
        if token.text not in self.names:
            known = ", ".join(self.names) or "none"
            raise _error(f"unknown name '{token.text}' (dims: {known})", token.column)
        return self.names[token.text]

    def function(self, token: _Token, depth: int) -> int:
        self.expect("(")
        values = [self.sum(depth + 1)]
        while self.peek().text == ",":
            self.take()
            values.append(self.sum(depth + 1))
        self.expect(")")
        if len(values) < 2:
            raise _error(f"{token.text} needs at least two values", token.column)
        return min(values) if token.text == "min" else max(values)


def _shown(token: _Token) -> str:
    return f"'{token.text}'" if token.text else "the end"


def _fit(value: int, token: _Token) -> int:
    if not -LIMIT <= value < LIMIT:
        raise _error("value does not fit 64 bits", token.column, at_dims=True)
    return value

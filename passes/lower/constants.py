"""Integer constant expressions (PTX ISA 4.5.4): 64 bits, signed unless an operand is unsigned."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\s*+(?:(?P<number>(?:0[xX][0-9a-fA-F]++|0[bB][01]++|\d++)U?)|(?P<cast>\(\s*+\.[su]64\s*+\))|(?P<warp>WARP_SZ)"
    r"|(?P<sign><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()?:]))",
    re.ASCII,
)
# Binary operators by precedence, those that bind loosest first.
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_MAX_DEPTH = 40
_BITS = 64


class NotConstantError(Exception):
    """The text is no constant expression of integers."""


def evaluate(text: str) -> int:
    """The value of an expression: from -2^63 on when it is signed, else below 2^64. Raises NotConstantError."""
    return _Reader(text).whole()


class _Reader:
    """Recursive descent over the tokens; a value is (number, whether it is unsigned)."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            found = _TOKEN.match(text, position)
            if found is None:
                raise NotConstantError
            self.tokens.append(re.sub(r"\s", "", found[0]))
            position = found.end()
        self.at = 0
        self.depth = 0

    def whole(self) -> int:
        number, _ = self._choice()
        if self.at != len(self.tokens):
            raise NotConstantError
        return number

    def _take(self, *wanted: str) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if token and token in wanted:
            self.at += 1
            return token
        return ""

    def _choice(self) -> tuple[int, bool]:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise NotConstantError
        condition = self._binary(0)
        if self._take("?"):
            first = self._choice()
            if not self._take(":"):
                raise NotConstantError
            second = self._choice()
            condition = first if condition[0] else second
        self.depth -= 1
        return condition

    def _binary(self, level: int) -> tuple[int, bool]:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while operator := self._take(*_LEVELS[level]):
            left = _apply(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> tuple[int, bool]:
        operators: list[str] = []
        while operator := self._take("-", "+", "!", "~", "(.s64)", "(.u64)"):
            operators.append(operator)
        if self._take("("):
            number, unsigned = self._choice()
            if not self._take(")"):
                raise NotConstantError
        else:
            number, unsigned = self._number()
        for operator in reversed(operators):
            unsigned = operator in ("(.u64)", "~") or (unsigned and operator not in ("(.s64)", "!"))
            number = _wrap({"-": -number, "~": ~number, "!": int(not number)}.get(operator, number), unsigned)
        return number, unsigned

    def _number(self) -> tuple[int, bool]:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if token == "WARP_SZ":
            self.at += 1
            return 32, False
        if not token[:1].isdigit() or len(token) > 70:
            raise NotConstantError
        self.at += 1
        digits = token.rstrip("U")
        prefix = digits[:2].lower()
        try:
            base = {"0x": 16, "0b": 2}.get(prefix, 8 if digits[0] == "0" else 10)
            number = int(digits[2:] if base in (16, 2) else digits, base)
        except ValueError as error:
            raise NotConstantError from error
        if number >> _BITS:
            raise NotConstantError
        return number, token != digits or number >> (_BITS - 1) != 0


def _wrap(number: int, unsigned: bool) -> int:
    number %= 1 << _BITS
    return number if unsigned or number < 1 << (_BITS - 1) else number - (1 << _BITS)


def _apply(operator: str, left: tuple[int, bool], right: tuple[int, bool]) -> tuple[int, bool]:
    """One binary operator; comparisons and logic give a signed 0 or 1, a shift has the type of what is shifted, and a
    remainder is unsigned (as `~` is)."""
    unsigned = left[1] or right[1] or operator == "%"
    a, b = _wrap(left[0], unsigned), _wrap(right[0], unsigned)
    if operator in ("&&", "||"):
        return int(bool(a) and bool(b) if operator == "&&" else bool(a) or bool(b)), False
    if operator in ("==", "!=", "<", ">", "<=", ">="):
        return int({"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[operator]), False
    if operator in ("<<", ">>"):
        if not 0 <= right[0] < _BITS:
            raise NotConstantError
        return _wrap(left[0] << right[0] if operator == "<<" else left[0] >> right[0], left[1]), left[1]
    if operator in ("/", "%"):
        if not b:
            raise NotConstantError
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # towards zero
        return _wrap(quotient if operator == "/" else a - b * quotient, unsigned), unsigned
    return _wrap({"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[operator], unsigned), unsigned

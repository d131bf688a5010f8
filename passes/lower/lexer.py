"""The lexer: one compiled regular expression, one token of look-ahead, nothing kept behind, so that memory stays flat."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from volta_pipe.ir.errors import InputError, Place

# Kinds of token. A word is a name, a register or an opcode with its modifiers; a directive starts with a dot.
WORD, DIRECTIVE, INTEGER, FLOAT, STRING, PUNCT, END = "word", "directive", "integer", "float", "string", "punct", "end"

_SPACE = r"(?:[ \t\r\n\f\v]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+"
_NAME = r"[\w$]++"
_DECIMAL = r"(?:\d++\.\d*+|\.\d++)(?:[eE][+-]?\d++)?|\d++[eE][+-]?\d++"
_TOKEN = re.compile(
    _SPACE
    + r"(?:"
    + rf"(?P<{WORD}>[A-Za-z_$%][\w$]*+(?:(?:\.|::){_NAME})*+)"
    + r"|(?P<punct>[{}()\[\],;:|+\-<>=@!])"
    + rf"|(?P<{DIRECTIVE}>\.[A-Za-z_][\w$]*+(?:::{_NAME})*+)"
    + rf"|(?P<{FLOAT}>(?:0[fF][0-9a-fA-F]{{8}}|0[dD][0-9a-fA-F]{{16}}|{_DECIMAL})(?![\w$]))"
    + rf"|(?P<{INTEGER}>(?:0[xX][0-9a-fA-F]++|0[bB][01]++|\d++)U?(?![\w$]))"
    + rf'|(?P<{STRING}>"(?:[^"\\\n]|\\.)*+")'
    + rf"|(?P<{END}>\Z)"
    + r"|(?P<bad>.))",
    re.ASCII | re.DOTALL,
)
# A list such as {1, 2, 30}, without octal numbers, and at most 18 digits each.
_DECIMALS = re.compile(r"\{\s*+(?:(?:0|[1-9]\d{0,17}+)\s*+,\s*+)*+(?:0|[1-9]\d{0,17}+)\s*+\}", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)


class Lexer:
    """A stream of tokens. `kind`, `text` and `offset` describe the present one; `advance` moves on."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.source = text
        self._lines: list[int] | None = None
        self._tokens = _TOKEN.finditer(text)
        self.kind = END
        self.text = ""
        self.offset = 0
        self.advance()

    def advance(self) -> None:
        """Move to the next token; at the end stay there."""
        found = next(self._tokens, None)
        if found is None:
            self.kind, self.text = END, ""
            return
        kind = found.lastgroup or END
        self.text = found[kind]
        self.kind = kind
        self.offset = found.start(kind)
        if kind == "bad":
            raise self._refusal()

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset in the text."""
        if self._lines is None:
            self._lines = [0, *(found.end() for found in re.finditer("\n", self.source))]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def place(self, offset: int | None = None) -> Place:
        """The place of an offset, or of the present token."""
        return Place(self.file, *self.position(self.offset if offset is None else offset))

    def error(self, message: str, offset: int | None = None) -> InputError:
        """An error at an offset, or at the present token."""
        return InputError(message, self.place(offset))

    def expected(self, wanted: str) -> InputError:
        """An error about the present token."""
        found = "the end of the file" if self.kind == END else f"'{_shorten(self.text)}'"
        return self.error(f"expected {wanted}, found {found}")

    def is_punct(self, text: str) -> bool:
        """Whether the present token is that punctuation."""
        return self.text == text and self.kind == PUNCT

    def take(self, text: str) -> bool:
        """Move past that punctuation if it is there."""
        if self.text == text and self.kind == PUNCT:
            self.advance()
            return True
        return False

    def expect(self, text: str) -> None:
        """Move past that punctuation, or raise."""
        if not self.take(text):
            raise self.expected(f"'{text}'")

    def expect_kind(self, kind: str, wanted: str) -> str:
        """Move past a token of that kind and return its text, or raise."""
        if self.kind != kind:
            raise self.expected(wanted)
        text = self.text
        self.advance()
        return text

    def expect_integer(self, wanted: str = "an integer") -> int:
        """Move past an integer and return its value."""
        return parse_integer(self.expect_kind(INTEGER, wanted), self)

    def skip_braces(self) -> None:
        """From an opening brace, move behind the one that closes it."""
        start, depth = self.offset, 0
        while True:
            if self.kind == PUNCT:
                depth += (self.text == "{") - (self.text == "}")
            elif self.kind == END:
                raise self.error("'{' is never closed", start)
            self.advance()
            if not depth:
                return

    def take_decimals(self) -> Iterator[int]:
        """When a braced list of plain decimal numbers stands here, move behind it and yield them; else yield nothing."""
        found = _DECIMALS.match(self.source, self.offset)
        if found is None or not self.is_punct("{"):
            return
        for one in _NUMBER.finditer(self.source, found.start(), found.end()):
            yield int(one[0])
        self._tokens = _TOKEN.finditer(self.source, found.end())
        self.advance()

    def skip_statement(self) -> None:
        """Move behind the next semicolon."""
        start = self.offset
        while not self.take(";"):
            if self.kind == END:
                raise self.error("';' is missing", start)
            self.advance()

    def _refusal(self) -> InputError:
        if self.text == '"':
            return self.error("the string is never closed")
        if self.source.startswith("/*", self.offset):
            return self.error("the comment is never closed")
        return self.error(f"unexpected character {self.text!r}")


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def parse_integer(text: str, lexer: Lexer) -> int:
    """The value of an integer literal (hexadecimal, octal, binary or decimal, perhaps with U); at most 64 bits."""
    digits = text.rstrip("U")
    prefix = digits[:2].lower()
    try:
        if prefix in ("0x", "0b"):
            value = int(digits[2:], 16 if prefix == "0x" else 2)
        else:
            # More digits than any 64-bit number has: do not let int() work on a megabyte of them.
            value = 1 << 64 if len(digits) > 30 else int(digits, 8 if digits[0] == "0" else 10)
    except ValueError as error:
        raise lexer.error(f"'{_shorten(text)}' is no integer") from error
    if value >= 1 << 64:
        raise lexer.error(f"'{_shorten(text)}' does not fit into 64 bits")
    return value

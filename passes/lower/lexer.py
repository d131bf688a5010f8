"""The lexer: one compiled regular expression, one token of look-ahead, nothing kept behind, so that memory stays flat."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from volta_pipe.ir.errors import InputError, Place

# Kinds of token. A word is a name, a register or an opcode with its modifiers; a directive starts with a dot.
WORD, DIRECTIVE, INTEGER, FLOAT, STRING, PUNCT, END = "word", "directive", "integer", "float", "string", "punct", "end"

SPACE = r"(?:[ \t\r\n\f\v]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+"
_NAME = r"[\w$]++"
_DECIMAL = r"(?:\d++\.\d*+|\.\d++)(?:[eE][+-]?\d++)?|\d++[eE][+-]?\d++"
_TOKEN = re.compile(
    SPACE
    + r"(?:"
    + rf"(?P<{WORD}>[A-Za-z_$%][\w$]*+(?:(?:\.|::){_NAME})*+)"
    + r"|(?P<punct>[{}()\[\],;:|+\-<>=@!*~?&^]|/(?![/*])|%(?![\w$]))"
    + rf"|(?P<{DIRECTIVE}>\.[A-Za-z_][\w$]*+(?:::{_NAME})*+)"
    + rf"|(?P<{FLOAT}>(?:0[fF][0-9a-fA-F]{{8}}|0[dD][0-9a-fA-F]{{16}}|{_DECIMAL})(?![\w$]))"
    + rf"|(?P<{INTEGER}>(?:0[xX][0-9a-fA-F]++|0[bB][01]++|\d++)U?(?![\w$]))"
    + rf'|(?P<{STRING}>"(?:[^"\\\n]|\\.)*+")'
    + rf"|(?P<{END}>\Z)"
    + r"|(?P<bad>.))",
    re.ASCII | re.DOTALL,
)
# Up to the next brace, with strings and comments as a whole.
_TO_BRACE = re.compile(r'(?:[^{}"/]++|"(?:[^"\\\n]|\\.)*+"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|/)*+([{}])', re.DOTALL)
# A list such as {1, 2, 30}, without octal numbers, and at most 18 digits each.
_DECIMALS = re.compile(r"\{\s*+(?:(?:0|[1-9]\d{0,17}+)\s*+,\s*+)*+(?:0|[1-9]\d{0,17}+)\s*+\}", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)
_DECIMAL_TOKEN = re.compile(r"\d+|[{},]", re.ASCII)


class Lexer:
    """A stream of tokens. `kind`, `text` and `offset` describe the present one; `advance` moves on."""

    def __init__(self, text: str, file: str, start: int = 0) -> None:
        self.file = file
        self.source = text
        self._lines: list[int] | None = None
        self.kind = END
        self.text = ""
        self.offset = 0
        self.jump(start)

    def jump(self, offset: int) -> None:
        """Go on at an offset of the text, where a token or the blanks before one begin."""
        self._tokens = _TOKEN.finditer(self.source, offset)
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

    def skip_braces(self) -> int:
        """From an opening brace, move behind the one that closes it, and return where that is; nothing between is read."""
        start, depth = self.offset, 0
        position = start
        while True:
            found = _TO_BRACE.match(self.source, position)
            if found is None:
                raise self.error("'{' is never closed", start)
            depth += 1 if found[1] == "{" else -1
            position = found.end()
            if not depth:
                self.jump(position)
                return position

    def take_decimals(self) -> Iterator[int]:
        """When a braced list of plain decimal numbers stands here, move behind it and yield them; else yield nothing."""
        found = _DECIMALS.match(self.source, self.offset)
        if found is None or not self.is_punct("{"):
            return
        for one in _NUMBER.finditer(self.source, found.start(), found.end()):
            yield int(one[0])
        self.jump(found.end())

    def tokens_of_decimals(self) -> tuple[str, ...]:
        """The tokens of such a list, moving behind it; none where there is no such list."""
        found = _DECIMALS.match(self.source, self.offset) if self.is_punct("{") else None
        if found is None:
            return ()
        tokens = _DECIMAL_TOKEN.findall(self.source, found.start(), found.end())
        self.jump(found.end())
        return tuple(tokens)

    def take_braces(self) -> list[str]:
        """From an opening brace, move behind the one that closes it; the tokens, braces included."""
        start = self.offset
        end = self.skip_braces()
        tokens: list[str] = []
        for found in _TOKEN.finditer(self.source, start, end):
            kind = found.lastgroup or END
            if kind == "bad":
                self.jump(found.start(kind))  # raises
            tokens.append(found[kind])
        return tokens[:-1]  # the last one is the end

    def take_token(self) -> str:
        """Move past the present token, whatever it is, and return its text; raises at the end of the file."""
        if self.kind == END:
            raise self.expected("a token")
        text = self.text
        self.advance()
        return text

    def _refusal(self) -> InputError:
        if self.text == '"':
            return self.error("the string is never closed")
        if self.source.startswith("/*", self.offset):
            return self.error("the comment is never closed")
        return self.error(f"unexpected character {self.text!r}")


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def parse_integer(text: str, lexer: Lexer, offset: int | None = None) -> int:
    """The value of an integer literal (hexadecimal, octal, binary or decimal, perhaps with U); at most 64 bits.
    Raises InputError at `offset`, or at the present token."""
    digits = text.rstrip("U")
    prefix = digits[:2].lower()
    try:
        if prefix in ("0x", "0b"):
            value = int(digits[2:], 16 if prefix == "0x" else 2)
        else:
            # More digits than any 64-bit number has: do not let int() work on a megabyte of them.
            value = 1 << 64 if len(digits) > 30 else int(digits, 8 if digits[0] == "0" else 10)
    except ValueError as error:
        raise lexer.error(f"'{_shorten(text)}' is no integer", offset) from error
    if value >= 1 << 64:
        raise lexer.error(f"'{_shorten(text)}' does not fit into 64 bits", offset)
    return value

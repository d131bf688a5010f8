"""Parsing the body of a function into a flat list of statements: braces of scopes are statements of their own."""

from __future__ import annotations

import re

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.lower.declarations import LINKING, SPACES, parse_declaration
from volta_pipe.passes.lower.lexer import DIRECTIVE, END, SPACE, STRING, WORD, Lexer
from volta_pipe.passes.lower.syntax import Brace, Directive, Instruction, Label, Loc, Statement, Table
from volta_pipe.passes.lower.terms import Terms, parse_operands

# A kernel of this length would take a minute and a gigabyte to lower; the longest we have met has 30,000.
MAX_STATEMENTS = 1_000_000
_CALLS = frozenset({"call", "call.uni"})
_TABLES = frozenset({".branchtargets", ".calltargets", ".callprototype"})
# A plain instruction, as all compilers write nearly all of theirs; anything else goes token by token.
_PLAIN = re.compile(
    SPACE
    + r"(?:(?:@(?P<negated>!?)(?P<guard>[A-Za-z_$%][\w$]*+)[ \t]++)?+"
    + r"(?P<opcode>[A-Za-z][\w$]*+(?:\.[\w$]++(?:::[\w$]++)*+)*+)(?:[ \t]++(?P<operands>[^;:\"/@<=]++))?+;"
    + r"|(?P<loc>\.loc)[ \t]++(?P<file>\d{1,9})[ \t]++(?P<line>\d{1,9})[ \t]++(?P<column>\d{1,9})[ \t]*+(?://[^\n]*+)?+"
    + r"(?=[\r\n]\s*+[A-Za-z@$.}]))",
    re.ASCII,
)


def parse_body(lexer: Lexer, name: str) -> list[Statement]:
    """From the opening brace of a function behind its closing one."""
    start = lexer.offset
    lexer.expect("{")
    body: list[Statement] = []
    depth, terms, plain, position = 1, Terms(), _PLAIN.match, lexer.offset
    source = lexer.source
    while True:
        found = plain(source, position)
        if found is not None:
            one = _plain(found, terms)
            if one is not None:
                body.append(one)
                position = found.end()
                continue
        lexer.jump(position)
        if lexer.kind == END:
            raise lexer.error(f"the file ends inside {name}", start)
        if len(body) > MAX_STATEMENTS:
            raise UnsupportedError(f"{name} has more than {MAX_STATEMENTS} statements", lexer.place())
        if lexer.is_punct("}"):
            depth -= 1
            if not depth:
                lexer.advance()
                return body
        one = parse_statement(lexer)
        depth += isinstance(one, Brace) and one.opening
        body.append(one)
        position = lexer.offset


def _plain(found: re.Match[str], terms: Terms) -> Statement | None:
    negated, guard, opcode, text, loc, file, line, column = found.groups()
    if loc is not None:
        return Loc((int(file), int(line), int(column)), None, None, found.start("loc"))
    if text is not None and "(" in text and opcode not in _CALLS:
        return None
    operands = terms.parse(text) if text is not None else ()
    if operands is None:
        return None
    if guard is None:
        return Instruction(opcode, operands, None, found.start("opcode"))
    return Instruction(opcode, operands, (negated, guard), found.start("guard") - 1 - len(negated))


def parse_statement(lexer: Lexer) -> Statement:
    """One statement: a brace, a label, a directive or an instruction."""
    offset = lexer.offset
    if lexer.kind == WORD:
        return _instruction_or_label(lexer)
    if lexer.kind == DIRECTIVE:
        return _directive(lexer)
    if lexer.take("@"):
        negated = "!" if lexer.take("!") else ""
        name = lexer.expect_kind(WORD, "the predicate of the guard")
        return _instruction(lexer, lexer.expect_kind(WORD, "an instruction"), (negated, name), offset)
    if lexer.take("{"):
        return Brace(True, offset)
    if lexer.take("}"):
        return Brace(False, offset)
    raise lexer.expected("an instruction")


def _instruction_or_label(lexer: Lexer) -> Statement:
    name, offset = lexer.text, lexer.offset
    lexer.advance()
    if not lexer.take(":"):
        return _instruction(lexer, name, None, offset)
    if lexer.kind != DIRECTIVE or lexer.text not in _TABLES:
        return Label(name, offset)
    directive = lexer.take_token()
    return Table(name, directive, _tokens(lexer), offset)


def _instruction(lexer: Lexer, opcode: str, guard: tuple[str, str] | None, offset: int) -> Instruction:
    while lexer.kind == DIRECTIVE:  # `ld.global .u32`
        opcode += lexer.take_token()
    if opcode[0] in "%$_" or "::" in opcode.partition(".")[0]:
        raise lexer.error(f"'{opcode}' is no instruction", offset)
    return Instruction(opcode, parse_operands(lexer, opcode in _CALLS), guard, offset)


def _tokens(lexer: Lexer) -> tuple[str, ...]:
    """The tokens up to the semicolon, which is taken too."""
    tokens: list[str] = []
    start = lexer.offset
    while not lexer.take(";"):
        if lexer.kind == END:
            raise lexer.error("';' is missing", start)
        tokens.append(lexer.take_token())
    return tuple(tokens)


def _directive(lexer: Lexer) -> Statement:
    offset = lexer.offset
    linking: list[str] = []
    word = lexer.take_token()
    while word in LINKING:
        linking.append(word)
        word = lexer.expect_kind(DIRECTIVE, "a state space")
    if word == ".reg" or word in SPACES:
        return parse_declaration(lexer, tuple(linking), word, offset)
    if linking:
        raise lexer.error(f"{word} is no state space", offset)
    if word == ".loc":
        return parse_loc(lexer, offset)
    if word == ".section":
        return Directive(word, parse_section(lexer), offset)
    if word == ".pragma":
        return Directive(word, parse_strings(lexer), offset)
    raise lexer.error(f"unknown directive {word}", offset)


def parse_strings(lexer: Lexer) -> tuple[str, ...]:
    """The strings of a `.pragma`, with their commas; the semicolon is taken too."""
    tokens = [lexer.expect_kind(STRING, "a string")]
    while lexer.is_punct(","):
        tokens += [lexer.take_token(), lexer.expect_kind(STRING, "a string")]
    lexer.expect(";")
    return tuple(tokens)


def parse_section(lexer: Lexer, whole: bool = True) -> tuple[str, ...]:
    """Behind `.section`: its name and what it holds. Debug sections only serve a debugger; the tokens are kept to be printed
    again."""
    if lexer.kind not in (DIRECTIVE, WORD):
        raise lexer.expected("the name of the section")
    tokens = [lexer.take_token()]
    if not lexer.is_punct("{"):
        raise lexer.expected("'{'")
    if whole:
        tokens += lexer.take_braces()
    else:
        lexer.skip_braces()
    return tuple(tokens)


def parse_loc(lexer: Lexer, offset: int) -> Loc:
    """Behind `.loc`: file, line, column, and perhaps the place of inlining; there is no semicolon."""
    place = (lexer.expect_integer(), lexer.expect_integer(), lexer.expect_integer())
    function: tuple[str, int] | None = None
    inlined: tuple[int, int, int] | None = None
    while lexer.take(","):
        word = lexer.expect_kind(WORD, "'function_name' or 'inlined_at'")
        if word == "function_name":
            label = lexer.expect_kind(WORD, "a label")
            function = (label, lexer.expect_integer() if lexer.take("+") else 0)
        elif word == "inlined_at":
            inlined = (lexer.expect_integer(), lexer.expect_integer(), lexer.expect_integer())
        else:
            raise lexer.error(f"unknown attribute {word} of .loc")
    return Loc(place, function, inlined, offset)

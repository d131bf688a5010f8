"""The top level of a PTX file, as written. Bodies of functions are parsed at once, or left for `body_of`."""

from __future__ import annotations

from volta_pipe.passes.lower.body import parse_body, parse_loc, parse_section, parse_strings
from volta_pipe.passes.lower.declarations import LINKING, SPACES, parse_declaration, parse_parameters, parse_words
from volta_pipe.passes.lower.lexer import DIRECTIVE, END, FLOAT, INTEGER, STRING, WORD, Lexer
from volta_pipe.passes.lower.syntax import Declaration, Directive, File, Function, Loc, Statement

# Between the parameters and the body (PTX ISA 11.3): limits of the launch, and hints that change no result (a kernel that uses
# a cluster's instructions is refused where it does).
_LIMITS = frozenset(
    [
        ".maxntid",
        ".reqntid",
        ".minnctapersm",
        ".maxnctapersm",
        ".maxnreg",
        ".noreturn",
        ".abi_preserve",
        ".abi_preserve_control",
        ".explicitcluster",
        ".reqnctapercluster",
        ".maxclusterrank",
        ".blocksareclusters",
        ".pragma",
    ]
)


def parse(text: str, file: str, bodies: bool = True) -> File:
    """Parse a file. Raises InputError with the place of the first mistake; without `bodies` those are only skipped."""
    lexer = Lexer(text, file)
    if lexer.kind == END:
        raise lexer.error("the PTX is empty")
    if lexer.text != ".version":
        raise lexer.expected("'.version' (is this a PTX text?)")
    items: list[Directive | Declaration | Function | Loc] = []
    while lexer.kind != END:
        if not lexer.take(";"):
            items.append(_item(lexer, bodies))
    return File(items)


def body_of(function: Function, text: str, file: str) -> list[Statement]:
    """The body of a function that has one."""
    if function.body is None:
        function.body = parse_body(Lexer(text, file, function.start), f"function {function.name}")
    return function.body


def _item(lexer: Lexer, bodies: bool) -> Directive | Declaration | Function | Loc:
    offset = lexer.offset
    linking: list[str] = []
    word = lexer.expect_kind(DIRECTIVE, "a directive")
    while word in LINKING:
        linking.append(word)
        word = lexer.expect_kind(DIRECTIVE, "a declaration")
    if word in (".entry", ".func"):
        return _parse_function(lexer, tuple(linking), word, bodies=bodies, offset=offset)
    if word in SPACES:
        return parse_declaration(lexer, tuple(linking), word, offset)
    if linking:
        raise lexer.error(f"{word} is no declaration", offset)
    if word == ".loc":
        return parse_loc(lexer, offset)
    return Directive(word, _parse_tokens(lexer, word, offset, whole=bodies), offset)


def _parse_tokens(lexer: Lexer, word: str, offset: int, *, whole: bool) -> tuple[str, ...]:
    """What stands behind a directive of the top level."""
    if word == ".version":
        return (lexer.expect_kind(FLOAT, "a version number"),)
    if word == ".target":
        return _parse_list(lexer, WORD, "a target")
    if word == ".address_size":
        size = lexer.expect_kind(INTEGER, "the address size")
        if size not in ("32", "64"):
            raise lexer.error("the address size is 32 or 64", offset)
        return (size,)
    if word == ".file":
        # `.file 1 "a.cu"`, perhaps with a time and a size.
        tokens = [lexer.expect_kind(INTEGER, "the number of the file"), lexer.expect_kind(STRING, "the name of the file")]
        while lexer.is_punct(","):
            tokens += [lexer.take_token(), lexer.expect_kind(INTEGER, "an integer")]
        return tuple(tokens)
    if word == ".section":
        return parse_section(lexer, whole)
    if word == ".alias":
        alias = lexer.expect_kind(WORD, "a function")
        lexer.expect(",")
        target = lexer.expect_kind(WORD, "a function")
        lexer.expect(";")
        return (alias, ",", target)
    if word == ".pragma":
        return parse_strings(lexer)
    raise lexer.error(f"unknown directive {word}", offset)


def _parse_list(lexer: Lexer, kind: str, wanted: str) -> tuple[str, ...]:
    tokens = [lexer.expect_kind(kind, wanted)]
    while lexer.is_punct(","):
        tokens += [lexer.take_token(), lexer.expect_kind(kind, wanted)]
    return tuple(tokens)


def _parse_function(lexer: Lexer, linking: tuple[str, ...], kind: str, *, bodies: bool, offset: int) -> Function:
    words = parse_words(lexer)
    results = parse_parameters(lexer) if lexer.is_punct("(") else None
    name = lexer.expect_kind(WORD, f"the name of the {'entry' if kind == '.entry' else 'function'}")
    params = parse_parameters(lexer) if lexer.is_punct("(") else None
    limits = _parse_limits(lexer)
    function = Function(linking, kind, words, results, name, params, limits, None, offset)
    if lexer.take(";"):
        return function
    if not lexer.is_punct("{"):
        raise lexer.expected("'{'")
    function.start = lexer.offset
    if bodies:
        function.body = parse_body(lexer, f"{'kernel' if kind == '.entry' else 'function'} {name}")
    else:
        lexer.skip_braces()
    return function


def _parse_limits(lexer: Lexer) -> tuple[Directive, ...]:
    found: list[Directive] = []
    while lexer.kind == DIRECTIVE:
        word, offset = lexer.text, lexer.offset
        lexer.advance()
        if word not in _LIMITS:
            raise lexer.error(f"unknown directive {word}", offset)
        tokens: list[str] = []
        kind = STRING if word == ".pragma" else INTEGER
        while lexer.kind == kind:
            tokens.append(lexer.take_token())
            if lexer.is_punct(","):
                tokens.append(lexer.take_token())
        if word == ".pragma":
            lexer.take(";")  # may be left out here, as the body follows
        found.append(Directive(word, tuple(tokens), offset))
    return tuple(found)

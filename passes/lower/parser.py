"""The top level of a PTX file: finds the entries, parses the one that is asked for, and skips the other bodies."""

from __future__ import annotations

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.passes.lower.body import parse_body, parse_loc
from volta_pipe.passes.lower.declarations import parse_params, parse_variables
from volta_pipe.passes.lower.lexer import DIRECTIVE, END, INTEGER, STRING, WORD, Lexer
from volta_pipe.passes.lower.tree import Kernel, Source

_LINKING = frozenset({".visible", ".weak", ".common", ".internal"})
_SPACES = frozenset({".global", ".const", ".shared", ".local", ".tex"})
# Hints about resources and clusters that change no result (a kernel that uses a cluster's instructions is refused).
_RESOURCE_HINTS = (".minnctapersm", ".maxnctapersm", ".maxnreg", ".noreturn", ".abi_preserve", ".abi_preserve_control")
_CLUSTER_HINTS = (".explicitcluster", ".reqnctapercluster", ".maxclusterrank", ".blocksareclusters")
_HINTS = frozenset((*_RESOURCE_HINTS, *_CLUSTER_HINTS))


def parse(text: str, file: str, entry: str | None = None) -> Source:
    """Parse a file; with `entry`, that kernel's body too. Raises InputError with the place of the first mistake."""
    lexer = Lexer(text, file)
    if lexer.kind == END:
        raise InputError("the PTX is empty", Place(file))
    if lexer.text != ".version":
        raise lexer.expected("'.version' (is this a PTX text?)")
    source = Source()
    while lexer.kind != END:
        _directive(lexer, source, entry)
    if entry is not None and source.kernel is None:
        known = ", ".join(source.entries) or "none"
        raise InputError(f"there is no entry {entry!r}; the entries are: {known}", Place(file))
    return source


def _directive(lexer: Lexer, source: Source, entry: str | None) -> None:
    """One directive of the top level."""
    if lexer.take(";"):
        return
    offset = lexer.offset
    word = lexer.expect_kind(DIRECTIVE, "a directive")
    extern = False
    while word in _LINKING or word == ".extern":
        extern = extern or word == ".extern"
        word = lexer.expect_kind(DIRECTIVE, "a declaration")
    if word == ".version":
        source.version = lexer.text
        lexer.expect_kind("float", "a version number")
    elif word == ".target":
        source.target = _parse_target(lexer)
    elif word == ".address_size":
        source.address_size = lexer.expect_integer()
        if source.address_size not in (32, 64):
            raise lexer.error("the address size is 32 or 64", offset)
    elif word == ".file":
        _parse_file(lexer, source)
    elif word == ".loc":
        parse_loc(lexer)
    elif word == ".section":
        _parse_section(lexer)
    elif word == ".entry":
        _parse_entry(lexer, source, entry)
    elif word == ".func":
        _parse_function(lexer, source)
    elif word in _SPACES:
        for variable in parse_variables(lexer, word[1:], extern, len(source.variables)):
            known = source.variables.get(variable.name)
            if known is not None and not (known.extern or extern):
                raise lexer.error(f"{variable.name} is declared twice", offset)
            if known is None or known.extern:
                source.variables[variable.name] = variable
    elif word in (".alias", ".pragma"):
        lexer.skip_statement()
    else:
        raise lexer.error(f"unknown directive {word}", offset)


def _parse_target(lexer: Lexer) -> str:
    words = [lexer.expect_kind(WORD, "a target")]
    while lexer.take(","):
        words.append(lexer.expect_kind(WORD, "a target"))
    return ",".join(words)


def _parse_file(lexer: Lexer, source: Source) -> None:
    """`.file 1 "a.cu"`, perhaps with a time and a size."""
    number = lexer.expect_integer("the number of the file")
    source.files[number] = lexer.expect_kind(STRING, "the name of the file")[1:-1].replace('\\"', '"')
    while lexer.take(","):
        lexer.expect_integer()


def _parse_section(lexer: Lexer) -> None:
    """Debug sections only serve a debugger."""
    if lexer.kind not in (DIRECTIVE, WORD):
        raise lexer.expected("the name of the section")
    lexer.advance()
    if not lexer.is_punct("{"):
        raise lexer.expected("'{'")
    lexer.skip_braces()


def _parse_function(lexer: Lexer, source: Source) -> None:
    """Functions are skipped: a call is refused where it is reached. The name is the first word outside parentheses."""
    offset, depth, name = lexer.offset, 0, ""
    while not (lexer.is_punct("{") or lexer.is_punct(";")):
        if lexer.kind == END:
            raise lexer.error("the file ends inside the head of a function", offset)
        depth += lexer.is_punct("(") - lexer.is_punct(")")
        if not name and not depth and lexer.kind == WORD:
            name = lexer.text
        lexer.advance()
    source.functions.add(name)
    if not lexer.take(";"):
        lexer.skip_braces()


def _parse_entry(lexer: Lexer, source: Source, wanted: str | None) -> None:
    offset = lexer.offset
    name = lexer.expect_kind(WORD, "the name of the entry")
    params = parse_params(lexer)
    limits = _parse_limits(lexer)
    if lexer.take(";"):
        return  # a declaration only
    if not lexer.is_punct("{"):
        raise lexer.expected("'{'")
    if name in source.entries:
        raise lexer.error(f"entry {name} is defined twice", offset)
    source.entries[name] = params
    if name == wanted:
        source.kernel = Kernel(name, params, limits)
        parse_body(lexer, source.kernel)
    else:
        lexer.skip_braces()


def _parse_limits(lexer: Lexer) -> dict[str, tuple[int, ...]]:
    """Performance directives between the parameters and the body; those that bound the CTA's shape are kept."""
    limits: dict[str, tuple[int, ...]] = {}
    while lexer.kind == DIRECTIVE:
        word, offset = lexer.text, lexer.offset
        lexer.advance()
        if word == ".pragma":
            lexer.expect_kind(STRING, "a string")
            lexer.take(";")
            continue
        if word not in _HINTS and word not in (".maxntid", ".reqntid"):
            raise lexer.error(f"unknown directive {word}", offset)
        numbers: list[int] = []
        while lexer.kind == INTEGER:
            numbers.append(lexer.expect_integer())
            if not lexer.take(","):
                break
        if word in (".maxntid", ".reqntid"):
            if not 1 <= len(numbers) <= 3:
                raise lexer.error(f"{word} has one to three sizes", offset)
            limits[word[1:]] = tuple(numbers)
    return limits

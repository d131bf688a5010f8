"""What a file declares: entries, functions, variables, file names. Bodies are not read here."""

from __future__ import annotations

from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.lexer import Lexer, parse_integer
from volta_pipe.passes.lower.syntax import Declaration, Directive, File, Function, Loc
from volta_pipe.passes.lower.tree import Source
from volta_pipe.passes.lower.variables import make_params, make_variables


def read_module(file: File, lexer: Lexer) -> Source:
    """The declarations of a file; `lexer` is of its text, and says where mistakes are."""
    source = Source()
    for item in file.items:
        if isinstance(item, Function):
            _function(item, source, lexer)
        elif isinstance(item, Declaration):
            _variables(item, source, lexer)
        elif not isinstance(item, Loc):
            _directive(item, source, lexer)
    return source


def entry_params(function: Function, lexer: Lexer) -> tuple[Param, ...]:
    """The parameters of an entry."""
    return make_params(function.params or (), lexer)


def entry_limits(function: Function, lexer: Lexer) -> dict[str, tuple[int, ...]]:
    """Of the directives behind the parameters those that bound the shape of a CTA."""
    limits: dict[str, tuple[int, ...]] = {}
    for one in function.limits:
        if one.word in (".maxntid", ".reqntid"):
            numbers = [parse_integer(token, lexer) for token in one.tokens if token != ","]
            if not 1 <= len(numbers) <= 3:
                raise lexer.error(f"{one.word} has one to three sizes", one.offset)
            limits[one.word[1:]] = tuple(numbers)
    return limits


def _directive(one: Directive, source: Source, lexer: Lexer) -> None:
    if one.word == ".version":
        source.version = one.tokens[0]
    elif one.word == ".target":
        source.target = "".join(one.tokens)
    elif one.word == ".address_size":
        source.address_size = int(one.tokens[0])
    elif one.word == ".file":
        source.files[parse_integer(one.tokens[0], lexer)] = one.tokens[1][1:-1].replace('\\"', '"')
    elif one.word == ".alias":
        source.aliases[one.tokens[0]] = one.tokens[2]


def _function(one: Function, source: Source, lexer: Lexer) -> None:
    """A declaration without a body gives way to one with."""
    if one.kind == ".entry":
        if not one.start:
            return  # a declaration only
        if one.name in source.entries:
            raise lexer.error(f"entry {one.name} is defined twice", one.offset)
        source.entries[one.name] = one
        return
    known = source.functions.get(one.name)
    if known is not None and known.start and one.start:
        raise lexer.error(f"function {one.name} is defined twice", one.offset)
    if known is None or one.start:
        source.functions[one.name] = one


def _variables(one: Declaration, source: Source, lexer: Lexer) -> None:
    if one.space == ".param":
        raise lexer.error("parameters are declared by functions", one.offset)
    extern = ".extern" in one.linking
    source.initialisers += [item.initialiser for item in one.items if item.initialiser is not None]
    for variable in make_variables(one, lexer, len(source.variables), source.functions):
        known = source.variables.get(variable.name)
        if known is not None and not (known.extern or extern):
            raise lexer.error(f"{variable.name} is declared twice", one.offset)
        if known is None or known.extern:
            source.variables[variable.name] = variable

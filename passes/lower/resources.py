"""What a kernel asks of the machine, as its PTX says: shared memory, registers, and the directives that bound a launch.

Registers are those of the compiler that comes after PTX; what is alive at once here is an estimate of how many it needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from volta_pipe.passes.lower.lexer import Lexer, parse_integer
from volta_pipe.passes.lower.syntax import Function
from volta_pipe.passes.lower.tree import Variable

# PTX ISA 11.4 and 11.5, those with numbers.
_DIRECTIVES = ("maxntid", "reqntid", "maxnreg", "minnctapersm", "maxnctapersm", "reqnctapercluster", "maxclusterrank")
_FLAGS = ("explicitcluster", "blocksareclusters")


@dataclass(frozen=True)
class Resources:
    """`target` as the PTX has it; `shared`: bytes of the static shared variables that the kernel mentions, where they lie one
    behind the other with their alignment; `registers`: the most registers of 32 bits that are alive at once; `directives`:
    (name without the dot, numbers, line of the PTX)."""

    target: str
    shared: int
    registers: int
    directives: tuple[tuple[str, tuple[int, ...], int], ...]


def resources_of(function: Function, lexer: Lexer, target: str, registers: int, variables: Iterable[Variable]) -> Resources:
    """Of the entry `function`, which needs that many `registers`; `lexer` is of its file."""
    end = 0
    for variable in variables:
        if variable.space == "shared" and not variable.extern:
            end = -(-end // variable.align) * variable.align + variable.size
    found = []
    for one in function.limits:
        name = one.word[1:]
        if name in _DIRECTIVES or name in _FLAGS:
            numbers = tuple(parse_integer(token, lexer) for token in one.tokens if token != ",")
            found.append((name, numbers, lexer.place(one.offset).line))
    return Resources(target, end, registers, tuple(found))

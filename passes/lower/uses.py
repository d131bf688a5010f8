"""What a body says of its names as a whole: how often each is mentioned, which registers hold a function, and its tables."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from volta_pipe.passes.lower.syntax import Index, Instruction, Memory, Name, Not, Pair, Statement, Sum, Table, Term, Vector


@dataclass(frozen=True)
class Uses:
    """How often a body mentions each name, the registers that only ever hold one function's address, and its tables."""

    mentions: dict[str, int]
    targets: dict[str, str]
    tables: dict[str, list[Table]]


def find_uses(body: Iterable[Statement], functions: Container[str]) -> Uses:
    """The uses in a body; `functions` are those of the file."""
    mentions: dict[str, int] = {}
    candidates: dict[str, tuple[int, str]] = {}
    called: dict[str, int] = {}
    tables: dict[str, list[Table]] = {}
    for one in body:
        if isinstance(one, Table):
            tables.setdefault(one.name, []).append(one)
        if not isinstance(one, Instruction):
            continue
        for name in _names(one):
            mentions[name] = mentions.get(name, 0) + 1
        if one.opcode.startswith("call"):
            for term in one.operands:
                if isinstance(term, Name):
                    called[term.text] = called.get(term.text, 0) + 1
        match one:
            case Instruction("mov.u64" | "mov.b64" | "mov.u32" | "mov.b32", (Name(register), Name(function)), None):
                if function in functions:
                    candidates[register] = (1, function)
    targets = {
        register: function
        for register, (writes, function) in candidates.items()
        if mentions[register] == writes + called.get(register, 0)
    }
    return Uses(mentions, targets, tables)


def _names(one: Instruction) -> Iterator[str]:
    """The names that an instruction mentions."""
    if one.guard is not None:
        yield one.guard[1]
    todo: list[Term] = list(one.operands)
    while todo:
        term = todo.pop()
        if isinstance(term, Name):
            yield term.text
        elif isinstance(term, Sum):
            todo.append(term.base)
        elif isinstance(term, Not | Index):
            todo.append(term.name)
        elif isinstance(term, Pair):
            todo += [term.first, term.second]
        elif isinstance(term, Vector | Memory):
            todo += term.items

"""The syntax tree of a PTX file as written: names are text, and nothing is checked against a declaration.

Two files with equal trees say the same; `offset` (into the text) is left out of the comparison. Modifiers of an opcode keep
their written order. See printer.py for the way back to text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Name:
    """A register, variable, label, special register, function or parameter; with a component where one is named (`%v.x`)."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A literal as written, a minus sign in front included, or a constant expression such as `(1+2)*4`."""

    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    """A name plus a constant; `sign` is "+", "-" or "+-"."""

    base: Term
    sign: str
    number: str


@dataclass(frozen=True, slots=True)
class Not:
    """`!%p`."""

    name: Name


@dataclass(frozen=True, slots=True)
class Pair:
    """`%r|%p`."""

    first: Name
    second: Name


@dataclass(frozen=True, slots=True)
class Vector:
    """`{a, b}`, or, in a call, the parenthesised list."""

    items: tuple[Term, ...]
    round: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """`[base + 4, {x, y}, …]`: the first item is the address, further ones are coordinates and such; `suffix` ".unified"."""

    items: tuple[Term, ...]
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Index:
    """`a[3]`: an element of an array (PTX ISA 6.4.2)."""

    name: Name
    number: str


Term = Name | Number | Sum | Not | Pair | Vector | Memory | Index


@dataclass(slots=True)
class Instruction:
    """`@!%p opcode operands;`; `guard` is ("!" or "", name)."""

    opcode: str
    operands: tuple[Term, ...]
    guard: tuple[str, str] | None
    offset: int = field(compare=False)


@dataclass(slots=True)
class Label:
    """`name:`"""

    name: str
    offset: int = field(compare=False)


@dataclass(slots=True)
class Table:
    """`name: .branchtargets a, b;` and the like: `directive`, and the tokens up to the semicolon."""

    name: str
    directive: str
    tokens: tuple[str, ...]
    offset: int = field(compare=False)


@dataclass(slots=True)
class Brace:
    """An opening or closing brace of a scope in a body."""

    opening: bool
    offset: int = field(compare=False)


@dataclass(slots=True)
class Loc:
    """`.loc file line column`, with `function` (label, offset) and `inlined` (file, line, column) where they are given."""

    place: tuple[int, int, int]
    function: tuple[str, int] | None
    inlined: tuple[int, int, int] | None
    offset: int = field(compare=False)


@dataclass(slots=True)
class Item:
    """One name of a declaration: `count` of `%r<5>` (-1: none); sizes of its dimensions ("" where open); the initialiser's
    tokens, and where they start."""

    name: str
    count: int
    dimensions: tuple[str, ...]
    initialiser: tuple[str, ...] | None
    offset: int = field(compare=False)
    start: int = field(compare=False, default=0)


@dataclass(slots=True)
class Declaration:
    """Registers, variables or a parameter: `linking` such as ".visible", the state space, the words between it and the first
    name (attributes and type), and the names."""

    linking: tuple[str, ...]
    space: str
    words: tuple[str, ...]
    items: tuple[Item, ...]
    offset: int = field(compare=False)


@dataclass(slots=True)
class Directive:
    """Any other directive, with the tokens behind it: `.version 8.0`, `.pragma "nounroll";`, `.section .debug_str {…}`."""

    word: str
    tokens: tuple[str, ...]
    offset: int = field(compare=False)


Statement = Instruction | Label | Table | Brace | Loc | Declaration | Directive


@dataclass(slots=True)
class Function:
    """An entry or a function. `words`: attributes before the name; `results` None: no result list; `limits`: the directives
    behind the parameters; `body` None: a declaration only, else its statements between the outer braces."""

    linking: tuple[str, ...]
    kind: str
    words: tuple[str, ...]
    results: tuple[Declaration, ...] | None
    name: str
    params: tuple[Declaration, ...] | None
    limits: tuple[Directive, ...]
    body: list[Statement] | None
    offset: int = field(compare=False)
    start: int = field(compare=False, default=0)


@dataclass(slots=True)
class File:
    """A whole file."""

    items: list[Directive | Declaration | Function | Loc]

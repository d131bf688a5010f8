"""One kernel with what it calls, flat and with names resolved: what bind.py makes of the syntax tree, and lowering reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.syntax import Function


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """A declared register; identity is the object. `index` counts first mentions, so it does not depend on names."""

    index: int
    name: str
    width: int


# The carry bit of the condition code register (PTX ISA 9.7.2), which PTX never names; registers with a name count from 1.
CARRY = Register(0, "the carry", 1)


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable in a state space. `init` None: no initialiser; `reason`: why it cannot be used, empty when it can;
    `parameter`: a parameter of a call, which lies in local memory and whose address is not taken; `kind`: the declared type."""

    name: str
    space: str
    align: int
    size: int
    extern: bool
    init: bytes | None
    reason: str
    order: int
    parameter: bool = False
    kind: str = "b8"


@dataclass(frozen=True, slots=True)
class Reg:
    """A register operand, perhaps negated (`!%p`)."""

    register: Register
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Imm:
    """A literal. `kind`: "int" (value), "f32" or "f64" (value holds the bits), "decimal" (value holds double bits)."""

    kind: str
    value: int


@dataclass(frozen=True, slots=True)
class Sym:
    """A symbol plus a constant: a variable of the function, a parameter of the kernel (`target`), or, by name, a variable of
    the module, a label or a function."""

    name: str
    offset: int
    target: Variable | Param | None = None


@dataclass(frozen=True, slots=True)
class Special:
    """A special register, without the percent sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Sink:
    """The operand `_`."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """An operand that no instruction of the table has, such as an element of an array by its index."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """`%r|%p`."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Vec:
    """`{a, b}`, or the parenthesised list of a call."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Mem:
    """`[base + offset]`; `rest` holds further operands in the brackets (tensor coordinates and such)."""

    base: Operand
    offset: int
    rest: tuple[Operand, ...] = ()


Operand = Reg | Imm | Sym | Special | Sink | Opaque | Pair | Vec | Mem


@dataclass(frozen=True, slots=True)
class Loc:
    """A `.loc`: file number and line, and the call sites it was inlined at (file number, line), innermost first."""

    file: int
    line: int
    callers: tuple[tuple[int, int], ...] = ()


class Scope:
    """A pair of braces in a function: its labels, and the scope around it."""

    __slots__ = ("labels", "parent")

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.labels: dict[str, int] = {}

    def find_label(self, name: str) -> int | None:
        """Index of the label's statement, searched from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One instruction. `opcode` as written, with its modifiers; `offset`: into the text; `reason`: why it cannot be
    executed, or, of a trap, why the thread traps ("": nothing to say)."""

    opcode: str
    operands: tuple[Operand, ...]
    guard: Reg | None
    offset: int
    loc: Loc | None
    scope: Scope
    reason: str = ""

    @property
    def mnemonic(self) -> str:
        return self.opcode.partition(".")[0]

    @property
    def words(self) -> list[str]:
        """Modifiers and types in the order written."""
        return self.opcode.split(".")[1:]


@dataclass
class Kernel:
    """An entry with what it calls inlined. A label is an index into `instructions`: the one it stands before."""

    name: str
    params: tuple[Param, ...]
    limits: dict[str, tuple[int, ...]]
    instructions: list[Instruction] = field(default_factory=list)


@dataclass
class Source:
    """What the file says around the kernel; `initialisers`: the tokens of those of module variables. Of functions and entries
    with several declarations the one with a body counts."""

    version: str = ""
    target: str = ""
    address_size: int = 32  # the default of PTX ISA 11.1.3
    files: dict[int, str] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    entries: dict[str, Function] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    initialisers: list[tuple[str, ...]] = field(default_factory=list)


def flatten(operands: tuple[Operand, ...]) -> Iterator[Operand]:
    """The operands with vectors opened (they do not nest in any instruction that is lowered)."""
    for operand in operands:
        if isinstance(operand, Vec):
            yield from operand.items
        else:
            yield operand

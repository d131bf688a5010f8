"""The kernel in SSA form before its operations are built: instructions with numbers in place of values.

What is canonical is worked out here (numbering.py, schedule.py): on numbers it takes a fraction of what building takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from volta_pipe.passes.lower.steps import Step
from volta_pipe.passes.lower.tree import Instruction, Reg


class Kind(IntEnum):
    """What a node is built as. SINK: the undefined old value of a guarded result that goes nowhere; MOVED: a guarded `ld.param`
    is a load and a move under the guard; NOT: of a negated predicate."""

    UNDEF = 0
    SINK = 1
    SPECIAL = 2
    ADDRESS = 3
    PARAM = 4
    MOVED = 5
    NOT = 6
    INSTRUCTION = 7
    REFUSED = 8


class Move(IntEnum):
    """Where a node may stand: anywhere between what it reads and what reads it; not across an effect; in its place."""

    PURE = 0
    LOAD = 1
    EFFECT = 2


@dataclass(slots=True, eq=False)
class Node:
    """One operation. `number`: among the things of its kernel; `origin`: the instruction that it comes from; `what`: of an
    undefined value its width, of a special register its name, of an address (variable's name, offset, width).

    `operands`: values, first `inputs` sources, then, where there is a `guard`, that and the old values; `results`: values.
    `exchangeable`: the first two operands may change places; `carries`: the carry bit is read or written."""

    number: int
    kind: Kind
    step: Step | None
    origin: Instruction | None
    what: object
    operands: list[int]
    inputs: int
    results: range
    move: Move = Move.PURE
    guard: Reg | None = None
    exchangeable: bool = False
    carries: bool = False


@dataclass(slots=True, eq=False)
class FlowBlock:
    """`arguments`: values; `condition`: a value, -1 where the block does not end in a condition; `passed`: the values for the
    arguments of each successor; `kind` and `end` are those of flow.Block."""

    arguments: list[int]
    kind: str
    end: Instruction | None
    successors: tuple[int, ...]
    nodes: list[Node] = field(default_factory=list)
    condition: int = -1
    passed: list[list[int]] = field(default_factory=list)


@dataclass(eq=False)
class Flow:
    """A kernel. Things that have values are numbered: 0 stands for all constants, then come the arguments of blocks (None in
    `things`), then the nodes.

    `owner`: the thing that each value is of; `widths`: of values, in bits; `constants`: (width, bits) of the values that are
    constants; `places`: (block, place) of each argument, from the thing 1 on."""

    blocks: list[FlowBlock]
    things: list[Node | None] = field(default_factory=lambda: [None])
    owner: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    constants: dict[int, tuple[int, int]] = field(default_factory=dict)
    places: list[tuple[int, int]] = field(default_factory=list)

    def constants_read(self) -> list[int]:
        """The constants that something reads, by width and bits."""
        read: set[int] = set()
        for block in self.blocks:
            read.update((block.condition, *(value for values in block.passed for value in values)))
            for node in block.nodes:
                read.update(node.operands)
        return sorted(read & self.constants.keys(), key=self.constants.__getitem__)

    def walk(self) -> list[Instruction | None]:
        """The instruction that each operation comes from, in the order of operations; None of constants and the like."""
        found: list[Instruction | None] = [None] * len(self.constants_read())
        for block in self.blocks:
            found += [node.origin for node in block.nodes]
            found.append(block.end)
        return found

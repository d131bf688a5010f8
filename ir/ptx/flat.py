"""A kernel of the `ptx` dialect as plain data, with numbers in place of SSA values: what `unroll` reads.

`lower` gives it from what it worked out (passes/lower/flat.py), and flatten.py from a module of xDSL that was read: the same of
both, so a kernel that was lowered in this process is unrolled without loading xDSL, which takes longer than both stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from volta_pipe.ir.ptx.words import Param

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

# An instruction's mnemonic, its modifiers (sorted), and its types in PTX order.
Spelling = tuple[str, tuple[str, ...], tuple[str, ...]]


class FlatOp(NamedTuple):
    """An operation. name: without the dialect, so of an instruction its mnemonic; results, inputs, old: numbers of values;
    guard: that of its guard, or -1, and whether it is negated. An operation that is no instruction has all of its operands in
    `inputs`.

    spelling: of an instruction. number: the bits of a constant, or the offset in bytes of an address, parameter or memory
    operand; second: that of a second one. word: the name of a special register or variable, a parameter's type, or why a trap
    or an unmodelled instruction stops the run, None where it does not say."""

    name: str
    results: Sequence[int]
    inputs: list[int]
    guard: int = -1
    old: Sequence[int] = ()
    negated: bool = False
    spelling: Spelling | None = None
    number: int = 0
    second: int = 0
    word: str | None = None


@dataclass(frozen=True)
class FlatBlock:
    """A block. arguments: numbers of its arguments; edges: its successors with the values for their arguments."""

    arguments: range
    ops: list[FlatOp]
    edges: list[tuple[int, list[int]]]


@dataclass(frozen=True)
class FlatVariable:
    """A variable of a state space; align and size in bytes; init: its initial contents, where given."""

    name: str
    space: str
    align: int
    size: int
    extern: bool
    init: bytes | None


@dataclass(frozen=True)
class FlatKernel:
    """A kernel with the variables of its module. widths: of values, in bits; they are numbered as they are defined. maxntid and
    reqntid: as declared, or None."""

    name: str
    parameters: tuple[Param, ...]
    maxntid: tuple[int, ...] | None
    reqntid: tuple[int, ...] | None
    variables: tuple[FlatVariable, ...]
    blocks: list[FlatBlock]
    widths: list[int]

    @cached_property
    def constants(self) -> dict[int, int]:
        """The bits of the values that are constants."""
        return {op.results[0]: op.number for block in self.blocks for op in block.ops if op.name == "constant"}

    @cached_property
    def read(self) -> set[int]:
        """The values that something reads."""
        found: set[int] = set()
        for block in self.blocks:
            for op in block.ops:
                found.update(op.inputs)
                found.update(op.old)
                found.add(op.guard)
        return found


def flat_of(module: ModuleOp | FlatKernel) -> FlatKernel:
    """The kernel of a module of xDSL; what is plain data already stays as it is. Errors: ArtifactError when a module has not
    exactly one kernel."""
    if isinstance(module, FlatKernel):
        return module
    from volta_pipe.ir.ptx.flatten import flatten

    return flatten(module)

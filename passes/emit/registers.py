"""Registers for the values of a kernel: values that flow into each other share one, where they are never alive together.

Of a module that `lower` made no copy is ever needed, as each value there stems from one register. Other modules may be in any
SSA form: what cannot share a register is copied on the edge (the block arguments) or before the operation (the old values of
guarded results), as Sreedhar et al. do (SAS 1999)."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx import InstructionOp, UndefOp
from volta_pipe.passes.emit.liveness import Definitions, definitions, edges, is_constant, reads

_CARRYING = frozenset({"addc", "subc", "madc"})


def carry_out(op: object) -> SSAValue | None:
    """The result of an instruction that PTX keeps in the condition code register, which has no name there."""
    if isinstance(op, InstructionOp) and "cc" in op.modifier_names:
        return op.res[-1]
    return None


def carry_in(op: object) -> SSAValue | None:
    """The operand of an instruction that is the condition code register."""
    if isinstance(op, InstructionOp) and op.mnemonic in _CARRYING:
        return op.inputs[-1]
    return None


def is_sink(op: InstructionOp, place: int) -> bool:
    """Whether a result is a `_`: nobody reads it, nor what was there before."""
    if op.res[place].first_use is not None or op.guard is None:
        return False
    old = op.old[place]
    owner = old.owner
    if not isinstance(owner, UndefOp) or owner.next_op is None or len(list(old.uses)) != 1:
        return False
    # `lower` puts the value of a sink directly before the instruction.
    following: Operation | None = owner.next_op
    while isinstance(following, UndefOp):
        following = following.next_op
    return following is op


class Classes:
    """Partition of the values of a region into registers: `find` gives the representative of a value."""

    def __init__(self, region: Region) -> None:
        self._parent: dict[SSAValue, SSAValue] = {}
        affinities = list(_affinities(region))
        for one, other in affinities:
            self._union(one, other)
        spoilt = self._conflicts(region)
        if spoilt:
            self._split(region, affinities, spoilt)
        self.carry = self._carry(region)

    def find(self, value: SSAValue) -> SSAValue:
        """The representative of a value's class."""
        parent = self._parent
        root = value
        while root in parent:
            root = parent[root]
        while value is not root:
            parent[value], value = root, parent[value]
        return root

    def _union(self, one: SSAValue, other: SSAValue) -> None:
        one, other = self.find(one), self.find(other)
        if one is not other:
            self._parent[other] = one

    def _conflicts(self, region: Region) -> set[SSAValue]:
        """The representatives of classes with two members that are alive together."""
        return {self.find(one) for found in definitions(region) for one, _ in self._clashes(found)}

    def _clashes(self, found: Definitions) -> Iterator[tuple[SSAValue, SSAValue]]:
        """Pairs of one class of which one is written while the other must be kept."""
        kept: dict[SSAValue, list[SSAValue]] = {}
        for value in found.live:
            kept.setdefault(self.find(value), []).append(value)
        for place, value in enumerate(found.values):
            name = self.find(value)
            yield from ((value, other) for other in kept.get(name, ()))
            yield from ((value, other) for other in found.values[:place] if self.find(other) is name)
            if isinstance(found.op, InstructionOp) and found.op.guard is not None:
                # Where the old value has to be copied first, the copy must not change what the instruction reads.
                old = found.op.old[place]
                yield from ((value, one) for one in found.op.operands if one is not old and self.find(one) is name)

    def _split(self, region: Region, affinities: list[tuple[SSAValue, SSAValue]], spoilt: set[SSAValue]) -> None:
        """Dissolve the classes and join again, affinity by affinity, what does not clash."""
        clashes: dict[SSAValue, set[SSAValue]] = {}
        for found in definitions(region):
            for one, other in self._clashes(found):
                clashes.setdefault(one, set()).add(other)
                clashes.setdefault(other, set()).add(one)
        again = [(one, other) for one, other in affinities if self.find(one) in spoilt]
        loose = {value for pair in again for value in pair}
        self._parent = {value: self.find(value) for value in list(self._parent) if self.find(value) not in spoilt}
        members = {value: {value} for value in loose}
        for one, other in again:
            first, second = self.find(one), self.find(other)
            if first is second or any(clashes.get(value, set()) & members[second] for value in members[first]):
                continue
            self._parent[second] = first
            members[first] |= members[second]

    def _carry(self, region: Region) -> SSAValue | None:
        """The one class that is the condition code register; raises UnsupportedError where it would have to be several."""
        found: dict[SSAValue, None] = {}
        for block in region.blocks:
            for op in block.ops:
                for value in (carry_out(op), carry_in(op)):
                    if value is not None:
                        found[self.find(value)] = None
        if len(found) > 1 or any(is_constant(value) for value in found):
            raise UnsupportedError("two carries are needed at once, and PTX has one condition code register")
        carry = next(iter(found), None)
        for block in region.blocks if carry is not None else ():
            _check_carry(block, carry, self)
        return carry


def _check_carry(block: Block, carry: SSAValue | None, classes: Classes) -> None:
    """The condition code register can be read by addc and its like only."""
    for op in block.ops:
        operands = list(op.operands)
        if isinstance(op, InstructionOp):
            # Inputs come first, the last of them the carry; the last of the old values is that of the carry.
            operands = operands[: len(op.inputs) - (carry_in(op) is not None)]
            operands += [
                *([op.guard] if op.guard is not None else []),
                *list(op.old)[: -1 if carry_out(op) is not None else None],
            ]
        elif op.successors:
            operands = reads(op)
        if any(classes.find(value) is carry for value in operands):
            raise UnsupportedError("a carry is used as a value, and PTX gives the condition code register no name")


def _affinities(region: Region) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Pairs of values between which a copy would be needed: the new value first."""
    carry: SSAValue | None = None
    for block in region.blocks:
        for successor, values in edges(block):
            for argument, value in zip(successor.args, values, strict=True):
                if not is_constant(value):
                    yield argument, value
        for op in block.ops:
            if not isinstance(op, InstructionOp):
                continue
            for place, old in enumerate(op.old):
                inside = isinstance(old.owner, UndefOp) and old.owner.parent is not region.blocks[0]
                if not is_constant(old) and not inside and not is_sink(op, place):
                    yield op.res[place], old
            for one in (carry_in(op), carry_out(op)):
                if one is not None and not is_constant(one):
                    if carry is not None and carry is not one:
                        yield carry, one
                    carry = one

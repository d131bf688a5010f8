"""A lowered kernel as plain data (ir/ptx/flat.py), from its nodes: what flatten.py makes of the module that build.py makes of
them, without either."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from volta_pipe.ir.ptx.flat import FlatBlock, FlatKernel, FlatOp, FlatVariable, Spelling
from volta_pipe.ir.ptx.words import refusal
from volta_pipe.passes.lower.flow import BRANCH, TRAP
from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind, Node
from volta_pipe.passes.lower.tree import Variable
from volta_pipe.passes.lower.write import Heading, signed


def flat_kernel(flow: Flow, heading: Heading, variables: Mapping[Variable, str]) -> FlatKernel:
    """The kernel with the variables that it mentions, each with its name in the module."""
    made = _Flattened(flow)
    limits = heading.limits.get("maxntid"), heading.limits.get("reqntid")
    declared = tuple(
        FlatVariable(name, one.space, one.align, one.size, one.extern, one.init) for one, name in variables.items()
    )
    return FlatKernel(heading.name, heading.params, *limits, declared, made.blocks, made.widths)


class _Flattened:
    """The `blocks` of a kernel, and the `widths` of its values, which are numbered as they are defined."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.widths: list[int] = []
        self.numbers = [-1] * len(flow.widths)
        constants = flow.constants_read()
        places: list[tuple[range, list[range]]] = []
        first = [self._define([value]) for value in constants]  # at the head of the first block, which has no arguments
        for block in flow.blocks:
            places.append((self._define(block.arguments), [self._define(node.results) for node in block.nodes]))
        self.blocks: list[FlatBlock] = []
        for block, (arguments, results) in zip(flow.blocks, places, strict=True):
            ops = [self._node(node, made) for node, made in zip(block.nodes, results, strict=True)]
            if not self.blocks:
                ops[:0] = [self._constant(value, made) for value, made in zip(constants, first, strict=True)]
            passed = [self._values(values) for values in block.passed]
            ops.append(self._end(block, passed))
            self.blocks.append(FlatBlock(arguments, ops, list(zip(block.successors, passed, strict=True))))

    def _define(self, values: Iterable[int]) -> range:
        first = len(self.widths)
        for value in values:
            self.numbers[value] = len(self.widths)
            self.widths.append(self.flow.widths[value])
        return range(first, len(self.widths))

    def _values(self, values: list[int]) -> list[int]:
        numbers = self.numbers
        return [numbers[value] for value in values]

    def _constant(self, value: int, results: range) -> FlatOp:
        width, bits = self.flow.constants[value]
        return FlatOp("constant", results, [], number=bits & ((1 << width) - 1))

    def _node(self, node: Node, results: range) -> FlatOp:
        kind, step = node.kind, node.step
        what: Any = node.what
        if kind in (Kind.UNDEF, Kind.SINK):
            return FlatOp("undef", results, [])
        if kind is Kind.SPECIAL:
            return FlatOp("special", results, [], word=what)
        if kind is Kind.ADDRESS:
            return FlatOp("address", results, [], number=signed(what[1]), word=what[0])
        operands = self._values(node.operands)
        inputs, rest = operands[: node.inputs], operands[node.inputs :]
        if kind is Kind.NOT:
            return FlatOp("not", results, inputs, -1, [], spelling=("not", (), ("pred",)))
        assert step is not None
        if kind is Kind.PARAM:
            assert step.param is not None
            return FlatOp("ld_param", results, [], number=step.param, word=step.types[0])
        place = (rest[0], rest[1:], node.guard.negated) if node.guard is not None else (-1, rest[1:], False)
        if kind is Kind.REFUSED:
            return FlatOp("unmodelled", results, inputs, *place, word=refusal(step.instruction.opcode, step.reason or ""))
        if kind is Kind.MOVED:
            spelling: Spelling = ("mov", (), (f"b{self.widths[results.start]}",))
        else:
            spelling = (step.instruction.mnemonic, tuple(sorted(step.modifiers)), step.types)
        offsets = signed(step.offset or 0), signed(step.offset2 or 0)
        return FlatOp(spelling[0], results, inputs, *place, spelling, *(offsets if kind is not Kind.MOVED else (0, 0)))

    def _end(self, block: FlowBlock, passed: list[list[int]]) -> FlatOp:
        """The terminator."""
        read = [value for values in passed for value in values]
        if block.condition >= 0:
            return FlatOp("cond_br", range(0), [self.numbers[block.condition], *read])
        if block.kind == BRANCH:
            return FlatOp("br", range(0), read)
        if block.kind == TRAP:
            return FlatOp("trap", range(0), [], word=(block.end.reason if block.end is not None else "") or None)
        return FlatOp("ret", range(0), [])

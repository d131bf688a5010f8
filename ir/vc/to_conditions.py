"""From a module of the `vc` dialect to an expression graph. A module can come from anywhere: everything is checked."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import FIXED_CONSTANTS, Conditions, Graph, validate
from volta_pipe.ir.modules import damaged
from volta_pipe.ir.modules.attributes import number_of, text_of, texts_of
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.vc.operations import (
    ConditionsOp,
    ConstOp,
    LeafOp,
    NodeOp,
    OutputOp,
    ParameterOp,
    ScalarOp,
    TensorOp,
    UninitOp,
)

_Key = tuple[int, int, int, int]


def conditions_of(module: ModuleOp) -> Conditions:
    """The conditions of a verified module (see `parse_module`). Equal expressions become one node, whoever wrote them twice.

    Errors: ArtifactError with the place of what does not fit."""
    reader = _Reader()
    ops = list(module.body.ops)
    if not ops or not isinstance(ops[0], ConditionsOp):
        raise ArtifactError("a vc module starts with vc.conditions")
    functions = [op for op in ops[1:] if isinstance(op, FuncOp)]
    if len(functions) != 1 or functions[0] is not ops[-1]:
        raise damaged(ops[-1], "a vc module ends with its one function")
    for op in [*ops[1:-1], *_body(functions[0])]:
        try:
            reader.take(op, top=op.parent_op() is module)
        except VerifyException as error:
            raise damaged(op, str(error)) from None
    for table, what in ((reader.tensors, "tensors"), (reader.scalars, "scalars")):
        if "" in table.values() and {*table.values()} != {""}:
            raise damaged(ops[0], f"either all {what} have a dtype, or none")
    return reader.conditions(texts_of(ops[0].assumptions))


def _body(function: FuncOp) -> list[Operation]:
    blocks = list(function.body.blocks)
    ops = list(blocks[0].ops) if len(blocks) == 1 else []
    if not ops or not isinstance(ops[-1], ReturnOp) or ops[-1].operands or blocks[0].args:
        raise damaged(function, "the function is one block of nodes, outputs and func.return")
    return ops[:-1]


@dataclass
class _Reader:
    """Collects nodes, each structure once. `tensors`, `scalars`: dtype by name, in order."""

    tensors: dict[str, str] = field(default_factory=dict)
    scalars: dict[str, str] = field(default_factory=dict)
    outputs: dict[int, np.ndarray[tuple[int], np.dtype[np.int32]]] = field(default_factory=dict)
    constants: dict[bytes, float] = field(default_factory=dict)
    nodes: dict[_Key, int] = field(default_factory=dict)
    values: dict[SSAValue, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes[Node.NONE, 0, 0, 0] = 0
        for value in FIXED_CONSTANTS:
            self._intern((Node.CONST, self._constant(value), 0, 0))

    def take(self, op: Operation, *, top: bool) -> None:
        """One operation of the module (`top`) or of its function. Errors: VerifyException."""
        if isinstance(op, TensorOp) and top:
            size = number_of(op.outputs)
            if size >= 0:
                self.outputs[len(self.tensors)] = np.zeros(size, np.int32)
            self._declare(self.tensors, text_of(op.tensor_name), op.type.data)
        elif isinstance(op, ParameterOp) and top:
            self._declare(self.scalars, text_of(op.parameter_name), op.type.data)
        elif isinstance(op, NodeOp) and not top:
            self.values[op.res] = self._intern(self._key(op))
        elif isinstance(op, OutputOp) and not top:
            self._output(op)
        else:
            raise VerifyException(f"it does not stand {'at the top of a vc module' if top else 'in the function'}")

    def _declare(self, table: dict[str, str], name: str, kind: str) -> None:
        if name in table:
            raise VerifyException(f"'{name[:40]}' is declared twice")
        table[name] = kind

    def _key(self, op: NodeOp) -> _Key:
        """The structure of a node."""
        kind = int(op.NODE)
        if isinstance(op, ConstOp):
            return kind, self._constant(float(op.value.value.data)), 0, 0
        if isinstance(op, LeafOp):
            return kind, self._place(self.tensors, text_of(op.tensor), "tensor"), number_of(op.index), 0
        if isinstance(op, ScalarOp):
            return kind, self._place(self.scalars, text_of(op.parameter), "scalar"), 0, 0
        if isinstance(op, UninitOp):
            return kind, number_of(op.instruction), 0, 0
        a, b, c = ([self._value(operand) for operand in op.operands] + [0, 0])[:3]
        return kind, a, b, c

    def _value(self, value: SSAValue) -> int:
        found = self.values.get(value)
        if found is None:
            raise VerifyException("an operand is used before it is defined")
        return found

    def _place(self, table: dict[str, str], name: str, what: str) -> int:
        if name not in table:
            raise VerifyException(f"there is no {what} '{name[:40]}'")
        return [*table].index(name)

    def _constant(self, value: float) -> int:
        """The number of a constant, which is told from others by its bits."""
        bits = struct.pack("<d", value)
        self.constants.setdefault(bits, value)
        return [*self.constants].index(bits)

    def _intern(self, key: _Key) -> int:
        return self.nodes.setdefault(key, len(self.nodes))

    def _output(self, op: OutputOp) -> None:
        place = self._place(self.tensors, text_of(op.tensor), "tensor")
        roots, index = self.outputs.get(place), number_of(op.index)
        if roots is None or index >= len(roots):
            size = "is no output" if roots is None else f"has {len(roots)} elements"
            raise VerifyException(f"there is no output element {index}: '{text_of(op.tensor)}' {size}")
        if roots[index]:
            raise VerifyException(f"output element {index} of '{text_of(op.tensor)}' is given twice")
        roots[index] = self._value(op.value)

    def conditions(self, assumptions: tuple[str, ...]) -> Conditions:
        """What was collected. Errors: ArtifactError where it is no graph."""
        table = np.array([*self.nodes], np.int64).T
        a, b, c = (np.ascontiguousarray(column) for column in table[1:].astype(np.int32))
        graph = Graph(table[0].astype(np.uint8), a, b, c, np.array([*self.constants.values()], np.float64))
        validate(graph, [*self.outputs.values()], len(self.tensors), len(self.scalars))
        types = [tuple(table.values()) if any(table.values()) else () for table in (self.tensors, self.scalars)]
        return Conditions(graph, self.outputs, tuple(self.tensors), tuple(self.scalars), assumptions, types[0], types[1])

"""One run of a spec on symbolic arrays: what it is called with, and what it must return."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, Place, UnsupportedError
from volta_pipe.ir.graph import Conditions, Int32
from volta_pipe.ir.graph_order import ordered
from volta_pipe.ir.launch import Launch, Tensor, types_of
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share
from volta_pipe.passes.dropped import assumed
from volta_pipe.passes.trace import (  # noqa: F401 (they fill FUNCTIONS)
    composed,
    elementwise,
    piecewise,
    placing,
    products,
    reductions,
    structure,
)
from volta_pipe.passes.trace.calling import arguments, head, returned
from volta_pipe.passes.trace.known import known
from volta_pipe.passes.trace.making import tracing
from volta_pipe.passes.trace.meeting import as_nodes
from volta_pipe.passes.trace.spec import SpecSource
from volta_pipe.passes.trace.symbolic import Symbolic
from volta_pipe.passes.trace.tape import Tape

# What NumPy computes in for each dtype; those that NumPy lacks are taken in the next wider float.
NUMPY_DTYPES: dict[str, Any] = {
    "f64": np.float64, "f32": np.float32, "tf32": np.float32, "f16": np.float16, "bf16": np.float32, "e4m3": np.float32,
    "e5m2": np.float32, "s8": np.int8, "u8": np.uint8, "s16": np.int16, "u16": np.uint16, "s32": np.int32, "u32": np.uint32,
    "s64": np.int64, "u64": np.uint64, "b8": np.uint8,
}  # fmt: skip


def trace(spec: SpecSource, launch: Launch) -> Conditions:
    """What the spec computes for each element of each out and inout tensor.

    The spec is called by keyword with those in and inout tensors and scalars that its signature names; contents that are known
    before the launch are plain arrays. Errors, with the spec's file and line: InputError, and UnsupportedError for what a proof
    cannot follow (sorting, bitwise work on integers that depend on inputs, …)."""
    tape = Tape(spec)
    values = _arguments(tape, launch)
    with spec.running(), tracing(tape):
        result = spec.function(**arguments(spec, launch, values) | dict(spec.options))
    tape.check_refused()
    tape.check("the spec")
    tensors_out = {t.name: (index, t) for index, t in enumerate(launch.tensors) if t.role in ("out", "inout")}
    found = returned(spec, launch, result)
    roots = {index: _roots(tape, tensor, found[name]) for name, (index, tensor) in tensors_out.items()}
    tape.check("the spec's result")
    graph, shared = ordered(*share(tape.store, list(roots.values())))
    tensors, scalars = tuple(t.name for t in launch.tensors), tuple(s.name for s in launch.scalars)
    try:
        said = tuple(sorted({*assumed(tape.store, launch), *tape.assumptions}))
    except UnsupportedError as error:
        raise UnsupportedError(f"{spec.name}: {error.message}", Place(str(spec.path))) from None
    outputs = dict(zip(roots, shared, strict=True))
    return Conditions(graph, outputs, tensors, scalars, said, *types_of(launch))


def _arguments(tape: Tape, launch: Launch) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for index, tensor in enumerate(launch.tensors):
        if tensor.role not in ("in", "inout"):
            continue
        dtype = NUMPY_DTYPES[tensor.dtype]
        if tensor.values is not None:
            values[tensor.name] = np.array(np.broadcast_to(tensor.values, tensor.shape), dtype)
            continue
        owner, elements = _memory(tape.spec, launch, index)
        nodes = tape.inputs(Node.LEAF, owner, elements)
        values[tensor.name] = Symbolic(tape, nodes.reshape(tensor.shape), dtype)
    for index, scalar in enumerate(launch.scalars):
        scalar_dtype = NUMPY_DTYPES[scalar.dtype]
        if scalar.value is not None:
            values[scalar.name] = scalar_dtype(scalar.value)
        else:
            values[scalar.name] = Symbolic(tape, tape.inputs(Node.SCALAR, index, [0])[0], scalar_dtype)
    return values


def _memory(spec: SpecSource, launch: Launch, index: int) -> tuple[int, Any]:
    """The tensor that owns the memory of tensor `index`, and which element of the owner each element is."""
    tensor = launch.tensors[index]
    owner = index
    while launch.tensors[owner].alias_of >= 0:
        owner = launch.tensors[owner].alias_of
    if owner == index:
        return index, np.arange(tensor.size)
    base = launch.tensors[owner]
    where = {int(offset): element for element, offset in enumerate(base.element_offsets())}
    elements = [where.get(int(offset), -1) for offset in tensor.element_offsets()]
    if base.dtype != tensor.dtype or base.role not in ("in", "inout") or -1 in elements:
        one, other = (f"{t.name} ({t.dtype}, shape {t.shape}, {t.role})" for t in (tensor, base))
        message = f"{one} shares memory with {other}: for a spec dtype and layout must be the same, the latter in or inout"
        raise InputError(message, replace(head(spec), field="aliases"))
    return owner, np.array(elements, np.int64)


def _roots(tape: Tape, tensor: Tensor, value: Any) -> Int32:
    """The nodes of one returned tensor, int32 [size]."""
    if isinstance(value, Symbolic) and (values := known(value)) is not None:
        value = values
    dtype = np.dtype(NUMPY_DTYPES[tensor.dtype])
    if not isinstance(value, Symbolic) and value.dtype.kind == "f":
        if dtype.kind != "f":
            message = f"{tape.spec.name} returns {tensor.name} as {value.dtype}, the contract says {tensor.dtype}"
            raise InputError(message, replace(head(tape.spec), field=f"tensors.{tensor.name}.dtype"))
        dtype = value.dtype
    return np.ascontiguousarray(as_nodes(tape, value, dtype), np.int32).reshape(-1)

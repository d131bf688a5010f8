"""The condition under which the proved kernel may be called: all that the contract takes for granted, as a Python expression
and as a function for a dispatcher that has something to fall back on.

Both are made of names that contracts may have, of numbers, and of expressions that were parsed; nothing else that a contract
says gets into them. What is no precondition is left out: `range`, which proofs do not use, and what the verdict assumes."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations as pairs
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from volta_pipe.driver.arguments import POINTER, ArgumentPlan
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.expressions import respelled
from volta_pipe.driver.fields import Expression
from volta_pipe.driver.python_text import PARAMETERS, Names, float_text, row_text
from volta_pipe.driver.tensors import TensorPlan
from volta_pipe.ir.errors import UnsupportedError

if TYPE_CHECKING:
    from volta_pipe.driver.pipeline import Combination

_FORMATS = {"f64": "<d", "f32": "<f", "f16": "<e"}


def dispatch(contract: Contract, proved: Sequence[Combination]) -> dict[str, str] | None:
    """{"expression", "function"} of the combinations that were proved; None where there is none, where the contract chooses
    CTAs (a call runs them all), or where what memory must hold cannot be said in a line."""
    if not proved or contract.candidate.ctas is not None:
        return None
    dims = [name for name, _ in contract.dims]
    names = Names.choose([*dims, *(t.name for t in contract.tensors), *(s.name for s in contract.scalars)])
    try:
        conditions = [*_conditions(contract, proved, names)]
    except _UnsaidError:
        return None
    return {"expression": " and ".join(conditions), "function": _function(contract, names, conditions)}


class _UnsaidError(Exception):
    """A precondition that the text cannot hold."""


def _function(contract: Contract, names: Names, conditions: Sequence[str]) -> str:
    """The source of `accepts`. It imports nothing but what the conditions call."""
    text = "\n".join(conditions)
    lines = [f"def accepts({', '.join(PARAMETERS)}):", '    """Whether the proof covers a call of the kernel."""']
    lines += [
        f"    from {module} import {name}" for module, name in (("hashlib", "sha256"), ("struct", "pack")) if f"{name}(" in text
    ]
    tensors, scalars = (tuple(one.name for one in group) for group in (contract.tensors, contract.scalars))
    for source, group in (("dims", tuple(name for name, _ in contract.dims)), ("tensors", tensors), ("scalars", scalars)):
        lines += [f'    {names.of[name]} = {source}["{name}"]' for name in group]
    body = "\n        and ".join(conditions)
    return "\n".join([*lines, "    return bool(", f"        {body}", "    )", ""])


def _conditions(contract: Contract, proved: Sequence[Combination], names: Names) -> Iterator[str]:
    """All preconditions, the cheap ones first: what memory holds is looked at in calls that fit otherwise only."""
    plan = proved[0].plan.candidate
    yield from _dims([one.plan.dims for one in proved], names)
    for tensor in plan.tensors:
        spec, own = tensor.spec, names.of[tensor.spec.name]
        yield f'{own}.dtype == "{spec.dtype}"'
        yield f"tuple({own}.shape) == {names.row(spec.shape)}"
        yield f"tuple({own}.strides) == {names.row(_strides(tensor))}"
        if spec.align > 1:
            yield f"{own}.address % {spec.align} == 0"
    yield from _memory(plan.tensors, names)
    for name, dtype, value in plan.scalars:
        if value is not None:
            yield _scalar(names.of[name], value)
        elif DTYPES[dtype].kind == "f":
            yield f'abs({names.of[name]}) < float("inf")'
    kernel = contract.candidate
    for key, values in (("grid", kernel.grid), ("block", kernel.block)):
        yield f"tuple(launch.{key}) == {names.row((*values, 1, 1)[:3])}"
    yield f"launch.shared == {names.number(kernel.shared)}"
    yield f"tuple(launch.args) == {row_text([_argument(argument, names) for argument in plan.arguments])}"
    for tensor in plan.tensors:
        if tensor.spec.values is not None:
            yield _contents(tensor, names)
    for one in plan.globals:
        if one.tensor < 0:
            yield f'variables[{one.name!a}] == bytes.fromhex("{one.content.hex()}")'
        elif plan.tensors[one.tensor].spec.strides is None:
            yield f'variables[{one.name!a}] == contents["{plan.tensors[one.tensor].spec.name}"]'
        else:
            raise _UnsaidError  # contents are given without the gaps that the variable has, too


def _scalar(name: str, value: int | float) -> str:
    if isinstance(value, int):
        return f"{name} == {value}"
    if value == 0:
        return f'str(float({name})) == "{value}"'  # 0.0 and -0.0 are equal, their reciprocals are not
    return f"{name} == {float_text(value)}"


def _argument(argument: ArgumentPlan, names: Names) -> str:
    """What the kernel is passed: a pointer is an address, and null is 0."""
    text = argument.text
    if argument.kind == "null":
        return "0"
    if argument.kind == "scalar":
        return names.of[text.strip()]
    if argument.kind == "number":
        return float_text(argument.number) if isinstance(argument.number, float) else respelled(text, names.of)
    name, offset = POINTER.fullmatch(text).groups()  # type: ignore[union-attr]
    return f"{names.of[name]}.address" + (f" + ({respelled('0' + offset, names.of)})" if offset else "")


def _dims(proved: Sequence[Mapping[str, int]], names: Names) -> Iterator[str]:
    """Which dims were proved: each on its own, or as rows where the proved combinations are no product."""
    values = {name: sorted({dims[name] for dims in proved}) for name in proved[0]}
    many = [name for name in values if len(values[name]) > 1]
    product = len(proved) == prod(len(found) for found in values.values())
    yield from (_among(names.of[name], found) for name, found in values.items() if product or name not in many)
    if not product:
        rows = sorted(tuple(dims[name] for name in many) for dims in proved)
        yield f"{row_text([names.of[name] for name in many])} in {row_text([str(row) for row in rows])}"


def _among(name: str, values: Sequence[int]) -> str:
    """`n == 4`, `n in (32, 33)` or `n in range(8, 65, 8)`."""
    if len(values) == 1:
        return f"{name} == {values[0]}"
    step = values[1] - values[0]
    if len(values) > 2 and list(values) == list(range(values[0], values[-1] + 1, step)):
        return f"{name} in range({values[0]}, {values[-1] + 1}{f', {step}' * (step > 1)})"
    return f"{name} in {row_text([str(value) for value in values])}"


def _strides(tensor: TensorPlan) -> tuple[Expression, ...]:
    """In elements, as the contract has them, or row by row."""
    spec = tensor.spec
    if spec.strides is not None:
        return spec.strides
    behind = [spec.shape[axis + 1 :] for axis in range(len(spec.shape))]
    return tuple(_product(part) for part in behind)


def _product(factors: Sequence[Expression]) -> Expression:
    return " * ".join(str(f) if isinstance(f, int) or f.isidentifier() else f"({f})" for f in factors) if factors else 1


def _memory(tensors: Sequence[TensorPlan], names: Names) -> Iterator[str]:
    """Which tensors share memory, and that all others lie apart."""
    for tensor in tensors:
        if tensor.alias_of >= 0:
            yield f"{names.of[tensor.spec.name]}.address == {names.of[tensors[tensor.alias_of].spec.name]}.address"
    own = [tensor for tensor in tensors if tensor.alias_of < 0]
    for one, other in pairs(own, 2):
        a, b = (f"{names.of[t.spec.name]}.address" for t in (one, other))
        yield f"({a} + {_extent(one, names)} <= {b} or {b} + {_extent(other, names)} <= {a})"


def _extent(tensor: TensorPlan, names: Names) -> str:
    """Bytes from the base to the end of the last element."""
    spec, size = tensor.spec, DTYPES[tensor.spec.dtype].size
    if spec.strides is None:
        return " * ".join([str(size), *(names.number(n) for n in spec.shape)])
    last = [f"({names.number(n)} - 1) * {names.number(s)}" for n, s in zip(spec.shape, spec.strides, strict=True)]
    return f"{size} * ({' + '.join([*last, '1'])})"


def _contents(tensor: TensorPlan, names: Names) -> str:
    """What a tensor with `values` holds: its elements row by row, each in its dtype's bytes, the lowest first."""
    spec = tensor.spec
    dtype, values = DTYPES[spec.dtype], spec.values
    held, count = f'contents["{spec.name}"]', " * ".join([names.number(n) for n in spec.shape] or ["1"])
    if isinstance(values, Path):
        return f'sha256({held}).hexdigest() == "{hashlib.sha256(_file_bytes(tensor)).hexdigest()}"'
    if values == "index":
        if dtype.kind != "f":
            return f'{held} == bytes().join(i.to_bytes({dtype.size}, "little") for i in range({count}))'
        if spec.dtype not in _FORMATS:
            raise _UnsaidError
        return f'{held} == bytes().join(pack("{_FORMATS[spec.dtype]}", i) for i in range({count}))'
    assert isinstance(values, int | float)
    return f'{held} == bytes.fromhex("{_element(values, spec.dtype).hex()}") * ({count})'


def _element(value: int | float, dtype: str) -> bytes:
    """The bytes of one element. Errors: _UnsaidError for floats that the machine does not know the contents of, either."""
    if DTYPES[dtype].kind != "f":
        return int(value).to_bytes(DTYPES[dtype].size, "little", signed=value < 0)
    if dtype not in _FORMATS:
        raise _UnsaidError
    return struct.pack(_FORMATS[dtype], value)


def _file_bytes(tensor: TensorPlan) -> bytes:
    """The elements that a .npy file gives the tensor, row by row."""
    built = tensor.build()
    rows = tuple(prod(built.shape[axis + 1 :]) for axis in range(len(built.shape)))
    try:
        return replace(built, strides=rows).known_bytes().tobytes()
    except UnsupportedError:
        raise _UnsaidError from None

"""Module variables that the host sets: what [globals] says, as bytes of the variable that the PTX declares."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from volta_pipe.driver.dtypes import DTYPES, fit, integer_range
from volta_pipe.driver.fields import close, shown
from volta_pipe.driver.plan import Global, KernelPlan
from volta_pipe.driver.toml_lines import Source
from volta_pipe.ir.errors import InputError

_FORMATS = {"f64": "<d", "f32": "<f", "f16": "<e"}


@dataclass(frozen=True)
class Variable:
    """A variable as the PTX declares it: `type` without the dot, `size` in bytes."""

    name: str
    type: str
    size: int


def resolve(
    values: Sequence[tuple[str, Any]], kernel: KernelPlan, variables: Sequence[Variable], source: Source
) -> tuple[Global, ...]:
    """What the variables that one PTX declares hold. Errors: InputError at the field where a value does not fit."""
    declared = {one.name: one for one in variables}
    found: list[Global] = []
    for name, value in values:
        variable = declared.get(name)
        if variable is None:
            continue  # perhaps of the other side, see `unknown`
        path = ("globals", name)
        if isinstance(value, str):
            found.append(_tensor(variable, value, kernel, source))
            continue
        numbers = list(_flat(value))
        try:
            dtype = _dtype(variable, numbers)
            content = b"".join(_bits(number, dtype) for number in numbers)
        except (ValueError, OverflowError) as error:
            raise source.error(path, str(error)) from None
        if len(content) != variable.size:
            raise source.error(path, f"gives {len(content)} bytes ({len(numbers)} of {dtype}), {_declared(variable)}")
        found.append(Global(name, f"{shown(_written(value))} ({dtype})", -1, content))
    return tuple(found)


def unknown(name: str, variables: Sequence[Variable], source: Source) -> InputError:
    """The error for a variable that no PTX declares."""
    names = tuple(one.name for one in variables)
    known = ", ".join(names) or "none"
    return source.error(
        ("globals", name), f"no variable in .const or .global memory has this name{close(name, names)} ({known})"
    )


def _declared(variable: Variable) -> str:
    return f"the variable has {variable.size:,} (.{variable.type})"


def _tensor(variable: Variable, text: str, kernel: KernelPlan, source: Source) -> Global:
    path = ("globals", variable.name)
    names = tuple(tensor.spec.name for tensor in kernel.tensors)
    if text not in names:
        raise source.error(path, f"unknown tensor '{text}'{close(text, names)} (tensors: {', '.join(names)})")
    index = names.index(text)
    tensor = kernel.tensors[index]
    if tensor.spec.values is None and tensor.spec.role not in ("in", "inout"):
        raise source.error(path, f"tensor {text} has the role {tensor.spec.role}: it holds nothing before the launch")
    if tensor.extent != variable.size:
        raise source.error(path, f"tensor {text} has {tensor.extent:,} bytes, {_declared(variable)}")
    return Global(variable.name, f"what tensor {text} holds", index)


def _flat(value: Any) -> Sequence[int | float]:
    """The numbers of a value, lists in lists opened."""
    if not isinstance(value, tuple):
        return [value]
    return [number for item in value for number in _flat(item)]


def _written(value: Any) -> Any:
    """A value as the contract has it."""
    return [_written(item) for item in value] if isinstance(value, tuple) else value


def _dtype(variable: Variable, numbers: Sequence[int | float]) -> str:
    """The type that numbers are read as: the declared one; where that is only bits, floats if one of them is written as a
    float, of the width that fills the variable. Errors: ValueError."""
    kind = variable.type
    if kind in DTYPES and kind != "b8":
        return kind
    if kind[0] != "b":
        raise ValueError(f"a variable of type .{kind} can be given a tensor only")
    width = int(kind[1:]) // 8
    if width == 1:  # how compilers declare arrays of any type
        if not numbers or variable.size % len(numbers):
            raise ValueError(f"{len(numbers)} numbers do not fill {variable.size} bytes evenly")
        width = variable.size // len(numbers)
    letter = "f" if any(isinstance(number, float) for number in numbers) else "s" if min(numbers) < 0 else "u"
    dtype = f"{letter}{8 * width}"
    if dtype not in DTYPES or dtype == "f16":
        raise ValueError(
            f"{len(numbers)} numbers do not fill {variable.size} bytes (.{kind}): {width} bytes each are no number"
        )
    return dtype


def _bits(number: int | float, dtype: str) -> bytes:
    """One element. Errors: ValueError where it does not fit."""
    if DTYPES[dtype].kind == "f":
        value = fit(float(number), dtype)
        if dtype == "bf16":
            return struct.pack("<f", value)[2:]
        return struct.pack(_FORMATS[dtype], value)
    value = fit(number, dtype)
    low, _ = integer_range(DTYPES[dtype])
    assert isinstance(value, int)
    return value.to_bytes(DTYPES[dtype].size, "little", signed=low < 0)

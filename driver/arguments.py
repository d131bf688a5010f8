"""Kernel arguments: what the contract's `args` mean, and whether they fit the parameters that the PTX declares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.fields import close
from volta_pipe.driver.toml_lines import Step
from volta_pipe.ir.errors import UnsupportedError

if TYPE_CHECKING:
    from volta_pipe.driver.plan import KernelPlan, Numbers
    from volta_pipe.driver.tensors import TensorPlan
    from volta_pipe.driver.toml_lines import Source

# A name, and what follows it from a sign on: an offset in bytes where the name is a tensor's.
POINTER = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*(?:([-+].*))?", re.DOTALL)


@dataclass(frozen=True)
class ArgumentPlan:
    """One argument as `ir.launch.Argument` wants it; `dtype` of a scalar, else ""; `text` as written in the contract."""

    kind: str  # pointer | number | scalar | null
    text: str
    index: int = -1
    offset: int = 0
    number: float | int = 0
    dtype: str = ""

    def key(self) -> list[Any]:
        return [self.kind, self.index, self.offset, self.number]


@dataclass(frozen=True)
class Parameter:
    """A parameter as the PTX declares it: `type` without the dot (`u64`, `f32`, `b8`), `size` in bytes."""

    name: str
    type: str
    size: int

    @staticmethod
    def of(data: Any) -> Parameter:
        """From a dict or an object with these fields."""
        name, kind, size = (data[k] if isinstance(data, Mapping) else getattr(data, k) for k in ("name", "type", "size"))
        return Parameter(str(name), str(kind).lstrip("."), int(size))


def plan_argument(
    value: str | int | float,
    path: tuple[Step, ...],
    numbers: Numbers,
    tensors: Sequence[TensorPlan],
    scalars: Mapping[str, int],
) -> ArgumentPlan:
    """What `value` means: a tensor with an offset in bytes, a scalar, a dim, an expression, a number, or "null"."""
    if not isinstance(value, str):
        return ArgumentPlan("number", str(value), number=value)
    if value == "null":
        return ArgumentPlan("null", value)
    places = {tensor.spec.name: place for place, tensor in enumerate(tensors)}
    match = POINTER.fullmatch(value)
    name = match.group(1) if match else ""
    if match and name in places:
        offset = numbers.value("0" + match.group(2), *path) if match.group(2) else 0
        extent = tensors[places[name]].extent
        if not 0 <= offset <= extent:
            raise numbers.error(path, f"offset {offset} lies outside {name}, which has {extent:,} bytes")
        return ArgumentPlan("pointer", value, places[name], offset)
    if match and not match.group(2) and name in scalars:
        return ArgumentPlan("scalar", value, scalars[name], dtype=numbers.scalar_types[name])
    if match and not match.group(2) and name not in numbers.dims:
        known = (*places, *scalars, *numbers.dims)
        message = f"unknown name '{name}'{close(name, known)} (tensors, scalars and dims: {', '.join(known)})"
        raise numbers.source.error(path, message)
    return ArgumentPlan("number", value, number=numbers.value(value, *path))


def check_signature(plan: KernelPlan, parameters: Sequence[Parameter], source: Source) -> None:
    """Checks count, pointer against number, and width of each argument against the parameters that the PTX declares.

    Errors: InputError at the argument; UnsupportedError for a parameter passed by value that no argument can fill."""
    side, entry = plan.spec.side, plan.spec.entry
    if len(plan.arguments) != len(parameters):
        names = ", ".join(f"{p.name} .{p.type}" for p in parameters)
        message = f"{entry} takes {len(parameters)} arguments, the contract gives {len(plan.arguments)}"
        message += f" (parameters: {names or 'none'})"
        raise source.error((side, "args"), message)
    for place, (argument, parameter) in enumerate(zip(plan.arguments, parameters, strict=True)):
        if parameter.size > 8:
            raise UnsupportedError(f"parameter {parameter.name} of {entry} is {parameter.size} bytes by value")
        if problem := _problem(argument, parameter):
            what = f"parameter {parameter.name} of {entry} is a .{parameter.type} of {parameter.size} bytes"
            raise source.error((side, "args", place), f"'{argument.text}' {problem}: {what}")


def _problem(argument: ArgumentPlan, parameter: Parameter) -> str:
    bits, is_float = 8 * parameter.size, parameter.type.startswith("f")
    if argument.kind in ("pointer", "null"):
        return "" if bits == 64 and not is_float else "is a pointer"
    if argument.kind == "scalar":
        dtype = DTYPES[argument.dtype]
        if dtype.size != parameter.size:
            return f"is a scalar of {dtype.size} bytes ({argument.dtype})"
        wrong = (dtype.kind == "f") != is_float and not parameter.type.startswith("b")
        return f"is a scalar of type {argument.dtype}" if wrong else ""
    if is_float:
        return ""
    if isinstance(argument.number, float):
        return "" if parameter.type.startswith("b") and parameter.size in (4, 8) else "is no integer"
    fits = -(1 << (bits - 1)) <= argument.number < 1 << bits
    return "" if fits else f"does not fit: value {argument.number}"

"""How a spec is called, and what it must return: the same of symbolic arrays (`trace`) and of plain ones (`dynamic`)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.trace.spec import SpecSource, running


def head(spec: SpecSource) -> Place:
    """Where the function begins."""
    return Place(str(spec.path), spec.function.__code__.co_firstlineno)


def arguments(spec: SpecSource, launch: Launch, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the function's signature names, without its options; **kwargs takes all. Errors: InputError."""
    chosen: dict[str, Any] = {}
    for name, parameter in inspect.signature(spec.function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            return dict(values)
        if parameter.kind is parameter.VAR_POSITIONAL:
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise InputError(f"{spec.name} is called by keyword: its parameter {name} is positional only", head(spec))
        if name in values:
            chosen[name] = values[name]
        elif parameter.default is parameter.empty and name not in spec.options:
            what = next((f" (it is {t.role})" for t in launch.tensors if t.name == name), "")
            known = ", ".join(values) or "none"
            message = (
                f"{spec.name} wants {name}, which is no in or inout tensor or scalar of the contract{what}; there are: {known}"
            )
            raise InputError(message, head(spec))
    return chosen


def _is_symbolic(value: Any) -> bool:
    from volta_pipe.passes.trace.symbolic import Symbolic  # compiled loops, which a run on plain arrays does without

    return isinstance(value, Symbolic)


def returned(spec: SpecSource, launch: Launch, result: Any) -> dict[str, Any]:
    """What the function returned for each out and inout tensor, by name, as arrays of their shapes; symbolic ones are left as
    they are. Errors: InputError at the function, with the contract's field where there is one; at the spec's line where it
    returns an object of a class of its own, whose methods fail."""
    with running(spec.path):
        return _by_name(spec, launch, result)


def _by_name(spec: SpecSource, launch: Launch, result: Any) -> dict[str, Any]:
    place = head(spec)
    wanted = {t.name: t for t in launch.tensors if t.role in ("out", "inout")}
    result = spec.by_name(result, list(wanted))
    if not isinstance(result, dict):
        names = ", ".join(f'"{name}": …' for name in wanted)
        raise InputError(f"{spec.name} must return a dict {{{names}}}, not {type(result).__name__}", place)
    for name in result:
        if name not in wanted:
            raise InputError(f"{spec.name} returns {name!r}, which is no out or inout tensor of the contract", place)
    values = {}
    for name, tensor in wanted.items():
        if name not in result:
            raise InputError(f"{spec.name} does not return {name}, which is {tensor.role} in the contract", place)
        value = result[name]
        if not isinstance(value, np.ndarray) and not _is_symbolic(value):
            try:
                value = np.asarray(value)
            except ValueError as error:
                raise InputError(f"{spec.name} returns a {name} that is no array: {error}", place) from None
        if value.shape != tensor.shape:
            message = f"{spec.name} returns {name} with shape {value.shape}, the contract says {tensor.shape}"
            raise InputError(message, replace(place, field=f"tensors.{name}.shape"))
        values[name] = value
    return values

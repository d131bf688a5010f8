"""The NumPy function of a contract on concrete inputs, floats in double precision, so that its own rounding does not show."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.dynamic.sides import Side
from volta_pipe.passes.replay import from_bytes, from_numbers, tensor_bytes, to_numbers
from volta_pipe.passes.replay.formats import FORMATS
from volta_pipe.passes.trace.spec import SpecSource, running

Array = np.ndarray[Any, np.dtype[Any]]


class Function:
    """A spec as the reference of a dynamic test."""

    def __init__(self, source: SpecSource, launch: Launch) -> None:
        self.source, self.launch = source, launch
        parameters = inspect.signature(source.function).parameters.values()
        self.every = any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.names = [p.name for p in parameters]

    def __call__(self, trials: Sequence[Mapping[str, Array]]) -> list[Side]:
        """The outputs in each trial, float64 (or integers) of their shapes; all elements hold a value.

        Errors: InputError with file and line of the spec."""
        return [self._one(contents) for contents in trials]

    def _one(self, contents: Mapping[str, Array]) -> Side:
        launch, source = self.launch, self.source
        values: dict[str, Any] = {
            tensor.name: to_numbers(contents_of(launch, index, contents), tensor.dtype).copy()
            for index, tensor in enumerate(launch.tensors)
            if tensor.role in ("in", "inout")
        }
        for scalar in launch.scalars:
            given = contents[scalar.name] if scalar.value is None else from_numbers(np.array([scalar.value]), scalar.dtype)
            values[scalar.name] = to_numbers(given, scalar.dtype).reshape(-1)[0]
        if not self.every:
            values = {name: values[name] for name in self.names if name in values}
        with running(source.path):
            result = source.function(**values | dict(source.options))
        outputs = [t for t in launch.tensors if t.role in ("out", "inout")]
        result = source.by_name(result, [t.name for t in outputs])
        place = Place(str(source.path), source.function.__code__.co_firstlineno)
        if not isinstance(result, dict) or any(t.name not in result for t in outputs):
            raise InputError(f"{source.name} does not return a dict of every out and inout tensor", place)
        numbers = {t.name: _output(result[t.name], t.name, t.dtype, t.shape, place) for t in outputs}
        return Side(numbers, {name: np.ones(array.shape, np.bool_) for name, array in numbers.items()})


def _output(value: Any, name: str, dtype: str, shape: tuple[int, ...], place: Place) -> Array:
    """What the function returned for a tensor, as numbers; integers wrap as a cast to the tensor's dtype."""
    try:
        array = np.broadcast_to(np.asarray(value), shape)
    except ValueError:
        raise InputError(f"returns {name} with shape {np.shape(value)}, the contract says {shape}", place) from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"returns {name} as {array.dtype}, which holds no real numbers", place)
    if dtype in FORMATS:
        return array.astype(np.float64)
    return from_numbers(array, dtype) if array.dtype.kind in "biu" else array


def contents_of(launch: Launch, index: int, contents: Mapping[str, Array]) -> Array:
    """The contents of a tensor before the launch: given, known, or those of the tensor whose memory it shares."""
    tensor = launch.tensors[index]
    if tensor.values is not None:
        return from_numbers(np.broadcast_to(tensor.values, tensor.shape), tensor.dtype)
    if tensor.name in contents:
        return contents[tensor.name]
    root = launch.tensors[tensor.alias_of]
    window = np.zeros(root.extent, np.uint8)
    places = root.element_offsets()[:, None] + np.arange(root.itemsize)
    window[places.reshape(-1)] = tensor_bytes(root, contents_of(launch, tensor.alias_of, contents)).reshape(-1)
    return from_bytes(tensor, window[tensor.element_offsets()[:, None] + np.arange(tensor.itemsize)])

"""The NumPy function of a contract on concrete inputs, floats in double precision, so that its own rounding does not show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.errors import InputError
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.dynamic.inputs import integer_bounds
from volta_pipe.passes.dynamic.sides import Side
from volta_pipe.passes.replay import from_bytes, from_numbers, tensor_bytes, to_numbers
from volta_pipe.passes.replay.formats import FORMATS
from volta_pipe.passes.trace.calling import arguments, head, returned
from volta_pipe.passes.trace.spec import SpecSource

Array = np.ndarray[Any, np.dtype[Any]]


class Function:
    """A spec as the reference of a dynamic test."""

    def __init__(self, source: SpecSource, launch: Launch) -> None:
        self.source, self.launch = source, launch

    def __call__(self, trials: Sequence[Mapping[str, Array]]) -> list[Side]:
        """The outputs in each trial, float64 (or integers) of their shapes; all elements hold a value.

        Errors: InputError with file and line of the spec."""
        with self.source.together():
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
        with source.running():
            result = source.function(**arguments(source, launch, values) | dict(source.options))
        found = returned(source, launch, result)
        numbers = {t.name: self._numbers(found[t.name], t.name, t.dtype) for t in launch.tensors if t.name in found}
        return Side(numbers, {name: np.ones(array.shape, np.bool_) for name, array in numbers.items()})

    def _numbers(self, value: Any, name: str, dtype: str) -> Array:
        """What the function returned for a tensor, as numbers. For an integer tensor integers wrap as a cast to its dtype does,
        and floats are cut off, at its bounds at the latest, as in a proof."""
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            message = f"{self.source.name} returns {name} as {array.dtype}, which holds no real numbers"
            raise InputError(message, head(self.source))
        if dtype in FORMATS:
            return array.astype(np.float64)
        if array.dtype.kind == "f":
            low, high = integer_bounds(dtype)
            most = float(high) if high < 1 << 53 else float(np.nextafter(float(high), 0.0))  # the float below 2^63 or 2^64
            array = np.trunc(np.clip(np.nan_to_num(array.astype(np.float64)), float(low), most))
        return from_numbers(array, dtype)


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

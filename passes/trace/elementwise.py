"""NumPy's ufuncs on symbolic arrays: what each means as nodes, in the dtype that NumPy itself would compute in."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.graph import ZERO
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.integers import arithmetic, is_integer
from volta_pipe.passes.trace.into import scatter, store_into, where_only
from volta_pipe.passes.trace.meeting import as_nodes, check_bounds, dtype_of, result_dtype
from volta_pipe.passes.trace.numbers import BOOL
from volta_pipe.passes.trace.symbolic import FUNCTIONS, Symbolic, function
from volta_pipe.passes.trace.tape import Tape
from volta_pipe.passes.trace.ufuncs import UFUNCS, known_power, known_sign, power

_COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
# Exact on integers: they neither wrap nor round.
_EXACT = _COMPARISONS | {
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "sign",
    "positive",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
}
_PREDICATES = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor", "invert": "logical_not"}


def call_ufunc(tape: Tape, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`ufunc.method(*inputs, **kwargs)` where one of them is symbolic."""
    name = ufunc.__name__
    kwargs = dict(kwargs)
    out, where = kwargs.pop("out", None), kwargs.pop("where", True)
    if where is not True and method == "__call__":
        result = where_only(tape, ufunc, inputs, kwargs, where, out)
    elif method in ("reduce", "accumulate"):
        by = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
        if method == "accumulate":
            by = {"add": "cumsum", "multiply": "cumprod", "maximum": "running maximum", "minimum": "running minimum"}
        if name not in by:
            tape.refuse(f"np.{name}.{method} is not supported on symbolic arrays")
        if where is not True:
            kwargs["where"] = where
        axis = kwargs.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        result = FUNCTIONS[by[name]](tape, inputs[0], axis=axis, **kwargs)
    elif method == "outer":
        x, y = inputs
        wide = FUNCTIONS["reshape"](tape, x, np.shape(x) + (1,) * np.ndim(y))
        result = call_ufunc(tape, ufunc, "__call__", (wide, y), kwargs)
    elif method == "at":
        return scatter(tape, ufunc, *inputs)
    elif method != "__call__":
        tape.refuse(f"np.{name}.{method} is not supported on symbolic arrays")
    elif name == "divmod":
        _no_options(tape, name, kwargs)
        return np.floor_divide(*inputs), np.remainder(*inputs)
    elif name in ("matmul", "vecdot", "matvec", "vecmat"):
        _no_options(tape, name, kwargs)
        result = FUNCTIONS[name](tape, *inputs)
    else:
        dtype = kwargs.pop("dtype", None)
        _no_options(tape, name, kwargs)
        result = _elementwise(tape, ufunc, inputs, dtype)
    return result if out is None or result is out else store_into(tape, out, result)


def _no_options(tape: Tape, name: str, kwargs: dict[str, Any]) -> None:
    kwargs.pop("casting", None)
    if kwargs:
        tape.refuse(f"np.{name} with {', '.join(kwargs)} is not supported on symbolic arrays")


def _elementwise(tape: Tape, ufunc: Any, inputs: tuple[Any, ...], dtype: Any) -> Symbolic:
    name = ufunc.__name__
    # scipy.special.erf is a ufunc, too, and NumPy has none.
    rule = UFUNCS.get(_PREDICATES.get(name, name))
    if name in ("power", "float_power"):
        rule = power
    if ufunc.nin != len(inputs) or ufunc.nout != 1:
        tape.refuse(f"np.{name} is not supported on symbolic arrays")
    if dtype is not None:
        inputs = tuple(v.cast(np.dtype(dtype)) if isinstance(v, Symbolic) else np.asarray(v, dtype) for v in inputs)
    resolved = ufunc.resolve_dtypes((*map(dtype_of, inputs), None))
    wants = list(resolved[: ufunc.nin])
    if name.startswith("logical"):
        wants = [BOOL] * ufunc.nin
    if name in _COMPARISONS:
        inputs = tuple(_within(value, want) for value, want in zip(inputs, wants, strict=True))
    for value, want in zip(inputs, wants, strict=True):
        check_bounds(value, want)
    symbolic = [want for value, want in zip(inputs, wants, strict=True) if isinstance(value, Symbolic)]
    if any(is_integer(want) for want in symbolic) and name not in _EXACT:
        return _on_integers(tape, name, inputs, wants, resolved[-1])
    if any(want.kind not in "fiub" for want in wants):
        tape.refuse(f"np.{name} on {wants[0]} is not supported on symbolic arrays")
    if name in _COMPARISONS and all(want == BOOL for want in wants):
        if name not in ("equal", "not_equal"):
            tape.refuse(f"np.{name} on truth values is not supported on symbolic arrays")
        different = tape.emit(Node.XOR, *(as_nodes(tape, v, BOOL) for v in inputs))
        return Symbolic(tape, different if name == "not_equal" else tape.emit(Node.NOT, different), BOOL)
    if BOOL in wants and not (name.startswith("logical") or name in _PREDICATES):
        # On predicates maximum, minimum, add and multiply are `or` and `and`.
        logic = {"add": "logical_or", "maximum": "logical_or", "multiply": "logical_and", "minimum": "logical_and"}.get(name)
        if logic is None:
            tape.refuse(f"np.{name} on truth values is not supported on symbolic arrays")
        rule = UFUNCS[logic]
    nodes = [_operand(tape, value, want) for value, want in zip(inputs, wants, strict=True)]
    if name == "copysign" and not isinstance(inputs[1], Symbolic):
        return Symbolic(tape, known_sign(tape, nodes[0], np.asarray(inputs[1], wants[1])), resolved[-1])
    if name == "copysign" and np.any(nodes[1] == ZERO):
        tape.refuse("np.copysign from a zero that was computed: whether it is -0 is not followed")
    if name.endswith("power") and not isinstance(inputs[1], Symbolic):
        return Symbolic(tape, known_power(tape, nodes[0], np.asarray(inputs[1], wants[1])), resolved[-1])
    if rule is None:
        tape.refuse(f"np.{name} is not supported on symbolic arrays")
    return Symbolic(tape, rule(tape, *nodes), resolved[-1])


class _Beyond(float):
    """Below or above all integers of a dtype, which a Python integer may be that they are compared with."""


def _within(value: Any, dtype: Any) -> Any:
    """A Python integer that an integer dtype does not hold as one that is on the same side of all that it holds."""
    if type(value) is not int or not is_integer(dtype) or np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        return value
    return _Beyond(2.0**65 if value > 0 else -(2.0**65))


def _operand(tape: Tape, value: Any, dtype: Any) -> Any:
    return tape.constants(value) if isinstance(value, _Beyond) else as_nodes(tape, value, dtype)


def _on_integers(tape: Tape, name: str, inputs: tuple[Any, ...], wants: list[Any], dtype: Any) -> Symbolic:
    nodes = None
    if all(want == dtype for want in wants):
        known = None if len(inputs) < 2 or isinstance(inputs[1], Symbolic) else np.asarray(inputs[1], wants[1])
        values = [as_nodes(tape, value, want) for value, want in zip(inputs, wants, strict=True)]
        nodes = arithmetic(tape, name, values, known, dtype)
    if nodes is None:
        tape.refuse(f"np.{name} on a symbolic {wants[0]} array is not followed (x.astype(np.float32) makes reals of it)")
    return Symbolic(tape, nodes, dtype)


@function("where")
def _where(tape: Tape, condition: Any, *values: Any) -> Symbolic:
    if len(values) != 2:
        tape.refuse("np.where of a symbolic condition needs both values")
    dtype = result_dtype(values)
    x, y = (as_nodes(tape, v, dtype) for v in values)
    if isinstance(condition, Symbolic):
        return Symbolic(tape, tape.emit(Node.SELECT, as_nodes(tape, condition, BOOL), x, y), dtype)
    return Symbolic(tape, np.where(condition, x, y), dtype)


@function("clip")
def _clip(
    tape: Tape, a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None, out: Any = None
) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    if isinstance(a, Symbolic) and is_integer(a.dtype) and (low, high) != (None, None):
        # Python integers beyond the dtype on the side where they change nothing.
        low = None if type(low) is int and low <= np.iinfo(a.dtype).min else low
        high = None if type(high) is int and high >= np.iinfo(a.dtype).max else high
        a = np.positive(a)
    elif low is None and high is None:
        tape.refuse("np.clip without a bound is not supported on symbolic arrays")
    result = a if low is None else np.maximum(a, low)
    result = result if high is None else np.minimum(result, high)
    return result if out is None else store_into(tape, out, result)


@function("round", "around")
def _round(tape: Tape, a: Any, decimals: int = 0) -> Any:
    if decimals:
        tape.refuse("np.round to decimals is not supported on symbolic arrays")
    return np.rint(a)

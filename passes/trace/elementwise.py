"""NumPy's ufuncs on symbolic arrays: what each means as nodes, in the dtype that NumPy itself would compute in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ONE, ZERO, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.integers import arithmetic, is_integer
from volta_pipe.passes.trace.symbolic import BOOL, FUNCTIONS, Symbolic, as_nodes, dtype_of, function, result_dtype
from volta_pipe.passes.trace.tape import Tape

# Exponents up to this become products.
_MAX_POWER = 64
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
_PLAIN_OUT = (
    "the result is symbolic but goes into a plain NumPy array: make that array with np.zeros_like(x), or write a = a + x"
)


def _two(op: Node, swap: bool = False) -> Callable[..., Int32]:
    return lambda tape, x, y: tape.emit(op, y, x) if swap else tape.emit(op, x, y)


def _one(op: Node) -> Callable[..., Int32]:
    return lambda tape, x: tape.emit(op, x)


def _sign(tape: Tape, x: Int32) -> Int32:
    minus = tape.constants(-1.0)
    return tape.emit(
        Node.SELECT, tape.emit(Node.LT, ZERO, x), ONE, tape.emit(Node.SELECT, tape.emit(Node.LT, x, ZERO), minus, ZERO)
    )


def _copysign(tape: Tape, x: Int32, y: Int32) -> Int32:
    """|x| with the sign of y, which is plus at 0, as that of every real zero."""
    size = tape.emit(Node.ABS, x)
    return tape.emit(Node.SELECT, tape.emit(Node.LT, y, ZERO), tape.emit(Node.NEG, size), size)


def _known_sign(tape: Tape, x: Int32, signs: Any) -> Int32:
    """|x| with signs that are known, of -0, too."""
    size = tape.emit(Node.ABS, x)
    return np.where(np.signbit(signs), tape.emit(Node.NEG, size), size).astype(np.int32)


def _log10(tape: Tape, x: Int32) -> Int32:
    return tape.emit(Node.DIV, tape.emit(Node.LOG, x), tape.emit(Node.LOG, tape.constants(10.0)))


def _logaddexp(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.LOG, tape.emit(Node.ADD, tape.emit(Node.EXP, x), tape.emit(Node.EXP, y)))


UFUNCS: dict[str, Callable[..., Int32]] = {
    "add": _two(Node.ADD), "subtract": _two(Node.SUB), "multiply": _two(Node.MUL), "divide": _two(Node.DIV),
    "maximum": _two(Node.MAX), "minimum": _two(Node.MIN), "fmax": _two(Node.MAX), "fmin": _two(Node.MIN),
    "less": _two(Node.LT), "less_equal": _two(Node.LE), "greater": _two(Node.LT, True), "greater_equal": _two(Node.LE, True),
    "equal": _two(Node.EQ), "not_equal": _two(Node.NE), "logical_and": _two(Node.AND), "logical_or": _two(Node.OR),
    "logical_xor": _two(Node.XOR), "logical_not": _one(Node.NOT),
    "negative": _one(Node.NEG), "positive": lambda tape, x: x.copy(), "absolute": _one(Node.ABS), "fabs": _one(Node.ABS),
    "sqrt": _one(Node.SQRT), "reciprocal": _one(Node.RCP), "square": lambda tape, x: tape.emit(Node.MUL, x, x),
    "exp": _one(Node.EXP), "exp2": _one(Node.EX2), "log": _one(Node.LOG), "log2": _one(Node.LG2), "log10": _log10,
    "log1p": lambda tape, x: tape.emit(Node.LOG, tape.emit(Node.ADD, ONE, x)), "logaddexp": _logaddexp,
    "expm1": lambda tape, x: tape.emit(Node.SUB, tape.emit(Node.EXP, x), ONE), "sign": _sign, "copysign": _copysign,
    "tanh": _one(Node.TANH), "sin": _one(Node.SIN), "cos": _one(Node.COS), "erf": _one(Node.ERF),
    "floor": _one(Node.FLOOR), "ceil": _one(Node.CEIL), "rint": _one(Node.RINT), "trunc": _one(Node.TRUNC),
}  # fmt: skip
_PREDICATES = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor", "invert": "logical_not"}


def call_ufunc(tape: Tape, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`ufunc.method(*inputs, **kwargs)` where one of them is symbolic."""
    name = ufunc.__name__
    out = kwargs.pop("out", None)
    if method in ("reduce", "accumulate"):
        by = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
        by = {"add": "cumsum", "multiply": "cumprod"} if method == "accumulate" else by
        if name not in by:
            tape.refuse(f"np.{name}.{method} is not supported on symbolic arrays")
        axis = kwargs.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        result = FUNCTIONS[by[name]](tape, inputs[0], axis=axis, **kwargs)
    elif method == "outer":
        x, y = inputs
        wide = FUNCTIONS["reshape"](tape, x, np.shape(x) + (1,) * np.ndim(y))
        result = call_ufunc(tape, ufunc, "__call__", (wide, y), kwargs)
    elif method != "__call__":
        tape.refuse(f"np.{name}.{method} is not supported on symbolic arrays")
    elif name in ("matmul", "vecdot"):
        _no_options(tape, name, kwargs)
        result = FUNCTIONS[name](tape, *inputs)
    else:
        dtype = kwargs.pop("dtype", None)
        _no_options(tape, name, kwargs)
        result = _elementwise(tape, ufunc, inputs, dtype)
    return result if out is None else _store_into(tape, out, result)


def _no_options(tape: Tape, name: str, kwargs: dict[str, Any]) -> None:
    if kwargs.pop("where", True) is not True:
        tape.refuse(f"np.{name} with where= is not supported on symbolic arrays: use np.where")
    kwargs.pop("casting", None)
    if kwargs:
        tape.refuse(f"np.{name} with {', '.join(kwargs)} is not supported on symbolic arrays")


def _store_into(tape: Tape, out: Any, result: Symbolic) -> Symbolic:
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Symbolic):
        tape.refuse(_PLAIN_OUT)
    if target.scalar:
        return result
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        tape.refuse(f"a {result.dtype} result cannot go into a {target.dtype} array")
    if np.broadcast_shapes(result.shape, target.shape) != target.shape:
        tape.refuse(f"a result of shape {result.shape} does not fit into an array of shape {target.shape}")
    target.nodes[...] = result.cast(target.dtype).nodes
    return target


def _elementwise(tape: Tape, ufunc: Any, inputs: tuple[Any, ...], dtype: Any) -> Symbolic:
    name = ufunc.__name__
    # scipy.special.erf is a ufunc, too, and NumPy has none.
    rule = UFUNCS.get(_PREDICATES.get(name, name))
    if name == "power":
        rule = _power
    if ufunc.nin != len(inputs) or ufunc.nout != 1:
        tape.refuse(f"np.{name} is not supported on symbolic arrays")
    if dtype is not None:
        inputs = tuple(v.cast(np.dtype(dtype)) if isinstance(v, Symbolic) else np.asarray(v, dtype) for v in inputs)
    resolved = ufunc.resolve_dtypes((*map(dtype_of, inputs), None))
    wants = list(resolved[: ufunc.nin])
    if name.startswith("logical"):
        wants = [BOOL] * ufunc.nin
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
    nodes = [as_nodes(tape, value, want) for value, want in zip(inputs, wants, strict=True)]
    if name == "copysign" and not isinstance(inputs[1], Symbolic):
        return Symbolic(tape, _known_sign(tape, nodes[0], np.asarray(inputs[1], wants[1])), resolved[-1])
    if name == "copysign" and np.any(nodes[1] == ZERO):
        tape.refuse("np.copysign from a zero that was computed: whether it is -0 is not followed")
    if name == "power" and not isinstance(inputs[1], Symbolic):
        return Symbolic(tape, _known_power(tape, nodes[0], np.asarray(inputs[1], wants[1])), resolved[-1])
    if rule is None:
        tape.refuse(f"np.{name} is not supported on symbolic arrays")
    return Symbolic(tape, rule(tape, *nodes), resolved[-1])


def _on_integers(tape: Tape, name: str, inputs: tuple[Any, ...], wants: list[Any], dtype: Any) -> Symbolic:
    nodes = None
    if all(want == dtype for want in wants):
        known = None if len(inputs) < 2 or isinstance(inputs[1], Symbolic) else np.asarray(inputs[1], wants[1])
        values = [as_nodes(tape, value, want) for value, want in zip(inputs, wants, strict=True)]
        nodes = arithmetic(tape, name, values, known, dtype)
    if nodes is None:
        tape.refuse(f"np.{name} on a symbolic {wants[0]} array is not followed (x.astype(np.float32) makes reals of it)")
    return Symbolic(tape, nodes, dtype)


def _power(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.POW, x, y)


def _known_power(tape: Tape, x: Int32, exponents: Any) -> Int32:
    x, exponents = np.broadcast_arrays(x, exponents)
    out = np.empty(x.shape, np.int32)
    for exponent in np.unique(exponents):
        chosen = exponents == exponent
        out[chosen] = _one_power(tape, x[chosen], float(exponent))
    return out


def _one_power(tape: Tape, x: Int32, exponent: float) -> Int32:
    size = abs(exponent)
    if size == 0.5:
        power = tape.emit(Node.SQRT, x)
    elif size == int(size) and 0 < size <= _MAX_POWER:
        power = x
        for _ in range(int(size) - 1):
            power = tape.emit(Node.MUL, power, x)
    elif size == 0:
        return np.full(x.shape, ONE, np.int32)
    else:
        return tape.emit(Node.POW, x, tape.constants(exponent))
    return tape.emit(Node.RCP, power) if exponent < 0 else power


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
    if low is None and high is None:
        tape.refuse("np.clip without a bound is not supported on symbolic arrays")
    result = a if low is None else np.maximum(a, low)
    result = result if high is None else np.minimum(result, high)
    return result if out is None else _store_into(tape, out, result)


@function("round", "around")
def _round(tape: Tape, a: Any, decimals: int = 0) -> Any:
    if decimals:
        tape.refuse("np.round to decimals is not supported on symbolic arrays")
    return np.rint(a)

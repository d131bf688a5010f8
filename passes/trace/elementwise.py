"""NumPy's ufuncs on symbolic arrays: what each means as nodes, in the dtype that NumPy itself would compute in."""

from __future__ import annotations

import math
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
    "the result is symbolic but goes into a plain NumPy array: make that array with np.zeros_like(x), or write a = a + x (an "
    "array of integers or truth values, one made by another function than np.zeros, empty, ones, full and array is plain)"
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


def _sinh(tape: Tape, x: Int32) -> Int32:
    """(e^x − e^−x)/2, as np.cosh is half their sum."""
    parts = tape.emit(Node.EXP, x), tape.emit(Node.EXP, tape.emit(Node.NEG, x))
    return tape.emit(Node.MUL, tape.emit(Node.SUB, *parts), tape.constants(0.5))


def _cosh(tape: Tape, x: Int32) -> Int32:
    parts = tape.emit(Node.EXP, x), tape.emit(Node.EXP, tape.emit(Node.NEG, x))
    return tape.emit(Node.MUL, tape.emit(Node.ADD, *parts), tape.constants(0.5))


def _tan(tape: Tape, x: Int32) -> Int32:
    return tape.emit(Node.DIV, tape.emit(Node.SIN, x), tape.emit(Node.COS, x))


def _arcsinh(tape: Tape, x: Int32) -> Int32:
    """log(x + √(x² + 1)); np.arccosh has − 1 (NIST Digital Library of Mathematical Functions, 4.37.16 and 4.37.19)."""
    return tape.emit(Node.LOG, tape.emit(Node.ADD, x, tape.emit(Node.SQRT, tape.emit(Node.FMA, x, x, ONE))))


def _arccosh(tape: Tape, x: Int32) -> Int32:
    root = tape.emit(Node.SQRT, tape.emit(Node.SUB, tape.emit(Node.MUL, x, x), ONE))
    return tape.emit(Node.LOG, tape.emit(Node.ADD, x, root))


def _arctanh(tape: Tape, x: Int32) -> Int32:
    ratio = tape.emit(Node.DIV, tape.emit(Node.ADD, ONE, x), tape.emit(Node.SUB, ONE, x))
    return tape.emit(Node.MUL, tape.emit(Node.LOG, ratio), tape.constants(0.5))


def _hypot(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.SQRT, tape.emit(Node.FMA, y, y, tape.emit(Node.MUL, x, x)))


def _floor_divide(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.FLOOR, tape.emit(Node.DIV, x, y))


def _remainder(tape: Tape, x: Int32, y: Int32) -> Int32:
    """x − y ⌊x/y⌋, with the sign of y; np.fmod cuts x/y off and has that of x."""
    return tape.emit(Node.SUB, x, tape.emit(Node.MUL, y, _floor_divide(tape, x, y)))


def _fmod(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.SUB, x, tape.emit(Node.MUL, y, tape.emit(Node.TRUNC, tape.emit(Node.DIV, x, y))))


def _heaviside(tape: Tape, x: Int32, half: Int32) -> Int32:
    above = tape.emit(Node.SELECT, tape.emit(Node.LT, ZERO, x), ONE, half)
    return tape.emit(Node.SELECT, tape.emit(Node.LT, x, ZERO), ZERO, above)


def _logaddexp2(tape: Tape, x: Int32, y: Int32) -> Int32:
    return tape.emit(Node.LG2, tape.emit(Node.ADD, tape.emit(Node.EX2, x), tape.emit(Node.EX2, y)))


def _scaled(factor: float) -> Callable[..., Int32]:
    return lambda tape, x: tape.emit(Node.MUL, x, tape.constants(factor))


def _expit(tape: Tape, x: Int32) -> Int32:
    """scipy.special.expit."""
    return tape.emit(Node.RCP, tape.emit(Node.ADD, ONE, tape.emit(Node.EXP, tape.emit(Node.NEG, x))))


def _never(tape: Tape, x: Int32) -> Int32:
    """np.isnan and np.isinf of real numbers; whether what was computed from them is one has to be decided elsewhere."""
    if not bool(np.isin(tape.store.op[x], (Node.LEAF, Node.SCALAR)).all()):
        tape.refuse("whether a computed value is infinite or NaN is not followed")
    return np.full(x.shape, ZERO, np.int32)


def _always(tape: Tape, x: Int32) -> Int32:
    return tape.emit(Node.NOT, _never(tape, x))


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
    "sinh": _sinh, "cosh": _cosh, "tan": _tan, "arcsinh": _arcsinh, "arccosh": _arccosh, "arctanh": _arctanh, "hypot": _hypot,
    "remainder": _remainder, "fmod": _fmod, "floor_divide": _floor_divide, "heaviside": _heaviside, "logaddexp2": _logaddexp2,
    "deg2rad": _scaled(math.pi / 180), "radians": _scaled(math.pi / 180), "rad2deg": _scaled(180 / math.pi),
    "degrees": _scaled(180 / math.pi), "expit": _expit, "conjugate": lambda tape, x: x.copy(),
    "isnan": _never, "isinf": _never, "isfinite": _always,
    "floor": _one(Node.FLOOR), "ceil": _one(Node.CEIL), "rint": _one(Node.RINT), "trunc": _one(Node.TRUNC),
}  # fmt: skip
_PREDICATES = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor", "invert": "logical_not"}


def call_ufunc(tape: Tape, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`ufunc.method(*inputs, **kwargs)` where one of them is symbolic."""
    name = ufunc.__name__
    kwargs = dict(kwargs)
    out, where = kwargs.pop("out", None), kwargs.pop("where", True)
    if where is not True and method == "__call__":
        result = _where_only(tape, ufunc, inputs, kwargs, where, out)
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
        return _at(tape, ufunc, *inputs)
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


def _where_only(tape: Tape, ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], where: Any, out: Any) -> Any:
    """`ufunc(…, out=out, where=where)`: other elements keep what `out` holds. Where the mask is known, nothing is computed for
    them, so that they may be such as have no value."""
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Symbolic):
        tape.refuse(f"np.{ufunc.__name__} with where= needs an out= that was made with np.zeros_like(x), np.full_like(x, …), …")
    if isinstance(where, Symbolic):
        return np.where(where, call_ufunc(tape, ufunc, "__call__", inputs, kwargs), target)
    mask = np.broadcast_to(np.asarray(where, bool), target.shape)
    chosen = tuple(np.broadcast_to(value, target.shape)[mask] for value in inputs)
    result = target.like(target.nodes.copy())
    result[mask] = ufunc(*chosen, **kwargs)
    return result


def _at(tape: Tape, ufunc: Any, target: Any, index: Any, *values: Any) -> None:
    """`ufunc.at`: one after the other, so that an index that comes twice counts twice. Each round takes the next use of every
    index."""
    if not isinstance(target, Symbolic):
        tape.refuse(_PLAIN_OUT)
    from volta_pipe.passes.trace.structure import gather

    places = np.arange(target.size).reshape(target.shape)[target.known_key(index)]
    flat = places.reshape(-1)
    order = np.argsort(flat, kind="stable")
    starts = np.flatnonzero(np.diff(flat[order], prepend=-1))
    turn = np.empty(len(flat), np.int64)
    turn[order] = np.arange(len(flat)) - np.repeat(starts, np.diff(starts, append=len(flat)))
    parts = [np.reshape(np.broadcast_to(gather(tape, value), places.shape), -1) for value in values]
    nodes = target.nodes.reshape(-1).copy()
    for number in range(int(turn.max(initial=-1)) + 1):
        now = turn == number
        result = ufunc(target.like(nodes[flat[now]]), *(part[now] for part in parts))
        if not np.can_cast(result.dtype, target.dtype, "same_kind"):
            tape.refuse(f"a {result.dtype} result cannot go into a {target.dtype} array")
        nodes[flat[now]] = result.cast(target.dtype).nodes
    target.nodes[...] = nodes.reshape(target.shape)


def _no_options(tape: Tape, name: str, kwargs: dict[str, Any]) -> None:
    kwargs.pop("casting", None)
    if kwargs:
        tape.refuse(f"np.{name} with {', '.join(kwargs)} is not supported on symbolic arrays")


def store_into(tape: Tape, out: Any, result: Any) -> Symbolic:
    """A result as what `out=` holds from now on."""
    target = out[0] if isinstance(out, tuple) else out
    if not isinstance(target, Symbolic):
        tape.refuse(_PLAIN_OUT)
    if not isinstance(result, Symbolic):
        result = Symbolic(tape, as_nodes(tape, result, np.asarray(result).dtype), np.asarray(result).dtype)
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
    if name in ("power", "float_power"):
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
    if name.endswith("power") and not isinstance(inputs[1], Symbolic):
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
    return result if out is None else store_into(tape, out, result)


@function("round", "around")
def _round(tape: Tape, a: Any, decimals: int = 0) -> Any:
    if decimals:
        tape.refuse("np.round to decimals is not supported on symbolic arrays")
    return np.rint(a)

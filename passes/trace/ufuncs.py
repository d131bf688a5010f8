"""What NumPy's ufuncs mean as nodes, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ONE, ZERO, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.tape import Tape

# Exponents up to this become products.
_MAX_POWER = 64


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


def known_sign(tape: Tape, x: Int32, signs: Any) -> Int32:
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


def power(tape: Tape, x: Int32, y: Int32) -> Int32:
    """x ** y of two symbolic operands."""
    return tape.emit(Node.POW, x, y)


def known_power(tape: Tape, x: Int32, exponents: Any) -> Int32:
    """x ** exponents, float64 in any shape: products, a root, or a power in general."""
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

"""Making graph nodes in compiled loops: interning of constants and the folds that hold for all real operands.

Shared by `vc` (one call per lane) and by the NumPy tracer (one call per array element), so both sides fold alike."""

from __future__ import annotations

import math

import numpy as np

from volta_pipe.ir.compiled import entry_of, inner, int64
from volta_pipe.ir.graph import NAN, NEG_INF, ONE, POS_INF, ZERO
from volta_pipe.ir.node_store import Array, Store, append, constant, drop, grown, new_store
from volta_pipe.ir.nodes import Node

__all__ = ["NODES_PER_EMIT", "Array", "Store", "append", "constant", "drop", "emit", "grown", "new_store"]

# Operator codes are np.int64: numba compiles a function anew for each literal argument, and caches a recursion that changes
# type wrongly (numba issue 6061).
# A node that is made may bring this many with it (FMA can become MUL and ADD; a constant is a node, too).
NODES_PER_EMIT = 4

_CONST = int64(Node.CONST)
_NO = int64(0)  # an operand that is not there
_ADD, _SUB, _MUL, _FMA, _DIV, _NEG, _ABS = (
    int64(n) for n in (Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.DIV, Node.NEG, Node.ABS)
)
_MIN, _MAX, _RCP, _SQRT, _RSQRT, _EX2, _EXP = (
    int64(n) for n in (Node.MIN, Node.MAX, Node.RCP, Node.SQRT, Node.RSQRT, Node.EX2, Node.EXP)
)
_LG2, _LOG, _SIN, _COS, _TANH, _FLOOR, _CEIL = (
    int64(n) for n in (Node.LG2, Node.LOG, Node.SIN, Node.COS, Node.TANH, Node.FLOOR, Node.CEIL)
)
_RINT, _TRUNC, _SAT, _SELECT, _LT, _LE, _EQ, _NE = (
    int64(n) for n in (Node.RINT, Node.TRUNC, Node.SAT, Node.SELECT, Node.LT, Node.LE, Node.EQ, Node.NE)
)
_AND, _OR, _XOR, _NOT, _ERF = (int64(n) for n in (Node.AND, Node.OR, Node.XOR, Node.NOT, Node.ERF))
_LOG10, _LOG1P, _EXPM1 = (int64(n) for n in (Node.LOG10, Node.LOG1P, Node.EXPM1))


@inner
def _indeterminate(store: Store) -> int:
    """An operation whose result no real or infinity is known to be: counted, so that the maker of the graph refuses."""
    store.counts[1] += 1
    return int64(NAN)


@inner
def _exact_sum(x: float, y: float) -> bool:
    """Whether x + y is exact in float64 (Knuth's TwoSum leaves no error)."""
    s = x + y
    t = s - x
    return bool(math.isfinite(s) and (x - (s - t)) + (y - t) == 0.0)


@inner
def _exact_product(x: float, y: float) -> bool:
    """Whether x * y is exact in float64 (Dekker's product leaves no error), away from over- and underflow."""
    p = x * y
    if not (1e-140 < abs(x) < 1e140 and 1e-140 < abs(y) < 1e140):
        return False
    t = 134217729.0 * x
    xh = t - (t - x)
    xl = x - xh
    t = 134217729.0 * y
    yh = t - (t - y)
    yl = y - yh
    return bool(((xh * yh - p) + xh * yl + xl * yh) + xl * yl == 0.0)


@inner
def emit(store: Store, op: int, x: int, y: int, z: int) -> int:
    """The node of op(x, y, z) after folds that hold for all real operands (operands that are not constants are finite).

    Folds: 0 and 1, ±inf where the sign is known, exact arithmetic on constants, comparisons of constants. NaN stays NaN.
    Room for NODES_PER_EMIT nodes and as many constants must be there."""
    if op == _FMA:
        if store.op[x] != _CONST and store.op[y] != _CONST and store.op[z] != _CONST:
            return append(store, op, x, y, z)
        if z == ZERO or x == ZERO or y == ZERO or x == ONE or y == ONE or _special(x) or _special(y) or _special(z):
            return emit_binary(store, _ADD, emit_binary(store, _MUL, x, y), z)
        if store.op[x] == _CONST and store.op[y] == _CONST:
            product = emit_binary(store, _MUL, x, y)
            if store.op[product] == _CONST:
                return emit_binary(store, _ADD, product, z)
        return append(store, op, x, y, z)
    if op == _SELECT:
        if x == ONE:
            return y
        if x == ZERO:
            return z
        if y == z:
            return y
        if _special(y) or _special(z):  # folds take what is not a constant to be finite
            return _indeterminate(store)
        return append(store, op, x, y, z)
    if op >= _LT or _ADD <= op <= _DIV or op == _MIN or op == _MAX:
        if op == _NOT:
            if x == ONE:
                return int64(ZERO)
            if x == ZERO:
                return int64(ONE)
            return append(store, op, x, _NO, _NO)
        return emit_binary(store, op, x, y)
    if op == _LOG10:
        return emit_binary(store, _DIV, emit_unary(store, _LOG, x, _NO), emit_unary(store, _LOG, constant(store, 10.0), _NO))
    if op == _LOG1P:
        return emit_unary(store, _LOG, emit_binary(store, _ADD, int64(ONE), x), _NO)
    if op == _EXPM1:
        return emit_binary(store, _SUB, emit_unary(store, _EXP, x, _NO), int64(ONE))
    return emit_unary(store, op, x, y)


emit_entry = entry_of(emit)


@inner
def _special(x: int) -> bool:
    return NEG_INF <= x <= NAN


@inner
def emit_binary(store: Store, op: int, x: int, y: int) -> int:
    cx = store.op[x] == _CONST
    cy = store.op[y] == _CONST
    if not cx and not cy:
        if x == y and (op == _MIN or op == _MAX or op == _AND or op == _OR):
            return x
        if x == y and (op == _EQ or op == _LE):
            drop(store, x)
            return int64(ONE)
        if x == y and (op == _NE or op == _LT or op == _XOR):
            if op != _XOR:
                drop(store, x)
            return int64(ZERO)
        return append(store, op, x, y, _NO)
    if (cx and x == NAN) or (cy and y == NAN):
        if op in (_LT, _LE, _EQ):
            return int64(ZERO)
        if op == _NE:
            return int64(ONE)
        if op in (_MIN, _MAX):  # PTX returns the other operand, NumPy the NaN
            return _indeterminate(store)
        return int64(NAN)
    vx = store.values[store.a[x]] if cx else 0.5
    vy = store.values[store.a[y]] if cy else 0.5
    # From here a value that is not a constant is some finite real; ix, iy say which operands are infinite.
    ix = math.isinf(vx)
    iy = math.isinf(vy)
    if op in (_ADD, _SUB):
        if op == _SUB and cy:
            y = constant(store, -vy)
            return emit_binary(store, _ADD, x, y)
        if ix or iy:
            if op == _SUB:
                drop(store, y)
                return x
            if ix and iy and vx != vy:
                return int64(NAN)
            drop(store, y if ix else x)
            return x if ix else y
        if op == _ADD and x == ZERO:
            return y
        if y == ZERO:
            return x
        if cx and cy and _exact_sum(vx, vy):
            return constant(store, vx + vy)
        if op == _SUB and x == ZERO:
            return append(store, _NEG, y, _NO, _NO)
        return append(store, op, x, y, _NO)
    if op == _MUL:
        if ix or iy:
            if x == ZERO or y == ZERO:
                return int64(NAN)
            if cx and cy:
                return constant(store, vx * vy)
            return _indeterminate(store)
        if x == ZERO or y == ZERO:
            drop(store, y if x == ZERO else x)
            return int64(ZERO)
        if x == ONE:
            return y
        if y == ONE:
            return x
        if cx and cy and _exact_product(vx, vy):
            return constant(store, vx * vy)
        return append(store, op, x, y, _NO)
    if op == _DIV:
        if ix and iy:
            return int64(NAN)
        if y == ZERO or (ix and not cy):
            return _indeterminate(store)
        if iy:
            drop(store, x)
            return int64(ZERO)
        if y == ONE:
            return x
        if cy and not ix and math.frexp(vy)[0] in (0.5, -0.5) and abs(vy) < 1e300 and abs(vy) > 1e-300:
            return emit_binary(store, _MUL, x, constant(store, 1.0 / vy))
        if cx and cy and ix:
            return constant(store, vx if vy > 0 else -vx)
        return append(store, op, x, y, _NO)
    if op in (_MIN, _MAX):
        if x == y:
            return x
        if cx and cy:
            return constant(store, max(vx, vy) if op == _MAX else min(vx, vy))
        if ix or iy:
            infinite, other = (x, y) if ix else (y, x)
            if ((vx if ix else vy) > 0) != (op == _MAX):
                return other
            drop(store, other)
            return infinite
        return append(store, op, x, y, _NO)
    if op in (_LT, _LE, _EQ, _NE):
        if (cx and cy) or ix or iy:
            drop(store, x)
            drop(store, y)
            if op == _LT:
                truth = vx < vy
            elif op == _LE:
                truth = vx <= vy
            elif op == _EQ:
                truth = vx == vy
            else:
                truth = vx != vy
            return int64(ONE if truth else ZERO)
        return append(store, op, x, y, _NO)
    if op == _AND:
        return y if x == ONE else x if y == ONE else int64(ZERO)
    if op == _OR:
        return y if x == ZERO else x if y == ZERO else int64(ONE)
    if op == _XOR:
        if cx and cy:
            return int64(ONE if x != y else ZERO)
        if x == ZERO:
            return y
        if y == ZERO:
            return x
        return append(store, _NOT, y if cx else x, 0, 0)
    return append(store, op, x, y, _NO)


@inner
def emit_unary(store: Store, op: int, x: int, y: int) -> int:
    """Operators of one operand."""
    if store.op[x] != _CONST:
        if op == _NEG and store.op[x] == _NEG:
            return int64(store.a[x])
        return append(store, op, x, y, _NO)
    if x == NAN:
        return int64(NAN)
    v = store.values[store.a[x]]
    if op == _NEG:
        return constant(store, -v)
    if op == _ABS:
        return constant(store, abs(v))
    if op == _SAT:
        return constant(store, min(max(v, 0.0), 1.0))
    if op in (_EX2, _EXP):
        if x == NEG_INF:
            return int64(ZERO)
        if x == POS_INF:
            return x
        if v == 0.0:
            return int64(ONE)
        if op == _EX2 and abs(v) <= 1000.0 and v == np.floor(v):
            return constant(store, 2.0**v)
        return append(store, op, x, _NO, _NO)
    if math.isinf(v):
        if op in (_RCP, _RSQRT) and (v > 0 or op == _RCP):
            return int64(ZERO)
        if op in (_SQRT, _LG2, _LOG) and v > 0:
            return x
        if op in (_TANH, _ERF):
            return constant(store, 1.0 if v > 0 else -1.0)
        return _indeterminate(store)
    if op == _FLOOR:
        return constant(store, np.floor(v))
    if op == _CEIL:
        return constant(store, np.ceil(v))
    if op == _TRUNC:
        return constant(store, np.trunc(v))
    if op == _RINT:
        return constant(store, np.rint(v))
    if op == _RCP:
        if v == 0.0:
            return _indeterminate(store)
        if math.frexp(v)[0] in (0.5, -0.5) and 1e-300 < abs(v) < 1e300:
            return constant(store, 1.0 / v)
    if op in (_SQRT, _RSQRT):
        if v < 0.0:
            return int64(NAN)
        if v == 0.0 and op == _RSQRT:
            return _indeterminate(store)
        root = math.sqrt(v)
        if root < 1e7 and root == np.floor(root):
            return constant(store, root) if op == _SQRT else append(store, _RCP, constant(store, root), _NO, _NO)
    if v == 0.0 and op in (_SIN, _TANH, _ERF):
        return int64(ZERO)
    if v == 0.0 and op == _COS:
        return int64(ONE)
    if op in (_LG2, _LOG) and v <= 0.0:
        return int64(NEG_INF if v == 0.0 else NAN)
    if op in (_LG2, _LOG) and v == 1.0:
        return int64(ZERO)
    return append(store, op, x, y, _NO)

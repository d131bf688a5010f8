"""Compiled loops: the values of all nodes of a graph at one point, in floating point, and what rests on some of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry
from volta_pipe.ir.nodes import Node

Array = np.ndarray[Any, np.dtype[Any]]
_CONST, _LEAF, _SCALAR = int(Node.CONST), int(Node.LEAF), int(Node.SCALAR)
_ADD, _SUB, _MUL, _FMA, _DIV = int(Node.ADD), int(Node.SUB), int(Node.MUL), int(Node.FMA), int(Node.DIV)
_NEG, _ABS, _MIN, _MAX, _RCP = int(Node.NEG), int(Node.ABS), int(Node.MIN), int(Node.MAX), int(Node.RCP)
_SQRT, _RSQRT, _EX2, _EXP, _LG2 = int(Node.SQRT), int(Node.RSQRT), int(Node.EX2), int(Node.EXP), int(Node.LG2)
_LOG, _SIN, _COS, _TANH, _ERF = int(Node.LOG), int(Node.SIN), int(Node.COS), int(Node.TANH), int(Node.ERF)
_FLOOR, _CEIL, _RINT, _TRUNC, _SAT = int(Node.FLOOR), int(Node.CEIL), int(Node.RINT), int(Node.TRUNC), int(Node.SAT)
_SELECT, _LT, _LE, _EQ, _NE = int(Node.SELECT), int(Node.LT), int(Node.LE), int(Node.EQ), int(Node.NE)
_POW = int(Node.POW)
_AND, _OR, _XOR, _NOT = int(Node.AND), int(Node.OR), int(Node.XOR), int(Node.NOT)
_MOST = 700.0  # above which e^x is taken for infinite


def read_only(column: Array) -> Array:
    """A column as the compiled loops take it: they are compiled once for what may be written to, and once for what may not."""
    view = np.ascontiguousarray(column).view()
    view.flags.writeable = False
    return view


@entry
def evaluate(op: Array, a: Array, b: Array, c: Array, constants: Array, arity: Array, values: Array) -> None:
    """Fills `values` (float64 [n]), which has those of inputs. NaN: there is none, or it is none of these operators."""
    for v in range(1, len(op)):
        o = op[v]
        if o == _LEAF or o == _SCALAR:
            continue
        if o == _CONST:
            values[v] = constants[a[v]]
            continue
        operands = arity[o]
        x = values[a[v]] if operands > 0 else math.nan
        y = values[b[v]] if operands > 1 else 0.0
        z = values[c[v]] if operands > 2 else 0.0
        r = math.nan
        if o == _SELECT:  # the arm that is not taken needs no value
            if not math.isnan(x):
                r = y if x != 0.0 else z
        elif math.isnan(x) or math.isnan(y) or math.isnan(z):
            r = math.nan
        elif o == _FMA:
            r = x * y + z
        elif o == _MUL or o == _AND:
            r = x * y
        elif o == _ADD:
            r = x + y
        elif o == _SUB:
            r = x - y
        elif o == _MAX or o == _OR:
            r = max(x, y)
        elif o == _MIN:
            r = min(x, y)
        elif o == _NEG:
            r = -x
        elif o == _ABS or o == _XOR:
            r = abs(x - y)
        elif o == _NOT:
            r = 1.0 - x
        elif o == _SAT:
            r = min(max(x, 0.0), 1.0)
        elif o == _DIV and y != 0.0:
            r = x / y
        elif o == _RCP and x != 0.0:
            r = 1.0 / x
        elif o == _SQRT and x >= 0.0:
            r = math.sqrt(x)
        elif o == _RSQRT and x > 0.0:
            r = 1.0 / math.sqrt(x)
        elif o == _EXP or o == _EX2:
            power = x if o == _EXP else x * math.log(2.0)
            if power < _MOST:
                r = math.exp(power)
        elif o == _LOG and x > 0.0:
            r = math.log(x)
        elif o == _LG2 and x > 0.0:
            r = math.log(x) / math.log(2.0)
        elif o == _POW and x > 0.0:
            power = y * math.log(x)
            if power < _MOST:
                r = math.exp(power)
        elif o == _SIN:
            r = math.sin(x)
        elif o == _COS:
            r = math.cos(x)
        elif o == _TANH:
            r = math.tanh(x)
        elif o == _ERF:
            r = math.erf(x)
        elif o == _FLOOR:
            r = math.floor(x)
        elif o == _CEIL:
            r = math.ceil(x)
        elif o == _TRUNC:
            r = math.floor(x) if x > 0.0 else math.ceil(x)
        elif o == _RINT:
            r = math.floor(x)
            if x - r > 0.5 or (x - r == 0.5 and r % 2.0 != 0.0):
                r += 1.0
        elif o == _LT:
            r = 1.0 if x < y else 0.0
        elif o == _LE:
            r = 1.0 if x <= y else 0.0
        elif o == _EQ:
            r = 1.0 if x == y else 0.0
        elif o == _NE:
            r = 1.0 if x != y else 0.0
        values[v] = r


@entry
def spread(op: Array, a: Array, b: Array, c: Array, arity: Array, marks: Array) -> None:
    """Marks (uint8 [n]) all nodes that have a marked one below them."""
    for v in range(1, len(op)):
        operands = arity[op[v]]
        if (operands > 0 and marks[a[v]] != 0) or (operands > 1 and marks[b[v]] != 0) or (operands > 2 and marks[c[v]] != 0):
            marks[v] = 1

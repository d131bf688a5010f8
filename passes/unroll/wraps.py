"""Sums and products of 32 bits that wrap around on the way to an address.

PTX computes modulo 2^32 and has no say in whether that is meant, so it is no fault; but an index that wraps before it is used
is a mistake more often than not, so it is noted. An operation wraps where the exact result is no number of 32 bits, neither
with its operands as signed nor as unsigned numbers. Only what reaches an address through sums, products, moves and conversions
counts: behind a mask, a shift to the right or a division it is a hash or a remainder. Whether the lane makes use of the address
is not asked: compilers compute some for lanes that skip the access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64, uint64
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.program import WRAPPING
from volta_pipe.passes.unroll.bytecode import FIRST, NIN, NRES, OP, TARGET2, A, B, C, D, W
from volta_pipe.passes.unroll.lanes import tag_at
from volta_pipe.passes.unroll.state import CONCRETE, Lanes

Array = np.ndarray[Any, np.dtype[Any]]
# What TARGET2 of an armed instruction holds; once it wrapped, -1 - thread.
ARMED = 1
_ARMED = frozenset(WRAPPING)
_LINEAR = _ARMED | {Op.MOV, Op.MUL_WIDE, Op.MAD_WIDE, Op.CVT, Op.CVTA, Op.SELP, Op.MIN, Op.MAX, Op.SHFL, Op.ABS, Op.NEG}
_MEMORY = frozenset((Op.LD, Op.ST, Op.ATOM, Op.RED, Op.LDMATRIX, Op.STMATRIX, *MBARRIER))
_ADD, _SUB, _MUL_LO, _MAD_LO, _SHL = (int(o) for o in (Op.ADD, Op.SUB, Op.MUL_LO, Op.MAD_LO, Op.SHL))
_LOW, _HIGH, _TOP = int64(-(1 << 31)), int64(1 << 31), int64(1 << 32)


def arm(code: Sequence[list[int]], operands: Sequence[int]) -> list[int]:
    """Marks the instructions of 32 bits that reach an address. code: rows of bytecode; operands: of all rows. Returns their
    indices."""
    wanted: set[int] = set()
    makers: dict[int, list[list[int]]] = {}
    for row in code:
        if row[OP] in _MEMORY:
            wanted.add(row[A])
        elif row[OP] == Op.COPY:
            wanted |= {row[A], row[B]}
        elif row[OP] in _LINEAR:
            makers.setdefault(row[D], []).append(row)
    todo = list(wanted)
    while todo:
        for row in makers.get(todo.pop(), ()):
            for register in operands[row[FIRST] + row[NRES] : row[FIRST] + row[NRES] + row[NIN]]:
                if register not in wanted:
                    wanted.add(register)
                    todo.append(register)
    armed = [at for at, row in enumerate(code) if row[OP] in _ARMED and row[W] == 32 and row[D] in wanted]
    for at in armed:
        code[at][TARGET2] = ARMED
    return armed


@inner
def _fits(signed: int, unsigned: int) -> bool:
    """Whether a result of signed operands, or of unsigned ones, has 32 bits as such a number."""
    return _LOW <= signed < _HIGH or 0 <= unsigned < _TOP


@inner
def _any_wraps(op: int, first: Array, second: Array, third: Array, lo: int, hi: int) -> bool:
    """Whether it may be that one of the lanes lo to hi wraps, quickly: loops without branches, which are vectorised."""
    bad = int64(0)
    if op == _ADD:
        for l in range(lo, hi):
            x, y = first[l], second[l]
            bad |= int64((x + y + _HIGH) >> 32 != 0) & int64(((x & (_TOP - 1)) + (y & (_TOP - 1))) >> 32 != 0)
    elif op == _SUB:
        for l in range(lo, hi):
            x, y = first[l], second[l]
            bad |= int64((x - y + _HIGH) >> 32 != 0) & int64(((x & (_TOP - 1)) - (y & (_TOP - 1))) >> 32 != 0)
    elif op == _SHL:
        for l in range(lo, hi):
            x, y = first[l], second[l] & 31
            bad |= int64(((x << y) + _HIGH) >> 32 != 0) & int64(((x & (_TOP - 1)) << y) >> 32 != 0)
            bad |= int64(second[l] >> 5 != 0)
    elif op == _MUL_LO:
        for l in range(lo, hi):
            bad |= int64((first[l] * second[l] + _HIGH) >> 32 != 0)
    else:
        for l in range(lo, hi):
            bad |= int64((first[l] * second[l] + third[l] + _HIGH) >> 32 != 0)
    return bad != 0


@inner
def watch(lanes: Lanes, row: Array, act: Array, n: int) -> None:
    """Looks whether an armed instruction wraps in the lanes act[0:n], before it is computed."""
    op = row[OP]
    r, s, t = row[A], row[B], max(row[C], 0)
    lo, hi = act[0], act[n - 1] + 1
    known = lanes.meta[0, r] == CONCRETE and lanes.meta[0, s] == CONCRETE and hi - lo == n
    known = known and (op != _MAD_LO or lanes.meta[0, t] == CONCRETE)
    if known and not _any_wraps(op, lanes.value[r], lanes.value[s], lanes.value[t], lo, hi):
        return
    for i in range(n):
        l = act[i]
        if tag_at(lanes, row[A], l) != CONCRETE or tag_at(lanes, row[B], l) != CONCRETE:
            continue
        a, b = lanes.value[row[A], l], lanes.value[row[B], l]
        ua, ub = a & (_TOP - 1), b & (_TOP - 1)
        fits = True
        if op == _ADD:
            fits = _fits(a + b, ua + ub)
        elif op == _SUB:
            fits = _fits(a - b, ua - ub)
        elif op == _SHL:
            fits = a == 0 or (ub < 32 and _fits(a << (ub & 31), ua << (ub & 31)))
        else:
            small = uint64(ua) * uint64(ub) < uint64(_TOP)
            product = ua * ub if small else int64(-1)
            c = int64(0)
            if op == _MAD_LO:
                if tag_at(lanes, row[C], l) != CONCRETE:
                    continue
                c = lanes.value[row[C], l]
            uc = c & (_TOP - 1)
            fits = _fits(a * b + c, product + uc if small else int64(-1))
        if not fits:
            row[TARGET2] = -1 - l
            return

"""Long columns of node numbers, written as steps from one to the next.

Neighbours in a graph are mostly the same instruction in neighbouring lanes, so that a step fits into a byte: a graph takes a
third of the room, and hashing and writing it a third of the time (a matrix product of 17 million nodes: 225 MB, 70 MB)."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import entry, int64

Array = np.ndarray[Any, np.dtype[Any]]
FAR = -128  # a step that does not fit; the number itself is in the second column


def steps(column: Array) -> tuple[Array, Array]:
    """(int8 [n], int32 [m]): the steps of an int32 column, the first one from 0, and the numbers that are too far."""
    near, far = np.empty(len(column), np.int8), np.empty(len(column), np.int32)
    count = int(_steps(np.ascontiguousarray(column), near, far))
    return near, far[:count].copy()


def numbers(near: Array, far: Array) -> Array:
    """The column of `steps`. Errors: ValueError where the two do not fit together."""
    if near.dtype != np.int8 or far.dtype != np.int32 or near.ndim != 1 or far.ndim != 1:
        raise ValueError("a column of steps has the wrong form")
    if int(np.count_nonzero(near == FAR)) != len(far):
        raise ValueError("a column of steps lacks numbers")
    column = np.empty(len(near), np.int32)
    _numbers(np.ascontiguousarray(near), np.ascontiguousarray(far), column)
    return column


@entry
def _steps(column: Array, near: Array, far: Array) -> int:
    """Fills both; how many are far."""
    before = 0
    count = np.uint64(0)
    for i in range(len(column)):
        step = column[i] - before
        before = column[i]
        if -128 < step < 128:
            near[i] = step
        else:
            near[i] = FAR
            far[count] = before
            count += np.uint64(1)
    return int64(count)


@entry
def _numbers(near: Array, far: Array, column: Array) -> None:
    """Fills column; `far` has as many numbers as near has FAR. A number that leaves int32 wraps, and is refused by whoever
    checks what the column means."""
    now = np.int32(0)
    count = np.uint64(0)
    for i in range(len(near)):
        if near[i] == FAR:
            now = far[count]
            count += np.uint64(1)
        else:
            now = np.int32(now + near[i])
        column[i] = now

"""Plain values that meet symbolic arrays: the dtype that NumPy promotes to, and constants rounded to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.graph import Int32
from volta_pipe.passes.trace.symbolic import Symbolic
from volta_pipe.passes.trace.tape import Tape


def dtype_of(value: Any) -> Any:
    """What decides a promotion: a dtype, or the Python type where NumPy takes the number as weak."""
    if isinstance(value, Symbolic):
        return value.dtype
    if type(value) in (int, float):
        return type(value)
    return np.asarray(value).dtype


def result_dtype(values: Any) -> Any:
    """NumPy's result_type of plain and symbolic values (Python numbers are weak)."""
    return np.result_type(*(v.dtype if isinstance(v, Symbolic) else v for v in values))


def joined_dtype(values: Any) -> Any:
    """The dtype of what NumPy joins or gathers into one array: each value becomes an array first, so Python numbers are not
    weak, and a float among float32 arrays makes all of them float64."""
    return np.result_type(*(v.dtype if isinstance(v, Symbolic) else np.asarray(v).dtype for v in values))


def check_bounds(value: Any, dtype: Any) -> None:
    """Errors: OverflowError, as NumPy's, for a Python integer that an integer dtype does not hold (arrays are wrapped)."""
    if type(value) is int and np.dtype(dtype).kind in "iu" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        raise OverflowError(f"Python integer {value} out of bounds for {np.dtype(dtype)}")


def as_nodes(tape: Tape, value: Any, dtype: Any) -> Int32:
    """Nodes of a plain or symbolic value after a cast to `dtype`; a plain value is rounded to it as NumPy does."""
    if isinstance(value, Symbolic):
        if value.tape is not tape:
            tape.refuse("a symbolic array of another run cannot be used")
        return value.cast(dtype).nodes
    if isinstance(value, list | tuple):
        from volta_pipe.passes.trace.structure import gather

        return as_nodes(tape, gather(tape, value), dtype)
    known = np.asarray(value)
    if known.dtype.kind not in "fiub" or known.dtype.itemsize > 8:
        tape.refuse(f"{known.dtype} values cannot meet symbolic arrays")
    known = known.astype(dtype)
    if known.dtype.kind in "iu" and known.size and bool((known.astype(np.float64).astype(known.dtype) != known).any()):
        tape.refuse("an integer beyond 2^53 cannot meet symbolic arrays")
    return tape.constants(known)

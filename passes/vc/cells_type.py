"""The memory of `vc`: one node per four bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


class Cells(NamedTuple):
    """node int32 [words], 0 where a word still holds what it held before the launch; written
    uint8 [bytes]: 1 where a store went; data uint32 [words] the known contents;
    table int64 [regions, 6]: flat start (bytes), window start, size, init, tensor, start of its element map or -1; map
    int32: per word (per element, where that is smaller) of a tensor that is not contiguous the element; formats,
    scalar_formats int64: float format (ir/small_floats.py) or 0; itemsize
    int64 per tensor; signed int64 per tensor: 1 where its elements are integers with a sign."""

    node: Array
    written: Array
    data: Array
    table: Array
    map: Array
    formats: Array
    scalar_formats: Array
    itemsize: Array
    signed: Array

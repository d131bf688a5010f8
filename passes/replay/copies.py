"""cp.async on concrete memory (PTX ISA 9.7.9.25.3.1): the bytes are copied at the issue, which is one of the times that the ISA
allows until the wait; a program in which another time would give other values has a race, and `check` has refused it."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import U64
from volta_pipe.passes.replay.memory import Addresses, Lanes, Memory

Array = np.ndarray[Any, np.dtype[Any]]


def copy(memory: Memory, source: Addresses, target: Addresses, count: int, size: int, lanes: Lanes) -> None:
    """`count` bytes of each lane from global to shared memory, and zeros behind them up to `size` (4, 8 or 16) bytes."""
    for word in range(size // 4):
        there = min(max(count - 4 * word, 0), 4)
        if there == 4:
            values = memory.load(source, word, 4, lanes)
        else:
            values = np.zeros(len(source.values), np.uint64)
            for byte in range(there):
                values |= memory.load(source, 4 * word + byte, 1, lanes) << U64(8 * byte)
        memory.store(target, word, 4, values, lanes)

"""Where the tokens of barrier objects go: their bits mean nothing (PTX ISA 9.7.13.15.13), so only waits may look at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import PARITY
from volta_pipe.ir.program import Event

Array = np.ndarray[Any, np.dtype[Any]]
_CARRY = (Op.MOV, Op.SELP, Op.PACK, Op.UNPACK)
_MESSAGE = "the bits of an mbarrier token are looked at, which mean nothing: only waits and mbarrier.pending_count may read it"


def _rows(static: dict[str, Array]) -> Iterator[tuple[int, Op, list[int], list[int]]]:
    """(walk index, operation, results, inputs) of each instruction."""
    columns = (static[name].tolist() for name in ("op", "first", "results", "inputs"))
    operands = static["operands"].tolist()
    for walk, (op, first, results, inputs) in enumerate(zip(*columns, strict=True)):
        middle = first + results
        yield walk, Op(op), operands[first:middle], operands[middle : middle + inputs]


def _spread(static: dict[str, Array], held: set[int], backwards: bool) -> set[int]:
    """The registers that values in `held` are moved to, or from."""
    rows = [(results, inputs) for _, op, results, inputs in _rows(static) if op in _CARRY]
    changed = True
    while changed:
        changed = False
        for results, inputs in rows:
            source, target = (results, inputs) if backwards else (inputs, results)
            if not held.isdisjoint(source) and not held.issuperset(target):
                held.update(target)
                changed = True
    return held


def counted(static: dict[str, Array]) -> list[int]:
    """Walk indices of the arrivals whose token some mbarrier.pending_count may read."""
    if not bool((static["op"] == Op.MBARRIER_COUNT).any()):
        return []
    read = {register for _, op, _, inputs in _rows(static) if op is Op.MBARRIER_COUNT for register in inputs}
    read = _spread(static, read, True)
    return [walk for walk, op, results, _ in _rows(static) if op is Op.MBARRIER_SIGNAL and not read.isdisjoint(results)]


def misused(static: dict[str, Array]) -> list[Event]:
    """An event for the first instruction that may look at the bits of a token, whether it is executed or not."""
    if not bool((static["op"] == Op.MBARRIER_SIGNAL).any()):
        return []
    made = {register for _, op, results, _ in _rows(static) if op is Op.MBARRIER_SIGNAL for register in results}
    made = _spread(static, made, False)
    for walk, op, _, inputs in _rows(static):
        if op in _CARRY or op is Op.MBARRIER_COUNT or (op is Op.MBARRIER_WAIT and not int(static["sub"][walk]) & PARITY):
            continue
        if not made.isdisjoint(inputs):
            return [Event("unsupported-instruction", _MESSAGE, walk, 0)]
    return []

"""What threads wait for at an mbarrier object: the phase, what is pending in it, who has arrived in it, and who could still."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT, SHARED_REGION
from volta_pipe.ir.findings import Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.mbarriers import ARRIVES, DELIVERS, UNCOUNTED
from volta_pipe.ir.program import FLAG_ENDS_PHASE, Region
from volta_pipe.passes.unroll.bytecode import OP, SUB, WALK
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.objects import held_at
from volta_pipe.passes.unroll.retries import successors
from volta_pipe.passes.unroll.state import Memory, Rows

Array = np.ndarray[Any, np.dtype[Any]]


def named(threads: Sequence[int]) -> str:
    """`threads 0-31, 40`, at most eight ranges of them."""
    ranges: list[list[int]] = []
    for thread in threads:
        if ranges and ranges[-1][1] == thread - 1:
            ranges[-1][1] = thread
        else:
            ranges.append([thread, thread])
    shown = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges[:8])
    return f"thread{'s' * (len(threads) > 1)} {shown}" + (" and more" if len(ranges) > 8 else "")


@dataclass(frozen=True)
class Awaited:
    """The phase under way of an object (`held`: pending and expected arrivals, tx-count, or None where there is no object).
    number: of the phase since the object was initialised, from 0, so that its lowest bit is the parity; arrived: the threads
    whose arrivals were counted in it, and the walk index of the last of them or -1; objects: how many the CTA made."""

    name: str
    held: tuple[int, int, int] | None
    number: int
    arrived: tuple[int, ...]
    last: int
    objects: int

    def __str__(self) -> str:
        if self.held is None:
            return f"at the mbarrier object {self.name}, which is none any more"
        pending, expected, tx = self.held
        return (
            f"for phase {self.number} (parity {self.number & 1}) of the mbarrier object {self.name}, which is under way: "
            f"{pending} of {expected} arrivals are pending and its tx-count is {tx}"
        )

    def steps(self, code: Code, waiting: Mapping[int, Sequence[int]]) -> Iterator[Step]:
        """Who has arrived, and who could still. waiting: by row of the code the threads that cannot go on there."""
        if self.held is None:
            return
        pending, _, tx = self.held
        if self.arrived:
            yield Step(f"in phase {self.number} of {self.name} {named(self.arrived)} arrived, the last of them", self.last)
        else:
            yield Step(f"in phase {self.number} of {self.name} nobody arrived")
        helpers = [at for at, row in enumerate(code.code) if _helps(row, pending, tx)]
        reach = {at: _reached(code.code, at) for at in waiting}
        some = False
        for helper in helpers:
            threads = sorted(thread for at, members in waiting.items() if helper in reach[at] for thread in members)
            if threads:
                some = True
                what = "arrive" if code.code[helper, SUB] & ARRIVES or code.code[helper, OP] == Op.MBARRIER_TRACK else "deliver"
                which = "at it" if self.objects == 1 else "at it or another mbarrier object"
                text = f"by the branches of the code {named(threads)}, who cannot go on, could still {what} {which}"
                yield Step(text, int(code.code[helper, WALK]))
        if not some:
            yield Step(f"no thread that has not exited comes to an instruction that could still complete phase {self.number}")


def awaited_at(address: int, memory: Memory, rows: Rows, first_row: int, code: Code, regions: Sequence[Region]) -> Awaited:
    """The phase under way of the object at an address. first_row: where the rows of the CTA begin."""
    offset = address & ((1 << REGION_SHIFT) - 1)
    variables = next((region.variables for region in regions if region.number == SHARED_REGION), ())
    name = next((f"{name}+{offset - start}" for name, start, size in variables if start <= offset < start + size), str(offset))
    held = held_at(memory, int(memory.table[SHARED_REGION, 0]) + offset)
    number, arrived, last, objects = 0, set[int](), -1, set[int]()
    ops, subs = code.static["op"], code.static["sub"]
    changes = np.flatnonzero(np.isin(ops, (Op.MBARRIER_INIT, Op.MBARRIER_SIGNAL, Op.MBARRIER_TRACK)))
    there = np.flatnonzero(np.isin(rows.row[first_row : int(rows.used[0]), 0] >> 32, changes))
    for row in (first_row + there).tolist():
        walk = int(rows.row[row, 0]) >> 32
        op = Op(int(ops[walk]))
        lanes, addresses = _row(rows, row)
        if op == Op.MBARRIER_INIT:
            objects.update(int(a) for a in addresses)
        here = [int(lane) for lane in lanes[addresses == address]]
        if not here:
            continue
        if op == Op.MBARRIER_INIT:
            number, arrived, last = 0, set(), -1
        elif subs[walk] & ARRIVES or op == Op.MBARRIER_TRACK:
            arrived.update(here)
            last = walk
        # The last lane of a row that ends a phase is the one that ends it (mbarriers.py).
        if int(rows.row[row, 2]) & FLAG_ENDS_PHASE and addresses[-1] == address:
            number, arrived, last = number + 1, set(), -1
    return Awaited(name, held[:3] if held is not None else None, number, tuple(sorted(arrived)), last, len(objects))


def _row(rows: Rows, row: int) -> tuple[Array, Array]:
    """Lanes and addresses of a row that is being written."""
    mask, pattern = int(rows.row[row, 0]) & 0xFFFFFFFF, int(rows.row[row, 2]) >> 8
    lanes = np.flatnonzero(np.unpackbits(rows.bits[mask].view(np.uint8), bitorder="little"))
    addresses = np.full(len(lanes), rows.row[row, 1], np.int64)
    if pattern >= 0:
        addresses += rows.values[rows.start[pattern] : rows.start[pattern + 1]]
    return lanes, addresses


def _helps(row: Array, pending: int, tx: int) -> bool:
    """Whether an instruction can bring a phase nearer to its end."""
    if row[OP] == Op.MBARRIER_TRACK:
        return bool(pending and row[SUB] & UNCOUNTED)
    return bool(row[OP] == Op.MBARRIER_SIGNAL and ((pending and row[SUB] & ARRIVES) or (tx > 0 and row[SUB] & DELIVERS)))


def _reached(code: Array, at: int) -> set[int]:
    """Rows of the code that a lane may come to."""
    seen, stack = {at}, [at]
    while stack:
        here = stack.pop()
        new = [there for there in successors(code[here].tolist(), here, len(code)) if there not in seen]
        seen.update(new)
        stack += new
    return seen

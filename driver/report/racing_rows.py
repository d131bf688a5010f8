"""In which rows of a program the two accesses of a race meet.

A row is one execution of an instruction with all threads that act in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_MOST_ROWS = 4096  # executions of one instruction by one thread that are looked at


@dataclass(frozen=True)
class Object:
    """A tensor or variable: its name in the program, where it starts (address), and its bytes."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class Hit:
    """A row in which the thread of an access touches the finding's place; `size`: bytes a thread touches, `unit`: of one of
    the numbers that it moves."""

    row: int
    place: Object
    address: int
    size: int
    unit: int

    def elements(self, address: int, unit: int) -> range:
        """The elements of `unit` bytes that a thread touches at an address."""
        start = address - self.place.start
        return range(start // unit, -(-(start + self.size) // unit))


def nearest(program: Any, raw: Mapping[str, Any], accesses: Any) -> tuple[Hit, Hit] | None:
    """The executions of the two accesses that hit common bytes at the finding's place with no barrier of both threads in
    between, the nearest to each other."""
    first, second = (list(_hits(program, raw, access)) for access in accesses)
    met = _meetings(program, accesses)
    pairs = [
        (abs(a.row - b.row), a, b)
        for a in first[:_MOST_ROWS]
        for b in second[: max(1, _MOST_ROWS // max(1, len(first)))]
        if a.address < b.address + b.size and b.address < a.address + a.size and (met is None or met[a.row] == met[b.row])
    ]
    if not pairs:
        return None
    _, a, b = min(pairs, key=lambda pair: (pair[0], pair[1].row, pair[2].row))
    return a, b


def _meetings(program: Any, accesses: Any) -> Any:
    """How many barriers each row has before it at which both threads waited; None where these do not order the two: they are
    of different CTAs, or a copy runs on beyond the barrier."""
    import numpy as np

    from volta_pipe.ir.instructions import Op

    threads = [int(access["thread"]) for access in accesses]
    if list(accesses[0]["cta"]) != list(accesses[1]["cta"]) or any(a["action"] == "copy" for a in accesses) or min(threads) < 0:
        return None
    both = [program.mask_bits[:, t // 64] >> np.uint64(t % 64) & np.uint64(1) for t in threads]
    kinds = [Op.BAR, Op.BAR_RED, *[Op.WARPSYNC] * (threads[0] // 32 == threads[1] // 32)]
    instructions = np.isin(program.op, kinds)
    waits = np.where(program.row_instr >= 0, instructions[np.maximum(program.row_instr, 0)], False)
    return np.cumsum(waits & (both[0] & both[1]).astype(bool)[program.row_mask])


def _hits(program: Any, raw: Mapping[str, Any], access: Mapping[str, Any]) -> Iterator[Hit]:
    """The rows of an access in which its thread touches the finding's bytes."""
    import numpy as np

    from volta_pipe.ir.instructions import Op
    from volta_pipe.passes.sizes import bytes_of

    ctas = [list(cta) for cta in program.cta_ids.tolist()]
    if list(access["cta"]) not in ctas or min(access["thread"], access["instruction"]) < 0:
        return
    begin, end = (int(row) for row in program.cta_rows[ctas.index(list(access["cta"])) :][:2])
    instructions = [access["instruction"]]
    if program.op[access["instruction"]] == Op.COPY_WAIT:  # a copy that its thread waited for counts from its wait on
        instructions = np.flatnonzero(program.op == Op.COPY).tolist()
    rows = np.flatnonzero(np.isin(program.row_instr[begin:end], instructions)) + begin
    for row in rows[:_MOST_ROWS].tolist():
        lanes = program.active_lanes(int(program.row_mask[row]))
        place = np.flatnonzero(lanes == access["thread"])
        if not len(place):
            continue
        address, size = int(program.row_values(row)[place[0]]), bytes_of(program, row)
        found = _object_at(program, raw, address)
        if found is not None and address <= found.start + int(raw["offset"]) < address + size:
            instruction = int(program.row_instr[row])
            yield Hit(row, found, address, size, max(1, int(program.width[instruction]) // 8))


def _object_at(program: Any, raw: Mapping[str, Any], address: int) -> Object | None:
    """The finding's tensor or variable, where `address` lies in its region."""
    from volta_pipe.ir.address_space import REGION_SHIFT

    region = program.region_of(address)
    if region is None:
        return None
    base = region.number << REGION_SHIFT
    for name, offset, size in region.variables:
        if name == raw["name"]:
            return Object(name, base + region.start + offset, size)
    return Object(region.name, base + region.start, region.size) if region.name == raw["name"] or not raw["name"] else None

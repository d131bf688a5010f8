"""What a value that is only known symbolically rests on: the elements and scalars that it was computed from.

The rows of a program are followed backwards from what is looked at: through registers, shuffles and memory, to reads of
what was there before the launch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from volta_pipe.ir.address_space import GLOBAL_VARIABLES_REGION, REGION_SHIFT
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_GUARDED, FLAG_SOURCE, MICRO_SHIFT, Program
from volta_pipe.passes.sizes import bytes_of

_MOST_ROWS = 30_000  # that are gone back, each in some microseconds
MOST_SHOWN = 3
_WARP = 32
_OF_WARPS = (Op.REDUX, Op.VOTE, Op.MATCH)
_STORES = (Op.ST, Op.ATOM, Op.RED, Op.STMATRIX)


@dataclass(frozen=True)
class Rest:
    """Something that a value was computed from: its name, as `x[0, 3]`; the index of its tensor or -1; the instruction that
    reads it."""

    name: str
    tensor: int
    instruction: int


def rests_of(program: Program, launch: Launch, cta: int, end: int, thread: int, registers: Iterable[int]) -> tuple[Rest, ...]:
    """What the contents of registers of a thread rest on before the row `end` of CTA number `cta`, each once, what is read
    first first; () where it cannot be told."""
    found: dict[str, Rest] = {}
    for rest in _Back(program, launch).sources(cta, end, thread, registers):
        found.setdefault(rest.name, rest)
    return tuple(found.values())[::-1]


def listed(rests: Sequence[Rest], words: Callable[[Rest], str] = lambda rest: rest.name) -> str:
    """`x[0], x[1] and 3 more`."""
    shown, more = [words(rest) for rest in rests[:MOST_SHOWN]], len(rests) - MOST_SHOWN
    last = f"{more} more" if more > 0 else shown.pop() if len(shown) > 1 else ""
    return ", ".join(shown) + (f" and {last}" if last else "")


class _Back:
    """Going back through rows: `needed`, threads whose contents of a register are wanted; `cells`, addresses of bytes."""

    def __init__(self, program: Program, launch: Launch) -> None:
        self.program, self.launch = program, launch
        self.needed: dict[int, set[int]] = {}
        self.cells: set[int] = set()

    def sources(self, cta: int, end: int, thread: int, registers: Iterable[int]) -> Iterator[Rest]:
        """What is read from before the launch, the last read first."""
        program = self.program
        self._need(registers, [thread])
        for row in range(end - 1, max(-1, end - 1 - _MOST_ROWS), -1):
            if row < program.cta_rows[cta]:  # registers and shared memory start afresh in each CTA
                cta -= 1
                self.needed = {}
                self.cells = {cell for cell in self.cells if cell >> REGION_SHIFT >= GLOBAL_VARIABLES_REGION}
            if not self.cells and not any(self.needed.values()):
                return
            yield from self._row(row, int(program.row_instr[row]))

    def _need(self, registers: Iterable[int], threads: Iterable[int]) -> None:
        for register in registers:
            self.needed.setdefault(register, set()).update(threads)

    def _row(self, row: int, instruction: int) -> Iterator[Rest]:
        """Replaces what a row makes by what it makes it from."""
        program = self.program
        if instruction < 0:
            if wanted := self.needed.get(-1 - instruction):
                wanted.difference_update(program.active_lanes(int(program.row_mask[row])).tolist())
            return
        op = int(program.op[instruction])
        first = int(program.first[instruction])
        middle = first + int(program.results[instruction])
        results = [int(r) for r in program.operands[first:middle]]
        inputs = [int(r) for r in program.operands[middle : middle + int(program.inputs[instruction])]]
        guard = [int(program.guard[instruction])] if program.row_flags[row] & FLAG_GUARDED else []
        if self.cells and op in (*_STORES, Op.COPY):
            self._stored(row, op, inputs[1:], guard)
        if not any(self.needed.get(result) for result in results):
            return
        keeps = bool(guard)
        if op == Op.LDMATRIX:
            parts = max(32, int(program.width[instruction])) // int(program.width[instruction])
            register, part = divmod(int(program.row_flags[row]) >> MICRO_SHIFT, parts)
            results, keeps = results[register : register + 1], keeps or part > 0
        threads = program.active_lanes(int(program.row_mask[row])).tolist()
        for thread, value in zip(threads, program.row_values(row).tolist(), strict=True):
            wanted_by = [self.needed[result] for result in results if thread in self.needed.get(result, ())]
            if not wanted_by:
                continue
            for wanted in wanted_by:
                if not keeps:
                    wanted.discard(thread)
            self._need(guard, [thread])
            if op in (Op.LD, Op.LDMATRIX, Op.ATOM):
                rest = _before_the_launch(program, self.launch, value, instruction)
                if rest is not None:
                    yield rest
                self.cells |= set(range(value, value + bytes_of(program, row)))
            elif op == Op.LDPARAM:
                yield Rest(self.launch.scalars[int(program.imm[instruction])].name, -1, instruction)
            elif op == Op.SHFL:
                self._need(inputs[:1], [value])
            elif op in (Op.MMA, Op.MOVMATRIX):
                yield Rest("a matrix product", -1, instruction)
            elif op in _OF_WARPS:
                self._need(inputs, [other for other in threads if other // _WARP == thread // _WARP])
            else:
                self._need(inputs, [thread])

    def _stored(self, row: int, op: int, values: Sequence[int], guard: Sequence[int]) -> None:
        """What a row wrote to bytes that are wanted."""
        program = self.program
        if op == Op.COPY and program.row_flags[row] & FLAG_SOURCE:
            return
        size = bytes_of(program, row)
        threads = program.active_lanes(int(program.row_mask[row])).tolist()
        sources = program.row_values(row - 1).tolist() if op == Op.COPY else [0] * len(threads)
        for thread, address, source in zip(threads, program.row_values(row).tolist(), sources, strict=True):
            hit = self.cells.intersection(range(address, address + size))
            if not hit:
                continue
            if op in (Op.ST, Op.COPY) and not guard:
                self.cells -= hit
            if op == Op.COPY:
                self.cells |= {source + byte - address for byte in hit}
            else:
                self._need([*values, *guard], [thread])


def _before_the_launch(program: Program, launch: Launch, address: int, instruction: int) -> Rest | None:
    """The element of a tensor that a read names; None for other memory."""
    region = program.region_of(address)
    if region is None or region.tensor < 0 or region.role == "scratch":
        return None
    tensor = launch.tensors[region.tensor]
    offset = address - (region.number << REGION_SHIFT) - region.start
    offsets = tensor.element_offsets()
    element = np.flatnonzero((offsets <= offset) & (offset < offsets + tensor.itemsize))
    if not len(element):
        return None
    index = ", ".join(str(int(i)) for i in np.unravel_index(int(element[0]), tensor.shape))
    return Rest(f"{tensor.name}[{index}]", region.tensor, instruction)

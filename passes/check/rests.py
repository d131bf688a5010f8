"""What a value that is only known symbolically rests on: the elements and scalars that it was computed from.

The rows of a program are followed backwards from the thread that stopped: through registers, shuffles and memory, to reads of
what was there before the launch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from volta_pipe.ir.findings import Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_GUARDED, FLAG_SOURCE, GLOBAL_VARIABLES_REGION, MICRO_SHIFT, REGION_SHIFT, Event, Program
from volta_pipe.passes.check.memory import locate
from volta_pipe.passes.check.sizes import bytes_of

_MOST_ROWS = 30_000  # that are gone back, each in some microseconds
_MOST_SHOWN = 3
_WARP = 32
_OF_WARPS = (Op.REDUX, Op.VOTE, Op.MATCH)
_STORES = (Op.ST, Op.ATOM, Op.RED, Op.STMATRIX)


def rests_on(program: Program, launch: Launch, event: Event) -> tuple[str, tuple[Step, ...]]:
    """Of an event about a branch, guard or address that is only known symbolically: (`x[0], x[1] and 3 more`, a step for each
    of the first ones, at the instruction that reads it); ("", ()) where it cannot be told."""
    if not event.threads or not 0 <= event.instruction < len(program.op) or not 0 <= event.cta < len(program.cta_ids):
        return "", ()
    found: dict[str, int] = {}
    for name, instruction in _Back(program, launch).sources(event):
        found.setdefault(name, instruction)
    if not found:
        return "", ()
    names = [*found][::-1]  # what is read first comes first
    shown, more = names[:_MOST_SHOWN], len(names) - _MOST_SHOWN
    steps = tuple(Step(f"it was computed from {name}, which is read here", found[name]) for name in shown)
    last = f"{more} more" if more > 0 else shown.pop() if len(shown) > 1 else ""
    text = ", ".join(shown) + (f" and {last}" if last else "")
    return text, steps


def _registers(program: Program, event: Event) -> Iterator[int]:
    """The registers that the instruction that stopped wants to know."""
    i = event.instruction
    first = int(program.first[i] + program.results[i])
    inputs = [int(register) for register in program.operands[first : first + int(program.inputs[i])]]
    if event.kind == "data-dependent-address":
        yield from inputs[: 2 if program.op[i] == Op.COPY else 1]
    elif program.op[i] == Op.CBRA:
        yield from inputs
    elif program.guard[i] >= 0:
        yield int(program.guard[i])
    else:
        yield from inputs


class _Back:
    """Going back through rows: `needed`, threads whose contents of a register are wanted; `cells`, addresses of bytes."""

    def __init__(self, program: Program, launch: Launch) -> None:
        self.program, self.launch = program, launch
        self.needed: dict[int, set[int]] = {}
        self.cells: set[int] = set()

    def sources(self, event: Event) -> Iterator[tuple[str, int]]:
        """(name, instruction) of what is read from before the launch, the last read first."""
        program, cta = self.program, event.cta
        self._need(_registers(program, event), [event.threads[0]])
        end = int(program.cta_rows[cta + 1])
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

    def _row(self, row: int, instruction: int) -> Iterator[tuple[str, int]]:
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
                if name := _before_the_launch(program, self.launch, value, instruction):
                    yield name, instruction
                self.cells |= set(range(value, value + bytes_of(program, row)))
            elif op == Op.LDPARAM:
                yield self.launch.scalars[int(program.imm[instruction])].name, instruction
            elif op == Op.SHFL:
                self._need(inputs[:1], [value])
            elif op in (Op.MMA, Op.MOVMATRIX):
                yield "a matrix product", instruction
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


def _before_the_launch(program: Program, launch: Launch, address: int, instruction: int) -> str:
    """The element that a read of a tensor with contents names; "" for other memory."""
    place = locate(program, launch, address, int(program.width[instruction]) // 8)
    region = place.region
    if region is None or region.tensor < 0 or region.role == "scratch":
        return ""
    index = ", ".join(map(str, place.index))
    return f"{place.name}[{index}]" if place.index else f"{place.name}+{place.offset}"

"""Out of SSA: which register each value lives in.

The `ptx` dialect is made from register code without any optimisation, so values that meet in a block argument, or in the old
value of a guarded instruction, can share one register and no copies are needed. That is checked here, by liveness, and a module
where it does not hold (because something optimised it) is refused rather than miscompiled."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx.flat import FlatBlock


class _Classes:
    """Union-find over value numbers."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def find(self, x: int) -> int:
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, x: int, y: int) -> None:
        self.parent[self.find(x)] = self.find(y)


def assign_registers(blocks: Sequence[FlatBlock], count: int) -> tuple[list[int], list[int]]:
    """(register of each of `count` values, how many values share each register).

    Errors: UnsupportedError when two values that are live at once would share a register."""
    classes = _Classes(count)
    for block in blocks:
        for target, values in block.edges:
            for argument, value in zip(blocks[target].arguments, values, strict=True):
                classes.union(argument, value)
        for flat in block.ops:
            if flat.guard >= 0:
                for result, old in zip(flat.results, flat.old, strict=True):
                    classes.union(result, old)
    roots = [classes.find(number) for number in range(count)]
    register_of_root: dict[int, int] = {}
    registers = [register_of_root.setdefault(root, len(register_of_root)) for root in roots]
    sharing = [0] * len(register_of_root)
    for register in registers:
        sharing[register] += 1
    _check_interference(blocks, registers, sharing)
    return registers, sharing


def _check_interference(blocks: Sequence[FlatBlock], registers: Sequence[int], sharing: Sequence[int]) -> None:
    """Backward liveness with sets as integers, over values that share registers; a definition must not find another member of
    its class alive after it."""
    groups: dict[int, int] = {}
    for number, register in enumerate(registers):
        if sharing[register] > 1:
            groups[register] = groups.get(register, 0) | 1 << number
    if not groups:
        return
    # By value: the others in its register, -1 for one that is alone in it.
    mates = [groups[register] & ~(1 << number) if register in groups else -1 for number, register in enumerate(registers)]
    events = [_events(block, mates) for block in blocks]
    uses, definitions = [], []
    for listed in events:
        used = defined = 0
        for is_use, number in listed:
            if is_use:
                used |= 1 << number
            else:
                used &= ~(1 << number)
                defined |= 1 << number
        uses.append(used)
        definitions.append(defined)
    live_in, changed = [0] * len(blocks), True
    while changed:
        changed = False
        for place in reversed(range(len(blocks))):
            live = uses[place] | _live_out(blocks[place], live_in) & ~definitions[place]
            if live != live_in[place]:
                live_in[place] = live
                changed = True
    for place, block in enumerate(blocks):
        live = _live_out(block, live_in)
        for is_use, number in events[place]:
            if is_use:
                live |= 1 << number
                continue
            if live & mates[number]:
                raise UnsupportedError(
                    "the module is not in the form that `lower` makes: two values that are alive at once share a register"
                )
            live &= ~(1 << number)


def _live_out(block: FlatBlock, live_in: Sequence[int]) -> int:
    live = 0
    for target, _ in block.edges:
        live |= live_in[target]
    return live


def _events(block: FlatBlock, mates: Sequence[int]) -> list[tuple[bool, int]]:
    """Uses (True) and definitions (False) of values that share registers, from the end of a block to its start."""
    events: list[tuple[bool, int]] = []
    for _, results, inputs, guard, old, *_ in reversed(block.ops):
        for number in results:
            if mates[number] >= 0:
                events.append((False, number))
        for number in inputs:
            if mates[number] >= 0:
                events.append((True, number))
        if guard >= 0:
            events += [(True, number) for number in (guard, *old) if mates[number] >= 0]
    events += [(False, number) for number in block.arguments if mates[number] >= 0]
    return events

"""SSA construction: liveness, dominators, dominance frontiers, and pruned block arguments.

Block arguments are placed as by Cytron et al. (1991), only where the register is live; dominators are computed as by Cooper,
Harvey and Kennedy (2001). Everything is iterative. Sets of registers are Python integers used as bit sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Graph:
    """A control-flow graph with, per block, the registers read before any write there, and those written.

    Block 0 is the entry; every block is reachable from it."""

    successors: Sequence[Sequence[int]]
    predecessors: Sequence[Sequence[int]]
    reads: Sequence[int]
    writes: Sequence[int]


@dataclass(frozen=True)
class Ssa:
    """The plan: per block its registers live at entry (bit set), its arguments (registers in ascending order), and
    the blocks that it dominates immediately."""

    live_in: list[int]
    arguments: list[list[int]]
    children: list[list[int]]


def bits_of(bits: int) -> Iterator[int]:
    """The elements of a bit set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def plan(graph: Graph) -> Ssa:
    """Where block arguments go, and in which order blocks can be renamed."""
    live_in = _liveness(graph)
    idom = _dominators(graph)
    children: list[list[int]] = [[] for _ in idom]
    for block, parent in enumerate(idom):
        if block:
            children[parent].append(block)
    frontiers = _frontiers(graph, idom)
    return Ssa(live_in, _arguments(graph, live_in, frontiers), children)


def _liveness(graph: Graph) -> list[int]:
    live_in = list(graph.reads)
    todo = set(range(len(live_in)))
    while todo:
        block = max(todo)  # backward: later blocks first
        todo.discard(block)
        out = 0
        for successor in graph.successors[block]:
            out |= live_in[successor]
        new = graph.reads[block] | (out & ~graph.writes[block])
        if new != live_in[block]:
            live_in[block] = new
            todo.update(graph.predecessors[block])
    return live_in


def _postorder(graph: Graph) -> list[int]:
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(graph.successors[0]))]
    while stack:
        block, rest = stack[-1]
        following = next((one for one in rest if one not in seen), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(graph.successors[following])))
    return order


def _dominators(graph: Graph) -> list[int]:
    """The immediate dominator of each block; of the entry itself."""
    order = _postorder(graph)
    number = [0] * len(order)
    for position, block in enumerate(order):
        number[block] = position
    idom = [-1] * len(order)
    idom[0] = 0
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            new = -1
            for other in graph.predecessors[block]:
                if idom[other] >= 0:
                    new = other if new < 0 else _meet(new, other, idom, number)
            if idom[block] != new:
                idom[block] = new
                changed = True
    return idom


def _meet(a: int, b: int, idom: list[int], number: list[int]) -> int:
    while a != b:
        while number[a] < number[b]:
            a = idom[a]
        while number[b] < number[a]:
            b = idom[b]
    return a


def _frontiers(graph: Graph, idom: list[int]) -> list[set[int]]:
    frontiers: list[set[int]] = [set() for _ in idom]
    for block, incoming in enumerate(graph.predecessors):
        if len(incoming) < 2:
            continue
        for runner in incoming:
            while runner != idom[block]:
                frontiers[runner].add(block)
                runner = idom[runner]
    return frontiers


def _arguments(graph: Graph, live_in: list[int], frontiers: list[set[int]]) -> list[list[int]]:
    """Per block the registers that need an argument: the iterated frontier of their writes, where they are live."""
    definitions = list(graph.writes)
    definitions[0] |= live_in[0]  # a register that is read before any write is defined, as undefined, in the entry
    needed = [0] * len(live_in)
    todo = set(range(len(live_in)))
    while todo:
        block = min(todo)
        todo.discard(block)
        for join in frontiers[block]:
            new = definitions[block] & live_in[join] & ~needed[join]
            if new:
                needed[join] |= new
                if new & ~definitions[join]:
                    definitions[join] |= new
                    todo.add(join)
    return [list(bits_of(bits)) for bits in needed]

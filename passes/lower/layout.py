"""The blocks of a kernel in a form that depends on the control flow alone, and not on where its text has them.

Jumps to blocks that only jump go on to where these lead; a block and the only one behind it, which nothing else leads to, are
one. The order is topological but for edges back to the head of a loop, and the blocks of a loop stay together, its head first
(Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993: a weak topological order). So what follows a loop or
joins two branches comes behind all that leads there, as in the text of compilers: the machine that runs lanes by the smallest
pc (passes/unroll) brings them together there.

Of two ways that do not lead to each other the one to a loop that may poll comes first: so no other lanes have done what it
waits for, and that it waits is seen (passes/unroll/polling.py)."""

from __future__ import annotations

from volta_pipe.ir.ptx.words import STRONG
from volta_pipe.passes.lower.flow import BRANCH, Block

# Loops in loops in loops: deeper ones are left in the order of the search, so that no text makes this quadratic.
_DEEPEST = 40


def arrange(blocks: list[Block]) -> list[Block]:
    """The blocks (the entry first, all of them reachable), threaded, merged, in canonical order, with their predecessors. The
    entry has none: where something leads back to it an empty block is put in front."""
    _thread(blocks)
    if any(0 in block.successors for block in _reached(blocks)):
        blocks = [Block([], successors=(0,)), *blocks]
        for block in blocks:
            block.successors = tuple(index + 1 for index in block.successors)
        blocks[0].successors = (1,)
    _merge(blocks)
    waiting = _waiting(blocks)
    order = _order([_visited(blocks, index, waiting) for index in range(len(blocks))])
    number = {old: new for new, old in enumerate(order)}
    kept = [blocks[old] for old in order]
    for block in kept:
        block.successors = tuple(number[old] for old in block.successors)
        block.predecessors = []
    for index, block in enumerate(kept):
        for successor in dict.fromkeys(block.successors):
            kept[successor].predecessors.append(index)
    return kept


def _thread(blocks: list[Block]) -> None:
    """Jumps go past blocks that only jump. Of a ring of such blocks one stays, and jumps to itself."""
    ends: dict[int, int] = {}
    for start in range(len(blocks)):
        path: dict[int, None] = {}
        at = start
        while at not in ends and at not in path and not blocks[at].instructions and blocks[at].kind == BRANCH:
            path[at] = None
            at = blocks[at].successors[0]
        end = ends.get(at, at)
        ends.update(dict.fromkeys(path, end))
    for block in blocks:
        block.successors = tuple(ends.get(one, one) for one in block.successors)


def _reached(blocks: list[Block]) -> list[Block]:
    seen, todo = {0}, [0]
    while todo:
        for one in blocks[todo.pop()].successors:
            if one not in seen:
                seen.add(one)
                todo.append(one)
    return [blocks[index] for index in sorted(seen)]


def _merge(blocks: list[Block]) -> None:
    """A block takes in the one that it alone leads to, and that nothing else leads to."""
    entering = [0] * len(blocks)
    seen, order = {0}, [0]
    for index in order:
        for one in blocks[index].successors:
            entering[one] += 1
            if one not in seen:
                seen.add(one)
                order.append(one)
    for index in order:
        block = blocks[index]
        while block.kind == BRANCH and block.successors[0] not in (0, index) and entering[block.successors[0]] == 1:
            after = blocks[block.successors[0]]
            block.instructions += after.instructions
            block.kind, block.end, block.condition = after.kind, after.end, after.condition
            block.successors, after.successors = after.successors, ()
            after.kind = ""


def _visited(blocks: list[Block], index: int, waiting: set[int]) -> tuple[int, ...]:
    """The successors in the order of the search, of which the last one comes first in the text: one that ends the thread, one
    that leads to a loop that may poll, then the one where the condition is true, as compilers mostly have it."""
    backward = blocks[index].successors[::-1]
    return tuple(sorted(backward, key=lambda one: (not blocks[one].successors, one in waiting)))


def _waiting(blocks: list[Block]) -> set[int]:
    """The blocks that lead to a loop in which memory is read that other threads may change meanwhile."""
    polling = [index for index, block in enumerate(blocks) if any(_may_poll(one.opcode) for one in block.instructions)]
    if not polling:
        return set()
    parts = _components([block.successors for block in blocks], 0, None)
    inside = {one for part in parts if len(part) > 1 or part[0] in blocks[part[0]].successors for one in part}
    polling = [index for index in polling if index in inside]
    before: list[list[int]] = [[] for _ in blocks]
    for index, block in enumerate(blocks):
        for successor in block.successors:
            before[successor].append(index)
    found, todo = set(polling), polling
    while todo:
        new = [one for one in before[todo.pop()] if one not in found]
        found.update(new)
        todo += new
    return found


def _may_poll(opcode: str) -> bool:
    return opcode.startswith("atom.") or (opcode.startswith("ld.") and not STRONG.isdisjoint(opcode.split(".")))


def _order(successors: list[tuple[int, ...]]) -> list[int]:
    """A weak topological order of what 0 leads to."""
    order: list[int] = []
    todo: list[tuple[int, set[int] | None, int]] = [(0, None, 0)]
    while todo:
        head, inside, depth = todo.pop()
        parts = _components(successors, head, inside)
        if depth >= _DEEPEST:
            order += [one for part in parts for one in part]
            continue
        # The head is alone in its part, as no edge back to it is followed.
        for place, part in enumerate(parts):
            if len(part) > 1:
                todo += [(rest[0], set(rest), depth + 1) for rest in reversed(parts[place:])]
                break
            order.append(part[0])
    return order


def _components(successors: list[tuple[int, ...]], head: int, inside: set[int] | None) -> list[list[int]]:
    """The strongly connected parts of what `head` leads to within `inside` (None: everything) without an edge back to it, in
    topological order, the block at which each was entered first (Tarjan 1972)."""
    number: dict[int, int] = {head: 0}
    low: dict[int, int] = {head: 0}
    open_parts: list[int] = [head]
    is_open = {head}
    parts: list[list[int]] = []
    path = [(head, iter(successors[head]))]
    while path:
        block, rest = path[-1]
        for one in rest:
            if one == head or (inside is not None and one not in inside):
                continue
            if one not in number:
                number[one] = low[one] = len(number)
                open_parts.append(one)
                is_open.add(one)
                path.append((one, iter(successors[one])))
                break
            if one in is_open:
                low[block] = min(low[block], number[one])
        else:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[block])
            if low[block] == number[block]:
                place = len(open_parts) - 1
                while open_parts[place] != block:
                    place -= 1
                parts.append(open_parts[place:])
                is_open.difference_update(open_parts[place:])
                del open_parts[place:]
    parts.reverse()
    return parts

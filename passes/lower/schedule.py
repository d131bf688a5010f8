"""The order of the operations in each block: effects in theirs, each behind what it reads, what loads give put to use at once,
all else where it is needed.

Only what must not change places is kept apart. Loads stay between the same two effects. Values that meet in an argument of a
block, or as the old value of a guarded result, share a register, so a new one comes when the one before was read for the last
time; and there is one carry bit."""

from __future__ import annotations

from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind, Move, Node
from volta_pipe.passes.lower.numbering import Numbering


def schedule(flow: Flow, numbering: Numbering) -> None:
    """Orders the nodes of each block, and leaves out the dead ones."""
    of = numbering.of
    webs = _webs(flow, of)
    done = [True] * len(flow.things)
    for block in flow.blocks:
        live = [node for node in block.nodes if of[node.number] >= 0 and node.kind is not Kind.SINK]
        for node in live:
            done[node.number] = False
        block.nodes = _Scheduler(flow, numbering, done, _waits(live, webs, of)).order(block, live)


class _Scheduler:
    """Orders one block. done: of all things, whether they stand already (all that is not of this block does); waits: what nodes
    have to wait for beside what they read."""

    def __init__(self, flow: Flow, numbering: Numbering, done: list[bool], waits: dict[int, list[int]]) -> None:
        self.things, self.owner = flow.things, flow.owner
        self.of, self.depth, self.done, self.waits = numbering.of, numbering.depth, done, waits
        self.ordered: list[Node] = []

    def order(self, block: FlowBlock, live: list[Node]) -> list[Node]:
        """The nodes of the block in order."""
        of, done, waits, owner = self.of, self.done, self.waits, self.owner
        due = self._due(live)
        effects = 0
        for node in live:
            if node.move is not Move.EFFECT:
                continue
            for read in sorted((owner[value] for value in node.operands), key=self.depth.__getitem__, reverse=True):
                self._put(read)
            for number in sorted(due.get(effects, ()), key=of.__getitem__):
                self._put(number)
            self._put(node.number)
            effects += 1
        # What goes to the next blocks, new values of registers that are still read last of all; the condition where it is used.
        passed = [owner[value] for values in block.passed for value in values]
        rest = [number for number in passed if not done[number] and number not in waits]
        left = sorted((node.number for node in live if not done[node.number]), key=of.__getitem__)
        last = owner[block.condition] if block.condition >= 0 else -1
        rest += [number for number in left if number not in waits and number != last]
        rest += [number for number in left if number != last]
        for number in [*rest, *left]:
            self._put(number)
        return self.ordered

    def _due(self, live: list[Node]) -> dict[int, list[int]]:
        """By how many effects come before: the loads that stand there, and what can be computed there from these, or from the
        last of those effects. It is not left for later, so that one value is kept instead of many."""
        due: dict[int, list[int]] = {}
        earliest: dict[int, int] = {}
        fresh: set[int] = set()
        effects = 0
        for node in live:
            number = node.number
            if node.move is Move.EFFECT:
                effects += 1
            if node.move is not Move.PURE:
                earliest[number] = effects
                fresh.add(number)
                if node.move is Move.LOAD:
                    due.setdefault(effects, []).append(number)
                continue
            reads = [self.owner[value] for value in node.operands]
            before = [earliest[one] for one in (*reads, *self.waits.get(number, ())) if one in earliest]
            earliest[number] = max(before, default=0)
            if not fresh.isdisjoint(reads):
                fresh.add(number)
                due.setdefault(earliest[number], []).append(number)
        return due

    def _put(self, start: int) -> None:
        """Appends a node, if it is not there yet, behind all that it has to come after."""
        done, things, owner, waits = self.done, self.things, self.owner, self.waits
        stack = [start]
        opened: set[int] = set()
        while stack:
            number = stack[-1]
            if done[number]:
                stack.pop()
                continue
            node = things[number]
            assert node is not None
            if number not in opened:
                opened.add(number)
                reads = [read for value in reversed(node.operands) if not done[read := owner[value]]]
                if len(reads) > 1:
                    reads.sort(key=self.depth.__getitem__)
                if number in waits:
                    reads[:0] = [other for other in reversed(waits[number]) if not done[other]]
                if reads:
                    stack += reads
                    continue
            stack.pop()
            done[number] = True
            if node.guard is not None:
                old = (things[owner[value]] for value in node.operands[node.inputs :])
                self.ordered += [one for one in old if one is not None and one.kind is Kind.SINK]
            self.ordered.append(node)


def _webs(flow: Flow, of: list[int]) -> dict[int, int]:
    """Of the values that share a register with others one that stands for all of these."""
    parent: dict[int, int] = {}

    def find(value: int) -> int:
        while (above := parent.setdefault(value, value)) != value:
            parent[value] = value = parent[above]
        return value

    for block in flow.blocks:
        for successor, passed in zip(block.successors, block.passed, strict=True):
            for argument, value in zip(flow.blocks[successor].arguments, passed, strict=True):
                parent[find(value)] = find(argument)
        for node in block.nodes:
            if node.guard is not None and of[node.number] >= 0:
                for result, old in zip(node.results, node.operands[node.inputs + 1 :], strict=True):
                    parent[find(old)] = find(result)
    return {value: find(value) for value in list(parent)}


def _waits(live: list[Node], webs: dict[int, int], of: list[int]) -> dict[int, list[int]]:
    """By number of a node what reads or makes the value that its result replaces; live: of one block, as the text has them."""
    waits: dict[int, list[int]] = {}
    present: dict[int, tuple[int, list[int]]] = {}
    carrying: list[int] = []
    for node in live:
        number = node.number
        before: list[int] = []
        if webs:
            for value in node.operands:
                if value in webs:
                    present.setdefault(webs[value], (value, []))[1].append(number)
            for value in node.results:
                if value in webs:
                    before += present.get(webs[value], (0, []))[1]
                    present[webs[value]] = value, [number]
        if node.carries:
            before += carrying
            carrying = [number]
        before = [other for other in before if other != number]
        if before:
            waits[number] = sorted(before, key=of.__getitem__)
    return waits

"""A canonical number for everything that an effect depends on, by a walk from the effects to what they read; the rest is dead.

The walk goes over blocks and effects in order, and over operands in order, those first that take more steps to compute: what a
sum adds last is then computed last. So it depends on nothing else of the text. Operands that may change places stand by those
steps, too, shorter ones first, then as they are met; constants stand last."""

from __future__ import annotations

from volta_pipe.passes.lower.colours import Colours, edges, spelling
from volta_pipe.passes.lower.nodes import Flow, Move, Node


class Numbering:
    """`of`: the number of each thing, -1 where it is dead, the higher the later the walk left it. `depth`: how many operations
    each takes to compute, one after the other. Exchangeable operands are put in order."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.colours = Colours(flow)
        self.of = [-1] * len(flow.things)
        self.of[0] = 0
        self.depth = depths(flow)
        self._count = 1
        self._arguments: list[int] = []  # as they are met
        self._into = edges(flow)
        for block in flow.blocks:
            for node in block.nodes:
                if node.move is Move.EFFECT:
                    self._walk(node.number)
        for block in flow.blocks:
            if block.condition >= 0:
                self._walk(flow.owner[block.condition])
        done = self._follow(0)
        for load in self._unread():
            self._walk(load.number)
            done = self._follow(done)

    def _follow(self, done: int) -> int:
        """What comes in for the arguments met since; how many were met."""
        flow = self.flow
        while done < len(self._arguments):
            index, place = flow.places[self._arguments[done] - 1]
            done += 1
            for one, way in self._into[index]:
                self._walk(flow.owner[flow.blocks[one].passed[way][place]])
        return done

    def _unread(self) -> list[Node]:
        """The loads that no effect depends on; their values may still be used by each other."""
        found = []
        for index, block in enumerate(self.flow.blocks):
            effects = 0
            for node in block.nodes:
                effects += node.move is Move.EFFECT
                if node.move is Move.LOAD and self.of[node.number] < 0:
                    found.append((index, effects, node))
        if len(found) < 2:
            return [node for _, _, node in found]
        made = self.colours.made()
        keys = {node: (index, effects, spelling(node), made[node.results.start]) for index, effects, node in found}
        if len(set(keys.values())) == len(keys):
            return sorted(keys, key=keys.__getitem__)
        used = self.colours.used()
        return sorted(keys, key=lambda node: (keys[node], [used[value] for value in node.results]))

    def _walk(self, start: int) -> None:
        """Numbers a thing behind all that it reads."""
        of, things, owner = self.of, self.flow.things, self.flow.owner
        stack = [start]
        while stack:
            number = stack[-1]
            if of[number] >= 0:
                stack.pop()
                continue
            node = things[number]
            if node is None:
                self._arguments.append(number)
            elif of[number] == -1:
                of[number] = -2
                reads = [read for value in node.operands if of[read := owner[value]] < 0]
                if reads:
                    if len(reads) > 1:
                        self._order(node, reads)
                    stack += reads
                    continue
            stack.pop()
            if node is not None and node.exchangeable:
                self._exchange(node)
            of[number] = self._count
            self._count += 1

    def _order(self, node: Node, reads: list[int]) -> None:
        """Things that a node reads, in the order of a stack."""
        if node.exchangeable:
            one, other = node.operands[:2]
            first, second = self.flow.owner[one], self.flow.owner[other]
            free = one != other and self.of[first] < 0 and self.of[second] < 0 and self.depth[first] == self.depth[second]
            if free and self.colours.precede(other, one):
                reads[:2] = second, first
        reads.reverse()
        reads.sort(key=self.depth.__getitem__)

    def _exchange(self, node: Node) -> None:
        """Puts the first two operands in order; both have their numbers."""
        first, second = node.operands[0], node.operands[1]
        if self._place(second) < self._place(first):
            node.operands[0], node.operands[1] = second, first

    def _place(self, value: int) -> tuple[int, ...]:
        constant = self.flow.constants.get(value)
        if constant is not None:
            return (1, *constant)
        thing = self.flow.owner[value]
        return (0, self.depth[thing], self.of[thing], value)


def depths(flow: Flow) -> list[int]:
    """Of each thing the length of the longest way to it from an argument of a block, or from what reads nothing."""
    found = [0] * len(flow.things)
    for block in flow.blocks:
        for node in block.nodes:
            deepest = 0
            for value in node.operands:
                depth = found[flow.owner[value]]
                deepest = max(deepest, depth)
            found[node.number] = deepest + 1
    return found


def keep_arguments(flow: Flow, of: list[int]) -> None:
    """Leaves out the arguments of blocks that are dead; the others stand in the order of their numbers."""
    for block, into in zip(flow.blocks, edges(flow), strict=True):
        numbers = [of[flow.owner[value]] for value in block.arguments]
        order = sorted((place for place, number in enumerate(numbers) if number >= 0), key=numbers.__getitem__)
        if order == list(range(len(numbers))):
            continue
        block.arguments = [block.arguments[place] for place in order]
        for one, way in into:
            passed = flow.blocks[one].passed[way]
            flow.blocks[one].passed[way] = [passed[place] for place in order]

"""Colours of values: numbers that tell apart what is computed in another way or, failing that, used in another way.

They depend on the kernel's meaning alone, not on its text, so they decide where an order is free (the operands of a sum). Equal
colours decide nothing: then the order of the text stays, which is right, only not canonical. The arguments of blocks are
refined as by Weisfeiler and Leman: their colour is made of what comes in on each edge, round after round."""

from __future__ import annotations

from hashlib import blake2b

from volta_pipe.passes.lower.nodes import Flow, Kind, Move, Node

_MASK = (1 << 64) - 1
_ROUNDS = 6


def mixed(first: int, *others: int) -> int:
    """A number of 64 bits that stands for several in order."""
    for other in others:
        first = ((first ^ other) * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & _MASK
        first ^= first >> 29
    return first


class Colours:
    """Computed when they are asked for first: most kernels never ask."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self._made: list[int] | None = None
        self._used: list[int] | None = None
        self._words: dict[tuple[int, object], int] = {}

    def precede(self, first: int, second: int) -> bool:
        """Whether one value surely comes before another: by how it is spelled, then by what it is computed of, then by use."""
        shown, other = self._spelling(first), self._spelling(second)
        if shown != other:
            return shown < other
        made = self.made()
        if made[first] != made[second]:
            return made[first] < made[second]
        used = self.used()
        return used[first] < used[second]

    def made(self) -> list[int]:
        """The colour of each value by what it is computed of."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def used(self) -> list[int]:
        """The colour of each value by what reads it."""
        if self._used is None:
            self._used = self._use(self.made())
        return self._used

    def _spelling(self, value: int) -> tuple[int, object]:
        number = self.flow.owner[value]
        node = self.flow.things[number]
        return (-1, self.flow.places[number - 1][0]) if node is None else spelling(node)

    def _word(self, node: Node) -> int:
        """The colour of a node's spelling."""
        key = spelling(node)
        found = self._words.get(key)
        if found is None:
            found = self._words[key] = _digest(key)
        return found

    def _live(self) -> list[bool]:
        """Of each thing whether an effect depends on it."""
        flow, live = self.flow, [False] * len(self.flow.things)
        into = edges(flow)
        todo = [node.number for block in flow.blocks for node in block.nodes if node.move is not Move.PURE]
        todo += [flow.owner[block.condition] for block in flow.blocks if block.condition >= 0]
        while todo:
            number = todo.pop()
            if live[number]:
                continue
            live[number] = True
            node = flow.things[number]
            if node is not None:
                todo += [flow.owner[value] for value in node.operands]
            elif number:
                index, place = flow.places[number - 1]
                todo += [flow.owner[flow.blocks[one].passed[way][place]] for one, way in into[index]]
        return live

    def _make(self) -> list[int]:
        """Of all values, from what they are computed of."""
        flow = self.flow
        made = [0] * len(flow.widths)
        for value, key in flow.constants.items():
            made[value] = _digest(("constant", key))
        into, live = edges(flow), self._live()
        words = {node.number: self._word(node) for block in flow.blocks for node in block.nodes}
        count, rounds = -1, 0
        while rounds < _ROUNDS:
            for index, block in enumerate(flow.blocks):
                for place, argument in enumerate(block.arguments):
                    incoming = (made[flow.blocks[one].passed[way][place]] for one, way in into[index])
                    made[argument] = mixed(index, flow.widths[argument], *incoming)
                effects = 0
                for node in block.nodes:
                    word = words[node.number]
                    if node.move is Move.PURE:
                        read = [made[value] for value in node.operands]
                        if node.exchangeable:
                            read[:2] = sorted(read[:2])
                        colour = mixed(word, *read)
                    elif node.move is Move.LOAD:
                        colour = mixed(word, index, effects, *(made[value] for value in node.operands))
                    else:
                        effects += 1
                        colour = mixed(index, effects, 1)
                    for place, value in enumerate(node.results):
                        made[value] = colour + place
            # Rounds are counted by what is alive, so that dead code does not change how many there are.
            found = len({made[argument] for block in flow.blocks for argument in block.arguments if live[flow.owner[argument]]})
            rounds += 1
            if found == count:
                break
            count = found
        return made

    def _use(self, made: list[int]) -> list[int]:
        """Of all values, from what reads them, in any order."""
        flow = self.flow
        used, live = [0] * len(flow.widths), self._live()
        for _ in range(_ROUNDS):
            new = [0] * len(used)
            for index, block in reversed(list(enumerate(flow.blocks))):
                for successor, passed in zip(block.successors, block.passed, strict=True):
                    for argument, value in zip(flow.blocks[successor].arguments, passed, strict=True):
                        if live[flow.owner[argument]]:
                            new[value] += mixed(made[argument], used[argument])
                if block.condition >= 0:
                    new[block.condition] += mixed(index, 2)
                effects = sum(node.move is Move.EFFECT for node in block.nodes)
                for node in reversed(block.nodes):
                    if not live[node.number]:
                        continue
                    effects -= node.move is Move.EFFECT
                    mine = mixed(self._word(node), *(new[value] for value in node.results))
                    if node.move is not Move.PURE:
                        mine = mixed(mine, index, effects)
                    for place, value in enumerate(node.operands):
                        new[value] += mixed(mine, 0 if node.exchangeable and place < 2 else place)
            before, used = used, [one & _MASK for one in new]
            if used == before:
                break
        return used


def spelling(node: Node) -> tuple[int, object]:
    """How a node is spelled, without its operands; those of one kind can be compared."""
    step = node.step
    if step is None:
        return node.kind.value, node.what
    if node.kind is Kind.PARAM:
        return node.kind.value, (step.param, step.types)
    guard = 0 if node.guard is None else 2 if node.guard.negated else 1
    one = step.instruction
    words = tuple(sorted(step.modifiers)) if step.reason is None else (one.opcode, step.text)
    return node.kind.value, (one.mnemonic, step.types, words, step.offset or 0, step.offset2 or 0, guard)


def edges(flow: Flow) -> list[list[tuple[int, int]]]:
    """Of each block the ways into it: (block, which of its successors), in order."""
    found: list[list[tuple[int, int]]] = [[] for _ in flow.blocks]
    for index, block in enumerate(flow.blocks):
        for way, successor in enumerate(block.successors):
            found[successor].append((index, way))
    return found


def _digest(key: object) -> int:
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")

"""How many registers hold a value that is still needed, at the place of a kernel where these are the most."""

from __future__ import annotations

from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind


def live_registers(flow: Flow) -> int:
    """The most registers of 32 bits that hold, at some point between two instructions, a value which is still needed: one of 64
    bits takes two, a predicate none (they have registers of their own), nor does a constant (it is part of an instruction)."""
    words = [0 if width == 1 else -(-width // 32) for width in flow.widths]
    for value in flow.constants:
        words[value] = 0
    for block in flow.blocks:
        for node in block.nodes:
            if node.kind in (Kind.UNDEF, Kind.SINK):
                words[node.results.start] = 0
    most = 0
    for block, end in zip(flow.blocks, _live_at_ends(flow, words), strict=True):
        live = end
        count = sum(words[value] for value in live)
        most = max(most, count)
        for value in _at_end(block):
            if words[value] and value not in live:
                live.add(value)
                count += words[value]
        most = max(most, count)
        for node in reversed(block.nodes):
            dead = 0
            for value in node.results:
                dead += words[value]  # a result that nobody reads has a register, too
                if value in live:
                    live.remove(value)
                    count -= words[value]
            most = max(most, count + dead)
            for value in node.operands:
                if words[value] and value not in live:
                    live.add(value)
                    count += words[value]
            most = max(most, count)
    return most


def _at_end(block: FlowBlock) -> list[int]:
    """What the end of a block reads and hands over."""
    read = [value for values in block.passed for value in values]
    return [block.condition, *read] if block.condition >= 0 else read


def _live_at_ends(flow: Flow, words: list[int]) -> list[set[int]]:
    """The values in registers that are needed after the end of each block. What a branch hands over it reads itself."""
    made: list[set[int]] = []
    live_in: list[set[int]] = []
    for block in flow.blocks:
        own, read = set(block.arguments), set[int]()
        for node in block.nodes:
            read.update(value for value in node.operands if words[value] and value not in own)
            own.update(node.results)
        read.update(value for value in _at_end(block) if words[value] and value not in own)
        made.append(own)
        live_in.append(read)
    ends: list[set[int]] = [set() for _ in flow.blocks]
    before: list[list[int]] = [[] for _ in flow.blocks]
    for place, block in enumerate(flow.blocks):
        for one in block.successors:
            before[one].append(place)
    todo = set(range(len(flow.blocks)))
    while todo:
        place = max(todo)  # later blocks first
        todo.discard(place)
        end = set[int]().union(*(live_in[one] for one in flow.blocks[place].successors))
        ends[place] = end
        new = (end - made[place]) | live_in[place]
        if new != live_in[place]:
            live_in[place] = new
            todo.update(before[place])
    return ends

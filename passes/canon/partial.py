"""The partial functions (roots, logarithms) that a node's value takes a value of, whatever its operands are.

Roots of many classes share most of their nodes: each node is looked at once, and has the number of a set that others have,
too."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence

_UNKNOWN, _NONE = 0, 1


class Partial:
    """Of one graph. ops: the operator of each node; operands: of a node; strict: operators that have no value where an operand
    has none; partial: operators that have none for some operands."""

    def __init__(
        self,
        ops: Sequence[int],
        operands: Callable[[int], tuple[int, ...]],
        strict: Collection[int],
        partial: Collection[int],
    ) -> None:
        self._ops, self._operands, self._strict, self._partial = ops, operands, strict, partial
        self._known = array("i", bytes(4 * len(ops)))  # by node: the number of its set
        self._sets: list[tuple[int, ...]] = [(), ()]
        self._numbers: dict[tuple[int, ...], int] = {(): _NONE}

    def under(self, root: int) -> tuple[int, ...]:
        """The nodes of partial operators that the root has no value without, itself among them, in order."""
        known, stack = self._known, [root]
        while stack:
            node = stack[-1]
            if known[node] != _UNKNOWN:
                stack.pop()
                continue
            op = self._ops[node]
            operands = self._operands(node) if op in self._strict else ()
            missing = [x for x in operands if known[x] == _UNKNOWN]
            if missing:
                stack += missing
                continue
            stack.pop()
            numbers = {known[x] for x in operands} - {_NONE}
            if op in self._partial or len(numbers) > 1:
                own = (node,) if op in self._partial else ()
                known[node] = self._number({*own, *(n for number in numbers for n in self._sets[number])})
            else:
                known[node] = numbers.pop() if numbers else _NONE
        return self._sets[known[root]]

    def _number(self, nodes: set[int]) -> int:
        held = tuple(sorted(nodes))
        if held not in self._numbers:
            self._numbers[held] = len(self._sets)
            self._sets.append(held)
        return self._numbers[held]

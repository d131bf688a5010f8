"""Classes of output elements: elements whose two expressions are those of a representative up to a renaming of the inputs.

Deciding the representative then decides them all. Elements are first told apart by the shape of their expressions (a filter,
never a reason to put two together), then by the walk of `walk.py` or, where they are few, one by one (`pairs.py`): both are
exact. Where a class leaves many elements behind, as each element of a softmax does, what is left is told apart by signatures
that see which input stands where (`trees.py`, a filter again), so that n classes do not take n walks over all that are left."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon import signatures
from volta_pipe.passes.canon.few import Inputs
from volta_pipe.passes.canon.renamings import MAX_CELLS
from volta_pipe.passes.canon.sides import Array, Side, both, same_tree
from volta_pipe.passes.canon.walking import walked

_SOME = 8  # elements that are walked before all are
_PAIRS = 1 << 20  # elements × nodes that are followed one by one: some milliseconds' worth
_APART = 8  # a class of less than one in so many elements leaves what is worth signatures of each


@dataclass(frozen=True)
class Elements:
    """Compared output elements. tensor, element, reference, candidate: int64 / int32 [n], the last two root nodes."""

    tensor: Array
    element: Array
    reference: Array
    candidate: Array


@dataclass(frozen=True)
class Group:
    """members: indices into Elements, ascending, the first one the representative; sizes: nodes under its two roots;
    taint: signatures.UNDEFINED or signatures.NOT_FINITE bits (then the members need not be renamings of each other);
    identical: whether the two expressions are the same tree; renaming: None where there is no room for it."""

    members: Array
    sizes: tuple[int, int]
    taint: int = 0
    identical: bool = False
    renaming: Renaming | None = None


def groups(elements: Elements, reference: Conditions, candidate: Conditions) -> Iterator[Group]:
    """The classes, each with its first element as representative; deterministic order."""
    sides = (Side(reference.graph), Side(candidate.graph))
    n = len(elements.tensor)
    if not n:
        return
    whole = _only_class(sides, elements)
    if whole is not None:
        yield whole
        return
    (s0, t0), (s1, t1) = both(lambda i: sides[i].signatures((elements.reference, elements.candidate)[i]))
    taint = t0 | t1
    for bit in (signatures.UNDEFINED, signatures.NOT_FINITE):
        members = np.flatnonzero((taint & bit != 0) & (taint & (bit - 1) == 0))
        if len(members):
            yield Group(members, _sizes(sides, elements, int(members[0])), bit)
    clean = np.flatnonzero(taint == 0)
    keys = np.stack((s0[clean], s1[clean]))
    order = np.lexsort((clean, keys[1], keys[0]))
    cuts = np.flatnonzero((np.diff(keys[0][order]) != 0) | (np.diff(keys[1][order]) != 0)) + 1
    parts = [np.sort(clean[part]) for part in np.split(order, cuts) if len(part)]
    inputs = Inputs(sides)
    room = MAX_CELLS
    for part in sorted(parts, key=lambda p: int(p[0])):
        for found in _classes(sides, inputs, elements, part, room):
            room -= 0 if found.renaming is None else found.renaming.shifts.size
            yield found


def _classes(sides: tuple[Side, Side], inputs: Inputs, elements: Elements, part: Array, room: int) -> Iterator[Group]:
    """Those of elements of one shape, by their first members. What a class leaves behind is looked at again."""
    left = [(int(part[0]), part, False)]  # first element, elements, whether these have equal signatures
    while left:
        _, todo, split = heapq.heappop(left)
        found, ok = _one_class(sides, inputs, elements, todo, room)
        room -= 0 if found.renaming is None else found.renaming.shifts.size
        yield found
        rest = [todo[~ok]]
        if not split and _APART * len(found.members) < len(todo):
            split = True
            rest = _alike(inputs.signatures((elements.reference[rest[0]], elements.candidate[rest[0]])), rest[0])
        for some in rest:
            if len(some):
                heapq.heappush(left, (int(some[0]), some, split))


def _alike(signs: Array, todo: Array) -> list[Array]:
    """Elements of equal signatures, in their order."""
    order = np.argsort(signs, kind="stable")
    return np.split(todo[order], np.flatnonzero(np.diff(signs[order])) + 1)


def _only_class(sides: tuple[Side, Side], elements: Elements) -> Group | None:
    """The class of all elements, if they are one; None where they are not. A walk tells, which costs less than the signatures
    of all nodes; first that of a few elements."""
    everything = np.arange(len(elements.tensor))
    if sides[0].tainted(int(elements.reference[0])) or sides[1].tainted(int(elements.candidate[0])):
        return None
    for some, room in ((everything[:: len(everything) // _SOME + 1], -1), (everything, MAX_CELLS)):
        found, ok = _one_class(sides, None, elements, some, room)
        if not ok.all():
            return None
    return found


def _sizes(sides: tuple[Side, Side], elements: Elements, index: int) -> tuple[int, int]:
    counts = []
    for side, roots in zip(sides, (elements.reference, elements.candidate), strict=True):
        order = side.reachable(int(roots[index]))
        side.forget(order)
        counts.append(len(order))
    return counts[0], counts[1]


def _one_class(
    sides: tuple[Side, Side], inputs: Inputs | None, elements: Elements, todo: Array, room: int
) -> tuple[Group, Array]:
    """(the class of todo[0], which of `todo` belong to it). inputs: None where numbering them is not worth it, which takes a
    look at the whole graphs; room: how many shifts the renaming may have."""
    roots = (elements.reference[todo], elements.candidate[todo])
    orders = tuple(side.reachable(int(r[0])) for side, r in zip(sides, roots, strict=True))
    sizes = len(orders[0]), len(orders[1])
    if inputs is not None and (len(todo) == 1 or len(todo) * sum(sizes) <= _PAIRS):
        ok, renamed = inputs.members(orders, roots, room)
    else:
        ok, renamed = walked(sides, orders, roots, room)
    if not ok[0]:
        raise AssertionError("a representative left its own class")
    tree = same_tree(sides, orders[0], (int(roots[0][0]), int(roots[1][0])))
    for side, order in zip(sides, orders, strict=True):
        side.forget(order)
    return Group(todo[ok], sizes, 0, tree, renamed), ok

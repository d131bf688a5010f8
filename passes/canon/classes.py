"""Classes of output elements: elements whose two expressions are those of a representative up to a renaming of the inputs.

Deciding the representative then decides them all. Elements are first told apart by the shape of their expressions (a filter,
never a reason to put two together), then by the walk of `walk.py` or, where they are few, one by one (`pairs.py`): both are
exact. Where a class leaves many elements behind, as each element of a softmax does, what is left is told apart by signatures
that see which input stands where (`trees.py`, a filter again), so that n classes do not take n walks over all that are left."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Conditions, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon import renaming, signatures, walk
from volta_pipe.passes.canon.few import Inputs
from volta_pipe.passes.canon.renamings import MAX_CELLS, Shifts, places

Array = np.ndarray[Any, np.dtype[Any]]
_loops: Any = walk  # compiled functions: mypy does not see their arguments
_renaming: Any = renaming
_signatures: Any = signatures
_PARTITIONS = 64  # interned partitions to begin with; more where the memory bound allows
_CELLS = 1 << 25  # partitions × elements of one walk
_LEAF_BITS = 40
_MERGES = 256  # merges that a walk remembers
_POOL = 1 << 26  # group nodes of one walk to begin with, at most
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


def read_only(column: Array) -> Array:
    """A column as the compiled loops take it: they are compiled once for what may be written to, and once for what may not."""
    view = np.ascontiguousarray(column).view()
    view.flags.writeable = False
    return view


class Side:
    """One graph, ready for the compiled loops: read-only columns (one compiled version each) and scratch."""

    def __init__(self, graph: Graph) -> None:
        self.columns = tuple(read_only(x) for x in (graph.op, graph.a, graph.b, graph.c))
        self.bits = read_only(np.ascontiguousarray(graph.constants).view(np.uint64))
        self.arity = read_only(ARITY_TABLE)
        self.mark = np.full(len(graph), -1, np.int32)
        self._found = np.empty(len(graph), np.int32)
        self.element = graph.b
        self.tensor = graph.a

    def signatures(self, roots: Array) -> tuple[Array, Array]:
        """Signature and taint of each root."""
        sign, taint = np.zeros(len(self.mark), np.uint64), np.zeros(len(self.mark), np.uint8)
        _signatures.signatures(*self.columns, self.bits, self.arity, sign, taint)
        return sign[roots], taint[roots]

    def tainted(self, root: int) -> bool:
        """Whether a value that was never written, NaN or an infinity is under a node."""
        order = self.reachable(root)
        self.forget(order)
        op, a = self.columns[0][order], self.columns[1][order]
        bits = self.bits[a[op == Node.CONST]]
        return bool((op == Node.UNINIT).any() or (bits & signatures.EXPONENT == signatures.EXPONENT).any())

    def reachable(self, root: int) -> Array:
        """Nodes under `root`, ascending (operands first); `mark` gets each one's place, until `forget`."""
        count = _loops.reachable(*self.columns, self.arity, root, self.mark, self._found)
        order = np.sort(self._found[:count])
        self.mark[order] = np.arange(count, dtype=np.int32)
        return order

    def forget(self, order: Array) -> None:
        self.mark[order] = -1


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
        ok, renamed = _walked(sides, orders, roots, room)
    if not ok[0]:
        raise AssertionError("a representative left its own class")
    tree = _same(sides, orders[0], (int(roots[0][0]), int(roots[1][0])))
    for side, order in zip(sides, orders, strict=True):
        side.forget(order)
    return Group(todo[ok], sizes, 0, tree, renamed), ok


def _walked(
    sides: tuple[Side, Side], orders: tuple[Array, ...], roots: tuple[Array, Array], room: int
) -> tuple[Array, Renaming | None]:
    """Which elements are of the first one's class, and the renaming, as `Shifts` gives it."""
    ok = np.ones(len(roots[0]), np.bool_)
    shifts = Shifts(room)
    pending = [slice(0, len(ok))]
    while pending:
        part = pending.pop()
        found = walk_chunk(sides, orders, [r[part] for r in roots], ok[part])
        if found is not None:
            _check_renaming(sides, *found, ok[part])
            shifts.add(sides, *found, ok[part])
        else:  # too many partitions for the memory bound: halves, with the same representative
            middle = (part.start + part.stop) // 2
            ok[part] = True
            pending += [slice(middle, part.stop), slice(part.start, middle)]
    return ok, shifts.renaming()


def _same(sides: tuple[Side, Side], order: Array, roots: tuple[int, int]) -> bool:
    x, y = sides
    partner = np.full(len(order), -1, np.int32)
    return bool(_renaming.same(*x.columns, x.bits, order, *y.columns, y.bits, roots[1], x.arity, x.mark, partner))


def identical(sides: tuple[Side, Side], roots: tuple[int, int]) -> bool:
    """Whether two expressions are the same tree, free of values that were never written, NaN and infinities."""
    order = sides[0].reachable(roots[0])
    tree = _same(sides, order, roots)
    sides[0].forget(order)
    return tree


def both(work: Callable[[int], Any]) -> list[Any]:
    """work(0) and work(1), side by side: the compiled loops release the interpreter lock."""
    found: list[Any] = [None, None]
    errors: list[BaseException] = []

    def call(i: int) -> None:
        try:
            found[i] = work(i)
        except BaseException as error:
            errors.append(error)

    other = threading.Thread(target=call, args=(1,))
    other.start()
    call(0)
    other.join()
    if errors:
        raise errors[0]
    return found


def walk_chunk(
    sides: tuple[Side, Side], orders: tuple[Array, ...], roots: list[Array], ok: Array
) -> tuple[list[tuple[Array, ...]], Array, Array] | None:
    """Clears `ok` where an element has another tree than the representative. Gives the leaves of each side, as `_walk_side`
    does, and the partitions with their sizes; None when these do not fit."""
    fine = [ok.copy(), ok.copy()]
    walks = both(lambda i: _walk_all(sides[i], orders[i], np.ascontiguousarray(roots[i], np.int32), fine[i]))
    if walks[0] is None or walks[1] is None:
        return None
    ok &= fine[0] & fine[1]
    (first, rows, sizes), (second, other_rows, other_sizes) = walks
    # One table of partitions: most of those of the second side are among the first side's.
    number = {row.tobytes(): k for k, row in enumerate(rows)}
    fresh = [k for k, row in enumerate(other_rows) if row.tobytes() not in number]
    number |= {other_rows[k].tobytes(): len(rows) + i for i, k in enumerate(fresh)}
    renumbered = np.array([number[row.tobytes()] for row in other_rows], np.int32)
    nodes, part, at, pool = second
    leaves = [first, (nodes, renumbered[part], at, pool)]
    return leaves, np.concatenate((rows, other_rows[fresh])), np.concatenate((sizes, other_sizes[fresh]))


def _walk_all(side: Side, order: Array, roots: Array, ok: Array) -> tuple[tuple[Array, ...], Array, Array] | None:
    """What `_walk_side` gives, with the partitions and their sizes; with larger arrays until they are large enough."""
    elements = len(ok)
    most = max(_CELLS // elements, 2)
    # What is never touched of the pool costs nothing; beginning anew does.
    wanted, pool_size = min(_PARTITIONS, most), max(4 * elements, min(len(order) * elements, _POOL))
    while True:
        rows, sizes, counts = np.empty((wanted, elements), np.int32), np.zeros(wanted, np.int32), np.zeros(1, np.int64)
        found = _walk_side(side, order, roots, ok, rows, sizes, counts, pool_size)
        if not isinstance(found, int):
            return found, rows[: counts[0]], sizes[: counts[0]]
        ok[:] = True
        if found == walk.POOL_FULL:
            pool_size *= 4
            continue
        if wanted == most and elements > 1:
            return None
        wanted = min(4 * wanted, most) if elements > 1 else 4 * wanted


def _walk_side(
    side: Side, order: Array, roots: Array, ok: Array, rows: Array, sizes: Array, counts: Array, pool_size: int
) -> tuple[Array, ...] | int:
    """Per leaf of the representative its node, its partition and where its group nodes start, and the pool of these; or the
    code of what was too small."""
    n, elements = len(order), len(roots)
    table, state, start = np.full(4 * len(rows), -1, np.int32), np.full(n, -1, np.int32), np.zeros(n, np.int64)
    pool, leaves = np.empty(pool_size, np.int32), np.empty(n, np.int32)
    merges = _MERGES if elements <= 1 << 16 else 16
    scratch = [np.empty(elements, np.int32) for _ in range(4)]
    slots = 1 << (2 * elements).bit_length()
    met = np.zeros(slots, np.int32), np.zeros(slots, np.int64), np.zeros(slots, np.int32)
    maps = [np.empty(shape, np.int32) for shape in (merges, merges, (merges, elements), (merges, elements))]
    likely = np.full((len(rows), 4), -1, np.int32)
    count = int(_loops.walk(
        *side.columns, side.bits, side.arity, order, side.mark, roots, ok, rows, sizes, counts,
        *met, table, state, start, pool, leaves, *scratch, *maps, likely,
    ))  # fmt: skip
    if count < 0:
        return count
    where = leaves[:count]
    return order[where], state[where], start[where], pool


def _check_renaming(sides: tuple[Side, Side], leaves: list[tuple[Array, ...]], rows: Array, sizes: Array, ok: Array) -> None:
    if not ok.any():
        return
    keys, parts, starts, values = [], [], [], []
    offset = 0
    for side, (nodes, part, at, pool) in zip(sides, leaves, strict=True):
        keys.append(_identity(side, nodes))
        parts.append(part.astype(np.int64))
        # The group nodes of the leaves alone, one leaf after the other: the pool holds those of all other nodes, too.
        place, first = places(at, sizes[part])
        starts.append(first + offset)
        members = pool[place]
        values.append(np.where(members >= 0, _identity(side, members), -1))  # a dead group stays negative
        offset += len(place)
    key, part, at = (np.concatenate(x) for x in (keys, parts, starts))
    by = np.argsort(key, kind="stable")
    key, part, at, value = key[by], part[by], at[by], np.concatenate(values)
    _renaming.function(key, part, at, value, rows, sizes, ok)
    # Each leaf once: all its group leaves, sorted; those that occur more than once must be met in different elements.
    once = np.flatnonzero(np.diff(key, prepend=-1))
    part, at = part[once], at[once]
    place, first = places(at, sizes[part])
    count = sizes[part]
    group = np.arange(len(place)) - np.repeat(first, count)
    what, part = value[place], np.repeat(part, count)
    by = np.argsort(what, kind="stable")
    by = by[what[by] >= 0]
    again = np.diff(what[by], prepend=-1) == 0
    by = by[again | np.append(again[1:], False)]
    if len(by):
        parts_met, place = np.unique(part[by], return_inverse=True)
        lists: Array = np.argsort(rows[parts_met], axis=1, kind="stable").astype(np.int64)
        runs: Array = np.stack([np.concatenate(([0], np.cumsum(np.bincount(rows[p], minlength=len(ok))))) for p in parts_met])
        runs, seen = runs.astype(np.int64), np.full(len(ok), -1, np.int64)
        _renaming.injective(what[by], place.astype(np.int64), group[by], lists, runs, ok, seen)


def _identity(side: Side, nodes: Array) -> Array:
    """Tensor and element of a leaf in one number."""
    found: Array = (side.tensor[nodes].astype(np.int64) << _LEAF_BITS) | side.element[nodes].astype(np.int64)
    return found

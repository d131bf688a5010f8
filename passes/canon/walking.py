"""The walk of one representative in all elements of a class: its arrays, and what its leaves are renamed to."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.renaming import Renaming
from volta_pipe.passes.canon import renaming, walk
from volta_pipe.passes.canon.renamings import Shifts, places
from volta_pipe.passes.canon.sides import Array, Side, both

_loops: Any = walk  # compiled functions: mypy does not see their arguments
_renaming: Any = renaming
_PARTITIONS = 64  # interned partitions to begin with; more where the memory bound allows
_CELLS = 1 << 25  # partitions × elements of one walk
_MERGES = 256  # merges that a walk remembers
_POOL = 1 << 26  # group nodes of one walk to begin with, at most


def walked(
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
            pending += [slice(middle, part.stop), slice(part.start, middle)]
    return ok, shifts.renaming()


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
        keys.append(side.inputs(nodes))
        parts.append(part.astype(np.int64))
        # The group nodes of the leaves alone, one leaf after the other: the pool holds those of all other nodes, too.
        place, first = places(at, sizes[part])
        starts.append(first + offset)
        members = pool[place]
        values.append(np.where(members >= 0, side.inputs(members), -1))  # a dead group stays negative
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

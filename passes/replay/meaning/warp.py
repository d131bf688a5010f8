"""Instructions of a warp: vote match redux elect activemask shfl (PTX ISA 9.7.13.9 to 12, 9.7.13.15, 9.7.9.6).

Each function gets its operands in the lanes of one warp that execute together, one element a lane, and last the numbers of
these lanes. What a lane gets depends on those of them that its member mask names. `unroll` computes these instructions, for the
results decide who goes where; a program has no rows of them, but for shfl, whose rows say which lane is read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from volta_pipe.ir.instructions import WIDTH
from volta_pipe.passes.replay.bits import U64, Array, flags, full, masked, number, truth, unsigned
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

_WARP = 32


def _named(members: Array, lanes: Array) -> Array:
    """bool [lane, other]: whether the mask of `lane` names `other`, which is there."""
    named: Array = ((members[:, None] >> lanes[None, :]) & U64(1)) == 1
    return named


def _mask(chosen: Array, lanes: Array) -> Array:
    """The lanes that are chosen, bool [lane, other], as bits."""
    bits: Array = np.where(chosen, U64(1) << lanes[None, :], U64(0)).sum(axis=1, dtype=np.uint64)
    return bits


@meaning_for("vote", among("b32", "pred"))
def _vote(s: Spelling) -> Function:
    """all and any of the named lanes' predicates; uni: all alike; ballot: which ones hold."""
    ballot = s.flag("ballot")
    name = "ballot" if ballot else s.one_of("all any uni")
    s.need(s.flag("sync") and name != "" and ballot == (s.type == "b32"))

    def function(predicate: Array, members: Array, lanes: Array) -> tuple[Array, ...]:
        named = _named(members, lanes)
        true = named & truth(predicate)[None, :]
        if ballot:
            return (_mask(true, lanes),)
        every, some = np.array((true == named).all(axis=1)), np.array(true.any(axis=1))
        return (flags(every if name == "all" else some if name == "any" else every | ~some),)

    return function


@meaning_for("match", among("b32", "b64"))
def _match(s: Spelling) -> Function:
    """any: the named lanes with the same value; all: all of them if they agree, else 0, and whether they do."""
    every = s.flag("all")
    s.need(s.flag("any") != every and s.flag("sync"))
    width = WIDTH[s.type]

    def function(a: Array, members: Array, lanes: Array) -> tuple[Array, ...]:
        named = _named(members, lanes)
        a = masked(a, width)
        same = named & (a[None, :] == a[:, None])
        if not every:
            return (_mask(same, lanes),)
        agree = (same == named).all(axis=1)
        return np.where(agree, _mask(named, lanes), U64(0)), flags(agree)

    return function


_REDUCTIONS: dict[str, Callable[..., Array]] = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


@meaning_for("redux", among("u32", "s32", "b32"))
def _redux(s: Spelling) -> Function:
    """The reduction over the named lanes; a sum wraps."""
    name, kind = s.one_of(" ".join(_REDUCTIONS)), s.type[0]
    s.need(s.flag("sync") and name != "" and (kind == "b") == (name in ("and", "or", "xor")))
    operate = _REDUCTIONS[name]

    def function(a: Array, members: Array, lanes: Array) -> tuple[Array, ...]:
        values = number(a, kind, 32)
        rows = [operate.reduce(values[named]) for named in _named(members, lanes)]  # type: ignore[attr-defined]
        found = np.array(rows, values.dtype)
        return (unsigned(found, 32) if kind == "s" else masked(found, 32),)

    return function


@meaning_for("elect", among(""))
def _elect(s: Spelling) -> Function:
    """The lowest of the named lanes, and whether it is this one. The ISA leaves open which is elected."""
    s.need(s.flag("sync"))

    def function(members: Array, lanes: Array) -> tuple[Array, ...]:
        lowest = np.where(_named(members, lanes), lanes[None, :], U64(_WARP)).min(axis=1)
        return lowest, flags(lowest == lanes)

    return function


@meaning_for("activemask", among("b32"))
def _activemask(s: Spelling) -> Function:
    return lambda lanes: (np.full(len(lanes), _mask(np.ones((1, len(lanes)), np.bool_), lanes)[0]),)


@meaning_for("shfl", among("b32"))
def _shuffle(s: Spelling) -> Function:
    """The value of another lane, and whether that lies in the segment; else one's own. Errors: UnsupportedError where a lane
    reads one that is not there or not named, which is undefined."""
    mode = s.one_of("up down bfly idx")
    s.need(s.flag("sync") and mode != "")

    def function(a: Array, b: Array, c: Array, members: Array, lanes: Array) -> tuple[Array, ...]:
        lane, by = lanes.astype(np.int64), (b & full(5)).astype(np.int64)
        clamp, segment = (c & full(5)).astype(np.int64), ((c >> U64(8)) & full(5)).astype(np.int64)
        low = lane & segment
        limit = low | (clamp & ~segment)
        source = {"up": lane - by, "down": lane + by, "bfly": lane ^ by, "idx": low | (by & ~segment)}[mode]
        inside = source >= limit if mode == "up" else source <= limit
        source = np.where(inside, source, lane)
        place = np.full(_WARP, -1)
        place[lane] = np.arange(len(lane))
        named = (members >> source.astype(np.uint64)) & U64(1)
        s.need(bool((place[source] >= 0).all() and named.all()), "reads a lane that is not there, which is undefined")
        return a[place[source]], flags(inside)

    return function

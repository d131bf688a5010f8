"""Warp instructions wait for the lanes that their member masks name (PTX ISA 9.7.13.2, and alike of shfl, vote, match, redux).

A lane waits until all lanes of its warp that its mask names, but those that have exited, wait with the same mask: at any
bar.warp.sync for a bar.warp.sync, at the same instruction for the others. That lets lanes go on that named one which came to
the instruction with another mask, once that one has exited; the CUDA programming guide calls it undefined that it did not give
their mask, so it is a finding. Who came where with what mask is in the rows of Lanes.lane from LANE_ROWS on, one for each
instruction (the column TARGET, from 1) whose mask is not a constant."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.instructions import Op
from volta_pipe.passes.unroll.bytecode import OP, WALK
from volta_pipe.passes.unroll.reasons import MASKS_CLASH
from volta_pipe.passes.unroll.state import (
    COUNT,
    EVENT_LANE,
    EVENT_OTHER,
    EXITED,
    L_ACT,
    L_ACTIVE,
    L_BARRIER,
    L_EXPECTED,
    L_L0,
    L_L1,
    L_PC,
    L_STATUS,
    L_WALK,
    LANE_ROWS,
    MASK,
    NO_PATTERN,
    PLAIN,
    RUNNING,
    WAITING,
    Lanes,
    Rows,
    emit_row,
    intern_mask,
)

Array = np.ndarray[Any, np.dtype[Any]]
_WARPSYNC = int(Op.WARPSYNC)
# What the masks of a group are: one for each warp; several in some warp; one that does not name its own lane.
ONE_MASK, MANY_MASKS, STRANGE_MASK = 0, 1, 2


@inner
def masks_of(st: Array, member: Array, act: Array, n: int) -> int:
    """What the masks of a group are; for STRANGE_MASK `st` keeps the lane."""
    found = ONE_MASK
    for i in range(n):
        l = act[i]
        if not (member[l] >> (l & 31)) & 1:
            st[EVENT_LANE] = l
            return STRANGE_MASK
        if i and act[i - 1] >> 5 == l >> 5 and member[l] != member[act[i - 1]]:
            found = MANY_MASKS
    return found


@inner
def _together(lanes: Lanes, k: int, l: int) -> bool:
    """Whether lane k waits for the same as the waiting lane l."""
    lane = lanes.lane
    return bool(
        lane[L_STATUS, k] == WAITING and lane[L_BARRIER, k] == lane[L_BARRIER, l] and lane[L_EXPECTED, k] == lane[L_EXPECTED, l]
    )


@inner
def _complete(lanes: Lanes, l: int) -> bool:
    """Whether all lanes are there that the waiting lane l waits for."""
    base = l & ~31
    for k in range(base, min(base + 32, lanes.lane.shape[1])):
        named = (lanes.lane[L_EXPECTED, l] >> (k - base)) & 1
        if named and lanes.lane[L_STATUS, k] != EXITED and not _together(lanes, k, l):
            return False
    return True


@inner
def converge(lanes: Lanes, rows: Rows, st: Array, row: Array, member: Array, pc: int, noted: int) -> int:
    """A warp instruction by a part of the CTA, or with several masks in a warp: lanes whose named lanes are all there go on as
    the group, the others wait. Where lanes wait at several bar.warp.sync, this one stands for all in the row, and the group is
    to be chosen anew. noted: the number of the instruction among those whose masks are noted, or 0. 0 or a reason to stop."""
    T = lanes.lane.shape[1]
    act, met = lanes.lane[L_ACT], lanes.lane[L_L1]
    place = int64(-1) if row[OP] == _WARPSYNC else int64(pc)
    arrived = st[COUNT]
    for i in range(arrived):
        l = act[i]
        lanes.lane[L_STATUS, l] = WAITING
        lanes.lane[L_PC, l] = pc
        lanes.lane[L_BARRIER, l] = place
        lanes.lane[L_EXPECTED, l] = np.int32(member[l])
        lanes.lane[L_WALK, l] = noted
    n, i = int64(0), int64(0)
    apart = False
    while i < arrived:
        base = act[i] & ~31
        while i < arrived and act[i] & ~31 == base:
            i += 1
        last, complete = int64(-1), False
        for l in range(base, min(base + 32, T)):
            if lanes.lane[L_STATUS, l] != WAITING or lanes.lane[L_BARRIER, l] != place:
                continue
            if last < 0 or lanes.lane[L_EXPECTED, l] != lanes.lane[L_EXPECTED, last]:
                complete = _complete(lanes, l)
            last = int64(l)
            if complete:
                met[n] = l
                n += 1
                apart = apart or lanes.lane[L_PC, l] != pc
    for i in range(n):
        if _clash(lanes, st, met[i]):
            return MASKS_CLASH
        lanes.lane[L_STATUS, met[i]] = RUNNING
    if apart:
        warpsync_rows(lanes, rows, row, lanes.lane[L_EXPECTED], met, n, intern_mask(rows, met, n))
        for i in range(n):
            lanes.lane[L_PC, met[i]] += 1
        n = int64(0)
    for i in range(n):
        act[i] = met[i]
    st[COUNT] = n
    if n:
        st[MASK] = intern_mask(rows, act, n)
    return 0


@inner
def _clash(lanes: Lanes, st: Array, l: int) -> bool:
    """Whether a lane that l names came to the instruction at which l waits with another mask and has exited; `st` keeps both.
    Else l's own mask is noted."""
    noted = lanes.lane[L_WALK, l]
    if noted == 0:
        return False
    place, mask, base = LANE_ROWS - 1 + noted, lanes.lane[L_EXPECTED, l], l & ~31
    for k in range(base, min(base + 32, lanes.lane.shape[1])):
        gone = lanes.lane[L_STATUS, k] == EXITED and (mask >> (k - base)) & 1
        if gone and lanes.lane[place, k] and lanes.lane[place, k] >> 1 != mask:
            st[EVENT_LANE], st[EVENT_OTHER] = l, k
            return True
    lanes.lane[place, l] = mask << 1 | 1
    return False


@inner
def wake(lanes: Lanes) -> bool:
    """Lets lanes go on that wait for members of which the missing ones have exited meanwhile: they execute the instruction once
    more. Whether there are any."""
    T = lanes.lane.shape[1]
    woken = False
    for l in range(T):
        if lanes.lane[L_STATUS, l] == WAITING and _complete(lanes, l):
            for k in range(l + 1, min((l & ~31) + 32, T)):
                if _together(lanes, k, l):
                    lanes.lane[L_STATUS, k] = RUNNING
            lanes.lane[L_STATUS, l] = RUNNING
            woken = True
    return woken


@inner
def warpsync_rows(lanes: Lanes, rows: Rows, row: Array, member: Array, act: Array, n: int, mask: int) -> None:
    """bar.warp.sync orders the lanes of a warp that wait with one member mask: a row for each mask."""
    done = lanes.lane[L_ACTIVE]
    for i in range(n):
        done[act[i]] = 0
    for i in range(n):
        if done[act[i]]:
            continue
        k = int64(0)
        for j in range(i, n):
            if not done[act[j]] and member[act[j]] == member[act[i]]:
                done[act[j]] = 1
                lanes.lane[L_L0, k] = act[j]
                k += 1
        part = mask if k == n else intern_mask(rows, lanes.lane[L_L0], k)
        emit_row(rows, row[WALK], part, member[act[i]] & 0xFFFFFFFF, NO_PATTERN, PLAIN)

"""Asynchronous copies as agents of their own, for programs in which copies arrive at barrier objects
(cp.async.mbarrier.arrive).

Then a copy is over for whoever found the phase complete, not only for the thread that issued it, so counting the copies that
are under way (mixed.py) is not enough. Each thread t has an agent, number threads + t, that does its copies one after the other
in program order: a copy's accesses get the stamps of the rows of its issue in the agent's name, and conflict with everything
that does not know the agent that far. t itself learns of its copies at a wait for them (cp.async.wait_group), others at a wait
for the phase, and at barriers from each other.

Stamps below the floor count as known to all, which a barrier of the CTA does not make of copies: it raises the floor only where
all threads know all copies anyway."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.compiled import inner
from volta_pipe.passes.check.clocks import THREAD_MASK

Array = np.ndarray[Any, np.dtype[Any]]


@inner
def beyond(stamp: int) -> int:
    """The threshold of who knows all of a stamp's row."""
    return int((stamp | THREAD_MASK) + 1)


@inner
def all_known(clock: Array, issued: Array) -> bool:
    """Whether a thread knows all copies that were issued, after a barrier that told everybody what anybody knew. issued: int64
    [threads], the stamp of the last copy of each thread, or 0."""
    threads = clock.shape[0]
    known = True
    for t in range(threads):
        known = known and issued[t] < clock[0, threads + t]
    return known

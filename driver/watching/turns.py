"""When to verify again: polling, which works on every file system and needs nothing but the files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from volta_pipe.driver.watching.files import ABSENT, EMPTY, Snapshot

EVERY = 0.02  # seconds between two looks, which take a tenth of a millisecond
SETTLE = 0.03  # and once something has changed, until it is the same twice
# A file that was there and is gone or empty is about to be written, mostly: so long it is waited for.
PATIENCE = 1.0
LONGEST = 5.0  # a file that is written all the time is taken as it is


def turns(
    look: Callable[[], Snapshot], read: Snapshot | None = None, sleep: Callable[[float], None] = time.sleep
) -> Iterator[list[Path]]:
    """At once [], and then, whenever files differ from what they were before the last turn, those that do. What changes while
    the caller is at work is a turn of its own afterwards; what is the same again is none. `read` gets files that become known
    while the caller is at work, with what they held."""
    before = look()
    yield []
    while True:
        before = {**(read or {}), **before}
        now = look()
        if changed(before, now):
            now = _settled(before, now, look, sleep)
            files = changed(before, now)
            before = now
            if files:
                yield files
        else:
            before = now
            sleep(EVERY)


def changed(before: Snapshot, now: Snapshot) -> list[Path]:
    """Files of both that hold something else. One that is new among them is there since the contract or a spec names it, which
    then has changed itself."""
    return [path for path, held in now.items() if before.get(path, held) != held]


def _settled(before: Snapshot, now: Snapshot, look: Callable[[], Snapshot], sleep: Callable[[float], None]) -> Snapshot:
    waited = 0.0
    while waited < LONGEST:
        sleep(SETTLE)
        waited += SETTLE
        again = look()
        if again == now and (waited >= PATIENCE or not _unfinished(before, now)):
            break
        now = again
    return now


def _unfinished(before: Snapshot, now: Snapshot) -> bool:
    gone = (ABSENT, EMPTY)
    return any(now[path].split()[0] in gone and held.split()[0] not in gone for path, held in before.items() if path in now)

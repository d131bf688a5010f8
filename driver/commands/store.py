"""`volta-pipe store ls|verify|gc`."""

from __future__ import annotations

import time

from volta_pipe.driver.changes.words import many
from volta_pipe.driver.eviction import VARIABLE, keep_limit, limit_of, size_of
from volta_pipe.driver.session import store_folder
from volta_pipe.driver.store import Store
from volta_pipe.driver.upkeep import Swept, damaged, sweep
from volta_pipe.ir.errors import InputError

UNLIMITED = "unlimited"
_AGES = ((86_400, "d"), (3_600, "h"), (60, "min"))


def list_store(folder: str | None) -> int:
    """Prints a line for each recorded output, last used first: digest, stage, output, size, how long ago it was used."""
    with Store(store_folder(folder), create=False) as store:
        found = list(store.records())
        rows = [(path.stat().st_mtime, record) for path, record in found if record is not None]
        total: dict[str, int] = {}
        now = time.time()
        if rows:
            print(f"{'digest':<16}  {'stage':<7} {'output':<8} {'bytes':>12}  last used")
        for used, record in sorted(rows, key=lambda row: (-row[0], row[1].key)):
            for name, stamped in sorted(record.outputs.items()):
                total[stamped.digest] = stamped.size
                print(f"{stamped.digest[:16]}  {record.stage:<7} {name:<8} {stamped.size:>12,}  {_age(now - used):>9}")
        absent = "" if store.exists else " (there is no such store; a run makes it)"
        limit = limit_of(store.folder)
        most = "" if limit is None else f", of at most {limit.size:,} ({limit.origin})"
        size = sum(path.stat().st_size for kind in ("objects", "actions") for path in store.files(kind))
        counts = f"{many(len(rows), 'record')}, {many(len(total), 'artifact')}, {many(size, 'byte')}"
        print(f"{counts}{most} in {store.folder}{absent}")
        if len(rows) < len(found):
            print(f"{len(found) - len(rows)} damaged records: see store verify")
    return 0


def _age(seconds: float) -> str:
    """`now`, `5 min`, `3 h`, `12 d`: since when it was not used."""
    for size, unit in _AGES:
        if seconds >= size:
            return f"{int(seconds // size):,} {unit}"
    return "now"


def verify_store(folder: str | None) -> int:
    """Prints what is damaged; 1 when anything is."""
    with Store(store_folder(folder), create=False) as store:
        lines = damaged(store)
        for line in lines:
            print(line)
        objects, records = len(store.files("objects")), len(store.files("actions"))
        advice = ": a run computes it again, store gc takes it away" if lines else ""
        checked = f"{many(objects, 'artifact')} and {many(records, 'record')} checked"
        print(f"{checked}, {many(len(lines), 'problem')}{advice}")
    return 1 if lines else 0


def collect_store(folder: str | None, max_size: str | None, *, keep: bool = False) -> int:
    """Sweeps the store and says what went; with `keep` the size is from now on what runs keep to."""
    if keep and max_size is None:
        raise InputError(f"--keep needs --max-size SIZE, or --max-size {UNLIMITED} to take the limit away")
    if max_size == UNLIMITED and not keep:
        raise InputError(f"--max-size {UNLIMITED} takes a limit away: it needs --keep")
    size = None if max_size in (None, UNLIMITED) else size_of(str(max_size))
    with Store(store_folder(folder), create=keep and size is not None) as store:
        swept = sweep(store, size) if store.exists else Swept(0, 0, 0, 0)
        if keep and store.exists:
            keep_limit(store, size)
        name = store.folder
    print(f"removed {swept.removed} files ({swept.freed:,} bytes); {swept.kept} left ({swept.size:,} bytes)")
    if keep:
        said = f"runs keep {name} to {size:,} bytes" if size is not None else f"{name} has no limit"
        limit = limit_of(name)
        over = limit is not None and limit.origin == f"${VARIABLE}"
        print(said + (f"; as long as ${VARIABLE} is set, that holds instead" if over else ""))
    return 0

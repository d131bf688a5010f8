"""`volta-pipe store ls|verify|gc`."""

from __future__ import annotations

import time

from volta_pipe.driver.session import store_folder
from volta_pipe.driver.store import Store
from volta_pipe.driver.upkeep import Swept, damaged, sweep
from volta_pipe.ir.errors import InputError

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def list_store(folder: str | None) -> int:
    """Prints a line for each recorded output: digest, stage, output, size, last use."""
    with Store(store_folder(folder), create=False) as store:
        rows = [(path.stat().st_mtime, record) for path, record in store.records() if record is not None]
        total: dict[str, int] = {}
        if rows:
            print(f"{'digest':<16}  {'stage':<7} {'output':<8} {'bytes':>12}  last used")
        for used, record in sorted(rows, key=lambda row: (-row[0], row[1].key)):
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(used))
            for name, stamped in sorted(record.outputs.items()):
                total[stamped.digest] = stamped.size
                print(f"{stamped.digest[:16]}  {record.stage:<7} {name:<8} {stamped.size:>12,}  {when}")
        absent = "" if store.exists else " (there is no such store; a run makes it)"
        print(f"{len(rows)} actions, {len(total)} artifacts, {sum(total.values()):,} bytes in {store.folder}{absent}")
    return 0


def verify_store(folder: str | None) -> int:
    """Prints what is damaged; 1 when anything is."""
    with Store(store_folder(folder), create=False) as store:
        lines = damaged(store)
        for line in lines:
            print(line)
        print(f"{len(store.files('objects'))} artifacts checked, {len(lines)} problems" + (": run `store gc`" if lines else ""))
    return 1 if lines else 0


def collect_store(folder: str | None, max_size: str | None) -> int:
    """Sweeps the store and says what went."""
    with Store(store_folder(folder), create=False) as store:
        size = None if max_size is None else size_of(max_size)
        swept = sweep(store, size) if store.exists else Swept(0, 0, 0, 0)
    print(f"removed {swept.removed} files ({swept.freed:,} bytes); {swept.kept} left ({swept.size:,} bytes of artifacts)")
    return 0


def size_of(text: str) -> int:
    """Bytes that `10G`, `500M` or `1000` mean. Errors: InputError."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in _UNITS else (text, "")
    if not number.isdecimal() or len(number) > 18:
        raise InputError(f"'{text}' is no size (bytes, or a number with K, M, G or T)")
    return int(number) * _UNITS.get(unit, 1)

"""The special registers of PTX that a run knows: what each thread of a CTA finds in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.launch import Launch

Array = np.ndarray[Any, np.dtype[Any]]


def special(name: str, launch: Launch, cta: Array) -> Array | int:
    """The value of a special register in each thread (PTX ISA 10)."""
    thread = np.arange(launch.threads, dtype=np.int64)
    bx, by, _ = launch.block
    base, _, axis = name.partition(".")
    where = "xyz".find(axis) if axis else -1
    if base == "tid":
        return (thread % bx, thread // bx % by, thread // (bx * by))[where]
    if base in ("ntid", "nctaid"):
        return (launch.block if base == "ntid" else launch.grid)[where]
    if base == "ctaid":
        return int(cta[where])
    lane = thread % 32
    if base == "laneid":
        return lane
    if base == "warpid":
        return thread // 32
    below = (1 << lane) - 1
    masks = {"eq": 1 << lane, "lt": below, "le": below | 1 << lane}
    masks |= {"gt": 0xFFFFFFFF & ~masks["le"], "ge": 0xFFFFFFFF & ~below}
    value: Array = masks[base.removeprefix("lanemask_")].astype(np.uint32).astype(np.int32).astype(np.int64)
    return value

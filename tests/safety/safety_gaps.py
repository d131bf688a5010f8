"""What of tests/safety/kernels does not come out as its label says, with the verdict that comes out instead and the reason.

test_safety_kernels.py fails where an entry has become wrong."""

from __future__ import annotations

_COUNTS = "threads that give different counts for one barrier are unsupported so far, not a finding"
_BULK = "bulk copies are not in the instruction table yet"
_TORN = "a warp counts as arrived at barrier.sync while others of its lanes are elsewhere (PTX ISA 9.7.13.1)"
_MASKS = "lanes that give different masks to one warp instruction go on (PTX ISA 9.7.13.2)"
GAPS: dict[str, tuple[str, str]] = {
    **{f"mbarrier/{name}": ("unsupported", _BULK) for name in ("bulk", "bulk_no_wait", "bulk_over_readers", "bulk_short")},
    "memory/shared_across_variables": (
        "safe",
        "variables of shared memory are one region: beyond one is in the next, in bounds",
    ),
    "memory/wrapped_index": ("safe", "nothing notes that an index wrapped"),
    "named/counts_differ": ("unsupported", _COUNTS),
    "named/met_by_chance": (
        "unsupported",
        "that it depends on the schedule who meets is said; the race on one of them is not sought",
    ),
    "named/torn_counts": ("unsupported", _COUNTS),
    "named/unaligned_numbers": ("unsafe", f"{_TORN}: races behind the barrier are found, which nobody gets to"),
    "named/unaligned_torn": ("safe", _TORN),
    "warps/masks_differ": ("safe", _MASKS),
    "warps/shuffle_masks_differ": ("safe", _MASKS),
    "warps/sync_in_both_arms": ("unsafe", "lanes wait for each other's bar.warp.sync only at the same instruction: a deadlock"),
}
# Of these, the kernels that are called safe and are not.
MISSED = (
    "memory/shared_across_variables",
    "named/unaligned_torn",
    "warps/masks_differ",
    "warps/shuffle_masks_differ",
)

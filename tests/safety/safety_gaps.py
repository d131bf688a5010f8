"""What of tests/safety/kernels does not come out as its label says, with the verdict that comes out instead and the reason.

test_safety_kernels.py fails where an entry has become wrong."""

from __future__ import annotations

_BULK = "bulk copies are not in the instruction table yet"
GAPS: dict[str, tuple[str, str]] = {
    **{f"mbarrier/{name}": ("unsupported", _BULK) for name in ("bulk", "bulk_no_wait", "bulk_over_readers", "bulk_short")},
    "named/met_by_chance": (
        "unsupported",
        "that it depends on the schedule who meets is said; the race on one of them is not sought",
    ),
}
# Of these, the kernels that are called safe and are not.
MISSED: tuple[str, ...] = ()

"""Why the compiled machine returned to Python, and what a guard says of a group."""

from __future__ import annotations

DONE, GROW, PAUSE, BUDGET = 0, 1, 2, 3
# Nobody can run: a deadlock; a barrier that lanes meet in different places; more arrivals than a named barrier expects; threads
# that give different counts for one.
STUCK, DIVERGED_BARRIER, CROWDED_BARRIER, UNLIKE_COUNTS = 4, 5, 6, 7
# Control, addresses and operands that decide who takes part must be concrete.
SYMBOLIC_BRANCH, POISON_BRANCH, SYMBOLIC_ADDRESS, POISON_ADDRESS = 10, 11, 12, 13
# Integer atomics compute on bits. Barriers: bar.red met with others, arrivals that are not counted yet, or at several barriers.
SYMBOLIC_ATOMIC, BAD_COPY, MIXED_BARRIER, REPEATED_ARRIVAL, TORN_ARRIVAL = 30, 31, 32, 33, 34
SYMBOLIC_OPERAND, POISON_OPERAND, BAD_MASK, GUARDED_SYMBOLIC, TRAPPED, BAD_BARRIER = 14, 15, 16, 17, 18, 19
# A lane waits for one that came with another mask and exited.
MASKS_CLASH = 20
# A guard of a barrier or warp instruction: true in no lane, in some, in all; or not known.
GUARD_NONE, GUARD_SOME, GUARD_ALL, GUARD_UNKNOWN = 0, 1, 2, 3
# Matrix instructions: a warp that is not whole, a row that is not aligned, lanes that do not agree, operands or stored rows
# that overlap.
BROKEN_WARP, MISALIGNED, MATRIX_UNEVEN, MATRIX_ALIAS, MATRIX_OVERLAP = 40, 41, 42, 43, 44
# Barrier objects. PARKED is no stop: lanes wait, or those that waited go on, and the next group is chosen. Then: none can lie
# at the address; there is none; there is one already; counts out of range; a token of another phase; .noComplete that
# completes.
PARKED, OBJECT_OUTSIDE, OBJECT_MISALIGNED, NO_OBJECT, OBJECT_LIVE, OBJECT_COUNT, OBJECT_TOO_MANY = 50, 51, 52, 53, 54, 55, 56
# Bytes that were completed but never expected; an answer that decides more than whether to ask again.
OBJECT_STALE, OBJECT_ENDED, OBJECT_COUNTS_OUT, UNPROVED_WAIT, OBJECT_BELOW = 57, 58, 59, 60, 61

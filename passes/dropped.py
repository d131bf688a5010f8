"""What is taken for granted where folds left operands out, and whether there are inputs of which it is true.

0 · sqrt x is 0 only where sqrt x has a value: that is an assumption (ir/dropped.py). Where an operand has a value for no
input, as in 0 · sqrt(−1 − x²), nothing would be said of any run: so each is evaluated at some points, until it has one. Each is
looked at by itself: two that have values, but never for the same inputs, are not told from others."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.dropped import assumptions_of
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import FIXED, Int32
from volta_pipe.ir.launch import Launch, types_of
from volta_pipe.ir.node_store import DROPPED, Store
from volta_pipe.ir.share import share
from volta_pipe.passes.inputs import integer_inputs
from volta_pipe.passes.points import PARTIAL, POINTS, valued_somewhere


def assumed(store: Store, launch: Launch) -> tuple[str, ...]:
    """The conditions under which the operands that folds left out have values; nothing where none was partial.

    Errors: UnsupportedError where one has none at any of the points."""
    said = assumptions_of(store)
    if said:
        graph, (roots,) = share(store, [_left_out(store)])
        tops = np.unique(roots[roots >= FIXED])
        if not valued_somewhere((graph,), tops.reshape(-1, 1), integer_inputs(*types_of(launch))).all():
            raise UnsupportedError(
                f"an operand that a fold leaves out (as of 0 · x, or x = x) has no value at any of {POINTS} inputs that were "
                f"tried, though {' and '.join(said)} would have to be assumed"
            )
    return said


def _left_out(store: Store) -> Int32:
    """The operands, or, where there are more than the store remembers, all nodes of partial operators."""
    count = int(store.counts[2])
    if count <= DROPPED:
        return store.dropped[:count].copy()
    op = store.op[: int(store.n[0])]
    return np.flatnonzero(np.isin(op, PARTIAL)).astype(np.int32)

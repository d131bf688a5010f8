"""What a graph takes for granted where folds left operands out: 0 · sqrt x is 0 only where sqrt x has a value."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.compiled import allocating
from volta_pipe.ir.domains import LOGS, NONZERO, POWERS, ROOTS
from volta_pipe.ir.fold import Array, Store
from volta_pipe.ir.graph import ARITY_TABLE, NONE
from volta_pipe.ir.node_store import DROPPED
from volta_pipe.ir.nodes import Node

_CONST = int(Node.CONST)
# What operators assume of their operands, and the operand that it is about.
_SAID = (
    (Node.DIV, 1, NONZERO), (Node.RCP, 0, NONZERO), (Node.RSQRT, 0, NONZERO), (Node.RSQRT, 0, ROOTS), (Node.SQRT, 0, ROOTS),
    (Node.LG2, 0, LOGS), (Node.LOG, 0, LOGS), (Node.POW, 0, POWERS),
)  # fmt: skip


def assumptions_of(store: Store) -> tuple[str, ...]:
    """The conditions under which the operands that folds left out have values; nothing where none was partial."""
    count = int(store.counts[2])
    if not count:
        return ()
    size = int(store.n[0])
    reached = np.zeros(size, np.uint8)
    if count <= DROPPED:
        reached[store.dropped[:count]] = 1
        _reach(store, ARITY_TABLE, reached)
    else:  # which they are is not known: all that was made
        reached[:] = 1
    op = store.op[:size]
    said = set()
    for operator, place, text in _SAID:
        nodes = np.flatnonzero((op == int(operator)) & (reached != 0))
        about = (store.b if place else store.a)[nodes]
        if (op[about] != _CONST).any():
            said.add(text)
    return tuple(sorted(said))


@allocating
def _reach(store: Store, arity: Array, reached: Array) -> None:
    """Marks what lies under marked nodes."""
    for node in range(len(reached) - 1, NONE, -1):
        if reached[node] == 0:
            continue
        operands = arity[store.op[node]]
        if operands > 0:
            reached[store.a[node]] = 1
        if operands > 1:
            reached[store.b[node]] = 1
        if operands > 2:
            reached[store.c[node]] = 1

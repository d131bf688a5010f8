"""What a graph takes for granted where folds left operands out: 0 · sqrt x is 0 only where sqrt x has a value."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.domains import LOGS, NONZERO, POWERS, ROOTS
from volta_pipe.ir.graph import ARITY_TABLE
from volta_pipe.ir.node_store import DROPPED, Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import mark

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
        mark(store, ARITY_TABLE, reached)
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

"""What contents are where a condition is known to hold, or not to: select(p, x, y) is x where p holds.

A store under a guard keeps what was there where the guard is false. If that was chosen by the same condition, only one of its
cases can be meant: after `@p st [a], x` and `@!p st [a], y` nothing is left of what was there before (see
passes/unroll/complements.py). Looked at are a choice and the choices in it, no deeper."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner, int64
from volta_pipe.ir.fold import Store, emit
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.residues import contents_of
from volta_pipe.passes.vc.values import FAIL, NO_FLOAT, as_float, format_of, in_register

_SELECT, _NOT, _RESIDUE, _EITHER = int64(Node.SELECT), int64(Node.NOT), int64(Node.RESIDUE), int64(Node.EITHER)


@inner
def assumed(store: Store, cells: Cells, node: int, p: int, holds: bool) -> int:
    """Contents where the predicate p holds, or does not; `node` itself where that says nothing of them."""
    if store.op[p] == _NOT:
        p, holds = int64(store.a[p]), not holds
    op = store.op[node]
    if op == _EITHER:
        return _case(store, node, _EITHER, p, holds)
    if op == _RESIDUE:
        number = _cases(store, int64(store.a[node]), p, holds)
        return contents_of(store, number, int64(store.c[node])) if number != store.a[node] else int64(node)
    format = format_of(store, cells, node)
    if format <= NO_FLOAT or format == 0:
        return int64(node)
    real = as_float(store, cells, node, format)
    if real == FAIL:
        return int64(node)
    found = _cases(store, real, p, holds)
    return in_register(store, cells, found, format) if found != real else int64(node)


@inner
def _cases(store: Store, node: int, p: int, holds: bool) -> int:
    """`_case` of a number, or of both sides of a choice by another condition."""
    found = _case(store, node, _SELECT, p, holds)
    if found != node or store.op[node] != _SELECT:
        return found
    x, y = int64(store.b[node]), int64(store.c[node])
    u, v = _case(store, x, _SELECT, p, holds), _case(store, y, _SELECT, p, holds)
    return int64(node) if u == x and v == y else emit(store, _SELECT, int64(store.a[node]), u, v)


@inner
def _case(store: Store, node: int, choice: int, p: int, holds: bool) -> int:
    """The side of a choice by p, or by its negation, that is meant; of anything else the node itself."""
    if store.op[node] != choice:
        return int64(node)
    condition = int64(store.a[node])
    if store.op[condition] == _NOT:
        condition, holds = int64(store.a[condition]), not holds
    if condition != p:
        return int64(node)
    return int64(store.b[node] if holds else store.c[node])

"""Whether the renaming of each member of a class is one-to-one and makes the representative's expressions the member's.

Both expressions are walked from the root down, each node of the representative with the corresponding nodes of all members in
one array. A node that is met on two paths must be met in the same nodes: a graph shares equal terms."""

from __future__ import annotations

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.recheck.expressions import Expression
from volta_pipe.passes.recheck.reader import Array, Class

_CHUNK = 1 << 12  # members that are walked at once
_CELLS = 1 << 25  # leaves times members that are sorted at once


def roots_of(c: Class, side: Conditions) -> Array:
    """Root node of each member, int32 [n]."""
    roots = np.zeros(len(c.elements), np.int32)
    for tensor in np.unique(c.tensors).tolist():
        at = c.tensors == tensor
        roots[at] = side.outputs[tensor][c.elements[at]]
    return roots


def same_tree(sides: tuple[Conditions, Conditions], c: Class) -> str:
    """Why the two expressions of the representative are not one tree of values, "" where they are."""
    x, y = (s.graph for s in sides)
    first, second = (int(s.outputs[int(c.tensors[0])][int(c.elements[0])]) for s in sides)
    partner = {first: second}
    for v in reversed(Expression(x, first).nodes):
        w, op = partner[v], int(x.op[v])
        if op != int(y.op[w]):
            return f"{Node(op).name} of the reference meets {Node(int(y.op[w])).name} of the candidate"
        if op == Node.CONST:
            if not np.isfinite(x.constant(v)) or np.float64(x.constant(v)).tobytes() != np.float64(y.constant(w)).tobytes():
                return f"the constant {x.constant(v)!r} meets {y.constant(w)!r}"
        elif op == Node.UNINIT:
            return "it reads a value that was never written"
        elif op in (Node.LEAF, Node.SCALAR) and (x.a[v] != y.a[w] or (op == Node.LEAF and x.b[v] != y.b[w])):
            return "an input meets another one"
        for below, other in zip(x.operands(v), y.operands(w), strict=True):
            if partner.setdefault(below, other) != other:
                return "a shared term meets two terms"
    return ""


def wrong_renaming(c: Class, sides: tuple[Conditions, Conditions]) -> tuple[int, str]:
    """(a member for which the renaming is wrong, why), or (-1, "")."""
    n = len(c.elements)
    if c.shifts.size and bool((c.shifts[:, 0] != 0).any()):
        return 0, "it renames the representative itself"
    key = c.leaf_tensor.astype(np.int64) << 32 | c.leaf_element
    if bool((np.diff(key) <= 0).any()):
        return 0, "it names an input twice, or out of order"
    member = _collision(c)
    if member >= 0:
        return member, "it takes two inputs to one"
    met = np.zeros(len(key), np.bool_)
    for side in sides:
        roots = roots_of(c, side)
        e = Expression(side.graph, int(roots[0]))
        for first in range(0, n, _CHUNK):
            part = slice(first, min(first + _CHUNK, n))
            member, why = _walk(e, roots[part], c, key, part, met)
            if member >= 0:
                return first + member, why
    if not met.all():
        return 0, "it names an input that the representative does not have"
    return -1, ""


def _collision(c: Class) -> int:
    """A member in which two inputs of the representative become one, or -1. A shift alone takes none to one."""
    for tensor in np.unique(c.leaf_tensor).tolist():
        at = np.flatnonzero(c.leaf_tensor == tensor)
        if len(np.unique(c.pattern[at])) < 2:
            continue
        step = max(_CELLS // len(at), 1)
        for first in range(0, len(c.elements), step):
            shift = c.shifts[c.pattern[at], first : first + step]
            there = np.sort(c.leaf_element[at].astype(np.int64)[:, None] + shift, axis=0)
            clash = (np.diff(there, axis=0) == 0).any(axis=0)
            if clash.any():
                return first + int(np.argmax(clash))
    return -1


def _walk(e: Expression, roots: Array, c: Class, key: Array, part: slice, met: Array) -> tuple[int, str]:
    """(a member, of those in `part`, that is wrong, why), or (-1, ""); sets `met` at each leaf."""
    g = e.graph
    bits = g.constants.view(np.uint64)
    corresponding: list[Array | None] = [None] * len(e)  # for each place of the representative the nodes of the members
    corresponding[-1] = roots
    for place in range(len(e) - 1, -1, -1):
        v, op, w = e.nodes[place], e.ops[place], corresponding[place]
        corresponding[place] = None
        assert w is not None
        good = g.op[w] == op
        why = f"it has another operator where the representative has {Node(op).name}"
        if good.all() and not ARITY_TABLE[op]:
            if op == Node.CONST:
                good = bits[g.a[w]] == bits[g.a[v]]
                why = f"it has another constant where the representative has {g.constant(v)!r}"
            elif op == Node.SCALAR:
                good = g.a[w] == g.a[v]
                why = "it has another scalar"
            elif op == Node.LEAF:
                own = int(g.a[v]) << 32 | int(g.b[v])
                at = int(np.searchsorted(key, own))
                if at == len(key) or key[at] != own:
                    return 0, "it does not name an input that the representative has"
                met[at] = True
                good = (g.a[w] == g.a[v]) & (g.b[w] == g.b[v] + c.shifts[c.pattern[at], part])
                why = f"it has another input than the one for element {int(g.b[v])}"
            else:
                good = np.zeros(len(w), np.bool_)
                why = "it reads a value that was never written"
        if not good.all():
            return int(np.argmin(good)), why
        for below, column in zip(e.operands[place], (g.a, g.b, g.c), strict=False):
            there, known = column[w], corresponding[below]
            if known is None:
                corresponding[below] = there
            elif not (known == there).all():
                return int(np.argmin(known == there)), "a term that the representative shares is two terms"
    return -1, ""

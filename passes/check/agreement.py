"""Which stores that nothing orders write the same value: those are no race. Decided by `vc`'s expressions and normal forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import ARITY_TABLE, ARTIFACT_OPS, Conditions, Graph
from volta_pipe.ir.launch import Launch, types_of
from volta_pipe.ir.node_store import Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import Program
from volta_pipe.ir.share import share
from volta_pipe.passes.check import faults
from volta_pipe.passes.check.claims import Pairs, pairs_of, sites

Array = np.ndarray[Any, np.dtype[Any]]
_WARP = 32


@dataclass(frozen=True)
class Agreement:
    """pairs: all in question; same: bool [pairs], proved to write the same value; unknown: bool [pairs], whose values no
    expression is known for, because of `error`; assumptions: what the proofs rest on."""

    pairs: Pairs
    same: Array
    unknown: Array
    error: UnsupportedError | None
    assumptions: tuple[str, ...]


def agreement(program: Program, launch: Launch, claims: Array) -> Agreement:
    """Decides all claims. Errors: BudgetError when the expressions grow too large."""
    # Here, because hardly any kernel needs it.
    from volta_pipe.passes.vc.stored import stored_values

    pairs = pairs_of(program, claims)
    found = list(sites(pairs))
    number = {site: i for i, site in enumerate(found)}
    stored = stored_values(program, launch, found)
    keys = np.stack([pairs.rows, pairs.threads, pairs.values], axis=-1)
    index = np.array([[number[int(r), int(t), int(v)] for r, t, v in pair] for pair in keys], np.int64).reshape(-1, 2)
    roots = stored.roots[index]
    unknown = (roots == 0).any(axis=1) & pairs.whole
    known = pairs.whole & ~unknown & ~_within(stored.graph, (Node.UNINIT,))[roots].any(axis=1)
    same = known & (roots[:, 0] == roots[:, 1])
    reals = _reals(stored.graph, roots)
    left = np.flatnonzero(known & ~same & (reals > 0).all(axis=1))
    assumptions: tuple[str, ...] = ()
    if len(left):
        same[left], assumptions = _proved(stored.graph, reals[left], launch)
    if same.any():
        assumptions = tuple(sorted({*assumptions, *stored.assumptions}))
    return Agreement(pairs, same, unknown & (stored.error is not None), stored.error, assumptions)


def _within(graph: Graph, operators: Iterable[int]) -> Array:
    """bool [nodes]: whether one of these operators is part of the expression."""
    found: Array = np.isin(graph.op, list(operators))
    if found.any():
        for node in range(len(graph)):  # operands come first
            operands = (graph.a, graph.b, graph.c)[: int(ARITY_TABLE[graph.op[node]])]
            found[node] |= any(found[column[node]] for column in operands)
    return found


def _reals(graph: Graph, roots: Array) -> Array:
    """Of each pair the nodes that are real numbers, whose equality makes the bits equal; 0 where there are none.

    Nodes that say how a number lies in bits have their place at the top alone: alike on both sides they drop out."""
    out = roots.copy()
    for k in range(len(out)):
        x, y = (int(node) for node in out[k])
        tops = [(graph.op[i], graph.c[i] if graph.op[i] == Node.RESIDUE else graph.b[i]) for i in (x, y)]
        if tops[0] == tops[1] and graph.op[x] in (Node.WIDE, Node.NARROW, Node.RESIDUE):
            out[k] = graph.a[x], graph.a[y]
    bits = _within(graph, np.flatnonzero(~ARTIFACT_OPS).tolist())
    out[bits[out].any(axis=1)] = 0
    return out


def _proved(graph: Graph, roots: Array, launch: Launch) -> tuple[Array, tuple[str, ...]]:
    """Which pairs of nodes have equal normal forms. Literals are exactly their bits here."""
    from volta_pipe.passes.canon import canon

    tensors, scalars = tuple(t.name for t in launch.tensors), tuple(s.name for s in launch.scalars)
    unique, inverse = np.unique(roots, axis=0, return_inverse=True)
    # Only what these pairs are made of: elsewhere the graph may have operators that vc alone understands.
    none = np.zeros(0, np.int32)
    count = np.array([len(graph.constants), 0, 0])
    store = Store(graph.op, graph.a, graph.b, graph.c, np.array([len(graph)]), graph.constants, count, none, none, none)
    part, (both,) = share(store, [unique.astype(np.int32)])
    types = types_of(launch)
    sides = [Conditions(part, {0: np.ascontiguousarray(both[:, side])}, tensors, scalars, (), *types) for side in range(2)]
    canonical = canon(*sides, constants="exact")
    equal = np.zeros(len(unique), np.bool_)
    for one in canonical.classes:
        equal[one.elements] = one.outcome in ("identical", "equal")
    return equal[inverse.reshape(-1)], canonical.assumptions if equal.any() else ()


def folded(program: Program, pairs: Pairs, which: Array) -> Array:
    """Pairs as raw findings (int64 [:, RAW_COLUMNS]), one for each two instructions: the first pair, and how many."""
    found: dict[tuple[int, int], Array] = {}
    for k in np.flatnonzero(which):
        (before, now), (other, thread) = pairs.rows[k], pairs.threads[k]
        low, high = sorted(int(program.row_instr[row]) for row in (before, now))
        if (low, high) not in found:
            entry = np.zeros(faults.RAW_COLUMNS, np.int64)
            entry[[faults.R_KIND, faults.R_ROW, faults.R_THREAD]] = faults.RACE, now, thread
            entry[[faults.R_OTHER_ROW, faults.R_OTHER_THREAD]] = before, other
            entry[[faults.R_ADDRESS, faults.R_LOW, faults.R_HIGH]] = pairs.address[k], low, high
            found[low, high] = entry
        found[low, high][faults.R_COUNT] += 1
        found[low, high][faults.R_APART] |= int(other) // _WARP != int(thread) // _WARP
    return np.array(list(found.values()), np.int64).reshape(-1, faults.RAW_COLUMNS)


def merged(raw: Array, more: Array) -> Array:
    """Raw findings of both, in the order of rows; those of the same kind and instructions are one."""
    out: list[Array] = []
    places: dict[tuple[int, ...], int] = {}
    for entry in sorted([*raw, *more], key=lambda e: int(e[faults.R_ROW])):
        key = tuple(int(entry[c]) for c in (faults.R_KIND, faults.R_LOW, faults.R_HIGH))
        if key in places:
            out[places[key]][faults.R_COUNT] += entry[faults.R_COUNT]
            out[places[key]][faults.R_APART] |= entry[faults.R_APART]
        else:
            places[key] = len(out)
            out.append(entry.copy())
    return np.array(out, np.int64).reshape(-1, faults.RAW_COLUMNS)

"""Canonical order: the same expressions give the same columns however they were made, and it changes no term."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from test_trace_share import terms

from volta_pipe.ir import graph_order
from volta_pipe.ir.fold import new_store
from volta_pipe.ir.graph import FIXED, Graph, validate
from volta_pipe.ir.graph_order import ordered
from volta_pipe.ir.node_store import append_entry as append
from volta_pipe.ir.node_store import constant_entry as constant
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share

LEAF, ADD, MUL, FMA, NEG, SUB, MAX, EXP = (
    int(n) for n in (Node.LEAF, Node.ADD, Node.MUL, Node.FMA, Node.NEG, Node.SUB, Node.MAX, Node.EXP)
)
SWAPPING = (ADD, MUL, FMA, MAX)
# A term as it is written down: (operator, operands), a leaf (LEAF, element) or a number.
Written = tuple[Any, ...] | float


def random_terms(rng: random.Random, count: int) -> list[Written]:
    """Terms over distinct leaves in each operand of an exchangeable operator, so that their order is told by inputs."""
    made: list[tuple[Written, frozenset[int]]] = [((LEAF, i), frozenset((i,))) for i in range(12)]
    made += [(c, frozenset()) for c in (0.5, -3.0)]
    for _ in range(count):
        op = rng.choice((ADD, MUL, FMA, MAX, SUB, NEG, EXP))
        parts = rng.sample(made, {NEG: 1, EXP: 1, FMA: 3}.get(op, 2))
        ends = [(min(e), max(e)) if e else None for _, e in parts[:2]]
        if op in SWAPPING and ends[0] == ends[1]:
            continue  # their order is that of creation
        made.append(((op, *(part for part, _ in parts)), frozenset().union(*(e for _, e in parts))))
    return [term for term, _ in made[14:]]


def built(roots: list[Written], rng: random.Random) -> tuple[Graph, Any]:
    """The graph of some terms, made in random order with operands exchanged at random."""
    store = new_store()
    made: dict[Written, int] = {}

    def make(term: Written) -> int:
        if term in made:
            return made[term]
        if isinstance(term, float):
            node = constant(store, term)
        elif term[0] == LEAF:
            node = append(store, LEAF, 0, term[1], 0)
        else:
            operands = list(term[1:])
            order = list(range(len(operands)))
            rng.shuffle(order)
            nodes = dict(zip(order, [make(operands[i]) for i in order], strict=True))
            placed = [nodes[i] for i in range(len(operands))]
            if term[0] in SWAPPING and rng.random() < 0.5:
                placed[:2] = placed[1::-1]
            node = append(store, term[0], *placed, *[0] * (3 - len(placed)))
        made[term] = node
        return node

    for term in rng.sample(roots, len(roots)):
        make(term)
        if rng.random() < 0.3:
            append(store, EXP, append(store, LEAF, 0, 99, 0), 0, 0)  # what no root reaches
    return ordered(*share(store, [np.array([made[term] for term in roots], np.int32)]))


def same(x: Graph, y: Graph) -> bool:
    columns = ((getattr(x, name), getattr(y, name)) for name in ("op", "a", "b", "c", "constants"))
    return all(np.array_equal(*pair, equal_nan=pair[0].dtype == np.float64) for pair in columns)


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_making_does_not_show(seed: int) -> None:
    rng = random.Random(seed)
    roots = random_terms(rng, rng.randint(1, 60)) or [(NEG, (LEAF, 1))]
    first, (tops,) = built(roots, rng)
    validate(first, [tops])
    for _ in range(3):
        other, (again,) = built(roots, rng)
        assert same(first, other) and np.array_equal(tops, again)


@pytest.mark.parametrize("seed", range(20))
def test_terms_stay_what_they_are(seed: int) -> None:
    rng = random.Random(seed)
    roots = random_terms(rng, 40) or [(NEG, (LEAF, 1))]
    store_order = random.Random(seed + 1)
    graph, (tops,) = built(roots, store_order)

    def written(term: Written) -> Any:
        if isinstance(term, float):
            return int(Node.CONST), np.float64(term).tobytes()
        if term[0] == LEAF:
            return LEAF, 0, term[1]
        parts = [written(part) for part in term[1:]]
        if term[0] in SWAPPING:
            parts[:2] = sorted(parts[:2], key=repr)
        return (term[0], *parts)

    found = terms(graph)
    assert [found[top] for top in tops] == [written(term) for term in roots]


def test_another_operator_is_another_graph() -> None:
    leaf = [(LEAF, i) for i in range(4)]
    first, _ = built([(ADD, (MUL, leaf[0], leaf[1]), (MUL, leaf[2], leaf[3]))], random.Random(0))
    other, _ = built([(SUB, (MUL, leaf[0], leaf[1]), (MUL, leaf[2], leaf[3]))], random.Random(0))
    assert not same(first, other)


def test_leaves_stand_first_and_roots_last() -> None:
    graph, (tops,) = built([(NEG, (LEAF, 5)), (EXP, (LEAF, 3)), (LEAF, 5)], random.Random(0))
    assert graph.op.tolist()[FIXED:] == [LEAF, LEAF, NEG, EXP] and graph.b[FIXED : FIXED + 2].tolist() == [3, 5]
    assert tops.tolist() == [FIXED + 2, FIXED + 3, FIXED + 1]


def test_a_root_below_another_root_waits_for_it() -> None:
    inner: Written = (NEG, (LEAF, 0))
    graph, (tops,) = built([inner, (EXP, inner)], random.Random(0))
    validate(graph, [tops])
    assert tops.tolist() == [FIXED + 1, FIXED + 2]


def test_large_graphs_keep_the_order_of_creation(monkeypatch: pytest.MonkeyPatch) -> None:
    store = new_store()
    late, soon = append(store, LEAF, 0, 9, 0), append(store, LEAF, 0, 1, 0)
    graph, roots = share(store, [np.array([append(store, ADD, late, soon, 0)], np.int32)])
    assert ordered(graph, roots)[0].b[FIXED] == 1
    monkeypatch.setattr(graph_order, "MAX_ORDERED", len(graph) - 1)
    assert ordered(graph, roots)[0].b[FIXED] == 9

"""Sharing: merges all equal terms and no others, keeps what the roots reach, and changes no value."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_evaluate import evaluate

from volta_pipe.ir.fold import Store, new_store
from volta_pipe.ir.fold import emit_entry as emit
from volta_pipe.ir.graph import FIXED, FIXED_CONSTANTS, NEG_INF, Graph, validate
from volta_pipe.ir.node_store import append_entry as append
from volta_pipe.ir.node_store import constant_entry as constant
from volta_pipe.ir.nodes import ARITY, Node
from volta_pipe.ir.share import share

LEAF, ADD, MUL, FMA, NEG = (int(n) for n in (Node.LEAF, Node.ADD, Node.MUL, Node.FMA, Node.NEG))


COMMUTING = {int(n) for n in (Node.ADD, Node.MUL, Node.FMA, Node.MIN, Node.MAX, Node.EQ, Node.NE, Node.AND, Node.OR, Node.XOR)}


def _roots(*nodes: int) -> list[Any]:
    return [np.array(nodes, np.int32)]


def terms(graph: Graph) -> list[Any]:
    """Each node as a nested tuple, up to the order of commuting operands: the independent notion of a term."""
    made: list[Any] = [None]
    for node in range(1, len(graph)):
        op = int(graph.op[node])
        if op == Node.CONST:
            made.append((op, graph.constants[graph.a[node]].tobytes()))
        elif ARITY[Node(op)] == 0:
            made.append((op, int(graph.a[node]), int(graph.b[node])))
        else:
            parts = [made[x] for x in graph.operands(node)]
            if op in COMMUTING:  # over the reals their first two operands may be exchanged
                parts[:2] = sorted(parts[:2], key=repr)
            made.append((op, *parts))
    return made


def test_equal_terms_merge_and_the_dead_go() -> None:
    store = new_store()
    x, other, again = (append(store, LEAF, 0, e, 0) for e in (7, 8, 7))
    append(store, MUL, other, other, 0)
    first = append(store, ADD, x, again, 0)
    second = append(store, ADD, again, x, 0)
    graph, (roots,) = share(store, _roots(first, second, 0))
    assert len(graph) == FIXED + 2
    assert list(roots) == [FIXED + 1, FIXED + 1, 0]
    assert graph.operands(FIXED + 1) == (FIXED, FIXED)


def test_what_an_operator_does_not_use_is_cleared() -> None:
    store = new_store()
    x = append(store, LEAF, 0, 1, 9)
    same = append(store, LEAF, 0, 1, 0)
    graph, (roots,) = share(store, _roots(append(store, NEG, x, 3, 4), append(store, NEG, same, 0, 0)))
    assert roots[0] == roots[1]
    assert (int(graph.b[roots[0]]), int(graph.c[roots[0]])) == (0, 0)


def test_raw_columns_and_operand_order_keep_terms_apart() -> None:
    store = new_store()
    x, y = append(store, LEAF, 0, 1, 0), append(store, LEAF, 1, 0, 0)
    nodes = [
        x, y, append(store, int(Node.SCALAR), 0, 0, 0), append(store, int(Node.SCALAR), 1, 0, 0),
        append(store, int(Node.PART), x, 0, 0), append(store, int(Node.PART), x, 1, 0),
        append(store, int(Node.SUB), x, y, 0), append(store, int(Node.SUB), y, x, 0),
        append(store, int(Node.UNINIT), 3, 0, 0), append(store, int(Node.UNINIT), 4, 0, 0),
    ]  # fmt: skip
    _, (roots,) = share(store, _roots(*nodes))
    assert len(set(roots.tolist())) == len(nodes)


def test_constants_are_numbered_by_first_use() -> None:
    store = new_store()
    x = append(store, LEAF, 0, 0, 0)
    constant(store, 2.5)
    three, half = constant(store, 3.5), constant(store, 0.5)
    graph, (roots,) = share(store, _roots(append(store, MUL, x, three, 0), half, NEG_INF))
    assert np.array_equal(graph.constants, [*FIXED_CONSTANTS, 3.5, 0.5], equal_nan=True)
    assert roots[2] == NEG_INF
    assert graph.constant(int(roots[1])) == 0.5


def test_no_roots_leave_the_fixed_nodes() -> None:
    graph, (roots,) = share(new_store(), [np.zeros((2, 3), np.int32)])
    assert len(graph) == FIXED
    assert roots.shape == (2, 3)


def test_many_users_of_one_operand_fill_the_table_and_make_it_grow() -> None:
    store = new_store(1 << 18)
    leaves = [append(store, LEAF, 0, e, 0) for e in range(300)]
    products = [append(store, MUL, x, y, 0) for x in leaves for y in leaves]
    again = [append(store, MUL, x, y, 0) for x in leaves for y in leaves]
    graph, (roots,) = share(store, _roots(*products, *again))
    assert len(graph) == FIXED + 300 + 300 * 301 // 2  # x y and y x are one product
    assert np.array_equal(roots[: len(products)], roots[len(products) :])
    validate(graph, [roots])


STEPS = st.lists(
    st.tuples(
        st.sampled_from([LEAF, ADD, MUL, FMA, NEG, int(Node.MAX), -1]),
        st.integers(0, 99),
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    max_size=60,
)


def _grow(store: Store, steps: list[tuple[int, int, int, int]]) -> list[int]:
    nodes = [append(store, LEAF, 0, 0, 0)]
    for op, x, y, z in steps:
        if op == LEAF:
            nodes.append(append(store, LEAF, x % 2, y % 2, 0))
        elif op < 0:
            nodes.append(constant(store, (x % 5) / 4))
        else:
            nodes.append(append(store, op, *(nodes[p % len(nodes)] for p in (x, y, z))))
    return nodes


@given(STEPS)
@settings(max_examples=200, deadline=None)
def test_shares_all_equal_terms_and_no_others(steps: list[tuple[int, int, int, int]]) -> None:
    store = new_store(1 << 10)
    nodes = _grow(store, steps)
    before = Graph(store.op[: store.n[0]], store.a, store.b, store.c, store.values)
    graph, (roots,) = share(store, _roots(*nodes))
    validate(graph, [roots])
    old, new = terms(before), terms(graph)
    assert [old[n] for n in nodes] == [new[r] for r in roots.tolist()]
    assert len(set(map(repr, new[1:]))) == len(graph) - 1
    inputs = [np.array([0.75, -1.5]), np.array([0.25, 2.0])]
    assert np.array_equal(evaluate(before, nodes, inputs), evaluate(graph, roots, inputs), equal_nan=True)
    again, (fixed,) = share(Store(graph.op, graph.a, graph.b, graph.c, np.array([len(graph)]), graph.constants,
                                  np.array([len(graph.constants), 0, 0]), store.node_of, store.table, store.dropped),
                           [roots])  # fmt: skip
    assert all(np.array_equal(p, q, equal_nan=True) for p, q in zip(vars(again).values(), vars(graph).values(), strict=True))
    assert np.array_equal(fixed, roots)


def test_emit_and_share_agree_on_a_chain() -> None:
    store = new_store()
    x, y = append(store, LEAF, 0, 0, 0), append(store, LEAF, 0, 1, 0)
    chains = []
    for _ in range(2):
        total = emit(store, MUL, x, y, 0)
        for _ in range(10):
            total = emit(store, FMA, x, y, total)
        chains.append(total)
    graph, (roots,) = share(store, _roots(*chains))
    assert roots[0] == roots[1]
    assert len(graph) == FIXED + 13

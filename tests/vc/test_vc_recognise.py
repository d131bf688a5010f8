"""Expressions are taken for those of the last run exactly where sharing and ordering them would give the same columns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from volta_pipe.ir.fold import Store, new_store
from volta_pipe.ir.graph import FIXED, Graph
from volta_pipe.ir.graph_order import ordered
from volta_pipe.ir.node_store import append_entry as append
from volta_pipe.ir.node_store import constant_entry as constant
from volta_pipe.ir.node_store import grown
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share
from volta_pipe.passes.vc.recognise import Recogniser, recognised

LEAF, SCALAR, CONST = int(Node.LEAF), int(Node.SCALAR), int(Node.CONST)
BINARY = [int(n) for n in (Node.ADD, Node.MUL, Node.SUB, Node.DIV, Node.MAX, Node.LT)]
UNARY = [int(n) for n in (Node.NEG, Node.EXP, Node.SQRT)]
TERNARY = [int(n) for n in (Node.FMA, Node.SELECT)]
EVERY = UNARY + 3 * BINARY + 2 * TERNARY
EXCHANGE = {int(n) for n in (Node.ADD, Node.MUL, Node.MAX, Node.FMA)}
Term = tuple[Any, ...]


def leaf(generator: random.Random, leaves: int) -> Term:
    kind = generator.random()
    if kind < 0.1:
        return (CONST, generator.choice([0.0, 1.0, 2.5, -3.0]))
    if kind < 0.15:
        return (SCALAR, 0)
    return (LEAF, generator.randrange(2), generator.randrange(leaves))


def pool_of(generator: random.Random, count: int, leaves: int, operators: Sequence[int] = EVERY) -> list[Term]:
    """Terms that are made of each other."""
    pool = [leaf(generator, leaves) for _ in range(4)]
    for _ in range(count):
        pick = lambda: generator.choice(pool[-12:]) if generator.random() < 0.7 else leaf(generator, leaves)  # noqa: E731
        op = generator.choice(operators)
        pool.append((op, *(pick() for _ in range(1 if op in UNARY else 3 if op in TERNARY else 2))))
    return pool


def made(generator: random.Random, terms: list[Term]) -> tuple[Store, list[int]]:
    """The terms in a store."""
    store, roots, _ = one_by_one(generator, terms)
    return store, roots


def one_by_one(generator: random.Random, terms: list[Term], early: float = 0.0) -> tuple[Store, list[int], list[int]]:
    """The terms in a store, without folding, and how many nodes there are after each: parts made once or several times,
    exchanged at will, rounded at will, and with nodes that nobody uses among them. early: how often one that comes later is
    made then already."""
    store = grown(new_store(), 1 << 13, 64)
    known: dict[Term, int] = {}

    def node(term: Term) -> int:
        if term in known and generator.random() < 0.8:
            return known[term]
        op = term[0]
        if op == CONST:
            found = constant(store, term[1])
        elif op in (LEAF, SCALAR):
            found = append(store, op, term[1], term[2] if op == LEAF else 0, 0)
        else:
            parts = list(term[1:])
            if op in EXCHANGE and generator.random() < 0.5:
                parts[:2] = parts[1::-1]
            if generator.random() < 0.1:
                append(store, int(Node.EXP), node(leaf(generator, 3)), 0, 0)
            found = append(store, op, *([node(part) for part in parts] + [0, 0])[:3])
        if generator.random() < 0.1:
            found = append(store, int(Node.ROUND), found, 0, 0)
        known[term] = found
        return int(found)

    roots, sizes = [], []
    for term in terms:
        if generator.random() < early:
            node(generator.choice(terms))
        roots.append(node(term))
        sizes.append(int(store.n[0]))
    return store, roots, sizes


def columns(roots: list[int]) -> list[Any]:
    return [np.array(roots, np.int32)]


def fresh(store: Store, roots: list[int]) -> tuple[Graph, Any]:
    graph, (found,) = ordered(*share(store, columns(roots)))
    return graph, found


def equal(one: tuple[Graph, Any], other: tuple[Graph, Any]) -> bool:
    names = ("op", "a", "b", "c", "constants")
    same = all(getattr(one[0], name).tobytes() == getattr(other[0], name).tobytes() for name in names)
    return same and one[1].tobytes() == other[1].tobytes()


def ties(graph: Graph) -> bool:
    """Whether exchangeable operands of one kind have the same first and the same last input, or none: then their order is that
    in which they were made."""
    ends: list[tuple[Any, Any]] = []
    for node in range(len(graph)):
        inside = [ends[x] for x in graph.operands(node)]
        own = [(graph.a[node], graph.b[node])] if graph.op[node] == LEAF else []
        low = min([x[0] for x in inside if x[0] is not None] + own, default=None)
        ends.append((low, max([x[1] for x in inside if x[1] is not None] + own, default=None)))
    for node in range(FIXED, len(graph)):
        if int(graph.op[node]) in EXCHANGE:
            x, y = graph.operands(node)[:2]
            if x != y and graph.op[x] == graph.op[y] != LEAF and ends[x] == ends[y]:
                return True
    return False


def test_the_same_terms_made_otherwise_are_recognised() -> None:
    generator = random.Random(3)
    seen = 0
    for _ in range(400):
        pool = pool_of(generator, generator.randrange(2, 40), generator.choice([2, 5, 30]))
        terms = generator.choices(pool, k=generator.randrange(1, 5))
        known = fresh(*made(generator, terms))
        store, roots = made(generator, terms)
        found = recognised(store, columns(roots), known[0], [known[1]])
        again = fresh(store, roots)
        assert not found or equal(again, known)
        if not ties(known[0]):
            assert found and equal(again, known)
            seen += len(known[0]) > 12
    assert seen > 100


def test_other_terms_are_not() -> None:
    generator = random.Random(5)
    differed = 0
    for _ in range(600):
        pool = pool_of(generator, generator.randrange(2, 25), generator.choice([2, 5]))
        terms = generator.choices(pool, k=3)
        known = fresh(*made(generator, terms))
        place = generator.randrange(3)
        other = [*terms[:place], changed(generator, terms[place]), *terms[place + 1 :]]
        store, roots = made(generator, other)
        found = recognised(store, columns(roots), known[0], [known[1]])
        same = equal(fresh(store, roots), known)
        assert not found or same
        differed += not same
    assert differed > 400


def changed(generator: random.Random, term: Term) -> Term:
    """With one operator, input, constant or operand of it changed, somewhere inside."""
    op = term[0]
    if op == LEAF:
        return (LEAF, term[1], term[2] + 1) if generator.random() < 0.5 else (LEAF, 1 - term[1], term[2])
    if op == CONST:
        return (CONST, term[1] + 1.0)
    if op == SCALAR:
        return (SCALAR, 1)
    if generator.random() < 0.2:
        return (generator.choice([o for o in (UNARY, BINARY, TERNARY)[len(term) - 2] if o != op]), *term[1:])
    if op not in EXCHANGE and len(term) > 2 and generator.random() < 0.3:
        return (op, term[2], term[1], *term[3:])
    place = generator.randrange(1, len(term))
    return (*term[:place], changed(generator, term[place]), *term[place + 1 :])


@pytest.mark.parametrize("other", [False, True])
def test_term_by_term_is_the_same_as_all_at_once(other: bool) -> None:
    generator = random.Random(7)
    operators = [op for op in EVERY if op not in EXCHANGE or generator.random() < 0.1]  # pairs of these are looked at together
    recognised_so, late = 0, 0
    for _ in range(400):
        pool = pool_of(generator, generator.randrange(2, 40), generator.choice([5, 30]), operators)
        terms = generator.choices(pool, k=generator.randrange(2, 9))
        graph, known = fresh(*made(generator, terms))
        if other:
            place = generator.randrange(len(terms))
            terms[place] = changed(generator, terms[place])
        store, roots, sizes = one_by_one(generator, terms, 0.4)
        wanted = recognised(store, columns(roots), graph, [known])
        look = Recogniser(graph, [known])
        if not look.by_pieces:
            continue
        agreed = all(piece(generator, look, store, size, root, k) for root, size, k in zip(roots, sizes, known, strict=True))
        late += bool(look._late[0])
        found = look.whole(store, columns(roots)) if agreed else False
        assert found == wanted
        assert Recogniser.afresh(look, store, columns(roots)) == wanted
        recognised_so += found
    assert late > 50 and (recognised_so > 150 or other)


def piece(generator: random.Random, look: Recogniser, store: Store, size: int, root: int, known: int) -> bool:
    """Shows the first nodes, in columns that have room for some more, or not."""
    room = size + generator.choice([0, 3, 500])
    part = store._replace(op=store.op[:room], a=store.a[:room], b=store.b[:room], c=store.c[:room])
    return look.piece(part, size, np.array([root], np.int32), np.array([known], np.int32))


ONE = (LEAF, 0, 1)


@pytest.mark.parametrize(
    ("known", "terms"),
    [
        ([ONE], [(LEAF, 0, 2)]),
        ([ONE, ONE], [ONE, (LEAF, 0, 2)]),
        ([(CONST, 1.0)], [(CONST, 2.0)]),
        ([(int(Node.SUB), ONE, (LEAF, 1, 1))], [(int(Node.SUB), (LEAF, 1, 1), ONE)]),
        ([(int(Node.FMA), ONE, ONE, (LEAF, 1, 1))], [(int(Node.FMA), ONE, (LEAF, 1, 1), ONE)]),
        ([(int(Node.NEG), ONE), ONE], [ONE, (int(Node.NEG), ONE)]),
    ],
)
def test_small_differences(known: list[Term], terms: list[Term]) -> None:
    generator = random.Random(1)
    there = fresh(*made(generator, known))
    store, roots = made(generator, terms)
    assert not recognised(store, columns(roots), there[0], [there[1]])
    store, roots = made(generator, known)
    assert recognised(store, columns(roots), there[0], [there[1]])


def test_a_root_that_is_missing_or_another_shape() -> None:
    terms: list[Term] = [(int(Node.ADD), ONE, (LEAF, 0, 2)), (LEAF, 0, 3)]
    store, roots = made(random.Random(1), terms)
    graph, known = fresh(*made(random.Random(1), terms))
    assert recognised(store, columns(roots), graph, [known])
    assert not recognised(store, columns([roots[0], 0]), graph, [known])
    assert not recognised(store, columns(roots), graph, [np.array([known[0], 0], np.int32)])
    assert not recognised(store, columns(roots[:1]), graph, [known])
    assert not recognised(store, columns([roots[1], roots[0]]), graph, [known])


def test_a_graph_with_more_than_is_reached() -> None:
    store, roots = made(random.Random(1), [ONE])
    graph, known = fresh(*made(random.Random(1), [ONE, (LEAF, 0, 2)]))
    assert not recognised(store, columns(roots), graph, [known[:1]])

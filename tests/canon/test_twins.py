"""Equal trees of two graphs have one number and one form, which a plain recursion and separate translations tell."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from expressions import Builder, attention
from random_expressions import Expression, expression, nodes

from volta_pipe.ir.graph import FIXED, Conditions, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import Table, Terms
from volta_pipe.passes.canon import linear, translate
from volta_pipe.passes.canon.names import Names
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.signs import Signs
from volta_pipe.passes.canon.translate import Translator
from volta_pipe.passes.canon.twins import Numbered, Trees

Tree = tuple[Any, ...]


def graphs(seed: int) -> list[Conditions]:
    """Two sides with three roots each, made of a few expressions, so that there are equal trees."""
    rng = random.Random(f"twins {seed}")
    parts: list[Expression] = []
    while len(parts) < 3:
        e = expression(rng, 3)
        parts += [e] if "sqrt" not in str(e) else []  # sides that hold a root take no forms from each other
    found = []
    for _ in range(2):
        b = Builder()
        roots = []
        for _ in range(3):
            x, y = (nodes(b, rng.choice(parts)) for _ in range(2))
            roots.append(
                int(b.op(rng.choice((Node.ADD, Node.MUL, Node.MAX)), b.op(Node.MUL, x, b.scalar(rng.randrange(2))), y))
            )
        found.append(b.done({3: roots}, scalars=("s", "t")))
    return found


def tree(g: Graph, limits: Any, node: int) -> Tree:
    op = int(g.op[node])
    what: Tree = ()
    if op == Node.CONST:
        what = (np.float64(g.constants[g.a[node]]).tobytes(),)
    elif op in (Node.LEAF, Node.SCALAR):
        what = (int(g.a[node]), int(g.b[node]) if op == Node.LEAF else 0)
    return (op, int(limits[node]), what, *(tree(g, limits, i) for i in g.operands(node)))


def test_equal_numbers_are_equal_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volta_pipe.passes.canon.twins._ROOM", 4)
    both = 0
    for seed in range(60):
        rng = random.Random(seed)
        sides = [c.graph for c in graphs(seed)]
        trees = Trees()
        numbers: dict[int, Tree] = {}
        known: dict[Tree, int] = {}
        met: list[set[int]] = [set(), set()]
        for place, g in enumerate(sides):
            limits = np.array([rng.choice((0, 0, 0, 2)) for _ in range(len(g))], np.uint8)
            numbered = Numbered(g, trees, limits, first=not place)
            order = np.arange(FIXED, len(g), dtype=np.int32)
            numbered.number(np.arange(1, FIXED, dtype=np.int32))
            for half in np.array_split(order, 3):
                numbered.number(half)
            twins = numbered.twins(order)
            for node, number, twin in zip(order.tolist(), numbered._number[order].tolist(), twins.tolist(), strict=True):
                one = tree(g, limits, node)
                assert numbers.setdefault(number, one) == one
                assert known.setdefault(one, number) == number
                met[place].add(number)
                assert (twin > 0) == (number in met[0])
        both += len(met[0] & met[1])
    assert both > 300


def test_values_that_were_never_written_are_no_twins() -> None:
    b = Builder()
    x = int(b.neg(b.uninit()))
    g = b.done({3: [x]}).graph
    trees, limits = Trees(), np.zeros(len(g), np.uint8)
    order = np.arange(1, len(g), dtype=np.int32)
    sides = [Numbered(g, trees, limits, first=first) for first in (True, False)]
    for side in sides:
        side.number(order)
    assert sides[1].twins(order).tolist() == [1, 2, 3, 4, 5, 0, 0]


@pytest.mark.parametrize("named", [True, False])
def test_taken_forms_are_the_forms_that_are_made_alone(monkeypatch: pytest.MonkeyPatch, named: bool) -> None:
    taken = 0
    without = translate.Order.without

    def counting(self: Any, root: int, order: Any, found: Any) -> Any:
        nonlocal taken
        taken += len(found)
        return without(self, root, order, found)

    monkeypatch.setattr(translate.Order, "without", counting)
    for seed in range(60):
        x, y = graphs(seed)
        if seed % 2:
            monkeypatch.setattr(translate, "_KEPT", 5)  # forms are forgotten between roots
        t = Table()
        names = Names(t) if named else None
        rules = Rules(t, named=False, names=names)
        pair = Translator.pair((x.graph, y.graph), rules)
        alone = [Translator(c.graph, rules) for c in (x, y)]
        for roots in zip(x.outputs[3].tolist(), y.outputs[3].tolist(), strict=True):
            forms = [side.form(root) for side, root in zip(pair, roots, strict=True)]
            assert forms == [side.form(root) for side, root in zip(alone, roots, strict=True)], seed
    assert taken > 100


def test_scores_of_attention_are_made_once() -> None:
    x, y = attention(2, 16, 4), attention(2, 16, 4, block=4, late=True)
    t = Table()
    left, right = Translator.pair((x.graph, y.graph), Rules(t, names=Names(t)))
    left.form(int(x.outputs[3][0]))
    right.form(int(y.outputs[3][0]))
    theirs = {id(form) for form in left._forms.values()}
    scores = [n for n in right._forms if y.graph.op[n] == Node.MUL and y.graph.op[y.graph.b[n]] == Node.SCALAR]
    assert len(scores) == 16 and all(id(right._forms[n]) in theirs for n in scores)


def test_sums_with_a_free_term_do_not_contradict(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("free")
    free = contradicting = 0
    for _ in range(600):
        t = Table()
        atoms = [t.atom("leaf", 0, i) for i in range(3)] + [t.atom("lambda"), t.atom("name", t.factor({t.monomial(()): 2}))]
        keys = [0]
        for _ in range(4):
            chosen = sorted(rng.sample(atoms, rng.choice((1, 1, 2))))
            keys.append(t.monomial(tuple((a, rng.choice((1, 1, 2))) for a in chosen)))
        sums: list[Terms] = []
        for _ in range(rng.choice((1, 2, 2, 3))):
            sums.append({k: rng.choice((1, -1, 2)) for k in rng.sample(keys, rng.choice((1, 2, 3)))})
        signs = Signs(t)
        if linear.has_free_term(t, sums, signs.atom):
            free += 1
            with monkeypatch.context() as patch:
                patch.setattr("volta_pipe.passes.canon.signs.has_free_term", lambda *_: False)
                assert not signs.contradictory(sums, [])
        else:
            contradicting += signs.contradictory(sums, [])
    assert free > 30 and contradicting > 30

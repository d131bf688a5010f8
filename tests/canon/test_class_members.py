"""Classes of random elements: each member is its representative with the inputs renamed, one to one and alike on both sides,
which a plain recursion over the two trees tells."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from volta_pipe.ir.graph import ARITY_TABLE, FIXED, FIXED_CONSTANTS, Conditions, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import classes, walking
from volta_pipe.passes.canon.few import Inputs
from volta_pipe.passes.canon.sides import Side

CASES = 400
Expression = tuple[Any, ...]
Places = dict[int, list[int]]
Leaf = tuple[int, int]
_OPERATORS = (Node.ADD, Node.MUL, Node.MAX, Node.NEG, Node.FMA, Node.SUB, Node.EXP)


def _expression(rng: random.Random, depth: int) -> Expression:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([("leaf", rng.randrange(2), rng.randrange(3))] * 8 + [("const", 2.0), ("scalar", rng.randrange(2))])
    op = rng.choice(_OPERATORS)
    return (op, *[_expression(rng, depth - 1) for _ in range(int(ARITY_TABLE[op]))])


def _changed(rng: random.Random, e: Expression) -> Expression:
    """With another leaf of the same or the other tensor, constant or scalar somewhere."""
    if e[0] == "leaf":
        return rng.choice((("leaf", 1 - e[1], e[2]), ("leaf", e[1], (e[2] + 1) % 3), ("const", 2.0)))
    if e[0] in ("const", "scalar"):
        return ("const", 1.0) if e[0] == "const" else ("scalar", 1 - e[1])
    i = rng.randrange(1, len(e))
    return (*e[:i], _changed(rng, e[i]), *e[i + 1 :])


def _conditions(rng: random.Random, parts: list[tuple[Expression, Places]], apart: float) -> Conditions:
    """One root a part, the places of its leaves looked up; with probability `apart` an equal node is made once more."""
    rows: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)] + [(int(Node.CONST), i, 0, 0) for i in range(FIXED - 1)]
    constants = [*FIXED_CONSTANTS, 2.0]
    known: dict[tuple[int, int, int, int], int] = {}

    def node(e: Expression, places: Places) -> int:
        if e[0] == "leaf":
            row = (int(Node.LEAF), e[1], places[e[1]][e[2]], 0)
        elif e[0] == "scalar":
            row = (int(Node.SCALAR), e[1], 0, 0)
        elif e[0] == "const":
            row = (int(Node.CONST), constants.index(e[1]), 0, 0)
        else:
            operands = [node(x, places) for x in e[1:]]
            row = (int(e[0]), *operands, *[0] * (3 - len(operands)))  # type: ignore[assignment]
        if row not in known or (len(e) > 1 and e[0] in _OPERATORS and rng.random() < apart):
            rows.append(row)
            known[row] = len(rows) - 1
        return known[row]

    roots = np.array([node(e, places) for e, places in parts], np.int32)
    op, a, b, c = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    return Conditions(Graph(op.astype(np.uint8), a, b, c, np.array(constants)), {2: roots}, ("x", "y", "o"), ("s", "t"))


def _renamed(graphs: tuple[Graph, Graph], one: tuple[int, int], other: tuple[int, int]) -> dict[Leaf, Leaf] | None:
    """What each input of one pair of expressions is called in the other, None where these are not so related."""
    to: dict[Leaf, Leaf] = {}
    back: dict[Leaf, Leaf] = {}

    def same(g: Graph, u: int, v: int) -> bool:
        if g.op[u] != g.op[v]:
            return False
        if g.op[u] == Node.CONST:
            return bool(g.constants[g.a[u]] == g.constants[g.a[v]])
        if g.op[u] == Node.SCALAR:
            return bool(g.a[u] == g.a[v])
        if g.op[u] == Node.LEAF:
            p, q = (int(g.a[u]), int(g.b[u])), (int(g.a[v]), int(g.b[v]))
            return p[0] == q[0] and to.setdefault(p, q) == q and back.setdefault(q, p) == p
        return all(same(g, x, y) for x, y in zip(g.operands(u), g.operands(v), strict=True))

    return to if all(same(g, u, v) for g, u, v in zip(graphs, one, other, strict=True)) else None


def _places(rng: random.Random) -> Places:
    """Where the leaves of a part lie: three of one tensor, mostly apart."""
    return {t: rng.sample(range(6), 3) if rng.random() < 0.75 else [rng.randrange(4) for _ in range(3)] for t in (0, 1)}


Case = tuple[Conditions, Conditions, bool]


@cache
def _cases() -> list[Case]:
    """Both sides, and whether equal nodes were made once."""
    made = []
    for seed in range(CASES):
        rng = random.Random(f"classes {seed}")
        e, f = (_expression(rng, rng.choice((1, 2, 3))) for _ in range(2))
        n = rng.choice((2, 3, 5, 9))
        left, right = [], []
        for _ in range(n):
            places = _places(rng)
            left.append((e if rng.random() < 0.8 else _changed(rng, e), places))
            right.append((f if rng.random() < 0.8 else _changed(rng, f), places if rng.random() < 0.7 else _places(rng)))
        apart = rng.choice((0.0, 0.0, 0.2))
        made.append((_conditions(rng, left, apart), _conditions(rng, right, apart), apart == 0.0))
    return made


def _groups(x: Conditions, y: Conditions) -> list[classes.Group]:
    n = len(x.outputs[2])
    return list(classes.groups(classes.Elements(np.full(n, 2), np.arange(n), x.outputs[2], y.outputs[2]), x, y))


# How elements are followed: all together, in halves (4 partitions × elements: all but one or two are walked without the
# representative), one by one; and whether what a class leaves behind is always told apart by signatures.
MODES = {"walk": (1 << 25, 0, 8), "halves": (4, 0, 8), "pairs": (1 << 25, 1 << 20, 8), "signatures": (1 << 25, 1 << 20, 0)}


def _in_mode(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    for name, value in zip(("_CELLS", "_PAIRS", "_APART"), MODES[mode], strict=True):
        monkeypatch.setattr(walking if name == "_CELLS" else classes, name, value)


@pytest.mark.parametrize("mode", MODES)
def test_members_are_renamed_representatives(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    _in_mode(monkeypatch, mode)
    members = elements = 0
    for seed, (x, y, shared) in enumerate(_cases()):
        graphs = x.graph, y.graph
        roots = [(int(u), int(v)) for u, v in zip(x.outputs[2], y.outputs[2], strict=True)]
        found = _groups(x, y)
        assert sorted(i for g in found for i in g.members) == list(range(len(roots)))
        elements += len(roots)
        for k, g in enumerate(found):
            first = roots[g.members[0]]
            members += len(g.members) - 1
            for m, i in enumerate(g.members):
                to = _renamed(graphs, first, roots[i])
                assert to is not None, (seed, g.members, i)
                r = g.renaming
                assert r is not None
                shifts = [int(s) for s in r.shifts[r.pattern, m]] if len(r.pattern) else []
                places = list(zip(r.tensor.tolist(), r.element.tolist(), strict=True))
                assert places == sorted(to)
                assert {(t, e): (t, e + s) for (t, e), s in zip(places, shifts, strict=True)} == to
            if shared:  # no class could have been larger
                assert all(_renamed(graphs, roots[h.members[0]], first) is None for h in found[:k]), (seed, k)
    assert members > elements / 4, (members, elements)


@pytest.mark.parametrize("mode", [m for m in MODES if m not in ("walk", "halves")])
def test_classes_do_not_depend_on_how_elements_are_followed(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    def written() -> list[Any]:
        columns = ("tensor", "element", "pattern", "shifts")
        return [
            (g.members.tolist(), g.sizes, g.identical, [getattr(g.renaming, c).tolist() for c in columns])
            for x, y, _ in _cases()
            for g in _groups(x, y)
        ]

    _in_mode(monkeypatch, "walk")
    plain = written()
    _in_mode(monkeypatch, mode)
    assert written() == plain


def test_signatures_are_blind_to_renamings_alone() -> None:
    alike = apart = told = 0
    for x, y, _ in _cases():
        roots = x.outputs[2], y.outputs[2]
        sides = Inputs((Side(x.graph), Side(y.graph)))
        signs = sides.signatures(roots)
        for i, j in combinations(range(len(signs)), 2):
            pairs = [(int(roots[0][k]), int(roots[1][k])) for k in (i, j)]
            if _renamed((x.graph, y.graph), *pairs) is not None:
                alike += 1
                assert signs[i] == signs[j]
            else:
                apart += 1
                told += signs[i] != signs[j]
    assert alike > 500 and apart > 500 and told == apart, (alike, apart, told)

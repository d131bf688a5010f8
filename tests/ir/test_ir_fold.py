"""The folds of ir/fold.py hold: exactly on constants (rationals), and on random expressions folding changes no value."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import contextlib
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volta_pipe.ir import fold, node_store
from volta_pipe.ir.graph import NAN, NEG_INF, ONE, POS_INF, ZERO
from volta_pipe.ir.nodes import ARITY, Node

INF = math.inf
UNARY = (
    Node.NEG,
    Node.ABS,
    Node.EX2,
    Node.EXP,
    Node.RCP,
    Node.SQRT,
    Node.RSQRT,
    Node.LG2,
    Node.LOG,
    Node.SAT,
    Node.FLOOR,
    Node.CEIL,
    Node.RINT,
    Node.TRUNC,
    Node.TANH,
    Node.SIN,
    Node.COS,
)
BINARY = (Node.ADD, Node.SUB, Node.MUL, Node.DIV, Node.MIN, Node.MAX)
COMPARE = (Node.LT, Node.LE, Node.EQ, Node.NE)
NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, -0.25, 3.0, 1 / 3, 0.1, 1e30, -7.5, 1e-30, INF, -INF, math.nan])


def emit(store: node_store.Store, op: Node, *operands: int) -> int:
    x, y, z = (*operands, 0, 0)[:3]
    return int(fold.emit_entry(store, np.int64(op), np.int64(x), np.int64(y), np.int64(z)))


def ieee(op: Node, *v: float) -> float | None:
    """What IEEE arithmetic on extended reals gives; None where it rounds, or PTX and NumPy disagree, or it is undefined."""
    if op in COMPARE:
        return float({Node.LT: v[0] < v[1], Node.LE: v[0] <= v[1], Node.EQ: v[0] == v[1], Node.NE: v[0] != v[1]}[op])
    if any(math.isnan(x) for x in v):
        return None if op in (Node.MIN, Node.MAX, Node.SAT) else math.nan
    try:
        match op:
            case Node.ADD | Node.SUB | Node.MUL:
                exact = {Node.ADD: "__add__", Node.SUB: "__sub__", Node.MUL: "__mul__"}[op]
                result = float(getattr(float(v[0]), exact)(v[1]))
                if all(map(math.isfinite, v)) and getattr(Fraction(v[0]), exact)(Fraction(v[1])) != (
                    Fraction(result) if math.isfinite(result) else None
                ):
                    return None
                return result
            case Node.DIV:
                if math.isinf(v[0]) and math.isinf(v[1]):
                    return math.nan
                result = v[0] / v[1]
                return result if not all(map(math.isfinite, v)) or Fraction(result) * Fraction(v[1]) == Fraction(v[0]) else None
            case Node.MIN | Node.MAX:
                return (min if op is Node.MIN else max)(v)
            case Node.NEG:
                return -v[0]
            case Node.ABS:
                return abs(v[0])
            case Node.SAT:
                return min(max(v[0], 0.0), 1.0)
            case Node.FLOOR | Node.CEIL | Node.TRUNC | Node.RINT if math.isfinite(v[0]):
                return float({Node.FLOOR: np.floor, Node.CEIL: np.ceil, Node.TRUNC: np.trunc, Node.RINT: np.rint}[op](v[0]))
            case Node.SQRT | Node.LG2 | Node.LOG if v[0] < 0:
                return math.nan
    except (ZeroDivisionError, OverflowError):
        return None
    return None


@settings(max_examples=600, deadline=None)
@given(st.sampled_from((*UNARY, *BINARY, *COMPARE)), NUMBERS, NUMBERS)
def test_operations_on_constants_are_exact(op: Node, x: float, y: float) -> None:
    """A constant result is the exact one; where IEEE has one and none is made, the operation is kept or counted as undefined."""
    store = node_store.new_store()
    values = (x, y)[: ARITY[op]]
    operands = [int(node_store.constant_entry(store, v)) for v in values]
    node = emit(store, op, *operands)
    if int(store.counts[1]) or store.op[node] != Node.CONST:
        return
    found = float(store.values[store.a[node]])
    wanted = ieee(op, *values)
    if wanted is not None:
        assert found == wanted or (math.isnan(found) and math.isnan(wanted)), (op.name, values, found)
    elif op in (
        Node.EX2,
        Node.EXP,
        Node.LG2,
        Node.LOG,
        Node.SQRT,
        Node.RSQRT,
        Node.TANH,
        Node.SIN,
        Node.COS,
    ) and not math.isnan(values[0]):
        function = {
            Node.EX2: np.exp2,
            Node.EXP: np.exp,
            Node.LG2: np.log2,
            Node.LOG: np.log,
            Node.SQRT: np.sqrt,
            Node.TANH: np.tanh,
            Node.SIN: np.sin,
            Node.COS: np.cos,
        }
        with np.errstate(all="ignore"):
            near = 1 / np.sqrt(x) if op is Node.RSQRT else function[op](x)
        assert found == pytest.approx(float(near), rel=1e-12, nan_ok=True)


IDENTITIES = [
    ((Node.ADD, "x", ZERO), "x"), ((Node.ADD, ZERO, "x"), "x"), ((Node.SUB, "x", ZERO), "x"), ((Node.MUL, "x", ONE), "x"),
    ((Node.MUL, ZERO, "x"), ZERO), ((Node.DIV, "x", ONE), "x"), ((Node.MAX, "x", NEG_INF), "x"), ((Node.MIN, "x", POS_INF), "x"),
    ((Node.MAX, "x", POS_INF), POS_INF), ((Node.ADD, "x", NEG_INF), NEG_INF), ((Node.SUB, "x", NEG_INF), POS_INF),
    ((Node.SUB, NEG_INF, NEG_INF), NAN), ((Node.ADD, NEG_INF, POS_INF), NAN), ((Node.LT, "x", POS_INF), ONE),
    ((Node.EQ, "x", NEG_INF), ZERO), ((Node.NE, "x", "x"), ZERO), ((Node.LE, "x", "x"), ONE), ((Node.EQ, "x", NAN), ZERO),
    ((Node.NE, "x", NAN), ONE), ((Node.EX2, NEG_INF), ZERO), ((Node.DIV, "x", NEG_INF), ZERO), ((Node.SELECT, ONE, "x", "y"), "x"),
    ((Node.SELECT, ZERO, "x", "y"), "y"), ((Node.FMA, "x", ZERO, "y"), "y"), ((Node.FMA, ONE, "x", ZERO), "x"), ((Node.MAX, "x", "x"), "x"),
]  # fmt: skip


@pytest.mark.parametrize(("term", "wanted"), IDENTITIES, ids=[f"{t[0].name}{k}" for k, (t, _) in enumerate(IDENTITIES)])
def test_identities(term: tuple[object, ...], wanted: object) -> None:
    store = node_store.new_store()
    names = {
        "x": int(node_store.append_entry(store, np.int64(Node.LEAF), 0, 0, 0)),
        "y": int(node_store.append_entry(store, np.int64(Node.LEAF), 0, 1, 0)),
    }
    op, *operands = term
    node = emit(store, op, *(names[o] if isinstance(o, str) else int(o) for o in operands))  # type: ignore[arg-type,call-overload]
    assert node == (names[wanted] if isinstance(wanted, str) else wanted) and int(store.counts[1]) == 0


REFUSED = [
    (Node.MUL, "x", POS_INF),
    (Node.DIV, "x", ZERO),
    (Node.DIV, NEG_INF, "x"),
    (Node.MAX, "x", NAN),
    (Node.RCP, ZERO),
    (Node.COS, POS_INF),
    (Node.RSQRT, ZERO),
]


@pytest.mark.parametrize("term", REFUSED, ids=[t[0].name for t in REFUSED])
def test_what_depends_on_an_unknown_sign_is_counted(term: tuple[object, ...]) -> None:
    store = node_store.new_store()
    x = int(node_store.append_entry(store, np.int64(Node.LEAF), 0, 0, 0))
    op, *operands = term
    emit(store, op, *(x if o == "x" else int(o) for o in operands))  # type: ignore[arg-type,call-overload]
    assert int(store.counts[1]) == 1


def test_one_node_for_one_constant_and_growth() -> None:
    store = node_store.new_store(8)
    values = [float(k) / 7 for k in range(9000)] + [-0.0, math.nan, -math.nan]
    nodes = []
    for value in values:
        store = node_store.grown(store, 4, 4)
        nodes.append(int(node_store.constant_entry(store, value)))
    assert len(set(nodes[:9000])) == 9000 and nodes[0] == ZERO and nodes[9000] == ZERO and nodes[9001] == nodes[9002] == NAN
    store = node_store.grown(store, 10, 10)
    assert [int(node_store.constant_entry(store, value)) for value in values] == nodes


TERMS = st.recursive(
    st.sampled_from(["x", "y"]) | NUMBERS.filter(math.isfinite),
    lambda inner: st.tuples(
        st.sampled_from([*BINARY, Node.FMA, Node.NEG, Node.ABS, Node.SAT, Node.SELECT]), inner, inner, inner
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(TERMS, st.fractions(-5, 5, max_denominator=16), st.fractions(-5, 5, max_denominator=16))
def test_folding_changes_no_value(term: object, x: Fraction, y: Fraction) -> None:
    """The folded graph and the term itself, both in rationals; select asks whether its first operand is below the second."""
    store = node_store.new_store()
    leaves = {
        "x": int(node_store.append_entry(store, np.int64(Node.LEAF), 0, 0, 0)),
        "y": int(node_store.append_entry(store, np.int64(Node.LEAF), 0, 1, 0)),
    }
    point = {"x": x, "y": y}

    def combine(op: Node, a: Fraction, b: Fraction, c: Fraction) -> Fraction:
        match op:
            case Node.ADD | Node.SUB:
                return a + b if op is Node.ADD else a - b
            case Node.MUL | Node.FMA:
                return a * b + (c if op is Node.FMA else 0)
            case Node.DIV:
                return a / b
            case Node.MIN | Node.MAX:
                return min(a, b) if op is Node.MIN else max(a, b)
            case Node.NEG | Node.ABS:
                return -a if op is Node.NEG else abs(a)
            case Node.SAT:
                return min(max(a, Fraction(0)), Fraction(1))
        raise AssertionError(op)

    def build(t: object) -> tuple[int, Fraction]:
        if isinstance(t, str):
            return leaves[t], point[t]
        if isinstance(t, float):
            return int(node_store.constant_entry(store, t)), Fraction(t)
        op, *inner = t  # type: ignore[misc]
        parts = [build(part) for part in inner]
        nodes, values = [n for n, _ in parts], [v for _, v in parts]
        if op is Node.SELECT:
            p = emit(store, Node.LT, nodes[0], nodes[1])
            return emit(store, op, p, nodes[1], nodes[2]), values[1] if values[0] < values[1] else values[2]
        return emit(store, op, *nodes[: ARITY[op]]), combine(op, *values)

    try:
        root, wanted = build(term)
    except ZeroDivisionError:
        return
    if int(store.counts[1]):
        return
    known: dict[int, Fraction | bool] = {}
    for node in range(1, int(store.n[0])):
        op, a, b, c = Node(int(store.op[node])), int(store.a[node]), int(store.b[node]), int(store.c[node])
        if op is Node.CONST:
            value = float(store.values[a])
            if math.isfinite(value):
                known[node] = Fraction(value)
        elif op is Node.LEAF:
            known[node] = point["xy"[b]]
        elif op in COMPARE:
            known[node] = known[a] < known[b]
        elif op is Node.SELECT:
            known[node] = known[b] if known[a] else known[c]
        elif all(k in known for k in (a, b, c)[: ARITY[op]]):
            with contextlib.suppress(ZeroDivisionError):
                known[node] = combine(op, *(Fraction(known.get(k, 0)) for k in (a, b, c)))
    assert known[root] == wanted

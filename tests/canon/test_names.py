"""Names for sums: proofs that would be costly multiplied out, their mutants, and what names must not hide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expressions import Builder, attention, matrix, product

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import Form, Table
from volta_pipe.passes.canon import Canonical, canon
from volta_pipe.passes.canon.expand import proved_equal, vanishes
from volta_pipe.passes.canon.fingerprints import Fingerprints
from volta_pipe.passes.canon.names import Names
from volta_pipe.passes.decide import decide

N = Node
COLUMNS = 48


def layer_norm(*, one_pass: bool = False, tree: bool = False, divisor: int = COLUMNS, eps: float = 1e-5) -> Conditions:
    b = Builder()
    x, weight = matrix(b, 0, 2, COLUMNS), b.leaf(1, range(COLUMNS))

    def mean(v: Any, n: int) -> Any:
        return b.div(b.tree(v, 1) if tree else b.total(v, 1), float(n))

    centre = mean(x, COLUMNS)
    centred = b.sub(x, centre[:, None])
    if one_pass:
        variance = b.sub(mean(b.mul(x, x), divisor), b.mul(centre, centre))
    else:
        variance = mean(b.mul(centred, centred), divisor)
    factor = b.op(N.RSQRT, b.add(variance, eps))
    return b.done({3: b.fma(b.mul(centred, factor[:, None]), weight[None, :], weight[None, :])})


def leaves(t: Table, count: int) -> Form:
    return Form({t.monomial(((t.atom("leaf", 0, i), 1),)): i + 1 for i in range(count)}, ())


@pytest.mark.parametrize("other", [{"tree": True}, {"one_pass": True}, {"one_pass": True, "tree": True}])
def test_layer_norm_of_many_columns(other: dict[str, Any]) -> None:
    x, y = layer_norm(), layer_norm(**other)
    c = canon(x, y)
    d = decide(Canonical.decode(b"".join(bytes(part) for part in c.encode())), x, y)
    assert (d.verdict, d.stats["proved"]) == ("equivalent", 2 * COLUMNS)
    assert c.stats["terms"] < 60_000  # multiplied out: 48³ for each side and row


@pytest.mark.parametrize("wrong", [{"divisor": COLUMNS - 1}, {"eps": 1e-6}, {"one_pass": True, "divisor": COLUMNS + 1}])
def test_its_mutants_are_refuted(wrong: dict[str, Any]) -> None:
    x, y = layer_norm(), layer_norm(**wrong)
    d = decide(canon(x, y), x, y)
    assert d.verdict == "not-equivalent" and d.counterexample is not None


def test_a_name_is_its_sum_and_nothing_else() -> None:
    t = Table()
    names = Names(t)
    x = leaves(t, 12)
    named = names.named(t.scaled(x, 6))
    assert len(named.num) == 1 and proved_equal(t, named, t.scaled(x, 6))
    assert not proved_equal(t, named, t.scaled(x, 5)) and names.agree(named, t.scaled(x, 6))
    assert names.named(t.scaled(x, 2)).num.keys() == named.num.keys()
    square = t.mul(named, named)
    assert vanishes(t, t.add(square, t.scaled(t.mul(named, x), 6), -1).num)
    assert not vanishes(t, t.add(square, t.mul(named, x), -1).num)


def test_a_name_that_is_divided_by() -> None:
    t = Table()
    names = Names(t)
    x = leaves(t, 9)
    quotient = t.mul(x, t.inverse(names.named(x)))
    assert len(quotient.num) == 9 and proved_equal(t, quotient, Form({0: 1}, ()))
    assert not proved_equal(t, quotient, Form({0: 2}, ()))


def test_names_in_exponents() -> None:
    t = Table()
    names = Names(t)
    x = leaves(t, 9)
    short, long = (Form({t.polynomial(f.num) << 32: 1}, ()) for f in (names.named(x), x))
    assert not t.equal(short, long) and proved_equal(t, short, long)
    assert not proved_equal(t, short, t.mul(long, long))


def test_equal_values_alone_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fingerprints, "of", lambda _self, _form: 1)
    x, y = layer_norm(), layer_norm(divisor=COLUMNS - 1)
    assert {k.outcome for k in canon(x, y).classes} == {"differ"}
    assert decide(canon(x, y), x, y).verdict == "not-equivalent"


def test_scores_that_one_side_uses_once_have_names_on_both() -> None:
    x, y = attention(2, 24, 16, shifted=False, exp="ex2"), attention(2, 24, 16, block=4, exp="ex2")
    c = canon(x, y)
    assert {k.outcome for k in c.classes} == {"equal"} and decide(c, x, y).verdict == "equivalent"
    assert c.stats["terms"] < 5_000  # where one side has no names, 6,255
    wrong = attention(2, 24, 16, block=4, exp="ex2", mutant="rescale")
    assert decide(canon(x, wrong), x, wrong).verdict == "not-equivalent"


LN2, LOG2E = (float(np.float32(x)) for x in (0.6931471805599453, 1.4426950408889634))


def merged(parts: int, *, mutant: str = "") -> Conditions:
    """softmax(Q Kᵀ) V of a row of 24 keys; with parts, of as many normalised parts that are merged by log-sum-exp."""
    b = Builder()
    q, k, v = matrix(b, 0, 1, 12), matrix(b, 1, 24, 12), matrix(b, 2, 24, 2)
    s = product(b, q, k.T)
    if parts == 1:
        e = b.ex2(b.mul(b.sub(s, b.total(s, 1, N.MAX)[:, None]), LOG2E))
        return b.done({3: product(b, b.div(e, b.total(e, 1)[:, None]), v)})
    outs, logs = [], []
    for part in range(parts):
        own = slice(part * 24 // parts, (part + 1) * 24 // parts)
        m = b.total(s[:, own], 1, N.MAX)
        e = b.ex2(b.mul(b.sub(s[:, own], m[:, None]), LOG2E))
        outs.append(b.div(product(b, e, v[own]), b.total(e, 1)[:, None]))
        log = b.mul(b.op(N.LG2, b.total(e, 1)), LN2 if mutant != "unscaled" else LN2 / 2)
        logs.append(b.add(m, log) if mutant != "unshifted" or part else log)
    lse = np.stack(logs, 1)
    weights = b.ex2(b.mul(b.sub(lse, b.total(lse, 1, N.MAX)[:, None]), LOG2E))
    above = b.total(b.mul(weights[:, :, None], np.stack(outs, 1)), 1)
    return b.done({3: b.div(above, b.total(weights, 1)[:, None])})


def test_a_literal_as_a_real_number_before_anything_is_multiplied_out() -> None:
    x, y = merged(1), merged(4)
    c = canon(x, y)
    assert {k.outcome for k in c.classes} == {"equal"} and decide(c, x, y).verdict == "equivalent"
    assert "the literal 0f3F317218 stands for ln 2" in c.assumptions and c.stats["terms"] < 200_000


@pytest.mark.parametrize("mutant", ["unscaled", "unshifted"])
def test_its_mutants_are_refuted_however_literals_are_read(mutant: str) -> None:
    x, y = merged(1), merged(4, mutant=mutant)
    assert decide(canon(x, y), x, y).verdict == "not-equivalent"

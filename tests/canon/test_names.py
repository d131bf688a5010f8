"""Names for sums: proofs that would be costly multiplied out, their mutants, and what names must not hide."""

from __future__ import annotations

from typing import Any

import pytest
from expressions import Builder, matrix

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

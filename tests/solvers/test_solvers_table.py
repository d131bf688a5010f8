"""The lines of the comparison with Z3: an equal pair is told from an unequal one, and a model from a counterexample."""

from __future__ import annotations

from fractions import Fraction

import pytest
from expressions import Builder

from bench import solvers
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node

REASON = "the extra [bench] is not installed"
SMALL = (
    "Kahan's sum",
    "Strassen",
    "median of three",
    "sigmoid through tanh",
    "log softmax",
    "sin² + cos²",
    "sum of 3 quotients",
)


def case(label: str) -> solvers.Case:
    return next(c for c in solvers.cases() if c.label == label)


def test_without_z3_a_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "find_spec", lambda name: None)
    assert list(solvers.solver_lines()) == [solvers.MISSING] and "[bench]" in solvers.MISSING


def test_every_case_can_be_made() -> None:
    for one in solvers.cases():
        left, right, wrong = one.made()
        sizes = [{t: len(roots) for t, roots in side.outputs.items()} for side in (left, right, wrong)]
        assert sizes[0] == sizes[1] == sizes[2] and sum(sizes[0].values()), one.label


@pytest.mark.parametrize("label", SMALL)
def test_both_tell_equal_from_unequal(label: str) -> None:
    pytest.importorskip("z3", reason=REASON)
    equal, unequal = (solvers.compared(case(label), equal=equal) for equal in (True, False))
    assert (equal.verdict, equal.word, equal.outcome, equal.right) == ("equivalent", "unsat", "proved", True)
    assert (unequal.verdict, unequal.word, unequal.outcome, unequal.right) == ("not-equivalent", "sat", "refuted", True)


def odd() -> tuple[Conditions, Conditions]:
    """erf(-x) and -erf(x): equal, and nothing is said to Z3 of erf."""
    sides = []
    for outer, inner in ((Node.ERF, Node.NEG), (Node.NEG, Node.ERF)):
        b = Builder()
        sides.append(b.done({3: b.op(outer, b.op(inner, b.leaf(0, 0)))}))
    return sides[0], sides[1]


def test_a_model_with_made_up_functions_is_no_counterexample() -> None:
    pytest.importorskip("z3", reason=REASON)
    x, y = odd()
    line = solvers.compared(solvers.Case("", "", lambda: (x, y, y)), equal=True)
    assert (line.word, line.outcome, line.verdict) == ("sat", solvers.APART, "equivalent")


def test_a_point_refutes_where_the_values_differ() -> None:
    pytest.importorskip("z3", reason=REASON)
    from bench.z3_process import Answer, refutes

    b, c = Builder(), Builder()
    x = b.done({3: b.mul(b.leaf(0, 0), b.leaf(0, 0))})
    y = c.done({3: c.op(Node.ABS, c.leaf(0, 0))})
    for value, differs in ((Fraction(1), False), (Fraction(-1), False), (Fraction(1, 3), True), (Fraction(2), True)):
        assert refutes(Answer("sat", 0.0, (3, 0), (((0, 0), value),)), x, y) == differs


def test_time_is_up_in_time() -> None:
    pytest.importorskip("z3", reason=REASON)
    from bench.z3_process import ask

    left, right, _ = case("attention, FA2").made()
    answer = ask(left, right, seconds=0.5)
    assert answer.word == "timeout" and answer.seconds < 5


def test_a_wrong_verdict_is_no_right_one() -> None:
    line = solvers.Line("", "", True, "not-equivalent", 0.0, "sat", 0.0, "refuted")
    assert not line.right and "WRONG" in solvers._shown(line)
    assert not solvers.Line("", "", False, "unknown", 0.0, "sat", 0.0, "refuted").right

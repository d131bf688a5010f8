# ruff: noqa: PLW0108 - both sides are spelled out
"""What rules must say and must not do: assumptions, domains, arms that are not taken, signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from decision_pairs import conditions
from decision_table import LN2, PAIRS, F
from flint import arb, ctx

from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide

ROOTS, LOGS = "x ≥ 0 where sqrt x is taken", "x > 0 where log x is taken"


def decided(left: Any, right: Any, **options: Any) -> Decision:
    sides = [conditions(f, ("x", "y", "z"), {}) for f in (left, right)]
    return decide(canon(sides[0], sides[1], **options), sides[0], sides[1])


def test_a_domain_that_is_empty_case_by_case_proves_nothing() -> None:
    below = lambda x, y: -1 - np.abs(np.maximum(x - y, 0) + np.minimum(x, y))  # noqa: E731 - of one function of the two
    at_most = lambda x, y: -np.abs(np.maximum(x - y, 0) + np.minimum(x, y))  # noqa: E731
    for under in (below, at_most):
        for right in (lambda x, y, f=under: np.sqrt(f(x, y)) + x * y + 3, lambda x, y: 5 * x + y):
            assert decided(lambda x, y, f=under: np.sqrt(f(x, y)) + x, right).verdict != "equivalent"


def test_readings_are_named_and_only_those_that_are_needed() -> None:
    p = PAIRS["log through lg2"]
    assert decided(p.left, p.right).assumptions == ("the literal 0f3F317218 stands for ln 2", LOGS)
    assert decided(p.left, p.right, constants="exact").verdict == "not-equivalent"
    d = decided(lambda x: np.log(x) + x * F(0.1), lambda x: np.log2(x) * LN2 + F(0.1) * x)
    assert [a for a in d.assumptions if "literal" in a] == ["the literal 0f3F317218 stands for ln 2"]
    assert not any("literal" in a for a in decided(lambda x: x * LN2, lambda x: LN2 * x + 0 * x).assumptions)


@pytest.mark.parametrize(
    "value", [0.693147182, 0.301029995, 3.14159274, 0.797884583, 0.707106769, 0.333333343, 0.398942292, 0.9, 0.999, 1e-5]
)
def test_a_neighbour_of_a_literal_stands_for_nothing(value: float) -> None:
    from volta_pipe.passes.canon.readings import reading

    at = F(value)
    neighbours = [float(v) for v in (at, np.nextafter(at, F(0)), np.nextafter(at, F(9)))]
    assert sum(reading(v) is not None for v in neighbours) == 1
    assert reading(float(at) + 2.0**-40) is None


def test_the_scales_of_attention_are_read_as_what_they_are_nearest_to() -> None:
    """Of all head dimensions, by the definition of the number in ball arithmetic."""
    from volta_pipe.passes.canon.readings import reading

    with ctx.workprec(200):
        for n in (n for n in range(2, 257) if n & (n - 1)):
            for scale in (1, 1 / arb.const_log2()):
                value = scale / arb(n).sqrt()
                for literal in (float(value.mid()), float(F(float(value.mid())))):
                    found = reading(literal)
                    assert found is not None and abs(found.ball() / value - 1) < 2.0**-150, n


def test_domains_are_assumed() -> None:
    assert ROOTS in decided(lambda x: np.sqrt(x) - np.sqrt(x) + x, lambda x: x).assumptions
    assert ROOTS in decided(lambda x, y: np.where(np.sqrt(x) * 2 == np.sqrt(4 * x), y, 0), lambda y: y).assumptions
    assert LOGS in decided(lambda x, y: np.log(x * y), lambda x, y: np.log(x) + np.log(y)).assumptions


def test_the_domain_of_what_an_extremum_may_hide_is_not_assumed() -> None:
    """min(y, log x) is y for x < 0, where the logarithm is NaN (PTX ISA: min and max give the other operand)."""
    for left, right in (
        (lambda x, y: np.minimum(y, np.log(x)), lambda x, y: np.minimum(y, np.log(x * x) / 2)),
        (lambda x, y: np.maximum(y, np.abs(x)), lambda x, y: np.maximum(y, np.sqrt(x) * np.sqrt(x))),
        (lambda x, y: np.where(y < 0, y, np.log(x)), lambda x, y: np.where(y < 0, y, np.log(x * x) / 2)),
    ):
        assert decided(left, right).verdict != "equivalent"


def test_an_empty_domain_proves_nothing() -> None:
    for left, right in (
        (lambda x: np.log(-1 - x * x), lambda x: np.log(-2 - 2 * x * x) - np.log(F(2) + 0 * x)),
        (lambda x: np.sqrt(x) + np.log(-x), lambda x: np.log(-x) + np.sqrt(x) + x - x),
        (lambda x: np.sqrt(x) + np.log(-x), lambda x: np.log(-x)),
        (lambda x, y: np.sqrt(-x * x) + y, lambda x, y: y + 5 * x),
        (lambda x: np.sqrt(x) + np.sqrt(-x), lambda x: np.sqrt(-x) + np.sqrt(x) + 6 * x),
        (lambda x: np.log(-1 - x * x), lambda x: np.log2(-1 - x * x) * LN2),
    ):
        d = decided(left, right)
        assert d.verdict == "unknown" and "domain" in d.unknown[0]


def test_the_domain_of_an_arm_holds_only_there() -> None:
    seven = decided(lambda x: np.where(x > 0, np.log(x), 7), lambda x: np.where(x > 0, np.log(x), 0))
    assert seven.verdict == "not-equivalent"
    root = decided(lambda x: np.where(x > 0, np.sqrt(x) * np.sqrt(x), -x), lambda x: np.abs(x))
    assert root.verdict == "equivalent"
    assert decided(lambda x: np.where(x > 0, np.sqrt(x) * np.sqrt(x), -x), lambda x: x).verdict == "not-equivalent"
    assert decided(lambda x: np.maximum(np.log(x), np.abs(x)), lambda x: np.maximum(np.log(x), x)).verdict != "equivalent"
    assert decided(lambda x: np.log(x) + np.abs(x), lambda x: np.log(x) + x).verdict == "equivalent"


def test_signs_that_are_not_known() -> None:
    for left, right in (
        (lambda x, y: np.maximum(0, x * y), lambda x, y: x * y),
        (lambda x, y: np.maximum(0, x * x - y * y), lambda x, y: x * x - y * y),
        (lambda x: np.maximum(0, x * x * x), lambda x: x * x * x),
        (lambda x: np.maximum(np.abs(x), 1), lambda x: np.abs(x)),
        (lambda x, y: np.maximum(x * x + y * y, 3 * x * y), lambda x, y: x * x + y * y),
        (lambda x: np.log(x * x), lambda x: 2 * np.log(np.abs(x)) + np.abs(x) - x),
        (lambda x: np.exp(np.log(x * x) / 2), lambda x: x),
        (lambda x, y: np.sqrt(x * x * y * y), lambda x, y: x * y),
        (lambda x: np.rint(x + 1), lambda x: np.rint(x) + 1),
        (lambda x: np.trunc(x + 1), lambda x: np.trunc(x) + 1),
        (lambda x, y: np.sign(x) * np.sign(y), lambda x, y: np.sign(x + y)),
        (lambda x: np.where(x == 0, 0, x / np.abs(x)), lambda x: np.where(x >= 0, F(1), F(-1))),
        (lambda x: np.where(x <= 0, F(1), F(0)), lambda x: np.where(x < 0, F(1), F(0))),
    ):
        assert decided(left, right).verdict != "equivalent"


def test_signs_that_are_known() -> None:
    for left, right in (
        (lambda x, y: np.maximum(x * x + y * y, 2 * x * y), lambda x, y: x * x + y * y),
        (lambda x: np.rint(x + 2), lambda x: np.rint(x) + 2),
        (lambda x: np.log(x * x) + np.log(x), lambda x: 3 * np.log(x)),
        (lambda x, y: np.sqrt(x) * np.abs(x + y * y), lambda x, y: np.sqrt(x) * (x + y * y)),
        (lambda x: np.where(np.exp(x) > 0, x, 7), lambda x: x),
        (lambda x: np.log(x * x), lambda x: 2 * np.log(np.abs(x))),
        (lambda x: np.exp(np.log(x * x) / 2), lambda x: np.abs(x)),
    ):
        d = decided(left, right)
        assert d.verdict == "equivalent", d

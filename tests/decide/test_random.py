"""Random pairs: rewritten ones are proved, perturbed ones refuted, and no proof is contradicted by ball arithmetic."""

from __future__ import annotations

import random
from typing import Any

from flint import ctx, fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_expressions import conditions, expression, mutated, rewritten

from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon import canon
from volta_pipe.passes.canon.balls import Expression, Open, Outside
from volta_pipe.passes.decide import Decision, decide

seeds = st.integers(0, 1 << 40)
quick = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, report_multiple_bugs=False
)


def decided(x: Conditions, y: Conditions) -> Decision:
    return decide(canon(x, y), x, y)


def disjoint_somewhere(x: Conditions, y: Conditions, rng: random.Random) -> bool:
    """Whether balls at some random points are disjoint, log2 e read as named."""
    e, f = (Expression(c.graph, int(c.outputs[3][0])) for c in (x, y))
    for _ in range(4):
        point: dict[tuple[int, int], Any] = {(0, i): fmpq(rng.randint(1, 40) * rng.choice((1, -1)), 8) for i in range(5)}
        with ctx.workprec(256):
            try:
                if not e.value(point, named=True).overlaps(f.value(point, named=True)):
                    return True
            except (Open, Outside):
                continue
    return False


@given(seeds)
@quick
def test_rewritten_expressions_are_proved(seed: int) -> None:
    rng = random.Random(seed)
    e = expression(rng, 3)
    f = rewritten(rng, e)
    d = decided(conditions(e), conditions(f))
    undefined = any("identically 0" in why for why in d.unknown)
    assert d.verdict == "equivalent" or undefined, (e, f, d)


@given(seeds)
@quick
def test_a_constant_added_is_refuted(seed: int) -> None:
    rng = random.Random(seed)
    e = expression(rng, 3)
    f = ("add", rewritten(rng, e), ("const", rng.choice((1.0, 2.0**-20))))
    d = decided(conditions(e), conditions(f))
    undefined = any("identically 0" in why or "outside its domain" in why for why in d.unknown)
    assert d.verdict == "not-equivalent" or undefined, (e, f, d)


@given(seeds)
@quick
def test_a_mutation_is_never_proved_against_the_balls(seed: int) -> None:
    rng = random.Random(seed)
    e = expression(rng, 3)
    f = mutated(rng, rewritten(rng, e))
    x, y = conditions(e), conditions(f)
    d = decided(x, y)
    apart = disjoint_somewhere(x, y, rng)
    assert not (apart and d.verdict == "equivalent"), (e, f, d)
    if apart and not any("outside" in why or "identically" in why for why in d.unknown):
        assert d.verdict == "not-equivalent", (e, f, d)

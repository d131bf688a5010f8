"""Units of classes: what they are, that their solutions depend on nothing else, and that those which are kept are the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import msgpack
import numpy as np
import pytest
from expressions import Builder, attention

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import Conditions, validate
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import Canonical, canon
from volta_pipe.passes.canon.compare import Effort
from volta_pipe.passes.canon.units import Cutter, Solution, Unit, compute, remembering
from volta_pipe.passes.canon.units.glance import seem_equal
from volta_pipe.passes.canon.units.plan import batched, planned
from volta_pipe.passes.decide import decide

LEAST = 40
Change = Callable[[Builder, Any], Any]


class Kept:
    """A memory of plain data; counts classes that were solved."""

    def __init__(self) -> None:
        self.data: dict[bytes, bytes] = {}
        self.solved: list[int] = []

    def find(self, parts: Any, read: Callable[[Any], Any]) -> Any:
        data = self.data.get(msgpack.packb(parts))
        try:
            return None if data is None else read(msgpack.unpackb(data))
        except ArtifactError:
            return None

    def keep(self, parts: Any, data: dict[str, Any]) -> None:
        self.data[msgpack.packb(parts)] = msgpack.packb(data)

    def did(self, pieces: int, *, computed: bool) -> None:
        self.solved.append(pieces if computed else 0)


def sums(lengths: Iterable[int], *, back: bool = False, changes: dict[int, Change] | None = None) -> Conditions:
    """One output for each length: a sum of products, forwards or backwards, and what becomes of it."""
    b = Builder()
    out = []
    for i, length in enumerate(lengths):
        total: Any = b.mul(b.leaf(0, [200 * i]), b.leaf(1, [0])) if not back else None
        for k in range(length - 1, -1, -1) if back else range(1, length):
            x, w = b.leaf(0, [200 * i + k]), b.leaf(1, [k])
            total = b.mul(x, w) if total is None else b.fma(x, w, total)
        out.append((changes or {}).get(i, lambda _, x: x)(b, total))
    return b.done({3: np.concatenate(out)})


def encoded(c: Canonical) -> bytes:
    return b"".join(bytes(chunk) for chunk in c.encode())


LENGTHS = (50, 60, 70, 80, 90)
SAME: dict[int, Change] = {2: lambda b, x: b.sub(b.mul(x, 3.0), b.add(x, x))}
WRONG: dict[int, Change] = {2: lambda b, x: b.add(x, 1.0)}


def compared(kept: Kept, changes: dict[int, Change], **options: Any) -> tuple[Canonical, list[int]]:
    """The artifact on what is kept, and which units were solved."""
    kept.solved.clear()
    c = canon(sums(LENGTHS), sums(LENGTHS, back=True, changes=changes), solve=remembering(kept), least=LEAST, **options)
    return c, [i for i, solved in enumerate(kept.solved) if solved]


def test_what_is_kept_is_the_same_as_what_is_computed() -> None:
    kept = Kept()
    for changes, solved in (({}, [0, 1, 2, 3, 4]), (SAME, [2]), ({}, []), (WRONG, [2]), (SAME, []), (WRONG, [])):
        c, did = compared(kept, changes)
        assert did == solved
        assert len(c.tables) == len(LENGTHS)
        assert encoded(c) == encoded(compared(Kept(), changes)[0])
        x, y = sums(LENGTHS), sums(LENGTHS, back=True, changes=changes)
        decision = decide(c, x, y)
        assert decision == decide(Canonical.decode(encoded(c)), x, y)
        assert decision.verdict == ("not-equivalent" if changes is WRONG else "equivalent")
        assert [k.outcome for k in c.classes] == ["differ" if changes is WRONG and i == 2 else "equal" for i in range(5)]


def test_units_and_one_whole_agree() -> None:
    for changes in ({}, SAME, WRONG):
        x, y = sums(LENGTHS), sums(LENGTHS, back=True, changes=changes)
        parts, whole = canon(x, y, least=LEAST), canon(x, y)
        assert (len(parts.tables), len(whole.tables)) == (5, 1)
        assert [(k.outcome, k.why, k.sizes) for k in parts.classes] == [(k.outcome, k.why, k.sizes) for k in whole.classes]
        assert parts.assumptions == whole.assumptions
        assert decide(parts, x, y).certificate == decide(whole, x, y).certificate  # digests are those of structures


def test_a_class_that_differs_does_not_make_others_be_solved_again() -> None:
    """Those that are equal at once do not depend on it; those that differ as well do."""
    kept = Kept()
    twice = {1: WRONG[2], 3: WRONG[2]}
    compared(kept, twice)
    assert compared(kept, {**twice, 2: SAME[2]})[1] == [2]
    assert compared(kept, {3: WRONG[2]})[1] == [1, 3]  # 3 is now the first that differs
    assert compared(kept, twice)[1] == []


def test_other_constants_or_budgets_are_other_units() -> None:
    kept = Kept()
    compared(kept, {})
    for options in ({"constants": "exact"}, {"max_terms": 1_000_000}):
        assert compared(kept, {}, **options)[1] == [0, 1, 2, 3, 4]
        assert compared(kept, {}, **options)[1] == []


def test_what_rests_on_a_budget_is_not_kept() -> None:
    """Neither where it ran out for good, nor where another attempt settled what the first one left open."""
    kept = Kept()
    assert compared(kept, {}, max_terms=240)[1] == [0, 1, 2, 3, 4]
    c, did = compared(kept, {}, max_terms=240)
    assert did == [2, 3, 4] and {k.outcome for k in c.classes} == {"equal"}
    for _ in range(2):
        c, did = compared(kept, {}, max_terms=140)
        assert did == [0, 1, 2, 3, 4] and ["budget" in k.why for k in c.classes] == [False, False, False, True, True]


def cut(x: Conditions, y: Conditions, *elements: int) -> Unit:
    cutter = Cutter((x.graph, y.graph), {}, named=True, max_terms=10_000)
    return cutter.cut([(int(x.outputs[3][e]), int(y.outputs[3][e])) for e in elements], kept=True)


def test_a_unit_is_what_is_under_its_roots_and_nothing_else() -> None:
    x, y = sums(LENGTHS), sums(LENGTHS, back=True)
    units = [cut(x, y, e) for e in range(5)]
    assert len({unit.digest for unit in units}) == 5
    for unit, length in zip(units, LENGTHS, strict=True):
        for graph in unit.graphs:
            validate(graph, [np.array(unit.roots, np.int32).ravel()])
            assert (graph.op == Node.LEAF).sum() == 2 * length and len(graph) == 6 + 3 * length
    other = sums((50, 33, 70, 41), back=True, changes={1: SAME[2]})  # other nodes before and between
    ours = sums((50, 33, 70, 41))
    assert [cut(ours, other, e).digest == units[e].digest for e in (0, 1, 2)] == [True, False, True]
    assert cut(x, y, 0, 2).digest not in {unit.digest for unit in units}
    assert replace(units[0], named=False).digest != units[0].digest


def test_classes_that_share_much_stay_together() -> None:
    """Quotients of one sum share it; the sums of other rows, and small terms that all share, do not matter."""
    b, other = Builder(), Builder()
    out: list[list[Any]] = [[], []]
    for side, (one, back) in enumerate(((b, False), (other, True))):
        scale = one.mul(one.scalar(0), one.add(one.scalar(0), 2.0))
        for row in range(3):
            leaves = [one.leaf(0, [100 * row + k]) for k in range(60 + row)]
            total = leaves[-1] if back else leaves[0]
            for leaf in reversed(leaves[:-1]) if back else leaves[1:]:
                total = one.add(total, leaf)
            out[side] += [one.mul(scale, one.div(leaf, total)) for leaf in leaves[:4]]
    x, y = b.done({3: np.concatenate(out[0])}), other.done({3: np.concatenate(out[1])})
    c = canon(x, y, least=100)
    assert len(c.classes) == 12 and {k.outcome for k in c.classes} == {"equal"}
    roots = [(int(x.outputs[3][i]), int(y.outputs[3][i])) for i in range(12)]
    plan = planned((x.graph, y.graph), roots, [k.sizes for k in c.classes], [(3, i) for i in range(12)], least=100)
    assert plan == [([0, 1, 2, 3], True), ([4, 5, 6, 7], True), ([8, 9, 10, 11], True)]
    assert planned((x.graph, y.graph), roots, [k.sizes for k in c.classes], [(3, i) for i in range(12)]) == [
        (list(range(12)), False)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_batches_are_large_enough_and_change_where_a_weight_does(seed: int) -> None:
    draw = random.Random(seed)
    places = sorted(draw.sample(range(1 << draw.randint(7, 20)), 60))
    weights = [draw.randint(1, 30) for _ in places]
    before = batched(places, weights, 50)
    assert sorted(i for batch in before for i in batch) == list(range(60))
    assert all(sum(weights[i] for i in batch) >= 50 for batch in before[:-1])
    assert all(sum(weights[i] for i in batch) < 80 + 50 for batch in before)
    at = draw.randrange(60)
    weights[at] += 50  # a batch of its own
    after = batched(places, weights, 50)
    assert [at] in after
    assert len([batch for batch in after if batch not in before]) <= 6


def hubers(scales: Iterable[float], way: Callable[[Builder, Any, Any], Any]) -> Conditions:
    b = Builder()
    out = [b.mul(way(b, b.leaf(0, [i]), b.leaf(1, [i])), float(s)) for i, s in enumerate(scales)]
    return b.done({3: np.concatenate(out)})


def _branches(b: Builder, x: Any, d: Any) -> Any:
    size = b.op(Node.ABS, x)
    return b.op(Node.SELECT, b.op(Node.LT, size, d), b.mul(b.mul(x, x), 0.5), b.mul(d, b.sub(size, b.mul(d, 0.5))))


def _least(b: Builder, x: Any, d: Any) -> Any:
    size = b.op(Node.ABS, x)
    least = b.min(size, d)
    return b.mul(least, b.sub(size, b.mul(least, 0.5)))


def test_decide_proves_cases_again_where_a_class_changed() -> None:
    kept = Kept()
    for scales, solved in (((2, 3, 5), 3), ((2, 3, 5), 0), ((2, 7, 5), 1), ((2, 3, 5), 0)):
        x, y = hubers(scales, _branches), hubers(scales, _least)
        c = canon(x, y)
        assert [k.outcome for k in c.classes] == ["cases"] * 3
        kept.solved.clear()
        found = decide(c, x, y, solve=remembering(kept))
        assert sum(kept.solved) == solved
        assert found == decide(c, x, y) and found.verdict == "equivalent"


def test_decide_asks_nobody_about_what_canon_only_claims() -> None:
    """A class of which `canon` says that it was proved by cases is proved again, from its own expressions."""
    x, y = hubers((2, 3, 5), _branches), hubers((2, 4, 5), _least)
    right = hubers((2, 3, 5), _least)
    kept = Kept()
    decide(canon(x, right), x, right, solve=remembering(kept))
    lie = replace(canon(x, y), classes=tuple(replace(k, outcome="cases") for k in canon(x, y).classes))
    assert decide(lie, x, y, solve=remembering(kept)).verdict == "not-equivalent"


def test_one_class_is_never_asked_about() -> None:
    def ask(*_: Any) -> Solution:
        raise AssertionError

    x, y = attention(4, 4, 4), attention(4, 4, 4, block=2)
    assert decide(canon(x, y, solve=ask, least=1), x, y, solve=ask).verdict == "equivalent"
    x, y = hubers((2,), _branches), hubers((2,), _least)
    assert decide(canon(x, y, solve=ask, least=1), x, y, solve=ask).verdict == "equivalent"


def test_a_solution_is_read_as_it_was_written() -> None:
    for changes in ({}, WRONG):
        unit = cut(sums(LENGTHS), sums(LENGTHS, back=True, changes=changes), 1, 2)
        made = compute(unit, Effort())
        data = msgpack.unpackb(msgpack.packb(made.to_dict(unit)))
        read = Solution.from_dict(data, unit, Effort(), general=made.general)
        assert read.packed[1] == made.packed[1]
        assert (read.terms, read.parts, read.effort, read.assumptions) == (
            made.terms,
            made.parts,
            made.effort,
            made.assumptions,
        )
        assert msgpack.packb(read.to_dict(unit)) == msgpack.packb(made.to_dict(unit))
        for wrong in (cut(sums(LENGTHS), sums(LENGTHS, back=True), 1), replace(unit, max_terms=7)):
            with pytest.raises(ArtifactError):
                Solution.from_dict(data, wrong, Effort(), general=made.general)
        with pytest.raises(ArtifactError):
            Solution.from_dict(data, unit, Effort(), general=not made.general)


def test_a_solution_of_other_inputs_is_refused() -> None:
    x, y = sums(LENGTHS), sums(LENGTHS, back=True)
    first, second = cut(x, y, 1), cut(x, y, 2)
    data = {**compute(first, Effort()).to_dict(first), "unit": second.digest}
    with pytest.raises(ArtifactError):
        Solution.from_dict(data, second, Effort(), general=True)


def test_a_lie_that_is_well_formed_is_not_believed() -> None:
    """What was found of an equal pair, told of one that differs: the numbers at a few points say otherwise."""
    kept = Kept()
    good, bad = ({2: way} for way in (SAME[2], WRONG[2]))
    x = sums(LENGTHS)
    units = [cut(x, sums(LENGTHS, back=True, changes=changes), 2) for changes in (good, bad)]
    data = {**compute(units[0], Effort()).to_dict(units[0]), "unit": units[1].digest}
    kept.keep([units[1].digest, []], data)
    assert Solution.from_dict(data, units[1], Effort(), general=True).outcomes[0][0] == "equal"
    assert remembering(kept)(units[1], Effort()).outcomes[0][0] == "differ"
    assert kept.solved == [1]
    assert (seem_equal(units[0]), seem_equal(units[1])) == ([True], [False])

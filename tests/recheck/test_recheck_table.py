"""The pairs of the decision table: their certificates hold, and hold of no other function."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "decision"))

import decision_pairs
from decision_table import GAPS, PAIRS

from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import decide
from volta_pipe.passes.recheck import FAILED, Report, recheck

# Every third pair: the loops are the same for all.
CHOSEN = [name for name in PAIRS if (name, "equal") not in GAPS][::3]


def written(value: Any) -> bytes:
    return b"".join(bytes(chunk) for chunk in value.encode())


@pytest.mark.parametrize("name", CHOSEN)
def test_the_certificate_of_a_pair_holds_of_that_pair_alone(name: str) -> None:
    p = PAIRS[name]
    names = tuple(decision_pairs.inputs(p.left))
    left, right, wrong = (decision_pairs.conditions(f, names, p.shapes) for f in (p.left, p.right, p.wrong))
    canonical = canon(left, right)
    decision = decide(canonical, left, right)
    assert decision.verdict == "equivalent"

    def report(candidate: Any) -> Report:
        return recheck(written(decision), written(canonical), left, candidate)

    assert report(right).holds, [str(line) for line in report(right).lines]
    assert report(wrong).having(FAILED)


def test_some_pairs_were_chosen() -> None:
    assert len(CHOSEN) > 30

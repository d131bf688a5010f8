"""What finding the classes costs, counted in elements that are followed, not timed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expressions import Builder, matmul

from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon import classes
from volta_pipe.passes.canon.few import Inputs

ROW = 150


class Work:
    """Counts, per loop, the elements that it is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.walked = self.paired = self.signed = 0
        walk, members, signatures = classes.walked, Inputs.members, Inputs.signatures

        def walked(sides: Any, orders: Any, roots: Any, room: int) -> Any:
            self.walked += len(roots[0])
            return walk(sides, orders, roots, room)

        def paired(inputs: Inputs, orders: Any, roots: Any, room: int) -> Any:
            self.paired += len(roots[0])
            return members(inputs, orders, roots, room)

        def signed(inputs: Inputs, roots: Any) -> Any:
            self.signed += len(roots[0])
            return signatures(inputs, roots)

        monkeypatch.setattr(classes, "walked", walked)
        monkeypatch.setattr(Inputs, "members", paired)
        monkeypatch.setattr(Inputs, "signatures", signed)


def shares(rows: int, n: int, *, back: bool) -> Conditions:
    """x / (x0 + x1 + …) along each row, summed from the front or the back."""
    b = Builder()
    x = b.leaf(0, np.arange(rows * n)).reshape(rows, n)
    total = x[:, -1] if back else x[:, 0]
    for k in range(n - 2, -1, -1) if back else range(1, n):
        total = b.add(total, x[:, k])
    return b.done({3: b.div(x, np.repeat(total, n).reshape(rows, n)).ravel()})


def groups(x: Conditions, y: Conditions) -> list[classes.Group]:
    n = len(x.outputs[3])
    return list(classes.groups(classes.Elements(np.full(n, 3), np.arange(n), x.outputs[3], y.outputs[3]), x, y))


@pytest.mark.parametrize("pairs", [0, 1 << 20])
@pytest.mark.parametrize("rows", [1, 3])
def test_classes_of_one_element_of_each_row_take_no_walk_over_all(
    monkeypatch: pytest.MonkeyPatch, rows: int, pairs: int
) -> None:
    monkeypatch.setattr(classes, "_PAIRS", pairs)
    work = Work(monkeypatch)
    found = groups(shares(rows, ROW, back=False), shares(rows, ROW, back=True))
    elements = rows * ROW
    assert [g.members.tolist() for g in found] == [list(range(k, elements, ROW)) for k in range(ROW)]
    # A few of them, to see whether they are one class; all; all but the first class's again, each in its own class.
    assert work.walked + work.paired <= classes._SOME + 2 * elements
    assert work.signed == elements - rows


def test_one_class_asks_for_no_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    (whole,) = groups(matmul(12, 12, 6), matmul(12, 12, 6, order="back"))
    assert len(whole.members) == 144
    assert (work.paired, work.signed) == (0, 0) and work.walked <= classes._SOME + 144


def test_two_classes_ask_for_no_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    sides = []
    for _ in range(2):
        b = Builder()
        x = b.leaf(0, np.arange(64))
        sides.append(b.done({3: np.concatenate((b.add(x[:32], x[32:]), b.add(x[:32], x[:32])))}))
    found = groups(*sides)
    assert [g.members.tolist() for g in found] == [list(range(32)), list(range(32, 64))]
    assert work.signed == 0

"""Which elements fall into one class, and that a class is never too large."""

from __future__ import annotations

import numpy as np
import pytest
from expressions import Builder, attention, matmul, matrix, product

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import Canonical, canon
from volta_pipe.passes.canon.expand import proved_equal
from volta_pipe.passes.canon.show import show


def sizes(c: Canonical) -> list[int]:
    return [len(k.elements) for k in c.classes]


def test_matrix_product_is_one_class() -> None:
    c = canon(matmul(6, 5, 7), matmul(6, 5, 7, order="tree"))
    assert [(k.outcome, len(k.elements)) for k in c.classes] == [("equal", 30)]


def test_attention_is_one_class() -> None:
    c = canon(attention(8, 12, 4), attention(8, 12, 4, block=4))
    assert [(k.outcome, len(k.elements)) for k in c.classes] == [("equal", 32)]
    assert c.classes[0].elements.tolist() == list(range(32))


def test_a_side_against_itself_is_identical() -> None:
    a = matmul(4, 4, 4)
    (only,) = canon(a, a).classes
    assert only.outcome == "identical" and only.forms == (0, 0)


def test_one_wrong_element_is_its_own_class() -> None:
    good = matmul(4, 4, 4)
    b = Builder()
    p = product(b, matrix(b, 0, 4, 4), matrix(b, 1, 4, 4), order="back").copy()
    p[2, 3] = p[2, 2]
    c = canon(good, b.done({3: p}))
    assert sorted((k.outcome, k.elements.tolist()) for k in c.classes if len(k.elements) == 1) == [("differ", [11])]
    assert sum(sizes(c)) == 16 and len(c.classes) == 2


def test_shared_leaves_split_the_diagonal_of_a_gram_matrix() -> None:
    sides = []
    for order in ("fma", "back"):
        b = Builder()
        a = matrix(b, 0, 5, 3)
        sides.append(b.done({3: product(b, a, a.T, order=order)}))
    c = canon(sides[0], sides[1])
    assert sorted(sizes(c)) == [5, 20] and {k.outcome for k in c.classes} == {"equal"}


def test_two_leaves_that_fall_together_leave_the_class() -> None:
    # Element 0: 1/(x0 − x1); element 1: 1/(x2 − x2), which has no value.
    sides = []
    for flip in (False, True):
        b = Builder()
        x, y = b.leaf(0, [0, 2]), b.leaf(0, [1, 2])
        d = b.sub(x, y) if not flip else b.neg(b.sub(y, x))
        sides.append(b.done({3: b.div(1.0, d)}))
    c = canon(sides[0], sides[1])
    assert [(k.outcome, k.elements.tolist()) for k in c.classes] == [("equal", [0]), ("undecidable", [1])]


def test_leaf_renaming_is_one_function_over_both_sides() -> None:
    # Both sides square x_i in element 0; in element 1 the sides square different leaves.
    a, b = Builder(), Builder()
    x, y = a.leaf(0, [0, 1]), b.leaf(0, [0, 2])
    c = canon(a.done({3: a.mul(x, x)}), b.done({3: b.op(Node.NEG, b.mul(y, b.neg(y)))}))
    assert [(k.outcome, k.elements.tolist()) for k in c.classes] == [("equal", [0]), ("differ", [1])]


def test_constants_and_tensors_split_classes() -> None:
    b = Builder()
    x = np.array([*b.leaf(0, [0, 1]), *b.leaf(1, [0, 1])])
    y = b.mul(x, np.array([b.const(2.0), b.const(2.0), b.const(2.0), b.const(3.0)]))
    c = canon(b.done({3: y}), b.done({3: y}))
    assert [k.elements.tolist() for k in c.classes] == [[0, 1], [2], [3]]


def test_undefined_and_nan_are_never_proved() -> None:
    b = Builder()
    x = b.add(b.leaf(0, [0, 1, 2]), np.array([b.uninit(), b.const(float("nan")), b.const(1.0)]))
    side = b.done({3: x})
    c = canon(side, side)
    assert [(k.outcome, k.elements.tolist()) for k in c.classes] == [
        ("undecidable", [0]),
        ("undecidable", [1]),
        ("identical", [2]),
    ]


def test_many_partitions_fit_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = matmul(8, 8, 4), matmul(8, 8, 4, order="back")
    whole = canon(a, b)
    monkeypatch.setattr("volta_pipe.passes.canon.walking._CELLS", 64)
    parts = canon(a, b)
    assert sizes(whole) == sizes(parts) == [64]


def test_unmatched_elements_are_counted() -> None:
    a, b = matmul(2, 2, 2), matmul(2, 2, 2)
    a.outputs[3][[1, 3]] = 0
    b.outputs[3][0] = 0
    c = canon(a, b)
    assert (c.only_candidate.count, c.only_candidate.element) == (2, 1)
    assert (c.only_reference.count, c.only_reference.element) == (1, 0)
    assert sizes(c) == [1]


def test_other_tensors_are_refused() -> None:
    b = Builder()
    x = b.leaf(0, [0])
    with pytest.raises(ArtifactError):
        canon(b.done({3: x}), b.done({3: x}, tensors=("A", "B", "C", "D")))


def encoded(c: Canonical) -> bytes:
    return b"".join(bytes(chunk) for chunk in c.encode())


def pairs() -> list[tuple[Conditions, Conditions]]:
    return [(attention(4, 4, 4), attention(4, 4, 4, block=2)), (matmul(3, 3, 3), matmul(3, 3, 3, order="back"))]


def test_artifact_round_trip() -> None:
    for x, y in pairs():
        data = encoded(canon(x, y))
        back = Canonical.decode(data)
        assert encoded(back) == data == encoded(canon(x, y))
        (k,) = back.classes
        assert proved_equal(back.tables[0], back.form(k.forms[0]), back.form(k.forms[1]))


def test_damaged_artifacts_are_refused() -> None:
    data = encoded(canon(*pairs()[0]))
    refused = 0
    for place in range(0, len(data), max(len(data) // 300, 1)):
        damaged = bytearray(data)
        damaged[place] ^= 0x15
        try:
            Canonical.decode(bytes(damaged))
        except ArtifactError:
            refused += 1
    assert refused > 50
    for end in (0, 10, 100, len(data) // 2):
        with pytest.raises(ArtifactError):
            Canonical.decode(data[:end])


def test_forms_print_as_formulas() -> None:
    c = canon(matmul(2, 2, 6), matmul(2, 2, 6, order="back"))
    assert show(c, c.classes[0].forms[0]) == "Q[0]·K[0] + Q[1]·K[2] + Q[2]·K[4] + Q[3]·K[6] + … 2 terms"

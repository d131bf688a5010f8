"""Certificates of true verdicts hold; each way of tampering with one is found."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from expressions import Builder, attention, matmul

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.canon import Canonical, canon
from volta_pipe.passes.decide import Decision, decide
from volta_pipe.passes.decide.certificate import Certificate, Claim, Renaming
from volta_pipe.passes.recheck import FAILED, NOT_CHECKED, PASSED, Report, recheck

LOG2E = float(np.float32(np.log2(np.e)))


def written(value: Any) -> bytes:
    return b"".join(bytes(chunk) for chunk in value.encode())


def checked(x: Conditions, y: Conditions, decision: Decision, canonical: Canonical, **options: Any) -> Report:
    return recheck(written(decision), written(canonical), x, y, **options)


def softmax(*, literal: bool) -> Conditions:
    """Two rows of softmax over four; `literal`: with 2^(x · the float32 next to log2 e)."""
    b = Builder()
    x = b.leaf(0, np.arange(8).reshape(2, 4))
    e = b.ex2(b.mul(x, LOG2E)) if literal else b.exp(x)
    return b.done({3: b.div(e, b.total(e, 1)[:, None])})


@pytest.fixture(scope="module")
def case() -> tuple[Conditions, Conditions, Canonical, Decision]:
    x, y = softmax(literal=False), softmax(literal=True)
    canonical = canon(x, y)
    decision = decide(canonical, x, y)
    assert decision.verdict == "equivalent" and decision.assumptions
    return x, y, canonical, decision


def test_a_true_certificate_holds_and_is_read_back(case: tuple[Conditions, Conditions, Canonical, Decision]) -> None:
    x, y, canonical, decision = case
    report = checked(x, y, decision, canonical)
    assert report.holds and report.exit_code == 0 and len(report.lines) == 6
    again = Decision.decode(written(decision))
    assert written(again) == written(decision) and again.certificate is not None
    claim = again.certificate.claims[0]
    assert claim.claim == "equal" and claim.digests[0] == claim.digests[1] and len(claim.digests[0]) == 64
    assert claim.renaming is not None and claim.renaming.shifts.tolist() == [[0, 4]]  # the other row, four elements on


def changed(certificate: Certificate, number: int, **new: Any) -> Certificate:
    claims = list(certificate.claims)
    claims[number] = replace(claims[number], **new)
    return replace(certificate, claims=tuple(claims))


def renamed(certificate: Certificate, change: Callable[[Renaming], Renaming]) -> Certificate:
    found = certificate.claims[0].renaming
    assert found is not None
    return changed(certificate, 0, renaming=change(found))


def swapped(x: Any, i: int, j: int) -> Any:
    out = x.copy()
    out[[i, j]] = out[[j, i]]
    return out


def other_representative(c: Certificate) -> Certificate:
    return changed(c, 0, elements=c.claims[0].elements[::-1].copy())


def rebased_representative(c: Certificate) -> Certificate:
    """A right renaming, from another representative than that of the normal forms."""

    def rebase(r: Renaming) -> Renaming:
        element = r.element + r.shifts[r.pattern, 1]
        return replace(r, element=element, shifts=(r.shifts - r.shifts[:, 1:])[:, ::-1].copy())

    return renamed(other_representative(c), rebase)


def one_input_of_two_moved(r: Renaming) -> Renaming:
    """Inputs 0 and 1 of the representative are taken to 5 and 4, not to 4 and 5."""
    shifts = np.array([[0, 4], [0, 5], [0, 3]], np.int32)
    return replace(r, pattern=np.array([1, 2, 0, 0], np.int32), shifts=shifts)


def two_to_one(r: Renaming) -> Renaming:
    return replace(r, pattern=np.array([1, 0, 0, 0], np.int32), shifts=np.array([[0, 4], [0, 5]], np.int32))


def moves_of_the_first(c: Claim) -> Claim:
    assert c.renaming is not None
    return replace(c, renaming=replace(c.renaming, shifts=c.renaming.shifts + 1))


def element_twice(c: Certificate) -> Certificate:
    """Element 4 of the first class in the second one, too, with a renaming that fits."""
    r = c.claims[1].renaming
    assert r is not None
    r = replace(r, shifts=np.append(r.shifts, r.shifts[:, 1:], axis=1))
    return changed(c, 1, tensors=np.full(3, 3, np.int32), elements=np.array([1, 5, 4], np.int32), renaming=r)


# What is done to the certificate, and a word of the message.
TAMPERED: dict[str, tuple[Callable[[Certificate], Certificate], str]] = {
    "another representative": (other_representative, "does not name an input"),
    "another representative, renamings that fit it": (rebased_representative, "the class of"),
    "a swapped input": (lambda c: renamed(c, one_input_of_two_moved), "has another input"),
    "two inputs made one": (lambda c: renamed(c, two_to_one), "two inputs to one"),
    "an input left out": (
        lambda c: renamed(c, lambda r: replace(r, tensor=r.tensor[1:], element=r.element[1:], pattern=r.pattern[1:])),
        "does not name an input",
    ),
    "an input too many": (
        lambda c: renamed(
            c,
            lambda r: Renaming(
                *(np.append(k, v).astype(np.int32) for k, v in ((r.tensor, 2), (r.element, 0), (r.pattern, 0))), r.shifts
            ),
        ),
        "that the representative does not have",
    ),
    "the representative itself renamed": (
        lambda c: replace(c, claims=(moves_of_the_first(c.claims[0]), *c.claims[1:])),
        "renames the representative itself",
    ),
    "a wrong element": (lambda c: changed(c, 0, elements=np.array([0, 5], np.int32)), "is in no class"),
    "an element twice": (element_twice, "is in a class twice"),
    "an element left out": (
        lambda c: renamed(
            changed(c, 0, tensors=c.claims[0].tensors[:1], elements=c.claims[0].elements[:1]),
            lambda r: replace(r, shifts=r.shifts[:, :1]),
        ),
        "is in no class",
    ),
    "an element that does not exist": (lambda c: changed(c, 0, elements=np.array([0, 99], np.int32)), "is no output"),
    "another assumption": (
        lambda c: replace(c, assumptions=tuple(a.replace("log2 e", "1/3") for a in c.assumptions)),
        "not the nearest one",
    ),
    "an assumption left out": (lambda c: replace(c, assumptions=()), "do not both have"),
    "an assumption too many": (lambda c: replace(c, assumptions=(*c.assumptions, "pigs fly")), "do not both have"),
    "an assumption about literals that nobody understands": (
        lambda c: replace(c, assumptions=(*c.assumptions, "the literal 0f3F800000 stands for itself")),
        "not understood",
    ),
    "another digest": (
        lambda c: changed(c, 0, digests=(c.claims[0].digests[0], "0" * 64)),
        "has others",
    ),
    "both digests of another class": (lambda c: changed(c, 0, digests=c.claims[1].digests), "has others"),
    "other rules": (lambda c: changed(c, 0, rules=("sin",)), "has others"),
    "a claim that is too strong": (lambda c: changed(c, 0, claim="identical"), "of the reference meets"),
    "a claim taken back": (lambda c: changed(c, 0, claim="open"), "its counts are not those"),
    "names of other tensors": (lambda c: replace(c, tensors=(*c.tensors[:3], "P")), "other names"),
    "elements that one side alone writes": (lambda c: replace(c, alone=(0, 1)), "written by one side alone"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_certificate_is_found(name: str, case: tuple[Conditions, Conditions, Canonical, Decision]) -> None:
    x, y, canonical, decision = case
    change, word = TAMPERED[name]
    assert decision.certificate is not None
    report = checked(x, y, replace(decision, certificate=change(decision.certificate)), canonical)
    assert report.exit_code == 1
    assert any(word in line.detail for line in report.having(FAILED)), [str(line) for line in report.lines]


def test_an_assumption_that_is_dropped_everywhere_is_missed_by_the_values(
    case: tuple[Conditions, Conditions, Canonical, Decision],
) -> None:
    """Consistent in all three lists, and yet the two sides are equal only under it."""
    x, y, canonical, decision = case
    assert decision.certificate is not None
    bare = replace(decision, assumptions=(), certificate=replace(decision.certificate, assumptions=()))
    report = checked(x, y, bare, replace(canonical, assumptions=()))
    (line, *_) = report.having(FAILED)
    assert "the two sides of a representative agree" in line.what and "the other" in line.detail


def test_a_certificate_of_another_pair_does_not_hold() -> None:
    x, y, mutant = attention(4, 4, 4), attention(4, 4, 4, block=2), attention(4, 4, 4, block=2, mutant="rescale")
    canonical = canon(x, y)
    decision = decide(canonical, x, y)
    assert checked(x, y, decision, canonical).holds
    report = checked(x, mutant, decision, canonical)
    assert report.exit_code == 1


def test_a_wrong_proof_is_found() -> None:
    """Normal forms and all are those of an equal pair; one element of the candidate adds 2^-30."""
    sides = []
    for wrong in (False, True):
        b = Builder()
        p = b.add(b.leaf(0, np.arange(4)), b.leaf(1, np.arange(4)))
        sides.append(
            (b.done({3: p}), b.done({3: b.add(b.leaf(1, np.arange(4)), b.add(b.leaf(0, np.arange(4)), 2.0**-30 * wrong))}))
        )
    (x, y), (_, mutant) = sides
    canonical = canon(x, y)
    decision = decide(canonical, x, y)
    assert decision.verdict == "equivalent" and checked(x, y, decision, canonical).holds
    (line,) = checked(x, mutant, decision, canonical).having(FAILED)
    assert "O[0]: at a random point" in line.detail or "O[0]: modulo" in line.detail


def test_a_counterexample_is_evaluated_and_a_tampered_one_found() -> None:
    x, y = matmul(2, 2, 2), matmul(2, 2, 2)
    b = Builder()
    y = b.done({3: b.add(b.leaf(0, np.arange(4)), b.leaf(1, np.arange(4)))})
    canonical = canon(x, y)
    decision = decide(canonical, x, y)
    found = decision.counterexample
    assert decision.verdict == "not-equivalent" and found is not None and checked(x, y, decision, canonical).holds
    zero = replace(found, inputs=dict.fromkeys(found.inputs, "0"))
    (line,) = checked(x, y, replace(decision, counterexample=zero), canonical).having(FAILED)
    assert "the balls overlap" in line.detail
    missing = replace(found, inputs={})
    (line,) = checked(x, y, replace(decision, counterexample=missing), canonical).having(FAILED)
    assert "lacks an input" in line.detail


def test_what_could_not_be_checked_is_not_passed(case: tuple[Conditions, Conditions, Canonical, Decision]) -> None:
    x, y, canonical, decision = case
    assert decision.certificate is not None
    (line,) = checked(x, y, replace(decision, certificate=None), canonical).lines
    assert line.outcome == NOT_CHECKED
    report = checked(x, y, decision, canonical, budget=1)
    assert report.exit_code == 3 and "more nodes than are evaluated" in report.having(NOT_CHECKED)[0].detail
    unnamed = changed(decision.certificate, 0, renaming=None, why="the renamings would take too much room")
    report = checked(x, y, replace(decision, certificate=unnamed), canonical)
    assert report.exit_code == 3 and "too much room" in report.having(NOT_CHECKED)[0].detail


def test_elements_of_one_side_alone_and_of_chosen_ctas() -> None:
    b = Builder()
    x = b.done({3: b.leaf(0, np.arange(4))})
    b = Builder()
    leaf = b.leaf(0, np.arange(4))
    leaf[2:] = 0
    y = b.done({3: leaf})
    canonical = canon(x, y)
    decision = decide(canonical, x, y)
    assert decision.verdict == "not-equivalent" and decision.certificate is not None and decision.certificate.alone == (2, 0)
    assert checked(x, y, decision, canonical).holds
    report = checked(x, y, decision, canonical, chosen=True)  # the two elements would not count
    assert "written by one side alone" in report.having(FAILED)[0].detail


def test_the_checker_shares_no_code_with_the_stages() -> None:
    folder = Path(__file__).parents[2] / "passes" / "recheck"
    files = sorted(folder.glob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if name.startswith("volta_pipe"):
                    assert (
                        name.startswith("volta_pipe.passes.recheck")
                        or name.startswith(
                            (
                                "volta_pipe.ir.graph",
                                "volta_pipe.ir.nodes",
                                "volta_pipe.ir.columns",
                                "volta_pipe.ir.errors",
                                "volta_pipe.ir.launch",
                            )
                        )
                        or name == "volta_pipe.ir"
                    ), f"{file.name} imports {name}"


def test_nodes_of_the_graph_are_all_known_to_the_checker() -> None:
    """Each operator that an artifact holds is evaluated, or is one that `vc` replaces when it is emitted."""
    from volta_pipe.ir.graph import ARTIFACT_OPS
    from volta_pipe.passes.recheck.evaluate import _OPERATORS

    others = {Node.CONST, Node.LEAF, Node.SCALAR, Node.UNINIT, Node.SELECT, Node.LOG10, Node.LOG1P, Node.EXPM1}
    assert {n for n in Node if ARTIFACT_OPS[n]} - others == {Node(n) for n in _OPERATORS}
    assert PASSED != NOT_CHECKED

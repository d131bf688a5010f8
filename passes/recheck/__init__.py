"""Checking the certificate of `decide` without its code: this folder shares the expression graph with it, and nothing else.

It is no stage: `volta-pipe inspect decide --check` runs it. It says of each claim whether it holds, and of what it could not
check, why; that is never counted as passed."""

from __future__ import annotations

import hashlib
from collections import Counter

from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.recheck.agreement import POINTS, Agreeing, refuting
from volta_pipe.passes.recheck.cover import uncovered
from volta_pipe.passes.recheck.digests import digests
from volta_pipe.passes.recheck.literals import readings
from volta_pipe.passes.recheck.primes import BITS
from volta_pipe.passes.recheck.reader import PROVED, Class, Decided, Forms, read_decision, read_forms
from volta_pipe.passes.recheck.renamings import same_tree, wrong_renaming
from volta_pipe.passes.recheck.report import FAILED, NOT_CHECKED, PASSED, Line, Report

__all__ = ["FAILED", "NOT_CHECKED", "PASSED", "Line", "Report", "recheck"]

BUDGET = 4_000_000  # nodes that are evaluated, some 20 s
_MOST = 8  # failures that are listed


def recheck(
    decision: bytes | memoryview, canonical: bytes | memoryview, reference: Conditions, candidate: Conditions,
    *, chosen: bool = False, budget: int = BUDGET,
) -> Report:  # fmt: skip
    """Checks what the artifact of `decide` claims of two conditions; canonical: the artifact of `canon` that it was made from;
    `chosen`: only some CTAs ran, and what they wrote is compared.

    The points and primes depend on the decision's bytes alone. Errors: ArtifactError when an artifact is damaged."""
    decided, forms = read_decision(decision), read_forms(canonical)
    report = Report()
    sides = (reference, candidate)
    if decided.classes is None:
        report.add(NOT_CHECKED, "the verdict", "the artifact holds no certificate")
        return report
    if not decided.tensors == reference.tensors == candidate.tensors or reference.scalars != candidate.scalars:
        report.add(FAILED, "the certificate is of these two sides", "the tensors or scalars have other names")
        return report
    wrong = uncovered(decided.classes, decided.alone, sides, chosen)
    elements = sum(len(c.elements) for c in decided.classes)
    many = f"{_many(elements, 'element')} in {_classes(len(decided.classes))}"
    report.add(FAILED if wrong else PASSED, "every output element of both sides is in one class", wrong or many)
    if wrong:
        return report
    _verdict(report, decided, elements, sides)
    _renamings(report, decided.classes, sides)
    literals, misread = readings(decided.claimed_assumptions)
    _assumptions(report, decided, forms, misread)
    _digests(report, decided.classes, forms, sides)
    seed = hashlib.sha256(bytes(decision)).hexdigest()
    compared = sum(c.claim in PROVED and c.claim != "identical" for c in decided.classes)
    _agreements(report, decided.classes, sides, Agreeing(sides, literals, seed, compared, budget))
    return report


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _classes(count: int) -> str:
    return _many(count, "class", "classes")


def _name(c: Class, sides: tuple[Conditions, Conditions], member: int = 0) -> str:
    return f"{sides[0].tensors[int(c.tensors[member])]}[{int(c.elements[member])}]"


def _verdict(report: Report, decided: Decided, elements: int, sides: tuple[Conditions, Conditions]) -> None:
    """Whether the verdict and its counts follow from the claims."""
    assert decided.classes is not None
    proved = sum(len(c.elements) for c in decided.classes if c.claim in PROVED)
    refuted = [c for c in decided.classes if c.claim == "refuted"]
    stats = {"classes": len(decided.classes), "elements": elements, "proved": proved}
    wrong = ""
    if {key: decided.stats.get(key) for key in stats} != stats:
        wrong = f"its counts are not those of its classes ({proved:,} of {elements:,} elements are claimed to be equal)"
    elif decided.verdict == "equivalent" and (proved != elements or not elements or any(decided.alone)):
        wrong = "not every element is claimed to be equal"
    elif decided.verdict == "not-equivalent" and not refuted and not any(decided.alone):
        wrong = "no class is claimed to differ"
    elif decided.verdict not in ("equivalent", "not-equivalent") and (refuted or any(decided.alone)):
        wrong = "a class is claimed to differ"
    uncertain = sum(c.claim == "open" for c in decided.classes)
    said = f"nothing is claimed of {_classes(uncertain)}" if uncertain else ""
    report.add(FAILED if wrong else PASSED, f"the claims give the verdict '{decided.verdict}'", wrong or said)
    for c in refuted:
        what = f"{_name(c, sides)} differs at the counterexample"
        found = decided.counterexample
        if found is None or (found["tensor"], found["element"]) != (sides[0].tensors[int(c.tensors[0])], int(c.elements[0])):
            report.add(FAILED, what, "the counterexample is of another element")
            continue
        try:
            wrong = refuting(sides, found)
        except (KeyError, ValueError, TypeError) as error:
            wrong = f"it lacks an input: {error}"
        report.add(FAILED if wrong else PASSED, what, wrong or "the balls of the two sides are disjoint there")


def _renamings(report: Report, classes: tuple[Class, ...], sides: tuple[Conditions, Conditions]) -> None:
    checked, inputs, reasons = 0, 0, Counter[str]()
    what = "each member of a class is its representative on other inputs"
    failed = 0
    for c in classes:
        if not c.renamed:
            if c.claim != "open":
                reasons[c.why or "the certificate holds no renaming"] += len(c.elements)
            continue
        member, why = wrong_renaming(c, sides)
        if member >= 0:
            failed += 1
            if failed <= _MOST:
                report.add(FAILED, what, f"{_name(c, sides, member)} of the class of {_name(c, sides)}: {why}")
        checked += len(c.elements)
        inputs = max(inputs, len(c.leaf_element))
    if checked and not failed:
        report.add(PASSED, what, f"{_many(checked, 'member')}, both sides, one-to-one on up to {_many(inputs, 'input')}")
    for why, count in reasons.items():
        report.add(NOT_CHECKED, what, f"{_many(count, 'member')}: {why}")


def _assumptions(report: Report, decided: Decided, forms: Forms, misread: list[str]) -> None:
    what = "the assumptions are those of the verdict and of the normal forms, and literals are near what they stand for"
    wrong = list(misread)
    for text in sorted({*decided.claimed_assumptions} ^ {*decided.assumptions}):
        wrong.append(f"the verdict and the certificate do not both have: {text}")
    for text in sorted({*decided.claimed_assumptions} ^ {*forms.assumptions}):
        wrong.append(f"the normal forms and the certificate do not both have: {text}")
    for text in wrong[:_MOST]:
        report.add(FAILED, what, text)
    if not wrong:
        report.add(PASSED, what, _many(len(decided.claimed_assumptions), "assumption"))


def _digests(report: Report, classes: tuple[Class, ...], forms: Forms, sides: tuple[Conditions, Conditions]) -> None:
    what = "representatives, digests and rules are those of the normal forms"
    if len(forms.classes) != len(classes):
        report.add(FAILED, what, f"there are normal forms of {_classes(len(forms.classes))}")
        return
    try:
        found = [digests(parts) for parts in forms.tables]
        wrong = 0
        for number, (c, (table, *pair)) in enumerate(zip(classes, forms.classes, strict=True)):
            digest, made_of = found[table]
            rules = sorted({kind for f in pair if f for kind in made_of[f]})
            good = c.digests == tuple(digest[f] if f else "" for f in pair) and list(c.rules) == rules
            good &= forms.heads[number] == (int(c.tensors[0]), int(c.elements[0]))
            good &= c.claim not in ("equal", "cases") or all(c.digests)
            wrong += not good
            if not good and wrong <= _MOST:
                report.add(FAILED, what, f"the class of {_name(c, sides)} has others")
    except (KeyError, TypeError, ValueError, IndexError) as error:
        report.add(FAILED, what, f"a table of terms is damaged: {error}")
        return
    held = [c for c in classes if all(c.digests)]
    same = sum(c.digests[0] == c.digests[1] for c in held)
    if not wrong and held:
        report.add(PASSED, what, f"{_classes(len(held))}, of which {same:,} with one form on both sides")


def _agreements(report: Report, classes: tuple[Class, ...], sides: tuple[Conditions, Conditions], agreeing: Agreeing) -> None:
    trees = failed = 0
    functions: set[str] = set()
    primes, reasons = Counter[int](), Counter[str]()
    balls = Counter[tuple[str, int]]()
    what = "the two sides of a representative agree"
    for c in classes:
        if c.claim not in PROVED:
            continue
        if c.claim == "identical":
            why = same_tree(sides, c)
            trees += not why
            failed += bool(why)
            if why and failed <= _MOST:
                report.add(FAILED, "the two sides of a representative are one tree", f"{_name(c, sides)}: {why}")
            continue
        found = agreeing.check(c)
        if found.outcome == FAILED:
            failed += 1
            if failed <= _MOST:
                report.add(FAILED, what, f"{_name(c, sides)}: {found.detail}")
        elif found.outcome == NOT_CHECKED:
            reasons[found.detail] += 1
        elif found.balls:
            balls[found.balls, found.points] += 1
        else:
            primes[found.points] += 1
            functions |= found.functions
    if trees:
        report.add(PASSED, "the two sides of a representative are one tree", f"{_classes(trees)}, node by node")
    said = f"; {', '.join(sorted(functions))} as arbitrary functions" if functions else ""
    for points, count in sorted(primes.items()):
        how = f"{POINTS} random primes of {BITS} bits"
        if points > POINTS:
            how = f"random primes of {BITS} bits at {points} points, as it has cases"
        report.add(PASSED, what, f"{_classes(count)}, modulo {how}{said}")
    for (why, points), count in sorted(balls.items()):
        report.add(PASSED, what, f"{_classes(count)}, by ball arithmetic alone at {points} random points, because of {why}")
    for why, count in reasons.items():
        report.add(NOT_CHECKED, what, f"{_classes(count)}: {why}")

"""Z3's answer to whether two sides differ, from a process of its own. Needs z3-solver."""

from __future__ import annotations

import multiprocessing
import time
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from typing import Any

from flint import ctx, fmpq

from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon.balls import Expression, Open, Outside

SECONDS = 10.0  # for all elements of a pair
MEGABYTES = 2048
_GRACE = 3.0  # Z3 sees its own time limit late
_BITS = 400
EQUAL, DIFFER, UNKNOWN, TIMEOUT, UNTRANSLATED = "unsat", "sat", "unknown", "timeout", "untranslated"


@dataclass(frozen=True)
class Answer:
    """word: unsat (no element differs), sat, unknown, timeout, or untranslated; seconds: for the terms and the search;
    element: which differs; point: Z3's inputs there; reason: why it is unknown or untranslated."""

    word: str
    seconds: float
    element: tuple[int, int] = (0, 0)
    point: tuple[tuple[tuple[int, int], Fraction], ...] = ()
    reason: str = ""


def ask(x: Conditions, y: Conditions, seconds: float = SECONDS) -> Answer:
    """Asks for an element after another, until one differs or the time is over."""
    context = multiprocessing.get_context("fork")  # the conditions come along
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, x, y, seconds), daemon=True)
    child.start()
    there.close()
    try:
        found = here.recv() if here.poll(seconds + _GRACE) else Answer(TIMEOUT, seconds)
    except EOFError:
        found = Answer(UNKNOWN, seconds, reason="Z3's process ended")
    child.kill()
    child.join()
    here.close()
    assert isinstance(found, Answer)
    return found


def _answer(pipe: Connection, x: Conditions, y: Conditions, seconds: float) -> None:
    import z3

    from bench.z3_terms import Untranslated

    z3.set_param("memory_max_size", MEGABYTES)
    start = time.perf_counter()
    try:
        word, element, point, reason = _search(x, y, start + seconds)
    except Untranslated as lacking:
        word, element, point, reason = UNTRANSLATED, (0, 0), (), str(lacking)
    except z3.Z3Exception as error:
        word, element, point, reason = UNKNOWN, (0, 0), (), str(error)
    pipe.send(Answer(word, time.perf_counter() - start, element, point, reason))
    pipe.close()


def _search(x: Conditions, y: Conditions, end: float) -> tuple[str, tuple[int, int], tuple[Any, ...], str]:
    import z3

    from bench.z3_terms import Untranslated, difference

    open_elements, reason, done = 0, "", 0
    total = sum(len(roots) for roots in x.outputs.values())
    for tensor, roots in x.outputs.items():
        for element, (left, right) in enumerate(zip(roots, y.outputs[tensor], strict=True)):
            if not (left and right):
                raise Untranslated("an element that is not written")
            asked, inputs = difference((x.graph, int(left)), (y.graph, int(right)))
            rest = end - time.perf_counter()
            if rest <= 0:
                return TIMEOUT, (0, 0), (), f"{done} of {total} elements settled"
            solver = z3.Solver()
            solver.set("timeout", max(int(rest * 1000), 1))
            solver.add(*asked)
            outcome = str(solver.check())
            if outcome == DIFFER:
                model = solver.model()
                point = tuple((key, _rational(model.eval(v, model_completion=True))) for key, v in inputs.items())
                return DIFFER, (tensor, element), point, ""
            if outcome == UNKNOWN:
                if time.perf_counter() >= end - 0.05:
                    return TIMEOUT, (0, 0), (), f"{done} of {total} elements settled"
                open_elements, reason = open_elements + 1, solver.reason_unknown()
            done += outcome == EQUAL
    return (UNKNOWN if open_elements else EQUAL), (0, 0), (), reason


def _rational(value: Any) -> Fraction:
    """The number, or a rational next to it where it is algebraic."""
    import z3

    if z3.is_algebraic_value(value):
        value = value.approx(40)
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def refutes(answer: Answer, x: Conditions, y: Conditions) -> bool:
    """Whether the two sides certainly differ at the point of a `sat`, exp, log, … being the real functions there."""
    tensor, element = answer.element
    inputs = {key: fmpq(value.numerator, value.denominator) for key, value in answer.point}
    with ctx.workprec(_BITS):
        try:
            roots = [(side.graph, int(side.outputs[tensor][element])) for side in (x, y)]
            left, right = (Expression(*root).value(inputs, named=False) for root in roots)
        except (Open, Outside):
            return False
        return bool(left.is_finite() and right.is_finite() and not left.overlaps(right))

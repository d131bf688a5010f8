"""canon and decide against Z3 on the same conditions: `python -m bench.solvers`.

Ours: warm, the second of two runs. Z3: a process a pair, with the terms of bench/z3_terms.py, asked for each element whether
the two sides can differ where both have a value."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bench.runs import ROOT
from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import decide

MISSING = "Z3 is not installed: `.venv/bin/python -m pip install -e '.[bench]'` brings it"
Sides = tuple[Conditions, Conditions, Conditions]
# Pairs of the table in tests/decision, by family.
TABLE = {
    "sums": ("Horner and powers", "Kahan's sum", "scan up and down a tree"),
    "products": ("Winograd F(2,3)", "Strassen"),
    "max, min, relu": ("leaky relu as select and as max", "clamp in either order", "max times min", "median of three"),
    "softmax": ("softmax online", "softmax backward"),
    "attention": ("attention, no maximum", "attention, FA2"),
    "roots and norms": ("RMS norm", "layer norm, Welford", "cosine similarity"),
    "log, sigmoid": ("sigmoid, second spelling", "sigmoid through tanh", "log softmax", "log sigmoid, stable"),
    "trigonometry": ("sin² + cos²", "rotary embedding, scores"),
}
# Other shapes than in that table, for pairs that are equal there because a literal stands for a real number (√3).
SHAPES = {"RMS norm": {"x": (1, 4), "w": (4,)}}
APART = "a model that is no counterexample"


@dataclass(frozen=True)
class Case:
    """made: the left side, one that is equal to it, and one that is not."""

    family: str
    label: str
    made: Callable[[], Sides]


@dataclass(frozen=True)
class Line:
    """A pair, what came out and in how many seconds. right: whether our verdict is; outcome: what Z3's answer is worth."""

    family: str
    label: str
    equal: bool
    verdict: str
    seconds: float
    word: str
    z3_seconds: float
    outcome: str

    @property
    def right(self) -> bool:
        return self.verdict == ("equivalent" if self.equal else "not-equivalent")


def cases() -> list[Case]:
    found = []
    for family, labels in TABLE.items():
        found += [Case(family, label, partial(_of_table, label)) for label in labels]
        found += [case for case in _LARGER if case.family == family]
    return found + [case for case in _LARGER if case.family not in TABLE]


def _of_table(label: str) -> Sides:
    folder = str(ROOT / "tests" / "decision")
    if folder not in sys.path:
        sys.path.insert(0, folder)  # its modules name each other so
    pairs, table = import_module("decision_pairs"), import_module("decision_table")
    conditions, inputs, p = pairs.conditions, pairs.inputs, table.PAIRS[label]
    names = tuple(sorted({name for f in (p.left, p.right, p.wrong) for name in inputs(f)}))
    left, right, wrong = (conditions(f, names, SHAPES.get(label, p.shapes)) for f in (p.left, p.right, p.wrong))
    return left, right, wrong


def _product(n: int, k: int) -> Sides:
    """n × k by k × n: as a chain of FMAs, summed in a tree, and with the first step taken twice in place of the last."""
    from tests.canon.expressions import Builder, matmul, matrix, product

    b = Builder()
    x, y = matrix(b, 0, n, k), matrix(b, 1, k, n)
    steps = [*range(k - 1), 0]
    return matmul(n, n, k), matmul(n, n, k, order="tree"), b.done({3: product(b, x[:, steps], y[steps])})


def _attention(n: int, keys: int, d: int, block: int) -> Sides:
    """Naive, in FlashAttention-2 order, and the same without rescaling the output."""
    from tests.canon.expressions import attention

    later = [attention(n, keys, d, block=block, late=True, mutant=mutant) for mutant in ("", "rescale")]
    return attention(n, keys, d), later[0], later[1]


def _quotients(n: int) -> Sides:
    """x0/y0 + x1/y1 + …, over the product of the divisors, and that with a divisor forgotten."""
    from tests.canon.expressions import Builder

    sides = []
    for form in ("sum", "one", "wrong"):
        b = Builder()
        x, y = ([b.leaf(t, i) for i in range(n)] for t in (0, 1))
        top, bottom = x[0], y[0]
        total: Any = b.div(x[0], y[0])
        for i in range(1, n):
            total = b.add(total, b.div(x[i], y[i]))
            top = b.fma(top, y[i], x[i] if form == "wrong" and i == n - 1 else b.mul(x[i], bottom))
            bottom = b.mul(bottom, y[i])
        sides.append(b.done({3: total if form == "sum" else b.div(top, bottom)}))
    return sides[0], sides[1], sides[2]


_LARGER = (
    Case("products", "tile 8x8x16", lambda: _product(8, 16)),
    Case("products", "tile 16x16x128", lambda: _product(16, 128)),
    Case("attention", "Q 4x8, K V 32x8, FA2", lambda: _attention(4, 32, 8, 8)),
    Case("division", "sum of 3 quotients", lambda: _quotients(3)),
    Case("division", "sum of 8 quotients", lambda: _quotients(8)),
)


def compared(case: Case, *, equal: bool) -> Line:
    """Both answers on one pair. Needs z3-solver."""
    from bench.z3_process import DIFFER, EQUAL, ask, refutes

    left, right, wrong = case.made()
    other = right if equal else wrong
    verdict, seconds = "", 0.0
    for _ in range(2):
        start = time.perf_counter()
        verdict = decide(canon(left, other), left, other).verdict
        seconds = time.perf_counter() - start
    answer = ask(left, other)
    if answer.word == EQUAL:
        outcome = "proved" if equal else "WRONG"
    elif answer.word == DIFFER:
        outcome = APART if not refutes(answer, left, other) else "WRONG" if equal else "refuted"
    else:
        outcome = answer.reason or "open"
    return Line(case.family, case.label, equal, verdict, seconds, answer.word, answer.seconds, outcome)


def solver_lines() -> Iterator[str]:
    """A head, a line a pair and a sum; or how Z3 is installed."""
    if find_spec("z3") is None:
        yield MISSING
        return
    from bench.z3_process import SECONDS

    yield f"{'':<17}{'':<33}{'sides':<9}{'ours':<16}{'s':>7}   {'Z3':<13}{'s':>6}   (at most {SECONDS:.0f} s a pair)"
    lines = []
    for case in cases():
        for equal in (True, False):
            line = compared(case, equal=equal)
            lines.append(line)
            yield _shown(line)
    settled = Counter(line.outcome for line in lines)
    right, known = sum(line.right for line in lines), sum(settled[word] for word in ("proved", "refuted"))
    yield (
        f"of {len(lines)} pairs: ours right {right}; Z3 right {known}, wrong {settled['WRONG']}, {APART} "
        f"{settled[APART]}, open {len(lines) - known - settled['WRONG'] - settled[APART]}"
    )


def _shown(line: Line) -> str:
    sides = "equal" if line.equal else "unequal"
    verdict = line.verdict if line.right or line.verdict == "unknown" else f"{line.verdict} WRONG"
    return (
        f"{line.family:<17}{line.label:<33}{sides:<9}{verdict:<16}{line.seconds:>7.3f}   {line.word:<13}{line.z3_seconds:>6.2f}"
        f"   {line.outcome}"
    )


def main() -> int:
    for text in solver_lines():
        print(text, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

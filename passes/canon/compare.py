"""Comparing the two expressions of one representative: with names for sums first, multiplied out if need be, then case by case
and with literals read as real numbers.

What earlier classes say of how much effort a later one is worth is an `Effort`, handed in and out."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flint import ctx, fmpq

from volta_pipe.ir.errors import BudgetError
from volta_pipe.ir.graph import Graph
from volta_pipe.ir.normal_form import Form, Table
from volta_pipe.ir.parts import Inputs
from volta_pipe.passes.canon.arithmetic import NONZERO, Undecidable
from volta_pipe.passes.canon.balls import ByZero, Expression, Open, Outside, Vanishing, literals_under, readings_of
from volta_pipe.passes.canon.cases import MOST_READINGS, NOWHERE, Cases, is_empty
from volta_pipe.passes.canon.exhaust import equal_everywhere
from volta_pipe.passes.canon.expand import proved_equal
from volta_pipe.passes.canon.names import Names
from volta_pipe.passes.canon.readings import Reading, reading
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.spots import Spot
from volta_pipe.passes.canon.translate import Translator

Outcome = tuple[str, str, tuple[int, int]]  # outcome, why, numbers of the two forms
_NO_BUDGET = 1 << 62
_TRIES = 3
_UNSETTLED = 8  # classes that cases (or trying all points) did not settle, after which these are no longer tried
_BITS = 64
_MORE_BITS = 320  # where a divisor is not told from 0
_NO_READINGS: Mapping[float, Reading] = {}
_ZERO = "at all tried points something is divided by that is 0, or not told from it"


@dataclass(frozen=True)
class Effort:
    """What is known from earlier classes. read: literals that the last split needed as real numbers, ascending; apart: whether
    two sides differ for certain; unsettled, unequal: how many classes cases did not settle, and trying all points."""

    read: tuple[float, ...] = ()
    apart: bool = False
    unsettled: int = 0
    unequal: int = 0


class Comparison:
    """Comparisons over one table. inputs: those that are integers; max_terms: terms made per class and attempt; effort: from
    earlier classes. `general`: whether nothing of it but `read` has been asked for; `spent`: whether a budget ran out."""

    def __init__(
        self, graphs: tuple[Graph, Graph], inputs: Inputs, *, named: bool, max_terms: int, effort: Effort | None = None
    ) -> None:
        self.table = Table()
        self.table.inputs = inputs
        self.general, self.spent = True, False
        self._graphs = graphs
        self._named = named
        self._max_terms = max_terms
        self._names = Names(self.table)
        self._attempts: dict[tuple[bool, tuple[float, ...]], tuple[Rules, tuple[Translator, Translator]]] = {}
        before = effort or Effort()
        self._apart, self._unsettled, self._unequal = before.apart, before.unsettled, before.unequal
        self._read: Mapping[float, Reading] = {v: known for v in before.read if (known := reading(v)) is not None}
        self._extra: set[str] = set()
        self._points: dict[tuple[int, int], tuple[Spot, Spot]] = {}

    @property
    def assumptions(self) -> set[str]:
        return {a for rules, _ in self._attempts.values() for a in rules.assumptions} | self._extra

    @property
    def effort(self) -> Effort:
        """What later classes are to know."""
        return Effort(tuple(sorted(self._read)), self._apart, self._unsettled, self._unequal)

    def compare(self, roots: tuple[int, int]) -> Outcome:
        """(outcome, why, numbers of the two forms) of one representative."""
        if self._read:  # what one class needed, the next one does
            read = self._attempt(roots, short=True, readings=self._read)
            if read[0] == "equal":
                self._extra |= {r.assumption for r in self._read.values()}
                return self._somewhere(read, roots, short=True, readings=self._read)
        found = self._attempt(roots, short=True)
        if found[0] == "equal":
            return self._somewhere(found, roots, short=True)
        self.general &= found[0] != "differ"
        if found[0] == "differ" and (self._apart or self._are_apart(roots)):
            self._apart = True  # the sides differ for certain: what is left cannot change the verdict
            return found
        if found[0] == "differ" and (real := self._as_real_numbers(roots)) is not None:
            return real
        long = self._attempt(roots, short=False)
        if long[0] == "equal":
            return self._somewhere(long, roots, short=False)
        self.general = False
        if self._unsettled < _UNSETTLED and not (long[0] == "undecidable" and self._are_apart(roots)):
            cases = Cases(
                self.table, self._names, self._graphs, roots, named=self._named, max_terms=self._max_terms, before=self._read
            )
            verdict = cases.prove()
            self._read = cases.read
            self.spent |= cases.spent
            if verdict.settled and NONZERO in verdict.assumptions and self._divides_by_zero(roots):
                return "undecidable", _ZERO, (0, 0)
            if verdict.settled:
                self._extra |= verdict.assumptions
                return ("equal" if verdict.cases == 1 else "cases"), "", verdict.forms
            self._unsettled += 1
            if verdict.why:
                return "undecidable", verdict.why, (0, 0)
        last = found if long[0] == "undecidable" and found[0] == "differ" else long
        if last[0] == "differ" and self._unequal < _UNSETTLED:
            equal, left_out = equal_everywhere(self._graphs, roots, self.table.inputs)
            if equal:
                self._extra |= {NONZERO} if left_out else set()
                return "cases", "", last[2]
            self._unequal += 1
        return last

    def _as_real_numbers(self, roots: tuple[int, int]) -> Outcome | None:
        """What comes of literals as real numbers, of those alone that equality needs; None where the sides differ then, too.

        It is tried before names are multiplied out: that costs more than all else where the sides differ by a literal."""
        readings = literals_under(self._graphs, roots) if self._named else {}
        if not readings or readings.keys() == self._read.keys():
            return None
        self._extra |= self.assumptions  # of attempts with as many literals, which may be forgotten
        found = self._attempt(roots, short=True, readings=readings)
        if found[0] != "equal":
            self._forget(readings)
            return None
        for value in sorted(readings) if 1 < len(readings) <= MOST_READINGS else ():
            fewer = {v: r for v, r in readings.items() if v != value}
            again = self._attempt(roots, short=True, readings=fewer)
            self._forget(readings if again[0] == "equal" else fewer)
            if again[0] == "equal":
                readings, found = fewer, again
        self._read = readings
        self._extra |= {r.assumption for r in readings.values()}
        return self._somewhere(found, roots, short=True, readings=readings)

    def _forget(self, readings: Mapping[float, Reading]) -> None:
        """An attempt that proved nothing: what its rules assume is not assumed."""
        del self._attempts[True, tuple(sorted(readings))]

    def _somewhere(
        self, found: Outcome, roots: tuple[int, int], *, short: bool, readings: Mapping[float, Reading] = _NO_READINGS
    ) -> Outcome:
        """What was found, unless no input lies in the domain of both sides: then it says nothing."""
        domain = []
        rules, translators = self._attempts[short, tuple(sorted(readings))]
        for translator, root in zip(translators, roots, strict=True):
            domain += translator.domain(root)
        facts = [(terms, strict) for form, strict in domain if (terms := rules.signs.numerator(form))]
        if is_empty(self.table, facts):
            return "undecidable", NOWHERE, (0, 0)
        if NONZERO in rules.assumptions and self._divides_by_zero(roots):
            return "undecidable", _ZERO, (0, 0)
        return found

    def _divides_by_zero(self, roots: tuple[int, int]) -> bool:
        """Whether a side divides by 0, as far as balls tell, at each of a few points. That it never does is assumed; where it
        always does, nothing is proved. Forms do not show all of it: |x|·|x| − x² is 0 only case by case."""
        for turn in range(_TRIES):
            for bits in (_BITS, _MORE_BITS):
                try:
                    for spot, root in zip(self._spots(turn, bits), roots, strict=True):
                        spot.value(root)
                    return False
                except (ByZero, Vanishing):
                    continue
                except (Open, Outside):
                    return False  # another reason, which says nothing of divisors
        return True

    def _spots(self, turn: int, bits: int) -> tuple[Spot, Spot]:
        """A point for each side, which all classes share."""
        if (turn, bits) not in self._points:
            left, right = (Spot(graph, self.table.inputs, turn, bits) for graph in self._graphs)
            self._points[turn, bits] = left, right
        return self._points[turn, bits]

    def _attempt(self, roots: tuple[int, int], *, short: bool, readings: Mapping[float, Reading] = _NO_READINGS) -> Outcome:
        t = self.table
        key = short, tuple(sorted(readings))
        if key not in self._attempts:
            rules = Rules(t, named=self._named, names=self._names if short else None, readings=readings)
            self._attempts[key] = rules, Translator.pair(self._graphs, rules)
        _, (left, right) = self._attempts[key]
        t.budget = t.work + self._max_terms
        t.resolve = self._names.resolve if short else None
        try:
            x, y = left.form(roots[0]), right.form(roots[1])
            equal = self._equal(x, y) if short else t.equal(x, y)
        except (Undecidable, BudgetError) as reason:
            self.spent |= isinstance(reason, BudgetError)
            return "undecidable", str(reason), (0, 0)
        finally:
            t.budget = _NO_BUDGET
            t.resolve = None
        return "equal" if equal else "differ", "", (t.as_it_is(x), t.as_it_is(y))

    def _equal(self, x: Form, y: Form) -> bool:
        if x.num == y.num and x.den == y.den:
            return True
        return self._names.agree(x, y) and proved_equal(self.table, x, y, self._names.fingerprints)

    def _are_apart(self, roots: tuple[int, int]) -> bool:
        """Whether the two sides differ for certain at one of a few points, however literals are read."""
        x, y = (Expression(graph, root) for graph, root in zip(self._graphs, roots, strict=True))
        readings = readings_of(x, y, named=self._named)
        for turn in range(_TRIES):
            point = _point((x, y), turn, self.table.inputs)
            try:
                with ctx.workprec(_BITS):
                    if not any(x.value(point, named=n).overlaps(y.value(point, named=n)) for n in readings):
                        return True
            except (Open, Outside):
                continue
        return False


def _point(sides: Iterable[Expression], turn: int, inputs: Inputs) -> dict[tuple[int, int], fmpq]:
    """Random inputs of the sides, all of them positive at the first turn; those of `inputs` are integers."""
    keys = sorted({key for side in sides for key in (*side.leaves, *((-1, s) for s in side.scalars))})
    rng = random.Random(turn)
    point = {key: fmpq(rng.randint(1, 40) * rng.choice((1, 1, -1) if turn else (1,)), 8) for key in keys}
    for tensor, i in keys:
        bounds = inputs.get(("leaf", tensor) if tensor >= 0 else ("scalar", i))
        if bounds is not None:
            point[tensor, i] = fmpq(max(bounds[0], int(8 * point[tensor, i])))
    return point

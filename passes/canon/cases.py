"""What normal forms alone do not settle: two sides that are equal where both are defined, case by case of the conditions in
them, or with literals read as the real numbers that they are nearest to.

A case is a list of facts, sums that are positive or not negative; both sides are translated once more under them, which decides
comparisons and maxima. The cases of a split cover all points, so sides that are equal in each case are equal; one whose facts
contradict each other has no points. That all have none (the domain of the two sides is empty) proves nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from volta_pipe.ir.errors import BudgetError
from volta_pipe.ir.graph import Graph
from volta_pipe.ir.normal_form import MASK, MAXIMUM, PREDICATE, Form, Table, Terms
from volta_pipe.passes.canon.arithmetic import Undecidable
from volta_pipe.passes.canon.balls import literals_under
from volta_pipe.passes.canon.expand import proved_equal
from volta_pipe.passes.canon.names import Names
from volta_pipe.passes.canon.readings import Reading
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.signs import Signs
from volta_pipe.passes.canon.translate import Translator

Facts = list[tuple[Terms, bool]]
MOST = 96  # cases of one comparison
_NO_BUDGET = 1 << 62
MOST_READINGS = 8  # literals up to which it is looked for those that are needed
NOWHERE = "no input lies in the domain of both sides, or only its boundary"


def is_empty(t: Table, domain: Facts) -> bool:
    """Whether what must be positive or not negative cannot all be positive: two sides that have values at the zeros of a root
    alone, as sqrt(−x²) has, are not compared by these."""
    return bool(domain) and Signs(t, [(terms, True) for terms, _ in domain]).contradictory([], [])


@dataclass
class Verdict:
    """settled: equal in all cases, `cases` of them with points; forms: those of the case that was settled first; why: what
    keeps the two sides from being compared, if anything does."""

    settled: bool = False
    cases: int = 0
    forms: tuple[int, int] = (0, 0)
    assumptions: set[str] = field(default_factory=set)
    why: str = ""


class Cases:
    """One comparison of two expressions. `read`: the literals that the last comparison needed, then those that this one did;
    `spent`: whether a budget ran out."""

    def __init__(
        self, table: Table, names: Names, graphs: tuple[Graph, Graph], roots: tuple[int, int], *, named: bool, max_terms: int,
        before: Mapping[float, Reading],
    ) -> None:  # fmt: skip
        self.table = table
        self.read = before
        self.spent = False
        self._names = names
        self._graphs = graphs
        self._roots = roots
        self._named = named
        self._budget = table.work + 2 * max_terms

    def prove(self) -> Verdict:
        """Tries literals as they are, then as real numbers: all of them, and of these only those that are needed."""
        readings = literals_under(self._graphs, self._roots) if self._named else {}
        if self.read and (verdict := self._proved(self.read, 0)).settled:  # they are among the assumptions already
            return verdict
        for most in (0, MOST):  # without a split, with literals either way, before any split
            for read in ({}, readings) if readings else ({},):
                verdict = self._proved(read, most)
                if verdict.settled:
                    self.read = read
                    return self._with_fewer(verdict, most) if 1 < len(read) <= MOST_READINGS else verdict
                if verdict.why:
                    return verdict
        return Verdict()

    def _with_fewer(self, verdict: Verdict, most: int) -> Verdict:
        for value in sorted(self.read):
            fewer = {v: r for v, r in self.read.items() if v != value}
            again = self._proved(fewer, most)
            if again.settled:
                self.read, verdict = fewer, again
        return verdict

    def _proved(self, readings: Mapping[float, Reading], most: int) -> Verdict:
        for names in (self._names, None):
            try:
                verdict = self._split(readings, names, most)
            except (Undecidable, BudgetError) as reason:
                self.spent |= isinstance(reason, BudgetError)
                continue
            if verdict.settled or verdict.why:
                return verdict
        return Verdict()

    def _split(self, readings: Mapping[float, Reading], names: Names | None, most: int) -> Verdict:
        """most: cases, 0 for the sides as they are."""
        t = self.table
        verdict = Verdict(assumptions={r.assumption for r in readings.values()})
        x, y, domain = self._forms(readings, names, [], verdict)
        if is_empty(t, domain):
            return Verdict(why=NOWHERE)
        if self._equal(x, y, Signs(t)):
            return self._settled(verdict, x, y)
        stack: list[tuple[Facts, frozenset[int]]] = [(domain, frozenset())]
        for _ in range(most):
            if not stack:
                break
            facts, used = stack.pop()
            if Signs(t, facts).contradictory([], []):
                continue
            x, y, known = self._forms(readings, names, facts, verdict)
            grown = [fact for fact in known if fact not in facts]  # the domain, with maxima in it decided
            facts = facts + grown
            if grown and Signs(t, facts).contradictory([], []):
                continue
            signs = Signs(t, facts)
            if self._equal(x, y, signs):
                if not grown or not is_empty(t, facts):  # a case on a boundary must be equal, and alone proves nothing
                    verdict = self._settled(verdict, x, y)
                continue
            parts = self._parts(x, y, used)
            if parts is None:
                return Verdict()
            condition, splits = parts
            stack += [(facts + more, used | {condition}) for more in splits]
        verdict.settled = not stack and verdict.cases > 0
        return verdict

    def _settled(self, verdict: Verdict, x: Form, y: Form) -> Verdict:
        forms = verdict.forms if verdict.cases else (self.table.as_it_is(x), self.table.as_it_is(y))
        return Verdict(True, verdict.cases + 1, forms, verdict.assumptions)

    def _forms(
        self, readings: Mapping[float, Reading], names: Names | None, facts: Facts, verdict: Verdict
    ) -> tuple[Form, Form, Facts]:
        """(both normal forms, the conditions of the domain) where the facts hold."""
        t = self.table
        t.budget = self._budget
        t.resolve = names.resolve if names is not None else None
        try:
            rules = Rules(t, named=self._named, names=names, readings=readings, facts=facts)
            forms, domain = [], []
            for translator, root in zip(Translator.pair(self._graphs, rules), self._roots, strict=True):
                forms.append(translator.form(root))
                domain += translator.domain(root)
        finally:
            t.budget = _NO_BUDGET
            t.resolve = None
        verdict.assumptions |= rules.assumptions
        known = [(terms, strict) for form, strict in domain if (terms := rules.signs.numerator(rules.same_sign(form)))]
        return forms[0], forms[1], known

    def _equal(self, x: Form, y: Form, signs: Signs) -> bool:
        t = self.table
        t.budget = self._budget
        try:
            if proved_equal(t, x, y, self._names.fingerprints):
                return True
            difference = t.add(x, y, -1)
            if not signs.facts or not signs.total(difference):  # 0 times something that has no value need not be 0
                return False
            difference = Form(difference.num, ())
            return signs.nonnegative(difference) and signs.nonnegative(t.scaled(difference, -1))
        finally:
            t.budget = _NO_BUDGET

    def _parts(self, x: Form, y: Form, used: frozenset[int]) -> tuple[int, list[Facts]] | None:
        """(a condition that the difference depends on, the facts of its cases), none that was used; innermost first."""
        t = self.table
        difference = t.add(x, y, -1)
        reached: dict[int, None] = {}
        stack = [k for terms in (difference.num, *(t.items[f] for f in difference.den)) for k in terms]
        atoms: list[int] = []
        while stack:
            k = stack.pop()
            monomials = [k & MASK, *t.polynomial_of[k >> 32]]
            for m in monomials:
                for a, _ in t.items[m]:
                    if a in reached:
                        continue
                    reached[a] = None
                    atoms.append(a)
                    stack += self._inside(a)
        for a in sorted(atoms):  # an atom is younger than what it is made of
            found = self._condition(a, used)
            if found is not None:
                return found
        return None

    def _inside(self, atom: int) -> list[int]:
        """Keys of the terms that an atom is made of."""
        t = self.table
        kind, *arguments = t.items[atom]
        if kind == "name":
            return list(t.items[arguments[0]])
        if kind in ("leaf", "scalar"):
            return []
        return [k for i in arguments for terms in (t.items[i].num, *(t.items[f] for f in t.items[i].den)) for k in terms]

    def _condition(self, atom: int, used: frozenset[int]) -> tuple[int, list[Facts]] | None:
        t = self.table
        flags = t.flags.get(atom, 0)
        kind, *arguments = t.items[atom]
        signs = Signs(t)
        if flags & PREDICATE:
            pairs = [t.items[arguments[0]]]
        elif flags & MAXIMUM:
            forms = [t.items[i] for i in arguments]
            pairs = [t.add(forms[i], forms[j], -1) for j in range(len(forms)) for i in range(j)]
        else:
            return None
        for d in pairs:
            terms = signs.numerator(d)
            if not terms:
                continue
            condition = t.as_it_is(Form(terms, ()))
            if condition in used:
                continue
            opposite = {k: -c for k, c in terms.items()}
            if kind == "eq0":
                return condition, [[(terms, True)], [(opposite, True)], [(terms, False), (opposite, False)]]
            return condition, [[(opposite, True)], [(terms, False)]]
        return None

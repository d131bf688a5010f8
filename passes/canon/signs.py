"""Signs of forms: what is positive or not negative for all real values of the inputs, or where given facts hold.

A fact is a sum that is positive or not negative. Monomials are taken for free variables of which some signs are known (squares,
exponentials, roots); max(a, …) is at least each argument, a root times what it is the root of is not negative, and a
predicate is at most 1. What cannot be told is answered with no."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, PREDICATE, ROOT, Form, Table, Terms, add_into, rational
from volta_pipe.passes.canon.linear import LARGEST, contradictory, has_free_term, square_sum

POSITIVE = ("c1", "c2", "d1", "lambda", "pi")  # atoms known to be positive
ZERO_OR_MORE, MORE = 1, 2  # known signs; 0: unknown
SPREAD = 12  # arguments of a maximum up to which they are compared, and terms up to which sums are multiplied
_PRODUCTS = 8  # conditions up to which products of them count
_SQUARES = 24  # atoms up to which quadratic forms are looked into


class Signs:
    """Signs over one table. `facts`: (sum, whether it is positive and not only ≥ 0)."""

    def __init__(self, table: Table, facts: Iterable[tuple[Terms, bool]] = ()) -> None:
        self.table = table
        self.facts = [(terms, strict) for terms, strict in facts if len(terms) <= LARGEST]
        self._atoms: dict[int, int] = {}
        self._known: dict[tuple[int, bool], bool] = {}

    # ---- what is asked

    def positive(self, x: Form) -> bool:
        return self._asked(x, True)

    def nonnegative(self, x: Form) -> bool:
        return self._asked(x, False)

    def _asked(self, x: Form, strict: bool) -> bool:
        terms = self.numerator(x)
        if not terms:
            return terms is not None and not strict
        if self.definite(terms, strict):
            return True
        number = self.table.as_it_is(Form(terms, ()))
        known = self._known.get((number, strict))
        if known is None:
            known = self._known[number, strict] = self._deduced(terms, strict)
        return known

    def _deduced(self, terms: Terms, strict: bool) -> bool:
        opposite = {k: -c for k, c in terms.items()}
        if len(terms) <= LARGEST and self.contradictory([] if strict else [opposite], [opposite] if strict else []):
            return True
        return not strict and (self._is_distance(terms) or (any(map(self._is_product, terms)) and self._is_square_sum(terms)))

    def _is_distance(self, terms: Terms) -> bool:
        """Whether a sum is a maximum, times a positive number, minus one of its arguments: of however many these are."""
        t = self.table
        for k, c in terms.items():
            if c > 0 and not k >> 32 and len(t.items[k]) == 1 and t.items[k][0][1] == 1:
                kind, *arguments = t.items[t.items[k][0][0]]
                if kind == "max":
                    other = {i: -v / fmpq(*rational(c)) for i, v in terms.items() if i != k}
                    if any(not (x := t.items[i]).den and x.num.keys() == other.keys() and x.num == other for i in arguments):
                        return True
        return False

    def numerator(self, x: Form) -> Terms | None:
        """A sum of the same sign wherever x has a value: the numerator where the denominator is positive (None where that is
        not known), times even powers of what else is divided by. So the cases of a split leave out no point where x has no
        value: neither 1/x > 0 nor 1/x ≤ 0 holds for 0, but x > 0 or x ≤ 0 does."""
        if not all(self.definite(self.table.items[f], True) for f in x.den):
            return None
        below = self._below(x.num)
        return self.table.product(x.num, {below: 1}) if below else x.num

    def total(self, x: Form) -> bool:
        """Whether a form divides by nothing but what is known to be positive."""
        return self.numerator(x) is not None and not self._below(x.num)

    def _below(self, terms: Terms) -> int:
        """The monomial of even powers that clears what terms divide by, but for what is known to be positive."""
        t = self.table
        powers: dict[int, int] = {}
        for k in terms:
            for a, p in t.items[k & MASK]:
                if p < 0 and -p > powers.get(a, 0) and self.atom(a) != MORE:
                    powers[a] = -p + p % 2
        return t.monomial(tuple(sorted(powers.items())))

    def definite(self, terms: Terms, strict: bool) -> bool:
        """Whether every term is positive, or not negative, one of them being positive where `strict`."""
        if any(c < 0 for c in terms.values()):
            return False
        signs = [self.key(k) for k in terms]
        return all(signs) and (not strict or MORE in signs)

    def below(self, arguments: list[Form], i: int) -> bool:
        """Whether argument i of a maximum is never larger than all others."""
        t = self.table
        if len(arguments) > SPREAD:
            return False
        strict = [self.numerator(t.add(arguments[i], other, -1)) for j, other in enumerate(arguments) if j != i]
        sums = [s for s in strict if s is not None]
        if not sums or not all(sums):
            return bool(sums)  # one that is identically 0: an equal argument
        if len(arguments) == 2:
            return self.nonnegative(t.add(arguments[1 - i], arguments[i], -1))
        return self.contradictory(sums, [])

    def contradictory(self, strict: list[Terms], weak: list[Terms]) -> bool:
        """Whether the facts and these sums, taken as positive and not negative, exclude each other."""
        if any(len(terms) > LARGEST for terms in (*strict, *weak)):
            return False
        if not self.facts and not weak and has_free_term(self.table, strict, self.atom):
            return False
        products = any(self._is_product(k) for terms in (*strict, *weak) for k in terms)
        strict = strict + [terms for terms, more in self.facts if more]
        weak = weak + [terms for terms, more in self.facts if not more]
        if self._excluded(strict, weak):
            return True
        sums = strict + weak
        if not products or len(sums) > _PRODUCTS or max(map(len, sums)) > SPREAD:
            return False
        return self._excluded(strict, weak + self._products(sums))

    def _excluded(self, strict: list[Terms], weak: list[Terms]) -> bool:
        strict, weak = list(strict), list(weak)
        keys = {k for terms in (*strict, *weak) for k in terms}
        done: set[int] = set()
        for _ in range(3):
            fresh = keys - done
            done |= fresh
            for k in sorted(fresh):
                found = self._bounds(k)
                weak += found
                keys.update(key for terms in found for key in terms)
        for k in sorted(keys | {0}):
            sign = self.key(k)
            if sign:
                (strict if sign == MORE else weak).append({k: 1})
        self.table.charge(len(keys) * (len(strict) + len(weak)))
        return contradictory(strict, weak)

    def _is_product(self, k: int) -> bool:
        powers: tuple[tuple[int, int], ...] = self.table.items[k & MASK]
        return sum(abs(p) for _, p in powers) > 1

    # ---- what is known

    def key(self, k: int) -> int:
        """Sign of a monomial times a power of two."""
        sign = MORE
        for a, p in self.table.items[k & MASK]:
            one = self.atom(a)
            if not one and p % 2 == 0 and self.is_real(a):
                one = ZERO_OR_MORE
            sign = min(sign, one)
        return sign

    def is_real(self, atom: int) -> bool:
        return self.table.items[atom][0] != "rsqrt" or self.atom(atom) == MORE

    def atom(self, atom: int) -> int:
        known = self._atoms.get(atom)
        stack = [] if known is not None else [atom]
        while stack:  # inner atoms first: a tower of maxima is as high as a kernel is long
            inner = [a for a in self._inner(stack[-1]) if a not in self._atoms]
            if inner:
                stack += inner
            else:
                last = stack.pop()
                self._atoms[last] = self._atom(last)
        return self._atoms[atom]

    def _inner(self, atom: int) -> set[int]:
        """Atoms whose signs that of an atom is told from."""
        t = self.table
        kind, *arguments = t.items[atom]
        if kind == "name":
            sums = [t.items[arguments[0]]]
        elif kind == "max":
            forms = [t.items[i] for i in arguments]
            sums = [x.num for x in forms] + [t.items[f] for x in forms for f in x.den]
        else:
            return set()
        return {a for terms in sums for k in terms for a, _ in t.items[k & MASK]}

    def _atom(self, atom: int) -> int:
        t = self.table
        kind, *arguments = t.items[atom]
        if kind in POSITIVE:
            return MORE
        if kind in ("leaf", "scalar"):
            low, _ = t.inputs.get((kind, arguments[0]), (-1, 0))
            return MORE if low > 0 else ZERO_OR_MORE if low == 0 else 0
        if kind == "rsqrt":
            value = t.items[arguments[0]]
            return 0 if not value.den and value.num.keys() == {0} and value.num[0] < 0 else MORE
        if kind == "name":
            terms = t.items[arguments[0]]
            return MORE if self.definite(terms, True) else ZERO_OR_MORE if self.definite(terms, False) else 0
        if t.flags.get(atom, 0) & PREDICATE:
            return ZERO_OR_MORE
        if kind == "max":
            forms = [t.items[i] for i in arguments]
            if len(forms) == 2 and not t.add(forms[0], forms[1]).num:  # |x|
                return ZERO_OR_MORE
            for strict in (True, False):
                if any(terms is not None and self.definite(terms, strict) for terms in map(self.numerator, forms)):
                    return MORE if strict else ZERO_OR_MORE
        return 0

    def _bounds(self, k: int) -> list[Terms]:
        """Sums that are not negative because of what the atoms of a term are."""
        t = self.table
        found: list[Terms] = []
        powers = t.items[k & MASK]
        for a, p in powers:
            kind, *arguments = t.items[a]
            if kind in ("sin", "cos") and p > 0:
                found += self._within_one(k, a)
            if p != 1:
                continue
            if kind == "rsqrt" and self.atom(a) == MORE and not t.items[arguments[0]].den:
                found.append(t.product({t.monomial(((a, 1),)): 1}, t.items[arguments[0]].num))
            if len(powers) > 1 or k >> 32:
                continue
            if t.flags.get(a, 0) & PREDICATE:
                found.append({0: 1, k: -1})
            if kind == "max" and len(arguments) <= SPREAD:
                for i in arguments:
                    if not t.items[i].den:
                        terms: Terms = {k: 1}
                        add_into(terms, t.items[i].num, -1)
                        found.append(terms)
        return found

    def _within_one(self, k: int, atom: int) -> list[Terms]:
        """A term with a power of a sine or cosine is at most the rest of it in size, if that is not negative."""
        t = self.table
        rest = k & ~MASK | t.monomial(tuple(f for f in t.items[k & MASK] if f[0] != atom))
        return [{rest: 1, k: -1}, {rest: 1, k: 1}] if self.key(rest) else []

    def _products(self, sums: list[Terms]) -> list[Terms]:
        """Products of two sums that are not negative each."""
        t = self.table
        if any(t.flags.get(k & MASK, 0) & ROOT for terms in sums for k in terms):
            return []
        return [t.product(sums[i], sums[j]) for i in range(len(sums)) for j in range(i)]

    def _is_square_sum(self, terms: Terms) -> bool:
        """Whether a polynomial of degree 2 is a sum of squares."""
        t = self.table
        entries: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for k, c in terms.items():
            powers = [a for a, p in t.items[k & MASK] for _ in range(abs(p))]
            if k >> 32 or len(powers) > 2 or any(p < 0 or not self.is_real(a) for a, p in t.items[k & MASK]):
                return False
            i, j = (*powers, 0, 0)[:2]
            entries[i, j] += Fraction(*rational(c)) / 2
            entries[j, i] += Fraction(*rational(c)) / 2
        atoms = sorted({i for i, _ in entries})
        apart: dict[int, Fraction] = defaultdict(Fraction)  # of each row, the sizes beside the diagonal
        for (i, j), value in entries.items():
            if i != j:
                apart[i] += abs(value)
        if all(entries[i, i] >= apart[i] for i in atoms):  # dominant on its diagonal, as a variance of any length is
            return True
        return len(atoms) <= _SQUARES and square_sum([[entries[i, j] for j in atoms] for i in atoms])

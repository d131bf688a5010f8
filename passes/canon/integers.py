"""Which forms are integers wherever they have a value, and between which bounds forms lie: from the dtypes of the inputs.

Integers leave a floor: floor(x/2 + 3·y) = floor(x/2) + 3·y of an integer y. So what wraps modulo 2^n, x − 2^n · floor(x / 2^n),
is the same for numbers that are congruent, and is x itself where bounds leave nothing to wrap."""

from __future__ import annotations

import math
from typing import Any

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, Form, Table, Terms, rational, tidy

Bound = Any  # fmpq, or None: no bound is known
Bounds = tuple[Bound, Bound]
_FREE: Bounds = (None, None)
_UNIT: Bounds = (fmpq(1), fmpq(1))
_ROUNDINGS = ("floor", "rint", "trunc")
_DEEPEST = 40  # atoms within atoms
_BETWEEN = {"lt0": (0, 1), "eq0": (0, 1), "sin": (-1, 1), "cos": (-1, 1), "erf": (-1, 1)}


class Integers:
    """Over one table, for its `inputs`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._whole: dict[int, bool] = {}  # by monomial
        self._bounds: dict[int, Bounds] = {0: _UNIT}  # by monomial
        self._depth = 0

    def integral(self, x: Form) -> bool:
        """Whether a form is an integer wherever it has a value."""
        return not x.den and all(type(c) is int and self._integral(k) for k, c in x.num.items())

    def split(self, x: Form, *, around_zero: bool = False) -> tuple[Terms, Terms]:
        """(integer, rest) with x = integer + rest and coefficients of integers in the rest from 0 to below 1, or from −1/2 to
        below 1/2."""
        integer: Terms = {}
        rest: Terms = {}
        for k, c in x.num.items():
            if x.den or not self._integral(k):
                rest[k] = c
                continue
            p, q = rational(c)
            turns = (2 * p + q) // (2 * q) if around_zero else p // q
            if turns:
                integer[k] = turns
            if p != turns * q:
                rest[k] = tidy(fmpq(p - turns * q, q))
        return integer, rest

    def bounds(self, x: Form) -> Bounds:
        """(low, high) with low ≤ x ≤ high for all values of the inputs; None: not known."""
        if x.den:
            return _FREE
        found = self._summed(x)
        floors = [k for k in x.num if self.floor(k)]
        return _both(found, self._without(x, floors)) if floors and None not in found else found

    def floor(self, key: int) -> int:
        """The form whose floor a term is, but for its coefficient; 0 for any other term."""
        if key > MASK:
            return 0
        powers = self.table.items[key]
        if len(powers) != 1 or powers[0][1] != 1:
            return 0
        kind, *arguments = self.table.items[powers[0][0]]
        return int(arguments[0]) if kind == "floor" else 0

    def _without(self, x: Form, floors: list[int]) -> Bounds:
        """Bounds with y − fraction in place of each floor(y): x − 16 · floor(x/16) is between 0 and 16."""
        t = self.table
        total = Form({k: c for k, c in x.num.items() if k not in floors}, ())
        low = high = fmpq(0)
        for k in floors:
            y, c = t.items[self.floor(k)], x.num[k]
            if y.den:
                return _FREE
            total = t.add(total, t.scaled(y, c))
            least = c * self._largest_fraction(y)
            low, high = low - max(least, 0), high - min(least, 0)
        least, most = self._summed(total)
        return (None if least is None else least + low), (None if most is None else most + high)

    def _largest_fraction(self, y: Form) -> Bound:
        """What y − floor(y) is at most: 1 − 1/q of integers over q."""
        q = 1
        for k, c in y.num.items():
            if not self._integral(k):
                return fmpq(1)
            q = math.lcm(q, rational(c)[1])
        return fmpq(q - 1, q)

    def _summed(self, x: Form) -> Bounds:
        """Bounds of a sum by those of its terms."""
        low: Bound = fmpq(0)
        high: Bound = fmpq(0)
        for k, c in x.num.items():
            least, most = self._of_term(k)
            if c < 0:
                least, most = most, least
            low = None if low is None or least is None else low + c * least
            high = None if high is None or most is None else high + c * most
            if low is None and high is None:
                return _FREE
        return low, high

    def _integral(self, key: int) -> bool:
        """Whether a term without its coefficient is an integer."""
        if key > MASK:
            return False
        known = self._whole.get(key)
        if known is None:
            known = self._whole[key] = all(p > 0 and self._integral_atom(a) for a, p in self.table.items[key])
        return known

    def _integral_atom(self, atom: int) -> bool:
        kind, *arguments = self.table.items[atom]
        if kind in ("leaf", "scalar"):
            return (kind, arguments[0]) in self.table.inputs
        if kind in ("max", "name"):
            terms = [Form(self.table.items[i], ()) if kind == "name" else self.table.items[i] for i in arguments]
            return bool(self._deeper(lambda: all(map(self.integral, terms)), False))
        return kind in _ROUNDINGS or kind in ("lt0", "eq0")

    def _of_term(self, key: int) -> Bounds:
        if key > MASK:
            return _FREE
        known = self._bounds.get(key)
        if known is None:
            known = _UNIT
            for atom, power in self.table.items[key]:
                known = _product(known, self._power(self._of_atom(atom), power))
            self._bounds[key] = known
        return known

    def _power(self, x: Bounds, power: int) -> Bounds:
        result = _UNIT
        if power < 0:
            return _FREE
        for _ in range(power):
            result = _product(result, x)
        if power % 2 == 0 and (result[0] is None or result[0] < 0):
            result = fmpq(0), result[1]
        return result

    def _of_atom(self, atom: int) -> Bounds:
        t = self.table
        kind, *arguments = t.items[atom]
        if kind in ("leaf", "scalar"):
            low, high = self.table.inputs.get((kind, arguments[0]), _FREE)
            return _FREE if low is None else (fmpq(low), fmpq(high))
        if kind in _BETWEEN:
            return fmpq(_BETWEEN[kind][0]), fmpq(_BETWEEN[kind][1])
        if kind in _ROUNDINGS:
            low, high = self._deeper(lambda: self.bounds(t.items[arguments[0]]), _FREE)
            return rounded(kind, low), rounded(kind, high)
        if kind == "name":
            low, high = self._deeper(lambda: self.bounds(Form(t.items[arguments[0]], ())), _FREE)
            return low, high
        if kind == "max":
            each = self._deeper(lambda: [self.bounds(t.items[i]) for i in arguments], [_FREE])
            lows, highs = [low for low, _ in each if low is not None], [high for _, high in each]
            return max(lows, default=None), None if None in highs else max(highs)
        return _FREE

    def _deeper(self, ask: Any, otherwise: Any) -> Any:
        """The answer about what is inside an atom. A tower of atoms is as high as a kernel is long: its foot is left out."""
        if self._depth == _DEEPEST:
            return otherwise
        self._depth += 1
        try:
            return ask()
        finally:
            self._depth -= 1


def rounded(kind: str, value: Bound) -> Bound:
    """A rounding (floor, rint or trunc) of a rational number; None of None."""
    if value is None:
        return None
    p, q = int(value.p), int(value.q)
    if kind == "trunc":
        return fmpq(p // q if p >= 0 else -(-p // q))
    if kind == "floor":
        return fmpq(p // q)
    down, left = divmod(p, q)
    return fmpq(down + (1 if 2 * left > q or (2 * left == q and down % 2) else 0))


def _both(x: Bounds, y: Bounds) -> Bounds:
    """What two bounds say together."""
    lows, highs = [low for low, _ in (x, y) if low is not None], [high for _, high in (x, y) if high is not None]
    return max(lows, default=None), min(highs, default=None)


def _product(x: Bounds, y: Bounds) -> Bounds:
    """Bounds of a product: at corners, where both factors are bounded or neither is negative; of 1 times anything."""
    if x == _UNIT or y == _UNIT:
        return y if x == _UNIT else x
    if None not in x and None not in y:
        corners = [a * b for a in x for b in y]
        return min(corners), max(corners)
    if x[0] is not None and y[0] is not None and x[0] >= 0 and y[0] >= 0:
        return x[0] * y[0], None
    return _FREE

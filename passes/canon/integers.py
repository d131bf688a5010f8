"""Which forms are integers wherever they have a value, and between which bounds forms lie: from the dtypes of the inputs.

Integers leave a floor: floor(x/2 + 3·y) = floor(x/2) + 3·y of an integer y. So what wraps modulo 2^n, x − 2^n · floor(x / 2^n),
is the same for numbers that are congruent, and is x itself where bounds leave nothing to wrap."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from volta_pipe.ir.launch import DTYPES
from volta_pipe.ir.normal_form import MASK, Form, Table, Terms, rational, tidy
from volta_pipe.ir.parts import Inputs

Bound = Any  # fmpq, or None: no bound is known
Bounds = tuple[Bound, Bound]
_FREE: Bounds = (None, None)
_ROUNDINGS = ("floor", "rint", "trunc")
_DEEPEST = 40  # atoms within atoms
_BETWEEN = {"lt0": (0, 1), "eq0": (0, 1), "sin": (-1, 1), "cos": (-1, 1), "erf": (-1, 1)}


def integer_inputs(tensors: tuple[str, ...], scalars: tuple[str, ...]) -> Inputs:
    """The inputs that are integers, by the dtypes (ir/launch.py) of tensors and scalars."""
    found = {}
    for kind, names in (("leaf", tensors), ("scalar", scalars)):
        for index, name in enumerate(names):
            size, sign = DTYPES[name]
            if sign != "f":
                low = -(1 << (8 * size - 1)) if sign == "s" else 0
                found[kind, index] = low, low + (1 << 8 * size) - 1
    return found


class Integers:
    """Over one table, for its `inputs`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._whole: dict[int, bool] = {}  # by monomial
        self._bounds: dict[int, Bounds] = {0: (fmpq(1), fmpq(1))}  # by monomial
        self._depth = 0

    def integral(self, x: Form) -> bool:
        """Whether a form is an integer wherever it has a value."""
        return not x.den and all(type(c) is int and self._integral(k) for k, c in x.num.items())

    def split(self, x: Form) -> tuple[Terms, Terms]:
        """(integer, rest) with x = integer + rest and coefficients of integers in the rest from 0 to below 1."""
        integer: Terms = {}
        rest: Terms = {}
        for k, c in x.num.items():
            if x.den or not self._integral(k):
                rest[k] = c
                continue
            p, q = rational(c)
            if p // q:
                integer[k] = p // q
            if p % q:
                rest[k] = tidy(fmpq(p % q, q))
        return integer, rest

    def bounds(self, x: Form) -> Bounds:
        """(low, high) with low ≤ x ≤ high for all values of the inputs; None: not known."""
        if x.den:
            return _FREE
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
            known = fmpq(1), fmpq(1)
            for atom, power in self.table.items[key]:
                known = _product(known, self._power(self._of_atom(atom), power))
            self._bounds[key] = known
        return known

    def _power(self, x: Bounds, power: int) -> Bounds:
        result: Bounds = (fmpq(1), fmpq(1))
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


def _product(x: Bounds, y: Bounds) -> Bounds:
    """Bounds of a product: at corners, where both factors are bounded or neither is negative."""
    if None not in x and None not in y:
        corners = [a * b for a in x for b in y]
        return min(corners), max(corners)
    if x[0] is not None and y[0] is not None and x[0] >= 0 and y[0] >= 0:
        return x[0] * y[0], None
    return _FREE

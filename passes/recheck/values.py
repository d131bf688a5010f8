"""An expression at a random point, twice: as a ball, which holds the real value, and modulo the primes of a chain.

The point is rational. + − × ÷, integer powers and 2^x are homomorphisms to residues (an exponent counts modulo the next prime),
e^x is 2^(λx) with a random λ, square roots are those that are squares. What depends on the sign or size of a number (max, abs,
comparisons, floor) is settled by the balls. Other functions are, of residues, any function of the argument: two sides that
agree so agree whatever the function is, and two sides that do not may still be equal by a law of the function."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from volta_pipe.ir.nodes import Node
from volta_pipe.passes.recheck.literals import Real, transcendental
from volta_pipe.passes.recheck.primes import root

Value = tuple[Any, tuple[int, ...]]  # a ball, and residues modulo the first primes of the chain
_LARGEST = 1 << 24  # exponents
OPAQUE = {Node.LG2: "lg2", Node.LOG: "log", Node.SIN: "sin", Node.COS: "cos", Node.ERF: "erf", Node.POW: "pow"}


class NoValueError(Exception):
    """The expression has no value here, or the balls leave open which: another point, or more digits, may help."""


class NoRootError(Exception):
    """A number under a square root is no square modulo the prime: another point may have one."""


@dataclass
class Point:
    """Where to evaluate. draw: the rational of an input (tensor, element) or (-1, scalar); primes: a chain, or none for balls
    alone; reading: what positive literals stand for. `opaque`, `rooted`: set to what was met."""

    draw: Callable[[int, int], Fraction]
    primes: tuple[int, ...]
    seed: int
    reading: Mapping[float, Real]
    opaque: set[str] = field(default_factory=set)
    rooted: bool = False
    inputs: dict[tuple[int, int], Value] = field(default_factory=dict)

    def rational(self, value: Fraction) -> Value:
        return arb(fmpq(value.numerator, value.denominator)), self._residues(value)

    def input(self, tensor: int, element: int) -> Value:
        """An input, the same in both expressions."""
        key = tensor, element
        if key not in self.inputs:
            self.inputs[key] = self.rational(self.draw(tensor, element))
        return self.inputs[key]

    def _residues(self, value: Fraction) -> tuple[int, ...]:
        return tuple(value.numerator * pow(value.denominator, -1, p) % p for p in self.primes)

    def constant(self, value: float) -> Value:
        if not math.isfinite(value):
            raise NoValueError("it holds NaN or an infinity")
        real = self.reading.get(abs(value))
        if real is None:
            return arb(value), self._residues(Fraction(value))
        sign = 1 if value > 0 else -1
        residues: list[int] = []
        for p in self.primes:
            residue = real.residue(p, self.seed)
            if residue is None:
                break
            residues.append(residue * sign % p)
        return real.ball() * sign, tuple(residues)

    # ---- operators

    def add(self, x: Value, y: Value) -> Value:
        return x[0] + y[0], tuple((a + b) % p for a, b, p in zip(x[1], y[1], self.primes, strict=False))

    def sub(self, x: Value, y: Value) -> Value:
        return x[0] - y[0], tuple((a - b) % p for a, b, p in zip(x[1], y[1], self.primes, strict=False))

    def mul(self, x: Value, y: Value) -> Value:
        return x[0] * y[0], tuple(a * b % p for a, b, p in zip(x[1], y[1], self.primes, strict=False))

    def fma(self, x: Value, y: Value, z: Value) -> Value:
        primes = self.primes
        return x[0] * y[0] + z[0], tuple((a * b + c) % p for a, b, c, p in zip(x[1], y[1], z[1], primes, strict=False))

    def neg(self, x: Value) -> Value:
        return -x[0], tuple(-a % p for a, p in zip(x[1], self.primes, strict=False))

    def reciprocal(self, x: Value) -> Value:
        if x[0].contains(0):
            raise NoValueError("a division by 0")
        residues: list[int] = []
        for a, p in zip(x[1], self.primes, strict=False):
            if not a:
                break  # a prime that divides the value: another point
            residues.append(pow(a, -1, p))
        return 1 / x[0], tuple(residues)

    def exp2(self, x: Value, *, natural: bool = False) -> Value:
        if not abs(x[0]) < _LARGEST:
            raise NoValueError("an exponent out of range")
        residues = []
        for i, p in enumerate(self.primes[: max(len(x[1]) - 1, 0)]):
            below, exponent = self.primes[i + 1], x[1][i + 1]
            residues.append(pow(2, exponent * transcendental(0, below, self.seed) % below if natural else exponent, p))
        return x[0].exp() if natural else arb(2) ** x[0], tuple(residues)

    def exp(self, x: Value) -> Value:
        return self.exp2(x, natural=True)

    def tanh(self, x: Value) -> Value:
        power, one = self.exp(self.add(x, x)), self.rational(Fraction(1))
        return x[0].tanh(), self.mul(self.sub(power, one), self.reciprocal(self.add(power, one)))[1]

    def sqrt(self, x: Value) -> Value:
        if not x[0] >= 0:
            raise NoValueError("a root of a negative number")
        self.rooted = True
        residues: list[int] = []
        for a, p in zip(x[1], self.primes, strict=False):
            found = root(a, p)
            if found is None:
                break
            residues.append(found)
        if x[1] and not residues:
            raise NoRootError
        return x[0].sqrt(), tuple(residues)

    def compare(self, x: Value, y: Value) -> int:
        """-1, 0 or 1. Errors: NoValueError where the balls leave it open."""
        if x[0] < y[0]:
            return -1
        if x[0] > y[0]:
            return 1
        exact = x[0].is_exact() and y[0].is_exact()
        if exact or (x[1] and y[1] and all(a == b for a, b in zip(x[1], y[1], strict=False))):
            return 0
        raise NoValueError("a comparison that the precision leaves open")

    def whole(self, x: Value, op: int) -> Value:
        """floor, ceil, rint or trunc."""
        if x[0].is_exact():
            q = x[0].fmpq()
            value = Fraction(int(q.p), int(q.q))
            return self.rational(Fraction(_WHOLE[op](value)))
        shifted = x[0] + 0.5 if op == Node.RINT else x[0]
        if shifted.contains_integer():
            raise NoValueError("a rounding that the precision leaves open")
        down = int(shifted.floor().unique_fmpz())
        up = op == Node.CEIL or (op == Node.TRUNC and bool(x[0] < 0))
        return self.rational(Fraction(down + up))

    def power(self, x: Value, y: Value) -> Value:
        """x^y: products where y is a whole number, roots where it is a half, 2^y of the number 2."""
        if y[0].is_exact() and (2 * y[0]).is_integer() and abs(y[0]) < 1 << 12:
            twice = int((2 * y[0]).unique_fmpz())
            base = self.sqrt(x) if twice % 2 else x
            count = abs(twice) if twice % 2 else abs(twice) // 2
            residues = tuple(pow(a, count, p) for a, p in zip(base[1], self.primes, strict=False))
            found = base[0] ** count, residues
            return self.reciprocal(found) if twice < 0 else found
        if x[0].is_exact() and x[0] == 2:
            return self.exp2(y)
        return self.function(Node.POW, x, y)

    def function(self, op: int, *arguments: Value) -> Value:
        """A function without a homomorphism: its ball, and residues that depend on those of the arguments alone."""
        balls = [x[0] for x in arguments]
        if op in (Node.LG2, Node.LOG, Node.POW) and not balls[0] > 0:
            raise NoValueError("a logarithm or power outside its domain")
        ball = _BALLS[op](*balls)
        name = OPAQUE[Node(op)]
        self.opaque.add(name)
        if not all(x[1] for x in arguments):
            return ball, ()
        key = " ".join(str(x[1][0]) for x in arguments)
        return ball, tuple(random.Random(f"{name}/{key}/{p}/{self.seed}").randrange(p) for p in self.primes)

    def truth(self, value: bool) -> Value:
        return self.rational(Fraction(int(value)))

    def chosen(self, x: Value, y: Value, sign: int) -> Value:
        """The larger one, or the smaller one where sign is -1."""
        return x if self.compare(x, y) * sign >= 0 else y

    def absolute(self, x: Value) -> Value:
        return self.neg(x) if self.compare(x, self.truth(False)) < 0 else x

    def saturated(self, x: Value) -> Value:
        return self.chosen(self.chosen(x, self.truth(False), 1), self.truth(True), -1)


_WHOLE: dict[int, Callable[[Fraction], int]] = {
    Node.FLOOR: math.floor,
    Node.CEIL: math.ceil,
    Node.TRUNC: math.trunc,
    Node.RINT: round,  # ties to even
}
_BALLS: dict[int, Callable[..., Any]] = {
    Node.LG2: lambda x: x.log() / arb.const_log2(),
    Node.LOG: lambda x: x.log(),
    Node.SIN: lambda x: x.sin(),
    Node.COS: lambda x: x.cos(),
    Node.ERF: lambda x: x.erf(),
    Node.POW: lambda x, y: (y * x.log()).exp(),
}

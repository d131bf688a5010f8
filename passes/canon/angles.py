"""Rules for sines and cosines: sums of angles, multiples of an angle, and multiples of π.

An angle is a sum of rational multiples n/d · m of distinct terms m. Its sine and cosine are polynomials in those of the m/d
without squares of cosines (circles.py) where that makes few terms; otherwise they are atoms of the whole angle, odd and even.
All rules hold for all real angles."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from volta_pipe.ir.normal_form import MASK, PREDICATE, Coef, Form, rational, tidy
from volta_pipe.passes.canon import circles
from volta_pipe.passes.canon.arithmetic import ONE, ZERO, Arithmetic, Undecidable

Pair = tuple[Form, Form]  # sine and cosine
_LARGEST = 4  # multiple of an angle that is multiplied out
_TERMS = 8  # of a sine up to which it is
# sin² of fractions of π up to π/2: the angles of which squares of sines are rational.
_SQUARES = {0: 0, Fraction(1, 6): fmpq(1, 4), Fraction(1, 4): fmpq(1, 2), Fraction(1, 3): fmpq(3, 4), Fraction(1, 2): 1}


class Angles(Arithmetic):
    """sin and cos, and what may be divided by where they are in it."""

    def sine(self, x: Form) -> Form:
        return self._turned(x)[0]

    def cosine(self, x: Form) -> Form:
        return self._turned(x)[1]

    def regular(self, x: Form) -> tuple[Form, Form]:
        self.visible(x)
        return super().regular(x)

    def visible(self, x: Form) -> None:
        """Errors: Undecidable where a sum that has terms might be identically 0 because of a relation between angles."""
        if self.angles and x.num and not self.signs.definite(x.num, True) and not circles.free(self.table, x):
            raise Undecidable("a sum of sines that is divided by may be identically 0: its angles are not independent")

    def _turned(self, x: Form) -> Pair:
        t = self.table
        x = self.exact(x)
        number = t.as_it_is(x)
        if number in self.angles:
            return self.angles[number]
        if self.names is not None and any(t.items[a][0] == "name" for k in x.num for a in self._atoms(k)):
            raise Undecidable("an angle is a sum that has a name")  # made again without names
        terms = 1
        for k, c in x.num.items():
            predicate = any(t.flags.get(a, 0) & PREDICATE for a, _ in t.items[k & MASK])
            terms *= (2 + predicate) * (self._multiple(c)[0] // 2 + 1)
        pair = self._whole(x) if x.den or terms > 2 * _TERMS else self._sum(x)
        self.angles[number] = pair
        return pair

    def _atoms(self, k: int) -> list[int]:
        t = self.table
        return [a for m in (k & MASK, *t.polynomial_of[k >> 32]) for a, _ in t.items[m]]

    def _multiple(self, c: Coef) -> tuple[int, Coef]:
        """(n, d) with |c| = n · d, where n is what is multiplied out."""
        p, q = rational(c)
        return (abs(p), tidy(fmpq(1, q))) if abs(p) <= _LARGEST else (1, tidy(fmpq(abs(p), q)))

    def _whole(self, x: Form) -> Pair:
        """Atoms of an angle; the sign of its leading coefficient comes out."""
        t = self.table
        sign = -1 if x.num[t.lead(x.num)] < 0 else 1
        angle = t.form(t.scaled(x, sign))
        return t.scaled(t.of_atom(t.atom("sin", angle)), sign), t.of_atom(circles.cosine(t, angle))

    def _sum(self, x: Form) -> Pair:
        pair = ZERO, ONE
        for k, c in x.num.items():
            pair = self._added(pair, self._term(k, c))
        return pair

    def _added(self, x: Pair, y: Pair) -> Pair:
        """sin and cos of a sum of two angles."""
        t = self.table
        sine = t.add(t.mul(x[0], y[1]), t.mul(x[1], y[0]))
        return sine, t.add(t.mul(x[1], y[1]), t.mul(x[0], y[0]), -1)

    def _term(self, k: int, c: Coef) -> Pair:
        """Of one term, which is 0 where a predicate in it is: sin(p·x) = p · sin x, and cos(p·x) = 1 + p · (cos x − 1)."""
        t = self.table
        powers = t.items[k & MASK]
        held = tuple(f for f in powers if t.flags.get(f[0], 0) & PREDICATE)
        if held:
            k = k & ~MASK | t.monomial(tuple(f for f in powers if f not in held))
        exact = self._of_pi(c) if k == t.monomial(((t.atom("pi"), 1),)) else None
        if exact is not None:
            sine, cosine = exact
        else:
            n, d = self._multiple(c)
            once = self._whole(Form({k: d}, ()))
            sine, cosine = ZERO, ONE
            for _ in range(n):
                sine, cosine = self._added((sine, cosine), once)
            sine = t.scaled(sine, -1) if c < 0 else sine
        if held:
            p = Form({t.monomial(held): 1}, ())
            sine, cosine = t.mul(p, sine), t.add(ONE, t.mul(p, t.add(cosine, ONE, -1)))
        return sine, cosine

    def _of_pi(self, c: Coef) -> Pair | None:
        """Of c · π where the squares are rational."""
        turn = Fraction(*rational(c)) % 2
        if turn.denominator not in (1, 2, 3, 4, 6):
            return None
        return self._sine_of_pi(turn), self._sine_of_pi((turn + Fraction(1, 2)) % 2)

    def _sine_of_pi(self, turn: Fraction) -> Form:
        if turn > 1:
            return self.table.scaled(self._sine_of_pi(turn - 1), -1)
        square = _SQUARES[min(turn, 1 - turn)]
        return self.sqrt(Form({0: square}, ())) if square else ZERO

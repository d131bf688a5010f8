"""Values of forms modulo a prime: equal forms have equal values, so that a pair is worth a proof only where they agree.

A filter, never a proof. Atoms have pseudo-random values, a name that of its sum; 2^p is g^p in the subgroup of prime order Q of
the integers modulo P = 2Q + 1, exponents being evaluated modulo Q."""

from __future__ import annotations

from typing import Any

from volta_pipe.ir.normal_form import MASK, Coef, Form, Table, Terms

Q = 2305843009213688669  # the largest prime below 2^61 for which 2Q + 1 is prime
P = 2 * Q + 1
_G = 4  # a square, hence of order Q
_MIX = 0x9E3779B97F4A7C15  # the golden ratio's bits


class Fingerprints:
    """Values of the parts of one table, kept by number."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._atoms: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._monomials: tuple[dict[int, int], dict[int, int]] = ({0: 1}, {0: 1})
        self._powers: dict[int, int] = {0: 1}

    def of(self, form: Form) -> int | None:
        """Value modulo P; None where it divides by 0."""
        try:
            value = self._sum(form.num)
            for f in form.den:
                value = value * pow(self._sum(self._table.items[f]), -1, P) % P
        except ValueError:
            return None
        return value

    def _sum(self, terms: Terms) -> int:
        monomials, powers = self._monomials[0], self._powers
        total = 0
        for k, c in terms.items():
            m, e = k & MASK, k >> 32
            value = monomials.get(m)
            if value is None:
                value = self._monomial(m, 0)
            if e:
                power = powers.get(e)
                value *= self._power(e) if power is None else power
            total += value % P * (c if type(c) is int else _modulo(c, P))
        return total % P

    def _power(self, e: int) -> int:
        exponent = 0
        for m, c in self._table.polynomial_of[e].items():
            value = self._monomials[1].get(m)
            exponent += (self._monomial(m, 1) if value is None else value) * (c if type(c) is int else _modulo(c, Q))
        value = self._powers[e] = pow(_G, exponent % Q, P)
        return value

    def _monomial(self, m: int, place: int) -> int:
        prime = Q if place else P
        value = 1
        for atom, power in self._table.items[m]:
            one = self._atoms[place].get(atom)
            if one is None:
                one = self._atom(atom, place)
            value = value * (one if power == 1 else pow(one, power, prime)) % prime
        self._monomials[place][m] = value
        return value

    def _atom(self, atom: int, place: int) -> int:
        prime = Q if place else P
        item = self._table.items[atom]
        if item[0] in ("sin", "cos"):
            value = _on_circle(item, prime)
        elif item[0] == "name" and not (place and any(k >> 32 for k in self._table.items[item[1]])):
            terms = self._table.items[item[1]]
            value = self._polynomial(terms) if place else self._sum(terms)
        else:  # fifth powers: numbers in a row are in no simple relation
            value = pow(atom * _MIX % prime + 1 + place, 5, prime)
        self._atoms[place][atom] = value
        return value

    def _polynomial(self, terms: Terms) -> int:
        """Value of a sum without exponentials modulo Q."""
        return sum(self._monomial(m, 1) * _modulo(c, Q) for m, c in terms.items()) % Q


def _on_circle(item: tuple[Any, ...], prime: int) -> int:
    """Sine or cosine of an angle that stands for a point t of the circle: 2t / (1 + t²) and (1 − t²) / (1 + t²)."""
    t: int = pow(item[-1] * _MIX % prime + 3, 5, prime)
    above: int = 2 * t if item[0] == "sin" else 1 - t * t
    return above * pow(1 + t * t, -1, prime) % prime


def _modulo(c: Coef, prime: int) -> int:
    return c % prime if type(c) is int else int(c.p) * pow(int(c.q), -1, prime) % prime

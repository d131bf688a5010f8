"""Literals that may stand for real numbers: the floats nearest to ln 2, π, sqrt(2/π), 1/3, log2 e / sqrt 96 and the like, times
powers of two, and to short decimals.

A reading is an assumption: it is tried only where the literals as they are do not make the two sides equal, and the verdict
names it. log2 e inside 2^x has readings of its own (`literals`)."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from volta_pipe.ir.graph import Graph
from volta_pipe.ir.nodes import Node

_DIVISORS = 1 << 14  # 1/n is looked for up to this n: a float32 is the nearest one to such a number by chance once in 1,000
_RADICANDS = 1 << 8  # sqrt n, 1/sqrt n and log2 e / sqrt n up to this n
_SCALES = 1 << 6  # log2 e / n up to this n
_DIGITS, _PLACES = 4, 10  # of a decimal: digits that are not leading zeros, and digits behind the point
_LIMIT = 64  # binary exponents up to which a scaled literal is looked for
_BITS = 200
_CLOSE = 2.0**-20  # relative distance beyond which no float32 is a nearest one


@dataclass(frozen=True)
class Real:
    """rational · sqrt(root) · λ^log2e · π^(half_pi/2) · (log2 10)^log2_10, with λ = log2 e; `text` names it, empty for
    a rational."""

    text: str
    rational: Fraction = Fraction(1)
    root: int = 1
    log2e: int = 0
    half_pi: int = 0
    log2_10: int = 0

    def ball(self) -> Any:
        """At flint's precision."""
        value = arb(fmpq(self.rational.numerator, self.rational.denominator)) * arb(self.root).sqrt()
        value *= arb.const_log2() ** -self.log2e * arb.pi().sqrt() ** self.half_pi
        return value * (arb(10).log() / arb.const_log2()) ** self.log2_10


_NAMED = (
    Real("log2 e", log2e=1),
    Real("ln 2", log2e=-1),
    Real("log2 10", log2_10=1),
    Real("log10 2", log2_10=-1),
    Real("ln 10", log2e=-1, log2_10=1),
    Real("log10 e", log2e=1, log2_10=-1),
    Real("π", half_pi=2),
    Real("1/π", half_pi=-2),
    Real("sqrt π", half_pi=1),
    Real("1/sqrt π", half_pi=-1),
    Real("sqrt(2/π)", root=2, half_pi=-1),
    Real("sqrt(2π)", root=2, half_pi=1),
    Real("π/180", Fraction(1, 180), half_pi=2),
    Real("180/π", Fraction(180), half_pi=-2),
)


@dataclass(frozen=True)
class Reading:
    """`literal` (a positive or negative float64) read as scale · real."""

    literal: float
    scale: Fraction
    real: Real

    @property
    def assumption(self) -> str:
        shift = self.scale.numerator.bit_length() - self.scale.denominator.bit_length()
        text = ("-" if self.scale < 0 else "") + self.real.text + (f" · 2^{shift}" if shift else "")
        if not self.real.text:
            text = str(self.scale * self.real.rational)
        return f"the literal {_spelled(self.literal)} stands for {text}"

    def ball(self) -> Any:
        return self.real.ball() * arb(fmpq(self.scale.numerator, self.scale.denominator))


def _spelled(value: float) -> str:
    if float(np.float32(value)) == value:
        return "0f" + struct.pack(">f", value).hex().upper()
    return "0d" + struct.pack(">d", value).hex().upper()


def _nearest(real: Real, bits: int) -> tuple[float, int]:
    """(mantissa, exponent) as frexp gives them, of the nearest float with so many bits."""
    with ctx.workprec(_BITS):
        middle = real.ball().mid().fmpq()
    value = Fraction(int(middle.p), int(middle.q))
    exponent = math.frexp(float(value))[1]
    return math.frexp(float(round(value * Fraction(2) ** (bits - exponent)) * Fraction(2) ** (exponent - bits)))


@cache
def _mantissas() -> dict[float, list[tuple[int, Real]]]:
    table: dict[float, list[tuple[int, Real]]] = {}
    for real in _NAMED:
        for bits in (24, 53):
            mantissa, exponent = _nearest(real, bits)
            table.setdefault(mantissa, []).append((exponent, real))
    return table


def _candidates(mantissa: float) -> Iterator[Real]:
    """1/n, sqrt n, 1/sqrt n, and log2 e times these quotients (by which attention scales what 2^x is taken of), near a number
    between 1/2 and 1, times some power of two."""
    scale = math.log2(math.e) / mantissa
    for value, text, limit in (
        (1 / mantissa, "", _DIVISORS),
        (mantissa**2, "sqrt {}", _RADICANDS),
        (mantissa**-2, "1/sqrt {}", _RADICANDS),
        (scale, "log2 e / {}", _SCALES),
        (scale**2, "log2 e / sqrt {}", _RADICANDS),
    ):
        for shift in range(limit.bit_length() + 1):
            scaled = math.ldexp(value, shift)
            n = round(scaled)
            if n > limit:
                break
            rooted = "sqrt" in text
            if n < 2 or abs(scaled - n) > n * _CLOSE or (rooted and math.isqrt(n) ** 2 == n):
                continue
            while rooted and n % 4 == 0:
                n //= 4
            below = 1 if text.startswith("sqrt") else n
            yield Real(text.format(n), Fraction(1, below), root=n if rooted else 1, log2e=int(text.startswith("log2")))


def _decimals(value: float) -> Iterator[Real]:
    """The short decimal near a positive number: 0.9, 0.999, 1e-5."""
    places = min(_DIGITS - 1 - math.floor(math.log10(value)), _PLACES)
    n = round(value * 10.0**places) if places > 0 else 0
    if n and abs(value * 10.0**places - n) <= n * _CLOSE:
        yield Real("", Fraction(n, 10**places))


@cache
def reading(value: float) -> Reading | None:
    """What a literal may stand for; None for most."""
    if not math.isfinite(value) or not value:
        return None
    mantissa, exponent = math.frexp(abs(value))
    if mantissa == 0.5:
        return None  # a power of two is what it is
    found = list(_mantissas().get(mantissa, []))
    if not found:
        for real in (*_candidates(mantissa), *_decimals(abs(value))):
            for bits in (24, 53):
                near, at = _nearest(real, bits)
                if near == mantissa and not _exact(real, mantissa, at):
                    found.append((at, real))
    for at, real in found:
        if abs(exponent - at) <= _LIMIT:
            return Reading(value, Fraction(2) ** (exponent - at) * (1 if value > 0 else -1), real)
    return None


def _exact(real: Real, mantissa: float, exponent: int) -> bool:
    """Whether the float is the number itself."""
    return real.root == 1 and Fraction(mantissa) * Fraction(2) ** exponent == real.rational


def readable(graph: Graph, nodes: Iterable[int]) -> dict[float, Reading]:
    """Literals among some nodes that may stand for a real number."""
    found = {}
    for node in nodes:
        if graph.op[node] == Node.CONST:
            value = graph.constant(node)
            known = reading(value)
            if known is not None:
                found[value] = known
    return found

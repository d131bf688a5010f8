"""Literals that an assumption lets stand for a real number, as its text says, and whether they are near it."""

from __future__ import annotations

import math
import random
import re
import struct
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from volta_pipe.passes.recheck.primes import root

_TEXT = re.compile(r"the literals? (0[fd][0-9A-F]+)(?: \+ (0[fd][0-9A-F]+))? stands? for (-?)(.+?)(?: · 2\^(-?\d+))?")
# Powers of (log2 e, sqrt π, log2 10) and the number below the root, by name.
_NAMES: dict[str, tuple[Fraction, int, tuple[int, int, int]]] = {
    "log2 e": (Fraction(1), 1, (1, 0, 0)),
    "ln 2": (Fraction(1), 1, (-1, 0, 0)),
    "log2 10": (Fraction(1), 1, (0, 0, 1)),
    "log10 2": (Fraction(1), 1, (0, 0, -1)),
    "ln 10": (Fraction(1), 1, (-1, 0, 1)),
    "log10 e": (Fraction(1), 1, (1, 0, -1)),
    "π": (Fraction(1), 1, (0, 2, 0)),
    "1/π": (Fraction(1), 1, (0, -2, 0)),
    "sqrt π": (Fraction(1), 1, (0, 1, 0)),
    "1/sqrt π": (Fraction(1), 1, (0, -1, 0)),
    "sqrt(2/π)": (Fraction(1), 2, (0, -1, 0)),
    "sqrt(2π)": (Fraction(1), 2, (0, 1, 0)),
    "π/180": (Fraction(1, 180), 1, (0, 2, 0)),
    "180/π": (Fraction(180), 1, (0, -2, 0)),
}
_SCALES = 64  # binary exponents by which a literal near log2 e may be scaled


@dataclass(frozen=True)
class Real:
    """rational · sqrt(below) · (log2 e)^i · (sqrt π)^j · (log2 10)^k with powers = (i, j, k)."""

    rational: Fraction
    below: int = 1
    powers: tuple[int, int, int] = (0, 0, 0)

    def ball(self) -> Any:
        """At flint's precision."""
        value = arb(fmpq(self.rational.numerator, self.rational.denominator)) * arb(self.below).sqrt()
        bases = (1 / arb.const_log2(), arb.pi().sqrt(), arb(10).log() / arb.const_log2())
        for base, power in zip(bases, self.powers, strict=True):
            value *= base**power
        return value

    def residue(self, p: int, seed: int) -> int | None:
        """Modulo a prime of a chain, the transcendental numbers drawn at random; None where the root is none."""
        value = self.rational.numerator * pow(self.rational.denominator, -1, p) % p
        factor = root(self.below, p)
        if factor is None:
            return None
        for place, power in enumerate(self.powers):
            value = value * pow(transcendental(place, p, seed), power, p) % p
        return value * factor % p


LOG2E = Real(Fraction(1), 1, (1, 0, 0))


def transcendental(place: int, p: int, seed: int) -> int:
    """What stands modulo p for log2 e, sqrt π or log2 10 (place 0, 1, 2)."""
    return random.Random(f"real/{place}/{p}/{seed}").randrange(1, p)


def readings(assumptions: tuple[str, ...]) -> tuple[dict[float, Real], list[str]]:
    """(what positive literals stand for, what is wrong with assumptions about literals)."""
    found: dict[float, Real] = {}
    wrong = []
    for text in assumptions:
        if not text.startswith("the literal"):
            continue
        match = _TEXT.fullmatch(text)
        real = None if match is None else _real(match[4], match[5])
        if match is None or real is None:
            wrong.append(f"it is not understood: {text}")
            continue
        value = _value(match[1])
        if match[3]:
            real = Real(-real.rational, real.below, real.powers)
        correction = _value(match[2]) if match[2] else 0.0
        if not _near(value, correction, real):
            wrong.append(f"the literal is not the nearest one: {text}")
            continue
        sign = 1 if value > 0 else -1
        scales = range(-_SCALES, _SCALES + 1) if real == LOG2E else range(1)
        for k in scales:
            scaled = Real(real.rational * sign * Fraction(2) ** k, real.below, real.powers)
            found[math.ldexp(abs(value), k)] = scaled
        if correction:
            found[abs(correction)] = Real(Fraction(0))
    return found, wrong


def _value(text: str) -> float:
    raw = bytes.fromhex(text[2:])
    return float(struct.unpack(">f" if text[1] == "f" else ">d", raw)[0])


def _real(name: str, shift: str | None) -> Real | None:
    scale = Fraction(2) ** int(shift or 0)
    if name in _NAMES:
        rational, below, powers = _NAMES[name]
        return Real(rational * scale, below, powers)
    match = re.fullmatch(r"(1/)?sqrt (\d+)", name)
    if match:
        n = int(match[2])
        return Real(scale / n if match[1] else scale, n)
    match = re.fullmatch(r"log2 e / (sqrt )?(\d+)", name)
    if match:
        n = int(match[2])
        return Real(scale / n, n if match[1] else 1, LOG2E.powers)
    if re.fullmatch(r"\d+(/\d+)?", name):
        return Real(Fraction(name) * scale)
    return None


def _near(value: float, correction: float, real: Real) -> bool:
    """Whether the last literal rounds what is left to the nearest float32 or float64."""
    with ctx.workprec(300):
        last = correction or value
        off = abs(real.ball() - arb(value) - arb(correction))
        exponent = math.frexp(last)[1]
        single = struct.unpack(">f", struct.pack(">f", last))[0] == last
        return bool(off <= arb(2) ** (exponent - (25 if single else 54)))

"""Chains of primes in which 2^x can be computed without approximation.

Levels p0 = 2·p1 + 1, p1 = 2·p2 + 1, … with each p ≡ 3 modulo 4, so that p0, p1, … ≡ 7 modulo 8 but for the last. Modulo such a
p, 2 is a square and so has the order (p − 1)/2: an exponent counts modulo the next prime of the chain, where it can be divided,
and 2^(x + y) = 2^x · 2^y holds for all exponents. The squares modulo p have one root each that is a square again."""

from __future__ import annotations

import random
from functools import lru_cache

from flint import fmpz

BITS = 61  # of the first prime
DEEPEST = 3  # primes of a chain: 2^x may stand in the exponent of a 2^x, no deeper
_SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


@lru_cache(maxsize=256)
def chain(levels: int, seed: str) -> tuple[int, ...]:
    """A chain of so many primes, the largest one first, drawn at random."""
    rng = random.Random(f"chain/{levels}/{seed}")
    bits = BITS - (levels - 1)
    while True:
        last = rng.getrandbits(bits) | 1 << (bits - 1) | 3
        found = [last]
        for _ in range(levels - 1):
            found.append(2 * found[-1] + 1)
        if all(p % q for p in found for q in _SMALL) and all(fmpz(p).is_probable_prime() for p in found):
            return tuple(reversed(found))


def root(x: int, p: int) -> int | None:
    """The square root of x modulo p that is a square; None where x is no square."""
    found = pow(x, (p + 1) // 4, p)
    return found if found * found % p == x % p else None

"""Prime factors of the integers in roots and logarithms, as far as they are small."""

from __future__ import annotations

import math

_PRIMES = [n for n in range(2, 1000) if all(n % d for d in range(2, n))]


def factors(n: int) -> list[tuple[int, int]]:
    """(p, power) of a positive integer: small primes, and what is left of it, which may be composite."""
    found = []
    for prime in _PRIMES:
        power = 0
        while n % prime == 0:
            n //= prime
            power += 1
        if power:
            found.append((prime, power))
        if n == 1:
            break
    root = math.isqrt(n)
    if n > 1:
        found.append((root, 2) if root * root == n else (n, 1))
    return found

"""Where partial functions have a value, in the words of the verdict's assumptions."""

from __future__ import annotations

NONZERO = "denominators are not zero"
LOGS = "x > 0 where log x is taken"
ROOTS = "x ≥ 0 where sqrt x is taken"
POWERS = "x > 0 where x^y is taken with a y that is no integer"

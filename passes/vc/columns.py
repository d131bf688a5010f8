"""Columns of the static code as `vc` reads it."""

from __future__ import annotations

# Columns of the static code, int64 [instructions, COLUMNS].
(OP, NODE, WIDTH, SIGNED, SUB, WIDTH2, SIGNED2, GUARD, NEGATED, FIRST, RESULTS, INPUTS) = range(12)
COLUMNS = 12

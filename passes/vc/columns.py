"""Columns of the static code as `vc` reads it."""

from __future__ import annotations

# Columns of the static code, int64 [instructions, COLUMNS]. TABLE: of a matrix product, its table behind the operands.
(OP, NODE, WIDTH, SIGNED, SUB, WIDTH2, SIGNED2, GUARD, NEGATED, FIRST, RESULTS, INPUTS, TABLE) = range(13)
COLUMNS = 13

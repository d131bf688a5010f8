"""How far an output may be from the reference, and where it is farther.

Without the contract's own rtol and atol, two things are allowed: rounding errors of some hundred operations, by the coarsest
format that takes part and relative to the output's largest number; and what the reference itself changes by where its inputs
change in their last places, as no kernel that rounds can be expected to be better than its problem is conditioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.passes.dynamic.inputs import largest
from volta_pipe.passes.replay.formats import FORMATS

Array = np.ndarray[Any, np.dtype[Any]]
# How large a difference may be, relative to the largest number of the output: rounding errors of some hundred operations.
TOLERANCE = {
    "f64": 1e-11, "f32": 1e-4, "tf32": 1e-2, "f16": 1e-2, "bf16": 5e-2, "e4m3": 0.25, "e5m2": 0.5,
}  # fmt: skip
_SPREADS = 8.0  # how many times the reference's own change


@dataclass(frozen=True)
class Rules:
    """Of one output: its dtype, the contract's rtol and atol (None: the default), whether infinities and NaNs must come out as
    IEEE 754 has them (else elements whose reference is not finite are not compared)."""

    dtype: str
    rtol: float | None = None
    atol: float | None = None
    ieee: bool = False


@dataclass(frozen=True)
class Comparison:
    """One output in one trial. `bad`: elements beyond what is allowed, bool; `compared`: how many there were to compare;
    `worst`: the largest difference by what is allowed there (inf: no number, or none written), at row-major `element`;
    `allowed`: how large a difference may be, absolute, of each element."""

    bad: Array
    compared: int
    worst: float
    element: int
    allowed: Array


def default_tolerance(dtype: str, rounded: Sequence[str]) -> float:
    """Relative to the largest number: of the coarsest among the output's format and those that are rounded to on the way; 0 of
    integers."""
    return max(TOLERANCE[name] for name in (dtype, *rounded)) if dtype in TOLERANCE else 0.0


def compare(
    found: Array, written: Array, wanted: Array, expected: Array, nearby: Sequence[Array], rounded: Sequence[str], rules: Rules
) -> Comparison:
    """found, wanted: numbers of one shape; written, expected: which elements hold one; nearby: the reference on inputs that
    differ in their last places."""
    if not found.size:
        return Comparison(np.zeros(found.shape, np.bool_), 0, 0.0, 0, np.zeros(found.shape))
    with np.errstate(all="ignore"):
        if rules.dtype in FORMATS:
            ratio, counted, allowed = _floats(found, wanted, nearby, rounded, rules)
        else:
            ratio, counted, allowed = _integers(found, wanted, nearby, rules)
    ratio = np.where(written & expected, np.where(counted, ratio, 0.0), np.where(written != expected, np.inf, 0.0))
    element = int(np.argmax(ratio))
    compared = int((expected & (counted | ~written)).sum())
    return Comparison(ratio > 1.0, compared, float(ratio.reshape(-1)[element]), element, allowed)


def _floats(
    found: Array, wanted: Array, nearby: Sequence[Array], rounded: Sequence[str], rules: Rules
) -> tuple[Array, Array, Array]:
    """(difference by what is allowed, which elements are compared, what is allowed)."""
    most = largest(rules.dtype)
    finite = np.isfinite(wanted) & (np.abs(wanted) <= most)
    size = np.where(finite, np.abs(wanted), 0.0)
    form = FORMATS[rules.dtype]
    least = float(np.ldexp(1.0, form.least_exponent + form.fraction + 1))  # what underflow may take away
    if rules.rtol is None and rules.atol is None:
        spread = _spread(wanted, nearby, finite)
        finite &= np.isfinite(spread)
        allowed = default_tolerance(rules.dtype, rounded) * size.max() + _SPREADS * spread + least
    else:
        allowed = (rules.atol or 0.0) + (rules.rtol or 0.0) * size + least
    gap = np.abs(found - wanted)
    ratio = np.where(gap == 0.0, 0.0, gap / allowed)
    ratio = np.where(np.isnan(ratio), np.inf, ratio)
    if not rules.ieee:
        return ratio, finite, allowed
    beyond = np.isfinite(wanted) & (np.abs(wanted) > most)  # rounds to an infinity, or to the largest number
    same = np.where(np.isnan(wanted), np.isnan(found), found == wanted)
    same |= beyond & (np.abs(found) >= most) & (np.sign(found) == np.sign(wanted))
    special = ~np.isfinite(wanted) | beyond
    return np.where(special, np.where(same, 0.0, np.inf), ratio), finite | special, np.where(special, 0.0, allowed)


def _spread(wanted: Array, nearby: Sequence[Array], finite: Array) -> Array:
    """By how much the reference changes where its inputs do in their last places: of an element the most of its row (its last
    axis), as a change may cancel by chance. Not finite where one of them is not."""
    spread = np.zeros(wanted.shape)
    for other in nearby:
        spread = np.maximum(spread, np.where(finite, np.abs(other - wanted), 0.0))
    spread = np.where(np.isnan(spread), np.inf, spread)
    if spread.ndim:
        usual = np.where(np.isfinite(spread), spread, 0.0).max(axis=-1, keepdims=True)
        spread = np.maximum(spread, usual)
    return spread


def _integers(found: Array, wanted: Array, nearby: Sequence[Array], rules: Rules) -> tuple[Array, Array, Array]:
    """Integers are exact, but for those that a rounded float becomes: there a step of the reference's own is allowed."""
    gap = np.abs(found.astype(object) - _whole(wanted)).astype(np.float64)
    if rules.rtol is None and rules.atol is None:
        allowed = np.zeros(gap.shape)
        for other in nearby:
            allowed = np.maximum(allowed, np.abs(_whole(other) - _whole(wanted)).astype(np.float64))
    else:
        allowed = (rules.atol or 0.0) + (rules.rtol or 0.0) * np.abs(wanted.astype(np.float64))
    ratio = np.where(gap == 0.0, 0.0, np.where(allowed > 0.0, gap / np.where(allowed > 0.0, allowed, 1.0), np.inf))
    return ratio, np.ones(gap.shape, np.bool_), allowed


def _whole(numbers: Array) -> Array:
    """Python numbers, which do not wrap."""
    return numbers.astype(object)

"""What numbers an input can be: the integers of its dtype, or all rationals; and those that the contract's `range` names."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from volta_pipe.passes.inputs import integer_inputs

Key = tuple[int, int]  # (tensor, row-major element), or (-1, scalar)
Point = dict[Key, Any]  # fmpq by input
Ranges = Mapping[str, tuple[float, float]]  # by tensor


@dataclass(frozen=True)
class Domain:
    """Numbers from `low` to `high` (fmpq; None: no bound; one has a bound where the other has), `whole`: integers only."""

    low: Any = None
    high: Any = None
    whole: bool = False

    def holds(self, value: Any) -> bool:
        return (not self.whole or value.q == 1) and (self.low is None or self.low <= value <= self.high)

    def near(self, value: Any) -> Any:
        """`value`, or the nearest number that the input can be."""
        if self.whole:
            value = (value + fmpq(1, 2)).floor()
        return fmpq(value) if self.low is None else fmpq(min(max(value, self.low), self.high))


_FREE = Domain()


@dataclass(frozen=True)
class Domains:
    """Domain of each input; `given` by (tensor, -1) or (-1, scalar), the others are any rational."""

    given: dict[Key, Domain] = field(default_factory=dict)

    def __getitem__(self, key: Key) -> Domain:
        return self.given.get(key if key[0] < 0 else (key[0], -1), _FREE)


def domains_of(tensors: Collection[str], scalars: Collection[str]) -> Domains:
    """The domains of inputs of these dtypes (ir/launch.py)."""
    return Domains(
        {
            (index, -1) if kind == "leaf" else (-1, index): Domain(fmpq(low), fmpq(high), whole=True)
            for (kind, index), (low, high) in integer_inputs(tensors, scalars).items()
        }
    )


def within(domains: Domains, names: Collection[str], ranges: Ranges) -> Domains:
    """The same within the ranges; one that holds no number of the dtype is left out. names: of the tensors, by index."""
    found = dict(domains.given)
    for tensor, name in enumerate(names):
        if name in ranges:
            low, high = (fmpq(*bound.as_integer_ratio()) for bound in map(float, ranges[name]))
            old = domains[tensor, -1]
            if old.whole:
                low, high = (fmpq(math.ceil(ranges[name][0])), fmpq(math.floor(ranges[name][1])))
            if old.low is not None:
                low, high = max(low, old.low), min(high, old.high)
            if low <= high:
                found[tensor, -1] = Domain(low, high, old.whole)
    return Domains(found)

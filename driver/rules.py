"""Whether the candidate's sums keep the contract's rule on them, from the record of `vc` alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from volta_pipe.ir.precision import RANK

if TYPE_CHECKING:
    from volta_pipe.driver.contract import Contract
    from volta_pipe.driver.pipeline import Combination


def counted(one: Combination, side: str) -> Sequence[Mapping[str, Any]]:
    """The counts of `vc` on a side (ir/precision.py), by output; none where it did not come to it. `vc` sees the canonical form
    of a program, whose instructions become operations of `lower`'s module here."""
    step = one.steps.get((side, "vc"))
    found = step.summary.get("precision") or () if step is not None else ()
    origins = one.steps[side, "unroll"].summary.get("origins") if found else None

    def placed(data: Mapping[str, Any]) -> list[tuple[str, int, int]]:
        if origins is None:
            return [(format, at, count) for format, at, count in data["accumulations"]]
        listed = [(format, origins[at] if 0 <= at < len(origins) else -1, count) for format, at, count in data["accumulations"]]
        return sorted(listed, key=lambda one: (RANK[one[0]], one[1]))

    return [{**data, "accumulations": placed(data)} for data in found]


def narrow_sums(contract: Contract, one: Combination) -> Iterator[tuple[str, str, str, int, int]]:
    """What breaks `accumulate` of [numerics], as (output, format that it should be summed in, format that it is, instruction,
    how often)."""
    wanted = dict(contract.accumulate)
    for data in counted(one, "candidate"):
        output = str(data["tensor"])
        for format, instruction, count in data["accumulations"]:
            if output in wanted and RANK[format] < RANK[wanted[output]]:
                yield output, wanted[output], format, int(instruction), int(count)

"""Which thread of a kernel is the last to write an output element, and with which instruction: where a mismatch was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import access_of
from volta_pipe.driver.pipeline import SIDES, Combination
from volta_pipe.driver.session import Session

_MOST_ROWS = 200_000  # stores that are looked at


def written(session: Session, finding: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of a finding with a counterexample: where each side that is a kernel writes the element, as the side and an access."""
    if finding.get("counterexample") is None:
        return
    one = next(one for one in session.combinations if one.plan.dims == finding["dims"])
    address = finding["address"]
    for side in SIDES:
        access = writer(one, side, session.engine, address["name"], address["index"])
        if access is not None:
            yield side, access


def writer(one: Combination, side: str, engine: Engine, tensor: str, index: Sequence[int]) -> dict[str, Any] | None:
    """The last store to `tensor[index]` in the form of a finding's access; None where there is none to be had: the side is a
    NumPy function, its program is not stored, or no plain store of one whole number writes the element."""
    step = one.steps.get((side, "unroll"))
    place = next((n for n, t in enumerate(one.plan.candidate.tensors) if t.spec.name == tensor), None)
    if step is None or not step.stored or place is None:
        return None
    planned = one.plan.candidate.tensors[place]
    element = sum(i * s for i, s in zip(index, planned.strides, strict=True))
    program = engine.value(step)
    found = _last_store(program, planned.alias_of if planned.alias_of >= 0 else place, element * _bytes(planned))
    step.release()
    return None if found is None else access_of(one, side, {"action": "write", **found}, engine)


def _bytes(tensor: Any) -> int:
    from volta_pipe.driver.dtypes import DTYPES

    return DTYPES[tensor.spec.dtype].size


def _last_store(program: Any, tensor: int, offset: int) -> Mapping[str, Any] | None:
    """instruction, thread and CTA of the last row of a store that touches byte `offset` of a tensor."""
    import numpy as np

    from volta_pipe.ir.address_space import REGION_SHIFT
    from volta_pipe.ir.instructions import Op
    from volta_pipe.passes.sizes import bytes_of

    region = next((region for region in program.regions if region.tensor == tensor), None)
    if region is None:
        return None
    address = (region.number << REGION_SHIFT) + region.start + offset
    stores = np.isin(program.op, [Op.ST, Op.STMATRIX, Op.ATOM, Op.RED])
    near = program.row_base >> REGION_SHIFT == region.number
    rows = np.flatnonzero((program.row_instr >= 0) & stores[np.maximum(program.row_instr, 0)] & near)
    for row in rows[::-1][:_MOST_ROWS].tolist():
        starts = program.row_values(row)
        hit = np.flatnonzero((starts <= address) & (address < starts + bytes_of(program, row)))
        if len(hit):
            cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
            thread = int(program.active_lanes(int(program.row_mask[row]))[hit[-1]])
            return {
                "instruction": int(program.row_instr[row]),
                "thread": thread,
                "cta": tuple(int(n) for n in program.cta_ids[cta]),
            }
    return None

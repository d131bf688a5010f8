"""The step of a stage that somebody wants to see: what the store lacks is run, and why a stage was not reached is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.fields import shown
from volta_pipe.driver.layers import skipped
from volta_pipe.driver.pipeline import SIDES, Combination, Options
from volta_pipe.driver.places import dims_text
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.stage import ORDER
from volta_pipe.driver.step import Step
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import EXIT_CODES
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.findings import UNSUPPORTED_KINDS

# trace: of a NumPy reference, in place of the first four; dynamic: a layer of its own
STAGES = (*ORDER[:4], "trace", *ORDER[4:], "dynamic")
OF_BOTH = (*ORDER[4:], "dynamic")
_INTEGER = re.compile(r"-?[0-9]+")
_LONGEST = 20  # characters of a number of 64 bits
_SOME = 8  # values of a dim that an error lists


class StoppedError(Exception):
    """A stage that was not reached because of what was found before it, and the exit code that `run` ends with then. `facts`:
    the same as plain data, which `--json` prints in place of what the stage would have made."""

    def __init__(self, message: str, code: int, facts: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.facts = dict(facts)


def step_of(
    name: str, contract: str, store: Store, side: str, dims: Sequence[str], options: Options
) -> tuple[Step, Session, Combination, str]:
    """The step of stage `name`, its session, combination and side. side: "" for the candidate's (of `trace`, the reference's);
    dims: `name=value`, the first combination that has them. Errors: InputError when there cannot be one; StoppedError when a
    finding kept it from being made."""
    side = side or ("reference" if name == "trace" else "candidate")
    if side not in SIDES:
        raise InputError(f"--side: '{side}' is neither of {', '.join(SIDES)}")
    screen = Screen(None)
    try:
        last = "vc" if name == "trace" else name
        if name == "dynamic":
            options = replace(options, only=name, skip=skipped(name, ()))
        else:
            options = replace(options, last="" if last == ORDER[-1] else last, skip=frozenset({"dynamic"}))
        session = verify(contract, store, options, watch=screen)
    finally:
        screen.close()
    one = _combination(session, dims)
    if name in OF_BOTH:
        side = "both"
    if name == "vc" and (side, "trace") in one.steps:
        name = "trace"
    step = one.steps.get((side, name))
    if step is None or step.error:
        raise _absent(name, side, session, one)
    return step, session, one, side


def at_dims(one: Combination) -> str:
    """` at n=4`, or "" without dims."""
    return f" at {dims_text(one.plan.dims)}" if one.plan.dims else ""


def _absent(name: str, side: str, session: Session, one: Combination) -> InputError | StoppedError:
    """Why a stage has no artifact."""
    reference = session.contract.reference
    if reference is None and side != "candidate":
        whose = "" if side == "both" else f" of the {side}"
        return InputError(f"there is no {name}{whose}: the contract has no reference")
    if side == "reference" and name == "vc" and isinstance(reference, SpecReference):
        name = "trace"
    if side == "reference" and (name == "trace") != isinstance(reference, SpecReference):
        other = "a NumPy function, which has trace in place of lower to vc" if name != "trace" else "a kernel (it has a vc)"
        return InputError(f"there is no {name} of the reference: it is {other}")
    if name == "trace" and side != "reference":
        return InputError("there is no trace of the candidate: trace is of a NumPy reference")
    findings = [f for f in session.document["findings"] if f["dims"] == one.plan.dims]
    findings.sort(key=lambda f: bool(f["side"] != side))  # its own first
    found = [f"{f['kind']}: {f['message']}" for f in findings]
    whose = "" if side == "both" else f" of the {side}"
    message = f"{name}{whose} has no artifact"
    if not found:
        return InputError(message)
    decided = {f["kind"] for f in findings} - {*UNSUPPORTED_KINDS, "budget"}
    code = EXIT_CODES["unsafe" if decided else "unsupported"]
    message = f"{message}, as the verdict{at_dims(one)} is found before: {found[0]}"
    facts = {"stage": name, "side": side, "dims": one.plan.dims, "artifact": None}
    return StoppedError(message, code, {**facts, "stopped": {"message": message, "findings": findings}})


def _combination(session: Session, dims: Sequence[str]) -> Combination:
    asked: dict[str, int] = {}
    for text in dims:
        key, _, value = text.partition("=")
        if not _INTEGER.fullmatch(value):
            raise InputError(f"--dims: {shown(text)} is not NAME=VALUE, with an integer")
        if len(value) > _LONGEST:  # Python reads no integer of thousands of digits, and no dim has more than 64 bits
            raise InputError(f"--dims: {shown(text)} does not fit 64 bits")
        asked[key] = int(value)
    known = session.contract.dims
    for one in session.combinations:
        if all(one.plan.dims.get(key) == value for key, value in asked.items()):
            return one
    has = "; ".join(f"{name} = {', '.join(map(str, values[:_SOME]))}{', …' * (len(values) > _SOME)}" for name, values in known)
    raise InputError(f"--dims: the contract has no combination with {', '.join(dims)} (it has {has or 'no dims'})")

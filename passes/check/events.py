"""What `unroll` met and could not pass, as findings: who and where, and of values that are not known where they come from."""

from __future__ import annotations

from volta_pipe.ir.findings import Access, Finding, Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Event, Program
from volta_pipe.passes.check.memory import Location, locate
from volta_pipe.passes.check.naming import action_of, at, cta_of
from volta_pipe.passes.check.uninitialised import Origin, origin_of
from volta_pipe.passes.rests import MOST_SHOWN, Rest, listed, rests_of

_MAX_THREADS = 32  # named in one finding
_UNINITIALISED = "uninitialized-read"


def event_finding(program: Program, launch: Launch, event: Event) -> Finding:
    """The finding of an event. Of two parties in two places (deadlock, diverged barrier) the second thread is the one at
    `other`; of an uninitialised value, `other` is where it was read."""
    cta = cta_of(program, event.cta) if 0 <= event.cta < len(program.cta_ids) else (0, 0, 0)
    action = action_of(program, event.instruction)
    apart = event.other >= 0 and event.kind != _UNINITIALISED and len(event.threads) > 1
    # Where a budget ran out nobody did anything wrong: one stands for all, which the message counts.
    here = event.threads[:1] if apart or event.kind == "budget" else event.threads[:_MAX_THREADS]
    accesses = [Access(event.instruction, cta, thread, action) for thread in here]
    if not accesses and event.instruction >= 0:
        accesses.append(Access(event.instruction, cta, -1, action))
    message, steps = event.message, event.steps
    origin = None
    if event.kind == _UNINITIALISED and event.other >= 0:
        origin = origin_of(program, launch, event, action_of(program, event.other))
    width = int(program.width[event.instruction]) // 8 if 0 <= event.instruction < len(program.width) else 0
    place = locate(program, launch, event.address, width) if event.address >= 0 else Location()
    if origin is not None:
        accesses.insert(1, origin.access)
        message += f": {origin.words()}"
        steps += _flow(origin, event, place)
    elif event.other >= 0:
        # Who read a value that is not there is known above only: it may have come to these threads through others.
        thread, action = event.threads[1] if apart else -1, action_of(program, event.other)
        if event.kind == _UNINITIALISED and (why := _nothing_given(program, event.other)):
            steps, action = steps + why, "run"
        accesses.insert(1, Access(event.other, cta, thread, action))
    if event.kind in ("data-dependent-control", "data-dependent-address"):
        rests: tuple[Rest, ...] = ()
        if event.threads and 0 <= event.instruction < len(program.op) and 0 <= event.cta < len(program.cta_ids):
            wanted, end = _registers(program, event), int(program.cta_rows[event.cta + 1])
            rests = rests_of(program, launch, event.cta, end, event.threads[0], wanted)
        message += f": it rests on {listed(rests)}" if rests else ""
        steps += tuple(Step(f"it was computed from {r.name}, which is read here", r.instruction) for r in rests[:MOST_SHOWN])
    return at(event.kind, message, tuple(accesses), place, 1, steps)


def _flow(origin: Origin, event: Event, place: Location) -> tuple[Step, ...]:
    """Why nothing is there, and where the value goes."""
    value = "a value read so, or one computed from it, is"
    goes = f"{value} in {place} at the end" if place.space else f"this is where {event.message}"
    return Step(origin.why(), origin.access.instruction), Step(goes, event.instruction)


def _nothing_given(program: Program, instruction: int) -> tuple[Step, ...]:
    """Why an instruction that reads no memory gives no value."""
    if 0 <= instruction < len(program.op) and program.op[instruction] == Op.SHFL:
        return (Step("a shuffle gives no value where the lane that it reads from takes no part", instruction),)
    return ()


def _registers(program: Program, event: Event) -> list[int]:
    """The registers that the instruction that stopped wants to know."""
    i = event.instruction
    first = int(program.first[i] + program.results[i])
    inputs = [int(register) for register in program.operands[first : first + int(program.inputs[i])]]
    if event.kind == "data-dependent-address":
        return inputs[: 2 if program.op[i] == Op.COPY else 1]
    return [int(program.guard[i])] if program.op[i] != Op.CBRA and program.guard[i] >= 0 else inputs

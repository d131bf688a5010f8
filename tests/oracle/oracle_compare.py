"""What the checker may say of a program, given what its schedules do; and smaller programs where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from oracle_program import Program
from oracle_ptx import Answer
from oracle_schedules import Outcome

_BLOCKED = {"deadlock", "barrier-divergence"}
_UNSUPPORTED = "unsupported-instruction"


def disagreement(outcome: Outcome, answer: Answer) -> str:
    """Why the checker's answer is wrong; "" where it is right.

    Where the ISA leaves the meaning open, anything but "safe" is right. Where it depends on the schedule who meets at a
    barrier, or in which order atomics come, "unsupported" is right; and whatever is said must then be true of some schedule.
    It is right, too, where only the exit of a thread decides who meets, as exits are taken to order nothing."""
    kinds = answer.kinds
    wrong = bool(outcome.races or outcome.orders or outcome.deadlocks or outcome.undefined)
    if not kinds:
        return _as_safe(outcome, answer, wrong)
    if outcome.undefined:
        return ""
    if "race" in kinds and not outcome.races:
        return "a race that is none"
    if kinds & _BLOCKED and not outcome.deadlocks:
        return f"{' and '.join(sorted(kinds & _BLOCKED))} where no schedule is stuck"
    if _UNSUPPORTED in kinds:
        return "" if outcome.orders or outcome.ambiguous or outcome.by_exit else "unsupported, and nothing is open"
    if kinds - _BLOCKED - {"race"}:
        return f"{sorted(kinds - _BLOCKED - {'race'})}, which cannot be"
    if outcome.orders:
        return "an outcome that depends on the order of atomics is not mentioned"
    if outcome.ambiguous:
        return ""
    if outcome.races and "race" not in kinds:
        return "a race is missed"
    return "a deadlock is missed" if outcome.deadlocks and not kinds & _BLOCKED else ""


def _as_safe(outcome: Outcome, answer: Answer, wrong: bool) -> str:
    if wrong:
        parts = ("races", "orders", "deadlocks", "undefined")
        return f"safe, but there are {', '.join(part for part in parts if getattr(outcome, part))}"
    if len(outcome.finals) != 1:
        return f"safe, but the schedules end in {len(outcome.finals)} states"
    ((memory, loaded),) = outcome.finals
    if answer.loaded != loaded:
        return f"loads give {answer.loaded}, not {loaded}"
    same = all(mine in (None, byte) for mine, byte in zip(answer.memory, memory, strict=True))
    return "" if same else f"memory ends as {answer.memory}, not {memory}"


def smaller(program: Program) -> Iterator[Program]:
    """The program without one of its threads, or one operation."""
    for t in range(len(program.tids)):
        if len(program.tids) > 1:
            rest = [k for k in range(len(program.tids)) if k != t]
            yield replace(program, tids=tuple(program.tids[k] for k in rest), threads=tuple(program.threads[k] for k in rest))
    for t, ops in enumerate(program.threads):
        for k in range(len(ops)):
            yield replace(program, threads=(*program.threads[:t], ops[:k] + ops[k + 1 :], *program.threads[t + 1 :]))


def shrunk(program: Program, differs: Callable[[Program], bool]) -> Program:
    """A program on which the two still differ and none of whose parts can be left out."""
    while True:
        found = next((one for one in smaller(program) if differs(one)), None)
        if found is None:
            return program
        program = found

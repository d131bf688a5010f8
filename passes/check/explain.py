"""Raw findings and the program's events as findings with names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.findings import UNSUPPORTED_KINDS, Access, Finding, Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import FLAG_GUARDED, FLAG_SOURCE, SYNCHRONIZES, Event, Program
from volta_pipe.passes.check import faults
from volta_pipe.passes.check.agreement import Agreement, folded, merged
from volta_pipe.passes.check.events import event_finding
from volta_pipe.passes.check.memory import Location, locate
from volta_pipe.passes.check.naming import action_of, at, cta_of
from volta_pipe.passes.check.ordering import why_unordered
from volta_pipe.passes.check.outputs import Unwritten
from volta_pipe.passes.check.remarks import notes, wrapped
from volta_pipe.passes.check.report import SafetyReport
from volta_pipe.passes.check.run import MAX_FINDINGS, Array, Result
from volta_pipe.passes.check.variables import locate_meant
from volta_pipe.passes.sizes import bytes_of

# Definite errors by severity, then what could not be decided.
_ORDER = (
    "race", "deadlock", "barrier-divergence", "out-of-bounds", "misaligned", "frame", "uninitialized-read", "unwritten-output",
    "mismatch", "unsupported-instruction", "data-dependent-control", "data-dependent-address", "budget",
)  # fmt: skip
# Findings whose explanation is how the address was computed, and for how many of them that is worked out.
_OF_ADDRESS = (faults.OUT_OF_BOUNDS, faults.BEYOND, faults.MISALIGNED, faults.UNFRAMED)
_MAX_TOLD = 5
# From a row and a thread to the lines that say how the address was computed.
How = Callable[[int, int], tuple[Step, ...]]
_VERBS = {"read": ("reads", "read"), "write": ("writes", "write"), "atomic": ("updates", "update"), "barrier": ("uses", "use")}
_OBJECT = "the mbarrier object that is there, which is undefined until mbarrier.inval"


def report_of(
    program: Program, launch: Launch, result: Result, told: Agreement | None, how: How = lambda *_: ()
) -> SafetyReport:  # fmt: skip
    """What `check` hands on; `told` says which of the claims write the same value, `how` how the address of an access was
    computed."""
    remarks = tuple(wrapped(program))
    open_ends: tuple[Finding, ...] = ()
    if told is not None:
        same, unknown = told.same, told.unknown
        raw = merged(result.raw, folded(program, told.pairs, ~same & ~unknown))
        over = int(raw[MAX_FINDINGS:, faults.R_COUNT].sum())
        result = replace(result, raw=raw[:MAX_FINDINGS], dropped=result.dropped + over)
        remarks += tuple(_same(program, launch, entry) for entry in folded(program, told.pairs, same))
        open_ends = tuple(_undecided(program, launch, entry, told.error) for entry in folded(program, told.pairs, unknown))
    found = findings(*certain(program, launch, result), open_ends, how)
    said = tuple(notes(program, launch, result))
    assumptions = told.assumptions if told is not None else ()
    return SafetyReport(found, said, result.accesses, result.barriers, result.clocked, remarks, assumptions)


def certain(program: Program, launch: Launch, result: Result) -> tuple[Program, Launch, Result]:
    """Without what the program may not do at all: where an outcome depends on the order of atomics, the run went on with one
    of several, and what is wrong behind that point would be wrong in that one only."""
    open_ends = result.raw[:, faults.R_KIND] == faults.ORDER
    if not open_ends.any():
        return program, launch, result
    before = result.raw[open_ends][:, [faults.R_ROW, faults.R_OTHER_ROW]].min()
    raw = result.raw[open_ends | (result.raw[:, faults.R_ROW] < before)]
    events = tuple(event for event in program.events if event.kind in (*UNSUPPORTED_KINDS, "budget"))
    return replace(program, events=events), launch, replace(result, raw=raw, unwritten=())


def findings(
    program: Program, launch: Launch, result: Result, more: Iterable[Finding] = (), how: How = lambda *_: ()
) -> tuple[Finding, ...]:
    """All findings and `more`, most severe first; those of one kind in the order in which they were met."""
    found = [*more]
    told = 0
    outside: dict[int, int] = {}  # from an instruction to its first finding that it reads outside
    for entry in result.raw:
        finding = _finding(program, launch, entry)
        if entry[faults.R_KIND] in _OF_ADDRESS and told < _MAX_TOLD:
            finding = replace(finding, explanation=how(int(entry[faults.R_ROW]), finding.accesses[0].thread))
            told += 1
        if entry[faults.R_KIND] == faults.OUT_OF_BOUNDS:
            outside.setdefault(finding.accesses[0].instruction, len(found))
        found.append(finding)
    for event in program.events:
        finding = event_finding(program, launch, event)
        cause = outside.get(event.other, -1) if _of_unknown_origin(event, finding) else -1
        if cause < 0:
            found.append(finding)
        else:  # nothing else that it read was uninitialised: one cause, one finding
            goes = Step(f"nothing is read there, and the value goes on: {event.message}", event.instruction)
            found[cause] = replace(found[cause], explanation=(*found[cause].explanation, goes))
    found += [_unwritten(launch, entry) for entry in result.unwritten]
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.kind)))


def _of_unknown_origin(event: Event, finding: Finding) -> bool:
    """Whether an uninitialised value was read by an instruction, but no byte of memory was found that it was read from."""
    unknown = any(access.instruction == event.other and access.thread < 0 for access in finding.accesses)
    return event.kind == "uninitialized-read" and event.other >= 0 and unknown


def _access(program: Program, row: int, thread: int) -> Access:
    cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
    instruction = int(program.row_instr[row])
    thread %= program.threads  # those above are agents that copy for a thread (agents.py)
    return Access(instruction, cta_of(program, cta), thread, action_of(program, instruction))


def _a(access: Access) -> str:
    return "the mbarrier instruction" if access.action == "barrier" else f"the {access.action}"


def _who(access: Access) -> str:
    return f"thread {access.thread} of CTA {access.cta}"


def _finding(program: Program, launch: Launch, entry: Array) -> Finding:
    kind, row, address, count = (int(entry[c]) for c in (faults.R_KIND, faults.R_ROW, faults.R_ADDRESS, faults.R_COUNT))
    now = _access(program, row, int(entry[faults.R_THREAD]))
    width = int(program.width[now.instruction]) // 8
    size = bytes_of(program, row)
    guarded = bool(program.row_flags[row] & FLAG_GUARDED)
    copies = ("copies from", "") if program.row_flags[row] & FLAG_SOURCE else ("copies to", "")
    does, may_do = _VERBS.get(now.action, copies)
    verb = f"may {may_do}" if guarded else does
    if kind == faults.MEETING:
        before = _access(program, int(entry[faults.R_OTHER_ROW]), int(entry[faults.R_OTHER_THREAD]))
        text = (
            f"which threads meet at barrier {address} depends on the schedule: nothing orders the arrival of {_who(now)} "
            "behind the round before, so it may be counted in that one"
        )
        return Finding("unsupported-instruction", text, (now, before), count=count)
    if kind in (faults.RACE, faults.ORDER, faults.PHASE):
        before_row = int(entry[faults.R_OTHER_ROW])
        before = _access(program, before_row, int(entry[faults.R_OTHER_THREAD]))
        width = min(width, int(program.width[before.instruction]) // 8) or width
        place = locate(program, launch, address, width)
        why: tuple[Step, ...] = ()
        if kind != faults.PHASE:
            # Agents that copy for threads have numbers of their own (agents.py), which say nothing of warps.
            numbers = (int(entry[faults.R_THREAD]), int(entry[faults.R_OTHER_THREAD]))
            apart = bool(entry[faults.R_APART]) and max(numbers) < program.threads
            why = why_unordered(program, launch, (before_row, row), before, now, place.space == "shared", apart)
        may = " may" if guarded or program.row_flags[before_row] & FLAG_GUARDED else ""
        if kind == faults.ORDER:
            text = (
                f"the outcome depends on whether the atomic by {_who(before)} or the one by {_who(now)} at {place} comes "
                "first, and nothing orders them"
            )
            return at(
                "unsupported-instruction", text.replace("the atomic by", f"{_a(before)} by"), (before, now), place, count, why
            )
        if kind == faults.PHASE:
            text = (
                f"nothing orders {_a(now)} by {_who(now)} and {_a(before)} by thread {before.thread} at the mbarrier object "
                f"{place} so that they are of the same phases on any schedule: a signal has to come after a wait that found "
                "the phase before complete, what raises a count before an arrival, a wait before the phase behind it can end"
            )
            return at("unsupported-instruction", text, (before, now), place, count)
        if row == before_row:
            text = f"threads {before.thread} and {now.thread} of CTA {now.cta}{may} {may_do or 'copy'} {place} at the same time"
        elif now.cta == before.cta:
            pair = f"{before.action} by thread {before.thread} and {now.action} by thread {now.thread}"
            text = f"{pair} of CTA {now.cta}{may} hit {place} with nothing to order them"
        else:
            text = f"{before.action} by {_who(before)} and {now.action} by {_who(now)}{may} hit {place}: CTAs are not ordered"
            if _orders_ctas(program):
                text += " as far as they are followed; what acquire, release and fences of the kernel order between them is not"
                return at("unsupported-instruction", text, (before, now), place, count)
        return at("race", text, (before, now), place, count, why)
    if kind == faults.BEYOND:
        place, words = locate_meant(program, int(entry[faults.R_OTHER_THREAD]), address)
        return at("out-of-bounds", f"{_who(now)} {verb} {size} bytes at {place}{words}", (now,), place, count)
    place = locate(program, launch, address, width)
    if kind == faults.STALE:
        before = _access(program, int(entry[faults.R_OTHER_ROW]), int(entry[faults.R_OTHER_THREAD]))
        text = (
            f"{_who(now)} reads {place} through the non-coherent cache (ld.global.nc, ldu), and thread {before.thread} wrote "
            "it before in this launch: no barrier reaches that cache, so it may read the old value"
        )
        return at("unsupported-instruction", text, (now, before), place, count)
    done = f"{_who(now)} {verb} {size} bytes at {place}"
    if kind == faults.OBJECT:
        return at("unsupported-instruction", f"{done}, the bytes of {_OBJECT}", (now,), place, count)
    if kind == faults.OUT_OF_BOUNDS:
        return at("out-of-bounds", done + _outside(place, address, size), (now,), place, count)
    if kind == faults.MISALIGNED:
        return at(
            "misaligned", f"{done}, which is not aligned to {width if now.action == 'copy' else size}", (now,), place, count
        )
    role = f", a tensor with role {place.region.role}" if place.region is not None and place.region.tensor >= 0 else ""
    return at("frame", f"{_who(now)} {verb} {place}{role}, outside the frame", (now,), place, count)


def _same(program: Program, launch: Launch, entry: Array) -> Finding:
    """A remark on two stores that nothing orders and that write the same value."""
    race = _finding(program, launch, entry)
    before, now = race.accesses
    place = f"{race.name}[{', '.join(map(str, race.index))}]" if race.index else f"{race.name}+{race.offset}"
    who = f"threads {before.thread} and {now.thread} of CTA {now.cta}"
    text = f"{who} write the same value to {race.space} memory {place} with nothing to order them: no race"
    return replace(race, kind="same-value", message=text, explanation=())


def _undecided(program: Program, launch: Launch, entry: Array, error: UnsupportedError | None) -> Finding:
    """Two stores that race unless they write the same value, which could not be told because of `error`."""
    race = _finding(program, launch, entry)
    text = f"{race.message}: a race unless both write the same value, which is not known ({error})"
    return replace(race, kind="unsupported-instruction", message=text)


def _orders_ctas(program: Program) -> bool:
    """Whether the kernel has accesses or fences that can order memory between CTAs."""
    return bool((np.isin(program.op, (Op.LD, Op.ST, Op.FENCE)) & (program.node == SYNCHRONIZES)).any())


def _outside(place: Location, address: int, size: int) -> str:
    if place.region is None:
        return ""
    offset = (address & ((1 << REGION_SHIFT) - 1)) - place.region.start
    if offset >= 0 and offset + size <= place.region.size:
        return ", which belong to no element"
    return f", outside the {place.region.size:,} bytes of {place.region.name}"


def _unwritten(launch: Launch, entry: Unwritten) -> Finding:
    tensor = launch.tensors[entry.tensor]
    index = tuple(int(i) for i in np.unravel_index(entry.first, tensor.shape))
    offset = sum(i * s for i, s in zip(index, tensor.strides, strict=True)) * tensor.itemsize
    where = f"{tensor.name}[{', '.join(map(str, index))}]"
    text = f"{entry.count:,} of {tensor.size:,} elements of {tensor.name} are never written, the first is {where}"
    return Finding("unwritten-output", text, (), "global", tensor.name, offset, index, entry.count)

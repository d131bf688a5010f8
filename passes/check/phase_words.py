"""What an explanation of a race says of mbarrier phases: the last one that both threads know to be complete, and which wait or
arrival would order the two accesses."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.ir.findings import Access, Step
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.mbarriers import OBJECT_BYTES
from volta_pipe.ir.program import Program
from volta_pipe.passes.check.memory import locate
from volta_pipe.passes.check.phase_history import History, Part, history


def phases_between(
    program: Program, launch: Launch, rows: tuple[int, int], before: Access, now: Access
) -> tuple[list[Step], list[Step]]:
    """(the last common phase, what would order the accesses) of two accesses of one CTA in the order in which they were met.
    rows: theirs. Both empty where the CTA has no mbarrier object, the second where no phase is near to ordering them."""
    if rows[0] == rows[1] or before.thread == now.thread:
        return [], []
    story = history(program, rows[0], {before.thread: rows[0], now.thread: rows[1]})
    if story is None:
        return [], []
    told = _Words(program, launch, story)
    of_objects = any(program.op[program.row_instr[row]] in MBARRIER for row in rows)  # which no phase of theirs could order
    return [told.common(before, now)], [] if of_objects else told.remedy(rows, before, now)


class _Words:
    def __init__(self, program: Program, launch: Launch, story: History) -> None:
        self.program, self.launch, self.story = program, launch, story

    def _object(self, place: int) -> str:
        at = locate(self.program, self.launch, place, OBJECT_BYTES)
        return f"the mbarrier object {at.name}+{at.offset}"

    def _phase(self, place: int, phase: int) -> str:
        return f"phase {phase} (parity {phase & 1}) of {self._object(place)}"

    def _instr(self, row: int) -> int:
        return int(self.program.row_instr[row])

    def common(self, before: Access, now: Access) -> Step:
        """The phase that was completed last of those that both know to be complete."""
        ends = []
        for place, count in self.story.known[before.thread].items():
            both = min(count, self.story.known[now.thread].get(place, 0))
            if both and (place, both - 1) in self.story.ends:
                ends.append((self.story.ends[place, both - 1], place, both - 1))
        if not ends:
            return Step("there is no phase of an mbarrier object that both knew to be complete before")
        row, place, phase = max(ends)
        return Step(f"the last phase that both knew to be complete: {self._phase(place, phase)}, completed", self._instr(row))

    def remedy(self, rows: tuple[int, int], before: Access, now: Access) -> list[Step]:
        """Which arrival of the first thread, and which wait of the second, would make one pair."""
        arrivals = [part for part in self.story.parts[before.thread] if part.op != Op.MBARRIER_WAIT]
        waits = [part for part in self.story.parts[now.thread] if part.op == Op.MBARRIER_WAIT and part.row < rows[1]]
        behind = [part for part in arrivals if part.row > rows[0] and self._counts(part, before)]
        late = [part for part in waits if self.story.ends.get((part.place, part.phase), -1) > rows[0]]
        for wait in reversed(late):
            met = _same_phase(behind, wait)
            if met:
                return self._relaxed(met[-1], wait, before, now)
        if late and not self._later(behind, late[-1]):
            return self._no_arrival(late[-1], arrivals, before, now)
        early = [part for part in waits if part.row > rows[0] and _same_phase(arrivals, part)]
        if early and not behind:
            return self._no_arrival(early[-1], arrivals, before, now)
        asked = {part.place for part in self.story.parts[now.thread] if part.op == Op.MBARRIER_WAIT}
        usable = [part for part in behind if not self._own_arrival_is_later(part, now, rows[1])]
        usable.sort(key=lambda part: (part.place not in asked, part.row))
        return self._no_wait(usable[0], waits, before, now) if usable else []

    def _counts(self, part: Part, before: Access) -> bool:
        """Whether an arrival can release the access: that of a copy only with the copies."""
        return before.action != "copy" or part.op == Op.MBARRIER_TRACK

    def _later(self, behind: Sequence[Part], wait: Part) -> bool:
        """Whether the first thread arrives at the object that the second waited for, in a later phase only."""
        return any(part.place == wait.place and part.phase > wait.phase for part in behind)

    def _own_arrival_is_later(self, part: Part, now: Access, row: int) -> bool:
        """Whether the phase cannot end before the second thread has done its access."""
        own = [
            other.row for other in self.story.parts[now.thread]
            if other.op != Op.MBARRIER_WAIT and (other.place, other.phase) == (part.place, part.phase)
        ]  # fmt: skip
        return bool(own) and min(own) > row

    def _relaxed(self, arrival: Part, wait: Part, before: Access, now: Access) -> list[Step]:
        """The two are a pair that orders no memory."""
        phase = self._phase(arrival.place, arrival.phase)
        steps = []
        if arrival.relaxed:
            text = f"thread {before.thread} arrives in {phase} behind its {before.action}, but .relaxed, which orders no memory"
            steps.append(Step(text, self._instr(arrival.row)))
        if wait.relaxed:
            text = f"thread {now.thread} waits for {phase} before its {now.action}, but .relaxed, which orders no memory"
            steps.append(Step(text, self._instr(wait.row)))
        return [*steps, Step("an arrival with .release and a wait with .acquire would order them")] if steps else []

    def _no_arrival(self, wait: Part, arrivals: Sequence[Part], before: Access, now: Access) -> list[Step]:
        """The second thread waits for a phase in which the first does not release its access."""
        phase = self._phase(wait.place, wait.phase)
        steps = [Step(f"thread {now.thread} waits for {phase} before its {now.action}", self._instr(wait.row))]
        mine = _same_phase(arrivals, wait)
        if mine and before.action == "copy":
            text = f"thread {before.thread} arrives in that phase, its copies do not"
            steps.append(Step(text, self._instr(mine[-1].row)))
            text = f"cp.async.mbarrier.arrive of thread {before.thread} behind the copy, or a wait for its copies "
            return [*steps, Step(f"{text}(cp.async.wait_group, wait_all) before it arrives, would order them")]
        if mine:
            text = f"thread {before.thread} arrives in that phase before its {before.action}, not behind it"
            steps.append(Step(text, self._instr(mine[-1].row)))
            return [*steps, Step(f"an arrival of thread {before.thread} behind its {before.action} would order them")]
        others = sorted(self.story.arrivals.get((wait.place, wait.phase), ()))
        steps.append(Step(f"thread {before.thread} does not arrive in that phase, {_threads(others)} did"))
        same = bool(others) and all(other // 32 == before.thread // 32 for other in others)
        barrier = "__syncwarp() (bar.warp.sync)" if same else "a barrier"
        text = f"an arrival of thread {before.thread} behind its {before.action}, or {barrier} between its {before.action} and "
        return [*steps, Step(f"{text}an arrival in that phase, would order them")]

    def _no_wait(self, arrival: Part, waits: Sequence[Part], before: Access, now: Access) -> list[Step]:
        """The first thread releases its access, and the second does not wait for that."""
        phase = self._phase(arrival.place, arrival.phase)
        steps = [Step(f"thread {before.thread} arrives in {phase} behind its {before.action}", self._instr(arrival.row))]
        there = [part for part in waits if part.place == arrival.place]
        if there:
            text = f"the last phase of it that thread {now.thread} waits for before its {now.action} is phase {there[-1].phase}"
            steps.append(Step(text, self._instr(there[-1].row)))
        else:
            steps.append(Step(f"thread {now.thread} waits for no phase of it before its {now.action}"))
        text = f"a wait of thread {now.thread} for phase {arrival.phase} (parity {arrival.phase & 1}) before its {now.action}"
        return [*steps, Step(f"{text} would order them")]


def _same_phase(parts: Sequence[Part], one: Part) -> list[Part]:
    return [part for part in parts if (part.place, part.phase) == (one.place, one.phase)]


def _threads(threads: Sequence[int]) -> str:
    if not threads:
        return "no thread"
    shown = ", ".join(str(thread) for thread in threads[:4])
    return f"thread{'s' * (len(threads) > 1)} {shown}" + (f" and {len(threads) - 4} more" if len(threads) > 4 else "")

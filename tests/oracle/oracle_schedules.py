"""All schedules of a tiny program, by the words of the PTX ISA and independent of the checker.

A barrier (PTX ISA 9.7.13.1): a thread waits for all threads of its warp that have not exited to execute the barrier; the warp
then arrives and counts 32, and threads at an arrive go on. With a count the barrier completes when it is reached, be there
somebody who waits or not, without one when all threads of the CTA that have not exited are there. Then those go on whose warps
arrived. bar.warp.sync (9.7.13.2): a thread waits until the threads that its mask names, other than those that have exited, wait
with the same mask. cp.async (9.7.9.25): a copy reads and writes some time between its issue and the end of the wait of its
thread that covers its group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from oracle_program import ACCESSES, INITIAL, Op, Program, conflict

Place = tuple[int, int]  # thread, number of its operation
Pending = frozenset[Place]  # operations at a barrier that has not completed
State = tuple[tuple[int, ...], Pending]  # next operation of each thread, pending


@dataclass
class Outcome:
    """What some schedule does. races, orders: pairs of conflicting accesses; deadlock: where each stuck thread is, of each;
    groups: the operations that completed a barrier together; by_exit: whether some of them cannot meet with others only because
    a thread exited; undefined: why the PTX ISA gives no meaning; finals: memory and
    loaded values at the ends (only where nothing else is wrong); states: how many were seen."""

    races: set[tuple[Place, Place]] = field(default_factory=set)
    orders: set[tuple[Place, Place]] = field(default_factory=set)
    deadlocks: set[tuple[int, ...]] = field(default_factory=set)
    groups: set[Pending] = field(default_factory=set)
    by_exit: bool = False
    undefined: set[str] = field(default_factory=set)
    executed: set[Place] = field(default_factory=set)
    finals: set[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=set)
    states: int = 0

    @property
    def ambiguous(self) -> bool:
        """Whether it depends on the schedule which operations meet at a barrier."""
        return sum(len(group) for group in self.groups) != len({place for group in self.groups for place in group})


def op_at(program: Program, place: Place) -> Op:
    return program.threads[place[0]][place[1]]


def exited(program: Program, pcs: tuple[int, ...], thread: int) -> bool:
    return pcs[thread] == len(program.threads[thread])


def ready(program: Program, state: State) -> list[int]:
    """Threads that can execute their next operation: neither exited nor waiting."""
    pcs, pending = state
    return [t for t, pc in enumerate(pcs) if pc < len(program.threads[t]) and (t, pc) not in pending]


def completed(program: Program, state: State, outcome: Outcome) -> State:
    """The state after all barriers that are complete have opened."""
    while True:
        arrived = _arrived(program, state)
        state = tuple(pc + 1 if t in arrived else pc for t, pc in enumerate(state[0])), state[1]
        group = _complete(program, state, outcome)
        if group is None:
            return state
        pcs, pending = state
        outcome.groups.add(group)
        waiting = {t for t, k in group if pcs[t] == k}
        state = tuple(pc + 1 if t in waiting else pc for t, pc in enumerate(pcs)), pending - group


def _arrived(program: Program, state: State) -> set[int]:
    """Threads that wait at an arrive and whose warp is there whole."""
    pcs, pending = state
    at = {t: op_at(program, (t, k)) for t, k in pending if pcs[t] == k}
    found = set()
    for t, op in at.items():
        mates = [u for u in range(len(pcs)) if program.warp(u) == program.warp(t) and not exited(program, pcs, u)]
        there = [u for u in mates if u in at and at[u].kind != "warpsync" and at[u].number == op.number]
        if op.kind == "arrive" and there == mates:
            found.add(t)
    return found


def _complete(program: Program, state: State, outcome: Outcome) -> Pending | None:
    pcs, pending = state
    for place in sorted(pending):
        op = op_at(program, place)
        if op.kind == "warpsync":
            missing = [u for u in program.named(place[0], op.mask) if not exited(program, pcs, u)]
            group = {(u, pcs[u]) for u in missing if (u, pcs[u]) in pending and op_at(program, (u, pcs[u])).kind == "warpsync"}
            if len(group) == len(missing) and all(op_at(program, p).mask == op.mask for p in group):
                _compare_masks(program, pcs, group, outcome)
                return frozenset(group)
        elif op.kind in ("sync", "arrive"):
            there = {p for p in pending if op_at(program, p).kind != "warpsync" and op_at(program, p).number == op.number}
            there = _whole(program, pcs, there)
            if place in there and _full(program, pcs, op.count, there):
                _look_at(program, there, outcome)
                return frozenset(there)
    return None


def _whole(program: Program, pcs: tuple[int, ...], there: set[Place]) -> set[Place]:
    """The operations of those warps all of whose threads are there."""
    here = {t for t, _ in there}
    missing = {program.warp(t) for t in range(len(pcs)) if t not in here and not exited(program, pcs, t)}
    return {(t, k) for t, k in there if program.warp(t) not in missing}


def _full(program: Program, pcs: tuple[int, ...], count: int, there: set[Place]) -> bool:
    here = {t for t, _ in there}
    if not count:
        return all(t in here for t in range(len(pcs)) if not exited(program, pcs, t))
    return 32 * len({program.warp(t) for t in here}) >= count


def _look_at(program: Program, there: set[Place], outcome: Outcome) -> None:
    """Aligned barriers are executed by all threads of a warp together: as one instruction. The CUDA programming guide wants as
    much of all threads of the block where __syncthreads, a barrier without a count, is in a branch."""
    ops = [(program.warp(t), op_at(program, (t, k))) for t, k in there]
    for warp, op in ops:
        others = {other.static for w, other in ops if w == warp or not op.count}
        if op.aligned and others != {op.static}:
            outcome.undefined.add("an aligned barrier is met at several instructions")


def _compare_masks(program: Program, pcs: tuple[int, ...], group: set[Place], outcome: Outcome) -> None:
    """The CUDA programming guide wants the threads that a mask names to execute the instruction with the same mask."""
    for place in group:
        op = op_at(program, place)
        for u in program.named(place[0], op.mask):
            if exited(program, pcs, u) and any(o.static == op.static and o.mask != op.mask for o in program.threads[u]):
                outcome.undefined.add("a thread waits for one that came to the instruction with another mask and exited")


def _arrive(program: Program, state: State, place: Place, outcome: Outcome) -> None:
    """Notes what is undefined when an operation comes to a barrier."""
    op = op_at(program, place)
    for other in state[1]:
        one = op_at(program, other)
        if one.kind == "warpsync" or one.number != op.number:
            continue
        if one.count != op.count:
            outcome.undefined.add("threads give different counts for a barrier")
        if program.warp(other[0]) == program.warp(place[0]) and (other[0] == place[0] or one.kind != op.kind):
            outcome.undefined.add("a warp arrives twice at a barrier")


def step(program: Program, state: State, thread: int, outcome: Outcome) -> State:
    """The thread executes its next operation."""
    pcs, pending = state
    place = (thread, pcs[thread])
    op = op_at(program, place)
    outcome.executed.add(place)
    if op.kind in ("sync", "arrive", "warpsync"):
        if op.kind != "warpsync":
            _arrive(program, state, place, outcome)
        pending = pending | {place}
    if op.kind not in ("sync", "arrive", "warpsync"):
        pcs = (*pcs[:thread], pcs[thread] + 1, *pcs[thread + 1 :])
    return completed(program, (pcs, pending), outcome)


def explore(program: Program) -> Outcome:
    """Runs all schedules: who can be where at the same time, and, where nothing is wrong, what memory holds at the end."""
    outcome = Outcome()
    start: State = ((0,) * len(program.threads), frozenset())
    seen, stack = {start}, [start]
    while stack:
        state = stack.pop()
        able = ready(program, state)
        if not able and not all(exited(program, state[0], t) for t in range(len(state[0]))):
            outcome.deadlocks.add(state[0])
        places = [(t, state[0][t]) for t in able] + under_way(program, state[0])
        for i, one in enumerate(places):
            for other in places[i + 1 :]:
                what = conflict(op_at(program, one), op_at(program, other))
                if what:
                    (outcome.races if what == "race" else outcome.orders).add((min(one, other), max(one, other)))
        for t in able:
            after = step(program, state, t, outcome)
            if after not in seen:
                seen.add(after)
                stack.append(after)
    outcome.states = len(seen)
    if not outcome.ambiguous:
        _unordered(program, outcome)
    if not (outcome.races or outcome.orders or outcome.deadlocks or outcome.undefined):
        waited = all(program.covering(t, k) < len(ops) for t, ops in enumerate(program.threads) for k in copies(ops))
        outcome.finals = {*_finals(program, False), *(_finals(program, True) if waited else ())}
    return outcome


def _unordered(program: Program, outcome: Outcome) -> None:
    """Adds the conflicting pairs that nothing orders. All pairs that some schedule executes side by side are among them; others
    are kept apart only because a barrier does not wait for threads that have exited, which orders no memory. Sets `by_exit`
    where rounds of one barrier are kept apart by nothing else."""
    after: dict[object, set[object]] = {}
    for t, k in ((t, k) for t, ops in enumerate(program.threads) for k in range(len(ops))):
        after.setdefault((t, k), set()).add((t, k + 1))
    for group in outcome.groups:
        for t, k in group:
            after[t, k].add(group)
            if op_at(program, (t, k)).kind != "arrive":
                after.setdefault(group, set()).add((t, k + 1))

    def end(place: Place) -> Place:
        """Where an access is over: for a copy at the wait that covers it."""
        return (place[0], program.covering(*place)) if op_at(program, place).kind == "copy" else place

    reached = {place: _reached(after, place) for place in outcome.executed}
    alone = {group for group in outcome.groups if _fills_alone(program, group)}
    for group in outcome.groups:
        behind, (some, *_) = set.intersection(*(_reached(after, member) for member in group)), group
        free = group.union(*alone) if group in alone else group  # such rounds are over when they begin, in any order
        for place in outcome.executed - free if op_at(program, some).kind in ("sync", "arrive") else ():
            if op_at(program, place).kind in ("sync", "arrive") and op_at(program, place).number == op_at(program, some).number:
                outcome.by_exit |= place not in behind and not reached[place] >= group
    places = sorted(outcome.executed)
    for i, one in enumerate(places):
        for other in places[i + 1 :]:
            what = conflict(op_at(program, one), op_at(program, other))
            if what and not any(b == end(a) or b in reached.get(end(a), ()) for a, b in ((one, other), (other, one))):
                (outcome.races if what == "race" else outcome.orders).add((one, other))
            elif (one, other) in outcome.races | outcome.orders:
                raise AssertionError(f"{one} and {other} are ordered and were side by side")


def _fills_alone(program: Program, group: Pending) -> bool:
    """Whether a barrier with a thread count was completed by one warp."""
    ops = [op_at(program, place) for place in group]
    return len({program.warp(t) for t, _ in group}) == 1 and all(op.kind != "warpsync" and op.count for op in ops)


def _reached(after: dict[object, set[object]], place: object) -> set[object]:
    found: set[object] = set()
    stack = [place]
    while stack:
        for node in after.get(stack.pop(), ()):
            if node not in found:
                found.add(node)
                stack.append(node)
    return found


def copies(ops: tuple[Op, ...]) -> list[int]:
    return [k for k, op in enumerate(ops) if op.kind == "copy"]


def under_way(program: Program, pcs: tuple[int, ...]) -> list[Place]:
    """Copies that were issued and that no wait is known to have ended."""
    return [
        (t, k)
        for t, ops in enumerate(program.threads)
        for k in range(pcs[t])
        if ops[k].kind == "copy" and program.covering(t, k) >= pcs[t]
    ]


def _finals(program: Program, late: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Memory and loaded values at the end of every schedule. late: copies copy at the wait, and not at their issue."""
    unused = Outcome()
    slots = {place: slot for slot, place in enumerate(program.loads())}
    start = ((0,) * len(program.threads), frozenset()), INITIAL, (0,) * len(slots)
    seen, stack = {start}, [start]
    while stack:
        state, memory, loaded = stack.pop()
        able = ready(program, state)
        if not able:
            yield memory, loaded
        for t in able:
            op = op_at(program, (t, state[0][t]))
            changed, held = memory, loaded
            if op.kind in ("copy", "wait"):
                ops = program.threads[t]
                done = [c for c in range(len(ops)) if ops[c].kind == "copy" and program.covering(t, c) == state[0][t]]
                for copy in [ops[c] for c in done] if late else [op] if op.kind == "copy" else []:
                    bytes_read = changed[copy.source : copy.source + copy.size]
                    changed = (*changed[: copy.at], *bytes_read, *changed[copy.at + copy.size :])
            elif op.kind == "ld":
                slot = slots[t, state[0][t]]
                held = (*loaded[:slot], _word(memory, op), *loaded[slot + 1 :])
            elif op.kind in ACCESSES:
                old = _word(memory, op)
                new = op.value if op.kind == "st" else max(old, op.value) if op.kind == "max" else old + op.value
                data = (new % (1 << 8 * op.size)).to_bytes(op.size, "little")
                changed = (*memory[: op.at], *data, *memory[op.at + op.size :])
            after = step(program, state, t, unused), changed, held
            if after not in seen:
                seen.add(after)
                stack.append(after)


def _word(memory: tuple[int, ...], op: Op) -> int:
    return int.from_bytes(bytes(memory[op.at : op.at + op.size]), "little")

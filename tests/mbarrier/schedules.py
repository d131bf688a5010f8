"""All schedules of a tiny program at one barrier object, by the definitions of PTX ISA 9.7.13.15 and nothing else.

Threads take steps in any order; a wait takes its step when its phase is complete (a false answer changes nothing). An
asynchronous copy is an agent of its own thread: its arrival is a step that may come at any time after its issue. What is
ordered is kept as sets of steps in vector clocks, per schedule."""

from __future__ import annotations

from dataclasses import dataclass, field

# ("st" | "ld" | "copy", word), ("arrive", count), ("arrive_relaxed",), ("drop",), ("expect", bytes), ("expect_arrive", bytes),
# ("deliver", bytes), ("wait" | "wait_relaxed", parity), ("track",), ("track_counted",)
Step = tuple[str, int]
Clock = tuple[int, ...]


@dataclass
class Verdict:
    """Over all schedules: whether one has a race, a deadlock, something undefined; the phases that each step was in."""

    race: bool = False
    deadlock: bool = False
    undefined: bool = False
    phases: dict[tuple[int, int], set[int]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether each step is of one phase on all schedules."""
        return all(len(phases) <= 1 for phases in self.phases.values())


@dataclass(frozen=True)
class State:
    """Counts of the object; by thread where it is; by thread and then agent what is known of each; what the phase under way and
    the last one told; accesses as (word, who, number, writes); arrivals that copies have to make (thread, copies)."""

    pending: int
    expected: int
    tx: int
    phase: int
    at: Clock
    clocks: tuple[Clock, ...]
    told: Clock
    ended: Clock
    accesses: frozenset[tuple[int, int, int, bool]]
    flying: tuple[tuple[int, int], ...]


def join(a: Clock, b: Clock) -> Clock:
    return tuple(map(max, a, b))


class Schedules:
    """Explores the schedules of `threads`, each a list of steps, at an object with so many expected arrivals."""

    def __init__(self, threads: list[list[Step]], count: int) -> None:
        self.threads, self.count = threads, len(threads)
        self.verdict = Verdict()
        zero = (0,) * (2 * self.count)
        start = State(count, count, 0, 0, (0,) * self.count, (zero,) * self.count, zero, zero, frozenset(), ())
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            for after in self.steps(state):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)

    def steps(self, state: State) -> list[State]:
        """The states that may follow; none after something undefined."""
        found, blocked, tried = [], False, bool(state.flying)
        for t, steps in enumerate(self.threads):
            if state.at[t] == len(steps):
                continue
            kind, value = steps[state.at[t]]
            if kind.startswith("wait") and state.phase & 1 == value:
                blocked = True
                continue
            tried = True
            self.verdict.phases.setdefault((t, state.at[t]), set())
            after = self.step(state, t, kind, value)
            if after is not None:
                found.append(after)
        for k, (t, copies) in enumerate(state.flying):
            rest = state.flying[:k] + state.flying[k + 1 :]
            told = list(state.told)
            told[self.count + t] = max(told[self.count + t], copies)
            after = self.count_down(state, 1, 0, tuple(told), flying=rest)
            if after is not None:
                found.append(after)
        if blocked and not tried:
            self.verdict.deadlock = True
        return found

    def step(self, state: State, t: int, kind: str, value: int) -> State | None:
        clocks = list(state.clocks)
        mine = list(clocks[t])
        mine[t] += 1
        at = tuple(place + (u == t) for u, place in enumerate(state.at))
        clocks[t] = tuple(mine)
        if kind in ("st", "ld", "copy"):
            who, number = (self.count + t, state.at[t] + 1) if kind == "copy" else (t, mine[t])
            for word, other, when, writes in state.accesses:
                if word == value and other != t and (writes or kind != "ld") and when > state.clocks[t][other]:
                    self.verdict.race = True
            accesses = state.accesses | {(value, who, number, kind != "ld")}
            return self.made(state, at=at, clocks=tuple(clocks), accesses=accesses)
        place = (t, state.at[t])
        if kind.startswith("wait"):
            self.verdict.phases[place].add(state.phase - 1)
            if kind == "wait":
                clocks[t] = join(clocks[t], state.ended)
            return self.made(state, at=at, clocks=tuple(clocks))
        self.verdict.phases[place].add(state.phase)
        if kind in ("track", "track_counted"):
            pending = state.pending + (kind == "track_counted")
            flying = tuple(sorted([*state.flying, (t, state.at[t] + 1)]))
            return self.made(state, at=at, clocks=tuple(clocks), flying=flying, pending=pending)
        told = join(state.told, clocks[t]) if kind in ("arrive", "drop", "expect_arrive") else state.told
        arrivals = {"arrive": value, "arrive_relaxed": 1, "drop": 1, "expect_arrive": 1}.get(kind, 0)
        tx = {"expect": value, "expect_arrive": value, "deliver": -value}.get(kind, 0)
        moved = self.made(state, at=at, clocks=tuple(clocks), expected=state.expected - (kind == "drop"))
        return self.count_down(moved, arrivals, tx, told)

    def count_down(self, state: State, arrivals: int, tx: int, told: Clock, **more: object) -> State | None:
        pending, left = state.pending - arrivals, state.tx + tx
        if pending < 0 or state.expected < 0:
            self.verdict.undefined = True
            return None
        if pending == 0 and left == 0:
            zero = (0,) * len(told)
            return self.made(state, pending=state.expected, tx=0, phase=state.phase + 1, told=zero, ended=told, **more)
        return self.made(state, pending=pending, tx=left, told=told, **more)

    @staticmethod
    def made(state: State, **changes: object) -> State:
        return State(**{**state.__dict__, **changes})  # type: ignore[arg-type]

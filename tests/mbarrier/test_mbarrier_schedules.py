"""Random programs of two or three threads at one barrier object against all their schedules (schedules.py).

What the tool says without reservation must hold on every schedule, and what it calls wrong must be wrong on one. A refusal
(what phase something is in is not settled) says nothing, and is counted. `python tests/mbarrier/test_mbarrier_schedules.py N`
tries N."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unroll"))

from mbarrier_kernels import messages, run, wait
from schedules import Schedules, Step

from volta_pipe.ir.findings import UNSUPPORTED_KINDS

PTX = {
    "st": "st.shared.u32 [%r41+{0}], %r50;",
    "ld": "ld.shared.u32 %r2, [%r41+{0}];",
    "copy": "cp.async.ca.shared.global [%r41+{0}], [%ax], 4;",
    "arrive": "mbarrier.arrive.shared.b64 _, [%r40], {0};",
    "arrive_relaxed": "mbarrier.arrive.relaxed.cta.shared.b64 _, [%r40];",
    "drop": "mbarrier.arrive_drop.shared.b64 _, [%r40];",
    "expect": "mbarrier.expect_tx.shared::cta.b64 [%r40], {0};",
    "expect_arrive": "mbarrier.arrive.expect_tx.shared.b64 _, [%r40], {0};",
    "deliver": "mbarrier.complete_tx.shared::cta.b64 [%r40], {0};",
    "track": "cp.async.mbarrier.arrive.noinc.shared.b64 [%r40];",
    "track_counted": "cp.async.mbarrier.arrive.shared.b64 [%r40];",
}
FLAVOURS = {
    "plain": ["st", "ld", "arrive", "arrive", "wait", "wait"],
    "relaxed": ["st", "ld", "arrive", "arrive_relaxed", "wait", "wait_relaxed"],
    "bytes": ["st", "ld", "arrive", "expect", "expect_arrive", "deliver", "deliver", "wait"],
    "copies": ["st", "ld", "copy", "track", "track_counted", "arrive", "wait"],
    "drop": ["ld", "arrive", "drop", "wait"],
}


def draw(rng: random.Random) -> tuple[list[list[Step]], int]:
    """Threads and expected arrivals. Half of the programs go through phases in step, so that many are right."""
    kinds = FLAVOURS[rng.choice(list(FLAVOURS))]
    threads: list[list[Step]] = []
    count = rng.choice([2, 2, 3])
    orderly = rng.random() < 0.7
    for _ in range(count):
        steps: list[Step] = []
        phase = 0
        for _ in range(rng.randint(1, 5 if count == 2 else 4)):
            kind = rng.choice(kinds)
            value = {"st": 0, "ld": 0, "copy": 0}.get(kind, 1)
            if kind in ("st", "ld", "copy"):
                value = rng.choice([0, 0, 4])
            elif kind in ("expect", "expect_arrive", "deliver"):
                value = rng.choice([4, 4, 8])
            elif kind == "arrive":
                value = rng.choice([1, 1, 1, 2])
            elif kind.startswith("wait"):
                value = phase & 1 if orderly else rng.choice([0, 1])
                phase += 1
            steps.append((kind, value))
        if orderly and rng.random() < 0.6 and not any(kind.startswith("arrive") for kind, _ in steps):
            steps.insert(rng.randint(0, len(steps)), ("arrive", 1))
        threads.append(steps)
    need = sum(value for steps in threads for kind, value in steps if kind == "arrive")
    return threads, rng.choice([max(1, need), max(1, need // 2), rng.randint(1, count), count])


def draw_phases(rng: random.Random) -> tuple[list[list[Step]], int]:
    """Programs as people write them, access, arrive, wait, access, for one or two phases, with at most one step changed."""
    count = rng.choice([2, 2, 3])
    phases = rng.choice([1, 2]) if count == 2 else 1
    copies = rng.random() < 0.4
    threads: list[list[Step]] = []
    for t in range(count):
        steps: list[Step] = []
        for phase in range(phases):
            if rng.random() < 0.6:
                kind = rng.choice(["st", "ld", "copy"] if copies else ["st", "ld"])
                steps.append((kind, 4 * (t & 1) if rng.random() < 0.7 else rng.choice([0, 4])))
            arrive = rng.choice(
                ["arrive", "arrive", "expect_arrive", "expect"] if not copies else ["track", "track_counted", "arrive"]
            )
            if arrive == "expect":
                steps += [("expect", 4), ("deliver", 4)]
            steps.append(
                (arrive if arrive not in ("track_counted", "expect") else "arrive", 4 if arrive == "expect_arrive" else 1)
            )
            if arrive == "track_counted":
                steps.insert(-1, ("track_counted", 1))
            if arrive == "expect_arrive":
                steps.append(("deliver", 4))
            if phase < phases - 1 or rng.random() < 0.8:
                steps.append(("wait", phase & 1))
            if rng.random() < 0.5:
                steps.append((rng.choice(["ld", "ld", "st"]), rng.choice([0, 4])))
        threads.append(steps)
    if rng.random() < 0.5:
        steps = rng.choice(threads)
        place = rng.randrange(len(steps))
        change = rng.choice(["drop", "swap", "relax", "count"])
        if change == "swap" and place:
            steps[place - 1 : place + 1] = [steps[place], steps[place - 1]]
        elif change == "relax" and steps[place][0] in ("arrive", "wait"):
            steps[place] = (steps[place][0] + "_relaxed", steps[place][1])
        elif change == "drop":
            del steps[place]
        elif steps[place][0] == "arrive":
            steps[place] = ("drop", 1)
    return threads, count


def body(threads: list[list[Step]], count: int) -> str:
    """A branch for each thread."""
    text = f"@%p1 mbarrier.init.shared.b64 [%r40], {count}; bar.sync 0;"
    for t in range(len(threads)):
        text += f"setp.eq.u32 %p4, %r50, {t}; @%p4 bra T{t};"
    for t, steps in enumerate(threads):
        text += f"bra OUT; T{t}:"
        for kind, value in steps:
            if kind.startswith("wait"):
                text += wait(str(value), form="test_wait.parity" + ".relaxed.cta" * (kind == "wait_relaxed"))
            else:
                text += PTX[kind].format(value)
    return text + "OUT:"


def examine(seed: int) -> str:
    """What came of one program. Errors: AssertionError where the tool is wrong."""
    rng = random.Random(seed)
    threads, count = draw_phases(rng) if seed % 2 else draw(rng)
    outcome = run(body(threads, count), len(threads))
    truth = Schedules(threads, count).verdict
    kinds = set(outcome.kinds)
    where = f"seed {seed}: {threads} at {count}: {truth}\n{messages(outcome)}"
    if "race" in kinds:
        assert truth.race, where
    if "deadlock" in kinds:
        assert truth.deadlock, where
    if kinds and kinds <= set(UNSUPPORTED_KINDS):
        good = not (truth.race or truth.deadlock or truth.undefined) and truth.settled
        return "refused although settled" if good else "refused"
    if not kinds:
        assert not truth.race and not truth.deadlock and not truth.undefined, where
        assert truth.settled, where
        return "safe"
    return "race" if "race" in kinds else "deadlock"


def test_three_hundred_programs() -> None:
    found = Counter(examine(seed) for seed in range(300))
    assert all(found[kind] >= 15 for kind in ("safe", "race", "deadlock", "refused")), found


if __name__ == "__main__":
    tried = Counter(examine(seed) for seed in range(1000, 1000 + int(sys.argv[1])))
    print(dict(tried))

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
    threads, count = draw(random.Random(seed))
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

"""Kernels that misuse barrier objects: races, deadlocks with their reason, and what PTX ISA 9.7.13.15 leaves undefined."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import pytest
from mbarrier_kernels import ARRIVE, init, messages, run, wait

PUT = "st.shared.u32 [%r42], %r49;"
MIRROR = "sub.u32 %r45, 31, %r50; shl.b32 %r45, %r45, 2; add.u32 %r45, %r45, %r41; ld.shared.u32 %r1, [%r45];"
TRACK = "cp.async.ca.shared.global [%r42], [%ax], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r40];"
NOINC = "cp.async.mbarrier.arrive.noinc.shared.b64 [%r40];"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        pytest.param(init(32) + PUT + ARRIVE + MIRROR, "s+", id="missing wait"),
        pytest.param(init(32) + PUT + wait("1") + MIRROR + ARRIVE, "s+", id="wrong parity, which passes at once"),
        pytest.param(init(32) + ARRIVE + PUT + wait("0") + MIRROR, "s+", id="arrival before the store"),
        pytest.param(init(32, barrier="") + PUT + ARRIVE + wait("0") + MIRROR, "bar+0", id="missing barrier behind init"),
        pytest.param(init(32) + PUT + "mbarrier.arrive.relaxed.cta.shared.b64 _, [%r40];" + wait("0") + MIRROR, "s+", id="relaxed arrival"),
        pytest.param(init(32) + PUT + ARRIVE + wait("0", form="test_wait.parity.relaxed.cta") + MIRROR, "s+", id="relaxed wait"),
        pytest.param(init(32) + PUT + ARRIVE + wait("0") + MIRROR + PUT, "s+", id="stored again behind the read"),
        pytest.param(init(1) + PUT + "@%p1 " + ARRIVE + wait("0") + MIRROR, "s+", id="one arrives for all"),
        pytest.param(init(16) + PUT + "setp.lt.u32 %p4, %r50, 16; @%p4 " + ARRIVE + wait("0") + MIRROR, "s+", id="half arrive"),
        pytest.param(init(32) + PUT + ARRIVE + wait("0") + "@%p1 mbarrier.inval.shared.b64 [%r40];", "bar+0", id="inval too soon"),
        pytest.param(init(32) + TRACK + MIRROR + wait("0"), "s+", id="copies not waited for"),
        pytest.param(init(32) + PUT + NOINC + wait("0") + MIRROR, "s+", id="copies arrive, stores do not"),
        pytest.param(init(32) + NOINC + "cp.async.ca.shared.global [%r42], [%ax], 4;" + wait("0") + MIRROR, "s+", id="copied behind the arrival"),
        pytest.param(init(32) + TRACK + PUT + wait("0") + MIRROR, "s+", id="stored over a copy under way"),
        pytest.param(init(64) + TRACK + ARRIVE + "bar.sync 0;" + MIRROR + wait("0"), "s+", id="barrier instead of wait"),
        pytest.param(init(32) + "cp.async.ca.shared.global [%r42], [%ax], 4; cp.async.wait_all;" + NOINC + MIRROR, "s+", id="own copies only"),
    ],
)  # fmt: skip
def test_races(body: str, names: str) -> None:
    outcome = run(body)
    races = [finding for finding in outcome.report.findings if finding.kind == "race"]
    assert races and outcome.kinds[0] == "race", messages(outcome)
    assert any(f"{finding.name}+{finding.offset}".startswith(names) for finding in races), messages(outcome)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(init(32) + TRACK + wait("0") + MIRROR + "bar.sync 0;" + PUT, id="stored behind a barrier"),
        pytest.param(init(32) + TRACK + "cp.async.wait_all; ld.shared.u32 %r2, [%r42];" + wait("0") + MIRROR, id="own copy read first"),
        pytest.param(init(32) + "cp.async.ca.shared.global [%r42], [%ax], 4; cp.async.wait_all; bar.sync 0;" + MIRROR + NOINC + wait("0"), id="groups and barrier"),
        pytest.param(init(32) + TRACK + wait("0") + "bar.warp.sync -1;" + MIRROR + "@%p1 mbarrier.inval.shared.b64 [%r40];", id="ordered by the phase"),
        pytest.param(init(2) + "setp.eq.u32 %p4, %r50, 1; @%p4 bra TWO; @!%p1 bra OUT; st.shared.u32 [%r41], 5;" + ARRIVE + "bra OUT; TWO: " + ARRIVE + wait("0") + "ld.shared.u32 %r1, [%r41]; OUT:", id="split arrival and wait"),
        pytest.param(init(1, "%r39", "") + init(1) + "setp.eq.u32 %p4, %r50, 1; setp.eq.u32 %p5, %r50, 2; @%p4 bra TWO; @%p5 bra THREE; @!%p1 bra OUT; st.shared.u32 [%r41], 5;" + ARRIVE + "bra OUT; TWO: " + wait("0") + "mbarrier.arrive.shared.b64 _, [%r39]; bra OUT; THREE: " + wait("0", "%r39") + "ld.shared.u32 %r1, [%r41]; OUT:", id="over two objects"),
    ],
)  # fmt: skip
def test_what_is_ordered_is_no_race(body: str) -> None:
    outcome = run(body)
    assert outcome.kinds == [], messages(outcome)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (init(33) + ARRIVE + wait("0"), ("32 threads wait", "phase 0 (parity 0) of the mbarrier object bar+0", "1 of 33 arrivals are pending", "tx-count is 0")),
        (init(32) + "@%p1 mbarrier.expect_tx.shared::cta.b64 [%r40], 16;" + ARRIVE + wait("0"), ("0 of 32 arrivals are pending and its tx-count is 16",)),
        (init(32) + ARRIVE + wait("1"), ("for phase 1 (parity 1) of the mbarrier object bar+0, which is under way",)),
        (init(32) + ARRIVE + wait("0") + wait("1"), ("phase 1 (parity 1) of the mbarrier object bar+0", "32 of 32 arrivals are pending")),
        (init(32, "%r39") + "mbarrier.arrive.shared.b64 _, [%r39];" + wait("0", "%r39") + init(1) + wait("0"), ("the mbarrier object bar+0",)),
        (init(32) + "@%p1 bra OUT;" + ARRIVE + wait("0") + "OUT:", ("31 threads wait", "the first is thread 1", "1 threads have exited")),
        (init(32) + "@%p1 bra B;" + ARRIVE + wait("0") + "B: bar.sync 0;", ("1 threads wait at barrier 0", "31 threads wait for phase 0")),
    ],
)  # fmt: skip
def test_deadlocks_say_who_waits_for_what(body: str, says: tuple[str, ...]) -> None:
    outcome = run(body)
    assert outcome.kinds == ["deadlock"]
    for part in says:
        assert part in messages(outcome)
    finding = outcome.report.findings[0]
    assert finding.space == "shared" and finding.name in ("bar", "bar2")


def test_a_cycle_over_two_objects_is_a_deadlock() -> None:
    """Thread 0 waits for 1's arrival before its own, and the other way round."""
    body = "@%p1 mbarrier.init.shared.b64 [%r39], 1;" + init(1) + "setp.eq.u32 %p4, %r50, 1; @%p4 bra TWO; @!%p1 bra OUT;"
    body += wait("0") + "mbarrier.arrive.shared.b64 _, [%r39]; bra OUT; TWO:" + wait("0", "%r39") + ARRIVE + "OUT:"
    outcome = run(body)
    assert outcome.kinds == ["deadlock"]
    assert "bar+0" in messages(outcome) and "bar2+0" in messages(outcome)


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (ARRIVE, "uninitialized-read", "there is no mbarrier object"),
        (init(32) + "bar.sync 0; st.shared.u32 [%r40], 0; bar.sync 0;" + ARRIVE, "uninitialized-read", "overwritten"),
        (init(32) + "@%p1 mbarrier.inval.shared.b64 [%r40]; bar.sync 0;" + ARRIVE, "uninitialized-read", "invalidated"),
        (init(32) + "@%p1 mbarrier.init.shared.b64 [%r40], 32;", "unsupported-instruction", "was not invalidated"),
        (init(0), "unsupported-instruction", "out of range"),
        (init(1 << 20), "unsupported-instruction", "out of range"),
        (init(32) + "mbarrier.arrive.shared.b64 _, [%r40], 0;", "unsupported-instruction", "out of range"),
        (init(8) + "mbarrier.arrive.shared.b64 _, [%r40], 9;", "unsupported-instruction", "more arrive"),
        (init(32) + "mbarrier.expect_tx.shared::cta.b64 [%r40], 1048575;", "unsupported-instruction", "out of range"),
        (init(32) + wait("2"), "unsupported-instruction", "out of range"),
        (init(1) + "@%p1 mbarrier.arrive.noComplete.shared.b64 _, [%r40], 1;", "unsupported-instruction", ".noComplete completes"),
        (init(32) + "mbarrier.arrive.shared.b64 _, [%r40+4];", "misaligned", "no multiple of 8"),
        (init(32) + "mbarrier.arrive.shared.b64 _, [%r40+4096];", "out-of-bounds", "shared memory"),
        (init(32) + "mbarrier.arrive.b64 _, [%rd_y];", "out-of-bounds", "shared memory"),
        (init(32) + "mbarrier.arrive.shared.b64 %rd2, [%r40];" + wait("%rd2", "%r39", "test_wait"), "uninitialized-read", "no mbarrier object"),
        ("@%p1 mbarrier.init.shared.b64 [%r39], 32;" + init(32) + "mbarrier.arrive.shared.b64 %rd2, [%r40];" + wait("%rd2", "%r39", "test_wait"), "unsupported-instruction", "token"),
        (init(32) + "mbarrier.arrive.shared.b64 %rd2, [%r40];" + wait("0") + ARRIVE + wait("1") + wait("%rd2", form="test_wait"), "unsupported-instruction", "token"),
    ],
)  # fmt: skip
def test_what_is_undefined(body: str, kind: str, says: str) -> None:
    outcome = run(body)
    assert kind in outcome.kinds, messages(outcome)
    assert any(f.kind == kind and says in f.message for f in outcome.report.findings), messages(outcome)


@pytest.mark.parametrize(
    "access",
    [
        "ld.shared.u32 %r2, [%r40];",
        "st.shared.u8 [%r40+7], %r2;",
        "red.shared.add.u32 [%r40+4], 1;",
        "cp.async.ca.shared.global [%r40], [%ax], 8;",
    ],
)
def test_bytes_of_an_object_that_is_there_are_not_accessed(access: str) -> None:
    """Even where a barrier orders the access: by one thread, after everything else."""
    outcome = run(init(32) + ARRIVE + wait("0") + "bar.sync 0; @!%p1 bra OUT;" + access + "OUT:")
    assert "the bytes of the mbarrier object" in messages(outcome)
    body = (
        init(32) + ARRIVE + wait("0") + "bar.sync 0; @!%p1 bra OUT; mbarrier.inval.shared.b64 [%r40]; st.shared.u64 [%r40], 0;"
    )
    assert run(body + access + "cp.async.wait_all; OUT:").kinds == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(init(32) + ARRIVE + ARRIVE + wait("1"), id="nobody waits between two phases"),
        pytest.param(init(16) + PUT + ARRIVE + wait("0"), id="half as many arrivals as there are threads"),
        pytest.param(init(1) + "@!%p1 bra A;" + ARRIVE + wait("0") + ARRIVE + "A:" + wait("0"), id="a phase that may be missed"),
        pytest.param(init(32) + "@!%p1 bra A; mbarrier.complete_tx.shared::cta.b64 [%r40], 8; A:" + ARRIVE + "@%p1 mbarrier.expect_tx.shared::cta.b64 [%r40], 8;" + wait("0"), id="expected after the arrival"),
        pytest.param(init(32) + ARRIVE + wait("0") + ARRIVE + ARRIVE.replace("arrive", "arrive.noComplete").replace("]", "], 1"), id="more arrivals than the phase has"),
    ],
)  # fmt: skip
def test_phases_that_depend_on_the_schedule_are_refused(body: str) -> None:
    outcome = run(body)
    assert "unsupported-instruction" in outcome.kinds or "deadlock" in outcome.kinds, messages(outcome)


@pytest.mark.parametrize(
    "text",
    [
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r40];",
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r40], 4;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r41], [%ax], 16, [%r40];",
    ],
)
def test_what_is_left_out_is_named(text: str) -> None:
    outcome = run(init(32) + text)
    assert outcome.kinds == ["unsupported-instruction"]
    assert text.partition(" ")[0] in messages(outcome)

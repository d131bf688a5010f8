"""What findings say of mbarrier phases, of barriers at which threads only arrive, and of groups of copies: each expected line
is worked out from the kernel by hand."""

from __future__ import annotations

from pathlib import Path

from test_explanations import found, told

# Two objects behind the words that the threads use; `wait` asks until the phase of a parity is complete.
FULL, EMPTY = "[s+256]", "[s+264]"
OF_FULL, OF_EMPTY = "of the mbarrier object s+256", "of the mbarrier object s+264"
NOW = "which is under way: "
READ, WRITE = "ld.shared.u32 %v, [s];", "st.shared.u32 [s], 7;"
# %p: threads 0-31; %q: thread 0.


def init(full: int, empty: int = 0) -> tuple[str, ...]:
    """Thread 0 makes the objects and all meet. Three lines of the body."""
    second = f"@%q mbarrier.init.shared.b64 {EMPTY}, {empty};" if empty else ""
    return f"@%q mbarrier.init.shared.b64 {FULL}, {full};", second, "bar.sync 0;"


def wait(parity: int, name: str, at: str = FULL) -> str:
    return f"{name}: {{ .reg .pred d; mbarrier.test_wait.parity.shared.b64 d, {at}, {parity}; @!d bra {name}; }}"


def arrive(at: str = FULL) -> str:
    return f"mbarrier.arrive.shared.b64 _, {at};"


def test_a_deadlock_names_phase_counts_and_who_arrived(tmp_path: Path) -> None:
    # 65 arrivals are expected, 64 threads arrive and wait; nobody has another arrival before him.
    finding = found(tmp_path, *init(65), arrive(), wait(0, "A"))
    assert finding["kind"] == "deadlock" and finding["address"]["name"] == "s" and finding["address"]["offset"] == 256
    assert told(finding) == [
        (f"threads 0-63 wait for phase 0 (parity 0) {OF_FULL}, {NOW}1 of 65 arrivals are pending and its tx-count is 0", 4),
        ("in phase 0 of s+256 threads 0-63 arrived, the last of them", 3),
        ("no thread that has not exited comes to an instruction that could still complete phase 0", -1),
    ]  # fmt: skip


def test_a_deadlock_of_the_second_phase_counts_phases_and_bytes(tmp_path: Path) -> None:
    # Phase 0 ends with 64 arrivals. Thread 0 expects 48 bytes in phase 1, which nobody delivers; warp 1 has returned, and
    # the 32 others arrive twice each.
    body = (*init(64), arrive(), wait(0, "A"), "@!%p bra OUT;",
            "@%q mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s+256], 48;",
            "bar.warp.sync -1;", "mbarrier.arrive.shared.b64 %o, [s+256], 2;", wait(1, "B"), "OUT:")  # fmt: skip
    assert told(found(tmp_path, *body)) == [
        (f"threads 0-31 wait for phase 1 (parity 1) {OF_FULL}, which is under way: 0 of 64 arrivals are pending "
         "and its tx-count is 48", 9),
        ("in phase 1 of s+256 threads 0-31 arrived, the last of them", 8),
        ("no thread that has not exited comes to an instruction that could still complete phase 1", -1),
        ("threads 32-63 have exited", -1),
    ]  # fmt: skip


def test_a_cycle_names_who_could_still_arrive(tmp_path: Path) -> None:
    # Warp 0 waits for `full` before it arrives at `empty`, warp 1 the other way round.
    body = (
        *init(32, 32),
        "@%p bra LOW;",
        wait(0, "B", EMPTY),
        arrive(),
        "bra OUT;",
        "LOW:",
        wait(0, "A"),
        arrive(EMPTY),
        "OUT:",
    )
    lines = told(found(tmp_path, *body))
    state = "which is under way: 32 of 32 arrivals are pending and its tx-count is 0"
    assert lines == [
        (f"threads 0-31 wait for phase 0 (parity 0) {OF_FULL}, {state}", 8),
        (f"threads 32-63 wait for phase 0 (parity 0) {OF_EMPTY}, {state}", 4),
        ("in phase 0 of s+256 nobody arrived", -1),
        ("by the branches of the code threads 0-31, who cannot go on, could still arrive at it or another mbarrier object", 9),
        ("by the branches of the code threads 32-63, who cannot go on, could still arrive at it or another mbarrier object", 5),
        ("in phase 0 of s+264 nobody arrived", -1),
        ("by the branches of the code threads 0-31, who cannot go on, could still arrive at it or another mbarrier object", 9),
        ("by the branches of the code threads 32-63, who cannot go on, could still arrive at it or another mbarrier object", 5),
    ]


def test_a_deadlock_at_a_numbered_barrier_says_who_arrived(tmp_path: Path) -> None:
    finding = found(tmp_path, "@%p bra LOW;", "bar.arrive 1, 96;", "bra OUT;", "LOW:", "bar.sync 1, 96;", "OUT:")
    assert told(finding) == [
        ("threads 0-31 wait at barrier 1, which opens for 96 threads: 64 have come, threads 32-63 of them by bar.arrive", 4),
        ("threads 32-63 have exited", -1),
    ]


def test_a_deadlock_at_a_barrier_that_arrivals_had_filled_says_so(tmp_path: Path) -> None:
    # Of two ways the one where the condition is true is gone first.
    body = ("not.pred %p, %p; @%p bra HIGH;", "bar.sync 1, 64;", "bra OUT;", "HIGH:", "bar.arrive 1, 32;", "OUT:")
    assert told(found(tmp_path, *body)) == [
        ("threads 0-31 wait at barrier 1, which opens for 64 threads: 32 have come", 1),
        ("before, arrivals alone filled barrier 1, and it began anew: they do not count", 4),
        ("threads 32-63 have exited", -1),
    ]


def test_a_race_without_a_wait_names_the_phase_to_wait_for(tmp_path: Path) -> None:
    # All know phase 0. Thread 0 writes and arrives in phase 1, warp 1 reads after its wait for phase 0.
    body = (
        *init(64),
        arrive(),
        wait(0, "A"),
        "@!%p bra HIGH;",
        f"@%q {WRITE}",
        arrive(),
        "bra OUT;",
        "HIGH:",
        arrive(),
        READ,
        "OUT:",
    )
    finding = found(tmp_path, *body)
    assert finding["kind"] == "race"
    assert [a["action"] for a in finding["accesses"]] == ["write", "read"]
    assert finding["accesses"][0]["thread"] == 0 and finding["accesses"][1]["thread"] == 32
    assert told(finding) == [
        ("the last barrier that both waited at before: barrier 0 of the CTA", 2),
        (f"the last phase that both knew to be complete: phase 0 (parity 0) {OF_FULL}, completed", 3),
        (f"thread 0 arrives in phase 1 (parity 1) {OF_FULL} behind its write", 7),
        ("the last phase of it that thread 32 waits for before its read is phase 0", 4),
        ("a wait of thread 32 for phase 1 (parity 1) before its read would order them", -1),
    ]


def test_a_race_without_an_arrival_names_who_did(tmp_path: Path) -> None:
    # 32 lanes store, lane 0 alone arrives.
    body = (*init(1), "@!%p bra HIGH;", "st.shared.u32 [%i], %t;", f"@%q {arrive()}", "bra OUT;", "HIGH:", wait(0, "A"),
            "ld.shared.u32 %v, [%i-124];", "OUT:")  # fmt: skip
    finding = found(tmp_path, *body)
    assert finding["kind"] == "race"
    writer, reader = (a["thread"] for a in finding["accesses"])
    assert 0 < writer < 32 and reader == writer + 31
    assert told(finding)[1:] == [
        ("there is no phase of an mbarrier object that both knew to be complete before", -1),
        (f"thread {reader} waits for phase 0 (parity 0) {OF_FULL} before its read", 8),
        (f"thread {writer} does not arrive in that phase, thread 0 did", -1),
        (f"an arrival of thread {writer} behind its write, or __syncwarp() (bar.warp.sync) between its write and an arrival in "
         "that phase, would order them", -1),
    ]  # fmt: skip


def test_a_race_behind_an_arrival_says_that_it_came_too_early(tmp_path: Path) -> None:
    body = (*init(1), "@!%p bra HIGH;", f"@%q {arrive()}", f"@%q {WRITE}", "bra OUT;", "HIGH:", wait(0, "A"), READ, "OUT:")
    lines = told(found(tmp_path, *body))
    assert lines[-2:] == [
        ("thread 0 arrives in that phase before its write, not behind it", 4),
        ("an arrival of thread 0 behind its write would order them", -1),
    ]


def test_knowledge_of_a_phase_goes_through_warp_barriers(tmp_path: Path) -> None:
    # Lanes 0 and 32 wait for phase 0, their warps learn it from them; then thread 1 writes what 33 reads.
    body = (*init(2), "{ .reg .b32 l; and.b32 l, %t, 31; setp.eq.u32 %q, l, 0; }", "@!%q bra MEET;", arrive(),
            wait(0, "A"), "MEET: bar.warp.sync -1;", "setp.eq.u32 %q, %t, 1;", f"@%q {WRITE}", "setp.eq.u32 %q, %t, 33;",
            f"@%q {READ}")  # fmt: skip
    lines = told(found(tmp_path, *body))
    assert lines[1] == (
        f"the last phase that both knew to be complete: phase 0 (parity 0) {OF_FULL}, completed",
        5,
    )
    assert lines[-1][0].startswith("__syncthreads()")


def test_copies_that_do_not_arrive(tmp_path: Path) -> None:
    copy = ("add.s64 %x, %x, %o;", "cp.async.ca.shared.global [%i], [%x], 4;")
    lines = told(found(tmp_path, *init(64), *copy, arrive(), wait(0, "A"), "xor.b32 %i, %i, 4;", "ld.shared.u32 %v, [%i];"))
    assert lines[-2][1] == 5 and lines[-2][0].endswith("arrives in that phase, its copies do not")
    assert lines[-1][0].startswith("cp.async.mbarrier.arrive of thread")


def test_a_race_with_a_copy_counts_groups(tmp_path: Path) -> None:
    # Two groups are committed, the wait leaves the newer one under way, and that is the one which is read.
    body = ("add.s64 %x, %x, %o;", "cp.async.ca.shared.global [%i], [%x], 4;", "cp.async.commit_group;",
            "cp.async.ca.shared.global [%i+256], [%x], 4;", "cp.async.commit_group;", "cp.async.wait_group 1;",
            "ld.shared.u32 %v, [%i+256];")  # fmt: skip
    finding = found(tmp_path, *body)
    thread = finding["threads"][0]
    text = f"the copy is in group 2 of thread {thread}, whose last wait leaves the newest 1 of 2 groups under way"
    assert (text, 5) in told(finding)


def test_a_race_behind_bar_arrive(tmp_path: Path) -> None:
    # Warp 1 arrives before thread 32 writes, so what warp 0 waits for is not the write.
    body = ("@%p bra LOW;", "bar.arrive 1, 64;", "setp.eq.u32 %q, %t, 32;", f"@%q {WRITE}", "bra OUT;", "LOW:",
            "bar.sync 1, 64;", READ, "OUT:")  # fmt: skip
    lines = told(found(tmp_path, *body))
    assert lines[1:3] == [
        ("in between only thread 0 waited at barrier 1 of the CTA, without thread 32", 6),
        ("thread 32 arrived there before its write, not behind it", 1),
    ]

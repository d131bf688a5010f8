"""Races and what orders accesses, worked out by hand. Warps are of 32 threads, CTAs of 64 unless said otherwise."""

from __future__ import annotations

import pytest
from handmade import Handmade, check, f32, shared, tensor, variable

from volta_pipe.ir.findings import Finding

ALL = range(64)
FIRST_WARP = range(32)
SCRATCH = [f32("g", "scratch", 64)]


def races(program: Handmade, collectives: bool = False) -> list[tuple[str, int, str, int]]:
    """(action, thread, action, thread) of each race."""
    report = check(program.program(), program.launch(collectives))
    assert all(finding.kind in ("race", "unwritten-output") for finding in report.findings)
    pairs = [finding.accesses for finding in report.findings if finding.kind == "race"]
    return [(a.action, a.thread, b.action, b.thread) for a, b in pairs]


def only(program: Handmade) -> Finding:
    (finding,) = check(program.program(), program.launch()).findings
    return finding


@pytest.mark.parametrize("barrier", [True, False])
def test_store_then_load_by_another_warp(barrier: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(4 * t) for t in FIRST_WARP})
    if barrier:
        program.bar()
    program.ld({35: shared(140 - 32)})
    assert races(program) == ([] if barrier else [("write", 27, "read", 35)])


def test_a_race_says_who_where_and_what() -> None:
    program = Handmade(tensors=SCRATCH)
    store = program.st({3: shared(140)})
    load = program.ld({35: shared(140)})
    finding = only(program)
    assert (finding.space, finding.name, finding.offset, finding.index, finding.count) == ("shared", "t", 12, (3,), 1)
    assert [access.instruction for access in finding.accesses] == [store, load]
    assert [access.cta for access in finding.accesses] == [(0, 0, 0)] * 2
    assert finding.message == (
        "write by thread 3 and read by thread 35 of CTA (0, 0, 0) hit shared memory t+12 with nothing to order them"
    )


@pytest.mark.parametrize("barrier", [True, False])
def test_load_then_store(barrier: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.ld({t: shared(0) for t in ALL})
    if barrier:
        program.bar()
    program.st({0: shared(0)})
    assert races(program) == ([] if barrier else [("read", 32, "write", 0)])


def test_reads_do_not_race_and_a_thread_is_ordered_with_itself() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(4 * t) for t in range(32)})
    program.ld({t: shared(4 * t) for t in range(32)})
    program.st({t: shared(4 * t) for t in range(32)})
    program.bar()
    program.ld({t: shared(0) for t in ALL})
    assert races(program) == []


@pytest.mark.parametrize("sync", [True, False])
def test_within_a_warp(sync: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(4 * t) for t in FIRST_WARP})
    if sync:
        program.warpsync(FIRST_WARP)
    program.ld({t: shared(4 * (t ^ 1)) for t in FIRST_WARP})
    assert races(program) == ([] if sync else [("write", 1, "read", 0)])


def test_a_warp_barrier_does_not_order_other_warps() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(0)})
    program.warpsync()
    program.ld({32: shared(0)})
    assert races(program) == [("write", 0, "read", 32)]


@pytest.mark.parametrize("twice", [True, False])
def test_an_old_reader_of_the_same_warp_is_not_forgotten(twice: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.ld({0: shared(0), 1: shared(0)})
    program.warpsync(FIRST_WARP)
    if twice:
        program.ld({2: shared(0)})
    program.st({3: shared(0)} if not twice else {40: shared(0)})
    assert races(program) == ([("read", 2, "write", 40)] if twice else [])


@pytest.mark.parametrize("sync", [True, False])
def test_readers_of_three_warp_epochs(sync: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    for reader in range(3):
        program.ld({reader: shared(0)})
        if reader < 2 or sync:
            program.warpsync(FIRST_WARP)
    program.st({3: shared(0)})
    assert races(program) == ([] if sync else [("read", 2, "write", 3)])


def test_a_write_does_not_hide_the_one_before() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(0)})
    program.warpsync(FIRST_WARP)
    program.st({1: shared(0)})  # ordered
    program.ld({32: shared(0)})  # with neither
    assert races(program) == [("write", 1, "read", 32)]


@pytest.mark.parametrize("lanes", [FIRST_WARP, range(2)])
def test_lanes_of_one_row_that_write_one_address(lanes: range) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(0) for t in lanes})
    finding = only(program)
    assert [access.thread for access in finding.accesses] == [0, 1]
    assert finding.count == len(lanes) - 1
    assert finding.message == "threads 0 and 1 of CTA (0, 0, 0) write shared memory s+0 at the same time"


@pytest.mark.parametrize(("byte", "racy"), [(3, False), (4, True), (7, True), (8, False)])
def test_bytes_of_a_word(byte: int, racy: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(4)})
    program.ld({32: shared(byte)}, width=8)
    assert bool(races(program)) == racy


@pytest.mark.parametrize(("offset", "racy"), [(12, False), (16, True), (28, True), (32, False)])
def test_vectors(offset: int, racy: bool) -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(16)}, count=4)
    program.ld({32: shared(offset)})
    assert bool(races(program)) == racy


def test_vectors_alone_race_as_wholes() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({t: shared(16 * (t % 2)) for t in (0, 1, 32)}, count=4)
    assert only(program).count == 1


def test_global_memory_names_the_element() -> None:
    program = Handmade(tensors=[f32("g", "scratch", 4, 16)])
    program.st({0: tensor(0, 4 * 35)})
    program.ld({63: tensor(0, 4 * 35)})
    finding = only(program)
    assert (finding.space, finding.name, finding.offset, finding.index) == ("global", "g", 140, (2, 3))
    assert "global memory g[2, 3]" in finding.message


@pytest.mark.parametrize(("first", "second"), [("st", "st"), ("st", "ld"), ("ld", "st"), ("ld", "ld")])
def test_between_ctas(first: str, second: str) -> None:
    program = Handmade(tensors=SCRATCH)
    getattr(program, first)({5: tensor(0, 8)})
    program.bar()
    program.cta()
    program.bar()
    getattr(program, second)({5: tensor(0, 8)})
    program.cta()
    program.st({5: tensor(0, 12)})
    names = {"st": "write", "ld": "read"}
    assert races(program) == ([] if first == second == "ld" else [(names[first], 5, names[second], 5)])
    if first == "st":
        finding = only(program)
        assert [access.cta for access in finding.accesses] == [(0, 0, 0), (1, 0, 0)]
        assert finding.message.endswith("of CTA (1, 0, 0) hit global memory g[2]: CTAs are not ordered")


def test_a_reader_of_an_earlier_cta_is_not_forgotten() -> None:
    program = Handmade(tensors=SCRATCH)
    program.ld({0: tensor(0, 8)})
    program.cta()
    program.ld({1: tensor(0, 8)})
    program.st({1: tensor(0, 8)})
    assert races(program) == [("read", 0, "write", 1)]


def test_shared_memory_and_disjoint_elements_are_no_race_between_ctas() -> None:
    program = Handmade(tensors=SCRATCH)
    for cta in range(3):
        if cta:
            program.cta()
        program.st({t: shared(4 * t) for t in FIRST_WARP})
        program.ld({t: shared(4 * t) for t in FIRST_WARP})
        program.st({t: tensor(0, 64 * cta + 4 * t) for t in range(16)})
    assert races(program) == []


def test_local_memory_is_of_each_thread_and_variables_are_shared() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st(dict.fromkeys(ALL, (2 << 32) + 8))
    program.ld(dict.fromkeys(ALL, (2 << 32) + 8))
    assert races(program) == []
    program.st({0: variable(4)})
    program.ld({32: variable(4)})
    kinds = [finding.kind for finding in check(program.program(), program.launch()).findings]
    assert kinds == ["race", "frame"]


def test_guarded_accesses_may_race() -> None:
    program = Handmade(tensors=SCRATCH)
    program.st({0: shared(0)}, guarded=True)
    program.ld({32: shared(0)})
    report = check(program.program(), program.launch())
    assert " may hit " in report.findings[0].message
    assert report.notes == ("accesses under a condition that depends on data were taken to happen",)


def test_folding_and_the_limit() -> None:
    program = Handmade(tensors=SCRATCH)
    store, load = -1, -1
    for _ in range(2):
        store = program.st({0: shared(0)}, again=store)
        load = program.ld({32: shared(0)}, again=load)
    assert only(program).count == 3  # st-ld, ld-st, st-ld
    program = Handmade(tensors=SCRATCH)
    for _ in range(120):
        program.st({0: shared(0), 32: shared(0)})
    report = check(program.program(), program.launch())
    assert len(report.findings) == 100
    assert report.notes[0].endswith("more accesses at fault are not listed")


@pytest.mark.parametrize("assumed", [True, False])
def test_shuffles_order_shared_memory_only_where_assumed(assumed: bool) -> None:
    program = Handmade(threads=32, tensors=SCRATCH)
    program.st({0: shared(0)})
    program.shfl()
    program.ld({1: shared(0)})
    assert races(program, assumed) == ([] if assumed else [("write", 0, "read", 1)])
    program.st({0: tensor(0, 0)})
    program.shfl()
    program.ld({1: tensor(0, 0)})
    assert ("write", 0, "read", 1) in races(program, assumed)

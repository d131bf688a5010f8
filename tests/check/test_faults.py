"""Everything but races: bounds, alignment, frame, unwritten outputs, events, the artifact. Each fault has a sound sibling."""

from __future__ import annotations

import pytest
from handmade import Handmade, check, const, f32, local, shared, tensor, variable

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import Finding
from volta_pipe.ir.launch import Tensor
from volta_pipe.ir.program import Event
from volta_pipe.passes.check import SafetyReport

IN_AND_SCRATCH = [f32("x", "in", 4, 8), f32("w", "scratch", 16)]


def found(program: Handmade) -> list[Finding]:
    return list(check(program.program(), program.launch()).findings)


def kinds(program: Handmade) -> list[str]:
    return [finding.kind for finding in found(program)]


@pytest.mark.parametrize(
    ("address", "width", "count", "bad"),
    [
        (tensor(0, 124), 32, 1, False),
        (tensor(0, 128), 32, 1, True),
        (tensor(0, 112), 32, 4, False),
        (tensor(0, 120), 32, 4, True),
        (tensor(0, -4), 32, 1, True),
        (shared(252), 32, 1, False),
        (shared(256), 32, 1, True),
        (local(63), 8, 1, False),
        (local(60), 64, 1, True),
        (const(64), 32, 1, True),
        (0, 32, 1, True),
        (-8, 32, 1, True),
        (tensor(7, 0), 32, 1, True),
        (99 << 32, 32, 1, True),
    ],
)
def test_bounds(address: int, width: int, count: int, bad: bool) -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.ld({3: address}, width=width, count=count)
    assert ("out-of-bounds" in kinds(program)) == bad


def test_bounds_say_where() -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    load = program.ld({t: tensor(0, 4 * t) for t in range(34)})
    program.ld({0: 0})
    program.ld({1: shared(256)})
    past, null, beyond = found(program)
    assert [(access.instruction, access.thread, access.action) for access in past.accesses] == [(load, 32, "read")]
    assert (past.space, past.name, past.offset, past.index, past.count) == ("global", "x", 128, (), 2)
    assert past.message == "thread 32 of CTA (0, 0, 0) reads 4 bytes at global memory x+128, outside the 128 bytes of x"
    assert null.message == "thread 0 of CTA (0, 0, 0) reads 4 bytes at address 0x0, which is in no buffer"
    assert (beyond.name, beyond.offset) == ("t", 128)


def test_one_variable_runs_into_the_next() -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.st({0: shared(4 * 32)})
    assert found(program) == []


def test_a_row_over_two_tensors() -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.ld({0: tensor(0, 0), 1: tensor(1, 0), 2: tensor(1, 60)})
    assert found(program) == []
    program.ld({0: tensor(0, 0), 1: tensor(1, 64)})
    assert kinds(program) == ["out-of-bounds"]


@pytest.mark.parametrize(("offset", "bad"), [(16, False), (4, True), (8, True)])
def test_alignment_of_float4(offset: int, bad: bool) -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.ld({0: tensor(0, offset), 1: tensor(0, offset + 16)}, count=4)
    assert kinds(program) == (["misaligned"] if bad else [])
    if bad:
        (finding,) = found(program)
        assert (finding.name, finding.offset, finding.index, finding.count) == ("x", offset, (0, offset // 4), 2)
        assert finding.message.endswith(", which is not aligned to 16")


@pytest.mark.parametrize(
    ("offset", "count", "bad"), [(28, 1, False), (32, 1, True), (48, 1, False), (16, 4, False), (32, 4, True)]
)
def test_the_gap_between_rows(offset: int, count: int, bad: bool) -> None:
    program = Handmade(tensors=[f32("p", "in", 3, 8, strides=(12, 1))])
    program.ld({0: tensor(0, offset)}, count=count)
    assert kinds(program) == (["out-of-bounds"] if bad else [])
    if bad:
        assert found(program)[0].message.endswith("which belong to no element")


def test_element_index_of_a_padded_tensor() -> None:
    program = Handmade(tensors=[f32("p", "scratch", 3, 8, strides=(12, 1))])
    program.st({0: tensor(0, 4 * 26), 1: tensor(0, 4 * 26)})
    (race,) = found(program)
    assert (race.kind, race.index) == ("race", (2, 2))


@pytest.mark.parametrize("address", [tensor(0, 8), const(8), variable(8)])
def test_frame(address: int) -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.ld({0: address})
    program.st({0: tensor(1, 8)})
    assert kinds(program) == []
    program.st({0: address})
    assert kinds(program) == ["frame"]


def test_an_input_that_shares_the_memory_of_an_output_may_be_written() -> None:
    tensors = [f32("x", "in", 4), f32("y", "out", 8, alias_of=0)]
    program = Handmade(tensors=tensors)
    program.st({t: tensor(0, 4 * t) for t in range(8)})
    assert kinds(program) == []
    program = Handmade(tensors=[f32("x", "in", 8), f32("y", "out", 4, alias_of=0)])
    program.st({t: tensor(0, 4 * t) for t in range(4)})
    assert kinds(program) == []
    program.st({4: tensor(0, 16)})
    assert kinds(program) == ["frame"]


@pytest.mark.parametrize(
    ("elements", "first", "count"), [(range(16), 0, 0), (range(15), 15, 1), (range(3, 9), 0, 10), ((), 0, 16)]
)
def test_unwritten(elements: range, first: int, count: int) -> None:
    program = Handmade()
    program.bar()
    for i in elements:
        program.st({i: tensor(1, 4 * i)})
    results = found(program)
    if not count:
        assert results == []
        return
    (finding,) = results
    assert (finding.kind, finding.name, finding.index, finding.offset, finding.count) == (
        "unwritten-output",
        "y",
        (first,),
        4 * first,
        count,
    )


def test_an_element_written_in_part_is_unwritten() -> None:
    program = Handmade(tensors=[f32("y", "out", 2)])
    program.st({0: tensor(0, 0)}, count=2)
    assert kinds(program) == []
    program = Handmade(tensors=[f32("y", "out", 2)])
    program.st({0: tensor(0, 0)})
    program.st({0: tensor(0, 4)}, width=16)
    (finding,) = found(program)
    assert (finding.index, finding.count) == ((1,), 1)


def test_unwritten_with_gaps_and_by_several_ctas() -> None:
    program = Handmade(tensors=[f32("y", "out", 2, 4, strides=(8, 1))])
    program.st({0: tensor(0, 0)}, count=4)
    assert found(program)[0].count == 4
    program.cta()
    program.st({0: tensor(0, 32)}, count=4)
    assert kinds(program) == []


def test_an_empty_output_is_written() -> None:
    program = Handmade(tensors=[Tensor("y", "f32", (0, 4), (4, 1), "out"), f32("x", "in", 4)])
    program.ld({0: tensor(1, 0)})
    assert kinds(program) == []


def test_restricted_or_unfinished_runs_say_nothing_of_outputs() -> None:
    program = Handmade(restricted=True)
    program.bar()
    report = check(program.program(), program.launch())
    assert report.findings == () and "only some CTAs ran" in report.notes[0]
    program = Handmade()
    program.complete = False
    program.bar()
    report = check(program.program(), program.launch())
    assert report.findings == () and "stopped early" in report.notes[0]


def test_events_become_findings_in_order_of_severity() -> None:
    program = Handmade(tensors=IN_AND_SCRATCH)
    program.complete = False
    load = program.ld({5: tensor(1, 4)})
    store = program.st({5: tensor(1, 8)})
    barrier = program.bar()
    program.ld({0: 0})
    program.events += [
        Event("budget", "out of steps", -1, 0),
        Event("data-dependent-control", "branch on data", load, 0, (1,)),
        Event("uninitialized-read", "garbage", store, 0, (5,), tensor(1, 4), load),
        Event("deadlock", "waits", barrier, 0, (1, 2)),
    ]
    results = found(program)
    assert [f.kind for f in results] == ["deadlock", "out-of-bounds", "uninitialized-read", "data-dependent-control", "budget"]
    assert [(a.instruction, a.thread, a.action) for a in results[0].accesses] == [
        (barrier, 1, "barrier"),
        (barrier, 2, "barrier"),
    ]
    garbage = results[2]
    assert [(a.instruction, a.thread, a.action) for a in garbage.accesses] == [(store, 5, "write"), (load, -1, "read")]
    assert (garbage.space, garbage.name, garbage.offset, garbage.index) == ("global", "w", 4, (1,))


def test_the_artifact_reads_back_and_damage_is_seen() -> None:
    program = Handmade()
    program.st({0: shared(0), 1: shared(0)})
    report = check(program.program(), program.launch())
    assert report == check(program.program(), program.launch())
    data = b"".join(report.encode())
    assert SafetyReport.decode(data) == report
    assert (report.accesses, report.barriers, report.clocked) == (2, 0, 0)
    for damaged in (
        data[: len(data) // 2],
        b"",
        data.replace(b"race", b"rice"),
        data.replace(b"accesses", b"excesses"),
        data[:40],
    ):
        with pytest.raises(ArtifactError):
            SafetyReport.decode(damaged)


def test_nothing_at_all() -> None:
    program = Handmade(tensors=[f32("x", "in", 1)])
    assert kinds(program) == []

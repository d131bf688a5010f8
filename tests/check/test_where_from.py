"""Where values come from that stop a run or reach an output: the first read of an uninitialised one, and what a branch or an
address rests on. The kernels are small enough to say so by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_explanations import FIRST_LINE, document, found, told

UNTIL_60 = "setp.lt.u32 %p, %t, 60;"
MIRRORED = "xor.b32 %v, %t, 63;", "shl.b32 %v, %v, WIDTH;", "add.s32 %v, %v, %r;"


@pytest.mark.parametrize(("type_", "shift", "size"), [("u32", 2, 4), ("u16", 1, 2)])
def test_the_first_read_is_named_not_the_last(tmp_path: Path, type_: str, shift: int, size: int) -> None:
    """s[t] is written for t < 60 and copied to the array behind it; y[t] is the element 63 - t of the copy, so that y[0..3] get
    what threads 60 to 63 read at the first load, of which nothing is there."""
    body = (
        UNTIL_60, f"shl.b32 %i, %t, {shift};", "add.s32 %i, %i, %r;",
        f"@%p st.shared.{type_} [%i], 7;",
        "bar.sync 0;",
        f"ld.shared.{type_} %h, [%i];",
        f"st.shared.{type_} [%i+{64 * size}], %h;",
        "bar.sync 0;",
        *(line.replace("WIDTH", str(shift)) for line in MIRRORED),
        f"ld.shared.{type_} %h, [%v+{64 * size}];", f"cvt.u32.{type_} %t, %h;" if size == 2 else "mov.b32 %t, %h;",
    )  # fmt: skip
    finding = found(tmp_path, f".reg .{'b16' if size == 2 else 'b32'} %h;", *body)
    assert finding["kind"] == "uninitialized-read" and finding["address"]["index"] == [0]
    store, read = finding["accesses"]
    assert (store["action"], store["thread"]) == ("write", 0)
    assert (read["action"], read["thread"], read["ptx_line"] - FIRST_LINE) == ("read", 60, 6)
    assert finding["message"] == (
        f"an uninitialised value reaches 4 element(s) of y: thread 60 of CTA (0,0,0) reads shared memory s+{60 * size}, which "
        f"nothing wrote before (so do 3 more threads with theirs): ld.shared.{type_} %h, [%i]"
    ).replace("(0,0,0)", "(0, 0, 0)")
    assert told(finding)[0] == ("shared memory holds nothing when a CTA starts", 6)
    assert told(finding)[1][0].endswith("is in global memory y[0] at the end")


def test_an_uninitialised_branch_names_the_cell(tmp_path: Path) -> None:
    body = ("setp.eq.u32 %p, %t, 0;", "@%p st.shared.u32 [s], 7;", "bar.sync 0;", "ld.shared.u32 %v, [%i];",
            "st.shared.u32 [%i+256], %v;", "ld.shared.u32 %v, [%i+256];", "setp.eq.u32 %q, %v, 7;", "@%q bra OUT;",
            "OUT:")  # fmt: skip
    finding = found(tmp_path, *body)
    assert finding["kind"] == "uninitialized-read"
    assert "thread 1 of CTA (0, 0, 0) reads shared memory s+4, which nothing wrote before" in finding["message"]
    assert finding["accesses"][1]["ptx_line"] - FIRST_LINE == 3
    assert told(finding)[-1] == ("this is where a branch depends on an uninitialised value", 7)


def test_an_output_that_is_read_first(tmp_path: Path) -> None:
    finding = found(tmp_path, "ld.global.u32 %v, [%y];", "add.u32 %t, %t, %v;")
    assert "thread 0 of CTA (0, 0, 0) reads global memory y[0], which nothing wrote before" in finding["message"]
    assert told(finding)[0] == ("y has role out in the contract and no `values`, so it holds nothing before the launch", 0)


def test_a_register_that_nobody_wrote_has_no_read(tmp_path: Path) -> None:
    finding = found(tmp_path, "mov.u32 %t, %v;")
    assert finding["kind"] == "uninitialized-read" and len(finding["accesses"]) == 1 and finding["explanation"] == []
    assert finding["message"].endswith(f" (read on some path before anything is written to it: %v at PTX line {FIRST_LINE})")


def test_registers_that_only_some_threads_write_are_named(tmp_path: Path) -> None:
    """%v has no value in threads 32 and up, which the branch leads around its only write; %i has one in all."""
    body = ("@!%p bra AFTER;", "mov.u32 %v, 0;", "AFTER:", "mul.wide.s32 %o, %v, 4;", "add.s64 %x, %x, %o;",
            "ld.global.u32 %t, [%x];")  # fmt: skip
    finding = found(tmp_path, *body)
    told = f"read on some path before anything is written to it: %v at PTX line {FIRST_LINE + 3}"
    assert finding["message"] == f"an address depends on an uninitialised value ({told})" and finding["threads"] == [32]


def test_a_branch_says_what_it_rests_on(tmp_path: Path) -> None:
    """Through a product with another element, shared memory and a shuffle: every lane gets what lane 3 of its warp read."""
    body = (
        "add.s64 %x, %x, %o;",
        "ld.global.u32 %v, [%x];",
        "st.shared.u32 [%i], %v;",
        "bar.sync 0;",
        "ld.shared.u32 %v, [%i];",
        "shfl.sync.idx.b32 %v, %v, 3, 31, -1;",
        "setp.eq.u32 %q, %v, 3;",
        "@%q bra OUT;",
        "OUT:",
    )
    finding = found(tmp_path, *body)
    assert finding["kind"] == "data-dependent-control"
    assert finding["message"] == "a branch depends on a value that is only known symbolically: it rests on x[3]"
    assert told(finding) == [("it was computed from x[3], which is read here", 1)]


def test_an_address_rests_on_the_index(tmp_path: Path) -> None:
    body = ("ld.global.u32 %v, [%x+20];", "mul.wide.u32 %o, %v, 4;", "add.s64 %x, %x, %o;", "ld.global.u32 %t, [%x];")
    finding = found(tmp_path, *body)
    assert finding["kind"] == "data-dependent-address" and finding["message"].endswith(": it rests on x[5]")
    assert told(finding) == [("it was computed from x[5], which is read here", 0)]


def test_a_race_within_and_between_warps_wants_the_barrier_of_the_cta(tmp_path: Path) -> None:
    """Each thread reads its neighbour's cell: the first pair is of one warp, threads 31 and 32 are not."""
    body = ("st.shared.u32 [%i], %t;", "add.u32 %v, %t, 1;", "and.b32 %v, %v, 63;", "shl.b32 %v, %v, 2;",
            "add.u32 %v, %v, %r;", "ld.shared.u32 %v, [%v];")  # fmt: skip
    finding = found(tmp_path, *body)
    assert finding["kind"] == "race" and finding["count"] == 64
    assert {thread // 32 for thread in finding["threads"]} == {0}
    assert told(finding)[-1][0].startswith("__syncthreads() (bar.sync 0) behind the write by thread")


def test_a_budget_counts_the_threads_and_shows_one(tmp_path: Path) -> None:
    (tmp_path / "loop").mkdir()
    finding = document(tmp_path / "loop", "LOOP:", "bra LOOP;", steps=10_000)["findings"][0]
    assert finding["kind"] == "budget" and finding["threads"] == [0]
    assert finding["message"] == "the step budget of 10,000 thread-instructions ran out; 64 ran here: threads 0-63"


USES = {
    "an address": ("shl.b32 %v, %v, 2;", "add.s32 %v, %v, %r;", "st.shared.u32 [%v], 7;"),
    "a branch": ("setp.eq.u32 %q, %v, 7;", "@%q bra OUT;", "OUT:"),
    "the output": ("mov.u32 %t, %v;",),
}


@pytest.mark.parametrize("use", USES)
def test_a_read_outside_is_one_finding_wherever_its_value_goes(tmp_path: Path, use: str) -> None:
    """s has 512 bytes, and thread 63 reads those behind it: nothing is there, and that is no second fault."""
    body = ("st.shared.u32 [%i], 7;", "st.shared.u32 [%i+256], 7;", "bar.sync 0;", "ld.shared.u32 %v, [%i+260];", *USES[use])
    finding = found(tmp_path, *body)
    assert finding["kind"] == "out-of-bounds" and finding["accesses"][0]["thread"] == 63
    last, line = told(finding)[-1]
    assert last.startswith(f"nothing is read there, and the value goes on: {'an uninit' if use == 'the output' else use}")
    assert line == {"an address": 6, "a branch": 5, "the output": 5}[use]


def test_a_read_outside_hides_no_other_read(tmp_path: Path) -> None:
    """Thread 0 reads what nobody wrote, and thread 63 outside, with one instruction."""
    body = ("setp.gt.u32 %p, %t, 1;", "@%p st.shared.u32 [%i], 7;", "ld.shared.u32 %v, [%i+260];", "mov.u32 %t, %v;")
    kinds = [finding["kind"] for finding in document(tmp_path, *body)["findings"]]
    assert kinds == ["out-of-bounds", "uninitialized-read"]

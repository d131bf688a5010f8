"""atom and red against a plain Python model of PTX ISA 9.7.13.13; what an undetermined result may not reach."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import random

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor

CELL = ".shared .align 8 .b8 s[512]; mov.u32 %r40, s; setp.eq.u32 %p1, %r50, 0;"


def signed(bits: int, width: int) -> int:
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def updated(name: str, kind: str, old: int, value: int) -> int:
    """The new contents, unsigned, from unsigned operands."""
    width = int(kind[1:])
    mask = (1 << width) - 1
    key = (lambda x: signed(x, width)) if kind[0] == "s" else int
    return {
        "add": (old + value) & mask,
        "min": min(old, value, key=key),
        "max": max(old, value, key=key),
        "and": old & value,
        "or": old | value,
        "xor": old ^ value,
        "inc": 0 if old >= value else old + 1,
        "dec": value if old == 0 or old > value else old - 1,
        "exch": value,
    }[name]


CASES = [(name, kind) for name in ("add", "min", "max") for kind in ("u32", "s32", "u64")] + [("min", "s64"), ("max", "s64")]
CASES += [(name, kind) for name in ("and", "or", "xor", "exch") for kind in ("b32", "b64")] + [("inc", "u32"), ("dec", "u32")]


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.parametrize("space", ("shared", "global", "generic"))
def test_results_and_cells_of_lanes_on_their_own_cells(name: str, kind: str, space: str) -> None:
    """Lane k combines its cell with one of a few edge values, twice; the results are what the cell held."""
    width = int(kind[1:])
    size, lanes = width // 8, 16
    edges = [0, 1, 5, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1, 1 << (width // 2), 0x1234]
    draw = random.Random(f"{name}{kind}")
    first, second, third = ([draw.choice(edges) for _ in range(lanes)] for _ in range(3))
    word, load = ("rd", "u64") if size == 8 else ("r", "u32")
    table = "".join(at(n, size=size) + f"ld.global.{load} %{word}{k}, [%at_{n}];" for k, n in enumerate(("a", "b", "c"), 1))
    place = f"shl.b32 %r41, %r50, {3 if size == 8 else 2}; add.u32 %r42, %r40, %r41;"
    if space == "shared":
        address, where = "%r42", ".shared"
    elif space == "global":
        place, address, where = at("g", size=size), "%at_g", ".global"
    else:
        place += "cvt.u64.u32 %rd10, %r42; cvta.shared.u64 %rd11, %rd10;"
        address, where = "%rd11", ""
    text = CELL + table + place + at("y", size=size)
    text += f"st{where}.{load} [{address}], %{word}1;"
    stride = lanes * size
    for k, source in ((0, 2), (1, 3)):
        text += f"atom{where}.{name}.{kind} %{word}9, [{address}], %{word}{source}; st.global.{load} [%at_y+{k * stride}], %{word}9;"
    text += f"ld{where}.{load} %{word}9, [{address}]; st.global.{load} [%at_y+{2 * stride}], %{word}9;"
    dtype = np.uint64 if size == 8 else np.uint32
    known = [
        tensor(n, load, lanes, "in", values=np.array(v, dtype)) for n, v in zip("abc", (first, second, third), strict=True)
    ]
    outcome = run_body(text, [*known, tensor("y", load, (3, lanes), "out"), tensor("g", load, lanes, "scratch")], lanes)
    assert outcome.kinds == []
    after_one = [updated(name, kind, x, y) for x, y in zip(first, second, strict=True)]
    after_two = [updated(name, kind, x, y) for x, y in zip(after_one, third, strict=True)]
    wanted = np.array([first, after_one, after_two], dtype)
    region = next(r for r in outcome.program.regions if r.name == "y")
    if int(wanted.max()) <= 1 << 53:
        assert outcome.outputs()["y"].astype(dtype).tolist() == wanted.tolist()
    else:  # vc has no constant for such a number, and says so
        assert region.size == wanted.nbytes
        low = run_body(text.replace("st.global.u64 [%at_y", "cvt.u32.u64 %r30, %rd9; cvt.u64.u32 %rd9, %r30; st.global.u64 [%at_y"),
                       [*known, tensor("y", load, (3, lanes), "out"), tensor("g", load, lanes, "scratch")], lanes)  # fmt: skip
        assert low.outputs()["y"].astype(np.uint64).tolist() == (wanted & np.uint64(0xFFFFFFFF)).tolist()


@pytest.mark.parametrize("width", (16, 32, 64))
def test_compare_and_swap(width: int) -> None:
    size = width // 8
    r = {16: "%rs", 32: "%r", 64: "%rd"}[width]
    text = CELL + f"mov.b{width} {r}1, 5; mov.b{width} {r}2, 5; mov.b{width} {r}3, 9; @%p1 st.shared.b{width} [%r40], {r}1;"
    text += f"mov.b{width} {r}8, 0; mov.b{width} {r}9, 0; @%p1 atom.shared.cas.b{width} {r}8, [%r40], {r}2, {r}3; @%p1 atom.shared.cas.b{width} {r}9, [%r40], {r}2, {r}1; bar.sync 0; ld.shared.b{width} {r}7, [%r40];"
    if size == 8:
        text += "cvt.u32.u64 %r20, %rd8; cvt.u32.u64 %r21, %rd9; cvt.u32.u64 %r22, %rd7;"
    elif size == 2:
        text += "cvt.u32.u16 %r20, %rs8; cvt.u32.u16 %r21, %rs9; cvt.u32.u16 %r22, %rs7;"
    else:
        text += "mov.u32 %r20, %r8; mov.u32 %r21, %r9; mov.u32 %r22, %r7;"
    text += at("y", size=16) + "st.global.v4.u32 [%at_y], {%r20, %r21, %r22, %r50};"
    outcome = run_body(text, [tensor("y", "u32", (4, 4), "out")], 4)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [[5 * (t == 0), 9 * (t == 0), 9, t] for t in range(4)]


def test_lanes_on_one_cell_act_one_after_the_other() -> None:
    text = CELL + "@%p1 st.shared.u32 [%r40], 7; bar.sync 0; and.b32 %r1, %r50, 1; setp.eq.u32 %p2, %r1, 0;"
    text += (
        "@%p2 red.shared.add.u32 [%r40], %r50; bar.sync 0; ld.shared.u32 %r3, [%r40];" + at("y") + "st.global.u32 [%at_y], %r3;"
    )
    outcome = run_body(text, [tensor("y", "u32", 64, "out")], 64)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [7 + sum(range(0, 64, 2))] * 64


USES = {
    "output": "st.global.u32 [%at_y], %r2;",
    "output through memory": "st.shared.u32 [%r40+8], %r2; ld.shared.u32 %r3, [%r40+8]; st.global.u32 [%at_y], %r3;",
    "output by a byte": "st.shared.u8 [%r40+8], %r2; ld.shared.u8 %r3, [%r40+8]; st.global.u32 [%at_y], %r3;",
    "branch": "setp.gt.u32 %p2, %r2, 3; @%p2 bra L; st.global.u32 [%at_y], 1; L:",
    "address": "shl.b32 %r2, %r2, 2; cvt.u64.u32 %rd1, %r2; add.s64 %rd1, %rd1, %rd_y; st.global.u32 [%rd1], 1;",
    "guard": "setp.gt.u32 %p2, %r2, 3; @%p2 bar.sync 0; st.global.u32 [%at_y], 1;",
    "mask": "shfl.sync.idx.b32 %r3, %r50, 0, 31, %r2; st.global.u32 [%at_y], %r3;",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("threads", (2, 64))
def test_a_result_that_others_race_for_is_not_determined(use: str, threads: int) -> None:
    text = (
        CELL + at("y") + "@%p1 st.shared.u32 [%r40], 0; bar.sync 0; atom.shared.add.u32 %r2, [%r40], 1; bar.sync 0;" + USES[use]
    )
    outcome = run_body(text, [tensor("y", "u32", threads, "inout")], threads)
    kinds = set(outcome.kinds)
    assert kinds and kinds <= {"unsupported-instruction", "data-dependent-control", "data-dependent-address", "race"}
    assert outcome.kinds[0] != "race" or use == "output through memory" or use == "output by a byte"
    if use not in ("guard", "output through memory", "output by a byte"):
        assert "order" in outcome.report.findings[0].message


def test_a_result_that_nobody_looks_at_does_no_harm() -> None:
    text = (
        CELL
        + at("y")
        + "@%p1 st.shared.u32 [%r40], 0; bar.sync 0; atom.shared.add.u32 %r2, [%r40], 1; mov.u32 %r2, 3; bar.sync 0;"
    )
    outcome = run_body(text + "ld.shared.u32 %r3, [%r40]; st.global.u32 [%at_y], %r3;", [tensor("y", "u32", 64, "out")], 64)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [64] * 64


@pytest.mark.parametrize("ordered", [True, False])
def test_a_result_counts_where_no_other_thread_can_come_between(ordered: bool) -> None:
    """Thread 0 takes the counter before, or beside, thread 40."""
    text = (
        CELL + at("y") + "mov.u32 %r2, 100; @%p1 st.shared.u32 [%r40], 5; bar.sync 0; @%p1 atom.shared.add.u32 %r2, [%r40], 1;"
    )
    text += (
        "bar.sync 0;" * ordered
        + "setp.eq.u32 %p2, %r50, 40; @%p2 atom.shared.add.u32 %r2, [%r40], 1; st.global.u32 [%at_y], %r2;"
    )
    outcome = run_body(text, [tensor("y", "u32", 64, "out")], 64)
    if ordered:
        assert outcome.kinds == []
        assert outcome.outputs()["y"].tolist() == [5 if t == 0 else 6 if t == 40 else 100 for t in range(64)]
    else:
        assert outcome.kinds == ["unsupported-instruction"]
        assert "comes first" in outcome.report.findings[0].message


def test_bitwise_atomics_on_symbolic_integers_are_refused() -> None:
    for operation, kinds in (
        ("add", []),
        ("max", []),
        ("and", ["unsupported-instruction"]),
        ("inc", ["unsupported-instruction"]),
    ):
        kind = "b32" if operation == "and" else "u32"
        text = at("x") + f"red.global.{operation}.{kind} [%at_x], 1;"
        assert run_body(text, [tensor("x", "u32", 32, "inout")]).kinds == kinds


def test_atomics_on_uninitialised_memory() -> None:
    text = at("y") + "red.global.add.u32 [%at_y], 1;"
    assert "uninitialized-read" in run_body(text, [tensor("y", "u32", 32, "out")]).kinds


def test_bounds_alignment_and_frame() -> None:
    body = "red.global.add.u32 [%at_x+{}], 1;"
    known = np.zeros(32, np.uint32)
    for offset, role, kind in ((4, "inout", "out-of-bounds"), (2, "inout", "misaligned"), (0, "in", "frame")):
        outcome = run_body(at("x") + body.format(offset), [tensor("x", "u32", 32, role, values=known)])
        assert kind in outcome.kinds


def test_global_atomics_of_a_launch_that_runs_in_part() -> None:
    text = "red.global.add.u32 [%rd_x], 1;"
    known = [tensor("x", "u32", 1, "inout", values=np.zeros(1, np.uint32))]
    assert run_body(text, known, 32, grid=2).kinds == []
    assert run_body(text, known, 32, grid=2, ctas=((0, 0, 0),)).kinds == ["unsupported-instruction"]


def test_cache_policies_are_hints_and_no_numbers() -> None:
    text = (
        at("y")
        + "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0; prefetch.global.L2 [%at_y]; fence.proxy.async; mov.u32 %r1, 4;"
    )
    text += "st.global.L2::cache_hint.u32 [%at_y], %r1, %rd1; ld.volatile.global.u32 %r2, [%at_y]; ld.relaxed.gpu.global.u32 %r2, [%at_y];"
    text += "st.release.sys.global.u32 [%at_y], %r2; fence.acq_rel.cluster;"
    outcome = run_body(text, [tensor("y", "u32", 32, "out")])
    assert outcome.kinds == [] and outcome.outputs()["y"].tolist() == [4.0] * 32
    text += "cvt.u32.u64 %r1, %rd1; st.global.u32 [%at_y], %r1;"
    outcome = run_body(text, [tensor("y", "u32", 32, "out")])
    assert outcome.kinds == ["unsupported-instruction"] and "cache policy" in outcome.report.findings[0].message

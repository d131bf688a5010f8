"""shfl, vote, activemask and bar.warp.sync against a plain Python model of PTX ISA 9.7.9.6, 9.7.13.2, 9.7.13.9, 9.7.13.11."""

from __future__ import annotations

import random

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor

U32 = 0xFFFFFFFF
HALVES = "setp.lt.u32 %p9, %r50, 16; selp.b32 %r49, 0xffff, 0xffff0000, %p9;"


def shuffled(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """(source lane, whether it is in range): the pseudo code of the ISA."""
    value, clamp, segment = b & 31, c & 31, c >> 8 & 31
    top = (lane & segment) | (clamp & ~segment)
    bottom = lane & segment
    if mode == "up":
        j, fits = lane - value, lane - value >= top
    elif mode == "down":
        j, fits = lane + value, lane + value <= top
    elif mode == "bfly":
        j, fits = lane ^ value, lane ^ value <= top
    else:
        j = bottom | (value & ~segment)
        fits = j <= top
    return (j if fits else lane), fits


def control(mode: str, width: int) -> int:
    """The operand c that CUDA's __shfl_sync makes for a sub-width."""
    return (32 - width) << 8 | (0 if mode == "up" else 31)


@pytest.mark.parametrize("mode", ("up", "down", "bfly", "idx"))
def test_shuffles_of_all_sub_widths(mode: str) -> None:
    lanes, body, wanted = 64, [], []
    for k, width in enumerate((1, 2, 4, 8, 16, 32)):
        for shift in (0, 1, 3, width // 2, width - 1, 31):
            c = control(mode, width)
            place = 4 * lanes * len(wanted)
            body.append(
                f"shfl.sync.{mode}.b32 %r1|%p1, %r9, {shift}, {c}, -1; selp.u32 %r2, 1000, 0, %p1; add.u32 %r1, %r1, %r2;"
                f"st.global.u32 [%at_y+{place}], %r1; // {k}"
            )
            row = []
            for lane in range(lanes):
                source, fits = shuffled(mode, lane % 32, shift, c)
                row.append(7 * (lane // 32 * 32 + source) + 1000 * fits)
            wanted.append(row)
    text = at("y") + "mul.lo.u32 %r9, %r50, 7;\n" + "\n".join(body)
    outcome = run_body(text, [tensor("y", "u32", (len(wanted), lanes), "out")], lanes)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == wanted


@pytest.mark.parametrize("mode", ("up", "down", "bfly", "idx"))
def test_shuffles_with_operands_that_differ_between_lanes(mode: str) -> None:
    draw = random.Random(mode)
    b = [draw.getrandbits(6) for _ in range(32)]
    c = [draw.choice((0x1F, 0x0, 0x1C1F, 0x181F, 0x1000, 0x100F, 0x0F)) for _ in range(32)]
    tensors = [tensor(n, "u32", 32, "in", np.array(v, np.uint64)) for n, v in (("b", b), ("c", c))]
    text = (
        at("b")
        + at("c")
        + at("y")
        + (
            f"ld.global.u32 %r1, [%at_b]; ld.global.u32 %r2, [%at_c]; shfl.sync.{mode}.b32 %r3, %r50, %r1, %r2, -1;"
            "st.global.u32 [%at_y], %r3;"
        )
    )
    outcome = run_body(text, [*tensors, tensor("y", "u32", 32, "out")])
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [shuffled(mode, lane, b[lane], c[lane])[0] for lane in range(32)]


def test_a_shuffle_moves_symbolic_values_and_keeps_lanes_apart() -> None:
    text = (
        at("x")
        + at("y")
        + ("ld.global.f32 %f1, [%at_x]; mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r1, %r1, 5, 31, -1; st.global.b32 [%at_y], %r1;")
    )
    outcome = run_body(text, [tensor("x", "f32", 64, "in"), tensor("y", "f32", 64, "out")], 64)
    graph, roots = (found := outcome.conditions()).graph, found.outputs[1]
    assert [int(graph.b[n]) for n in roots] == [lane ^ 5 for lane in range(64)]


def test_a_shuffle_from_a_lane_that_exited_is_undefined() -> None:
    text = at("y") + (
        "st.global.u32 [%at_y], %r50; setp.gt.u32 %p1, %r50, 15; @%p1 bra END;"
        "shfl.sync.bfly.b32 %r1, %r50, 16, 31, -1; st.global.u32 [%at_y], %r1; END:"
    )
    assert run_body(text, [tensor("y", "u32", 32, "out")]).kinds == ["uninitialized-read"]


def test_a_shuffle_from_a_lane_outside_the_member_mask_is_undefined() -> None:
    """Both halves execute it together, but neither names the other (ISA: the result is then undefined)."""
    text = at("y") + HALVES + "shfl.sync.bfly.b32 %r1, %r50, 16, 31, %r49; st.global.u32 [%at_y], %r1;"
    assert run_body(text, [tensor("y", "u32", 32, "out")]).kinds != []


def test_a_shuffle_within_the_named_half_is_defined() -> None:
    text = at("y") + HALVES + "shfl.sync.bfly.b32 %r1, %r50, 8, 31, %r49; st.global.u32 [%at_y], %r1;"
    outcome = run_body(text, [tensor("y", "u32", 32, "out")])
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == [lane ^ 8 for lane in range(32)]


def test_a_member_mask_that_does_not_name_the_thread_is_an_error() -> None:
    text = at("y") + "shfl.sync.down.b32 %r1, %r50, 1, 31, 0x7fffffff; st.global.u32 [%at_y], %r1;"
    outcome = run_body(text, [tensor("y", "u32", 32, "out")])
    assert outcome.kinds[0] == "barrier-divergence" and not outcome.program.complete


def votes(name: str, mask_of: list[int], predicate: list[int]) -> list[int]:
    """vote.sync over the lanes that each lane's mask names."""
    result = []
    for lane, mask in enumerate(mask_of):
        base = lane // 32 * 32
        named = [predicate[base + k] for k in range(32) if mask >> k & 1 and base + k < len(predicate)]
        ballot = sum(predicate[base + k] << k for k in range(32) if mask >> k & 1 and base + k < len(predicate))
        answer = {"ballot": ballot, "all": all(named), "any": any(named), "uni": len(set(named)) == 1}
        result.append(int(answer[name]))
    return result


VOTE = (
    "vote.sync.ballot.b32 %r1, %p1, %r49; st.global.u32 [%at_y], %r1;"
    "vote.sync.all.pred %p2, %p1, %r49; selp.u32 %r1, 1, 0, %p2; st.global.u32 [%at_y+4], %r1;"
    "vote.sync.any.pred %p2, %p1, %r49; selp.u32 %r1, 1, 0, %p2; st.global.u32 [%at_y+8], %r1;"
    "vote.sync.uni.pred %p2, %p1, %r49; selp.u32 %r1, 1, 0, %p2; st.global.u32 [%at_y+12], %r1;"
)


@pytest.mark.parametrize("threads", (1, 8, 33, 48, 100))
@pytest.mark.parametrize(
    "condition", ("lt.u32 %p1, %r50, 40", "ge.u32 %p1, %r50, 0", "gt.u32 %p1, %r50, 200", "eq.u32 %p1, %r50, 7")
)
def test_votes_of_whole_warps(threads: int, condition: str) -> None:
    holds = {"lt": lambda t: t < 40, "ge": lambda t: True, "gt": lambda t: t > 200, "eq": lambda t: t == 7}[condition[:2]]
    predicate = [int(holds(t)) for t in range(threads)]
    text = at("y", size=16) + f"mov.u32 %r49, -1; setp.{condition};" + VOTE
    outcome = run_body(text, [tensor("y", "u32", (threads, 4), "out")], threads)
    assert outcome.kinds == []
    wanted = [votes(name, [U32] * threads, predicate) for name in ("ballot", "all", "any", "uni")]
    assert outcome.outputs()["y"].T.tolist() == wanted


def test_votes_count_only_the_lanes_that_the_mask_names() -> None:
    """Two half warps vote at once, as sub-warp reductions do."""
    text = (
        at("y", size=16) + HALVES + "and.b32 %r2, %r50, 1; setp.eq.u32 %p1, %r2, 1; setp.lt.or.u32 %p1, %r50, 16, %p1;" + VOTE
    )
    outcome = run_body(text, [tensor("y", "u32", (32, 4), "out")])
    predicate = [int(t < 16 or t % 2 == 1) for t in range(32)]
    masks = [0xFFFF if t < 16 else 0xFFFF0000 for t in range(32)]
    wanted = [votes(name, masks, predicate) for name in ("ballot", "all", "any", "uni")]
    assert outcome.outputs()["y"].T.tolist() == wanted


def test_votes_and_active_masks_of_diverged_lanes() -> None:
    text = at("y", size=8) + (
        "and.b32 %r2, %r50, 3; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;"
        "mov.u32 %r3, 0xdddddddd; bra JOIN_A; ODD: mov.u32 %r3, 0x22222222;"
        "activemask.b32 %r4; setp.gt.u32 %p2, %r50, 9; vote.sync.ballot.b32 %r5, %p2, %r3; bra JOIN;"
        "JOIN_A: activemask.b32 %r4; setp.gt.u32 %p2, %r50, 9; vote.sync.ballot.b32 %r5, %p2, %r3;"
        "JOIN: st.global.u32 [%at_y], %r4; st.global.u32 [%at_y+4], %r5;"
    )
    outcome = run_body(text, [tensor("y", "u32", (32, 2), "out")])
    assert outcome.kinds == []
    high = U32 & ~0x3FF
    masks = [0x22222222 if t % 4 == 1 else 0xDDDDDDDD for t in range(32)]
    assert outcome.outputs()["y"].tolist() == [[m, m & high] for m in masks]
    assert outcome.program.assumptions


EXCHANGE = (
    ".shared .align 4 .b8 s[128]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], %r50;"
    "{SYNC} xor.b32 %r3, %r50, {PARTNER}; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r1; ld.shared.u32 %r4, [%r3];"
    "st.global.u32 [%at_y], %r4;"
)


@pytest.mark.parametrize(
    ("sync", "partner", "race"),
    [
        ("bar.warp.sync -1;", 16, False),
        ("", 16, True),
        (HALVES + "bar.warp.sync %r49;", 8, False),
        (HALVES + "bar.warp.sync %r49;", 16, True),
        ("and.b32 %r47, %r50, 31; mov.u32 %r48, 1; shl.b32 %r48, %r48, %r47; bar.warp.sync %r48;", 1, True),
    ],
)
def test_bar_warp_sync_orders_the_lanes_it_names(sync: str, partner: int, race: bool) -> None:
    text = at("y") + EXCHANGE.replace("{SYNC}", sync).replace("{PARTNER}", str(partner))
    assert run_body(text, [tensor("y", "u32", 32, "out")]).kinds == (["race"] if race else [])

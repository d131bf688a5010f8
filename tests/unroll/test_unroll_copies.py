"""cp.async: sizes, limits, groups; against what PTX ISA 9.7.9.25.3 says of each byte and each wait."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from unroll_harness import at, run_body, tensor

TILE = ".shared .align 16 .b8 s[1024]; mov.u32 %r40, s; shl.b32 %r41, %r50, 4; add.u32 %r42, %r40, %r41;"
BYTES = np.arange(1, 129, dtype=np.uint8)


@pytest.mark.parametrize(("size", "level"), [(4, "ca"), (8, "ca"), (16, "ca"), (16, "cg")])
@pytest.mark.parametrize("limit", ("", "0", "size", "lane", "false", "true"))
@pytest.mark.parametrize("hint", (False, True))
def test_bytes_and_zeros(size: int, level: str, limit: str, hint: bool) -> None:
    """8 lanes; the limit is the whole size, nothing, the lane number (a part of a word, too), or a predicate that ignores the source."""
    operand = {"": "", "0": ", 0", "size": f", {size}", "lane": ", %r44", "false": ", %p3", "true": ", %p4"}[limit]
    text = (
        TILE
        + at("x", size=16)
        + at("y", size=16)
        + "setp.lt.u32 %p3, %r50, 0; setp.ge.u32 %p4, %r50, 0; createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0;"
    )
    text += f"min.u32 %r44, %r50, {size}; st.shared.v4.u32 [%r42], {{%r50, %r50, %r50, %r50}}; mov.u32 %r9, -1; st.shared.v4.u32 [%r42], {{%r9, %r9, %r9, %r9}};"
    text += (
        f"cp.async.{level}.shared.global{'.L2::cache_hint' * hint}.L2::128B [%r42], [%at_x], {size}{operand}{', %rd1' * hint};"
    )
    text += "cp.async.wait_all; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r42]; st.global.v4.u32 [%at_y], {%r1, %r2, %r3, %r4};"
    outcome = run_body(text, [tensor("x", "u8", 128, "in", values=BYTES), tensor("y", "u32", 32, "out")], 8)
    assert outcome.kinds == []
    wanted = np.full((8, 16), 255, np.uint8)
    for lane in range(8):
        count = {"": size, "0": 0, "size": size, "lane": min(lane, size), "false": size, "true": 0}[limit]
        wanted[lane, :size] = 0
        wanted[lane, :count] = BYTES[16 * lane : 16 * lane + count]
    assert outcome.outputs()["y"].astype(np.uint32).tolist() == wanted.view(np.uint32).ravel().tolist()


def test_a_limit_above_the_size_is_refused() -> None:
    text = TILE + at("x", size=16) + "cp.async.ca.shared.global [%r42], [%at_x], 4, 5; cp.async.wait_all;"
    assert run_body(text, [tensor("x", "u8", 512, "in")]).kinds == ["unsupported-instruction"]


@pytest.mark.parametrize(("limit", "kinds"), [(16, ["out-of-bounds"]), (4, []), (0, [])])
def test_bounds_hold_for_what_is_read(limit: int, kinds: list[str]) -> None:
    text = TILE + at("x", size=16) + f"cp.async.cg.shared.global [%r42], [%at_x+16], 16, {limit}; cp.async.wait_all;"
    assert run_body(text, [tensor("x", "u8", 16 * 32 + 4, "in")]).kinds == kinds


@pytest.mark.parametrize(("source", "target"), [(4, 0), (0, 4)])
def test_both_sides_are_aligned_to_the_size(source: int, target: int) -> None:
    text = TILE + at("x", size=16) + f"cp.async.cg.shared.global [%r42+{target}], [%at_x+{source}], 16, 0; cp.async.wait_all;"
    assert "misaligned" in run_body(text, [tensor("x", "u8", 1024, "in")]).kinds


GROUP = "cp.async.ca.shared.global [%r42+{0}], [%at_x+{0}], 4;"


@pytest.mark.parametrize("groups", (1, 2, 3))
@pytest.mark.parametrize("pending", (0, 1, 2))
@pytest.mark.parametrize("read", (0, 1, 2))
def test_a_wait_covers_all_but_the_newest_groups(groups: int, pending: int, read: int) -> None:
    """Group k copies word k; the thread reads word `read`."""
    if read >= groups:
        return
    text = TILE + at("x", size=16) + at("y") + "".join(GROUP.format(4 * k) + "cp.async.commit_group;" for k in range(groups))
    text += f"cp.async.wait_group {pending}; ld.shared.f32 %f1, [%r42+{4 * read}]; st.global.f32 [%at_y], %f1;"
    outcome = run_body(text, [tensor("x", "f32", 128, "in"), tensor("y", "f32", 32, "out")])
    assert outcome.kinds == ([] if read < groups - pending else ["race"])


@pytest.mark.parametrize(("wait", "kinds"), [("cp.async.wait_group 0;", ["race"]), ("cp.async.wait_all;", [])])
def test_copies_that_are_not_committed(wait: str, kinds: list[str]) -> None:
    text = TILE + at("x", size=16) + at("y") + GROUP.format(0) + wait + "ld.shared.f32 %f1, [%r42]; st.global.f32 [%at_y], %f1;"
    assert run_body(text, [tensor("x", "f32", 128, "in"), tensor("y", "f32", 32, "out")]).kinds == kinds


def test_another_thread_needs_a_barrier_behind_the_wait() -> None:
    for order, kinds in (("cp.async.wait_all; bar.sync 0;", []), ("bar.sync 0; cp.async.wait_all;", ["race"])):
        text = (
            TILE
            + at("x", size=16)
            + at("y")
            + GROUP.format(0)
            + order
            + "xor.b32 %r43, %r42, 16; ld.shared.f32 %f1, [%r43]; st.global.f32 [%at_y], %f1;"
        )
        outcome = run_body(
            text, [tensor("x", "f32", 128, "in", values=np.arange(128, dtype=np.float32)), tensor("y", "f32", 32, "out")]
        )
        assert outcome.kinds == kinds
        if not kinds:
            assert outcome.outputs()["y"].tolist() == [4 * (t ^ 1) for t in range(32)]


def test_uninitialised_bytes_stay_so() -> None:
    text = (
        TILE
        + at("x", size=16)
        + at("y")
        + GROUP.format(0)
        + "cp.async.wait_all; ld.shared.f32 %f1, [%r42]; st.global.f32 [%at_y], %f1;"
    )
    assert "uninitialized-read" in run_body(text, [tensor("x", "f32", 128, "scratch"), tensor("y", "f32", 32, "out")]).kinds

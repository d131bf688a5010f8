"""Instructions of a warp: values by hand from the PTX ISA, and what `unroll` computes, against the table of meanings."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from replay_kernels import Array, run, tensor

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.replay.meaning.spelling import meaning_of

LANES = np.arange(32, dtype=np.uint64)
ALL = np.full(32, 0xFFFFFFFF, np.uint64)
U64 = np.uint64


def call(form: str, *operands: Array, lanes: Array = LANES) -> list[list[int]]:
    """A form as mnemonic.modifiers.type on the operands of the lanes that are there."""
    mnemonic, *words = form.split(".")
    types = words[-1:] if words[-1] in ("b32", "b64", "u32", "s32", "pred") else []
    modifiers = words[:-1] if types else words
    done = meaning_of(mnemonic, modifiers, types)(*(x.astype(U64) for x in operands), lanes.astype(U64))
    return [result.tolist() for result in done]


def test_votes() -> None:
    p = (LANES < 3).astype(U64)
    assert call("vote.sync.ballot.b32", p, ALL)[0] == [7] * 32
    assert call("vote.sync.all.pred", p, ALL)[0] == [0] * 32
    assert call("vote.sync.any.pred", p, ALL)[0] == [1] * 32
    assert call("vote.sync.uni.pred", p, ALL)[0] == [0] * 32
    halves = np.where(LANES < 3, 7, 0xFFFFFFF8)
    assert call("vote.sync.uni.pred", p, halves)[0] == [1] * 32
    assert call("vote.sync.all.pred", p, halves)[0] == [1] * 3 + [0] * 29
    assert call("vote.sync.any.pred", p, halves)[0] == [1] * 3 + [0] * 29
    assert call("vote.sync.ballot.b32", 1 - p, halves)[0] == [0] * 3 + [0xFFFFFFF8] * 29


def test_match() -> None:
    a = LANES % 2
    assert call("match.any.sync.b32", a, ALL)[0] == [0x55555555, 0xAAAAAAAA] * 16
    assert call("match.all.sync.b32", a, ALL) == [[0] * 32, [0] * 32]
    assert call("match.all.sync.b64", 0 * a, ALL) == [[0xFFFFFFFF] * 32, [1] * 32]
    high = a << U64(32)
    assert call("match.all.sync.b32", high, ALL)[1] == [1] * 32
    assert call("match.all.sync.b64", high, ALL)[1] == [0] * 32
    own = np.where(a == 0, 0x55555555, 0xAAAAAAAA)
    assert call("match.all.sync.b32", a, own) == [own.tolist(), [1] * 32]


def test_redux() -> None:
    assert call("redux.sync.add.u32", LANES, ALL)[0] == [496] * 32
    assert call("redux.sync.add.s32", np.full(32, 0xFFFFFFFF), ALL)[0] == [0xFFFFFFE0] * 32
    assert call("redux.sync.add.u32", np.full(32, 0x80000001), ALL)[0] == [32] * 32
    mixed = np.where(LANES == 5, 0xFFFFFFFE, LANES)
    assert call("redux.sync.min.s32", mixed, ALL)[0] == [0xFFFFFFFE] * 32
    assert call("redux.sync.min.u32", mixed, ALL)[0] == [0] * 32
    assert call("redux.sync.max.s32", mixed, ALL)[0] == [31] * 32
    assert call("redux.sync.max.u32", mixed, ALL)[0] == [0xFFFFFFFE] * 32
    halves = np.where(LANES < 16, 0xFFFF, 0xFFFF0000)
    assert call("redux.sync.or.b32", LANES, halves)[0] == [15] * 16 + [31] * 16
    assert call("redux.sync.and.b32", LANES, halves)[0] == [0] * 16 + [16] * 16
    assert call("redux.sync.xor.b32", LANES, np.full(32, 0b111), lanes=LANES)[0] == [3] * 32


def test_elect_and_activemask() -> None:
    some = np.array([3, 9, 30])
    assert call("elect.sync", np.full(3, 0xFFFFFFFF), lanes=some) == [[3] * 3, [1, 0, 0]]
    assert call("elect.sync", np.full(2, 1 << 9 | 1 << 30), lanes=some[1:]) == [[9] * 2, [1, 0]]
    assert call("activemask.b32", lanes=some)[0] == [1 << 3 | 1 << 9 | 1 << 30] * 3


def test_shuffles() -> None:
    down = call("shfl.sync.down.b32", LANES + U64(100), np.full(32, 4), np.full(32, 31), ALL)
    assert down == [[100 + min(l + 4, l if l > 27 else 31) for l in range(32)], [int(l < 28) for l in range(32)]]
    up = call("shfl.sync.up.b32", LANES, np.full(32, 1), np.zeros(32), ALL)
    assert up == [[0, *range(31)], [0] + [1] * 31]
    segments = np.full(32, (32 - 8) << 8 | 31)
    assert call("shfl.sync.idx.b32", LANES, np.full(32, 2), segments, ALL)[0] == [l // 8 * 8 + 2 for l in range(32)]
    assert call("shfl.sync.bfly.b32", LANES, np.full(32, 16), np.full(32, 31), ALL)[0] == [l ^ 16 for l in range(32)]
    with pytest.raises(UnsupportedError, match="not there"):
        call("shfl.sync.bfly.b32", np.arange(8), np.full(8, 16), np.full(8, 31), np.full(8, 255), lanes=np.arange(8))


@pytest.mark.parametrize(
    "form",
    [
        "vote.sync.b32",
        "vote.sync.all.b32",
        "match.sync.b32",
        "redux.sync.and.u32",
        "redux.sync.add.b32",
        "elect.b32",
        "shfl.sync.b32",
    ],
)
def test_what_is_no_form(form: str) -> None:
    with pytest.raises(UnsupportedError):
        call(form, LANES, ALL)


# Form, code that leaves its results in %r20 and %r21 (of a value %r1 and a mask %r2).
EXECUTED = [
    ("vote.sync.ballot.b32", "vote.sync.ballot.b32 %r20, %p1, %r2; mov.u32 %r21, 0;"),
    ("vote.sync.all.pred", "vote.sync.all.pred %p2, %p1, %r2; selp.u32 %r20, 1, 0, %p2; mov.u32 %r21, 0;"),
    ("vote.sync.any.pred", "vote.sync.any.pred %p2, %p1, %r2; selp.u32 %r20, 1, 0, %p2; mov.u32 %r21, 0;"),
    ("vote.sync.uni.pred", "vote.sync.uni.pred %p2, %p1, %r2; selp.u32 %r20, 1, 0, %p2; mov.u32 %r21, 0;"),
    ("match.any.sync.b32", "match.any.sync.b32 %r20, %r1, %r2; mov.u32 %r21, 0;"),
    ("match.all.sync.b32", "match.all.sync.b32 %r20|%p2, %r1, %r2; selp.u32 %r21, 1, 0, %p2;"),
    *(
        (f"redux.sync.{name}", f"redux.sync.{name} %r20, %r1, %r2; mov.u32 %r21, 0;")
        for name in ("add.u32", "min.s32", "max.s32", "min.u32", "max.u32", "add.s32", "and.b32", "or.b32", "xor.b32")
    ),
]


@pytest.mark.parametrize(("form", "code"), EXECUTED, ids=[form for form, _ in EXECUTED])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_unroll_computes_the_same(form: str, code: str, seed: int) -> None:
    """On random values, of two kinds of lanes, with masks that split the warp in two."""
    rng = np.random.default_rng(seed)
    split = rng.integers(0, 1 << 32, dtype=np.uint64) if seed else U64(0xFFFFFFFF)
    members = np.where((split >> LANES) & U64(1), split, ~split & U64(0xFFFFFFFF))
    value = (
        rng.choice(rng.integers(0, 1 << 32, 3, dtype=np.uint64), 32)
        if seed < 2
        else rng.integers(0, 1 << 32, 32, dtype=np.uint64)
    )
    tensors = [
        tensor("v", "u32", 32, "in", values=value), tensor("m", "u32", 32, "in", values=members),
        tensor("o", "u32", (2, 32), "out"),
    ]  # fmt: skip
    body = "add.u64 %d1, %d10, %d20; ld.global.u32 %r1, [%d1]; add.u64 %d2, %d11, %d20; ld.global.u32 %r2, [%d2]; and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0;"
    body += code + "add.u64 %d3, %d12, %d20; st.global.u32 [%d3], %r20; st.global.u32 [%d3+128], %r21;"
    found = run(body, tensors, {}).outputs["o"]
    first = value & U64(1) if form.startswith("vote") else value
    wanted = call(form, first, members)
    assert found[0].tolist() == wanted[0]
    assert len(wanted) == 1 or found[1].tolist() == wanted[1]

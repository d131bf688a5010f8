"""What nobody reads goes if it only computes, around loops, too; and all that is more than a value stays, in its place."""

from __future__ import annotations

import pytest
from lower_text import ROOT, kernel

from volta_pipe.ir.ptx import InstructionOp, UnmodelledOp, walk_kernel
from volta_pipe.passes.lower import list_entries, lower, print_module, read_ptx


def text(body: str) -> list[str]:
    """The operations of the canonical module without what they are called by."""
    module = lower(kernel(body), "t.ptx", "k").module
    module.verify()
    lines = [line.strip() for line in print_module(module).splitlines()[2:-2]]
    return [line.partition(" = ")[2] or line for line in lines]


@pytest.mark.parametrize(
    "body",
    [
        "add.s32 %r1, %r2, %r3;",
        "mov.u32 %r1, %tid.x; mul.lo.s32 %r2, %r1, %r1;",
        "ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1;",
        "div.u32 %r1, %r2, 0; rem.s32 %r3, %r1, %r2;",
        "fma.rn.f32 %f1, %f2, %f3, %f1; ex2.approx.f32 %f2, %f1;",
        "@%p1 add.s32 %r1, %r1, 1; setp.eq.s32 %p2, %r1, 0;",
        "add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, 0;",
    ],
)
def test_a_value_that_nobody_reads_goes(body: str) -> None:
    assert text(f"{body} ret;") == ["ptx.ret"]


@pytest.mark.parametrize(
    ("one", "mnemonic"),
    [
        ("ld.global.u32 %r1, [%rd1];", "ld"),
        ("ld.volatile.global.u32 %r1, [%rd1];", "ld"),
        ("@%p1 ld.global.u32 %r1, [%rd1];", "ld"),
        ("st.global.u32 [%rd1], %r1;", "st"),
        ("atom.global.add.u32 %r1, [%rd1], 1;", "atom"),
        ("red.global.add.u32 [%rd1], 1;", "red"),
        ("bar.sync 0;", "bar"),
        ("bar.warp.sync 0xffffffff;", "bar"),
        ("barrier.cta.red.popc.aligned.u32 %r1, 0, %p1;", "barrier"),
        ("membar.gl;", "membar"),
        ("fence.acq_rel.gpu;", "fence"),
        ("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", "shfl"),
        ("vote.sync.ballot.b32 %r1, %p1, -1;", "vote"),
        ("match.any.sync.b32 %r1, %r2, -1;", "match"),
        ("redux.sync.add.s32 %r1, %r2, -1;", "redux"),
        ("activemask.b32 %r1;", "activemask"),
        ("elect.sync %r1|%p1, -1;", "elect"),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd5, %fd6};", "mma"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "ldmatrix"),
        ("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", "movmatrix"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 16;", "cp"),
        ("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", "mbarrier"),
        ("prefetch.global.L2 [%rd1];", "prefetch"),
        ("nanosleep.u32 20;", "nanosleep"),
        ("frobnicate.b32 %r1, %r2;", "unmodelled"),
        ("mov.u32 %r1, %clock;", "unmodelled"),
    ],
)
def test_what_is_more_than_a_value_stays(one: str, mnemonic: str) -> None:
    lines = text(f"{one} ret;")
    assert sum(line.startswith(f"ptx.{mnemonic} ") for line in lines) == 1 and lines[-1] == "ptx.ret"


def test_values_that_only_a_loop_hands_on_to_itself_go() -> None:
    body = "mov.u32 %r1, 0; L: {} add.s32 %r1, %r1, 1; st.shared.u32 [%r1], 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L; ret;"
    dead = "add.s32 %r2, %r2, %r3; add.f32 %f1, %f1, %f1; selp.b32 %r3, %r2, %r3, %p2; setp.gt.s32 %p2, %r2, %r3;"
    assert text(body.format(dead)) == text(body.format(""))


@pytest.mark.parametrize("body", ["L: bra L;", "A: bra B; B: bra C; C: bra A;", "L: add.s32 %r1, %r1, 1; bra L;"])
def test_a_loop_for_ever_stays_one(body: str) -> None:
    assert text(body) == ["ptx.br ^bb1", "^bb1:", "ptx.br ^bb1"]


def test_a_branch_that_decides_nothing_stays_for_its_condition_may_be_none() -> None:
    assert text("ld.global.pred %p1, [%rd1]; @%p1 bra L; L: ret;")[-1] == "ptx.ret"
    assert [line for line in text("@%p1 bra L; bra L; L: membar.gl; ret;") if "cond_br" in line] == [
        "ptx.cond_br %0, ^bb1, ^bb1"
    ]


def test_loads_stay_between_their_effects() -> None:
    order = [line.split()[0] for line in text("ld.shared.u32 %r2, [%r1]; bar.sync 0; st.shared.u32 [%r1], %r2; ret;")]
    assert order.index("ptx.ld") < order.index("ptx.bar") < order.index("ptx.st")
    order = [line.split()[0] for line in text("bar.sync 0; ld.shared.u32 %r2, [%r1]; st.shared.u32 [%r1], %r2; ret;")]
    assert order.index("ptx.bar") < order.index("ptx.ld") < order.index("ptx.st")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("add.s32 %r3, %r1, %r2;", "add.s32 %r3, %r2, %r1;", True),
        ("add.s32 %r3, %r1, 5;", "add.s32 %r3, 5, %r1;", True),
        ("sub.s32 %r3, %r1, %r2;", "sub.s32 %r3, %r2, %r1;", False),
        ("mad.lo.s32 %r3, %r1, %r2, %r4;", "mad.lo.s32 %r3, %r2, %r1, %r4;", True),
        ("mad.lo.s32 %r3, %r1, %r2, %r4;", "mad.lo.s32 %r3, %r4, %r2, %r1;", False),
        ("selp.b32 %r3, %r1, %r2, %p1;", "selp.b32 %r3, %r2, %r1, %p1;", False),
        ("shl.b32 %r3, %r1, %r2;", "shl.b32 %r3, %r2, %r1;", False),
        ("setp.eq.s32 %p2, %r1, %r2; selp.b32 %r3, 1, 0, %p2;", "setp.eq.s32 %p2, %r2, %r1; selp.b32 %r3, 1, 0, %p2;", True),
        ("setp.lt.s32 %p2, %r1, %r2; selp.b32 %r3, 1, 0, %p2;", "setp.lt.s32 %p2, %r2, %r1; selp.b32 %r3, 1, 0, %p2;", False),
        ("add.cc.u32 %r3, %r1, %r2;", "add.cc.u32 %r3, %r2, %r1;", True),
        ("sub.cc.u32 %r3, %r1, %r2;", "sub.cc.u32 %r3, %r2, %r1;", False),
        ("fma.rn.f32 %r3, %r1, %r2, %r4;", "fma.rn.f32 %r3, %r2, %r1, %r4;", True),
        ("mul.lo.s32 %r3, %r1, 16;", "shl.b32 %r3, %r1, 4;", True),
        ("mul.lo.u32 %r3, 2, %r1;", "shl.b32 %r3, %r1, 1;", True),
        ("mul.lo.s32 %r3, %r1, -2147483648;", "shl.b32 %r3, %r1, 31;", False),
        ("mul.hi.s32 %r3, %r1, 16;", "shl.b32 %r3, %r1, 4;", False),
    ],
)
def test_exchanged_operands(one: str, other: str, same: bool) -> None:
    head = "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; ld.global.u32 %r4, [%rd1+8]; setp.gt.s32 %p1, %r1, 3; "
    first, second = (text(f"{head}{middle} st.global.u32 [%rd1], %r3; ret;") for middle in (one, other))
    assert (first == second) is same


def test_doubles_hand_on_the_bits_of_a_nan() -> None:
    head = "ld.global.f64 %fd1, [%rd1]; ld.global.f64 %fd2, [%rd1+8];"
    one, other = (
        text(f"{head} add.f64 %fd3, {pair}; st.global.f64 [%rd1], %fd3; ret;") for pair in ("%fd1, %fd2", "%fd2, %fd1")
    )
    assert one != other


@pytest.mark.parametrize("name", ["matmul/matmul_registers", "attention/attention_online", "softmax/softmax", "axpy/axpy"])
def test_each_operation_keeps_its_line(name: str) -> None:
    path = next((ROOT / "examples").glob(f"{name}*.ptx"))
    source = read_ptx(path)
    written = source.splitlines()
    for entry, _ in list_entries(source, path.name):
        found = lower(source, path.name, entry)
        checked = 0
        for index, op in enumerate(walk_kernel(found.module)):
            if isinstance(op, InstructionOp) and not isinstance(op, UnmodelledOp):
                names = {"shl": ("shl.", "mul.lo"), "not": ("not.", "@!")}.get(op.mnemonic, (f"{op.mnemonic}.",))
                assert any(one in written[found.lines.ptx_line(index) - 1] for one in names)
                checked += 1
        assert checked > 10

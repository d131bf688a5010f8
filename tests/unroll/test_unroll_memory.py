"""State spaces, widths that overlap, vectors, parameters, and what uninitialised bytes may not reach."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import random
import struct

import numpy as np
import pytest
from unroll_harness import at, kernel, launch_of, run, run_body, tensor

from volta_pipe.ir.launch import Argument

SHARED = ".shared .align 16 .b8 s[1024]; mov.u32 %r40, s; shl.b32 %r41, %r50, 4; add.u32 %r40, %r40, %r41;"
LOCAL = ".local .align 16 .b8 s[16]; mov.u64 %rd19, s; cvt.u32.u64 %r40, %rd19;"


@pytest.mark.parametrize("space", ("shared", "local", "global", "generic shared", "generic local"))
def test_overlapping_widths(space: str) -> None:
    """Random stores and loads of 1 to 16 bytes in 16 bytes of each thread, against a bytearray."""
    draw, threads = random.Random(space), 8
    address = {
        "shared": SHARED + "cvt.u64.u32 %rd18, %r40;",
        "local": LOCAL + "mov.u64 %rd18, %rd19;",
        "global": at("g", size=16) + "mov.u64 %rd18, %at_g;",
        "generic shared": SHARED + "cvt.u64.u32 %rd17, %r40; cvta.shared.u64 %rd18, %rd17;",
        "generic local": LOCAL + "cvta.local.u64 %rd18, %rd19;",
    }[space]
    word = f".{space}" if " " not in space else ""
    lines, memory, rows = [address], bytearray(range(100, 116)), []
    for k in range(0, 16, 4):
        lines.append(f"mov.u32 %r1, {int.from_bytes(memory[k : k + 4], 'little')}; st{word}.u32 [%rd18+{k}], %r1;")
    for step in range(60):
        size = draw.choice((1, 2, 4, 8))
        place = draw.randrange(0, 16, size)
        count = draw.choice((1, 2, 4)) if size < 8 and place + 4 * size <= 16 and place % (4 * size) == 0 else 1
        if draw.random() < 0.5:
            values = [draw.getrandbits(8 * size) for _ in range(count)]
            for i, value in enumerate(values):
                lines.append(f"mov.u64 %rd{1 + i}, {value};")
                memory[place + i * size : place + (i + 1) * size] = value.to_bytes(size, "little")
            operand = "%rd1" if count == 1 else "{" + ", ".join(f"%rd{1 + i}" for i in range(count)) + "}"
            vector = f".v{count}" if count > 1 else ""
            lines.append(f"st{word}{vector}.{draw.choice('bus')}{8 * size} [%rd18+{place}], {operand};")
            continue
        kind = draw.choice("us")
        value = int.from_bytes(memory[place : place + size], "little", signed=kind == "s") & 0xFFFFFFFF
        register = "%rd1" if size == 8 else "%r1"
        lines.append(
            f"ld{word}.{kind}{8 * size} {register}, [%rd18+{place}];" + ("cvt.u32.u64 %r1, %rd1;" if size == 8 else "")
        )
        lines.append(f"st.global.u32 [%at_y+{4 * threads * len(rows)}], %r1; // step {step}")
        rows.append([value] * threads)
    tensors = [tensor("y", "u32", (len(rows), threads), "out"), tensor("g", "u8", 16 * threads, "scratch")]
    outcome = run_body(at("y") + "\n".join(lines), tensors, threads)
    assert outcome.kinds == []
    assert outcome.outputs()["y"].tolist() == rows


def test_const_memory_and_module_variables() -> None:
    before = (
        ".const .align 4 .u32 table[4] = {10, 20, 30, 40};\n.const .align 2 .b8 bytes[6] = {1, 2, 3, 4, 255, 128};\n"
        ".const .align 4 .f32 f = 0f3FC00000;\n.global .align 4 .u32 g[4] = {5, 6};\n"
    )
    text = (
        at("y", size=16)
        + """
    mov.u64 %rd1, table; mul.wide.u32 %rd2, %r50, 4; add.s64 %rd3, %rd1, %rd2; ld.const.u32 %r1, [%rd3];
    cvta.const.u64 %rd4, %rd3; ld.u32 %r2, [%rd4]; ld.const.s8 %r3, [bytes+4]; ld.const.u16 %r4, [bytes+2];
    mov.u64 %rd5, g; add.s64 %rd5, %rd5, %rd2; ld.global.u32 %r5, [%rd5]; ld.const.b32 %r6, [f];
    add.u32 %r1, %r1, %r2; st.global.v4.u32 [%at_y], {%r1, %r3, %r4, %r5}; st.global.u32 [%at_y+0], %r1;
    """
    )
    outcome = run_body(text, [tensor("y", "u32", (4, 4), "out")], 4, before=before)
    assert outcome.kinds == []
    table, g = [10, 20, 30, 40], [5, 6, 0, 0]
    assert outcome.outputs()["y"].tolist() == [[2 * table[t], 0xFFFFFFFF, 0x0403, g[t]] for t in range(4)]


def test_parameters_of_all_types() -> None:
    text = """
    ld.param.u16 %rs1, [a]; ld.param.s8 %rs2, [b]; ld.param.u32 %r1, [c]; ld.param.u64 %rd1, [d]; ld.param.f32 %f1, [e];
    ld.param.b32 %r4, [d+4]; cvt.u32.u16 %r2, %rs1; cvt.s32.s16 %r3, %rs2; mov.b32 %r5, %f1;
    st.global.u32 [%rd_y], %r2; st.global.u32 [%rd_y+4], %r3; st.global.u32 [%rd_y+8], %r1; st.global.u64 [%rd_y+16], %rd1;
    st.global.u32 [%rd_y+12], %r5; st.global.u32 [%rd_y+24], %r4; mov.u32 %r6, 0; st.global.u32 [%rd_y+28], %r6;
    """
    numbers = (65535, -3, 4000000000, 0x123456789ABCDEF0)
    arguments = [Argument("pointer", 0, 32), *(Argument("number", number=n) for n in numbers), Argument("number", number=1.5)]
    parameters = ["y", ".u16 a", ".s8 b", ".u32 c", ".u64 d", ".f32 e"]
    launch = launch_of([tensor("y", "u32", 16, "inout", np.zeros(16))], 1, arguments=arguments)
    outcome = run(kernel(text, parameters), launch)
    assert outcome.kinds == []
    bits = struct.unpack("<I", struct.pack("<f", 1.5))[0]
    wanted = [65535, 0xFFFFFFFD, 4000000000, bits, 0x9ABCDEF0, 0x12345678, 0x12345678, 0]
    assert outcome.outputs()["y"].tolist()[8:] == wanted


def test_dynamic_shared_memory_lies_behind_the_static_one() -> None:
    before = ".extern .shared .align 16 .b8 dynamic[];\n"
    text = (
        at("y")
        + """
    .shared .align 4 .b8 fixed[20]; mov.u32 %r1, dynamic; mov.u32 %r2, fixed; sub.u32 %r3, %r1, %r2;
    shl.b32 %r4, %r50, 2; add.u32 %r4, %r4, %r1; st.shared.u32 [%r4], %r3; ld.shared.u32 %r5, [%r4]; st.global.u32 [%at_y], %r5;
    """
    )
    y = tensor("y", "u32", 8, "out")
    outcome = run_body(text, [y], 8, before=before, shared_bytes=32)
    assert outcome.kinds == [] and outcome.outputs()["y"].tolist() == [32] * 8
    assert "out-of-bounds" in run_body(text, [y], 8, before=before, shared_bytes=28).kinds


POISON = [
    ("a register never written", "mov.u32 %r1, %r9;"),
    ("through arithmetic", "add.u32 %r1, %r9, 1; and.b32 %r1, %r1, 0;"),
    ("the chosen side of selp", "setp.ge.u32 %p1, %r50, 0; selp.b32 %r1, %r9, 7, %p1;"),
    ("a guard that does not hold", "setp.lt.u32 %p1, %r50, 4; @%p1 mov.u32 %r1, 7;"),
    ("shared memory", SHARED + "ld.shared.u32 %r1, [%r40];"),
    (
        "one byte of shared memory",
        SHARED + "mov.u32 %r2, 0; st.shared.u16 [%r40], %r2; st.shared.u8 [%r40+2], %r2; ld.shared.u32 %r1, [%r40];",
    ),
    ("local memory", LOCAL + "ld.local.u32 %r1, [%rd19];"),
    ("a round trip through shared memory", SHARED + "st.shared.u32 [%r40+4], %r9; ld.shared.u32 %r1, [%r40+4];"),
    ("a shuffle", "setp.lt.u32 %p1, %r50, 4; @%p1 mov.u32 %r9, 7; shfl.sync.bfly.b32 %r1, %r9, 4, 31, -1;"),
    ("a pack", "mov.b64 %rd1, {%r9, %r50}; mov.b64 {%r1, %r2}, %rd1;"),
    ("a comparison", "setp.lt.u32 %p1, %r9, 4; selp.u32 %r1, 1, 0, %p1;"),
    ("an output that is read", "ld.global.u32 %r1, [%at_y];"),
    ("a wide product", "mul.wide.u32 %rd1, %r9, 3; cvt.u32.u64 %r1, %rd1;"),
]


@pytest.mark.parametrize(("why", "code"), POISON, ids=[why.replace(" ", "-") for why, _ in POISON])
def test_uninitialised_values_do_not_reach_outputs(why: str, code: str) -> None:
    outcome = run_body(at("y") + code + "st.global.u32 [%at_y], %r1;", [tensor("y", "u32", 8, "out")], 8)
    assert outcome.kinds == ["uninitialized-read"], why


@pytest.mark.parametrize(
    "code",
    [
        "@%p3 mov.u32 %r1, 1;",
        "@%p3 bra END;",
        "ld.shared.u32 %r1, [%r9];",
        "bar.sync %r9;",
        "shfl.sync.up.b32 %r1, %r50, %r9, 0, -1;",
    ],
)
def test_uninitialised_values_decide_nothing(code: str) -> None:
    text = at("y") + ".shared .align 4 .b8 s[64]; mov.u32 %r1, s;" + code + "st.global.u32 [%at_y], %r1; END:"
    outcome = run_body(text, [tensor("y", "u32", 8, "out")], 8)
    assert not outcome.program.complete and outcome.kinds[0] in ("uninitialized-read", "data-dependent-control")


def test_what_is_never_used_may_be_uninitialised() -> None:
    code = (
        SHARED + "ld.shared.u32 %r1, [%r40]; setp.lt.u32 %p1, %r50, 99; selp.b32 %r2, 7, %r1, %p1; st.global.u32 [%at_y], %r2;"
    )
    outcome = run_body(at("y") + code, [tensor("y", "u32", 8, "out")], 8)
    assert outcome.kinds == [] and outcome.outputs()["y"].tolist() == [7] * 8


@pytest.mark.parametrize("memory", ("shared", "output"))
def test_a_store_under_a_data_dependent_guard_initialises_nothing_for_sure(memory: str) -> None:
    """Where the guard is false the output is garbage: `safe` would be wrong (undecided would do)."""
    load = at("x") + at("y") + "ld.global.f32 %f1, [%at_x]; setp.gt.f32 %p1, %f1, 0f00000000;"
    through = SHARED + "@%p1 st.shared.f32 [%r40], %f1; ld.shared.f32 %f2, [%r40]; st.global.f32 [%at_y], %f2;"
    code = through if memory == "shared" else "@%p1 st.global.f32 [%at_y], %f1;"
    assert run_body(load + code, [tensor("x", "f32", 8, "in"), tensor("y", "f32", 8, "out")], 8).kinds != []


def test_an_address_that_leaves_its_tensor_by_four_gigabytes_is_out_of_bounds() -> None:
    """(unsigned)(i - 1) + 1 as a 64-bit index is 2^32, and 2^34 bytes lie behind x[0]: no other tensor may be taken for x."""
    others = [tensor(name, "f32", 8, "out") for name in ("y", "z", "v", "w")]
    text = (
        "setp.eq.u32 %p1, %r50, 0;"
        + at("y")
        + at("z")
        + at("v")
        + at("w")
        + """
    mov.f32 %f1, 0f3F800000; st.global.f32 [%at_y], %f1; st.global.f32 [%at_z], %f1; st.global.f32 [%at_v], %f1;
    sub.u32 %r1, %r50, 1; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, 1; shl.b64 %rd1, %rd1, 2; add.u64 %rd1, %rd1, %rd_x;
    setp.gt.u32 %p1, %r50, 0; @%p1 st.global.f32 [%at_w], %f1; @!%p1 st.global.f32 [%rd1], %f1;
    """
    )
    outcome = run_body(text, [tensor("x", "f32", 8, "in"), *others], 8)
    assert "out-of-bounds" in outcome.kinds


@pytest.mark.parametrize(
    "code",
    [
        "shr.u64 %rd1, %rd_y, 32; cvt.u32.u64 %r1, %rd1;",
        "setp.lt.u64 %p1, %rd_x, %rd_y; selp.u32 %r1, 1, 2, %p1;",
        "shr.u64 %rd1, %rd_x, 8; and.b64 %rd1, %rd1, 1; cvt.u32.u64 %r1, %rd1;",
    ],
    ids=["upper-half", "order", "bit-8"],
)
def test_where_buffers_lie_decides_no_output(code: str) -> None:
    """The contract promises an alignment, not an address: what depends on one is no function of the inputs."""
    tensors = [tensor("x", "u32", 8, "in"), tensor("y", "u32", 8, "out")]
    try:
        outcome = run_body(at("y") + code + "st.global.u32 [%at_y], %r1;", tensors, 8)
    except Exception as error:  # a refusal
        assert type(error).__name__ == "UnsupportedError"
        return
    assert outcome.kinds != [] or outcome.program.assumptions or outcome.report.notes


@pytest.mark.parametrize(
    "code", ["ld.global.u32 %r1, [%rd18];", "ld.shared.u32 %r1, [%rd18];", "cvt.u64.u32 %rd17, %r40; ld.u32 %r1, [%rd17];"]
)
def test_addresses_of_another_space_are_out_of_bounds(code: str) -> None:
    text = at("y") + SHARED + "st.shared.u32 [%r40], %r50; cvt.u64.u32 %rd17, %r40; cvta.shared.u64 %rd18, %rd17;"
    assert "out-of-bounds" in run_body(text + code + "st.global.u32 [%at_y], %r1;", [tensor("y", "u32", 8, "out")], 8).kinds


def test_shared_and_local_memory_start_afresh_in_each_cta() -> None:
    for memory, space in ((SHARED, "shared"), (LOCAL, "local")):
        base = "cvt.u64.u32 %rd18, %r40;"
        text = "mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, 4, %r50;" + at("y", "%r7") + memory + base
        text += f"setp.eq.u32 %p1, %r6, 0; @%p1 st.{space}.u32 [%rd18], %r50; ld.{space}.u32 %r1, [%rd18]; st.global.u32 [%at_y], %r1;"
        assert run_body(text, [tensor("y", "u32", 8, "out")], 4, grid=2).kinds == ["uninitialized-read"]


def test_ctas_that_share_scratch_race() -> None:
    text = (
        at("y")
        + at("z")
        + "st.global.u32 [%at_z], %r50; ld.global.u32 %r1, [%at_z]; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%at_y], %r1;"
    )
    tensors = [tensor("y", "u32", 4, "out"), tensor("z", "u32", 4, "scratch")]
    assert run_body(text, tensors, 4, grid=1).kinds == []
    assert set(run_body(text, tensors, 4, grid=2).kinds) == {"race"}


@pytest.mark.parametrize(
    ("align", "vector", "kinds"),
    [(4, "", []), (4, ".v2", ["misaligned"]), (8, ".v2", []), (16, ".v4", []), (8, ".v4", ["misaligned"])],
)
def test_a_tensor_promises_only_its_alignment(align: int, vector: str, kinds: list[str]) -> None:
    count = int(vector[2:] or 1)
    operand = "%r50" if count == 1 else "{" + ", ".join(["%r50"] * count) + "}"
    text = at("y", size=4 * count) + f"st.global{vector}.u32 [%at_y], {operand};"
    outcome = run_body(text, [tensor("y", "u32", 4 * count, "out", align=align)], 4)
    assert outcome.kinds == kinds

"""`sad`, the instruction that docs/adding-an-instruction.md adds: its values by hand, and where it is refused."""

from __future__ import annotations

import pytest

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.passes.lower import lower
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 px, .param .u64 py)\n{\n"
HEAD += ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<3>;\n"
HEAD += "ld.param.u64 %d8, [px];\nld.param.u64 %d7, [py];\n"
# type, a, b, c and c + |a - b| (unsigned, modulo 2^width).
CASES = [
    ("u32", 3, 10, 100, 107),
    ("u32", 10, 3, 100, 107),
    ("u32", 0xFFFFFFFF, 1, 5, 3),  # 4294967294 + 5 wraps
    ("s32", 0xFFFFFFFF, 1, 5, 7),  # -1 and 1 are 2 apart
    ("s32", 0x80000000, 0x7FFFFFFF, 0, 0xFFFFFFFF),  # the widest difference there is
    ("s32", 0xFFFFFFF9, 0xFFFFFFFE, 0xFFFFFFFF, 4),  # -7 and -2 are 5 apart; c is -1
    ("u16", 0xFFFF, 0, 0, 0xFFFF),
    ("u16", 2, 0xFFFF, 10, 7),  # 65533 + 10 wraps
    ("s16", 0x8000, 0x7FFF, 1, 0),  # 65535 + 1 wraps
    ("s16", 0xFFFE, 3, 0xFFFF, 4),  # -2 and 3 are 5 apart; c is -1
    ("u64", 1, 0xFFFFFFFF00000001, 2, 0xFFFFFFFF00000002),
    ("u64", 0xFFFFFFFFFFFFFFFF, 0, 3, 2),
    ("s64", 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0xFFFFFFFFFFFFFFFF),
    ("s64", 0xFFFFFFFFFFFFFFFE, 3, 7, 12),  # -2 and 3 are 5 apart
]


def outputs(body: str, count: int, threads: int = 1) -> list[float]:
    """The values that a kernel stores into y, u32 [count]."""
    tensors = (Tensor("x", "f32", (1,), (1,), "in"), Tensor("y", "u32", (count,), (1,), "out"))
    launch = Launch(tensors, (), (Argument("pointer", 0), Argument("pointer", 1)), (1, 1, 1), (threads, 1, 1))
    conditions = vc(unroll(lower(f"{HEAD}{body}\nret;\n}}\n", "sad.ptx", "k").module, launch), launch)
    return [conditions.graph.constant(int(root)) for root in conditions.outputs[1]]


def case(kind: str, a: int, b: int, c: int, place: int) -> str:
    """PTX that computes one case from registers and stores its low and high words."""
    bits, letter = int(kind[1:]), {16: "h", 32: "r", 64: "d"}[int(kind[1:])]
    moves = [f"mov.b{bits} %{letter}{i}, {value};" for i, value in ((1, a), (2, b), (3, c))]
    sad = f"sad.{kind} %{letter}4, %{letter}1, %{letter}2, %{letter}3;"
    words = {
        16: "cvt.u32.u16 %r5, %h4; mov.b32 %r6, 0;",
        32: "mov.b32 %r5, %r4; mov.b32 %r6, 0;",
        64: "mov.b64 {%r5, %r6}, %d4;",
    }
    stores = f"st.global.u32 [%d7+{8 * place}], %r5; st.global.u32 [%d7+{8 * place + 4}], %r6;"
    return "\n".join([*moves, sad, words[bits], stores])


def test_values_by_hand() -> None:
    found = outputs("\n".join(case(*one[:4], place) for place, one in enumerate(CASES)), 2 * len(CASES))
    wanted = [float(word) for *_, value in CASES for word in (value & 0xFFFFFFFF, value >> 32)]
    assert found == wanted


def test_lanes_differ_and_registers_are_reused() -> None:
    """d is also an operand; immediates; one value a lane: 10 + |t - 2|, then |that - 11| + 1."""
    body = """mov.u32 %r1, %tid.x;
sad.u32 %r1, %r1, 2, 10;
sad.s32 %r1, %r1, 11, 1;
mov.u32 %r2, %tid.x;
mul.wide.u32 %d1, %r2, 4;
add.u64 %d7, %d7, %d1;
st.global.u32 [%d7], %r1;"""
    assert outputs(body, 6, threads=6) == [2, 1, 2, 1, 2, 3]


def test_a_guard_keeps_the_old_value() -> None:
    body = "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 1; mov.u32 %r2, 50; @%p1 sad.u32 %r2, %r1, 4, 20;"
    body += "mul.wide.u32 %d1, %r1, 4; add.u64 %d7, %d7, %d1; st.global.u32 [%d7], %r2;"
    assert outputs(body, 3, threads=3) == [50, 23, 50]


def test_the_bits_of_a_symbolic_float_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="symbolic"):
        outputs("ld.global.u32 %r1, [%d8]; sad.u32 %r2, %r1, 1, 2; st.global.u32 [%d7], %r2;", 1)


@pytest.mark.parametrize(
    "line",
    ["sad.f32 %r1, %r1, %r1, %r1;", "sad.b32 %r1, %r1, %r1, %r1;", "sad.u32 %r1, %r1, %r1;", "sad.sat.u32 %r1, %r1, %r1, %r1;"],
)
def test_other_forms_are_refused_where_they_are_executed(line: str) -> None:
    lowered = lower(f"{HEAD}{line}\nret;\n}}\n", "sad.ptx", "k")
    tensor = Tensor("y", "u32", (1,), (1,), "out")
    launch = Launch((tensor,), (), (Argument("null"), Argument("pointer", 0)), (1, 1, 1), (1, 1, 1))
    (event,) = unroll(lowered.module, launch).events
    assert event.kind == "unsupported-instruction" and line.split(maxsplit=1)[0] in event.message
    assert lowered.lines.ptx_line(event.instruction) == HEAD.count("\n") + 1

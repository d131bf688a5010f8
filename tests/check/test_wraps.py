"""Sums and products of 32 bits that wrap around on the way to an address are noted, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import lower
from volta_pipe.passes.unroll import unroll

_TOP = 1 << 32
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def noted(code: str, a: int, b: int = 0, c: int = 0) -> int:
    """How many instructions are noted in a kernel that computes %r from the three numbers."""
    return len(remarks(code, a, b, c))


def remarks(code: str, a: int, b: int = 0, c: int = 0) -> list[str]:
    """What is noted."""
    text = f"""{HEAD}.visible .entry k(.param .u64 py, .param .u32 pa, .param .u32 pb, .param .u32 pc) {{
    .reg .b32 %a, %b, %c, %r, %s; .reg .b64 %y, %o, %z; .reg .pred %p;
    ld.param.u64 %y, [py]; ld.param.u32 %a, [pa]; ld.param.u32 %b, [pb]; ld.param.u32 %c, [pc];
    {code}
    st.global.u32 [%y], 1; ret; }}"""
    tensor = Tensor("y", "u32", (4,), (1,), "inout")
    numbers = tuple(Argument("number", number=n) for n in (a, b, c))
    launch = Launch((tensor,), (), (Argument("pointer", 0), *numbers), (1, 1, 1), (1, 1, 1))
    program = unroll(lower(text, "k.ptx", "k").module, launch)
    return [remark.message for remark in check(program, launch).remarks if remark.kind == "wrapped-index"]


# The result times four becomes a part of an address, of which nothing is left in the end.
USED = "mul.wide.u32 %o, %r, 4; add.s64 %z, %y, %o; sub.s64 %y, %z, %o;"


def signed(x: int) -> int:
    return x - _TOP if x >= _TOP // 2 else x


def fits(both: int, unsigned: int) -> bool:
    """Whether the exact result of signed operands, or of unsigned ones, has 32 bits."""
    return -_TOP // 2 <= both < _TOP // 2 or 0 <= unsigned < _TOP


@pytest.mark.parametrize("seed", range(30))
def test_against_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = [0, 1, 5, 31, 1 << 16, (1 << 31) - 1, 1 << 31, _TOP - 5, _TOP - 1]
    a, b = (int(rng.choice(edges)) if rng.integers(2) else int(rng.integers(_TOP)) for _ in range(2))
    x, y = signed(a), signed(b)
    expected = {
        "add.s32 %r, %a, %b;": fits(x + y, a + b),
        "sub.s32 %r, %a, %b;": fits(x - y, a - b),
        "mul.lo.s32 %r, %a, %b;": fits(x * y, a * b),
    }
    for code, fine in expected.items():
        assert noted(code + USED, a, b) == (0 if fine else 1), (code, a, b)
    by = b % 40
    assert noted("shl.b32 %r, %a, %b;" + USED, a, by) == (0 if a == 0 or (by < 32 and fits(x << by, a << by)) else 1), (a, by)


@pytest.mark.parametrize(
    "code",
    [
        "mul.lo.s32 %r, %a, 48271; and.b32 %r, %r, 3;" + USED,  # a hash: masked
        "mul.lo.s32 %r, %a, 48271; shr.u32 %r, %r, 30;" + USED,
        "mul.lo.s32 %s, %a, 48271; mov.u32 %r, 0;" + USED,  # reaches no address
        "add.s32 %r, %a, %b;" + USED,  # 2^31 - 1 and -5
    ],
)
def test_what_is_not_noted(code: str) -> None:
    assert noted(code, (1 << 31) - 1, _TOP - 5) == 0


def test_what_is_noted() -> None:
    assert noted("mad.lo.s32 %r, %a, %b, %c;" + USED, 1 << 20, 1 << 12, 1) == 1
    assert noted("mad.lo.s32 %r, %a, %b, %c;" + USED, 1 << 20, (1 << 12) - 1, (1 << 20) - 1) == 0
    assert noted("mad.lo.s32 %r, %a, %b, %c;" + USED, 1 << 20, (1 << 12) - 1, 1 << 20) == 1
    chosen = "add.s32 %s, %a, %b; setp.eq.u32 %p, %a, %b; selp.b32 %r, %s, %c, %p;"
    assert noted(chosen + USED, 1 << 31, 1 << 31) == 1


@pytest.mark.parametrize("code", ["mul.lo.s32 %r, %a, 4096;", "shl.b32 %r, %a, 12;"])
def test_a_product_with_a_power_of_two_is_called_so_however_it_is_spelled(code: str) -> None:
    """Both are one instruction once they are lowered, so that neither may be called by the other's name."""
    (text,) = remarks(code + USED, 1 << 20)
    assert text.startswith(
        "a product with a power of two (mul or shl) of 32 bits that an address is computed from wraps around"
    )
    assert "shift" not in text


def test_other_products_are_products() -> None:
    (text,) = remarks("mul.lo.s32 %r, %a, 4095;" + USED, 1 << 21)
    assert text.startswith("a product of 32 bits")

"""Integer arithmetic against the ISA's pseudo-code on Python integers, and edge values by hand (PTX ISA 9.7.1, 9.7.2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from replay_reference import call, one

from volta_pipe.ir.errors import UnsupportedError

INTS = ("s16", "u16", "s32", "u32", "s64", "u64")


def width(kind: str) -> int:
    return int(kind[1:])


def number(bits: int, kind: str) -> int:
    """The integer that bits stand for in a type."""
    bits &= (1 << width(kind)) - 1
    return bits - (1 << width(kind)) if kind[0] == "s" and bits >> (width(kind) - 1) else bits


def bits_of(value: int, size: int) -> int:
    return value & ((1 << size) - 1)


def operands(kind: str, count: int, seed: int) -> list[list[int]]:
    """Columns of bits: all pairs of edges first, then random ones."""
    n = width(kind)
    edges = [0, 1, 2, (1 << (n - 1)) - 1, 1 << (n - 1), (1 << n) - 1, (1 << n) - 2, 0x55 << (n - 8)]
    rng = np.random.default_rng(seed)
    rows = [[a, b, int(rng.choice(np.array(edges, np.uint64)))] for a in edges for b in edges]
    rows += [[int(x) & ((1 << n) - 1) for x in rng.integers(0, 1 << 63, 3, np.uint64) * 2 + 1] for _ in range(150)]
    return [list(column) for column in zip(*rows, strict=True)][:count]


def check(form: str, kind: str, count: int, reference: Callable[..., int], size: int) -> None:
    """A form against a function of the operands' numbers."""
    columns = operands(kind, count, len(form))
    found = call(form, *columns)[0]
    for bits, *row in zip(found, *columns, strict=True):
        assert bits == bits_of(reference(*(number(x, kind) for x in row)), size), (form, row)


def towards_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


@pytest.mark.parametrize("kind", INTS)
def test_arithmetic(kind: str) -> None:
    n = width(kind)
    check(f"add.{kind}", kind, 2, lambda a, b: a + b, n)
    check(f"sub.{kind}", kind, 2, lambda a, b: a - b, n)
    check(f"mul.lo.{kind}", kind, 2, lambda a, b: a * b, n)
    check(f"mul.hi.{kind}", kind, 2, lambda a, b: a * b >> n, n)
    check(f"mad.lo.{kind}", kind, 3, lambda a, b, c: a * b + c, n)
    check(f"mad.hi.{kind}", kind, 3, lambda a, b, c: (a * b >> n) + c, n)
    check(f"min.{kind}", kind, 2, min, n)
    check(f"max.{kind}", kind, 2, max, n)
    check(f"sad.{kind}", kind, 3, lambda a, b, c: c + abs(a - b), n)
    if n < 64:
        check(f"mul.wide.{kind}", kind, 2, lambda a, b: a * b, 2 * n)
    if kind[0] == "s":
        check(f"abs.{kind}", kind, 1, abs, n)
        check(f"neg.{kind}", kind, 1, lambda a: -a, n)


@pytest.mark.parametrize("kind", INTS)
def test_division_truncates(kind: str) -> None:
    columns = operands(kind, 2, 7)
    rows = [(a, b) for a, b in zip(*columns, strict=True) if b]
    columns = [list(column) for column in zip(*rows, strict=True)]
    quotients, rests = (call(f"{name}.{kind}", *columns)[0] for name in ("div", "rem"))
    for q, r, a, b in zip(quotients, rests, *columns, strict=True):
        x, y = number(a, kind), number(b, kind)
        assert q == bits_of(towards_zero(x, y), width(kind))
        assert r == bits_of(x - y * towards_zero(x, y), width(kind))
    for name in ("div", "rem"):
        with pytest.raises(UnsupportedError, match="by zero"):
            one(f"{name}.{kind}", 5, 0)


def test_wide_sums() -> None:
    """mad.wide adds an operand of twice the width."""
    assert one("mad.wide.u32", 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF) == 0xFFFFFFFE00000000
    assert one("mad.wide.s32", 0xFFFFFFFF, 0xFFFFFFFF, 0) == 1
    assert one("mad.wide.s16", 0x8000, 0x8000, 0x80000000) == 0xC0000000
    assert one("mad.wide.u16", 0xFFFF, 2, 1) == 0x1FFFF


def test_saturation() -> None:
    """.sat of .s32: MININT..MAXINT."""
    assert one("add.sat.s32", 0x7FFFFFFF, 1) == 0x7FFFFFFF
    assert one("add.sat.s32", 0x80000000, 0xFFFFFFFF) == 0x80000000
    assert one("sub.sat.s32", 0x80000000, 1) == 0x80000000
    assert one("sub.sat.s32", 0, 0x80000000) == 0x7FFFFFFF
    assert one("mad.hi.sat.s32", 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF) == 0x7FFFFFFF
    assert one("mad.hi.sat.s32", 0x80000000, 0x7FFFFFFF, 0x80000000) == 0x80000000
    with pytest.raises(UnsupportedError):
        one("add.sat.u32", 0, 0)


def test_relu_and_pairs() -> None:
    assert one("min.relu.s32", 0xFFFFFFFB, 7) == 0
    assert one("max.relu.s32", 0xFFFFFFFB, 7) == 7
    assert one("max.relu.s32", 0xFFFFFFFB, 0xFFFFFFFF) == 0
    assert one("add.u16x2", 0xFFFF_0001, 0x0001_FFFF) == 0
    assert one("add.s16x2", 0x7FFF_8000, 0x0001_FFFF) == 0x8000_7FFF
    assert one("min.u16x2", 0x8000_0001, 0x0001_8000) == 0x0001_0001
    assert one("min.s16x2", 0x8000_0001, 0x0001_8000) == 0x8000_8000
    assert one("max.s16x2", 0x8000_0001, 0x0001_8000) == 0x0001_0001
    assert one("max.u16x2", 0x8000_0001, 0x0001_8000) == 0x8000_8000
    assert one("max.relu.s16x2", 0x8000_0005, 0xFFFF_8000) == 0x0000_0005
    assert one("min.relu.s16x2", 0x0003_0005, 0xFFFF_0004) == 0x0000_0004


def test_24_bits() -> None:
    """Bits 31..0 or 47..16 of the product of the low 24 bits."""
    a, b = 0x12ABCDEF, 0xFF876543
    x, y = a & 0xFFFFFF, b & 0xFFFFFF
    assert one("mul24.lo.u32", a, b) == x * y & 0xFFFFFFFF
    assert one("mul24.hi.u32", a, b) == x * y >> 16
    sx, sy = x - (1 << 24), y - (1 << 24)  # bit 23 of both is set
    assert one("mul24.lo.s32", a, b) == sx * sy & 0xFFFFFFFF
    assert one("mul24.hi.s32", a, b) == (sx * sy >> 16) & 0xFFFFFFFF
    assert one("mad24.lo.u32", a, b, 9) == (x * y + 9) & 0xFFFFFFFF
    assert one("mad24.hi.s32", 0x800000, 1, 5) == (-(1 << 23) >> 16) + 5 & 0xFFFFFFFF
    assert one("mad24.hi.sat.s32", 0x7FFFFF, 0x7FFFFF, 0x7FFFFFFF) == 0x7FFFFFFF


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_carries(kind: str) -> None:
    """A flag is the last operand of the forms that read it, and the last result of those that write it."""
    n = width(kind)
    modulus = 1 << n
    columns = operands(kind, 3, 3)
    flags = [k % 2 for k in range(len(columns[0]))]
    plain = f"{kind}"
    sums = call(f"add.cc.{plain}", *columns[:2])
    carried = call(f"addc.cc.{plain}", *columns[:2], flags)
    silent = call(f"addc.{plain}", *columns[:2], flags)
    borrowed = call(f"sub.cc.{plain}", *columns[:2])
    borrows = call(f"subc.cc.{plain}", *columns[:2], flags)
    assert len(silent) == 1
    mads = call(f"madc.hi.cc.{plain}", *columns, flags)
    lows = call(f"mad.lo.cc.{plain}", *columns)
    for k, (a, b, c, flag) in enumerate(zip(*columns, flags, strict=True)):
        assert (sums[0][k], sums[1][k]) == ((a + b) % modulus, int(a + b >= modulus))
        assert (carried[0][k], carried[1][k]) == ((a + b + flag) % modulus, int(a + b + flag >= modulus))
        assert silent[0][k] == (a + b + flag) % modulus
        assert (borrowed[0][k], borrowed[1][k]) == ((a - b) % modulus, int(a < b))
        assert (borrows[0][k], borrows[1][k]) == ((a - b - flag) % modulus, int(a < b + flag))
        high = (number(a, kind) * number(b, kind) >> n) % modulus
        assert (mads[0][k], mads[1][k]) == ((high + c + flag) % modulus, int(high + c + flag >= modulus))
        low = a * b % modulus
        assert (lows[0][k], lows[1][k]) == ((low + c) % modulus, int(low + c >= modulus))


def test_a_product_of_64_by_64_bits_in_words() -> None:
    """The sequence of the ISA's section on madc: [r3,r2,r1,r0] = [r5,r4] · [r7,r6]."""
    x, y = 0xFEDCBA9876543210, 0xF0E1D2C3B4A59687
    r4, r5, r6, r7 = x & 0xFFFFFFFF, x >> 32, y & 0xFFFFFFFF, y >> 32

    def run(form: str, *values: int) -> tuple[int, int]:
        results = call(form, *([v] for v in values))
        return results[0][0], results[1][0] if len(results) > 1 else 0

    r0, r1 = one("mul.lo.u32", r4, r6), one("mul.hi.u32", r4, r6)
    r1, cf = run("mad.lo.cc.u32", r5, r6, r1)
    r2, _ = run("madc.hi.u32", r5, r6, 0, cf)
    r1, cf = run("mad.lo.cc.u32", r4, r7, r1)
    r2, cf = run("madc.hi.cc.u32", r4, r7, r2, cf)
    r3, _ = run("addc.u32", 0, 0, cf)
    r2, cf = run("mad.lo.cc.u32", r5, r7, r2)
    r3, _ = run("madc.hi.u32", r5, r7, r3, cf)
    assert r3 << 96 | r2 << 64 | r1 << 32 | r0 == x * y


def test_dot_products() -> None:
    a, b = 0x80FF7F01, 0x02FF0180  # bytes, lowest first: 01 7f ff 80 and 80 01 ff 02
    unsigned = 0x01 * 0x80 + 0x7F * 0x01 + 0xFF * 0xFF + 0x80 * 0x02
    mixed = 0x01 * -128 + 0x7F * 1 + 0xFF * -1 + 0x80 * 2
    both = 1 * -128 + 127 * 1 + -1 * -1 + -128 * 2
    assert one("dp4a.u32.u32", a, b, 5) == unsigned + 5
    assert one("dp4a.u32.s32", a, b, 5) == (mixed + 5) & 0xFFFFFFFF
    assert one("dp4a.s32.s32", a, b, 0) == both & 0xFFFFFFFF
    assert one("dp4a.u32.u32", 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) == (4 * 255 * 255 - 1) & 0xFFFFFFFF
    halves = 0x8000FFFF  # lowest first: ffff, 8000
    assert one("dp2a.lo.u32.u32", halves, b, 1) == 0xFFFF * 0x80 + 0x8000 * 0x01 + 1
    assert one("dp2a.hi.u32.u32", halves, b, 1) == 0xFFFF * 0xFF + 0x8000 * 0x02 + 1
    assert one("dp2a.lo.s32.s32", halves, b, 0) == (-1 * -128 + -32768 * 1) & 0xFFFFFFFF
    assert one("dp2a.hi.s32.u32", halves, b, 0) == (-1 * 0xFF + -32768 * 2) & 0xFFFFFFFF


@pytest.mark.parametrize(
    "form", ["mul.u32", "mul.wide.u64", "add.cc.u16", "abs.u32", "min.relu.u32", "dp2a.u32.u32", "mad24.u32"]
)
def test_forms_that_do_not_exist_are_refused(form: str) -> None:
    with pytest.raises(UnsupportedError):
        call(form, [1], [1], [1])

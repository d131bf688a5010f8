"""Logic, shifts, bit fields, counts and prmt, from the ISA's pseudo-code (PTX ISA 9.7.1.14 to 9.7.1.22, 9.7.8, 9.7.9.7)."""

from __future__ import annotations

import numpy as np
import pytest
from replay_reference import call, one

from volta_pipe.ir.errors import UnsupportedError

RNG = np.random.default_rng(11)
WORDS = [0, 1, 2, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 0x00010000] + [int(x) for x in RNG.integers(0, 1 << 32, 60)]
LONGS = [0, 1, 1 << 63, (1 << 64) - 1, (1 << 63) - 1, 1 << 32] + [int(x) for x in RNG.integers(0, 1 << 63, 60)]
ALL = 0xFFFFFFFF


def test_logic() -> None:
    a, b = WORDS, WORDS[::-1]
    assert call("and.b32", a, b)[0] == [x & y for x, y in zip(a, b, strict=True)]
    assert call("or.b32", a, b)[0] == [x | y for x, y in zip(a, b, strict=True)]
    assert call("xor.b32", a, b)[0] == [x ^ y for x, y in zip(a, b, strict=True)]
    assert call("not.b32", a)[0] == [x ^ ALL for x in a]
    assert call("not.b16", [0x0F0F])[0] == [0xF0F0]
    assert call("not.pred", [0, 1])[0] == [1, 0]
    assert call("xor.pred", [0, 1, 1], [1, 1, 0])[0] == [1, 0, 1]
    assert call("cnot.b32", [0, 1, ALL])[0] == [1, 0, 0]
    assert call("cnot.b64", [1 << 40])[0] == [0]


def test_lop3() -> None:
    """Each of the 256 functions on ta, tb, tc, whose bits enumerate the inputs, gives its own table."""
    tables = list(range(256))
    lanes = len(tables)
    assert call("lop3.b32", [0xF0] * lanes, [0xCC] * lanes, [0xAA] * lanes, tables)[0] == [
        t | (0xFFFFFF00 if t & 1 else 0) for t in tables
    ]
    assert one("lop3.b32", 0xF0F0, 0xFF00, 0x1234, 0x80) == 0xF0F0 & 0xFF00 & 0x1234
    assert call("lop3.or.b32", [0, 1], [0, 1], [0, 1], [0x80, 0x80], [0, 0])[1] == [0, 1]
    assert call("lop3.and.b32", [1, 1], [1, 1], [1, 1], [0x80, 0x80], [0, 1])[1] == [0, 1]


@pytest.mark.parametrize("width", [16, 32, 64])
def test_shifts_clamp(width: int) -> None:
    top, mask = 1 << (width - 1), (1 << width) - 1
    values = [1, top, mask, top | 1, 0x1234 & mask]
    for by in (0, 1, 7, width - 1, width, width + 1, 64, 200, ALL):
        n = min(by, width)
        assert call(f"shl.b{width}", values, [by] * 5)[0] == [v << n & mask for v in values]
        assert call(f"shr.u{width}", values, [by] * 5)[0] == [v >> n for v in values]
        assert call(f"shr.b{width}", values, [by] * 5)[0] == [v >> n for v in values]
        signed = [v - (1 << width) if v & top else v for v in values]
        assert call(f"shr.s{width}", values, [by] * 5)[0] == [v >> n & mask for v in signed]


def test_funnel_shifts() -> None:
    """{b, a} shifted; n = c & 31 or min(c, 32)."""
    a, b = 0x89ABCDEF, 0x01234567
    both = b << 32 | a
    for c in (0, 1, 8, 31, 32, 33, 63, ALL):
        for mode, n in (("wrap", c & 31), ("clamp", min(c, 32))):
            assert one(f"shf.l.{mode}.b32", a, b, c) == both << n >> 32 & ALL
            assert one(f"shf.r.{mode}.b32", a, b, c) == both >> n & ALL


def test_counts() -> None:
    assert call("popc.b32", WORDS)[0] == [x.bit_count() for x in WORDS]
    assert call("popc.b64", LONGS)[0] == [x.bit_count() for x in LONGS]
    assert call("clz.b32", WORDS)[0] == [32 - x.bit_length() for x in WORDS]
    assert call("clz.b64", LONGS)[0] == [64 - x.bit_length() for x in LONGS]
    assert call("brev.b32", WORDS)[0] == [int(f"{x:032b}"[::-1], 2) for x in WORDS]
    assert call("brev.b64", LONGS)[0] == [int(f"{x:064b}"[::-1], 2) for x in LONGS]


def bfind(a: int, kind: str, shiftamt: bool) -> int:
    msb = int(kind[1:]) - 1
    if kind[0] == "s" and a >> msb:
        a ^= (1 << (msb + 1)) - 1
    if not a:
        return ALL
    return msb - (a.bit_length() - 1) if shiftamt else a.bit_length() - 1


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_bfind(kind: str) -> None:
    values = WORDS if kind[1:] == "32" else LONGS
    assert call(f"bfind.{kind}", values)[0] == [bfind(x, kind, False) for x in values]
    assert call(f"bfind.shiftamt.{kind}", values)[0] == [bfind(x, kind, True) for x in values]


def fns(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if mask >> base & 1 else ALL
    position, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= position < 32:
        if mask >> position & 1:
            if count == 0:
                return position
            count -= 1
        position += step
    return ALL


def test_fns() -> None:
    rows = [(0xAAAAAAAA, 3, 1), (0xAAAAAAAA, 3, -1), (0xAAAAAAAA, 2, 1), (0xAAAAAAAA, 2, -1)]  # the ISA's examples
    assert [fns(*row) for row in rows] == [3, 3, 3, 1]
    rows += [
        (int(m), int(b), int(o)) for m, b, o in zip(WORDS, RNG.integers(0, 32, 67), RNG.integers(-34, 35, 67), strict=True)
    ]
    rows += [(5, 2, 0), (5, 1, 0), (ALL, 31, 1), (ALL, 31, 2), (ALL, 0, 32), (ALL, 0, 33), (1, 0, -0x80000000)]
    columns = [[r[0] for r in rows], [r[1] for r in rows], [r[2] & ALL for r in rows]]
    assert call("fns.b32", *columns)[0] == [fns(*row) for row in rows]
    with pytest.raises(UnsupportedError, match="beyond 31"):
        one("fns.b32", 1, 32, 1)


def bfe(a: int, b: int, c: int, kind: str) -> int:
    msb = int(kind[1:]) - 1
    position, length = b & 255, c & 255
    sign = 0 if kind[0] == "u" or length == 0 else a >> min(position + length - 1, msb) & 1
    out = 0
    for i in range(msb + 1):
        bit = a >> (position + i) & 1 if i < length and position + i <= msb else sign
        out |= bit << i
    return out


def bfi(a: int, b: int, c: int, d: int, msb: int) -> int:
    position, length = c & 255, d & 255
    out = b
    for i in range(length):
        if position + i <= msb:
            out = out & ~(1 << (position + i)) | (a >> i & 1) << (position + i)
    return out


@pytest.mark.parametrize("width", [32, 64])
def test_bit_fields(width: int) -> None:
    values = (WORDS if width == 32 else LONGS)[:24]
    rows = [
        (a, b, position, length)
        for a, b in zip(values, values[::-1], strict=True)
        for position in (0, 1, 5, 31, 32, 33, 63, 64, 255, 256 + 3)
        for length in (0, 1, 7, 31, 32, 33, 64, 255, 256 + 2)
    ]
    a, b, position, length = ([row[k] for row in rows] for k in range(4))
    for kind in (f"u{width}", f"s{width}"):
        found = call(f"bfe.{kind}", a, position, length)[0]
        assert found == [bfe(x, p, n, kind) for x, p, n in zip(a, position, length, strict=True)]
    found = call(f"bfi.b{width}", a, b, position, length)[0]
    assert found == [bfi(*row, width - 1) for row in rows]


def bmsk(a: int, b: int, mode: str) -> int:
    a1, b1 = a & 31, b & 31
    mask0 = ALL << a1 & ALL
    total = a1 + b1
    mask1 = ALL << total & ALL
    over = total >= 32
    if mode == "clamp":
        if a >= 32:
            over, mask0 = True, 0
        over = over or b >= 32
    if over:
        mask1 = 0
    elif b1 == 0:
        mask1 = ALL
    return mask0 & ~mask1 & ALL


def szext(a: int, b: int, mode: str, kind: str) -> int:
    b1 = b & 31
    too_large = b >= 32 and mode == "clamp"
    mask = 0 if too_large else ALL << b1 & ALL
    sign = 0 if b1 == 0 or too_large or kind == "u32" else a >> ((b1 - 1) & 31) & 1
    return a & ~mask | (mask if sign else 0)


@pytest.mark.parametrize("mode", ["clamp", "wrap"])
def test_masks_and_extensions(mode: str) -> None:
    amounts = [0, 1, 2, 15, 16, 31, 32, 33, 47, 64, ALL]
    rows = [(a, b) for a in amounts for b in amounts]
    a, b = ([row[k] for row in rows] for k in range(2))
    assert call(f"bmsk.{mode}.b32", a, b)[0] == [bmsk(*row, mode) for row in rows]
    rows = [(x, n) for x in WORDS[:20] for n in amounts]
    a, b = ([row[k] for row in rows] for k in range(2))
    for kind in ("u32", "s32"):
        assert call(f"szext.{mode}.{kind}", a, b)[0] == [szext(*row, mode, kind) for row in rows]
    assert one("bmsk.wrap.b32", 1, 2) == 6  # the ISA's examples
    assert one("szext.wrap.u32", ALL, 0) == 0


def test_prmt() -> None:
    """Bytes are numbered 0 to 3 in a and 4 to 7 in b; here each byte holds its number, b's with the top bit set."""
    a, b = 0x03020100, 0x87868584
    assert one("prmt.b32", a, b, 0x3210) == a
    assert one("prmt.b32", a, b, 0x7654) == b
    assert one("prmt.b32", a, b, 0x0123) == 0x00010203
    assert one("prmt.b32", a, b, 0xC840) == 0xFF008400  # sign of byte 4, sign of byte 0, byte 4, byte 0
    tables = {  # of d.b3 to d.b0, for c = 0 to 3 (PTX ISA, table of prmt's modes)
        "f4e": ("3210", "4321", "5432", "6543"),
        "b4e": ("5670", "6701", "7012", "0123"),
        "rc8": ("0000", "1111", "2222", "3333"),
        "ecl": ("3210", "3211", "3222", "3333"),
        "ecr": ("0000", "1110", "2210", "3210"),
        "rc16": ("1010", "3232", "1010", "3232"),
    }
    for mode, rows in tables.items():
        for c, digits in enumerate(rows):
            wanted = bytes((b << 32 | a) >> 8 * int(d) & 255 for d in digits)
            for high in (0, 4, 0xFFFFFFFC):  # only the two low bits of c count
                assert one(f"prmt.{mode}.b32", a, b, c | high) == int.from_bytes(wanted, "big")


@pytest.mark.parametrize(
    "form", ["shf.l.b32", "shl.u32", "bmsk.b32", "lop3.xor.b32", "popc.u32", "prmt.f4e.rc8.b32", "cnot.pred"]
)
def test_forms_that_do_not_exist_are_refused(form: str) -> None:
    with pytest.raises(UnsupportedError):
        call(form, [1], [1], [1], [1])

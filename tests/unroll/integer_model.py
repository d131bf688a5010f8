"""The integer instructions of PTX ISA 9.7.1, 9.7.6, 9.7.8 and 9.7.9 in plain Python, on unsigned bit patterns.

Written from the ISA's text, not from the tool: the oracle of test_unroll_integers. Each case is (PTX with %a.. and %d, widths of
the sources, width of the result, function of the sources as unsigned numbers)."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable, Iterator

Function = Callable[..., int]
Case = tuple[str, tuple[int, ...], int, Function]


def signed(bits: int, width: int) -> int:
    """Two's complement."""
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def _as(kind: str, width: int) -> Callable[[int], int]:
    return (lambda x: signed(x, width)) if kind == "s" else (lambda x: x & ((1 << width) - 1))


def divide(x: int, y: int) -> tuple[int, int]:
    """Quotient towards zero, and the remainder that goes with it."""
    q = abs(x) // abs(y)
    q = -q if (x < 0) != (y < 0) else q
    return q, x - q * y


def arithmetic() -> Iterator[Case]:
    for kind in "su":
        for width in (16, 32, 64):
            t, v = f"{kind}{width}", _as(kind, width)
            two, three = (width, width), (width, width, width)
            yield f"add.{t} %d, %a, %b", two, width, lambda a, b: a + b
            yield f"sub.{t} %d, %a, %b", two, width, lambda a, b: a - b
            yield f"mul.lo.{t} %d, %a, %b", two, width, lambda a, b: a * b
            yield f"mul.hi.{t} %d, %a, %b", two, width, lambda a, b, v=v, w=width: (v(a) * v(b)) >> w
            yield f"mad.lo.{t} %d, %a, %b, %c", three, width, lambda a, b, c: a * b + c
            yield f"mad.hi.{t} %d, %a, %b, %c", three, width, lambda a, b, c, v=v, w=width: ((v(a) * v(b)) >> w) + c
            yield f"div.{t} %d, %a, %b", two, width, lambda a, b, v=v: divide(v(a), v(b))[0]
            yield f"rem.{t} %d, %a, %b", two, width, lambda a, b, v=v: divide(v(a), v(b))[1]
            yield f"min.{t} %d, %a, %b", two, width, lambda a, b, v=v: min(v(a), v(b))
            yield f"max.{t} %d, %a, %b", two, width, lambda a, b, v=v: max(v(a), v(b))
            if width < 64:
                yield f"mul.wide.{t} %d, %a, %b", two, 2 * width, lambda a, b, v=v: v(a) * v(b)
                yield (
                    f"mad.wide.{t} %d, %a, %b, %c",
                    (width, width, 2 * width),
                    2 * width,
                    lambda a, b, c, v=v: v(a) * v(b) + c,
                )
            if kind == "s":
                yield f"abs.{t} %d, %a", (width,), width, lambda a, v=v: abs(v(a))
                yield f"neg.{t} %d, %a", (width,), width, lambda a: -a


def _bfe(a: int, pos: int, length: int, width: int, kind: str) -> int:
    pos, length, top = pos & 255, length & 255, width - 1
    sign = 0
    if kind == "s" and length:
        sign = a >> min(pos + length - 1, top) & 1
    bits = [(a >> (pos + i) & 1) if i < length and pos + i <= top else sign for i in range(width)]
    return sum(bit << i for i, bit in enumerate(bits))


def _bfi(a: int, b: int, pos: int, length: int, width: int) -> int:
    for i in range(min(length & 255, width)):
        if (pos & 255) + i < width:
            place = (pos & 255) + i
            b = b & ~(1 << place) | (a >> i & 1) << place
    return b


def _prmt(a: int, b: int, selector: int) -> int:
    pool = (b << 32 | a).to_bytes(8, "little")
    out = bytearray()
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = pool[nibble & 7]
        out.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    return int.from_bytes(out, "little")


def _lop3(a: int, b: int, c: int, table: int) -> int:
    return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))


def _shift_right(a: int, n: int, width: int, kind: str) -> int:
    return (signed(a, width) if kind == "s" else a) >> min(n, width)


def bits() -> Iterator[Case]:
    for width in (16, 32, 64):
        t, two = f"b{width}", (width, width)
        yield f"and.{t} %d, %a, %b", two, width, lambda a, b: a & b
        yield f"or.{t} %d, %a, %b", two, width, lambda a, b: a | b
        yield f"xor.{t} %d, %a, %b", two, width, lambda a, b: a ^ b
        yield f"not.{t} %d, %a", (width,), width, lambda a: ~a
        yield f"shl.{t} %d, %a, %b", (width, 32), width, lambda a, n, w=width: a << min(n, w)
        for kind in "bsu":
            yield f"shr.{kind}{width} %d, %a, %b", (width, 32), width, lambda a, n, w=width, k=kind: _shift_right(a, n, w, k)
        if width == 16:
            continue
        yield f"popc.{t} %d, %a", (width,), 32, lambda a: a.bit_count()
        yield f"clz.{t} %d, %a", (width,), 32, lambda a, w=width: w - a.bit_length()
        yield f"brev.{t} %d, %a", (width,), width, lambda a, w=width: int(f"{a:0{w}b}"[::-1], 2)
        for kind in "su":
            yield (
                f"bfe.{kind}{width} %d, %a, %b, %c",
                (width, 32, 32),
                width,
                lambda a, p, n, w=width, k=kind: _bfe(a, p, n, w, k),
            )
        yield f"bfi.{t} %d, %a, %b, %c, %e", (width, width, 32, 32), width, lambda a, b, p, n, w=width: _bfi(a, b, p, n, w)
    for table in (0x00, 0x80, 0x96, 0xE8, 0xCA, 0x1B, 0xFF):
        yield f"lop3.b32 %d, %a, %b, %c, {table}", (32, 32, 32), 32, lambda a, b, c, t=table: _lop3(a, b, c, t)
    yield "prmt.b32 %d, %a, %b, %c", (32, 32, 32), 32, _prmt
    for clamp, most in (("wrap", None), ("clamp", 32)):
        count = (lambda n: n & 31) if most is None else (lambda n: min(n, 32))
        yield f"shf.l.{clamp}.b32 %d, %a, %b, %c", (32, 32, 32), 32, lambda a, b, n, f=count: (b << 32 | a) << f(n) >> 32
        yield f"shf.r.{clamp}.b32 %d, %a, %b, %c", (32, 32, 32), 32, lambda a, b, n, f=count: (b << 32 | a) >> f(n)


def conversions() -> Iterator[Case]:
    for to in ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"):
        for source in ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"):
            width, kind = int(source[1:]), source[0]
            result = max(16, int(to[1:]))

            def convert(a: int, to: str = to, kind: str = kind, width: int = width) -> int:
                value = _as(kind, width)(a)
                return _as(to[0], int(to[1:]))(value)

            yield f"cvt.{to}.{source} %d, %a", (max(16, width),), result, convert
    yield "mov.b32 %d, {%a, %b}", (16, 16), 32, lambda a, b: b << 16 | a
    yield "mov.b64 %d, {%a, %b}", (32, 32), 64, lambda a, b: b << 32 | a
    for width in (16, 32, 64):
        yield f"mov.b{width} %d, %a", (width,), width, lambda a: a


def saturate(a: int, source: str, to: str) -> int:
    """cvt.sat: clamped to the range of the destination's type."""
    n = int(to[1:])
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if to[0] == "s" else (0, (1 << n) - 1)
    return min(max(_as(source[0], int(source[1:]))(a), low), high)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "lo": lambda x, y: x < y,
    "ls": lambda x, y: x <= y,
    "hi": lambda x, y: x > y,
    "hs": lambda x, y: x >= y,
}


def comparable(name: str, kind: str) -> bool:
    """Whether the ISA has the comparison for that kind of type."""
    return {"b": name in ("eq", "ne"), "s": name not in ("lo", "ls", "hi", "hs"), "u": True}[kind]

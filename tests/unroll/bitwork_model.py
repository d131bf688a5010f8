"""The rarer integer instructions of PTX ISA 9.7.1, 9.7.6, 9.7.8 and 9.7.9 in plain Python, on unsigned bit patterns.

Written from the ISA's pseudocode, not from the tool. Cases are as in integer_model.py, several by shape of their operands."""

from __future__ import annotations

from collections.abc import Iterator

from integer_model import COMPARISONS, Case, comparable, signed

WORD = 0xFFFFFFFF
INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1


def s32(x: int) -> int:
    return signed(x, 32)


def clamp(x: int, low: int = INT_MIN, high: int = INT_MAX) -> int:
    return min(max(x, low), high)


def fields(x: int, bits: int, kind: str) -> list[int]:
    """The fields of a word, lowest first, extended by the sign where the type is signed."""
    parts = [x >> place & ((1 << bits) - 1) for place in range(0, 32, bits)]
    return [signed(part, bits) for part in parts] if kind == "s" else parts


def joined(parts: list[int], bits: int) -> int:
    return sum((part & ((1 << bits) - 1)) << bits * place for place, part in enumerate(parts))


def product24(a: int, b: int, kind: str, mode: str) -> int:
    """mul24: bits 47..16 or 31..0 of the product of the low 24 bits, as a number of the type."""
    x, y = ((signed(v, 24) if kind == "s" else v & 0xFFFFFF) for v in (a, b))
    bits = x * y >> (16 if mode == "hi" else 0) & WORD
    return s32(bits) if kind == "s" else bits


def halves(a: int, b: int, kind: str, name: str, relu: bool = False) -> int:
    function = {"add": lambda x, y: x + y, "min": min, "max": max}[name]
    found = [function(x, y) for x, y in zip(fields(a, 16, kind), fields(b, 16, kind), strict=True)]
    return joined([max(x, 0) for x in found] if relu else found, 16)


def szext(a: int, n: int, kind: str, mode: str) -> int:
    if n >= 32 and mode == "clamp":
        return a
    n &= 31
    if n == 0:
        return 0
    low = a & ((1 << n) - 1)
    return signed(low, n) if kind == "s" else low


def bmsk(a: int, b: int, mode: str) -> int:
    if mode == "wrap":
        a, b = a & 31, b & 31
    ones = (1 << b) - 1 if b < 64 else WORD
    return (ones << a) & WORD if a < 32 else 0


def bfind(a: int, width: int, kind: str, shift: bool) -> int:
    if kind == "s" and a >> (width - 1):
        a = ~a & ((1 << width) - 1)
    if a == 0:
        return WORD
    place = a.bit_length() - 1
    return width - 1 - place if shift else place


def fns(mask: int, base: int, offset: int) -> int:
    offset = s32(offset)
    ones = [place for place in range(32) if mask >> place & 1]
    if offset == 0:
        return base if base in ones else WORD
    found = [p for p in ones if p >= base] if offset > 0 else [p for p in reversed(ones) if p <= base]
    return found[abs(offset) - 1] if abs(offset) <= len(found) else WORD


def dot(a: int, b: int, c: int, kinds: str, bits: int, first: int = 0) -> int:
    """dp4a (bits 8), and dp2a (bits 16) that starts with byte `first` of b."""
    return c + sum(x * y for x, y in zip(fields(a, bits, kinds[0]), fields(b, 8, kinds[1])[first:], strict=False))


# d.b3 d.b2 d.b1 d.b0 for the selectors 0 to 3, as the ISA's table has them.
PRMT = {
    "f4e": ("3210", "4321", "5432", "6543"),
    "b4e": ("5670", "6701", "7012", "0123"),
    "rc8": ("0000", "1111", "2222", "3333"),
    "ecl": ("3210", "3211", "3222", "3333"),
    "ecr": ("0000", "1110", "2210", "3210"),
    "rc16": ("1010", "3232", "1010", "3232"),
}


def prmt(a: int, b: int, c: int, mode: str) -> int:
    pool = (b << 32 | a).to_bytes(8, "little")
    return int.from_bytes(bytes(pool[int(place)] for place in PRMT[mode][c & 3]), "big")


def cvt_pack(a: int, b: int, c: int, to: str) -> int:
    bits = int(to[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if to[0] == "s" else (0, (1 << bits) - 1)
    x, y = (clamp(s32(v), low, high) & ((1 << bits) - 1) for v in (a, b))
    return c << 2 * bits | x << bits | y


def words() -> Iterator[Case]:
    """Forms of 32 bits with two or three operands of 32 bits."""
    two, three = (32, 32), (32, 32, 32)
    for kind in "su":
        for mode in ("lo", "hi"):
            yield f"mul24.{mode}.{kind}32 %d, %a, %b", two, 32, lambda a, b, k=kind, m=mode: product24(a, b, k, m)
            yield f"mad24.{mode}.{kind}32 %d, %a, %b, %c", three, 32, lambda a, b, c, k=kind, m=mode: product24(a, b, k, m) + c
        for name in ("add", "min", "max"):
            yield f"{name}.{kind}16x2 %d, %a, %b", two, 32, lambda a, b, k=kind, n=name: halves(a, b, k, n)
        for mode in ("clamp", "wrap"):
            yield f"szext.{mode}.{kind}32 %d, %a, %b", two, 32, lambda a, n, k=kind, m=mode: szext(a, n, k, m)
        for other in "su":
            yield f"dp4a.{kind}32.{other}32 %d, %a, %b, %c", three, 32, lambda a, b, c, k=kind + other: dot(a, b, c, k, 8)
            for mode in ("lo", "hi"):
                yield (
                    f"dp2a.{mode}.{kind}32.{other}32 %d, %a, %b, %c",
                    three,
                    32,
                    lambda a, b, c, k=kind + other, f=2 * (mode == "hi"): dot(a, b, c, k, 16, f),
                )
    yield "mad24.hi.sat.s32 %d, %a, %b, %c", three, 32, lambda a, b, c: clamp(product24(a, b, "s", "hi") + s32(c))
    yield "mad.hi.sat.s32 %d, %a, %b, %c", three, 32, lambda a, b, c: clamp((s32(a) * s32(b) >> 32) + s32(c))
    yield "add.sat.s32 %d, %a, %b", two, 32, lambda a, b: clamp(s32(a) + s32(b))
    yield "sub.sat.s32 %d, %a, %b", two, 32, lambda a, b: clamp(s32(a) - s32(b))
    for name, function in (("min", min), ("max", max)):
        yield f"{name}.relu.s32 %d, %a, %b", two, 32, lambda a, b, f=function: max(f(s32(a), s32(b)), 0)
        yield f"{name}.relu.s16x2 %d, %a, %b", two, 32, lambda a, b, n=name: halves(a, b, "s", n, relu=True)
    for mode in ("clamp", "wrap"):
        yield f"bmsk.{mode}.b32 %d, %a, %b", two, 32, lambda a, b, m=mode: bmsk(a, b, m)
    for mode in PRMT:
        yield f"prmt.b32.{mode} %d, %a, %b, %c", three, 32, lambda a, b, c, m=mode: prmt(a, b, c, m)
    for to in ("u8", "s8", "u4", "s4", "u2", "s2"):
        yield f"cvt.pack.sat.{to}.s32.b32 %d, %a, %b, %c", three, 32, lambda a, b, c, t=to: cvt_pack(a, b, c, t)
    for to in ("u16", "s16"):
        yield f"cvt.pack.sat.{to}.s32 %d, %a, %b", two, 32, lambda a, b, t=to: cvt_pack(a, b, 0, t)
    yield "slct.b32.s32 %d, %a, %b, %c", three, 32, lambda a, b, c: a if s32(c) >= 0 else b


def singles() -> Iterator[Case]:
    """Forms with one operand, of any width."""
    for width in (16, 32, 64):
        yield f"cnot.b{width} %d, %a", (width,), width, lambda a: int(a == 0)
        if width == 16:
            continue
        for kind in "su":
            for shift in ("", ".shiftamt"):
                yield (
                    f"bfind{shift}.{kind}{width} %d, %a",
                    (width,),
                    32,
                    lambda a, w=width, k=kind, s=bool(shift): bfind(a, w, k, s),
                )


def comparisons(kind: str, width: int) -> Iterator[Case]:
    """set, with results of both kinds."""
    view = (lambda x: signed(x, width)) if kind == "s" else (lambda x: x)
    for name in (n for n in COMPARISONS if comparable(n, kind)):
        for to, true in (("u32", WORD), ("s32", WORD), ("f32", 0x3F800000)):
            yield (
                f"set.{name}.{to}.{kind}{width} %d, %a, %b",
                (width, width),
                32,
                lambda a, b, n=name, t=true: t * COMPARISONS[n](view(a), view(b)),
            )


def selections() -> Iterator[Case]:
    """slct of other widths: the data first, the selector last."""
    for width in (16, 64):
        yield f"slct.u{width}.s32 %d, %a, %b, %c", (width, width, 32), width, lambda a, b, c: a if s32(c) >= 0 else b

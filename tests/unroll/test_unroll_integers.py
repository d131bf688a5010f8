"""Every integer instruction of the table on edge values, against the plain Python model of integer_model.py."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import itertools
import random

import integer_model as model
import numpy as np
import pytest
from unroll_harness import Array, at, run_body, tensor

LANES = 160
PREFIX = {16: "%rs", 32: "%r", 64: "%rd"}
# Small numbers matter as shift counts, bit positions and lengths.
SMALL = (0, 1, 2, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 300)
CASES = [*model.arithmetic(), *model.bits(), *model.conversions()]


def edges(width: int) -> list[int]:
    full = (1 << width) - 1
    top = 1 << (width - 1)
    special = [0, 1, 2, full, full - 1, top, top - 1, top + 1, 0x55 * (full // 255), 0xAA * (full // 255), top >> 1]
    return [x & full for x in special]


def sources(widths: tuple[int, ...], seed: str) -> list[list[int]]:
    """LANES values for each source: all pairs of edge values first, then a mixture with small and random ones."""
    draw = random.Random(seed)
    pairs = list(itertools.product(edges(widths[0]), edges(widths[1]) if len(widths) > 1 else [0]))
    draw.shuffle(pairs)
    columns: list[list[int]] = []
    for place, width in enumerate(widths):
        mixed = [*edges(width), *(x & ((1 << width) - 1) for x in SMALL)]
        column = [pair[place] for pair in pairs[: LANES // 2]] if place < 2 else []
        while len(column) < LANES:
            column.append(draw.choice(mixed) if draw.random() < 0.7 else draw.getrandbits(width))
        columns.append(column)
    return columns


def registers(widths: tuple[int, ...]) -> list[str]:
    return [f"{PREFIX[width]}{place + 1}" for place, width in enumerate(widths)]


def filled(text: str, names: list[str], result: str) -> str:
    for letter, name in zip("abce", names, strict=False):
        text = text.replace(f"%{letter}", f"@{name[1:]}")
    return text.replace("%d", result).replace("@", "%")


def execute(code: str, columns: list[list[int]], widths: tuple[int, ...], results: list[tuple[str, int]]) -> list[Array]:
    """Runs `code` on one lane a value; each result register of that width, zero-extended, as unsigned numbers."""
    names = registers(widths)
    tensors = [tensor(f"x{i}", "u64", LANES, "in", np.array(column, np.uint64)) for i, column in enumerate(columns)]
    tensors += [tensor(f"y{i}", "u32", (LANES, 2), "out") for i in range(len(results))]
    lines = [at(f"x{i}", size=8) + f"ld.global.b{width} {names[i]}, [%at_x{i}];" for i, width in enumerate(widths)]
    lines.append(code + ";")
    for i, (register, width) in enumerate(results):
        zero = "mov.u32 %r49, 0;" + "".join(f"st.global.u32 [%at_y{i}+{offset}], %r49;" for offset in (0, 4))
        value = f"selp.u32 %r48, 1, 0, {register}; st.global.u32 [%at_y{i}], %r48;" if width == 1 else ""
        lines.append(at(f"y{i}", size=8) + zero + (value or f"st.global.b{width} [%at_y{i}], {register};"))
    outcome = run_body("\n".join(lines), tensors, LANES)
    assert outcome.kinds == []
    found = outcome.outputs()
    return [found[f"y{i}"] for i in range(len(results))]


def number(pair: Array) -> int:
    return int(pair[0]) | int(pair[1]) << 32


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].split()[0] + "_" + case[0].rsplit(",", 1)[-1].strip(" %}"))
def test_instruction(case: model.Case) -> None:
    text, widths, width, function = case
    columns = sources(widths, text)
    if text.startswith(("div", "rem")):  # by zero: unspecified
        columns[1] = [y or 3 for y in columns[1]]
    result = f"{PREFIX[width]}19"
    (found,) = execute(filled(text, registers(widths), result), columns, widths, [(result, width)])
    for lane, values in enumerate(zip(*columns, strict=True)):
        wanted = function(*values) & ((1 << width) - 1)
        assert number(found[lane]) == wanted, (text, [hex(x) for x in values], hex(number(found[lane])), hex(wanted))


@pytest.mark.parametrize("source", ("s16", "u16", "s32", "u32", "s64", "u64"))
def test_saturating_conversions(source: str) -> None:
    width = int(source[1:])
    columns = sources((width,), source)
    targets = ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"]
    results = [(f"{PREFIX[max(16, int(to[1:]))]}{10 + i}", max(16, int(to[1:]))) for i, to in enumerate(targets)]
    (operand,) = registers((width,))
    lines = [f"cvt.sat.{to}.{source} {register}, {operand}" for to, (register, _) in zip(targets, results, strict=True)]
    found = execute("; ".join(lines), columns, (width,), results)
    for to, (_, wide), column in zip(targets, results, found, strict=True):
        for value, pair in zip(columns[0], column, strict=True):
            assert number(pair) == model.saturate(value, source, to) & ((1 << wide) - 1), (to, source, hex(value))


@pytest.mark.parametrize("kind", "bsu")
@pytest.mark.parametrize("width", (16, 32, 64))
def test_setp_and_selp(kind: str, width: int) -> None:
    view = model.signed if kind == "s" else (lambda x, _: x)
    columns = sources((width, width), f"setp{kind}{width}")
    a, b = registers((width, width))
    for name in (n for n in model.COMPARISONS if model.comparable(n, kind)):
        chosen = f"{PREFIX[width]}9"
        code = f"setp.{name}.{kind}{width} %p1, {a}, {b}; selp.{kind}{width} {chosen}, {a}, {b}, %p1"
        bit, value = execute(code, columns, (width, width), [("%p1", 1), (chosen, width)])
        for lane, (x, y) in enumerate(zip(*columns, strict=True)):
            truth = model.COMPARISONS[name](view(x, width), view(y, width))
            assert number(bit[lane]) == truth, (name, x, y)
            assert number(value[lane]) == (x if truth else y), (name, x, y)


@pytest.mark.parametrize("operator", ("and", "or", "xor"))
def test_setp_with_a_boolean_operator_and_two_results(operator: str) -> None:
    combine = {"and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}[operator]
    columns = sources((32, 32, 32), operator)
    columns[0][::3] = columns[1][::3]
    code = (
        f"setp.ne.s32 %p9, %r3, 0; setp.le.{operator}.s32 %p1|%p2, %r1, %r2, %p9; setp.le.{operator}.s32 %p3|_, %r1, %r2, !%p9"
    )
    found = execute(code, columns, (32, 32, 32), [("%p1", 1), ("%p2", 1), ("%p3", 1)])
    for lane, (x, y, z) in enumerate(zip(*columns, strict=True)):
        t = int(model.signed(x, 32) <= model.signed(y, 32))
        c = int(z != 0)
        wanted = [combine(t, c), combine(1 - t, c), combine(t, 1 - c)]
        assert [number(column[lane]) for column in found] == wanted, (x, y, z)


def test_predicate_logic_and_moves() -> None:
    columns = sources((32, 32), "pred")
    for column in columns:
        column[:] = [x & 1 for x in column]
    code = (
        "setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r2, 0; and.pred %p3, %p1, %p2; or.pred %p4, %p1, !%p2; "
        "xor.pred %p5, %p1, %p2; not.pred %p6, %p1; mov.pred %p7, %p2"
    )
    found = execute(code, columns, (32, 32), [(f"%p{k}", 1) for k in range(3, 8)])
    for lane, (x, y) in enumerate(zip(*columns, strict=True)):
        assert [number(column[lane]) for column in found] == [x & y, x | (1 - y), x ^ y, 1 - x, y]


def test_unpacking_moves() -> None:
    (column,) = sources((64,), "unpack")
    low, high = execute("mov.b64 {%r2, %r3}, %rd1", [column], (64,), [("%r2", 32), ("%r3", 32)])
    assert [number(x) | number(y) << 32 for x, y in zip(low, high, strict=True)] == column
    narrow = [x & 0xFFFFFFFF for x in column]
    low, high = execute("mov.b32 {%rs2, %rs3}, %r1", [narrow], (32,), [("%rs2", 16), ("%rs3", 16)])
    assert [number(x) | number(y) << 16 for x, y in zip(low, high, strict=True)] == narrow
    (sink,) = execute("mov.b64 {_, %r3}, %rd1", [column], (64,), [("%r3", 32)])
    assert [number(x) for x in sink] == [x >> 32 for x in column]


def test_one_register_may_be_source_and_result() -> None:
    columns = sources((32, 32), "same")
    code = "mad.lo.s32 %r1, %r1, %r2, %r1; setp.lt.u32 %p1|%p2, %r1, %r2; setp.eq.and.u32 %p1|%p2, %r1, %r1, %p1; sub.u32 %r2, %r1, %r2"
    found = execute(code, columns, (32, 32), [("%r1", 32), ("%r2", 32), ("%p1", 1), ("%p2", 1)])
    for lane, (x, y) in enumerate(zip(*columns, strict=True)):
        z = (x * y + x) & 0xFFFFFFFF
        assert [number(column[lane]) for column in found] == [z, (z - y) & 0xFFFFFFFF, int(z < y), 0]

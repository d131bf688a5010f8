"""The rarer integer instructions on edge values and random ones, against bitwork_model.py: many forms in one kernel."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import itertools
import random

import bitwork_model as model
import numpy as np
import pytest
from integer_model import Case
from test_unroll_integers import PREFIX, SMALL, edges, filled, number, registers
from unroll_harness import Array, at, run_body, tensor

LANES = 1024


def operands(widths: tuple[int, ...], seed: str) -> list[list[int]]:
    """LANES values for each source: pairs of edge values with edge values and small numbers both ways, the rest at random."""
    draw = random.Random(seed)
    special = {width: [*edges(width), *(x & ((1 << width) - 1) for x in SMALL)] for width in widths}
    first, second = widths[0], widths[min(1, len(widths) - 1)]
    pairs = [*itertools.product(edges(first), special[second]), *itertools.product(special[first], edges(second))]
    columns: list[list[int]] = []
    for place, width in enumerate(widths):
        column = [pair[place] if place < 2 else draw.choice(special[width]) for pair in pairs]
        column += [draw.getrandbits(width) >> draw.choice((0, 0, 0, 8, 16, width - 6)) for _ in range(LANES - len(column))]
        columns.append(column)
    return columns


def execute(code: str, columns: list[list[int]], widths: tuple[int, ...], results: list[tuple[str, int]]) -> list[Array]:
    """As in test_unroll_integers, with LANES lanes and all results in one tensor."""
    names = registers(widths)
    tensors = [tensor(f"x{i}", "u64", LANES, "in", np.array(column, np.uint64)) for i, column in enumerate(columns)]
    tensors.append(tensor("y", "u32", (LANES, len(results), 2), "out"))
    lines = [at(f"x{i}", size=8) + f"ld.global.b{width} {names[i]}, [%at_x{i}];" for i, width in enumerate(widths)]
    lines += [code + ";", at("y", size=8 * len(results)), "mov.u32 %r59, 0;"]
    for i, (register, width) in enumerate(results):
        if width == 1:
            lines.append(f"selp.u32 %r58, 1, 0, {register}; st.global.v2.u32 [%at_y+{8 * i}], {{%r58, %r59}};")
        elif width == 64:
            lines.append(f"st.global.u64 [%at_y+{8 * i}], {register};")
        else:
            lines.append(f"st.global.v2.u32 [%at_y+{8 * i}], {{%r59, %r59}}; st.global.b{width} [%at_y+{8 * i}], {register};")
    outcome = run_body("\n".join(lines), tensors, LANES)
    assert outcome.kinds == []
    found = outcome.outputs()["y"]
    return [found[:, i] for i in range(len(results))]


def compare(cases: list[Case], columns: list[list[int]]) -> None:
    """Runs all cases, whose sources are the first of these columns, in one kernel."""
    longest = max((case[1] for case in cases), key=len)
    names = registers(longest)
    # The registers of results: 16 and 64 bits from 5 on, 32 bits from 10 on, apart from those of the operands.
    count = dict.fromkeys((16, 32, 64), 4)
    results, lines = [], []
    for text, widths, width, _ in cases:
        count[width] += 1
        results.append((f"{PREFIX[width]}{count[width]}", width))
        lines.append(filled(text, names[: len(widths)], results[-1][0]))
    found = execute(";\n".join(lines), columns, longest, results)
    for (text, widths, width, function), column in zip(cases, found, strict=True):
        for lane, values in enumerate(zip(*columns[: len(widths)], strict=True)):
            wanted = function(*values) & ((1 << width) - 1)
            assert number(column[lane]) == wanted, (text, [hex(x) for x in values], hex(number(column[lane])), hex(wanted))


WORDS = list(model.words())


@pytest.mark.parametrize("part", range(2))
def test_words(part: int) -> None:
    compare(WORDS[part::2], operands((32, 32, 32), "words"))


def test_the_operands_tell_forms_apart() -> None:
    # A wrong order of operands, and a modifier or type that is lost, change some result; otherwise test_words shows nothing.
    columns = operands((32, 32, 32), "words")
    symmetric = (
        "add",
        "min",
        "max",
        "mul24.lo.s32",
        "mul24.lo.u32",
        "mul24.hi",
        "mad24",
        "mad.hi",
        "dp4a.s32.s32",
        "dp4a.u32.u32",
        "prmt.b32.rc",
        "prmt.b32.e",
    )
    seen: dict[tuple[int, ...], str] = {}
    for text, widths, _, function in WORDS:
        rows = list(zip(*columns[: len(widths)], strict=True))
        values = tuple(function(*row) & model.WORD for row in rows)
        if not text.startswith(symmetric):
            swapped = tuple(function(row[1], row[0], *row[2:]) & model.WORD for row in rows)
            assert values != swapped, text
        if len(widths) == 3:
            assert values != tuple(function(row[0], row[2], row[1]) & model.WORD for row in rows), text
        same = seen.setdefault(values, text)
        # Halves are added alike whatever their sign.
        assert same == text or {same[:3], text[:3]} == {"add"} or {same[:9], text[:9]} == {"mul24.lo."}, (same, text)


@pytest.mark.parametrize("width", (16, 32, 64))
def test_singles(width: int) -> None:
    compare([case for case in model.singles() if case[1] == (width,)], operands((width, width), f"single{width}")[:1])


@pytest.mark.parametrize(("kind", "width"), [(kind, width) for kind in "bsu" for width in (16, 32, 64)])
def test_set(kind: str, width: int) -> None:
    columns = operands((width, width), f"set{kind}{width}")
    columns[0][::5] = columns[1][::5]
    compare(list(model.comparisons(kind, width)), columns)


@pytest.mark.parametrize("case", list(model.selections()), ids=lambda case: case[0].split()[0])
def test_slct(case: Case) -> None:
    compare([case], operands(case[1], case[0]))


def test_fns() -> None:
    columns = operands((32, 32, 32), "fns")
    columns[1] = [x & 31 for x in columns[1]]
    columns[2] = [(x % 70 - 35) & model.WORD if lane % 3 else x for lane, x in enumerate(columns[2])]
    compare([("fns.b32 %d, %a, %b, %c", (32, 32, 32), 32, model.fns)], columns)
    # The ISA's own examples.
    assert [
        model.fns(0xAAAAAAAA, 3, 1),
        model.fns(0xAAAAAAAA, 3, model.WORD),
        model.fns(0xAAAAAAAA, 2, 1),
        model.fns(0xAAAAAAAA, 2, model.WORD),
    ] == [3, 3, 3, 1]


def test_slct_with_a_float_selector() -> None:
    # 1.0, -1.0, 0, -0, infinities, NaN of both signs, subnormal numbers, the least normal one.
    selectors = [
        0x3F800000,
        0xBF800000,
        0,
        0x80000000,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        0xFFC00000,
        1,
        0x80000001,
        0x807FFFFF,
        0x80800000,
        0x00800000,
        0x7F800001,
    ]
    columns = [[0xAAAA0001] * LANES, [0x5555FFFE] * LANES, [selectors[lane % len(selectors)] for lane in range(LANES)]]
    plain, flushed = execute(
        "slct.b32.f32 %r5, %r1, %r2, %r3; slct.ftz.f32.f32 %r6, %r1, %r2, %r3",
        columns,
        (32, 32, 32),
        [("%r5", 32), ("%r6", 32)],
    )
    first = [1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
    first_ftz = [1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0]
    for lane in range(LANES):
        kind = lane % len(selectors)
        assert number(plain[lane]) == columns[1 - first[kind]][lane], hex(selectors[kind])
        assert number(flushed[lane]) == columns[1 - first_ftz[kind]][lane], hex(selectors[kind])


def test_set_and_lop3_with_a_predicate() -> None:
    columns = operands((32, 32, 32), "predicates")
    columns[1][::4] = columns[0][::4]
    code = (
        "setp.gt.s32 %p9, %r3, 7; set.lt.and.u32.s32 %r10, %r1, %r2, %p9; set.lt.or.f32.u32 %r11, %r1, %r2, !%p9; set.eq.xor.s32.b32 %r12, %r1, %r2, %p9; "
        "lop3.or.b32 %r13|%p1, %r1, %r2, %r3, 0x28, %p9; lop3.and.b32 _|%p2, %r1, %r2, %r3, 0x3C, !%p9; lop3.and.b32 %r1|%p3, %r1, %r2, %r1, 0x24, %p9"
    )
    results = [*((f"%r{k}", 32) for k in (10, 11, 12, 13)), ("%p1", 1), ("%p2", 1), ("%r1", 32), ("%p3", 1)]
    found = execute(code, columns, (32, 32, 32), results)
    for lane, (a, b, c) in enumerate(zip(*columns, strict=True)):
        q = int(model.s32(c) > 7)
        x, y = (
            sum((table >> (((a >> i & 1) << 2) | ((b >> i & 1) << 1) | (z >> i & 1)) & 1) << i for i in range(32))
            for table, z in ((0x28, c), (0x24, a))
        )
        wanted = [
            model.WORD * (int(model.s32(a) < model.s32(b)) & q),
            0x3F800000 * (int(a < b) | (1 - q)),
            model.WORD * (int(a == b) ^ q),
            x,
            int(x != 0) | q,
            int(a ^ b != 0) & (1 - q),
            y,
            int(y != 0) & q,
        ]
        assert [number(column[lane]) for column in found] == wanted, (hex(a), hex(b), hex(c))

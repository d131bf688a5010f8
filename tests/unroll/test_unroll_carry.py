"""Extended precision (PTX ISA 9.7.2), moves of vectors (9.7.9.3), and which memory an address names (9.7.9.19, 9.7.9.20)."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import numpy as np
import pytest
from integer_model import signed
from test_unroll_bitwork import LANES, execute, number, operands
from unroll_harness import Array, at, kernel, launch_of, run, run_body, tensor

from volta_pipe.ir.errors import InputError, UnsupportedError


def numbers(found: list[Array], lane: int) -> list[int]:
    return [number(column[lane]) for column in found]


@pytest.mark.parametrize("kind", "us")
@pytest.mark.parametrize("width", (32, 64))
def test_sums_and_differences_of_two_words(width: int, kind: str) -> None:
    columns = operands((width,) * 4, f"carry{width}")
    # Many lanes where the low words are equal, or sum to all ones: the carry then decides.
    columns[2][::5] = columns[0][::5]
    columns[2][1::5] = [x ^ ((1 << width) - 1) for x in columns[0][1::5]]
    r, t = ("%rd" if width == 64 else "%r"), f"{kind}{width}"
    code = (
        f"add.cc.{t} {r}5, {r}1, {r}3; addc.cc.{t} {r}6, {r}2, {r}4; addc.{t} {r}7, 0, 0; "
        f"sub.cc.{t} {r}8, {r}1, {r}3; subc.cc.{t} {r}9, {r}2, {r}4; subc.{t} {r}10, 0, 0"
    )
    found = execute(code, columns, (width,) * 4, [(f"{r}{k}", width) for k in range(5, 11)])
    m, twice = (1 << width) - 1, (1 << 2 * width) - 1
    for lane, (a0, a1, b0, b1) in enumerate(zip(*columns, strict=True)):
        a, b = a1 << width | a0, b1 << width | b0
        total, difference = a + b, a - b
        wanted = [
            total & m,
            total >> width & m,
            total >> 2 * width,
            difference & m,
            (difference & twice) >> width,
            -int(a < b) & m,
        ]
        assert numbers(found, lane) == wanted, (hex(a), hex(b))


def test_a_carry_is_added_even_where_the_sum_is_all_ones() -> None:
    # addc.cc of x and ~x with the carry set is 0 with a carry; subc.cc of x and x with a borrow is all ones with a borrow.
    columns = operands((32,), "ones")
    code = (
        "not.b32 %r2, %r1; add.cc.u32 %r3, -1, 1; addc.cc.u32 %r4, %r1, %r2; addc.u32 %r5, 0, 0; "
        "sub.cc.u32 %r6, 0, 1; subc.cc.u32 %r7, %r1, %r1; subc.u32 %r8, 0, 0"
    )
    found = execute(code, columns, (32,), [(f"%r{k}", 32) for k in range(3, 9)])
    assert all(numbers(found, lane) == [0, 0, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF] for lane in range(LANES))


@pytest.mark.parametrize("kind", "us")
@pytest.mark.parametrize("width", (32, 64))
def test_products_of_two_words(width: int, kind: str) -> None:
    columns = operands((width,) * 4, f"mad{width}")
    r, t = ("%rd" if width == 64 else "%r"), f"{kind}{width}"
    code = (
        f"mad.lo.cc.{t} {r}5, {r}1, {r}2, {r}3; madc.hi.cc.{t} {r}6, {r}1, {r}2, {r}4; addc.{t} {r}7, 0, 0; "
        f"mad.hi.cc.{t} {r}8, {r}1, {r}2, {r}3; madc.lo.cc.{t} {r}9, {r}1, {r}2, {r}4; madc.hi.{t} {r}10, {r}1, {r}2, 0; "
        f"mad.lo.cc.{t} {r}11, {r}1, {r}2, {r}3; madc.lo.{t} {r}1, {r}1, {r}2, {r}1"
    )
    found = execute(code, columns, (width,) * 4, [(f"{r}{k}", width) for k in (5, 6, 7, 8, 9, 10, 1)])
    m = (1 << width) - 1
    for lane, (a, b, c, e) in enumerate(zip(*columns, strict=True)):
        product = signed(a, width) * signed(b, width) if kind == "s" else a * b
        low, high = product & m, product >> width & m
        first = low + c
        second = high + e + (first >> width)
        third = high + c
        fourth = low + e + (third >> width)
        fifth = high + (fourth >> width)
        sixth = low + a + (first >> width)
        wanted = [first & m, second & m, second >> width, third & m, fourth & m, fifth & m, sixth & m]
        assert numbers(found, lane) == wanted, (hex(a), hex(b), hex(c), hex(e))


def test_a_guard_keeps_the_carry() -> None:
    columns = operands((32, 32), "guard")
    columns[1] = [x & 1 for x in columns[1]]
    code = "setp.ne.u32 %p1, %r2, 0; add.cc.u32 %r3, %r1, 1; @%p1 add.cc.u32 %r3, -1, 5; addc.u32 %r4, 0, 0"
    found = execute(code, columns, (32, 32), [("%r3", 32), ("%r4", 32)])
    for lane, (x, guard) in enumerate(zip(*columns, strict=True)):
        wanted = [4, 1] if guard else [(x + 1) & 0xFFFFFFFF, int(x == 0xFFFFFFFF)]
        assert numbers(found, lane) == wanted, (hex(x), guard)


def test_a_carry_that_nobody_gave_is_uninitialised() -> None:
    outcome = run_body(at("y") + "addc.u32 %r1, 1, 2; st.global.u32 [%at_y], %r1;", [tensor("y", "u32", 32, "out")])
    assert outcome.kinds == ["uninitialized-output"] or "uninitialized" in outcome.kinds[0]


def test_vectors_of_four() -> None:
    columns = operands((64,), "four")
    code = (
        ".reg .b8 %c<9>; mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1; mov.b64 %rd5, {%rs4, %rs1, %rs3, %rs2}; mov.b64 {_, %rs5, _, %rs6}, %rd1; "
        "cvt.u32.u64 %r1, %rd1; mov.b32 {%c1, %c2, %c3, %c4}, %r1; mov.b32 %r5, {%c3, %c1, %c4, %c2}; mov.b16 %rs7, {%c2, %c4}; mov.b16 {%c5, _}, %rs1; cvt.s32.s8 %r6, %c5; "
        "mov.b32 {_, %c6, _, _}, %r1; cvt.u32.u8 %r7, %c6; mov.b64 %rd1, {%rs1, %rs1, %rs2, %rs2}"
    )
    results = [("%rd5", 64), ("%rs5", 16), ("%rs6", 16), ("%r5", 32), ("%rs7", 16), ("%r6", 32), ("%r7", 32), ("%rd1", 64)]
    found = execute(code, columns, (64,), results)
    for lane, x in enumerate(columns[0]):
        h = [x >> 16 * k & 0xFFFF for k in range(4)]
        c = [x >> 8 * k & 0xFF for k in range(4)]
        wanted = [
            h[3] | h[0] << 16 | h[2] << 32 | h[1] << 48,
            h[1],
            h[3],
            c[2] | c[0] << 8 | c[3] << 16 | c[1] << 24,
            c[1] | c[3] << 8,
            signed(c[0], 8) & 0xFFFFFFFF,
            c[1],
            h[0] | h[0] << 16 | h[1] << 32 | h[1] << 48,
        ]
        assert numbers(found, lane) == wanted, hex(x)


def test_vectors_under_a_guard_and_of_uninitialised_registers() -> None:
    columns = operands((64, 64), "guarded")
    code = (
        "setp.lt.u64 %p1, %rd2, 1000; mov.b64 {%rs1, %rs2, %rs3, %rs4}, 0x0004000300020001; @%p1 mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1; "
        "mov.b64 %rd5, {%rs1, %rs2, %rs3, %rs4}"
    )
    (found,) = execute(code, columns, (64, 64), [("%rd5", 64)])
    for lane, (x, y) in enumerate(zip(*columns, strict=True)):
        assert number(found[lane]) == (x if y < 1000 else 0x0004000300020001)
    # Lanes 0 to 15 write four registers that nobody wrote before: that makes all four known, there and only there.
    guard = at("y") + "setp.lt.u32 %p1, %r50, 16; "
    unpack = "mov.b64 {%rs1, %rs2, %rs3, %rs4}"
    for part in range(1, 5):
        store = f"cvt.u32.u16 %r1, %rs{part}; @%p1 st.global.u32 [%at_y], %r1;"
        ends = f"{store} @!%p1 st.global.u32 [%at_y], 7;"
        outcome = run_body(guard + f"@%p1 {unpack}, 0x0004000300020001; {ends}", [tensor("y", "u32", 32, "out")])
        assert outcome.kinds == [] and outcome.outputs()["y"].tolist() == [part] * 16 + [7] * 16
        outcome = run_body(guard + f"{unpack}, 0; @%p1 {unpack}, %rd9; {ends}", [tensor("y", "u32", 32, "out")])
        assert outcome.kinds and all("uninitialized" in kind for kind in outcome.kinds), part
        body = at("y") + f"mov.b64 {{%rs1, %rs2, %rs3, %rs4}}, %rd9; cvt.u32.u16 %r1, %rs{part}; st.global.u32 [%at_y], %r1;"
        outcome = run_body(body, [tensor("y", "u32", 32, "out")])
        assert outcome.kinds and all("uninitialized" in kind for kind in outcome.kinds), part


def test_fns_from_a_bit_that_a_word_has_not_gives_no_number() -> None:
    for base, known in ((31, True), (32, False), (-1, False)):
        body = at("y") + f"mov.u32 %r2, {base}; fns.b32 %r1, -1, %r2, 1; st.global.u32 [%at_y], %r1;"
        outcome = run_body(body, [tensor("y", "u32", 32, "out")])
        assert (outcome.kinds == []) == known, base


def test_isspacep_and_generic_addresses_of_every_space() -> None:
    before = ".const .align 4 .u32 table[4] = {11, 12, 13, 14};\n.global .align 4 .u32 counts[4] = {21, 22, 23, 24};"
    lines = [".shared .align 4 .u32 tile[8]; .local .align 4 .u32 depot[8];", at("y", size=4 * 32)]
    addresses = {"const": "table", "global": "counts", "shared": "tile", "local": "depot"}
    for place, (space, name) in enumerate(addresses.items()):
        lines.append(
            f"mov.u64 %rd1, {name}; cvta.{space}.u64 %rd{10 + place}, %rd1; cvta.to.{space}.u64 %rd2, %rd{10 + place}; setp.ne.u64 %p9, %rd1, %rd2; selp.u32 %r9, 1, 0, %p9;"
        )
        lines.append(f"st.global.u32 [%at_y+{4 * (28 + place)}], %r9;")
    lines.append("mov.u64 %rd14, %at_y;")
    spaces = [*addresses, "global"]
    for place in range(5):
        for k, space in enumerate(("const", "global", "shared", "local", "param")):
            lines.append(
                f"isspacep.{space} %p1, %rd{10 + place}; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%at_y+{4 * (5 * place + k)}], %r1;"
            )
    lines.append("setp.eq.u32 %p2, %r50, 0; @!%p2 bra END; st.u32 [%rd12+4], 33; END: st.u32 [%rd13+8], 44; bar.sync 0;")
    lines.append(
        "ld.u32 %r1, [%rd10+8]; ld.u32 %r2, [%rd11+4]; add.u32 %r1, %r1, %r2; ld.u32 %r2, [%rd12+4]; ld.u32 %r3, [%rd13+8]; add.u32 %r2, %r2, %r3;"
    )
    lines.append(
        "isspacep.shared::cta %p1, %rd12; isspacep.shared::cluster %p2, %rd12; and.pred %p1, %p1, %p2; selp.u32 %r3, 1, 0, %p1;"
    )
    lines.append("st.global.u32 [%at_y+100], %r1; st.global.u32 [%at_y+104], %r2; st.global.u32 [%at_y+108], %r3;")
    outcome = run_body("\n".join(lines), [tensor("y", "u32", (32, 32), "out")], before=before)
    assert outcome.kinds == []
    rows = outcome.outputs()["y"]
    wanted = [int(space == asked) for space in spaces for asked in ("const", "global", "shared", "local", "param")]
    wanted += [13 + 22, 33 + 44, 1, 0, 0, 0, 0]
    assert (rows == np.array(wanted)).all()


def refusal(body: str) -> str:
    """Why a kernel is refused, when it is read or when it runs; empty where it is not."""
    try:
        outcome = run(kernel(body, ["y"]), launch_of([tensor("y", "u32", 32, "out")]))
    except UnsupportedError as error:
        return str(error)
    return next((event.message for event in outcome.program.events if event.kind == "unsupported-instruction"), "")


@pytest.mark.parametrize("register", ("clock", "clock64", "globaltimer", "smid", "nsmid", "nwarpid", "gridid"))
def test_special_registers_without_a_value_are_refused_by_name(register: str) -> None:
    wide = register in ("clock64", "globaltimer", "gridid")
    move = f"mov.u64 %rd1, %{register};" if wide else f"mov.u32 %r1, %{register};"
    assert f"%{register} " in refusal(at("y") + move + "st.global.u32 [%at_y], %r1;")


def test_a_warp_number_is_an_assumption() -> None:
    outcome = run_body(at("y") + "mov.u32 %r1, %warpid; st.global.u32 [%at_y], %r1;", [tensor("y", "u32", 96, "out")], 96)
    assert (outcome.outputs()["y"] == np.arange(96) // 32).all()
    assert any("warpid" in assumption for assumption in outcome.program.assumptions)


@pytest.mark.parametrize(
    "code",
    [
        "add.cc.u16 %rs1, %rs2, %rs3",
        "addc.u32 %r1, %r2, %r3, %p1",
        "sub.u16x2 %r1, %r2, %r3",
        "min.relu.u32 %r1, %r2, %r3",
        "min.relu.u16x2 %r1, %r2, %r3",
        "add.sat.u32 %r1, %r2, %r3",
        "mad24.lo.sat.s32 %r1, %r2, %r3, %r4",
        "setp.lt.b32 %p1, %r2, %r3",
        "setp.lo.s32 %p1, %r2, %r3",
        "set.lt.u32.b32 %r1, %r2, %r3",
        "set.lt.and.u32.u32 %r1, %r2, %r3",
        "set.lt.u64.u32 %rd1, %r2, %r3",
        "slct.ftz.b32.s32 %r1, %r2, %r3, %r4",
        "slct.b32.u32 %r1, %r2, %r3, %r4",
        "szext.u32 %r1, %r2, %r3",
        "shf.l.b32 %r1, %r2, %r3, %r4",
        "prmt.b32.f4e.rc8 %r1, %r2, %r3, %r4",
        "lop3.xor.b32 %r1|%p1, %r1, %r2, %r3, 1, %p2",
        "cvt.pack.sat.u8.s32 %r1, %r2, %r3",
        "cvt.pack.sat.u16.s32.b32 %r1, %r2, %r3, %r4",
        "cvt.pack.u16.s32 %r1, %r2, %r3",
        "dp4a.s32 %r1, %r2, %r3, %r4",
        "dp2a.s32.s32 %r1, %r2, %r3, %r4",
        "isspacep %p1, %rd1",
        "cvta.param.u64 %rd1, %rd2",
        "cvta.shared.u32 %r1, %r2",
        "mov.b64 %rd1, {%rs1, %rs2}",
        "mov.b16 {_, _, _, _}, %rs1",
        "mov.b64 {%rs1, %rs1, %rs2, %rs3}, %rd1",
    ],
)
def test_refused(code: str) -> None:
    assert refusal(code + ";")


def test_the_carry_has_no_name() -> None:
    # A guard or operand cannot be the carry: it is only written by .cc and only read by addc, subc and madc.
    with pytest.raises(InputError):
        run(kernel("add.cc.u32 %r1, 1, 2; @%cc mov.u32 %r1, 3;", ["y"]), launch_of([tensor("y", "u32", 32, "out")]))

"""The parser: each piece of syntax that real PTX brings, and the places of mistakes."""

from __future__ import annotations

import pytest
from lower_text import HEAD, body_text, kernel, lowered

from volta_pipe.ir.errors import InputError, VoltaError
from volta_pipe.ir.ptx import UnmodelledOp, variables_of
from volta_pipe.passes.lower import (
    Param,
    kernel_signature,
    list_entries,
    lower,
    parse_module,
    print_module,
    walk_kernel,
)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("st.global.u32 [%rd1+-4], 5;", "ptx.st \"global.u32\" [%1 + -4], %0 : (i64, i32) -> ()"),
        ("st.global.u8 [%rd1], -1;", "%0 = ptx.constant -1 : i16"),
        ("st.global.v2.b32 [%rd1-8], {0, 0x10};", "ptx.st \"global.v2.b32\" [%2 + -8], %0, %1 : (i64, i32, i32) -> ()"),
        ("ld.global.b32 { %r1 }, [%rd1];", "%1 = ptx.ld \"global.b32\" [%0 + 0] : (i64) -> i32"),
        ("ld.global.v2.f32 {%f1, _}, [%rd1];", "%1, %2 = ptx.ld \"global.v2.f32\" [%0 + 0] : (i64) -> (i32, i32)"),
        ("ld .global .u8 %r1, [%rd1];", "%1 = ptx.ld \"global.u8\" [%0 + 0] : (i64) -> i32"),
        ("ld.global.u32 %r1, [64];", "%0 = ptx.constant 64 : i64"),
        ("mov.u32 %r1, %tid.x;", "%0 = ptx.special \"tid.x\" : i32"),
        ("mov.u32 %r1, WARP_SZ;", "%0 = ptx.constant 32 : i32"),
        ("mov.b32 %r1, 0f3F800000;", "%0 = ptx.constant 1065353216 : i32"),
        ("mov.f32 %f1, 1.5;", "%0 = ptx.constant 1069547520 : i32"),
        ("mov.f32 %f1, 1e39;", "%0 = ptx.constant 2139095040 : i32"),
        ("mov.f64 %fd1, 0f3F800000;", "%0 = ptx.constant 4607182418800017408 : i64"),
        ("mov.u32 %r1, 0b101U;", "%0 = ptx.constant 5 : i32"),
        ("mov.u32 %r1, 017;", "%0 = ptx.constant 15 : i32"),
        ("mov.u32 %r1, 0xffffffff;", "%0 = ptx.constant -1 : i32"),
        ("mov.b64 %rd1, {%r1, %r2};", "%2 = ptx.mov \"pack.b64\" %0, %1 : (i32, i32) -> i64"),
        ("mov.b64 {%r1, %r2}, %rd1;", "%1, %2 = ptx.mov \"unpack.b64\" %0 : (i64) -> (i32, i32)"),
        ("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;", "%3 = ptx.not \"pred\" %2 : (i1) -> i1"),
        ("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
         "%4, %5 = ptx.setp \"and.lt.s32\" %0, %1, %3 : (i32, i32, i1) -> (i1, i1)"),
        ("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
         "%4, %5 = ptx.shfl \"bfly.sync.b32\" %3, %0, %1, %2 : (i32, i32, i32, i32) -> (i32, i1)"),
        ("@!%p1 add.s32 %r1, %r1, 1;", "%3 = ptx.add \"s32\" %2, %0 if not %1 else %2 : (i32, i32, i1, i32) -> i32"),
        ("@%p1 bar.sync 0;", "ptx.bar \"sync\" %0 if %1 : (i32, i1) -> ()"),
        ("membar.gl;", "ptx.membar \"gl\" ()"),
        ("activemask.b32 %r1;", "%0 = ptx.activemask \"b32\" () : () -> i32"),
        ("ld.param.u64 %rd1, [a];", "%0 = ptx.ld_param 0 \"u64\" : i64"),
        ("ld.param.f32 %f1, [b];", "%0 = ptx.ld_param 8 \"f32\" : i32"),
        ("ld.param.v2.b32 {%r1, %r2}, [a+0];", "%0, %1 = ptx.ld_param 0 \"b32\" : i32, i32"),
        ("@%p1 ld.param.u32 %r1, [a+4];", "%3 = ptx.mov \"b32\" %2 if %0 else %1 : (i32, i1, i32) -> i32"),
        ("{ .reg .b32 %r1; mov.b32 %r1, 7; }", "%0 = ptx.constant 7 : i32"),
        (".reg .u32 i, j; add.u32 i, j, 1;", "%2 = ptx.add \"u32\" %1, %0 : (i32, i32) -> i32"),
        (".reg .b32 %r1x<3>; add.u32 %r1x2, %r1x0, 1;", "%2 = ptx.add \"u32\" %1, %0 : (i32, i32) -> i32"),
        (".pragma \"nounroll\"; membar.cta;", "ptx.membar \"cta\" ()"),
        ("prototype_3 : .callprototype (.param .b32 _) _ (.param .b64 _); membar.cta;", "ptx.membar \"cta\" ()"),
        ("ts: .branchtargets a, b; membar.cta;", "ptx.membar \"cta\" ()"),
        ("vote.sync.any.pred %p1, !%p2, 0xffffffff;", "%2 = ptx.not \"pred\" %1 : (i1) -> i1"),
    ],
)  # fmt: skip
def test_syntax(body: str, wanted: str) -> None:
    assert wanted in body_text(body + " ret;").splitlines()


def test_scopes_hide_registers_variables_and_labels() -> None:
    text = body_text(
        "mov.b32 %r1, 1; { .reg .b32 %r1; L: mov.b32 %r1, 2; @%p1 bra L; } L: st.global.u32 [%rd1], %r1; @%p2 bra L; ret;"
    )
    assert "ptx.cond_br %2, ^bb1, ^bb2" in text
    assert "ptx.cond_br %4, ^bb2, ^bb3" in text


def test_variables() -> None:
    before = (
        ".const .align 4 .b8 table[8] = {1, 2, 0xff, 4};\n.global .f32 one = 0f3F800000;\n"
        ".extern .shared .align 16 .b8 dynamic[];\n.global .s16 pair[] = {-1, 2};\n.global .u32 unused[4];\n"
        ".global .v2 .f32 vec = {0f00000000, 0f3F800000}, other;\n"
    )
    names = ("table", "one", "dynamic", "pair", "vec", "tile")
    body = ".shared .align 4 .b8 tile[2][32];" + "".join(f"mov.u64 %rd1, {name};" for name in names)
    module = lowered(body + "mov.u32 %r1, tile; ret;", before=before).module
    found = {one.sym_name.data: one for one in variables_of(module)}
    assert sorted(found) == sorted(names)
    assert found["table"].init_bytes == bytes([1, 2, 255, 4, 0, 0, 0, 0])
    assert found["one"].init_bytes == bytes.fromhex("0000803f")
    assert (found["dynamic"].byte_size, found["dynamic"].extern is not None) == (0, True)
    assert found["pair"].init_bytes == bytes.fromhex("ffff0200")
    assert (found["tile"].byte_size, found["tile"].space.data, found["tile"].byte_align) == (64, "shared", 4)
    assert found["vec"].byte_size == 8


def test_variables_of_one_name_stay_apart() -> None:
    body = "{ .shared .b32 s; st.shared.u32 [s], 1; } { .shared .b32 s; st.shared.u32 [s+0], 2; } ret;"
    assert [one.sym_name.data for one in variables_of(lowered(body).module)] == ["s", "s__1"]


def test_entries_and_parameters() -> None:
    text = HEAD + (
        ".entry first(.param .u64 .ptr .global .align 1 p, .param .u8 c, .param .align 8 .b8 s[24])\n"
        ".maxntid 128, 1, 1 .minnctapersm 2\n{ ret; }\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".func (.reg .b32 r) helper(.reg .b32 x) { ret; }\n"
        '.weak .entry second { ret; }\n.section .debug_str { a: .b8 1, 2 { } }\n.file 1 "a.cu", 1, 2\n'
    )
    assert [name for name, _ in list_entries(text, "t")] == ["first", "second"]
    assert kernel_signature(text, "t", "first") == (
        Param("p", "u64", 8, 8, 0),
        Param("c", "u8", 1, 1, 8),
        Param("s", "b8", 24, 8, 16),
    )
    with pytest.raises(InputError, match="first, second"):
        lower(text, "t", "third")
    with pytest.raises(InputError, match="first, second"):
        kernel_signature(text, "t", "third")


def test_lines() -> None:
    before = ""
    body = (
        ".loc 2 10 3, function_name $L__info_string0, inlined_at 1 30 9\nadd.s32 %r1, %r1, 1;\n"
        ".loc 2 20 1, function_name $L__info_string0+4, inlined_at 2 10 3\nadd.s32 %r1, %r1, 1;\n"
        ".loc 2 0 0\nadd.s32 %r1, %r1, 1; .loc 1 31 1 ret;"
    )
    text = kernel(body, before=before) + '.file 1 "a.cu"\n.file 2 "b.h"\n'
    lines = lower(text, "t.ptx", "k", in_text_order=True).lines
    assert lines.files == ("a.cu", "b.h")
    assert lines.ptx == ((0, 0), (0, 0), (7, 1), (9, 1), (11, 1), (11, 34))
    assert lines.source == ((-1, 0), (-1, 0), (1, 10), (1, 20), (-1, 0), (0, 31))
    assert lines.inlined == ((), (), ((0, 30),), ((1, 10), (0, 30)), (), ())


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        ("  add.s32 %r1 %r2;", "6:15", "expected ';', found '%r2'"),
        ("mov.u32 %r1, %r77;", "6:14", "register %r77 is not declared"),
        ("mov.u32 %r1, nothing;", "6:1", "nothing is not declared"),
        ("bra L;", "6:1", "label L is not declared"),
        ("L: L: ret;", "6:4", "declared twice"),
        ("mov.f32 %f1, 0;", "6:1", "integer literal"),
        ("mov.u32 %r1, 0f3F800000;", "6:1", "floating-point literal"),
        ("mov.u32 %r1, 09;", "6:14", "no integer"),
        ("mov.u32 %r1, 99999999999999999999;", "6:14", "64 bits"),
        ("mov.u32 5, %r1;", "6:1", "no register"),
        ("@%r1 ret;", "6:2", "no predicate"),
        (".reg .b33 x;", "6:6", "unknown register type"),
        (".unknown;", "6:1", "unknown directive"),
        (".shared .align 3 .b8 s[4];", "6:16", "power of two"),
        ("ld.param.u64 %rd1, [b];", "6:1", "behind parameter"),
        ("mov.b32 %r1, {{{{{{{{0}}}}}}}};", "6:18", "too deep"),
        ("{ ret;", "5:1", "'{' is never closed"),
    ],
)
def test_mistakes_have_a_place(body: str, place: str, message: str) -> None:
    with pytest.raises(VoltaError) as caught:
        lowered(body)
    assert str(caught.value).startswith(f"t.ptx:{place}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "garbage", HEAD + "}", HEAD + ".entry", HEAD + ".entry k(.param .u64", "a" * 9999])
def test_no_ptx(text: str) -> None:
    with pytest.raises(InputError):
        lower(text, "t.ptx", "k")


@pytest.mark.parametrize(
    "body",
    [
        "add.f99 %rs1, %rs2, %rs3;",
        "atom.global.frob.u32 %r1, [%rd1], 1;",
        "cp.async.frob.shared.global [%r1], [%rd1], 16;",
        "mma.sync.aligned.m16n8k9.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
        "{%f1,%f2,%f3,%f4};",
        "call.uni (%r1), helper, (%r2);",
        "mov.u32 %r1, %clock;",
        "mov.u64 %rd1, a;",
        "add.frob.s32 %r1, %r1, %r1;",
        "setp.s32 %p1, %r1, %r2;",
        "setp.lt.and.s32 %p1, %r1, %r2;",
        "add.s32 %rd1, %rd1, %rd1;",
        "mov.b64 {%r1, %r1}, %rd1;",
        "ld.global.shared.u32 %r1, [%rd1];",
        "ld.u32 %r1, [variable];",
        "cvt.frob.s32.f32 %r1, %f1;",
        "bra.frob L; L:",
        "brx.idx %r1, ts;",
        "ts: .branchtargets A, B; .reg .b64 %w; brx.idx %w, ts, ts; A: B:",
        "add.s32 %r1, %r2;",
        "mov.b32 %r1, array[3];",
        "mov.b32 %r1, %r2+4;",
        "brkpt;",
        "frobnicate %r1;",
    ],
)
def test_refused_only_where_it_is_reached(body: str) -> None:
    before = ".global .u32 variable;\n.extern .func (.param .b32 r) helper(.param .b32 x);\n"
    one = lowered(body + " ret;", before=before)
    walk = list(walk_kernel(one.module))
    number = next(index for index, op in enumerate(walk) if isinstance(op, UnmodelledOp))
    assert one.lines.ptx_line(number) == 8
    assert print_module(parse_module(print_module(one.module))) == print_module(one.module)
    assert body_text(f"bra $done; {body} $done: ret;", before=before) == "ptx.ret"


def test_an_instruction_that_is_not_modelled_keeps_what_was_written() -> None:
    body = "@!%p1 wgmma.frob.sync {%r1,%r2}, [%rd1+16], !%p2, -5; frob.x.y %r3|%p3, {%f1, _}, tile, %clock;"
    found = [op for op in walk_kernel(lowered(body + " ret;").module) if isinstance(op, UnmodelledOp)]
    first, second = found
    assert (first.opcode.data, first.text.data) == ("wgmma.frob.sync", "{$0, $1}, [$2+16], !$3, -5")
    assert (len(first.inputs), len(first.res), len(first.old)) == (4, 0, 0)
    assert first.negated is not None
    assert second.message == "instruction frob.x.y is not supported (no row of the instruction table has this name)"
    assert (second.text.data, len(second.inputs), len(second.res)) == ("$0|$1, {$2, _}, tile, %clock", 1, 2)


def test_vector_registers_and_their_components() -> None:
    text = body_text(
        ".reg .v4 .f32 %v; .reg .v2 .b32 w<3>; ld.global.v4.f32 %v, [%rd1]; add.f32 %f1, %v.y, %v.a; mov.b32 w1.x, 5; ret;"
    )
    assert '%2, %3, %4, %5 = ptx.ld "global.v4.f32" [%1 + 0] : (i64) -> (i32, i32, i32, i32)' in text
    assert '%6 = ptx.add "f32" %3, %5 : (i32, i32) -> i32' in text
    for wrong in ("%v.q", "%f1.x", "%v.x.y"):
        with pytest.raises(InputError, match=r"register .* is not declared"):
            lowered(f".reg .v4 .f32 %v; mov.f32 %f1, {wrong}; ret;")


def test_addresses_in_initialisers_make_a_variable_unusable_where_it_is_used() -> None:
    cells = ("{variable, 0}", "{generic(variable)+4, 0}", "{0xff(variable), 1}", "{0, 0xff00(generic(variable))}")
    for cell in cells:
        before = f".global .u32 variable;\n.global .align 8 .u64 holder[2] = {cell};\n"
        assert "unmodelled" not in body_text("mov.u64 %rd1, variable; ret;", before=before)
        assert "holder is a variable that holds an address" in body_text("mov.u64 %rd1, holder; ret;", before=before)


def test_pieces_of_syntax_that_only_ptxas_knows() -> None:
    before = ".global .attribute(.unified(19, 95)) .f32 f;\n.visible .func .attribute(.unified(0xAB, 0xCD)) bar() { ret; }\n"
    text = body_text(".section .debug_x { .b8 1 } ld.global.f32 %f1, [f].unified; call.uni bar; ret;", before=before)
    assert 'ptx.unmodelled "ld.global.f32" "$0, [f].unified"' in text
    assert text.endswith("-> i32\nptx.ret")


@pytest.mark.parametrize(
    ("before", "body", "place", "message"),
    [
        (".func f(.param .b32 x) { frob }\n", "call f, (%r1);", "4:31", "expected an operand, found '}'"),
        ("", "call nothing;", "6:1", "function nothing is not declared"),
        ("", "call (%r1), %r99, (%r2);", "6:1", "function %r99 is not declared"),
        (".func f() { ret; }\n.func f() { ret; }\n", "", "5:1", "function f is defined twice"),
        (".reg .b32 %r1;\n", "", "4:1", "unknown directive .reg"),
        (".param .b32 x;\n", "", "4:1", "parameters are declared by functions"),
        (".global .b32 x, x;\n", "", "4:1", "x is declared twice"),
        (".global .b32 x = {1;\n", "", "4:20", "expected '}'"),
        (".global .b8 x[2] = {1, 2, 3};\n", "", "4:13", "longer than the variable"),
        (".global .align 4 x;\n", "", "4:1", "the type is missing"),
        (".section .debug { \n", "", "4:17", "'{' is never closed"),
        (".visible .version 8.0\n", "", "4:1", ".version is no declaration"),
        (".alias a;\n", "", "4:9", "expected ','"),
        ("", ".reg .b32 x, x;", "6:14", "x is declared twice"),
        ("", ".reg .b32 x<2>, x<3>;", "6:17", "x is declared twice"),
        ("", ".reg .b32 x<2>, x1;", "6:17", "x1 is declared twice"),
        ("", ".reg .b32 x1, x<2>;", "6:15", "x is declared twice"),
        ("", ".visible .loc 1 1 1;", "6:1", ".loc is no state space"),
        ("", "ld.global.u32 %r1, [%rd1+0f3F800000];", "6:26", "expected an offset"),
        ("", "ld.global.u32 %r1, [%rd1+99999999999999999999];", "6:26", "64 bits"),
        ("", "ld.global.u32 %r1, [%rd1+ret4];", "6:26", "ret4 is no constant expression"),
        ("", "mov.u32 %r1, !5;", "6:15", "expected a predicate"),
        ("", "and.pred %p1, %p2, !tile;", "6:1", "'!' stands before a predicate register only"),
        ("", "ld.param.u64 %rd1, [nothing];", "6:1", "nothing is not declared"),
    ],
)
def test_mistakes_around_calls_and_declarations(before: str, body: str, place: str, message: str) -> None:
    with pytest.raises(VoltaError) as caught:
        lowered(body + " ret;", before=before)
    assert str(caught.value).startswith(f"t.ptx:{place}: ")
    assert message in str(caught.value)


def test_a_name_beside_a_range_of_it() -> None:
    """`%q` is none of `%q<2>`, nor is `%q2`; ptxas takes all three."""
    text = str(
        lowered(".reg .b32 %q<2>, %q, %q2; mov.b32 %q, 1; mov.b32 %q1, 2; mov.b32 %q2, 3; add.u32 %q, %q1, %q2; ret;").module
    )
    assert text.count("ptx.add") == 1

"""The parser: each piece of syntax that real PTX brings, and the places of mistakes."""

from __future__ import annotations

import pytest
from lower_text import HEAD, body_text, kernel, lowered

from volta_pipe.ir.errors import InputError, UnsupportedError, VoltaError
from volta_pipe.ir.ptx import variables_of
from volta_pipe.passes.lower import Param, kernel_signature, list_entries, lower


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
    lines = lower(text, "t.ptx", "k").lines
    assert lines.files == ("a.cu", "b.h")
    assert lines.ptx == ((0, 0), (0, 0), (7, 1), (9, 1), (11, 1), (11, 34))
    assert lines.source == ((-1, 0), (-1, 0), (1, 10), (1, 20), (-1, 0), (0, 31))
    assert lines.inlined == ((), (), ((0, 30),), ((1, 10), (0, 30)), (), ())


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        ("add.s32 %r1, %r2;", "6:1", "is not supported"),
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
        ("{ ret;", "5:1", "the file ends inside kernel k"),
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
        "add.f16 %rs1, %rs2, %rs3;",
        "atom.global.add.noftz.f16x2 %r1, [%rd1], %r1;",
        "cp.async.bulk.commit_group;",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
        "{%f1,%f2,%f3,%f4};",
        "call.uni (%r1), helper, (%r2);",
        "{ .param .b32 p0; st.param.b32 [p0+0], %r1; }",
        "mov.u32 %r1, %clock;",
        "mov.u64 %rd1, a;",
        "add.frob.s32 %r1, %r1, %r1;",
        "setp.s32 %p1, %r1, %r2;",
        "setp.lt.and.s32 %p1, %r1, %r2;",
        "add.s32 %rd1, %rd1, %rd1;",
        "mov.b64 {%r1, %r1}, %rd1;",
        "ld.global.shared.u32 %r1, [%rd1];",
        "ld.u32 %r1, [variable];",
        "cvt.rzi.s32.f32 %r1, %f1;",
        "cvt.f32.f16 %f1, %rs1;",
        "cvt.f32.bf16 %f1, %rs1;",
        "bra.frob L; L:",
        "brx.idx %r1, ts;",
        "frobnicate %r1;",
    ],
)
def test_refused_only_where_it_is_reached(body: str) -> None:
    before = ".global .u32 variable;\n"
    with pytest.raises(UnsupportedError) as caught:
        lowered(body + " ret;", before=before)
    assert (caught.value.kind, caught.value.place.line) == ("unsupported-instruction", 7)
    assert body_text(f"bra $done; {body} $done: ret;", before=before) == "ptx.br ^bb1\n^bb1:\nptx.ret"


def test_an_opcode_is_named_in_the_refusal() -> None:
    with pytest.raises(UnsupportedError, match=r"atom\.global\.add\.noftz\.f16x2"):
        lowered("atom.global.add.noftz.f16x2 %r1, [%rd1], %r1;")

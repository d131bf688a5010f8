"""Printing PTX: the text parses to the same tree, ptxas takes it, and both ways of reading operands agree."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lower_text import HEAD, ptx_files

from volta_pipe.passes.lower import parse, print_ptx, read_ptx
from volta_pipe.passes.lower.body import parse_statement
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.syntax import Brace, Directive, Function, Instruction, Label, Loc, Table
from volta_pipe.passes.lower.terms import Terms, parse_operands

# Everything of the syntax (PTX ISA 4 to 11) that ptxas takes in one file; SAMPLE is what our own kernels do not have.
SAMPLE = (
    HEAD.replace("8.0", "8.3")
    + r"""
.file 1 "a name.cu", 1700000000, 1234
.file	2 "b.h"
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.extern .func __assertfail (.param .b64 a0, .param .b64 a1, .param .b32 a2, .param .b64 a3, .param .b64 a4) .noreturn;
.visible .func (.param .b32 r) later (.param .b32 x);
.global .align 4 .b8 bytes[8] = {1, 0x2, 03, 0b100, 5U};
.visible .global .attribute(.managed) .align 4 .u32 managed = 3;
.const .align 16 .b8 text[4] = {104, 105};
.global .align 8 .u64 addresses[3] = {bytes, generic(bytes)+4, 0};
.global .f32 floats[2][2] = {{0f3F800000, 1.5}, {-2.0, .5e1}};
.global .v2 .f32 vec = {0f00000000, 0f3F800000};
.weak .global .s16 small = -7, other;
.extern .shared .align 16 .b8 dynamic[];
.global .texref picture;
.visible .func (.param .b32 r) later (.param .b32 x)
{ .reg .b32 %r<2>; ld.param.b32 %r1, [x+0]; st.param.b32 [r], %r1; ret.uni; }
.func (.reg .b32 out) registers (.reg .b32 in, .reg .b32 %f) { add.u32 out, in, %f; ret; }
.visible .func (.param .b32 r) same (.param .b32 x);
.alias same, later;
.visible .entry k(.param .u64 .ptr .global .align 1 pointer, .param .align 8 .b8 s[24], .param .u32 n)
.maxntid 128, 2, 1
.minnctapersm 2
.pragma "nounroll";
{
	.reg .pred p, %p<4>; .reg .b32 %r<9>, lone; .reg .v4 .f32 %v; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b64 $dollar;
	.shared .align 4 .b8 tile[2][32];
	.local .align 8 .b8 depot[16];
	.loc 1 3 4
	mov.u32 %r1, %tid.x; // a comment; with a semicolon
	.loc 2 7 1, function_name $str, inlined_at 1 3 4
	.loc 2 7 1, function_name $str+4, inlined_at 1 3 4
	ld.param.u64 %rd1, [pointer]; /* another } */
	cvta.to.global.u64 	%rd2 , %rd1;
	setp.lt.and.u32 p|%p1, %r1, 0x7fU, !%p2;
	setp.eq.u32 %p3|_, %r1, -1;
	@p bra.uni $L1;
	@!%p1 ld .global .u32 %r2, [%rd2+-4];
	ld.global.v4.f32 %v, [%rd2 + 16]; add.f32 %f1, %v.x, %v.w;
	ld.global.v4.u32 { %r2,%r3, _ , %r4}, [%rd2+-8];
	mov.b32 %r2, tile+8; mov.b64 {lone, _}, $dollar; st.global.v2.b32 [%rd2], {0, 16843009};
	{ // call
	.param .b32 param0; .param .b32 retval0;
	st.param.b32 [param0+0], %r1;
	call.uni (retval0),
	same,
	(
	param0
	);
	ld.param.b32 %r2, [retval0+0];
	call (%r3), registers, (%r2, 5);
	mov.u64 %rd3, later;
	prototype_3 : .callprototype (.param .b32 _) _ (.param .b32 _);
	call (retval0), %rd3, (param0), prototype_3;
	}
$L1: { .reg .b32 %r1; $L1: mov.b32 %r1, 2; @%p1 bra $L1; }
	ts: .branchtargets $L1, $L2;
	brx.idx %r1, ts;
$L2:
	fma.rn.f32 %f1, 0f3F800000, %f1, 0fBF800000; .pragma "nounroll";
	tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [picture, {%f5, %f6}];
	ret;
}
.section .debug_str { $str: .b8 1, 2, 0xff
 .b64 $str .b32 $str+4 }
"""
)
TREE = parse(SAMPLE, "s.ptx")


def test_the_sample_says_what_it_says() -> None:
    kernel = TREE.items[-2]
    assert isinstance(kernel, Function) and kernel.body is not None
    assert [one.word for one in kernel.limits] == [".maxntid", ".minnctapersm", ".pragma"]
    kinds = {kind: sum(isinstance(one, kind) for one in kernel.body) for kind in (Label, Loc, Table, Brace, Directive)}
    assert kinds == {Label: 3, Loc: 3, Table: 2, Brace: 4, Directive: 1}
    # Counted in the text: its lines hold 25 instructions.
    assert sum(isinstance(one, Instruction) for one in kernel.body) == 25
    locations = [one for one in kernel.body if isinstance(one, Loc)]
    assert [(one.place, one.function, one.inlined) for one in locations] == [
        ((1, 3, 4), None, None),
        ((2, 7, 1), ("$str", 0), (1, 3, 4)),
        ((2, 7, 1), ("$str", 4), (1, 3, 4)),
    ]
    guarded = [one for one in kernel.body if isinstance(one, Instruction) and one.guard is not None]
    assert [(one.guard, one.opcode) for one in guarded] == [
        (("", "p"), "bra.uni"),
        (("!", "%p1"), "ld.global.u32"),
        (("", "%p1"), "bra"),
    ]


@pytest.mark.parametrize("path", [None, *ptx_files()], ids=lambda path: path.stem if path else "sample")
def test_printing_and_parsing_gives_the_same_tree(path: Path | None) -> None:
    tree = TREE if path is None else parse(read_ptx(path), str(path))
    text = print_ptx(tree)
    assert parse(text, "printed") == tree
    assert print_ptx(parse(text, "printed")) == text


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed (CUDA toolkit)")
def test_ptxas_takes_what_is_printed(tmp_path: Path) -> None:
    for path in [None, *ptx_files()]:
        text = print_ptx(TREE if path is None else parse(read_ptx(path), str(path)))
        if "frob" in text:  # made up for the tests of refusals
            continue
        target = re.search(r"\.target (\w+)", text)
        assert target is not None
        source = tmp_path / "printed.ptx"
        source.write_text(text)
        done = subprocess.run(
            ["ptxas", "--compile-only", f"--gpu-name={target[1]}", str(source), "-o", str(tmp_path / "out")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{path}: {done.stderr[:1000]}"


@pytest.mark.parametrize(
    "text",
    [
        "%r1", "%tid.x", "_", "-5", "0x1fU", "0f3F800000", "-0d3FF0000000000000", "a+4", "%rd1 +- 4", "a-8", "!%p1", "!p",
        "%r1|%p2", "p | _", "[%rd1]", "[ %rd1 + 16 ]", "[a+-4]", "{%r1,%r2}", "{ %r1 , _ }", "{0, 16843009}", "(a, b)", "()",
        "[%rd1,{%r1,%r2}]", "[tex, {%f1}]", "%v.x", "{}", "a::b", "[64]", "-1",
    ],
)  # fmt: skip
def test_the_quick_way_agrees_with_the_slow(text: str) -> None:
    lexer = Lexer(f"{text}, {text};", "t")
    quick = Terms().parse(f"{text}, {text}")
    assert quick is not None
    assert quick == parse_operands(lexer, is_call=True)


@pytest.mark.parametrize(
    "text", ["", "a,", ",a", "a b", "[a", "a]", "{a", "12abc", "-", "[a+]", "!5", "a|", "(a)(b)", "{a}{b}"]
)
def test_the_quick_way_leaves_mistakes_to_the_slow(text: str) -> None:
    assert Terms().parse(text) is None


def test_every_statement_of_our_kernels_reads_the_same_both_ways() -> None:
    count = 0
    for path in ptx_files():
        text = read_ptx(path)
        for function in parse(text, str(path)).items:
            for one in (function.body or []) if isinstance(function, Function) else []:
                if isinstance(one, Instruction | Loc):
                    assert parse_statement(Lexer(text, str(path), one.offset)) == one
                    count += 1
    assert count > 5000

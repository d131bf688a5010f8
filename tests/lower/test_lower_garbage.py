"""Mutated PTX: only InputError or UnsupportedError with a place may come out, or a module that verifies."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from lower_text import ROOT, kernel

from volta_pipe.ir.errors import InputError, Place, UnsupportedError
from volta_pipe.passes.lower import list_entries, lower, parse, parse_module, print_module, print_ptx
from volta_pipe.passes.lower.source import check_text

BODY = """.shared .align 16 .b8 tile[64];
.loc 1 3 4, function_name $L__info_string0, inlined_at 1 9 9
mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r1, 4;
{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %rd2; mov.b64 %rd2, {lo, hi}; }
setp.lt.and.u32 %p1|%p2, %r1, 0x7fU, !%p3; mov.f32 %f1, 0f3F800000;
Loop: @%p1 ld.shared.v2.f32 {%f1, _}, [tile+8]; shfl.sync.down.b32 %r2|%p4, %r1, 2, 31, -1;
fma.rn.ftz.f32 %f2, %f1, %f1, %f2; bar.sync 0; add.s32 %r1, %r1, 1; @!%p2 bra Loop;
st.global.v4.b32 [%rd2+-16], {0, %r1, %r2, 5}; cvt.u16.u32 %rs1, %r1; @%p4 exit;
call.uni (%r1), helper, (%rd1); ret;"""
BEFORE = '.global .align 4 .b8 table[4] = {1, 0xff, 3, -1};\n.file 1 "a.cu"\n.extern .func helper(.param .b64 x);\n'
# A function, a call of it, an indexed branch, an assert, a loop and scopes: what our kernels do not have.
CALLS = """.extern .func __assertfail (.param .b64 m, .param .b64 n);
.func (.param .b32 r) twice (.param .b32 x) { .reg .b32 %r<3>; .reg .pred %p; .local .align 4 .b8 depot[8];
ld.param.b32 %r1, [x]; setp.gt.s32 %p, %r1, 9; @%p bra $done; add.s32 %r1, %r1, %r1; $done: st.param.b32 [r+0], %r1; ret; }
.alias same, twice;
"""
CALLING = """{ .param .b32 q; .param .b32 o; st.param.b32 [q+0], %r1; call.uni (o), same, (q); ld.param.b32 %r2, [o+0]; }
ts: .branchtargets L0, L1; brx.idx %r2, ts; L0: mov.u64 %rd1, twice; P: .callprototype (.param .b32 _) _ (.param .b32 _);
{ .param .b32 q; .param .b32 o; st.param.b32 [q+0], 3; call (o), %rd1, (q), P; } L1: @%p1 frob.x {%r1, %r2}, [%rd1+4, {%r3}];
{ .param .b64 m; .param .b64 n; @%p2 call __assertfail, (m, n); } ret;"""
TEXTS = [
    kernel(BODY, before=BEFORE),
    kernel(CALLING, before=CALLS),
    (ROOT / "examples" / "reduce-tree" / "reduce_tree.ptx").read_text(),
]
TOKENS = [re.findall(r"\s+|[\w$%.]+|.", text) for text in TEXTS]
EXTRA = ["{", "}", "[", "]", "(", ")", ";", ",", "@", "!", "|", "+", "-", "%", ".", "0x", "9" * 5000, '"', "/*", "\0"]
EXTRA += [
    ".reg",
    ".entry",
    ".param",
    "%r999999999999999999999",
    "<",
    ">",
    "-1",
    "_",
    "é",
    ".align 0",
    "0f",
    "{" * 3000,
    "call",
    "ret",
    "%rd1",
    "twice",
    "[x]",
]


@st.composite
def mutants(draw: st.DrawFn) -> str:
    tokens = list(draw(st.sampled_from(TOKENS)))
    for _ in range(draw(st.integers(1, 3))):
        if len(tokens) < 2:
            break
        place, other = draw(st.integers(0, len(tokens) - 1)), draw(st.integers(0, len(tokens) - 1))
        kind = draw(st.sampled_from(["delete", "repeat", "swap", "cut", "insert", "copy"]))
        if kind == "delete":
            del tokens[place]
        elif kind == "repeat":
            tokens.insert(place, tokens[place])
        elif kind == "swap":
            tokens[place], tokens[other] = tokens[other], tokens[place]
        elif kind == "cut":
            del tokens[max(1, place) :]
        elif kind == "insert":
            tokens.insert(place, draw(st.sampled_from(EXTRA)))
        else:
            tokens[place] = tokens[other]
    return "".join(tokens)


def lower_all(text: str) -> None:
    """Everything that reads a file: an error has a place, and what comes out is sound."""
    try:
        check_text(text.encode(), Place("t.ptx"))
        tree = parse(text, "t.ptx")
        assert parse(print_ptx(tree), "printed") == tree
        for name, _ in list_entries(text, "t.ptx"):
            module = lower(text, "t.ptx", name).module
            module.verify()
    except (InputError, UnsupportedError) as error:
        assert error.place.file == "t.ptx"
        assert error.place.line or not text.strip() or "NUL" in error.message


@settings(max_examples=250, deadline=None)
@given(mutants())
def test_mutants(text: str) -> None:
    lower_all(text)


def test_the_texts_that_are_mutated_are_good() -> None:
    for text in TEXTS:
        for name, _ in list_entries(text, "t.ptx"):
            printed = print_module(lower(text, "t.ptx", name).module)
            assert print_module(parse_module(printed)) == printed


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_noise(text: str) -> None:
    for whole in (text, ".version 8.0 " + text, kernel(text)):
        lower_all(whole)

"""Mutated PTX: only InputError or UnsupportedError may come out, or success."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from lower_text import kernel

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.passes.lower import lower

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
TEXT = kernel(BODY, before=BEFORE)
TOKENS = re.findall(r"\s+|[\w$%.]+|.", TEXT)
EXTRA = ["{", "}", "[", "]", "(", ")", ";", ",", "@", "!", "|", "+", "-", "%", ".", "0x", "9" * 5000, '"', "/*", "\0"]
EXTRA += [".reg", ".entry", ".param", "%r999999999999999999999", "<", ">", "-1", "_", "é", ".align 0", "0f", "{" * 3000]


@st.composite
def mutants(draw: st.DrawFn) -> str:
    tokens = list(TOKENS)
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


@settings(max_examples=400, deadline=None)
@given(mutants())
def test_mutants(text: str) -> None:
    try:
        lower(text, "t.ptx", "k").module.verify()
    except (InputError, UnsupportedError) as error:
        assert error.place.file == "t.ptx"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_noise(text: str) -> None:
    for whole in (text, ".version 8.0 " + text, kernel(text)):
        try:
            lower(whole, "t.ptx", "k")
        except (InputError, UnsupportedError) as error:
            assert error.place.file == "t.ptx"

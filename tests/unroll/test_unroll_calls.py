"""Calls, indexed branches, traps and instructions that are not modelled, executed. Expected values are worked out in Python."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unroll_harness import Outcome, at, kernel, run_body, tensor

THREADS = 40
STORE = at("y") + "st.global.u32 [%at_y], %r9;"


def execute(body: str, before: str = "", threads: int = THREADS, **more: Any) -> Outcome:
    """Run a body that leaves its result in %r9."""
    return run_body(body + STORE, [tensor("y", "u32", threads, "out")], threads, before=before, **more)


def values(body: str, before: str = "", threads: int = THREADS) -> list[int]:
    outcome = execute(body, before, threads)
    assert outcome.kinds == []
    return [int(value) for value in outcome.outputs()["y"]]


def event(outcome: Outcome) -> tuple[str, str, tuple[int, ...]]:
    (one,) = outcome.program.events
    return one.kind, one.message, one.threads


def call(function: str, arguments: str, result: str = "%r9", *, guard: str = "", uni: str = "") -> str:
    """A call sequence as nvcc writes it, with 32-bit arguments."""
    registers = arguments.split()
    stores = "".join(f".param .b32 param{i}; st.param.b32 [param{i}+0], {r};" for i, r in enumerate(registers))
    names = ", ".join(f"param{i}" for i in range(len(registers)))
    return (
        f"{{ {stores} .param .b32 retval0; {guard} call{uni} (retval0), {function}, ({names});"
        f" ld.param.b32 {result}, [retval0+0]; }}"
    )


def function(name: str, body: str, *, parameters: int = 1) -> str:
    """A function of 32-bit parameters, loaded into %r1, %r2, …, which returns %r9."""
    params = ", ".join(f".param .b32 {name}_{i}" for i in range(parameters))
    loads = "".join(f"ld.param.b32 %r{i + 1}, [{name}_{i}];" for i in range(parameters))
    registers = ".reg .pred %p<5>; .reg .b32 %r<10>; .reg .b64 %rd<5>;"
    head = f".func (.param .b32 {name}_r) {name}({params})"
    return f"{head}\n{{ {registers} {loads}\n{body}\nst.param.b32 [{name}_r+0], %r9; ret; }}\n"


def test_calls_do_not_share_registers_labels_or_variables() -> None:
    """Twice the same function, which counts in a loop and uses the registers that the kernel uses."""
    body = "mov.u32 %r9, 0; L: add.u32 %r9, %r9, %r1; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;"
    text = (
        "mov.u32 %r1, 1000; mov.u32 %r2, 7; mov.u32 %r3, 3; L: "
        + call("times", "%r50 %r2", "%r4")
        + call("times", "%r4 %r3", "%r5", uni=".uni")
        + "add.u32 %r9, %r5, %r1;"
    )
    assert values(text, function("times", body, parameters=2)) == [21 * t + 1000 for t in range(THREADS)]


def test_functions_call_functions_and_return_early() -> None:
    inner = function(
        "inner", "mul.lo.u32 %r9, %r1, 10; st.param.b32 [inner_r], %r9; setp.gt.u32 %p1, %r1, 4; @%p1 ret; mov.u32 %r9, 7;"
    )
    outer = function("outer", "add.u32 %r3, %r1, 1;" + call("inner", "%r3", "%r9") + "add.u32 %r9, %r9, 2;")
    wanted = [10 * (t + 1) + 2 if t + 1 > 4 else 9 for t in range(THREADS)]
    assert values(call("outer", "%r50"), ".func (.param .b32 r) inner(.param .b32 x);\n" + outer + inner) == wanted


def test_a_guarded_call_and_an_exit_inside() -> None:
    """Lanes below 5 do not call, lanes from 30 on exit in the function: they store nothing."""
    inside = function("f", "setp.ge.u32 %p1, %r1, 30; @%p1 exit; add.u32 %r9, %r1, 100;")
    text = "mov.u32 %r9, 1; setp.lt.u32 %p1, %r50, 5; .param .b32 q; .param .b32 r; st.param.b32 [q], %r50; @!%p1 call (r), f, (q);"
    text += "@!%p1 ld.param.b32 %r9, [r];"
    outcome = execute(text, inside)
    assert [finding.kind for finding in outcome.report.findings] == ["unwritten-output"]
    assert outcome.outputs()["y"][:30].tolist() == [1] * 5 + [t + 100 for t in range(5, 30)]


def test_structures_by_value_and_their_parts() -> None:
    """The function reads 16 bits of what was stored as 32 and 64 bits, and returns two words."""
    before = """.func (.param .align 8 .b8 r[16]) f(.param .align 8 .b8 s[16])
{ .reg .b16 %h<3>; .reg .b32 %r<5>; ld.param.b16 %h1, [s+2]; ld.param.v2.b32 {%r1, %r2}, [s+8]; cvt.u32.u16 %r3, %h1;
st.param.b32 [r+0], %r3; st.param.v2.b32 [r+8], {%r2, %r1}; ret; }
"""
    text = """{ .param .align 8 .b8 a[16]; .param .align 8 .b8 b[16]; mov.u32 %r1, 0x12345678; add.u32 %r1, %r1, %r50;
st.param.b32 [a], %r1; mov.b64 %rd1, 0x0000000500000003; st.param.b64 [a+8], %rd1; call.uni (b), f, (a);
ld.param.b32 %r2, [b]; ld.param.v2.b32 {%r3, %r4}, [b+8]; }
mul.lo.u32 %r9, %r2, 100; mad.lo.u32 %r9, %r3, 10, %r9; add.u32 %r9, %r9, %r4;"""
    assert values(text, before) == [0x1234 * 100 + 53] * THREADS


def test_parameters_in_registers() -> None:
    """The older form of a function (PTX ISA 7.1): registers and constants are passed."""
    before = ".func (.reg .u32 o) f(.reg .u32 x, .reg .u32 k, .param .b32 m) { .reg .u32 z; ld.param.u32 z, [m]; mad.lo.u32 o, x, k, z; ret; }\n"
    assert values("call (%r9), f, (%r50, 5, %r50);", before) == [6 * t for t in range(THREADS)]
    assert values("call (%r9), f, (%r50, 5, 8);", before) == [5 * t + 8 for t in range(THREADS)]


def test_functions_that_return_nothing_and_shared_variables() -> None:
    """A variable of a function in shared memory is one variable, whoever calls."""
    before = """.func put(.param .b32 x) { .shared .b32 slot; .reg .b32 %r<3>; .reg .pred %p; ld.param.b32 %r1, [x];
setp.eq.u32 %p, %r1, 0; @%p ret; st.shared.b32 [slot], %r1; ret; }
.func (.param .b32 r) other(.param .b32 x) { .shared .b32 slot; .reg .b32 %r<3>; st.param.b32 [r], 4; ret; }
"""
    text = "{ .param .b32 a; st.param.b32 [a], 5; call.uni put, (a); } bar.sync 0; mov.u32 %r9, 5;"
    text += "{ .param .b32 a; st.param.b32 [a], 0; call.uni put, (a); }"
    outcome = execute(text, before, threads=1)
    assert outcome.kinds == []
    assert [region.size for region in outcome.program.regions if region.space == "shared"] == [4]


def test_calls_through_a_register_that_holds_one_function() -> None:
    before = function("f", "add.u32 %r9, %r1, 3;") + function("g", "add.u32 %r9, %r1, 8;")
    head = "P: .callprototype (.param .b32 _) _ (.param .b32 _); T: .calltargets g;"
    through = "{{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r50; call (b), %rd1, (a), {}; ld.param.b32 %r9, [b]; }}"
    assert values(head + "mov.u64 %rd1, f;" + through.format("P"), before) == [t + 3 for t in range(THREADS)]
    assert values(head + "mov.u64 %rd1, 0;" + through.format("T"), before) == [t + 8 for t in range(THREADS)]
    text = head + "mov.u64 %rd1, f; setp.eq.u32 %p1, %r50, 3; @%p1 mov.u64 %rd1, g;" + through.format("P")
    assert values(text, before) == [t + (8 if t == 3 else 3) for t in range(THREADS)]


def test_recursion_is_refused_where_it_is_executed() -> None:
    before = function(
        "f", "mov.u32 %r9, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra E; sub.u32 %r2, %r1, 1;" + call("f", "%r2", "%r9") + "E:"
    )
    few = execute(call("f", "%r50"), before, threads=2)
    assert few.kinds == []
    assert few.outputs()["y"].tolist() == [1, 1]
    kind, message, threads = event(execute(call("f", "%r50"), before, threads=4))
    assert (kind, message) == ("unsupported-instruction", "instruction call is not supported (function f calls itself)")
    assert threads == (2,)


def test_calls_that_do_not_fit() -> None:
    before = function("f", "add.u32 %r9, %r1, 3;") + ".extern .func (.param .b32 r) outside(.param .b32 x);\n"
    for text, reason in (
        ("{ .param .b32 r; call (r), f; }", "the operands do not fit the parameters of f"),
        ("{ .param .b32 r; .param .b64 a; call (r), f, (a); }", "the operands do not fit the parameters of f"),
        ("{ .param .b32 r; call (r), f, (r); }", "the operands do not fit the parameters of f"),
        (
            "{ .param .b32 r; .param .b32 a; st.param.b32 [a], 1; call (r), outside, (a); }",
            "function outside is not in the file, and [externs] does not say what it computes",
        ),
    ):
        kind, message, _ = event(execute(text, before))
        assert (kind, message) == ("unsupported-instruction", f"instruction call is not supported ({reason})")


def test_a_function_does_not_write_its_parameters() -> None:
    """They are the caller's variables: what is written would be seen outside."""
    before = function("f", "mov.u32 %r9, 1; st.param.b32 [f_0], %r9;")
    kind, message, _ = event(execute(call("f", "%r50"), before))
    wanted = "instruction st.param.b32 is not supported (parameter param0 is written by the function that is called)"
    assert (kind, message) == ("unsupported-instruction", wanted)


@pytest.mark.parametrize("declared", [True, False])
def test_locals_and_results_of_an_earlier_call_are_not_seen(declared: bool) -> None:
    """In the second round of the loop the function reads what it wrote in the first, or leaves its result unwritten."""
    local = ".local .b32 cell; setp.ne.u32 %p1, %r1, 0; @%p1 st.local.b32 [cell], %r1; ld.local.b32 %r9, [cell];"
    result = "mov.u32 %r9, 1; setp.eq.u32 %p1, %r1, 0; @%p1 ret;"
    loop = "mov.u32 %r1, 1; L: " + call("f", "%r1") + "sub.u32 %r1, %r1, 1; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"
    outcome = execute(loop, function("f", local if declared else result), threads=3)
    assert [(one.kind, one.address >= 0) for one in outcome.program.events] == [("uninitialized-read", True)]


TABLE = "table: .branchtargets A, B, C; {guard} brx.idx{uni} %r1, table; bra E; A: mov.u32 %r9, 10; bra E; B: mov.u32 %r9, 20; bra E; C: mov.u32 %r9, 30; E:"


@pytest.mark.parametrize("uni", ["", ".uni"])
def test_indexed_branches(uni: str) -> None:
    text = "mov.u32 %r9, 0; rem.u32 %r1, %r50, 3;" + TABLE.format(guard="", uni=uni)
    assert values(text) == [10 * (t % 3 + 1) for t in range(THREADS)]
    guarded = "mov.u32 %r9, 0; mov.u32 %r1, %r50; setp.lt.u32 %p1, %r50, 3;" + TABLE.format(guard="@%p1", uni=uni)
    assert values(guarded) == [10, 20, 30] + [0] * (THREADS - 3)
    outside = execute("mov.u32 %r9, 0; add.s32 %r1, %r50, -1;" + TABLE.format(guard="", uni=uni), threads=3)
    message = f"the index of brx.idx{uni} is outside its table of 3 labels, which is undefined behaviour"
    assert event(outside) == ("unsupported-instruction", message, (0,))


ASSERT = (
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .b8 text[3] = {104, 105, 0};\n"
)
FAIL = """{ .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
call.uni __assertfail, (a, b, c, d, e); }"""


def test_assertions() -> None:
    text = "mov.u32 %r9, 4; mov.u64 %rd1, text; setp.ne.u32 %p1, %r50, 77; @%p1 bra E; " + FAIL + " E:"
    assert values(text, ASSERT) == [4] * THREADS
    assert event(execute(text.replace("77", "7"), ASSERT)) == (
        "unsupported-instruction",
        "an assertion fails (__assertfail is called)",
        (7,),
    )


def test_printf() -> None:
    """It changes nothing; its result is not known, and may be loaded but not used."""
    print_it = """mov.u64 %rd1, text; { .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], 0; .param .b32 r;
call.uni (r), vprintf, (a, b); ld.param.b32 %r8, [r]; } mov.u32 %r9, 4;"""
    assert values(print_it, ASSERT) == [4] * THREADS
    kind, message, _ = event(execute(print_it + "add.u32 %r9, %r8, %r9;", ASSERT))
    assert kind == "unsupported-instruction"
    assert message == "instruction ld.param.b32 is not supported (the result of a call that is not modelled is used)"


def test_traps_and_waiting() -> None:
    assert values("nanosleep.u32 100; mov.u32 %r9, 3;") == [3] * THREADS
    assert event(execute("mov.u32 %r9, 3; setp.eq.u32 %p1, %r50, 5; @%p1 trap;")) == (
        "unsupported-instruction",
        "trap is reached",
        (5,),
    )
    kind, message, _ = event(execute("brkpt; mov.u32 %r9, 3;"))
    assert (kind, message) == (
        "unsupported-instruction",
        "instruction brkpt is not supported (no row of the instruction table has this name)",
    )


@pytest.mark.parametrize(("guard", "stops"), [("@%p1 ", 5), ("@!%p1 ", 0), ("", 0)])
def test_an_instruction_that_is_not_modelled_stops_where_it_is_executed(guard: str, stops: int) -> None:
    text = "setp.eq.u32 %p1, %r50, {}; mov.u32 %r9, 2;\n" + guard + "frob.x.b32 %r9, %r50, 7;\n"
    outcome = execute(text.format(5))
    assert event(outcome) == (
        "unsupported-instruction",
        "instruction frob.x.b32 is not supported (no row of the instruction table has this name)",
        (stops,),
    )
    line = outcome.line(outcome.program.events[0].instruction)
    assert kernel(text.format(5) + STORE, ["y"]).splitlines()[line - 1] == guard + "frob.x.b32 %r9, %r50, 7;"


def test_an_instruction_that_no_lane_executes_is_passed() -> None:
    text = "setp.eq.u32 %p1, %r50, 99; mov.u32 %r9, 2; @%p1 frob.x.b32 %r9, %r50, 7;"
    assert values(text) == [2] * THREADS
    assert values(text.replace("eq.u32", "ne.u32").replace("@%p1", "@!%p1")) == [2] * THREADS


def test_an_instruction_under_a_symbolic_guard() -> None:
    x = tensor("x", "f32", THREADS, "in")
    text = at("x") + "ld.global.f32 %f1, [%at_x]; setp.gt.f32 %p1, %f1, 0f00000000; mov.u32 %r9, 2; @%p1 frob.b32 %r9;"
    outcome = run_body(text + STORE, [x, tensor("y", "u32", THREADS, "out")], THREADS)
    kind, message, _ = event(outcome)
    assert kind == "unsupported-instruction"
    assert message.startswith("instruction frob.b32 is not supported")
    assert message.endswith("(whether it is executed is only known symbolically)")


def test_float_values_pass_through_calls() -> None:
    """y = fma(x, 2, x) by a function is what the kernel would compute itself: the same expression."""
    before = """.func (.param .b32 r) f(.param .b32 a) { .reg .f32 %f<4>; ld.param.f32 %f1, [a];
fma.rn.f32 %f2, %f1, 0f40000000, %f1; st.param.f32 [r], %f2; ret; }
"""
    tensors = [tensor("x", "f32", THREADS, "in"), tensor("y", "f32", THREADS, "out")]
    head, tail = at("x") + "ld.global.f32 %f1, [%at_x];", at("y") + "st.global.f32 [%at_y], %f2;"
    inlined = run_body(head + "fma.rn.f32 %f2, %f1, 0f40000000, %f1;" + tail, tensors, THREADS)
    called = run_body(
        head + "{ .param .b32 a; st.param.f32 [a], %f1; .param .b32 r; call.uni (r), f, (a); ld.param.f32 %f2, [r]; }" + tail,
        tensors,
        THREADS,
        before=before,
    )
    assert called.kinds == []
    one, other = inlined.conditions(), called.conditions()
    assert np.array_equal(one.outputs[1], other.outputs[1])
    assert np.array_equal(one.graph.op, other.graph.op)

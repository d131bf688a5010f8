"""Calls through registers that hold addresses of functions: from tables in memory, moved, chosen by data. Expected values are
worked out in Python."""

# PTX reads best with one case a line.
from __future__ import annotations

import pytest
from test_unroll_calls import THREADS, call, event, execute, function, values
from unroll_harness import kernel

from volta_pipe.passes.lower import lower

F = function("twice", "add.u32 %r9, %r1, %r1;") + function("square", "mul.lo.u32 %r9, %r1, %r1;")
F += function("plus", "add.u32 %r9, %r1, %r2;", parameters=2)
PROTOTYPE = "proto: .callprototype (.param .b32 _) _ (.param .b32 _);"
# %rd9 = table[tid % 2]
LOAD = (
    "and.b32 %r1, %r50, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table; add.u64 %rd3, %rd2, %rd1; ld.{0}.u64 %rd9, [%rd3];"
)
WANTED = [t * t if t % 2 else 2 * t for t in range(THREADS)]


def through(register: str, arguments: str = "%r50") -> str:
    """A call through a register, with its prototype."""
    text = call(register, arguments)
    return text.replace("); ld.param", "), proto; ld.param").replace("{ ", "{ " + PROTOTYPE, 1)


@pytest.mark.parametrize("space", ["global", "const"])
@pytest.mark.parametrize("kind", ["u64", "b64"])
def test_a_table_of_functions(space: str, kind: str) -> None:
    table = f".{space} .align 8 .{kind} table[2] = {{twice, square}};"
    assert values(LOAD.format(space) + through("%rd9"), F + table) == WANTED


def test_a_table_in_a_function_declared_before() -> None:
    """As nvcc writes it: prototypes, the table, the functions."""
    before = ".func (.param .b32 r) twice(.param .b32 x); .func (.param .b32 r) square(.param .b32 x);"
    assert values(LOAD.format("global") + through("%rd9"), before + ".global .u64 table[2] = {twice, square};" + F) == WANTED


def test_an_address_that_is_chosen_and_passes_through_memory() -> None:
    text = """.local .align 8 .b8 slot[8]; mov.u64 %rd1, twice; mov.u64 %rd2, square; setp.lt.u32 %p1, %r50, 20;
    selp.b64 %rd3, %rd1, %rd2, %p1; st.local.u64 [slot], %rd3; ld.local.u64 %rd9, [slot];"""
    assert values(text + through("%rd9"), F) == [2 * t if t < 20 else t * t for t in range(THREADS)]


def test_call_targets_are_tried_alone() -> None:
    """Of `.calltargets` the functions are known, whatever else has its address taken."""
    table = ".global .u64 table[2] = {twice, square};"
    text = LOAD.format("global") + through("%rd9").replace(PROTOTYPE, "proto: .calltargets twice, square;")
    assert values(text, F + table) == WANTED
    narrow = LOAD.format("global") + through("%rd9").replace(PROTOTYPE, "proto: .calltargets plus, square, square;")
    outcome = execute(narrow, F + table)
    assert event(outcome)[:2] == ("unsupported-instruction", "the register that is called holds none of: square, square")


def test_a_guarded_call_through_a_register() -> None:
    text = LOAD.format("global") + "mov.u32 %r9, 1; setp.ge.u32 %p1, %r50, 7;"
    text += (
        through("%rd9").replace(" call ", " @%p1 call ").replace("  call", " @%p1 call").replace(" ld.param", " @%p1 ld.param")
    )
    assert "@%p1 call" in text
    assert values(text, F + ".global .u64 table[2] = {twice, square};") == [w if t >= 7 else 1 for t, w in enumerate(WANTED)]


def test_functions_of_another_shape_are_no_targets() -> None:
    """`plus` has its address in the table but takes two operands: a call of it is undefined behaviour."""
    outcome = execute(LOAD.format("global") + through("%rd9"), F + ".global .u64 table[2] = {twice, plus};")
    kind, message, threads = event(outcome)
    assert (kind, message) == ("unsupported-instruction", "the register that is called holds none of: twice")
    assert threads[0] == 1


def test_a_null_pointer_and_a_number() -> None:
    table = ".global .u64 table[2] = {twice, 0};"
    assert "holds none of: twice" in event(execute(LOAD.format("global") + through("%rd9"), F + table))[1]
    safe = LOAD.format("global") + "mov.u32 %r9, 77; setp.eq.u64 %p1, %rd9, 0; @%p1 bra Skip;" + through("%rd9") + "Skip:"
    assert values(safe, F + table) == [77 if t % 2 else 2 * t for t in range(THREADS)]
    assert "is not known" in event(execute("mov.u64 %rd9, 1234;" + through("%rd9"), F))[1]


def test_the_address_of_a_function_is_no_memory() -> None:
    outcome = execute("mov.u64 %rd8, square; mov.u64 %rd9, twice; add.u64 %rd9, %rd9, 0; ld.global.u32 %r9, [%rd9];", F)
    assert "out-of-bounds" in outcome.kinds


def test_the_module_says_what_it_takes_for_granted() -> None:
    wanted = "nothing depends on the addresses of functions but which of them is called"
    table = F + ".global .u64 table[2] = {twice, square};"
    assert lower(kernel(LOAD.format("global") + through("%rd9"), [], before=table), "t.ptx", "k").assumptions == (wanted,)
    assert lower(kernel("mov.u64 %rd9, twice;" + through("%rd9"), [], before=F), "t.ptx", "k").assumptions == ()


def test_recursion_through_a_pointer_is_refused_where_it_is_called() -> None:
    again = function(
        "again",
        PROTOTYPE
        + "mov.u64 %rd1, again; add.u64 %rd1, %rd1, 0;"
        + call("%rd1", "%r1", "%r9").replace("); ld.param", "), proto; ld.param"),
    )
    text = "mov.u64 %rd8, again; mov.u64 %rd9, %rd8;" + through("%rd9")
    assert "calls itself" in event(execute(text, again))[1]

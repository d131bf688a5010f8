"""Modules in any SSA form: copies on edges and before guarded operations, swaps, constants, carries; what PTX cannot say."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.emit import emit_ptx
from volta_pipe.passes.lower import lower, parse_module, print_module

HEAD = '{address_size = 64 : i64, params = [{name = "p", type = "u64", size = 8 : i64, align = 8 : i64, offset = 0 : i64}], '
HEAD += 'target = "sm_80", version = "8.0"}'


def module(body: str) -> ModuleOp:
    """A kernel of these operations; `%p` is its parameter."""
    return parse_module(f'builtin.module {{ ptx.kernel @k {HEAD} {{\n  %p = ptx.ld_param 0 "u64" : i64\n{body}\n }} }}')


def statements(body: str) -> list[str]:
    """What is written behind the load of the parameter."""
    lines = [line.strip() for line in emit_ptx(module(body)).splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("ld.param"))
    return lines[start + 1 : -1]


SWAP = """  %a = ptx.special "tid.x" : i32
  %b = ptx.special "ctaid.x" : i32
  ptx.br ^bb1 (%a, %b : i32, i32)
^bb1(%x : i32, %y : i32):
  %q = ptx.setp "lt.u32" %x, %y : (i32, i32) -> i1
  ptx.cond_br %q, ^bb1 (%y, %x : i32, i32), ^bb2
^bb2:
  ptx.st "global.u32" [%p + 0], %x : (i64, i32) -> ()
  ptx.ret"""


def test_a_swap_goes_through_a_third_register() -> None:
    found = statements(SWAP)
    assert found[:2] == ["mov.u32 %r1, %tid.x;", "mov.u32 %r2, %ctaid.x;"]
    edge = found[found.index("$Ledge0:") :]
    assert edge == ["$Ledge0:", "mov.b32 %r3, %r1;", "mov.b32 %r1, %r2;", "mov.b32 %r2, %r3;", "bra $L1;"]
    lowered = print_module(lower(emit_ptx(module(SWAP)), "t.ptx", "k").module)
    assert lowered.count("ptx.mov") == 3


def test_a_value_that_is_read_after_it_was_passed_keeps_its_register() -> None:
    """The "lost copy": %x is used behind the loop, after the argument got its next value."""
    body = """  %a = ptx.special "tid.x" : i32
  ptx.br ^bb1 (%a : i32)
^bb1(%x : i32):
  %one = ptx.constant 1 : i32
  %n = ptx.add "u32" %x, %one : (i32, i32) -> i32
  %q = ptx.setp "lt.u32" %n, %a : (i32, i32) -> i1
  ptx.cond_br %q, ^bb1 (%n : i32), ^bb2
^bb2:
  ptx.st "global.u32" [%p + 0], %x : (i64, i32) -> ()
  ptx.ret"""
    found = statements(body)
    add = next(line for line in found if line.startswith("add"))
    assert add == "add.u32 %r3, %r2, 1;"
    assert "st.global.u32 [%rd1], %r2;" in found
    assert found.count("mov.b32 %r2, %r3;") == 1 and found.count("mov.b32 %r2, %r1;") == 1


def test_constants_are_passed_by_moves_and_read_in_place() -> None:
    body = """  %c = ptx.constant 7 : i32
  ptx.br ^bb1 (%c : i32)
^bb1(%x : i32):
  %y = ptx.add "f32" %x, %c : (i32, i32) -> i32
  ptx.st "global.f32" [%p + 4], %y : (i64, i32) -> ()
  ptx.ret"""
    assert statements(body)[:2] == ["mov.b32 %r1, 7;", "bra $L1;"]
    assert statements(body)[3:5] == ["add.f32 %r2, %r1, 0f00000007;", "st.global.f32 [%rd1+4], %r2;"]


def test_half_constants_are_loaded_first() -> None:
    body = """  %c = ptx.constant 15360 : i16
  %y = ptx.add "rn.f16" %c, %c : (i16, i16) -> i16
  ptx.st "global.b16" [%p + 0], %y : (i64, i16) -> ()
  ptx.ret"""
    found = statements(body)
    assert found[:3] == ["mov.b16 %rs1, 15360;", "mov.b16 %rs2, 15360;", "add.rn.f16 %rs3, %rs1, %rs2;"]


def test_an_old_value_that_lives_on_is_copied() -> None:
    body = """  %a = ptx.special "tid.x" : i32
  %one = ptx.constant 1 : i32
  %q = ptx.setp "lt.u32" %a, %one : (i32, i32) -> i1
  %n = ptx.add "u32" %a, %one if not %q else %a : (i32, i32, i1, i32) -> i32
  ptx.st "global.u32" [%p + 0], %n : (i64, i32) -> ()
  ptx.st "global.u32" [%p + 4], %a : (i64, i32) -> ()
  ptx.ret"""
    found = statements(body)
    assert found[2:4] == ["mov.b32 %r2, %r1;", "@!%p1 add.u32 %r2, %r1, 1;"]
    assert found[4:6] == ["st.global.u32 [%rd1], %r2;", "st.global.u32 [%rd1+4], %r1;"]


def test_the_carry_has_no_name() -> None:
    body = """  %a = ptx.special "tid.x" : i32
  %l, %c = ptx.add "cc.u32" %a, %a : (i32, i32) -> (i32, i1)
  %h = ptx.addc "u32" %a, %l, %c : (i32, i32, i1) -> i32
  ptx.st "global.u32" [%p + 0], %h : (i64, i32) -> ()
  ptx.ret"""
    assert statements(body)[1:3] == ["add.cc.u32 %r2, %r1, %r1;", "addc.u32 %r3, %r1, %r2;"]
    two = body.replace("  %h", '  %m, %d = ptx.add "cc.u32" %l, %l : (i32, i32) -> (i32, i1)\n  %h')
    with pytest.raises(UnsupportedError, match="two carries"):
        emit_ptx(module(two))
    used = body.replace("ptx.st", '%w = ptx.selp "u32" %a, %h, %c : (i32, i32, i1) -> i32\n  ptx.st', 1)
    with pytest.raises(UnsupportedError, match="a carry is used as a value"):
        emit_ptx(module(used))


def test_what_ptx_cannot_say_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"no ptx\.kernel"):
        emit_ptx(ModuleOp([]))
    odd = print_module(module("  ptx.ret")).replace("@k", '@"a b"')
    with pytest.raises(UnsupportedError, match="'a b' is no name in PTX"):
        emit_ptx(parse_module(odd))
    moved = print_module(module("  ptx.ret")).replace("offset = 0", "offset = 8").replace("ptx.ld_param 0", "ptx.ld_param 8")
    with pytest.raises(UnsupportedError, match="parameter p does not lie where PTX would put it"):
        emit_ptx(parse_module(moved))

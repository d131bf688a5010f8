"""A thread's program as `inspect unroll --thread` prints it: every kind of row, against listings written by hand."""

from __future__ import annotations

import re
from math import prod
from pathlib import Path

import pytest

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.launch import Argument, Launch, Scalar, Tensor
from volta_pipe.ir.program import Program
from volta_pipe.passes.lower import lower, read_ptx
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.unroll.show import thread_program

ROOT = Path(__file__).resolve().parents[2]
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = """
.visible .entry k(.param .u64 px, .param .u64 py, .param .f32 pa)
{
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<16>; .reg .f64 %d<4>; .reg .b64 %rd<8>; .reg .b16 %rs<3>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [px];
  ld.param.u64 %rd2, [py];
  ld.param.f32 %f10, [pa];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 16;
  add.u64 %rd1, %rd1, %rd3;
  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
  add.rn.f32 %f5, %f1, 0f40200000;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.u32 %r2, %r2, %r3;
  st.shared.f32 [%r2], %f5;
  bar.sync 0;
  ld.shared.f32 %f6, [%r2];
  mov.b32 %r4, %f6;
  shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;
  mov.b32 %f7, %r5;
  setp.lt.f32 %p1, %f7, %f2;
  @!%p1 add.f32 %f7, %f3, %f10;
  fma.rn.ftz.sat.f32 %f8, %f7, %f2, %f3;
  cvt.rpi.f32.f32 %f9, %f8;
  cvt.f64.f32 %d1, %f9;
  add.f64 %d2, %d1, 0d3FE0000000000000;
  cvt.rn.f32.f64 %f9, %d2;
  selp.f32 %f9, %f9, %f7, %p1;
  bar.warp.sync 0xffffffff;
  mov.u16 %rs1, 7;
  st.shared.u16 [%r2+256], %rs1;
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd2, %rd2, %rd4;
  @%p1 st.global.f32 [%rd2], %f9;
  ret;
}
"""
LISTING = """
%a := scalar 0
%b := read x[35,0]
%c := read x[35,1]
%d := read x[35,2]
%e := read x[35,3]
%f := const 0x40200000  # 2.5
%g := add.f32 %b, %f
write shared tile+140 %g
sync {0..63} barrier 0
%h := read shared tile+140
%i := mov.b32 %h
%j := shfl %i from thread 34
%k := mov.b32 %j
%pl := setp.lt.f32 %k, %c
%k := add.f32 %d, %a if not %pl
%m := fma.sat.f32 %k, %c, %d
%n := cvt.rpi.f32.f32 %m
%o := cvt.f64.f32 %n
%p := const 0x3fe0000000000000  # 0.5
%q := add.f64 %o, %p
%r := cvt.f32.f64 %q
%s := selp.f32 %r, %k, %pl
sync {32..63} warp
%t := const 0x0007
write.b16 shared tile+396 %t
write y[35] %s if %pl
return
""".strip().splitlines()


def tensor(name: str, role: str, *shape: int) -> Tensor:
    return Tensor(name, "f32", shape, tuple(prod(shape[k + 1 :]) for k in range(len(shape))), role)


TENSORS = (tensor("x", "in", 64, 4), tensor("y", "inout", 64))


def named(lines: list[str]) -> list[str]:
    """Registers named %a, %b, … in order of appearance (predicates %pa, …): the numbers are the machine's own affair."""
    names: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        return names.setdefault(match[0], f"%{'p' if match[1] == 'p' else ''}{chr(ord('a') + len(names))}")

    return [re.sub(r"%([rp])\d+", name, line) for line in lines]


def run(text: str, threads: int = 64, ctas: int = 2) -> Program:
    arguments = (Argument("pointer", 0), Argument("pointer", 1), Argument("scalar", 0))
    launch = Launch(TENSORS, (Scalar("a", "f32", None),), arguments, (ctas, 1, 1), (threads, 1, 1))
    return unroll(lower(HEAD + text, "k.ptx", "k", in_text_order=True).module, launch)


@pytest.fixture(scope="module")
def program() -> Program:
    return run(KERNEL)


def test_every_kind_of_row(program: Program) -> None:
    shown = named(list(thread_program(program, 0, 35, TENSORS)))
    wanted = named([re.sub(r"%(p?)([a-z])\b", lambda m: f"%{m[1] or 'r'}{ord(m[2])}", line) for line in LISTING])
    assert shown == wanted


def test_scalars_have_their_names(program: Program) -> None:
    scalars = (Scalar("alpha", "f32", None),)
    (line,) = (one for one in thread_program(program, 0, 35, TENSORS, scalars) if "scalar" in one)
    assert line.endswith(" := scalar alpha")
    assert sum(one.endswith(" := scalar 0") for one in thread_program(program, 0, 35, TENSORS)) == 1


def test_without_tensors_memory_is_named_by_byte(program: Program) -> None:
    lines = list(thread_program(program, 1, 3))
    assert any(line.endswith(":= read x+48") for line in lines) and any("write y+12 %" in line for line in lines)
    assert len(lines) == len(list(thread_program(program, 1, 3, TENSORS)))


def test_only_the_rows_of_the_thread_are_shown() -> None:
    """Threads 0 to 31 leave early; the others take the branch, and thread 40 alone the store."""
    text = """
.visible .entry k(.param .u64 px, .param .u64 py, .param .f32 pa)
{
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [px];
  ld.param.u64 %rd2, [py];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 ret;
  bar.sync 3, 32;
  ld.global.f32 %f1, [%rd1];
  setp.eq.u32 %p2, %r1, 40;
  @%p2 st.global.f32 [%rd2], %f1;
  ret;
}
"""
    program = run(text)
    assert list(thread_program(program, 0, 5)) == ["return"]
    assert named(list(thread_program(program, 0, 33))) == ["sync {32..63} barrier 3", "%a := read x+0", "return"]
    assert named(list(thread_program(program, 0, 40, TENSORS)))[1:] == ["%a := read x[0,0]", "write y[0] %a", "return"]


def test_a_run_that_stopped_says_why() -> None:
    text = """
.visible .entry k(.param .u64 px, .param .u64 py, .param .f32 pa)
{
  .reg .pred %p<4>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [px];
  ld.global.f32 %f1, [%rd1];
  setp.gt.f32 %p1, %f1, 0f00000000;
  @%p1 bra DONE;
  st.global.f32 [%rd1], %f1;
DONE:
  ret;
}
"""
    last = list(thread_program(run(text), 0, 0))[-1]
    assert last.startswith("# stopped: ") and "symbolic" in last


def test_ranges_with_gaps() -> None:
    """A barrier that two separate warps meet."""
    text = """
.visible .entry k(.param .u64 px, .param .u64 py, .param .f32 pa)
{
  .reg .pred %p<4>; .reg .b32 %r<8>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 32;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 ret;
  barrier.sync 1, 64;
  ret;
}
"""
    assert next(thread_program(run(text, threads=96), 0, 70)) == "sync {0..31, 64..95} barrier 1"


@pytest.mark.parametrize(("cta", "thread"), [(0, 64), (2, 0), (-1, 0), (0, -1)])
def test_a_thread_that_is_not_there(program: Program, cta: int, thread: int) -> None:
    with pytest.raises(InputError, match="64 threads in each of 2 CTAs"):
        list(thread_program(program, cta, thread))


@pytest.mark.parametrize("name", ["axpy", "softmax", "transpose", "reduce-tree", "layernorm", "matmul-tiled"])
def test_every_thread_of_the_examples_has_a_program(name: str) -> None:
    read = read_contract(ROOT / "examples" / name / "volta.toml")
    kernel = plan(read, read.combinations()[0]).candidate
    assert isinstance(kernel, KernelPlan)
    launch = kernel.launch()
    program = unroll(lower(read_ptx(kernel.spec.path), kernel.spec.source, kernel.spec.entry).module, launch)
    for thread in range(0, launch.threads, 7):
        lines = list(thread_program(program, len(program.cta_ids) - 1, thread, launch.tensors))
        assert lines[-1] == "return"
        assert all(re.match(r"(%[rp]\d+(, %[rp]\d+)* := |write|sync \{|return$)", line) for line in lines)
        assert not any("address 0x" in line for line in lines)

"""The clean-ups: each does what it says, the rest stays, and the kernel computes and risks what it did before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.ir.ptx import walk_kernel
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import list_entries, lower, parse_module, print_module, read_ptx
from volta_pipe.passes.simplify import simplify
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

ROOT = Path(__file__).resolve().parents[2]
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;"


def lowered(body: str) -> ModuleOp:
    text = f"{HEAD}.visible .entry k(.param .u64 p)\n{{ {REGISTERS}\nld.param.u64 %rd1, [p];\n{body}\n}}\n"
    return lower(text, "t.ptx", "k").module


def lines(body: str) -> list[str]:
    """The operations that are left, without the load of the parameter and without numbers of values."""
    module = lowered(body)
    simplify(module)
    module.verify()
    assert print_module(parse_module(print_module(module))) == print_module(module)
    return [op.name.removeprefix("ptx.") for op in walk_kernel(module)]


STORE = "st.global.u32 [%rd1], %r1; ret;"


def stored(body: str) -> int:
    """The constant that is stored in the end."""
    module = lowered(f"{body} {STORE}")
    simplify(module)
    assert [op.name for op in walk_kernel(module)] == ["ptx.constant", "ptx.ld_param", "ptx.st", "ptx.ret"]
    return next(iter(walk_kernel(module))).bits  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("mov.u32 %r1, 7;", 7),
        ("mov.u32 %r2, 7; add.u32 %r1, %r2, -8;", 0xFFFFFFFF),
        ("mov.u32 %r2, 7; mad.lo.u32 %r1, %r2, %r2, 1;", 50),
        ("mov.u32 %r2, 1; shl.b32 %r1, %r2, 40;", 0),
        ("mov.u32 %r2, -8; shr.s32 %r1, %r2, 1;", 0xFFFFFFFC),
        ("mov.u32 %r2, 5; setp.lt.u32 %p1, %r2, 6; selp.u32 %r1, 3, 4, %p1;", 3),
        ("mov.u32 %r1, 1; mov.u32 %r2, 5; setp.lt.u32 %p1, %r2, 6; @%p1 mov.u32 %r1, 9;", 9),
        ("mov.u32 %r1, 1; mov.u32 %r2, 5; setp.lt.u32 %p1, %r2, 6; @!%p1 mov.u32 %r1, 9;", 1),
        ("mov.u32 %r2, 5; setp.gt.u32 %p1, %r2, 6; mov.u32 %r1, 2; @%p1 bra L; mov.u32 %r1, 3; L:", 3),
        ("mov.u64 %rd2, 5; cvt.u32.u64 %r1, %rd2;", 5),
    ],
)
def test_folding(body: str, value: int) -> None:
    assert stored(body) == value


@pytest.mark.parametrize(
    "kept",
    [
        "mov.u32 %r2, 0; div.u32 %r1, 1, %r2;",  # has no result
        "mov.u32 %r2, %tid.x; add.u32 %r1, %r2, 1;",
        "mov.f32 %r2, 0f3F800000; add.f32 %r1, %r2, %r2;",  # rounds
        "ld.global.u32 %r1, [%rd1+4];",
        "activemask.b32 %r1;",
    ],
)
def test_what_is_not_known_stays(kept: str) -> None:
    module = lowered(f"{kept} {STORE}")
    simplify(module)
    mnemonic = kept.split(";")[-2].split(".", maxsplit=1)[0].strip()
    assert any(op.name == f"ptx.{mnemonic}" for op in walk_kernel(module))


def test_effects_stay_and_dead_values_go() -> None:
    body = "mov.u32 %r2, %tid.x; mul.lo.u32 %r3, %r2, 3; ld.global.u32 %r4, [%rd1]; bar.sync 0; membar.gl; "
    body += "vote.sync.ballot.b32 %r5, 1, -1; mov.u32 %r1, 1;"
    found = lines(body + STORE)
    effects = [name for name in found if name not in ("constant", "ld_param", "mov")]
    assert effects == ["ld", "bar", "membar", "vote", "st", "ret"]
    assert "mul" not in found and "special" not in found


def test_a_dead_loop_counter_goes_and_the_loop_stays() -> None:
    body = """mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r1, %tid.x;
L: add.u32 %r2, %r2, 1; add.u32 %r3, %r3, 5; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;"""
    found = lines(body + STORE)
    assert found.count("add") == 1 and found.count("cond_br") == 1


def test_blocks_are_joined_and_dropped() -> None:
    body = "mov.u32 %r1, %tid.x; bra A; B: add.u32 %r1, %r1, 2; bra C; A: add.u32 %r1, %r1, 1; bra B; C:"
    found = lines(body + STORE)
    assert "br" not in found and found.count("add") == 2
    module = lowered("mov.u32 %r2, 1; setp.eq.u32 %p1, %r2, 2; mov.u32 %r1, 4; @%p1 bra L; bra M; L: trap; M:" + STORE)
    simplify(module)
    assert "ptx.trap" not in print_module(module)


EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*.ptx"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_second_time_changes_nothing(path: Path) -> None:
    text = read_ptx(path)
    for entry, _ in list_entries(text, path.name):
        module = lower(text, path.name, entry).module
        simplify(module)
        module.verify()
        once = print_module(module)
        simplify(module)
        assert print_module(module) == once


GRID = """mov.u32 %r2, %tid.x; mov.u32 %r6, 3; mov.u32 %r7, 0; mul.lo.u32 %r8, %r2, %r6; mov.u32 %r1, 0;
L: ld.global.u32 %r9, [%rd1+256]; add.u32 %r1, %r1, %r8; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, %r6; @%p1 bra L;
mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; setp.lt.u32 %p2, %r2, 8; @%p2 st.global.u32 [%rd3], %r1; ret;"""


def test_the_program_says_the_same() -> None:
    """Findings and expressions of a kernel before and behind, among them a load that is out of bounds and never used."""
    tensor = Tensor("p", "u32", (8,), (1,), "out")
    launch = Launch((tensor,), (), (Argument("pointer", 0),), (1, 1, 1), (32, 1, 1))
    before, after = lowered(GRID), lowered(GRID)
    simplify(after)
    programs = [unroll(one, launch) for one in (before, after)]
    assert programs[1].steps < programs[0].steps
    kinds = [{finding.kind for finding in check(one, launch).findings} for one in programs]
    assert kinds[0] == kinds[1] != set()
    sound = GRID.replace("ld.global.u32 %r9, [%rd1+256];", "").replace("mov.u32 %r1, 0;", "mov.u32 %r1, 1;")
    before, after = lowered(sound), lowered(sound)
    simplify(after)
    roots = [vc(unroll(one, launch), launch) for one in (before, after)]
    values = [[one.graph.constant(int(node)) for node in one.outputs[0]] for one in roots]
    assert values[0] == values[1] == list(np.arange(8) * 9.0 + 1)

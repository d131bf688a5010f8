"""`init`: what the instructions say of the parameters, against the contracts that people wrote, and on all kinds of PTX."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from driver_commands import Commands

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.commands.guesses import Guesses, guess
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.evidence import KernelEvidence, evidence
from volta_pipe.passes.lower import list_entries, lower

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.toml"))
# All of ours, and each ninth of what other compilers made.
PTX = sorted([*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "kernels").rglob("*.ptx")])
PTX += sorted((ROOT / "tests" / "corpus").rglob("*.ptx"))[::9]

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 spare, .param .u32 n) LIMIT
{
  .reg .pred %p; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %x<20>;
  ld.param.u64 %x0, [a];
  ld.param.u64 %x1, [b];
  ld.param.u64 %x2, [c];
  ld.param.u64 %x3, [d];
  ld.param.u32 %r0, [n];
  cvta.to.global.u64 %x4, %x0;
  mov.u32 %r1, %tid.x;
  mul.wide.s32 %x5, %r1, 4;
  add.s64 %x6, %x4, %x5;
  add.s64 %x7, %x1, %x5;
  add.s64 %x8, %x2, %x5;
"""


def _guessed(ptx: str, entry: str) -> tuple[Guesses, KernelEvidence]:
    parameters = [Parameter.of(one) for one in dict(list_entries(ptx, "k.ptx"))[entry]]
    lowered = lower(ptx, "k.ptx", entry, in_text_order=True)
    found = evidence(lowered.module, lowered.lines, parameters)
    return guess(parameters, found, [f"p{i}" for i in range(len(parameters))]), found


def _of(body: str, limit: str = "") -> Guesses:
    return _guessed(HEAD.replace("LIMIT", limit) + body + "\n  ret;\n}\n", "k")[0]


def _kinds(guesses: Guesses) -> dict[str, tuple[str, str]]:
    return {one.name: (one.dtype, one.role) for one in guesses.tensors}


# Body and what it makes of the parameters: (dtype, role).
BODIES = {
    "floats": ("ld.global.f32 %f0, [%x6];\n  st.global.f32 [%x7], %f0;", {"p0": ("f32", "in"), "p1": ("f32", "out")}),
    "read and written": ("ld.f32 %f0, [%x6];\n  st.f32 [%x6+4], %f0;", {"p0": ("f32", "inout")}),
    "halves by conversion": (
        "ld.global.u16 %h0, [%x6];\n  cvt.f32.f16 %f0, %h0;\n  cvt.rn.bf16.f32 %h1, %f0;\n  st.global.u16 [%x7], %h1;",
        {"p0": ("f16", "in"), "p1": ("bf16", "out")},
    ),
    "pairs of halves": (
        "ld.global.b32 %r2, [%x6];\n  fma.rn.bf16x2 %r3, %r2, %r2, %r2;\n  st.global.b32 [%x7], %r3;",
        {"p0": ("bf16", "in"), "p1": ("bf16", "out")},
    ),
    "floats in bit registers": (
        "ld.global.v2.b32 {%r2, %r3}, [%x6];\n  add.f32 %r4, %r2, %r3;\n  st.global.b32 [%x7], %r4;",
        {"p0": ("f32", "in"), "p1": ("f32", "out")},
    ),
    "bytes": (
        "ld.global.s8 %r2, [%x6];\n  cvt.rn.f32.s32 %f0, %r2;\n  ld.global.u8 %r3, [%x7];\n  add.s32 %r4, %r2, %r3;\n"
        "  st.global.u8 [%x8], %r4;",
        {"p0": ("s8", "in"), "p1": ("u8", "in"), "p2": ("u8", "out")},
    ),
    "an integer with its sign": (
        "ld.global.u32 %r2, [%x6];\n  max.s32 %r3, %r2, 0;\n  st.global.u32 [%x7], %r3;",
        {"p0": ("s32", "in"), "p1": ("s32", "out")},
    ),
    "an integer without": (
        "ld.global.u32 %r2, [%x6];\n  shr.u32 %r3, %r2, 3;\n  st.global.u32 [%x7], %r3;",
        {"p0": ("u32", "in"), "p1": ("u32", "out")},
    ),
    "an atomic": ("mov.f32 %f0, 0f3F800000;\n  red.global.add.f32 [%x6], %f0;", {"p0": ("f32", "inout")}),
    "an asynchronous copy": (
        "cvt.u32.u64 %r2, %x5;\n  cp.async.ca.shared.global [%r2], [%x6], 4;\n  cp.async.wait_all;", {"p0": ("f32", "in")}
    ),
    "a pointer that moves in a loop": (
        "mov.u64 %x9, %x6;\nL:\n  ld.global.f64 %x10, [%x9];\n  add.s64 %x9, %x9, 8;\n"
        "  setp.lt.u64 %p, %x9, %x7;\n  @%p bra L;",
        {"p0": ("f64", "in")},
    ),
    "either of two": (
        "setp.eq.s32 %p, %r1, 0;\n  selp.b64 %x9, %x6, %x7, %p;\n  ld.global.f32 %f0, [%x9];",
        {"p0": ("f32", "in"), "p1": ("f32", "in")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_dtypes_and_roles(name: str) -> None:
    body, wanted = BODIES[name]
    assert _kinds(_of(body)) == wanted


def test_a_number_of_64_bits_an_unused_pointer_and_a_bound() -> None:
    body = """cvt.u32.u64 %r5, %x3;
  setp.ge.u32 %p, %r1, %r0;
  @%p bra END;
  ld.global.f32 %f0, [%x6];
END:"""
    guesses = _of(body)
    assert [one.name for one in guesses.dims] == ["n", "p1", "p2", "p3", "p5"]
    line = HEAD.count("\n") + 2
    assert guesses.dims[-1].why == (
        f"parameter n (.u32), taken for a size: the thread's index is compared with it at line {line}"
    )
    assert "nothing is loaded or stored through it" in guesses.dims[3].why
    assert guesses.args == ('"p0"', '"p1"', '"p2"', '"p3"', '"null"', '"p5"') and "CHECK: null" in guesses.args_why
    (tensor,) = guesses.tensors
    assert tensor.dtype_why.startswith(f"loaded as .f32 at line {line + 2} (")
    assert tensor.role_why.startswith(f"loaded from at line {line + 2} (")


def test_blocks_and_grids() -> None:
    assert (_of("").block, _of("").grid) == ("[128]", '["(n+127)//128"]')
    wanted = _of("", ".reqntid 64, 2, 1")
    assert wanted.block == "[64, 2, 1]" and "CHECK" not in wanted.block_why
    assert _of("", ".maxntid 96").block == "[96]"
    two = _of("mov.u32 %r2, %tid.y;\n  mov.u32 %r3, %ctaid.y;")
    assert (two.block, two.grid) == ("[16, 16]", '["(n+15)//16", "(n+15)//16"]')


def test_the_examples_are_guessed_as_people_wrote_them() -> None:
    """Dtype and role of each tensor of each kernel, and which parameters are tensors."""
    seen = 0
    for path in EXAMPLES:
        contract = tomllib.loads(path.read_text())
        for side in (contract["candidate"], contract.get("reference", {})):
            if not str(side.get("source", "")).endswith(".ptx"):
                continue
            guesses, _ = _guessed((path.parent / side["source"]).read_text(), side["entry"])
            kinds = _kinds(guesses)
            for name, argument in zip(guesses.names, side["args"], strict=True):
                tensor = contract["tensors"].get(str(argument).partition("+")[0])
                assert (tensor is not None) == (name in kinds), (path, argument)
                if tensor is not None:
                    seen += 1
                    assert kinds[name] == (tensor["dtype"], tensor["role"]), (path, argument)
    assert seen >= 70


@pytest.mark.parametrize("path", PTX, ids=lambda path: path.stem)
def test_every_ptx_gets_a_contract_that_lowers(
    real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    entries = [name for name, _ in list_entries(path.read_text(), str(path))]
    for entry in entries[:2]:
        target = f"{entries.index(entry)}.toml"
        assert real("init", str(path), "--entry", entry, "-o", target) == 0, real.err
        contract = read_contract(target)
        assert contract.candidate.entry == entry
        assert real("run", target, "--stage", "lower", "--quiet") == 0, real.out + real.err

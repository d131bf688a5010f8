"""The printed module: round trips, canonical text, real mlir-opt, the verifier, and damaged texts."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest
from lower_text import HEAD, kernel, lowered, ptx_files
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.errors import ArtifactError, UnsupportedError
from volta_pipe.ir.ptx import INSTRUCTIONS, ConstantOp, InstructionOp, UndefOp, register_type, variables_of
from volta_pipe.passes.lower import (
    Lowered,
    list_entries,
    lower,
    parse_module,
    print_generic,
    print_module,
    read_ptx,
    walk_kernel,
)

SAMPLE = """.shared .align 16 .b8 tile[64]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.lt.u32 %p1, %r1, 7;
@%p1 ld.shared.v2.u32 {%r3, %r4}, [%r2+8]; @!%p1 bra Skip; membar.gl; add.u32 %r3, %r3, 1;
Skip: activemask.b32 %r5; st.shared.u32 [tile+4], %r3; @%p1 exit; bar.sync 0; ret;"""

# Text of the generic form takes xDSL a second to read when it is long: what holds for short kernels is tried on them.
SMALL = 4000


def mlir_opt() -> str | None:
    return shutil.which("mlir-opt-22") or shutil.which("mlir-opt") or shutil.which("/usr/lib/llvm-22/bin/mlir-opt")


@lru_cache(maxsize=256)
def lower_all(path: Path) -> list[Lowered]:
    text = read_ptx(path)
    found: list[Lowered] = []
    for name, _ in list_entries(text, str(path)):
        try:
            found.append(lower(text, str(path), name))
        except UnsupportedError as error:  # a kernel may be there for a later issue, but its refusal has a place
            assert error.place.line
    return found


@pytest.mark.parametrize("path", ptx_files(), ids=lambda path: path.stem)
def test_round_trip_of_every_kernel(path: Path) -> None:
    for one in lower_all(path):
        text = print_module(one.module)
        module = parse_module(text)
        assert print_module(module) == text
        if len(text) < SMALL:
            assert print_module(parse_module(print_generic(module))) == text
        assert len(one.lines.ptx) == sum(1 for _ in walk_kernel(module))
        assert all(place != (0, 0) for place, op in zip(one.lines.ptx, walk_kernel(module), strict=True)
                   if not isinstance(op, ConstantOp | UndefOp) and op.name != "ptx.br")  # fmt: skip


@pytest.mark.skipif(mlir_opt() is None, reason="mlir-opt is not installed (Debian: mlir-22-tools)")
def test_mlir_opt_accepts_the_generic_form(tmp_path: Path) -> None:
    tool = mlir_opt()
    assert tool is not None
    modules = [one for path in ptx_files() for one in lower_all(path)] + [lowered(SAMPLE)]
    # One process for all: modules split by the marker that the tool knows.
    source = tmp_path / "all.mlir"
    source.write_text("\n// -----\n".join(print_generic(one.module) for one in modules))
    arguments = [tool, "--allow-unregistered-dialect", "--split-input-file", "--mlir-print-op-generic", str(source)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    for one, text in zip(modules, done.stdout.split("// -----"), strict=True):
        if len(text) < SMALL:
            assert _skeleton(print_module(parse_module(text))) == _skeleton(print_module(one.module))


def _skeleton(text: str) -> str:
    """Without the heads: mlir-opt sorts dictionaries."""
    return "\n".join(line for line in text.splitlines() if "@" not in line or "ptx.address" in line)


def test_names_and_lines_do_not_show() -> None:
    other = SAMPLE.replace("Skip", "$elsewhere").replace("%r", "%register").replace("%p1", "%q")
    other = ".reg .b32 %register<9>; .reg .pred %q;\n.loc 1 7 8\n" + other.replace("; ", ";\n\n// comment\n\t")
    assert print_module(lowered(other).module) == print_module(lowered(SAMPLE).module)
    assert lowered(other).lines != lowered(SAMPLE).lines


def test_modifier_order_does_not_show() -> None:
    one, other = (lowered(f"fma.{words}.f32 %f1, %f2, %f3, %f4; ret;") for words in ("rn.ftz", "ftz.rn"))
    assert print_module(one.module) == print_module(other.module)


def test_other_entries_and_unused_variables_do_not_show() -> None:
    before = ".global .u32 unused;\n.entry other { frobnicate; }\n"
    assert print_module(lowered("ret;", before=before).module) == print_module(lowered("ret;").module)


def _make(name: str, words: str, operands: str, results: str, *, offset: int | None = None) -> InstructionOp:
    """An operation on undefined values: letters b, h, w, l are 1, 16, 32 and 64 bits."""
    widths = {"b": 1, "h": 16, "w": 32, "l": 64}
    inputs = [UndefOp.make(widths[one]).results[0] for one in operands]
    parts = words.split(".")
    types = [word for word in parts if re.fullmatch(r"[bsuf]\d+|pred", word)]
    modifiers = [word for word in parts if word and word not in types]
    return INSTRUCTIONS[name].make(modifiers, types, inputs, [register_type(widths[one]) for one in results], offset=offset)


@pytest.mark.parametrize(
    "op",
    [
        _make("add", "s32", "ww", "w"),
        _make("mul", "wide.s32", "ww", "l"),
        _make("ld", "global.u8", "l", "w", offset=0),
        _make("st", "shared.v4.f32", "wwwww", "", offset=4),
        _make("cvt", "u64.u32", "w", "l"),
        _make("cvt", "u16.u8", "w", "h"),
        _make("mov", "pack.b32", "hh", "w"),
        _make("setp", "and.lt.f32", "wwb", "bb"),
    ],
)
def test_verifier_accepts(op: Operation) -> None:
    op.verify()


@pytest.mark.parametrize(
    "op",
    [
        _make("add", "s32", "wl", "w"),
        _make("add", "s32", "ww", "l"),
        _make("add", "s32", "w", "w"),
        _make("add", "frob.s32", "ww", "w"),
        _make("add", "", "ww", "w"),
        _make("add", "s32.s32", "ww", "w"),
        _make("add", "s32", "ww", "w", offset=0),
        _make("ld", "global.u32", "l", "w"),
        _make("ld", "global.u32", "l", "h", offset=0),
        _make("ld", "global.u32", "b", "w", offset=0),
        _make("ld", "global.v2.u32", "l", "w", offset=0),
        _make("selp", "b32", "www", "w"),
        _make("setp", "lt.f32", "wwb", "b"),
        _make("fma", "rn.rz.f32", "www", "w"),
    ],
)
def test_verifier_refuses(op: Operation) -> None:
    with pytest.raises(VerifyException):
        op.verify()


def test_damaged_modules() -> None:
    text = print_module(lowered(SAMPLE).module)
    cases = [text[: len(text) * part // 37] for part in range(37)]
    cases += [text.replace(*pair) for pair in (("i32", "i64"), ("u32", "u33"), ("@tile +", "@other +"), ("^bb3:", "^bb9:"))]
    cases += [text.replace("tid.x", "tid.w"), text.replace('"shared"', '"'), text + "}", "builtin.module {}", "\0"]
    cases += [text.replace("ptx.ret", "ptx.frob"), text.replace("    ptx.ret\n", ""), "(" * 100_000]
    for case in cases:
        assert case != text
        with pytest.raises(ArtifactError):
            parse_module(case)


def test_kernel_head() -> None:
    text = HEAD + ".entry k(.param .u64 p) .reqntid 64, 2\n{ ret; }"
    head = print_module(lower(text, "t", "k").module).splitlines()[1]
    assert "reqntid = [64 : i64, 2 : i64]" in head
    assert 'target = "sm_80"' in head
    assert "offset = 0 : i64" in head


def test_same_text_at_any_time() -> None:
    first, second = (print_module(lower(kernel(SAMPLE), "t", "k").module) for _ in range(2))
    assert first == second


def test_variables_of_calls_have_one_order_at_any_hash_seed() -> None:
    """Constants that are passed lie in variables made for the call; which comes first must not depend on object addresses."""
    params = ".param .b32 x, .param .b32 y, .param .b64 z, .param .b32 w"
    loads = "ld.param.b32 o, [x]; ld.param.b32 t, [y]; add.s32 o, o, t; ld.param.b32 t, [z]; ld.param.b32 t, [w]; ret;"
    before = f".func (.reg .b32 o) f({params}) {{ .reg .b32 t; {loads} }}\n"
    body = "call (%r1), f, (1, 2, 3, 4);" * 3 + "st.global.b32 [%rd1], %r1; ret;"
    names = [op.sym_name.data for op in variables_of(lowered(body, before=before).module)]
    assert names == ["x", "y", "z", "w", *(f"{name}__{i}" for i in (1, 2) for name in "xyzw")]

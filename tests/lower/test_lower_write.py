"""The text of a module is written without xDSL: it must be what xDSL prints of the module, letter for letter."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from xdsl.printer import Printer

from volta_pipe.ir.ptx.lazy import LazyModule
from volta_pipe.passes.lower import list_entries, lower, parse_module, print_module
from volta_pipe.passes.lower.write import _quoted, signed

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("examples/*/*.ptx"), *ROOT.glob("tests/filecheck/*.ptx"), *ROOT.glob("tests/kernels/**/*.ptx")])
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
# What compilers seldom write: odd names, initialised variables, negative and large offsets, guards with sinks, refused
# instructions whose operands have to be quoted, traps, rings of blocks, vectors, parameters that are structures, limits.
ODD = f"""{HEAD}
.const .align 4 .b8 table[4] = {{1, 2, 255, 34}};
.global .align 8 .u64 $count;
.extern .shared .align 16 .b8 dynamic[];
.visible .entry $odd(.param .u64 p, .param .align 8 .b8 s[24], .param .f32 f)
.maxntid 32, 1, 1
{{
    .reg .pred %p<4>;
    .reg .b16 %h<3>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<6>;
    .shared .align 4 .b8 tile[64];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [s+4];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, tile;
    mov.u32 %r9, dynamic;
    setp.lt.s32 %p1, %r2, -7;
    setp.eq.u32 %p2|%p3, %r2, %r1;
    @%p1 st.shared.u32 [%r3+-4], %r2;
    @!%p1 ld.shared.v2.u32 {{%r4, %r5}}, [%r3+8];
    @%p2 ld.global.v4.u32 {{%r6, _, %r7, _}}, [%rd1+2147483648];
    @!%p3 add.s32 %r4, %r4, 0xFFFFFFFF;
    and.pred %p2, %p2, !%p3;
    ld.const.u32 %r8, [table];
    cp.async.ca.shared.global [%r9+16], [%rd1+-16], 4;
    @%p1 alloca.u32 %r10, %r1, 8;
    @%p2 bra $again;
    st.global.u32 [%rd1], %r4;
    @%p1 trap;
    bra $last;
$again:
    st.global.u64 [$count], 0x8000000000000000;
    bra $again;
$last:
    st.global.u32 [%rd1+4], %r8;
    @%p3 exit;
    membar.cta;
    ret;
}}
"""


def printed(module: object) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(module)  # type: ignore[arg-type]
    return stream.getvalue() + "\n"


@pytest.mark.parametrize("in_text_order", [False, True])
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_text_is_that_of_the_module(file: Path, in_text_order: bool) -> None:
    text = file.read_text(errors="replace")
    for name, _ in list_entries(text, file.name):
        lowered = lower(text, file.name, name, in_text_order=in_text_order)
        assert lowered.text == printed(lowered.module)


@pytest.mark.parametrize("in_text_order", [False, True])
def test_odd_text(in_text_order: bool) -> None:
    lowered = lower(ODD, "odd.ptx", "$odd", in_text_order=in_text_order)
    shown = lowered.text
    assert shown == printed(lowered.module) == printed(parse_module(shown)) == print_module(parse_module(shown))
    for part in (
        '@"$odd"',
        'init = "0102ff22"',
        "+ -4]",
        "+ 2147483648]",
        "if not %",
        "maxntid = [32 : i64",
        "ptx.trap",
        "extern, ",
    ):
        assert part in shown, part
    assert "ptx.unmodelled" in shown and "ptx.constant -9223372036854775808 : i64" in shown


def test_strings_and_numbers_are_written_as_mlir_has_them() -> None:
    """MLIR Language Reference, string literals: bytes that do not print as two digits in hexadecimal; 64-bit numbers signed."""
    assert [_quoted(text) for text in ("a b", 'a"b', "a\\b", "ä\n", "~\x7f")] == [
        '"a b"', '"a\\22b"', '"a\\\\b"', '"\\C3\\A4\\0A"', '"~\\7F"',
    ]  # fmt: skip
    assert [signed(number) for number in (0, -1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)] == [
        0,
        -1,
        (1 << 63) - 1,
        -(1 << 63),
        -1,
    ]


def test_lowering_loads_no_xdsl() -> None:
    code = f"""import sys
from volta_pipe.passes.lower import lower
assert lower({ODD!r}, "odd.ptx", "$odd").text
assert not [name for name in sys.modules if name.split(".")[0] in ("xdsl", "numpy", "numba")]"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_module_is_made_once() -> None:
    made: list[int] = []
    lowered = lower(ODD, "odd.ptx", "$odd")
    lazy = LazyModule(lambda: made.append(1) or lowered.module)  # type: ignore[func-returns-value]
    assert not made
    assert lazy.module is lazy.module is lowered.module
    assert made == [1]
    assert lazy.text == lowered.text == LazyModule.of(lowered.module).text

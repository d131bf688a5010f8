"""PTX texts for the tests of `lower`: a head, and a kernel around a body."""

from __future__ import annotations

from pathlib import Path

from volta_pipe.passes.lower import Lowered, lower, print_module

ROOT = Path(__file__).resolve().parents[2]
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;"


def kernel(body: str, *, params: str = ".param .u64 a, .param .f32 b", before: str = "") -> str:
    """A file with one entry `k`; the body begins on line 6 when `before` is empty."""
    return f"{HEAD}{before}.visible .entry k({params})\n{{ {REGISTERS}\n{body}\n}}\n"


def lowered(body: str, *, params: str = ".param .u64 a, .param .f32 b", before: str = "") -> Lowered:
    """Lower and verify it, in the order of the text and with what nothing depends on."""
    found = lower(kernel(body, params=params, before=before), "t.ptx", "k", in_text_order=True)
    found.module.verify()
    return found


def body_text(body: str, *, params: str = ".param .u64 a, .param .f32 b", before: str = "") -> str:
    """The lines of the lowered kernel between its head and its end, without indentation."""
    text = print_module(lowered(body, params=params, before=before).module)
    lines = [line.strip() for line in text.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("ptx.kernel"))
    return "\n".join(lines[start + 1 : -2])


def ptx_files() -> list[Path]:
    """Every PTX file of the project."""
    folders = [ROOT / "examples", ROOT / "tests" / "kernels", Path(__file__).parent]
    return sorted(path for folder in folders for path in folder.rglob("*.ptx"))

"""The command that measures coverage: what it says of forms and results made by hand, and that its document has everything."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from volta_pipe.driver.replaying import Difference
from volta_pipe.passes.lower import lower

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from census import forms  # noqa: E402
from cover import chosen  # noqa: E402
from coverage_text import counts_line, document  # noqa: E402
from form_coverage import FormTable, form_of, row_of  # noqa: E402
from outcomes import Concrete, Outcome, Proof  # noqa: E402
from table import TABLE, Entry, entries  # noqa: E402

sys.path.remove(str(HERE))

KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    setp.eq.s32 %p1, 1, 2;
    @%p1 bra L;
    frobnicate.u32 %r1, 1;
    @!%p1 add.s32 %r1, %r1, 1;
    st.global.u32 [%rd2], %r1;
L:  ret;
}
"""
ENTRY = Entry("bits", "crc32", "nvcc-sm80")


def test_forms_of_a_kernel() -> None:
    table = FormTable()
    table.add_text(ENTRY, KERNEL)
    lowered = lower(KERNEL, "k.ptx", "k")
    table.add_kernel(KERNEL, lowered.module, lowered.lines, None)
    found = {one.form: one for one in table.finish([KERNEL])}
    assert set(found) == set(forms(KERNEL))
    assert {one.form for one in found.values() if not one.modelled} == {"frobnicate.u32"}
    assert "no row of the instruction table has this name" in min(found["frobnicate.u32"].refused)
    sections = {form: min(one.sections, default="") for form, one in found.items()}
    # PTX ISA 9.7.9.20 cvta, 9.7.12.3 bra, 9.7.12.6 ret, 9.7.1.1 add, 9.7.9.11 st
    assert (sections["cvta.global.to.u64"], sections["bra"], sections["ret"]) == ("9.7.9.20", "9.7.12.3", "9.7.12.6")
    assert (sections["add.s32"], sections["st.global.u32"]) == ("9.7.1.1", "9.7.9.11")


@pytest.mark.parametrize(
    ("opcode", "form", "known"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.aligned.col.f16.f16.f32.f32.m16n8k16.row.sync", True),
        ("cvt.rn.f16.f32", "cvt.f16.f32.rn", True),
        ("mov.b64", "mov.b64", True),
        ("tcgen05.alloc.cta_group::1.sync.aligned.b32", "tcgen05.aligned.alloc.b32.cta_group::1.sync", False),
    ],
)
def test_spellings(opcode: str, form: str, known: bool) -> None:
    assert form_of(opcode) == form
    assert (row_of(opcode) is not None) == known


def made(maker: str, verdict: str, expected: str, concrete: Concrete) -> Outcome:
    """A result of a kernel; what is unsupported has a reason."""
    proof = Proof(verdict, "", "why | so" if verdict == "unsupported" else "")
    return Outcome(Entry("bits", f"{expected}-{verdict}", maker), expected, verdict == expected, proof, proof, concrete)


def test_counts_and_rows() -> None:
    near = Difference("y", 2e-6, 1e-6, (0,), 8, 1e-4)
    far = Difference("y", 2.0, 1.0, (0,), 8, 1e-4)
    outcomes = [
        made("a", "equivalent", "equivalent", Concrete("agrees", "", near, 3, 24)),
        made("b", "equivalent", "equivalent", Concrete("agrees", "", near, 3, 24)),
        made("a", "unsupported", "unsupported", Concrete("not run", "no meaning")),
        made("a", "unsafe", "unsafe", Concrete("not run", "race")),
        made("a", "not-equivalent", "equivalent", Concrete("differs", "", far, 3, 24)),
    ]
    line = counts_line(outcomes, [])
    assert "kernels: 4: 1 proved, 1 refuted as expected, 1 out of scope with reason, 1 not as expected" in line
    assert "files: 5: 4 as expected, 2 proved equal to themselves" in line
    assert "2 of 5 files agree with NumPy, 1 differ, 2 not run" in line
    text = document(outcomes, [])
    assert "| equivalent-equivalent | a<br>b | equivalent | 1e-06 of 0.0001, 3 shapes | equivalent |" in text
    assert "| a | unsupported: why \\| so | not run: no meaning | unsupported |" in text
    assert "| a | **not-equivalent**, expected equivalent | **differs**: 1e+00 of 0.0001, 3 shapes | not-equivalent |" in text


def test_names_choose_files() -> None:
    assert [entry.maker for entry in chosen(["bits/crc32"])] == list(TABLE["bits"]["crc32"])
    assert {entry.family for entry in chosen(["gemm", "scan"])} == {"gemm", "scan"}
    assert {entry.maker for entry in chosen(["triton-sm80"])} == {"triton-sm80"}
    assert [entry.ptx for entry in chosen([str(ENTRY.ptx)])] == [ENTRY.ptx]
    assert len(list(chosen([]))) == len(list(entries()))
    assert not list(chosen(["nothing"]))


def test_the_document_has_every_kernel_and_form() -> None:
    text = (ROOT / "docs" / "coverage.md").read_text()
    for family, kernels in TABLE.items():
        rows = text.split(f"## {family}\n")[1].split("\n## ")[0]
        assert set(re.findall(r"^\| (\w+) \|", rows, re.MULTILINE)) - {"kernel"} == set(kernels), "run make coverage"
    everything = set().union(*(forms(entry.ptx.read_text()) for entry in entries()))
    assert set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)) == everything, "run make coverage"

"""What `unsupported` says: the instruction as the PTX spells it, its line, and that of the source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

PROOF = Options(skip=frozenset({"dynamic"}))  # the kernels here do not compute what the specs say

PTX = """.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 px, .param .u64 py) {
  .reg .b32 %v, %w; .reg .b64 %x, %y; .reg .f32 %f, %g; .reg .b16 %h; .reg .pred %p;
  .loc 1 7 3
  ld.param.u64 %x, [px];
  ld.param.u64 %y, [py];
  ld.global.u32 %v, [%x];
  .loc 1 9 3
  BODY
  ret;
}
"""
FIRST_LINE = 1 + PTX.partition("BODY")[0].count("\n")
TOML = """[tensors.x]
dtype = "XTYPE"
shape = [4]
role = "in"
[tensors.y]
dtype = "f32"
shape = [2]
role = "inout"
[reference]
spec = "spec.py:k"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [1]
args = ["x", "y"]
"""


def refused(folder: Path, dtype: str, *body: str) -> dict[str, Any]:
    (folder / "k.ptx").write_text(PTX.replace("BODY", "\n  ".join(body)))
    (folder / "spec.py").write_text("def k(x, y):\n    return {'y': y}\n")
    (folder / "volta.toml").write_text(TOML.replace("XTYPE", dtype))
    with Store(folder / "store") as store:
        document = verify(folder / "volta.toml", store, PROOF).document
    assert document["verdict"] == "unsupported"
    (finding,) = document["findings"]
    assert isinstance(finding, dict)
    return finding


@pytest.mark.parametrize(
    ("body", "at", "text"),
    [
        (("popc.b32 %w, %v;", "cvt.rn.f32.s32 %f, %w;", "st.global.f32 [%y], %f;"), 0, "popc.b32 %w, %v"),
        (("and.b32   %w, %v,  5;  mov.b32 %f, %w;", "st.global.f32 [%y], %f;"), 0, "and.b32 %w, %v, 5"),
    ],
)
def test_integer_work_names_its_instruction(tmp_path: Path, body: tuple[str, ...], at: int, text: str) -> None:
    finding = refused(tmp_path, "s32", *body)
    assert finding["ptx_line"] == FIRST_LINE + at and finding["source"] == {"file": "k.cu", "line": 9}
    assert (
        finding["message"]
        == f"integer work on a symbolic value that is none of the known idioms; its operands rest on x[0] (s32): {text}"
    )


def test_an_output_without_a_value_names_the_last_store(tmp_path: Path) -> None:
    body = ("mov.b32 %f, 0f40000000;", "st.global.f32 [%y], %f;", "st.global.u32 [%y+4], %v;")
    finding = refused(tmp_path, "s32", *body)
    assert finding["ptx_line"] == FIRST_LINE + 2 and finding["source"] == {"file": "k.cu", "line": 9}
    assert finding["message"] == (
        "y[1] ends up holding bits that are no symbolic f32 value; thread 0 of CTA (0, 0, 0) stored there last: "
        "st.global.u32 [%y+4], %v"
    )


def test_an_indeterminate_result_names_its_instruction(tmp_path: Path) -> None:
    body = ("mov.b32 %f, %v;", "add.f32 %f, %f, 0f3F800000;", "mul.f32 %g, %f, 0f7F800000;", "st.global.f32 [%y], %g;")
    finding = refused(tmp_path, "f32", *body)
    assert finding["ptx_line"] == FIRST_LINE + 2
    assert finding["message"] == (
        "an infinity times a value of unknown sign, or a division by a constant zero: mul.f32 %g, %f, 0f7F800000"
    )


def test_another_dtype_than_the_instruction_s_names_the_tensor_and_the_line(tmp_path: Path) -> None:
    """Two f16 elements are read as one f32."""
    finding = refused(tmp_path, "f16", "mov.b32 %f, %v;", "add.f32 %f, %f, %f;", "st.global.f32 [%y], %f;")
    assert finding["ptx_line"] == FIRST_LINE + 1
    assert finding["message"] == (
        "a float operand holds something else than a float of this instruction's format; its operands rest on x[0] (f16): "
        "add.f32 %f, %f, %f (tensors.x.dtype: volta.toml:2)"
    )


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("np.zeros(3)", "k returns y with shape (3,), the contract says (2,) (volta.toml:7: tensors.y.shape)"),
        ("np.zeros(2)", "k returns y as float64, the contract says s32 (volta.toml:6: tensors.y.dtype)"),
    ],
)
def test_a_spec_that_returns_something_else_names_the_contract_s_line(tmp_path: Path, returned: str, message: str) -> None:
    (tmp_path / "k.ptx").write_text(PTX.replace("BODY", "st.global.u32 [%y], %v;"))
    (tmp_path / "spec.py").write_text(f"import numpy as np\ndef k(x, y):\n    return {{'y': {returned}}}\n")
    (tmp_path / "volta.toml").write_text(TOML.replace("XTYPE", "s32").replace("f32", "s32"))
    with Store(tmp_path / "store") as store, pytest.raises(InputError) as caught:
        verify(tmp_path / "volta.toml", store, PROOF)
    assert caught.value.message == message.replace("volta.toml", str(tmp_path / "volta.toml"))
    assert (caught.value.place.file, caught.value.place.line) == (str(tmp_path / "spec.py"), 2)

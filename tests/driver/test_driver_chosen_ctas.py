"""A contract that runs some CTAs only, against a NumPy function: what these write is compared, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

# y[i] = 2 x[i] with 32 elements a CTA; CTA 1 writes 3 x[i] in its last element where FAULT says so.
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py) {
  .reg .pred %p; .reg .f32 %f, %g; .reg .b32 %t, %c, %i; .reg .b64 %x, %y, %o;
  ld.param.u64 %x, [px];
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mad.lo.u32 %i, %c, 32, %t;
  mul.wide.u32 %o, %i, 4;
  add.s64 %x, %x, %o;
  add.s64 %y, %y, %o;
  ld.global.f32 %f, [%x];
  add.f32 %g, %f, %f;
  setp.eq.u32 %p, %i, FAULT;
  @%p add.f32 %g, %g, %f;
  st.global.f32 [%y], %g;
  ret;
}
"""
TOML = """[tensors.x]
dtype = "f32"
shape = [96]
role = "in"
[tensors.y]
dtype = "f32"
shape = [96]
role = "ROLE"
[reference]
spec = "spec.py:double"
[candidate]
source = "k.ptx"
entry = "k"
grid = [3]
block = [32]
args = ["x", "y"]
ctas = CTAS
"""


def run(folder: Path, ctas: str, fault: int = 1000, role: str = "out", options: Options | None = None) -> dict[str, Any]:
    (folder / "k.ptx").write_text(PTX.replace("FAULT", str(fault)))
    given = "x, y" if role == "inout" else "x"
    (folder / "spec.py").write_text(f"def double({given}):\n    return {{'y': 2 * x}}\n")
    (folder / "volta.toml").write_text(TOML.replace("ROLE", role).replace("CTAS", ctas))
    return verify(folder / "volta.toml", Store(folder / "store"), options).document


@pytest.mark.parametrize("role", ["out", "inout"])
def test_only_what_the_chosen_ctas_write_is_compared(tmp_path: Path, role: str) -> None:
    document = run(tmp_path, "[[1, 0, 0]]", role=role)
    assert document["verdict"] == "equivalent", document["findings"]
    assert document["coverage"]["outputs"] == 32
    assert document["coverage"]["ctas"] == [[1, 0, 0]]


@pytest.mark.parametrize("role", ["out", "inout"])
def test_a_fault_in_a_chosen_cta_is_found(tmp_path: Path, role: str) -> None:
    document = run(tmp_path, "[[1, 0, 0], [2, 0, 0]]", 63, role)
    assert document["verdict"] == "not-equivalent"
    assert document["findings"][0]["address"]["index"] == [63]


def test_a_fault_elsewhere_is_not_covered_and_all_ctas_find_it(tmp_path: Path) -> None:
    assert run(tmp_path, "[[0, 0, 0]]", 63)["verdict"] == "equivalent"
    for skip, compared in ((frozenset[str](), 0), (frozenset({"dynamic"}), 96)):  # a run that shows it, and a proof
        document = run(tmp_path, '"all"', 63, options=Options(skip=skip))
        assert (document["verdict"], document["coverage"]["outputs"]) == ("not-equivalent", compared)
        assert document["findings"][0]["address"]["index"] == [63]


def test_a_proof_of_chosen_ctas_is_not_found_for_all_of_them(tmp_path: Path) -> None:
    """One CTA is all that the grid has: both contracts have the same expressions, and only one of them compares what the
    kernel leaves as it was."""
    half = TOML.replace("grid = [3]", "grid = [1]")
    (tmp_path / "k.ptx").write_text(PTX.replace("FAULT", "1000"))
    (tmp_path / "spec.py").write_text("def double(x, y):\n    return {'y': 2 * x}\n")
    without = Options(skip=frozenset({"dynamic"}))
    verdicts = []
    for ctas in ("[[0, 0, 0]]", '"all"', "[[0, 0, 0]]"):
        (tmp_path / "volta.toml").write_text(half.replace("ROLE", "inout").replace("CTAS", ctas))
        verdicts.append(verify(tmp_path / "volta.toml", Store(tmp_path / "store"), without).document["verdict"])
    assert verdicts == ["equivalent", "not-equivalent", "equivalent"]

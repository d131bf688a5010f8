"""The layer on kernels whose faults are known: what it finds, what it says, and what it leaves to others."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.layers import skipped
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py, .param .u32 pn) {
  .reg .pred %p; .reg .f32 %f, %g, %h; .reg .b32 %t, %n, %i; .reg .b64 %x, %y, %o;
  ld.param.u64 %x, [px]; ld.param.u64 %y, [py]; ld.param.u32 %n, [pn];
  mov.u32 %t, %tid.x; mov.u32 %i, %ctaid.x; mad.lo.u32 %i, %i, 32, %t;
  setp.ge.u32 %p, %i, %n; @%p bra $end;
  mul.wide.u32 %o, %i, 4; add.s64 %x, %x, %o; add.s64 %y, %y, %o;
  ld.global.f32 %f, [%x];
  BODY
  st.global.f32 [%y], %g;
$end:
  ret;
}
"""
TOML = """[dims]
n = 70
[tensors.x]
dtype = "f32"
shape = ["n"]
role = "in"
RANGE
[tensors.y]
dtype = "f32"
shape = ["n"]
role = "out"
TOLERANCE
[reference]
spec = "spec.py:f"
[numerics]
nonfinite = "MODE"
[candidate]
source = "k.ptx"
entry = "k"
grid = ["GRID"]
block = [32]
args = ["x", "y", "n"]
"""
SQUARE = "mul.f32 %g, %f, %f;"


def run(folder: Path, body: str, spec: str, options: Options | None = None, **given: str) -> dict[str, Any]:
    """The verdict on y = body(x) against a NumPy expression of x; only the dynamic layer unless told otherwise."""
    words = {"RANGE": "", "TOLERANCE": "", "MODE": "ignore", "GRID": "(n+31)//32"} | given
    text = TOML
    for word, value in words.items():
        text = text.replace(word, value)
    (folder / "k.ptx").write_text(PTX.replace("BODY", body))
    (folder / "spec.py").write_text(f"import numpy as np\n\n\ndef f(x):\n    return {{'y': {spec}}}\n")
    (folder / "volta.toml").write_text(text)
    with Store(folder / "store") as store:
        return verify(folder / "volta.toml", store, options or Options(skip=skipped("dynamic", ()), only="dynamic")).document


def result(document: dict[str, Any], layer: str = "dynamic") -> str:
    return str(next(row["result"] for row in document["layers"] if row["name"] == layer))


def test_what_is_right_passes(tmp_path: Path) -> None:
    document = run(tmp_path, SQUARE, "x * x")
    assert document["verdict"] is None and document["stopped_after"] == "dynamic" and not document["findings"]
    assert [row["result"] for row in document["layers"]] == ["passed", "passed", "skipped", "skipped"]
    assert "12 runs, 840 numbers" in document["layers"][1]["detail"]


def test_what_is_wrong_shows_its_inputs(tmp_path: Path) -> None:
    """x² for |x|³: with x = 1 both are 1, so that the one input that matters stays another number."""
    document = run(tmp_path, SQUARE, "np.abs(x) ** 3")
    (finding,) = document["findings"]
    assert document["verdict"] == "not-equivalent" and finding["kind"] == "mismatch"
    found = finding["counterexample"]
    ((name, value),) = found["inputs"].items()
    numerator, _, denominator = value.partition("/")
    x = abs(int(numerator) / int(denominator or 1))
    assert name.replace("x", "y") == found["element"] and found["complete"] and x not in (0, 1)
    assert float(found["reference"]) == pytest.approx(x**3, rel=1e-6)
    assert float(found["candidate"]) == pytest.approx(x**2, rel=1e-6)


def test_a_tail_that_is_skipped_is_never_written(tmp_path: Path) -> None:
    document = run(tmp_path, SQUARE, "x * x", GRID="n//32")
    (finding,) = document["findings"]
    assert finding["count"] == 6 and finding["counterexample"]["candidate"] == "never written"
    assert finding["address"]["index"] == [64] and "never written" in finding["message"]
    whole = run(tmp_path, SQUARE, "x * x", Options(), GRID="n//32")
    assert whole["verdict"] == "unsafe"  # `safety` says why
    assert {f["kind"] for f in whole["findings"]} == {"unwritten-output", "mismatch"}
    assert [row["result"] for row in whole["layers"]] == ["passed", "failed", "failed", "not run"]


def test_a_failure_ends_the_run_before_the_proof(tmp_path: Path) -> None:
    document = run(tmp_path, SQUARE, "x + x", Options())
    assert document["verdict"] == "not-equivalent"
    assert [row["result"] for row in document["layers"]] == ["passed", "failed", "passed", "not run"]
    assert {stage["name"] for stage in document["stages"]} == {"lower", "unroll", "dynamic", "check"}
    proof = run(tmp_path, SQUARE, "x + x", Options(skip=frozenset({"dynamic"})))
    assert proof["verdict"] == "not-equivalent" and proof["findings"][0]["counterexample"]["formulas"]
    assert [row["result"] for row in proof["layers"]] == ["passed", "skipped", "passed", "failed"]


def test_only_what_is_safe_can_be_equivalent(tmp_path: Path) -> None:
    assert run(tmp_path, SQUARE, "x * x", Options())["verdict"] == "equivalent"
    document = run(tmp_path, SQUARE, "x * x", Options(skip=frozenset({"safety"})))
    assert document["verdict"] == "unknown" and "--skip safety" in document["reasons"][0]["message"]
    wrong = run(tmp_path, SQUARE, "x + x", Options(skip=frozenset({"safety", "dynamic"})))
    assert wrong["verdict"] == "not-equivalent"


# max.f32 gives the number where one operand is a NaN (PTX ISA 9.7.3.12), np.maximum gives the NaN.
RELU, RELU_NAN = "max.f32 %g, %f, 0f00000000;", "max.NaN.f32 %g, %f, 0f00000000;"


@pytest.mark.parametrize(
    ("body", "mode", "expected"),
    [(RELU, "ignore", "passed"), (RELU, "ieee", "failed"), (RELU_NAN, "ieee", "passed")],
)
def test_nan_comes_out_where_the_contract_asks(tmp_path: Path, body: str, mode: str, expected: str) -> None:
    document = run(tmp_path, body, "np.maximum(x, 0)", MODE=mode)
    assert result(document) == expected
    if expected == "failed":
        found = document["findings"][0]["counterexample"]
        assert found["reference"] == "nan" and found["candidate"] == "0" and list(found["inputs"].values()) == ["nan"]


@pytest.mark.parametrize(
    ("body", "mode", "skip", "said"),
    [
        (RELU_NAN, "ieee", frozenset[str](), False),
        (RELU, "ieee", frozenset({"dynamic"}), True),
        (RELU, "ignore", frozenset({"dynamic"}), False),
    ],
)
def test_nan_that_nobody_tested_is_an_assumption(
    tmp_path: Path, body: str, mode: str, skip: frozenset[str], said: bool
) -> None:
    """A proof is about real numbers: of RELU, which has them wrong, the verdict must not seem to say that they are right."""
    document = run(tmp_path, body, "np.maximum(x, 0)", Options(skip=skip), MODE=mode)
    assert document["verdict"] == "equivalent"
    assert any("infinities and NaNs come out" in text for text in document["assumptions"]) == said


# 2^(x log2 e) over itself + 1: the sigmoid of naive code, which overflows from x = 89 on.
NAIVE = "mul.f32 %h, %f, 0f3FB8AA3B; ex2.approx.f32 %h, %h; add.f32 %g, %h, 0f3F800000; div.rn.f32 %g, %h, %g;"


@pytest.mark.parametrize(("spread", "expected"), [("", "failed"), ("range = [-80.0, 80.0]", "passed")])
def test_an_overflow_shows_unless_the_range_leaves_it_out(tmp_path: Path, spread: str, expected: str) -> None:
    """Over the reals the two are equal. In floating point inf/inf is a NaN."""
    document = run(tmp_path, NAIVE, "1 / (1 + np.exp(-x))", RANGE=spread)
    assert result(document) == expected
    if expected == "failed":
        found = document["findings"][0]["counterexample"]
        (value,) = found["inputs"].values()
        assert found["candidate"] == "nan" and float(Fraction(value)) > 88.7 and "large" in found["computed"]


def test_tolerances_of_the_contract(tmp_path: Path) -> None:
    """1.001 x² for x²."""
    body = SQUARE + " mul.f32 %g, %g, 0f3F8020C5;"
    assert result(run(tmp_path, body, "x * x")) == "failed"
    assert result(run(tmp_path, body, "x * x", TOLERANCE="rtol = 0.002")) == "passed"
    assert result(run(tmp_path, body, "x * x", TOLERANCE="rtol = 0.0005")) == "failed"
    assert result(run(tmp_path, body, "x * x", TOLERANCE="atol = 0.001")) == "failed"


def test_what_the_executor_has_no_meaning_for_is_no_failure(tmp_path: Path) -> None:
    """A branch on an input: nothing is run, and `safety` says why."""
    body = "mov.f32 %g, %f; setp.gt.f32 %p, %f, 0f00000000; @%p bra $end;"
    document = run(tmp_path, body, "x * x", Options())
    assert document["verdict"] == "unsupported"
    rows = {row["name"]: row for row in document["layers"]}
    assert rows["dynamic"]["result"] == "not run" and rows["safety"]["result"] == "stopped"
    assert "branch" in rows["dynamic"]["detail"]

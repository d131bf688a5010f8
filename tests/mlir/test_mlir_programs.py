"""volta-opt through all stages: the verdict is that of `volta-pipe run`, and none is given without what it needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mlir_tools import ROOT, volta_opt

ALL = "scta-check,scta-to-vc,vc-canon"


def example(name: str) -> Path:
    return ROOT / "examples" / name / "volta.toml"


def verdict(out: str) -> str:
    """What the module around both says."""
    found = re.search(r'volta\.verdict = "([\w-]+)"', out.splitlines()[0])
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("name", "dims", "wanted"),
    [
        ("axpy", "n=257", "equivalent"),
        ("softmax", "", "equivalent"),
        ("reduce-tree", "", "equivalent"),
        ("broken-index", "", "not-equivalent"),
    ],
)
def test_the_stages_as_passes(capsys: pytest.CaptureFixture[str], name: str, dims: str, wanted: str) -> None:
    for first in ("", "ptx-simplify,"):
        code, out, err = volta_opt(capsys, example(name), "-p", f'{first}ptx-to-scta{{dims="{dims}"}},{ALL}')
        assert code == 0, err
        assert verdict(out) == wanted
        assert out.count('volta.safety = "safe"') == 2
        assert '"floats are real numbers"' in out.splitlines()[0]


def test_a_race_is_an_attribute_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = volta_opt(capsys, example("broken-race"), "-p", "ptx-to-scta,scta-check")
    assert code == 0, err
    reference, candidate = (line for line in out.splitlines() if "builtin.module @" in line)
    assert 'volta.safety = "safe"' in reference and "findings" not in reference
    assert 'volta.safety = "unsafe"' in candidate
    assert 'volta.findings = ["race: write by thread' in candidate and "E4part+4 with nothing to order them" in candidate


def test_equal_expressions_of_an_unsafe_kernel_prove_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The tree without its barrier computes the same sums on the schedule that was run."""
    unchecked = "the expressions are equal, but the reference and the candidate were not checked"
    for passes, said, why in (
        ("scta-check,scta-to-vc,vc-canon", "unsafe", '"the candidate is unsafe: race"'),
        ("scta-to-vc,vc-canon", "unknown", unchecked),
    ):
        code, out, err = volta_opt(capsys, example("broken-race"), "-p", f"ptx-to-scta,{passes}")
        assert code == 0, err
        assert verdict(out) == said
        assert why in out.splitlines()[0]


def test_what_a_module_says_of_its_safety_counts_only_as_check_says_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = volta_opt(capsys, example("axpy"), "-p", 'ptx-to-scta{dims="n=100"},scta-check,scta-to-vc')
    assert code == 0, err
    for said, wanted in (("safe", "equivalent"), ("unsafe", "unsafe"), ("perhaps", "unknown")):
        file = tmp_path / f"{said}.mlir"
        file.write_text(out.replace('volta.safety = "safe"', f'volta.safety = "{said}"', 1))
        code, found, err = volta_opt(capsys, file, "-p", "vc-canon")
        assert code == 0, err
        assert verdict(found) == wanted


def test_a_file_of_both_kernels_and_a_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """Which kernel is which side is told by its entry."""
    source = ROOT / "examples" / "axpy" / "axpy.ptx"
    code, out, err = volta_opt(capsys, source, "-p", f'ptx-to-scta{{contract="{example("axpy")}" dims="n=100"}},{ALL}')
    assert code == 0, err
    assert verdict(out) == "equivalent"
    heads = [line for line in out.splitlines() if "builtin.module @" in line]
    assert "@axpy " in heads[0] and 'volta.side = "reference"' in heads[0]
    assert "@axpy_grid_stride " in heads[1] and 'volta.side = "candidate"' in heads[1]


@pytest.mark.parametrize(
    ("passes", "message"),
    [
        ("ptx-to-scta", "ptx-to-scta needs a contract"),
        ('ptx-to-scta{contract="/nowhere.toml"}', "/nowhere.toml"),
        ('ptx-to-scta{contract="AXPY" side="left"}', "side is reference or candidate, not 'left'"),
        ('ptx-to-scta{contract="AXPY" dims="n=3"}', "no combination of dims of the contract has n=3"),
        ('ptx-to-scta{contract="AXPY" dims="n"}', "'n' is no dim (such as n=100)"),
        ('ptx-to-scta{contract="SOFTMAX"}', "the contract launches none of the module's kernels (axpy, axpy_grid_stride)"),
        ("scta-check", "the module holds no scta.program"),
        ("scta-to-vc", "the module holds no scta.program"),
        ("vc-canon", "the module holds no vc.conditions"),
        ("vc-canon{constants=some}", "constants is named or exact, not 'some'"),
        ('ptx-to-scta{contract="AXPY" side="candidate"},scta-to-vc,vc-canon', "vc-canon compares two modules of expressions"),
    ],
)
def test_what_a_pass_needs(capsys: pytest.CaptureFixture[str], passes: str, message: str) -> None:
    passes = passes.replace("AXPY", str(example("axpy"))).replace("SOFTMAX", str(example("softmax")))
    code, out, err = volta_opt(capsys, ROOT / "examples" / "axpy" / "axpy.ptx", "-p", passes)
    assert code == 2 and not out
    assert message in err and err.count("\n") == 1


def test_arguments_must_fit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of another file with a kernel of the same name, whose parameters are others."""
    text = (ROOT / "examples" / "axpy" / "axpy.ptx").read_text()
    path = tmp_path / "k.ptx"
    path.write_text(re.sub(r"(\.param \.f32 axpy_param_2),\s*\.param \.u32 axpy_param_3", r"\1", text, count=1).replace(
        "ld.param.u32 	%r2, [axpy_param_3]", "mov.u32 %r2, 100"
    ))  # fmt: skip
    code, _, err = volta_opt(capsys, path, "-f", "ptx{entry=axpy}", "-p", f'ptx-to-scta{{contract="{example("axpy")}"}}')
    assert code == 2 and "takes 3 arguments, the contract gives 4" in err


def test_a_module_of_another_launch_is_not_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "both.mlir"
    texts = []
    for side, dims in (("reference", "n=100"), ("candidate", "n=256")):
        args = f'ptx-to-scta{{contract="{example("axpy")}" side="{side}" dims="{dims}"}},scta-check,scta-to-vc'
        entry = "axpy" if side == "reference" else "axpy_grid_stride"
        texts.append(volta_opt(capsys, ROOT / "examples" / "axpy" / "axpy.ptx", "-f", f"ptx{{entry={entry}}}", "-p", args)[1])
    path.write_text("builtin.module {\n" + "\n".join(texts) + "}\n")
    code, _, err = volta_opt(capsys, path, "-p", "vc-canon")
    assert code == 2 and "the two modules are launches of different contracts or dims" in err

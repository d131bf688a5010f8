"""IRDL definitions: the committed files are what the exporter writes, and the real mlir-opt loads them, accepts modules of all
three dialects, and rejects a bad operation of each kind."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from irdl_samples import Sample, ptx_samples, scta_samples, vc_samples
from mlir_tools import IRDL, ROOT, mlir_opt, needs_mlir_opt, volta_opt
from xdsl.context import Context

from volta_pipe.driver.mlir.definitions import irdl_text
from volta_pipe.driver.mlir.outputs import MLIROptTarget
from volta_pipe.driver.mlir.universe import DIALECTS
from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.lower import list_entries, lower, read_ptx

SAMPLES = {"ptx": ptx_samples, "scta": scta_samples, "vc": vc_samples}
# Operations that mlir-opt reads as those of func and cf (passes/exchange).
ELSEWHERE = {"ptx.kernel", "ptx.br", "ptx.cond_br", "ptx.ret"}
SPLIT = "\n// -----\n"


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_the_committed_file_is_what_is_exported(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Make them again with: for d in ptx scta vc; do volta-opt --irdl $d > docs/irdl/$d.irdl.mlir; done"""
    assert (IRDL / f"{dialect}.irdl.mlir").read_text() == irdl_text(dialect)
    with pytest.raises(SystemExit):
        volta_opt(capsys, "--irdl", dialect)
    assert capsys.readouterr().out == irdl_text(dialect)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_operation_is_there_once(dialect: str) -> None:
    names = re.findall(r"irdl\.operation @(\w+) ", irdl_text(dialect))
    wanted = {op.name for op in DIALECTS[dialect]().operations} - ELSEWHERE
    assert sorted(f"{dialect}.{name}" for name in names) == sorted(wanted)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_the_samples_are_of_every_kind(dialect: str) -> None:
    """So that no operation is left out of the test below."""
    wanted = {op.name for op in DIALECTS[dialect]().operations} - ELSEWHERE
    assert {sample.name for sample in SAMPLES[dialect]()} == wanted


@needs_mlir_opt
@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_mlir_opt_accepts_good_operations_and_rejects_bad_ones(dialect: str, tmp_path: Path) -> None:
    samples = SAMPLES[dialect]()
    definitions = f"--irdl-file={IRDL / f'{dialect}.irdl.mlir'}"
    good = tmp_path / "good.mlir"
    good.write_text(SPLIT.join(sample.good for sample in samples))
    done = mlir_opt(definitions, "--split-input-file", good)
    assert done.returncode == 0, done.stderr[:3000]
    bad = tmp_path / "bad.mlir"
    bad.write_text(SPLIT.join(sample.bad for sample in samples))
    done = mlir_opt(definitions, "--split-input-file", bad)
    lines = [int(line) for line in re.findall(rf"^{re.escape(str(bad))}:(\d+):\d+: error", done.stderr, re.MULTILINE)]
    assert _accepted(samples, lines) == []


def _accepted(samples: list[Sample], lines: list[int]) -> list[str]:
    """The samples in whose text no error was reported."""
    accepted: list[str] = []
    first = 1
    for sample in samples:
        last = first + sample.bad.count("\n")
        if not any(first <= line <= last for line in lines):
            accepted.append(f"{sample.name}: {sample.bad}")
        first = last + SPLIT.count("\n")
    return accepted


@needs_mlir_opt
def test_mlir_opt_verifies_kernels_and_gives_them_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[str] = []
    for path in sorted((ROOT / "tests" / "kernels").rglob("*.ptx")) + sorted((ROOT / "examples").rglob("*.ptx")):
        source = read_ptx(path)
        for entry, _ in list_entries(source, path.name):
            try:
                module = lower(source, path.name, entry).module
            except UnsupportedError:
                continue
            stream = StringIO()
            MLIROptTarget().emit(Context(), module, stream)
            texts.append(stream.getvalue())
    path = tmp_path / "all.mlir"
    path.write_text(SPLIT.join(texts))
    done = mlir_opt(f"--irdl-file={IRDL / 'ptx.irdl.mlir'}", "--split-input-file", path)
    assert done.returncode == 0, done.stderr[:3000]
    back = tmp_path / "back.mlir"
    back.write_text(done.stdout)
    code, out, err = volta_opt(capsys, "-f", "mlir-opt", "--split-input-file", back, "-t", "mlir-opt")
    assert code == 0, err
    assert out.count("func.func") == len(texts) > 100
    path.write_text(out)
    assert mlir_opt(f"--irdl-file={IRDL / 'ptx.irdl.mlir'}", "--split-input-file", path).stdout == done.stdout


@needs_mlir_opt
@pytest.mark.parametrize(("dialect", "passes"), [("scta", "ptx-to-scta"), ("vc", "ptx-to-scta,scta-check,scta-to-vc")])
def test_mlir_opt_verifies_programs_and_expressions(
    dialect: str, passes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through mlir-opt and back, and the passes go on from there."""
    for name, verdict in (("axpy", "equivalent"), ("softmax", "equivalent"), ("broken-index", "not-equivalent")):
        path = tmp_path / f"{name}.mlir"
        contract = ROOT / "examples" / name / "volta.toml"
        code, out, err = volta_opt(capsys, contract, "-p", passes, "-t", "mlir-opt")
        assert code == 0, err
        path.write_text(out)
        done = mlir_opt(f"--irdl-file={IRDL / f'{dialect}.irdl.mlir'}", path)
        assert done.returncode == 0, done.stderr[:3000]
        path.write_text(done.stdout)
        rest = "vc-canon" if dialect == "vc" else "scta-check,scta-to-vc,vc-canon"
        code, out, err = volta_opt(capsys, "-f", "mlir-opt", path, "-p", rest)
        assert code == 0, err
        assert f'volta.verdict = "{verdict}"' in out.splitlines()[0]

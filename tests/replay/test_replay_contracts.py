"""`volta-pipe replay` on kernels with atomics, copies and matrix instructions: they agree with their NumPy functions, and those
with a mistake do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from volta_pipe.driver.cli import main

TESTS = Path(__file__).resolve().parents[1]
KERNELS = sorted(path for name in ("async", "atomics", "tensor") for path in (TESTS / "kernels" / name).glob("*.toml"))
# Of each kind one that compilers made: sums of floats and integers, copies, products of each type, quantities of few bits.
CORPUS = [
    "atomics/add_double_half", "atomics/histogram_known", "atomics/scatter_add", "attention/flash_mma", "gemm/cp_async_f16",
    "gemm/mma_f64", "gemm/mma_tf32", "gemm/split_k", "gemm/wmma_f16_shared", "gemm/wmma_s8", "quant/gemm_mma_u8_s8",
    "quant/mma_fp8", "reduce/barrier_votes", "reduce/sum_atomic_shared",
]  # fmt: skip
# What the first line of a contract expects, and the exit code of `replay`, which finds no more than `check` and the difference.
CODES = {"equivalent": 0, "not-equivalent": 1, "unsafe": 1, "unsupported": 3}


@pytest.mark.parametrize("contract", KERNELS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_kernels(contract: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = contract.read_text().splitlines()[0].removeprefix("# expect:").split()[0]
    code, out = _replay(contract, tmp_path, capsys)
    assert code == CODES[verdict], out
    assert ("largest difference" in out) == (verdict.endswith("equivalent")), out


@pytest.mark.parametrize("name", CORPUS)
def test_corpus(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = _replay(TESTS / "corpus" / f"{name}.toml", tmp_path, capsys)
    assert code == 0, out
    assert out.count("largest difference") >= 2


def _replay(contract: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as done:
        main(["replay", str(contract), "--store", str(store)])
    code = done.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out

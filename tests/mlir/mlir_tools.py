"""Running volta-opt and the real mlir-opt."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from volta_pipe.driver.mlir.opt import run

ROOT = Path(__file__).resolve().parents[2]
IRDL = ROOT / "docs" / "irdl"
MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("/usr/lib/llvm-22/bin/mlir-opt")
needs_mlir_opt = pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt of LLVM 22 is not installed (Debian: mlir-22-tools)")


def volta_opt(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, str, str]:
    """(exit code, output, errors)."""
    capsys.readouterr()
    code = run([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def mlir_opt(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the real tool."""
    assert MLIR_OPT is not None
    return subprocess.run([MLIR_OPT, *map(str, args)], capture_output=True, text=True, check=False)

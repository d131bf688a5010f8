"""How PTX is made: one function a compiler. Each takes a source and gives PTX text with no path of this machine in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FILE_DIRECTIVE = re.compile(r'^(\s*\.file\s+\d+\s+)"([^"]*)"', re.MULTILINE)
ARCHITECTURES = {"sm80": "80", "sm90a": "90a"}


class MissingToolError(Exception):
    """The compiler is not installed; the message says which and how to get it."""


@dataclass(frozen=True)
class Made:
    """PTX text, what made it (with version), its options, and a note on the launch ("" where the contract says it all)."""

    ptx: str
    tool: str
    options: str
    launch: str = ""

    def text(self, source: str) -> str:
        """The shipped file: a header of `//` lines, then the PTX."""
        lines = [f"// tool: {self.tool}", f"// options: {self.options}", f"// source: {source}"]
        lines.append(f"// launch: {self.launch}" if self.launch else f"// launch: see {Path(source).stem}.toml")
        return "\n".join(lines) + "\n" + base_names(self.ptx).strip("\0\n") + "\n"


def base_names(ptx: str) -> str:
    """The PTX text with every `.file` path cut down to its last component."""
    return FILE_DIRECTIVE.sub(lambda m: m[1] + '"' + re.split(r"[/\\]", m[2])[-1] + '"', ptx)


def make(source: Path, maker: str) -> Made:
    """Compiles `source` the way that `maker` names: TOOL-ARCHITECTURE[-fast]. Errors: MissingToolError, RuntimeError."""
    tool, architecture, *rest = maker.split("-")
    number, fast = ARCHITECTURES[architecture], rest == ["fast"]
    if tool == "nvcc":
        return _nvcc(source, number, fast)
    if tool == "nvrtc":
        from nvrtc import compile_nvrtc

        return compile_nvrtc(source, number, fast)
    return _in_process_of_its_own(source, maker)


def _in_process_of_its_own(source: Path, maker: str) -> Made:
    """Triton, TileLang and numba run the source's Python: each in a fresh interpreter, so that nothing carries over."""
    script = Path(__file__).with_name("python_makers.py")
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, str(script), source.name, maker, cache]
        done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        raise MissingToolError(done.stderr.strip().splitlines()[-1])
    if done.returncode:
        raise RuntimeError(done.stderr)
    tool, options, launch, ptx = done.stdout.split("\n", 3)
    return Made(ptx, tool, options, launch)


@lru_cache
def _nvcc_version() -> str:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise MissingToolError("nvcc is not installed (CUDA toolkit 13.0, its bin folder on PATH)")
    found = re.search(r"V([\d.]+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout)
    return found[1] if found else "of unknown version"


def _nvcc(source: Path, number: str, fast: bool) -> Made:
    version = _nvcc_version()
    options = ["-ptx", f"-arch=sm_{number}", "-lineinfo", *(["--use_fast_math"] if fast else [])]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ptx"
        command = ["nvcc", *options, source.name, "-o", str(out)]
        done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr or done.stdout)
        sys.stderr.write(done.stderr)
        return Made(out.read_text(), f"nvcc {version}", " ".join(options))

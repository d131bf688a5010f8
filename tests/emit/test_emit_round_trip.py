"""PTX to a module to PTX to a module: the second module's text is the first's; and ptxas accepts what is written."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.emit import emit_ptx
from volta_pipe.passes.lower import list_entries, lower, print_module, read_ptx

ROOT = Path(__file__).resolve().parents[2]
# Longer files have the same forms again, and lowering them takes a second.
LONGEST = 24_000
_REASON = re.compile(r'ptx\.trap ".*"')


def files() -> list[Path]:
    """The PTX of the examples, of the tests' kernels, and of the corpus for one architecture."""
    found = [*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "kernels").rglob("*.ptx")]
    found += [*(ROOT / "tests" / "corpus").rglob("*sm80.ptx"), *(ROOT / "bench" / "paper").rglob("*.ptx")]
    return sorted(path for path in found if path.stat().st_size < LONGEST)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_the_module_comes_back(path: Path) -> None:
    text = read_ptx(path)
    for entry, _ in list_entries(text, path.name):
        try:
            before = print_module(lower(text, path.name, entry).module)
        except UnsupportedError:
            continue
        if "ptx.unmodelled" in before or "ptx.extern" in before:
            continue
        module = lower(text, path.name, entry).module
        again = print_module(lower(emit_ptx(module), "emitted.ptx", entry).module)
        # Of a trap only the instruction is text: why a thread traps is not.
        assert again == _REASON.sub("ptx.trap", before)
        assert print_module(module) == before


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed (CUDA toolkit)")
@pytest.mark.parametrize(
    "name",
    [
        "examples/attention/attention_online.ptx",
        "examples/matmul",
        "tests/kernels/features",
        "tests/kernels/tensor",
        "tests/kernels/async",
        "tests/kernels/atomics",
    ],
)
def test_ptxas_accepts_the_text(name: str, tmp_path: Path) -> None:
    """The order of modifiers, the lists of registers and the literals are those of the ISA."""
    path = ROOT / name
    for source in sorted(path.rglob("*.ptx")) if path.is_dir() else [path]:
        text = read_ptx(source)
        target = re.search(r"^\.target (sm_(\d+)\w?)", text, re.MULTILINE)
        assert target is not None
        if int(target[2]) < 80 or not _ptxas_takes(text, target[1], tmp_path):
            continue  # too old for this ptxas, or written by hand and no PTX that a compiler would take
        for entry, _ in list_entries(text, source.name):
            module = lower(text, source.name, entry).module
            if "ptx.unmodelled" in print_module(module):
                continue
            assert _ptxas_takes(emit_ptx(module), target[1], tmp_path), f"{source.name} {entry}"


def _ptxas_takes(text: str, arch: str, folder: Path) -> bool:
    path = folder / "k.ptx"
    path.write_text(text)
    command = ["ptxas", "-O0", f"-arch={arch}", str(path), "-o", str(folder / "k.cubin")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0

"""Every PTX file of the corpus through both texts, PTX and the dialect's MLIR, and past ptxas.

Parsing and printing is tried on all files. Reading MLIR takes xDSL ten times as long: the entry of each contract is read back
from the custom form for the kernel's first maker, and from the generic one where that text is short. `make coverage` does it
for all files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from volta_pipe.driver.contract import read_contract
from volta_pipe.passes.lower import lower, parse, print_module, print_ptx, read_ptx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from table import TABLE, Entry, entries  # noqa: E402
from texts import mlir_problem, ptx_problem  # noqa: E402

sys.path.remove(str(HERE))

ENTRIES = list(entries())
FIRST = [Entry(family, kernel, makers[0]) for family, kernels in TABLE.items() for kernel, makers in kernels.items()]
# One file of each family and maker: the kernel that comes first by name.
SAMPLE = list({(entry.family, entry.maker): entry for entry in reversed(ENTRIES)}.values())
FAMILIES = sorted(TABLE)
# Characters of the custom form up to which the generic one is read, too: some hundred of the 229 kernels.
SHORT = 4000


def of_family(chosen: list[Entry], family: str) -> list[Entry]:
    found = [entry for entry in chosen if entry.family == family]
    assert found
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_printed_ptx_parses_to_the_same_tree(family: str) -> None:
    assert not {e.ptx.name: found for e in of_family(ENTRIES, family) if (found := ptx_problem(read_ptx(e.ptx), e.ptx.name))}


@pytest.mark.parametrize("family", FAMILIES)
def test_modules_come_back_from_mlir(family: str) -> None:
    problems = {}
    for entry in of_family(FIRST, family):
        name = read_contract(entry.contract).candidate.entry
        module = lower(read_ptx(entry.ptx), entry.ptx.name, name).module
        text = print_module(module)
        assert f"@{name}" in text
        if problem := mlir_problem(module, generic=len(text) < SHORT):
            problems[entry.ptx.name] = problem
    assert not problems


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not on the PATH (CUDA toolkit 13.0)")
@pytest.mark.parametrize("entry", SAMPLE, ids=lambda entry: f"{entry.family}/{entry.maker}")
def test_ptxas_assembles_what_is_printed(entry: Entry, tmp_path: Path) -> None:
    printed = tmp_path / "printed.ptx"
    printed.write_text(print_ptx(parse(read_ptx(entry.ptx), entry.ptx.name)))
    architecture = "sm_90a" if "sm90a" in entry.maker else "sm_80"
    # -O0: the text is what is tried, not the code.
    command = ["ptxas", f"-arch={architecture}", "-O0", "-o", str(tmp_path / "out.cubin"), str(printed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    assert (tmp_path / "out.cubin").stat().st_size > 0

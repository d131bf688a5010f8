"""Every contract of the repository comes out as its first line says, on the real stages; a second run is all cached."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from volta_pipe.driver.expectations import expectation
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = sorted([*ROOT.glob("examples/*/*.toml"), *ROOT.glob("tests/kernels/*/*.toml")])
# The example runs through every stage and is small.
SMALL = ROOT / "examples" / "axpy" / "volta.toml"
FEW_STEPS = 2_000_000  # for the kernel that never ends; no other needs as many


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: str(path.relative_to(ROOT).with_suffix("")))
def test_the_verdict_is_the_expected_one(path: Path, folder: Path) -> None:
    wanted = expectation(path)
    options = Options(max_steps=FEW_STEPS) if wanted.kind == "budget" else Options()
    with Store(folder) as store:
        first = verify(path, store, options)
        assert wanted.met_by(first), json.dumps({k: v for k, v in first.document.items() if k != "stages"}, indent=1)
        second = verify(path, store, options)
    stages = [document.pop("stages") for document in (first.document, second.document)]
    assert json.dumps(first.document) == json.dumps(second.document)
    if wanted.kind != "budget":
        assert all(stage["cached"] for stage in stages[1]), stages[1]
    if path.parent.parent.name == "examples":
        assert first.document["coverage"]["outputs"] == _outputs_in_the_readme(path)


def _outputs_in_the_readme(path: Path) -> int:
    """How many outputs the README's listing of `make verify` shows for an example; 0 where it shows none."""
    line = re.search(rf"^ok    {path.relative_to(ROOT)}: (.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert line, f"the README does not list {path}"
    count = re.search(r", ([\d,]+) outputs", line[1])
    return int(count[1].replace(",", "")) if count else 0


def test_a_cached_run_imports_nothing_heavy(folder: Path) -> None:
    with Store(folder) as store:
        verify(SMALL, store)
    code = """
import sys
from volta_pipe.driver import cli
try:
    cli.main(sys.argv[1:])
except SystemExit as error:
    heavy = "numba xdsl flint joblib numpy rich volta_pipe.ir.instructions volta_pipe.ir.ptx.flat".split()
    heavy = [m for m in heavy if m in sys.modules]
    print("heavy:", heavy, "code:", error.code, file=sys.stderr)
"""
    arguments = ["run", str(SMALL), "--store", str(folder), "--json", "--quiet"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    assert document["verdict"] == "equivalent" and all(stage["cached"] for stage in document["stages"])
    assert done.stderr.strip() == "heavy: [] code: 0"


def test_a_spec_beyond_what_a_proof_can_follow_is_unsupported_with_its_line(folder: Path, tmp_path: Path) -> None:
    contract = (ROOT / "examples" / "axpy-spec" / "volta.toml").read_text()
    kernel = (ROOT / "examples" / "axpy" / "axpy.ptx").as_posix()
    (tmp_path / "volta.toml").write_text(contract.replace("../axpy/axpy.ptx", kernel).replace("[1, 128, 300]", "[1]"))
    (tmp_path / "spec.py").write_text("import numpy as np\ndef axpy(x, y, a):\n    return {'y': np.sort(a * x + y)}\n")
    with Store(folder) as store:
        found = verify(tmp_path / "volta.toml", store).document
    assert found["verdict"] == "unsupported"
    (finding,) = found["findings"]
    assert finding["side"] == "reference" and finding["ptx_line"] is None
    assert finding["source"] == {"file": "spec.py", "line": 3}
    assert "np.sort" in finding["message"]

"""A slip in the NumPy reference is found before any stage runs; what a proof cannot follow is named by the spec's own line."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Cli, Commands

ROOT = Path(__file__).resolve().parents[2]
GOOD = "def f(x, a):\n    return {'y': a * x}\n"


@pytest.fixture
def spec(command: Cli) -> Path:
    """The project's contract with a spec as its reference; the spec's file."""
    text = command.project.contract.read_text()
    start, end = text.index("[reference]"), text.index("[candidate]")
    command.project.contract.write_text(f'{text[:start]}[reference]\nspec = "spec.py:f"\n\n{text[end:]}')
    path = command.project.folder / "spec.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def g(x):\n    pass\n", "{toml}:{line}: reference.spec: spec.py defines no function f (it defines: g)"),
        ("def ff(x):\n    pass\n", "{toml}:{line}: reference.spec: spec.py defines no function f, did you mean 'ff'?"),
        (
            "\n\ndef f(x, b):\n    pass\n",
            "{toml}:{line}: reference.spec: f (line 3 of spec.py) wants b, which is no in or inout",
        ),
        ("def f(y):\n    pass\n", "wants y, which is no in or inout tensor or scalar of the contract (it is out)"),
        ("def f(x, /):\n    pass\n", "f (line 1 of spec.py) is called by keyword: its parameter x is positional only"),
        ("def f(*, z):\n    pass\n", "f (line 1 of spec.py) wants z"),
        ("def f(x:\n    pass\n", "spec.py:1:6: is not Python: '(' was never closed (the reference of {toml}:{line})"),
        ("import nosuchmodule\n" + GOOD, "spec.py:1: the spec raised ModuleNotFoundError: No module named 'nosuchmodule' (the"),
        (
            "x = 1 / 0\n" + GOOD,
            "spec.py:1: the spec raised ZeroDivisionError: division by zero (the reference of {toml}:{line})",
        ),
        ("f = 3\n", "f is not a Python function (the reference of {toml}:{line})"),
        ("f = lambda q: q\n", "{toml}:{line}: reference.spec: f (line 1 of spec.py) wants q"),
        ("if True:\n    def f(q): pass\n", "{toml}:{line}: reference.spec: f (line 2 of spec.py) wants q"),
    ],
)
def test_a_slip_is_found_before_any_stage(command: Cli, spec: Path, text: str, message: str) -> None:
    spec.write_text(text)
    line = command.project.line_of("spec = ")
    assert command.run() == 2
    assert message.format(toml=command.project.contract, line=line) in command.err, command.err
    assert command.out == "" and command.project.fakes.runs == []


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "def f(x, a, more=1, *rest, extra=2):\n    pass\n",
        "def f(**everything):\n    pass\n",
        "from functools import wraps\ndef d(g):\n    return lambda x: g\n@d\ndef f(q):\n    pass\n",
        "from helper import *\n",
        "from helper import f\n",
        "from helper import other as f\n",
        "try:\n    def f(x): pass\nexcept ImportError:\n    f = None\n",
    ],
)
def test_what_can_be_called_runs(command: Cli, spec: Path, text: str) -> None:
    (spec.parent / "helper.py").write_text(GOOD + "other = f\n")
    spec.write_text(text)
    assert command.run() == 0, command.err
    assert "trace" in command.project.fakes.runs


def test_a_missing_file_is_named_at_the_field(command: Cli, spec: Path) -> None:
    spec.unlink()
    assert command.run() == 2
    line = command.project.line_of("spec = ")
    assert f"volta.toml:{line}: reference.spec: {spec} does not exist" in command.err


def test_a_run_that_is_cached_does_not_execute_the_spec(command: Cli, spec: Path) -> None:
    spec.write_text(f"print('it runs')\n{GOOD}")
    assert command.run() == 0 and "it runs" in command.err
    assert command.run() == 0 and "it runs" not in command.err


def test_a_slip_is_found_whatever_is_cached(real: Commands, tmp_path: Path) -> None:
    contract = (ROOT / "examples" / "axpy-spec" / "volta.toml").read_text()
    kernel = (ROOT / "examples" / "axpy" / "axpy.ptx").as_posix()
    path = tmp_path / "volta.toml"
    path.write_text(contract.replace("../axpy/axpy.ptx", kernel).replace("[1, 128, 300]", "[1]"))
    good = (ROOT / "examples" / "axpy-spec" / "spec.py").read_text()
    for text, code in ((good, 0), (f"import nosuchmodule\n{good}", 2), (good, 0)):
        (tmp_path / "spec.py").write_text(text)
        assert real("run", str(path), "--only", "safety") == code


def test_what_a_proof_cannot_follow_shows_the_line_of_the_spec(real: Commands, tmp_path: Path) -> None:
    contract = (ROOT / "examples" / "axpy-spec" / "volta.toml").read_text()
    kernel = (ROOT / "examples" / "axpy" / "axpy.ptx").as_posix()
    (tmp_path / "volta.toml").write_text(contract.replace("../axpy/axpy.ptx", kernel).replace("[1, 128, 300]", "[1]"))
    (tmp_path / "spec.py").write_text(
        "import numpy as np\ndef axpy(x, y, a):\n    z = a * x + y\n    return {'y': np.sort(z)}\n"
    )
    assert real("run", str(tmp_path / "volta.toml")) == 3
    lines = real.out.splitlines()
    place = lines.index("    at spec.py:4")
    assert "np.sort" in lines[place - 1] and lines[place + 1] == "          4 |     return {'y': np.sort(z)}"

"""A verdict follows all that its spec was made of, also what no import statement names: in one store, one after the other."""

from __future__ import annotations

import compileall
import importlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from driver_kernels import contract, ptx, tensor

from volta_pipe.driver import spec_reads
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.spec_reads import Unkeyed, watched
from volta_pipe.driver.store import Store

SPECS = {
    "a table": "import numpy as np, os\ndef spec(x):\n"
    "    return {'y': x * np.load(os.path.join(os.path.dirname(__file__), 'c.npy'))[()]}\n",
    "a table of the module": "import numpy as np, os\nC = np.load(os.path.join(os.path.dirname(__file__), 'c.npy'))[()]\n"
    "def spec(x):\n    return {'y': x * C}\n",
    "a text": "import os\nC = float(open(os.path.join(os.path.dirname(__file__), 'c.txt')).read())\n"
    "def spec(x):\n    return {'y': x * C}\n",
    "a computed import": "import importlib\ndef spec(x):\n    return {'y': x * importlib.import_module('const' + 'ant').C}\n",
    "the second of a statement": "import numpy as np, constant\ndef spec(x):\n    return {'y': x * constant.C}\n",
}
DOUBLE = ptx("x y", "  ld.global.f32 %f1, [%x];\n  add.f32 %f2, %f1, %f1;\n  st.global.f32 [%y], %f2;\n")
TENSORS = [tensor("x"), tensor("y", "out")]


def _constant(folder: Path, value: float) -> None:
    np.save(folder / "c.npy", np.float32(value))
    (folder / "c.txt").write_text(str(value))
    (folder / "constant.py").write_text(f"C = {value}\n")


def _run(path: Path, *skip: str) -> Session:
    with Store(path.parent / "store") as store:
        return verify(path, store, Options(skip=frozenset(skip)))


@pytest.mark.parametrize("layer", ["dynamic", "proof"])
@pytest.mark.parametrize("spec", SPECS)
def test_a_verdict_follows_what_its_spec_reads(tmp_path: Path, spec: str, layer: str) -> None:
    path = contract(tmp_path, DOUBLE, "x: None", TENSORS, args="x y")
    (tmp_path / "spec.py").write_text(SPECS[spec])
    skip = ("safety", "proof") if layer == "dynamic" else ("dynamic",)
    right = None if layer == "dynamic" else "equivalent"
    for value, verdict in ((2.0, right), (3.0, "not-equivalent"), (2.0, right)):
        _constant(tmp_path, value)
        assert _run(path, *skip).document["verdict"] == verdict


IMPORTS = {
    "statement": "from {name} import C\ndef spec(x):\n    return {{'y': x * C}}\n",
    "in the function": "def spec(x):\n    import {name}\n    return {{'y': x * {name}.C}}\n",
    "within a package": "import {name}.deep.more\ndef spec(x):\n    return {{'y': x * {name}.deep.more.C}}\n",
    "one of a package": "from {name}.deep import more\ndef spec(x):\n    return {{'y': x * more.C}}\n",
    "computed": "import importlib\nC = importlib.import_module('{name}').C\ndef spec(x):\n    return {{'y': x * C}}\n",
}


# What the process has imported itself before is told by import statements alone.
@pytest.mark.parametrize(("how", "before"), [*((how, False) for how in IMPORTS), *((how, True) for how in [*IMPORTS][:-1])])
def test_a_verdict_follows_modules_that_lie_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, before: bool
) -> None:
    """On sys.path, not beside the spec and not installed. Their compiled copies count for nothing."""
    name = f"elsewhere_{'before' if before else 'new'}_{list(IMPORTS).index(how)}"
    package = tmp_path / "lib" / name
    (package / "deep").mkdir(parents=True)
    (tmp_path / "files").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "lib")
    path = contract(tmp_path / "files", DOUBLE, "x: None", TENSORS, args="x y")
    (tmp_path / "files" / "spec.py").write_text(IMPORTS[how].format(name=name))
    for value, verdict in ((2.0, "equivalent"), (3.0, "not-equivalent"), (2.0, "equivalent")):
        for file in (package / "__init__.py", package / "deep" / "__init__.py", package / "deep" / "more.py"):
            file.write_text(f"C = {value}\n")
        if before:
            for module in (name, f"{name}.deep.more"):
                importlib.import_module(module).C = value  # as if it was imported now
        compileall.compile_dir(package, quiet=1)
        assert _run(path, "dynamic").document["verdict"] == verdict
        assert (name in sys.modules) == before


def test_what_depends_on_the_sources_alone_is_kept(tmp_path: Path) -> None:
    path = contract(tmp_path, DOUBLE, "x: None", TENSORS, args="x y")
    (tmp_path / "spec.py").write_text("from constant import C\nimport json\ndef spec(x):\n    return {'y': x * C}\n")
    _constant(tmp_path, 2.0)
    first = _run(path).document
    again = _run(path).document
    assert first["verdict"] == "equivalent"
    assert not any(stage["cached"] for stage in first["stages"])
    assert all(stage["cached"] for stage in again["stages"])
    assert {**first, "stages": 0} == {**again, "stages": 0}


def _by_the_tool(call: str, path: Path) -> None:
    """As code of the tool does."""
    eval(compile(call, spec_reads.__file__, "eval"), {"path": path, "os": os})


def _nothing(folder: Path) -> Path:
    """A spec that reads nothing."""
    (folder / "spec").mkdir(exist_ok=True)
    (folder / "spec" / "spec.py").write_text("")
    return folder / "spec" / "spec.py"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("loops.py311.nbi.tmp.5f2c9a0e", False),  # as numba names what it compiles for the first time
        ("loops.py311.1.nbc.tmp.5f2c9a0e", False),
        ("m.cpython-311.pyc.140234567", False),
        ("m.pyc", False),
        ("table.npy", True),
        ("table.tmp.5f2c", True),
        ("table.nbi.npy", True),
    ],
)
def test_what_is_compiled_meanwhile_is_not_read(tmp_path: Path, name: str, counts: bool) -> None:
    unkeyed = Unkeyed()
    with watched(_nothing(tmp_path), unkeyed):
        _by_the_tool("path.write_bytes(b'')", tmp_path / name)
    assert unkeyed.files == [str(tmp_path.resolve() / name)] * counts


def test_entry_points_that_a_package_asks_for_are_no_input(tmp_path: Path) -> None:
    """numba does, when a spec is the first to import it; those of a checkout lie beside the sources."""
    folder = tmp_path / "tool.egg-info"
    folder.mkdir()
    names = ("entry_points.txt", "table.txt")
    unkeyed = Unkeyed()
    for name in names:
        (folder / name).write_text("[console_scripts]\n")
    with watched(_nothing(tmp_path), unkeyed):
        for name in names:
            _by_the_tool("path.read_text()", folder / name)
    assert unkeyed.files == [str((folder / "table.txt").resolve())]


def test_an_opened_folder_is_no_input_and_a_file_in_it_is(tmp_path: Path) -> None:
    """numba makes a nameless file in the folder of its cache, for which Python opens the folder."""
    inside = tmp_path / "inside"
    inside.write_text("1")
    for opened, counts in ((tmp_path, False), (inside, True)):
        unkeyed = Unkeyed()
        with watched(_nothing(tmp_path), unkeyed):
            _by_the_tool("os.close(os.open(path, os.O_RDONLY))", opened)
        assert unkeyed.files == [os.path.realpath(inside)] * counts

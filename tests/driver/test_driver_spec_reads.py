"""A verdict follows all that its spec was made of, also what no import statement names: in one store, one after the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from driver_kernels import contract, ptx, tensor

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.spec_reads import watched
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
    found: list[str] = []
    with watched(set(), found):
        (tmp_path / name).write_bytes(b"")
    assert found == [str(tmp_path.resolve() / name)] * counts


def test_entry_points_that_a_package_asks_for_are_no_input(tmp_path: Path) -> None:
    """numba does, when a spec is the first to import it; those of a checkout lie beside the sources."""
    folder = tmp_path / "tool.egg-info"
    folder.mkdir()
    names = ("entry_points.txt", "table.txt")
    found: list[str] = []
    for name in names:
        (folder / name).write_text("[console_scripts]\n")
    with watched(frozenset(), found):
        for name in names:
            (folder / name).read_text()
    assert found == [str((folder / "table.txt").resolve())]

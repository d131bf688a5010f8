"""A file that changes while it is verified: an error, and nothing that the store would give for the old contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from volta_pipe.driver.options import run_options
from volta_pipe.driver.pipeline import Watch
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = """[tensors.x]
dtype = "f32"
shape = [64]
role = "in"
values = "x.npy"
[tensors.y]
dtype = "f32"
shape = [64]
role = "inout"
[scalars.a]
dtype = "f32"
[reference]
spec = "spec.py:scaled"
[candidate]
source = "k.ptx"
entry = "axpy"
grid = [1]
block = [64]
args = ["x", "y", "a", 64]
"""
PTX = (ROOT / "examples/axpy/axpy.ptx").read_text()
SPEC = "from factor import FACTOR\n\n\ndef scaled(y, a):\n    return {'y': a * 3 * FACTOR + y}\n"


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def values(folder: Path, number: float) -> None:
    np.save(folder / "x.npy", np.full(64, number, np.float32))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("volta.toml", CONTRACT), ("k.ptx", PTX), ("spec.py", SPEC), ("factor.py", "FACTOR = 1\n")):
        write(tmp_path, name, text)
    values(tmp_path, 3)
    return tmp_path


class Editing(Watch):
    """Edits a file when a stage is about to be computed: its key is made by then."""

    def __init__(self, stage: str, edit: Callable[[], None]) -> None:
        self.stage, self.edit, self.done = stage, edit, False

    def start(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        if stage == self.stage and not self.done:
            self.done = True
            self.edit()


MUL = PTX.replace("fma.rn.f32 \t%f4, %f2, %f1, %f3;", "mul.rn.f32 \t%f4, %f2, %f1;", 1)
CASES: dict[str, tuple[str, str, Callable[[Path], None], Callable[[Path], None]]] = {
    "PTX": ("lower", "k.ptx", lambda f: write(f, "k.ptx", MUL), lambda f: write(f, "k.ptx", PTX)),
    "PTX, broken": ("lower", "k.ptx", lambda f: write(f, "k.ptx", PTX[:900]), lambda f: write(f, "k.ptx", PTX)),
    "spec": (
        "trace", "spec.py", lambda f: write(f, "spec.py", SPEC.replace("3", "4")), lambda f: write(f, "spec.py", SPEC),
    ),
    "module": (
        "trace", "spec.py", lambda f: write(f, "factor.py", "FACTOR = 2\n"), lambda f: write(f, "factor.py", "FACTOR = 1\n"),
    ),
    "spec of a run": (
        "dynamic", "spec.py", lambda f: write(f, "spec.py", SPEC.replace("3", "4")), lambda f: write(f, "spec.py", SPEC),
    ),
    "values": ("unroll", "x.npy", lambda f: values(f, 4), lambda f: values(f, 3)),
    "values, later": ("vc", "x.npy", lambda f: values(f, 4), lambda f: values(f, 3)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_edit_in_the_middle_is_an_error_and_leaves_nothing_behind(folder: Path, case: str) -> None:
    stage, name, edit, revert = CASES[case]
    options = run_options(skip=[] if stage == "dynamic" else ["dynamic"])

    def verdict(watch: Watch | None = None) -> str:
        with Store(folder / "store") as store:
            return str(verify(folder / "volta.toml", store, options, watch=watch).document["verdict"])

    watch = Editing(stage, lambda: edit(folder))
    with pytest.raises(InputError, match="changed while it was being verified") as error:
        verdict(watch)
    assert watch.done and Path(error.value.place.file).name == name
    revert(folder)
    assert verdict() == "equivalent"
    edit(folder)
    if "broken" not in case:
        assert verdict() == "not-equivalent"
        revert(folder)
        assert verdict() == "equivalent"

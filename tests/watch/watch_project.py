"""A folder with a contract whose verdict depends on each of its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = """name = "scaled"
[tensors.x]
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
compiled_from = "k.cu"
"""
SPEC = "from factor import FACTOR\n\n\ndef scaled(y, a):\n    return {'y': a * 3 * FACTOR + y}\n"
FACTOR = "FACTOR = 1\n"


class Folder:
    """The contract holds: y = a * x + y, where x is 3 everywhere."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self.contract = folder / "volta.toml"
        self.ptx_text = (ROOT / "examples/axpy/axpy.ptx").read_text()
        self.write("k.cu", "// made into k.ptx\n")
        self.write("k.ptx", self.ptx_text)
        self.write("spec.py", SPEC)
        self.write("factor.py", FACTOR)
        self.write("volta.toml", CONTRACT)
        self.values(3)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def values(self, number: float) -> None:
        np.save(self.path / "x.npy", np.full(64, number, np.float32))

    def values_at_once(self, number: float) -> None:
        """The same, of which no other thread sees a part: by another file that takes the place."""
        other = self.path / "other" / "x.npy"
        other.parent.mkdir(exist_ok=True)
        np.save(other, np.full(64, number, np.float32))
        other.replace(self.path / "x.npy")

"""A folder with a small contract and its PTX, a store, and fake stages (see driver_fakes)."""

from __future__ import annotations

from pathlib import Path

from driver_fakes import Fakes

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.store import Store

CONTRACT = """\
name = "copy"

[dims]
n = [4, 8]

[tensors.x]
dtype = "f32"
shape = ["n"]
role  = "in"

[tensors.y]
dtype = "f32"
shape = ["n"]
role  = "out"

[scalars.a]
dtype = "f32"

[reference]
source = "k.ptx"
entry  = "reference"
grid   = ["n"]
block  = [32]
args   = ["x", "y", "n"]

[candidate]
source = "k.ptx"
entry  = "copy"
grid   = ["(n+31)//32"]
block  = [32]
args   = ["x", "y", "n"]
"""
PTX = ".version 8.0\n// a kernel\n"


class Project:
    """The folder, with helpers to change its files and to run it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.contract = folder / "volta.toml"
        self.contract.write_text(CONTRACT)
        self.ptx(PTX)
        self.fakes = Fakes()
        self.warnings: list[str] = []

    def ptx(self, text: str) -> None:
        (self.folder / "k.ptx").write_text(text)

    def fact(self, line: str) -> None:
        self.ptx(PTX + f"// fake: {line}\n")

    def change(self, old: str, new: str) -> None:
        text = self.contract.read_text()
        assert old in text, old
        self.contract.write_text(text.replace(old, new))

    def line_of(self, text: str) -> int:
        return next(i for i, line in enumerate(self.contract.read_text().splitlines(), 1) if text in line)

    def run(self, options: Options | None = None, force: tuple[str, ...] = ()) -> Session:
        self.fakes.runs.clear()
        with Store(self.folder / "store", self.warnings.append) as store:
            return verify(self.contract, store, options, force=force, stages=self.fakes.table())

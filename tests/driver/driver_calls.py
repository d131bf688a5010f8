"""A contract with every kind of precondition, calls of its kernel, and what the verdict's function says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from struct import pack
from types import SimpleNamespace
from typing import Any

import numpy as np

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.dispatch import dispatch
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.plan import plan

TOML = """name = '\"\"\"; import os #'
[dims]
n = [32, 33, 64]
rows = 4
[tensors.x]
dtype = "f32"
shape = ["rows", "n"]
strides = ["n + 8", 1]
role = "in"
align = 16
[tensors.ids]
dtype = "s32"
shape = ["n"]
role = "in"
values = "index"
[tensors.mask]
dtype = "u8"
shape = [2, 3]
role = "in"
values = "mask.npy"
[tensors.bias]
dtype = "f32"
shape = ["rows"]
role = "in"
values = 0.5
[tensors.y]
dtype = "f32"
shape = ["rows", "n"]
role = "out"
[scalars.eps]
dtype = "f32"
value = 1e-5
[scalars.a]
dtype = "f32"
[candidate]
source = "k.ptx"
entry = "k"
grid = ["(n+031)//32", "rows"]
block = [32]
shared = "4*n"
args = ["x", "y+4*n", "ids", "eps", "a", "n*rows", 7, "null"]
"""


class Call:
    """A call of the kernel of TOML that its contract covers."""

    def __init__(self, n: int = 32) -> None:
        rows, base = 4, 1 << 20

        def at(place: int, dtype: str, shape: Any, strides: Any) -> Any:
            return SimpleNamespace(address=base + place * 4096, dtype=dtype, shape=shape, strides=strides)

        self.dims = {"n": n, "rows": rows}
        self.tensors = {
            "x": at(0, "f32", (rows, n), (n + 8, 1)), "ids": at(1, "s32", (n,), (1,)), "mask": at(2, "u8", (2, 3), (3, 1)),
            "bias": at(3, "f32", [rows], [1]), "y": at(4, "f32", (rows, n), (n, 1)),
        }  # fmt: skip
        self.scalars = {"eps": float(np.float32(1e-5)), "a": -3.5}
        self.contents = {
            "ids": np.arange(n, dtype="<i4").tobytes(), "mask": np.arange(6, dtype=np.uint8).tobytes(),
            "bias": np.full(rows, 0.5, "<f4").tobytes(),
        }  # fmt: skip
        self.variables: dict[str, bytes] = {}
        x, y, ids = (self.tensors[name].address for name in ("x", "y", "ids"))
        args = [x, y + 4 * n, ids, self.scalars["eps"], -3.5, n * rows, 7, 0]
        self.launch = SimpleNamespace(grid=(-(-n // 32), rows, 1), block=[32, 1, 1], shared=4 * n, args=args)

    def move(self, name: str, address: int) -> None:
        """Another address, and the arguments that go with it."""
        self.tensors[name].address = address
        self.launch.args[:3] = [
            self.tensors["x"].address,
            self.tensors["y"].address + 4 * self.dims["n"],
            self.tensors["ids"].address,
        ]

    def accepted(self, text: Mapping[str, str] | None) -> bool:
        """What the function says, which the expression says, too."""
        assert text is not None
        scope: dict[str, Any] = {}
        exec(text["function"], scope)
        given = {k: getattr(self, k) for k in ("dims", "tensors", "scalars", "launch", "contents", "variables")}
        answer = scope["accepts"](**given)
        flat = {**given, **self.dims, **self.tensors, **self.scalars, "sha256": sha256, "pack": pack}
        assert type(answer) is bool and bool(eval(text["expression"], flat)) == answer
        return answer


def write(folder: Path) -> Path:
    """The contract TOML, with its files."""
    (folder / "k.ptx").write_text("//\n")
    np.save(folder / "mask.npy", np.arange(6, dtype=np.int64).reshape(2, 3))
    (folder / "volta.toml").write_text(TOML)
    return folder / "volta.toml"


def proved(contract: Contract, chosen: Callable[[dict[str, int]], bool] = lambda dims: True) -> list[Combination]:
    return [Combination(plan(contract, dims)) for dims in contract.combinations() if chosen(dims)]


def text_of(path: Path) -> dict[str, str] | None:
    contract = read_contract(path)
    return dispatch(contract, proved(contract))

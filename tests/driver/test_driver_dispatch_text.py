"""The text of the condition for a call: which dims, by brute force; names, and what could be smuggled in; when there is one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from driver_calls import Call, proved, text_of, write
from driver_project import Project

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.dispatch import dispatch
from volta_pipe.driver.expressions import evaluate, respelled
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.plan import Global
from volta_pipe.ir.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
DIMS = "[dims]\na = [1, 2, 5]\nb = {min = 8, max = 40, step = 8}\n"
REST = '[tensors.x]\ndtype = "f32"\nshape = [1]\nrole = "in"\n'
REST += '[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = [1]\nblock = [1]\nargs = ["x"]\n'


@pytest.mark.parametrize(
    ("chosen", "start"),
    [
        (lambda d: True, "a in (1, 2, 5) and b in range(8, 41, 8) and x"),
        (lambda d: d["a"] < 5 and d["b"] > 8, "a in (1, 2) and b in range(16, 41, 8) and x"),
        (lambda d: d["a"] == 2, "a == 2 and b in range(8, 41, 8) and x"),
        (lambda d: d["a"] == d["b"] - 7 or d["b"] == 40, "(a, b) in ((1, 8), (1, 40), (2, 40), (5, 40)) and x"),
        (lambda d: d == {"a": 1, "b": 8}, "a == 1 and b == 8 and x"),
    ],
)
def test_dims_that_were_proved(tmp_path: Path, chosen: Callable[[dict[str, int]], bool], start: str) -> None:
    (tmp_path / "k.ptx").write_text("//\n")
    (tmp_path / "volta.toml").write_text(DIMS + REST)
    contract = read_contract(tmp_path / "volta.toml")
    text = dispatch(contract, proved(contract, chosen))
    assert text is not None and text["expression"].startswith(start)
    known = contract.combinations()
    x = SimpleNamespace(address=256, dtype="f32", shape=(1,), strides=(1,))
    launch = SimpleNamespace(grid=(1, 1, 1), block=(1, 1, 1), shared=0, args=(256,))
    scope: dict[str, Any] = {}
    exec(text["function"], scope)
    for a, b in product(range(7), range(50)):
        dims = {"a": a, "b": b}
        assert scope["accepts"](dims, {"x": x}, {}, launch, {}, {}) == (dims in known and chosen(dims))


def test_shared_memory_and_variables(tmp_path: Path) -> None:
    toml = 'aliases = [["x", "y"]]\n[dims]\n' + REST.replace(
        "[cand", REST[: REST.index("[cand")].replace("s.x", "s.y") + "[cand"
    )
    (tmp_path / "k.ptx").write_text("//\n")
    (tmp_path / "volta.toml").write_text(toml)
    contract = read_contract(tmp_path / "volta.toml")
    (one,) = proved(contract)
    values = (Global("$table", "", -1, bytes([1, 0, 0, 255])), Global("copy", "", 0))
    one.plan = replace(one.plan, candidate=replace(one.plan.candidate, globals=values))
    call = Call()
    call.tensors = {name: SimpleNamespace(address=256, dtype="f32", shape=(1,), strides=(1,)) for name in "xy"}
    call.launch = SimpleNamespace(grid=(1, 1, 1), block=(1, 1, 1), shared=0, args=(256,))
    call.dims, call.scalars = {}, {}
    call.variables = {"$table": b"\x01\0\0\xff", "copy": b"abcd"}
    call.contents = {"x": b"abcd"}
    text = dispatch(contract, [one])
    assert call.accepted(text)
    call.tensors["y"].address = 512
    assert not call.accepted(text)
    call.tensors["y"].address = 256
    for name in call.variables:
        before, call.variables[name] = call.variables[name], b"\0\0\0\0"
        assert not call.accepted(text)
        call.variables[name] = before


def test_names_that_python_has_other_uses_for(tmp_path: Path) -> None:
    names = ["in", "range", "i", "dims", "__debug__", "tuple", "tuple_", "None"]
    toml = "[dims]\n" + "".join(f"{name} = {7 + place}\n" for place, name in enumerate(names))
    shape_text = ", ".join(f'"{name}"' for name in names)
    toml += f'[tensors.lambda]\ndtype = "s32"\nshape = [{shape_text}]\nrole = "in"\nvalues = 0\n'
    toml += (
        '[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = ["in*1"]\nblock = ["range"]\nargs = ["lambda", "tuple + tuple_"]\n'
    )
    (tmp_path / "k.ptx").write_text("//\n")
    (tmp_path / "volta.toml").write_text(toml)
    contract = read_contract(tmp_path / "volta.toml")
    text = dispatch(contract, proved(contract))
    assert text is not None
    scope: dict[str, Any] = {}
    exec(text["function"], scope)
    shape = tuple(range(7, 15))
    strides = tuple(int(np.prod(shape[axis + 1 :])) for axis in range(8))
    tensors = {"lambda": SimpleNamespace(address=512, dtype="s32", shape=shape, strides=strides)}
    launch = SimpleNamespace(grid=(7, 1, 1), block=(8, 1, 1), shared=0, args=(512, 12 + 13))
    dims = dict(zip(names, shape, strict=True))
    contents = {"lambda": bytes(4 * int(np.prod(shape)))}
    assert scope["accepts"](dims, tensors, {}, launch, contents, {}) is True
    assert scope["accepts"]({**dims, "None": 15}, tensors, {}, launch, contents, {}) is False


@pytest.mark.parametrize("name", ['x"] or True or ["', "x y", "x\ny", "é"])
def test_no_name_can_be_code(tmp_path: Path, name: str) -> None:
    (tmp_path / "k.ptx").write_text("//\n")
    quoted = '"' + name.replace('"', '\\"').replace("\n", "\\n") + '"'
    (tmp_path / "volta.toml").write_text(DIMS.replace("a =", f"{quoted} =") + REST)
    with pytest.raises(InputError, match="cannot be a name"):
        read_contract(tmp_path / "volta.toml")


@pytest.mark.parametrize(
    "text",
    [
        "n",
        " 007 +n",
        "-n*-3",
        "- - n//-4",
        "--n",
        "(-n)-(-3)",
        "min(-n, -1) - -2",
        "(n%5)*min(n, 3 , 9)",
        "max(-n,\n n//2)-1",
        "n-(n-1)-1",
        "-7//2*n",
        "-n%4",
    ],
)
def test_an_expression_means_the_same_in_python(text: str) -> None:
    for n in (-5, 0, 3, 17):
        spelled = respelled(text, {"n": "m"})
        assert eval(spelled, {"m": n}) == evaluate(text, {"n": n}) and "\n" not in spelled


def test_when_there_is_none(project: Project) -> None:
    assert project.run().document["dispatch"]["expression"].startswith("n in (4, 8) and ")
    assert project.run(Options(last="check")).document["dispatch"] is None
    assert project.run(Options(skip=frozenset({"safety"}))).document["dispatch"] is None
    project.fact("verdict not-equivalent")
    assert project.run().document["dispatch"] is None
    project.fact("finding race")
    assert project.run().document["dispatch"] is None
    project.fact("verdict equivalent")
    project.change('entry  = "copy"', 'entry  = "copy"\nctas = [[0, 0, 0]]')
    assert project.run().document["dispatch"] is None


def test_a_contract_without_a_reference_has_one(project: Project) -> None:
    text = project.contract.read_text()
    start, end = text.index("[reference]"), text.index("[candidate]")
    project.contract.write_text(text[:start] + text[end:])
    document = project.run().document
    assert document["verdict"] == "safe" and document["dispatch"]["function"].startswith("def accepts(")


def test_the_text_is_the_same_in_every_process(tmp_path: Path) -> None:
    written = write(tmp_path)
    code = "import sys; from volta_pipe.driver.contract import *; from volta_pipe.driver.dispatch import *\n"
    code += "from volta_pipe.driver.pipeline import Combination; from volta_pipe.driver.plan import plan\n"
    code += "c = read_contract(sys.argv[1]); print(dispatch(c, [Combination(plan(c, d)) for d in c.combinations()]))"
    texts = {
        subprocess.run(
            [sys.executable, "-c", code, str(written)], env={**os.environ, "PYTHONHASHSEED": seed}, cwd=ROOT,
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert texts == {f"{text_of(written)}\n"}


def test_the_dispatcher_of_the_documentation() -> None:
    page = (ROOT / "docs" / "contract.md").read_text()
    shown, example = re.findall(r"```python\n(.*?)```", page[page.index("### Which calls a proof covers") :], re.DOTALL)
    text = text_of(ROOT / "examples" / "softmax" / "volta.toml")
    assert text is not None and text["function"] == shown
    scope: dict[str, Any] = {}
    exec(shown + example.replace("from softmax_accepts import accepts\n", ""), scope)
    taken: list[str] = []

    def tensor(address: int, n: int) -> Any:
        return SimpleNamespace(data_ptr=lambda: address, dtype="torch.float32", shape=(2, n), stride=lambda: (n, 1))

    for y, n in ((4096, 33), (4096, 34), (4100, 33), (0, 33)):
        scope["softmax"](tensor(0, n), tensor(y, n), lambda *_: taken.append("kernel"), lambda *_: taken.append("fallback"))
    assert taken == ["kernel", "fallback", "fallback", "fallback"]

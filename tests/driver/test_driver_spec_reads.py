"""A verdict follows all that its spec was made of, also what no import statement names: in one store, one after the other."""

from __future__ import annotations

import compileall
import ctypes
import importlib
import os
import sqlite3
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

HERE = "from pathlib import Path\nHERE = Path(__file__).parent\n"
# How a spec gets the factor c, by what it does at its import and in its function; `_constant` sets what they look at.
FACTORS = {
    "a table": ("import numpy as np\n", "np.load(HERE / 'c.npy')[()]"),
    "a text": ("", "float((HERE / 'c.txt').read_text())"),
    "a computed import": ("import importlib\n", "importlib.import_module('const' + 'ant').C"),
    "the second of a statement": ("import numpy as np, constant\n", "constant.C"),
    "a thread": (
        "from concurrent.futures import ThreadPoolExecutor\n",
        "float(ThreadPoolExecutor(1).submit((HERE / 'c.txt').read_text).result())",
    ),
    "a thread that goes on": (
        "from concurrent.futures import ThreadPoolExecutor\nPOOL = ThreadPoolExecutor(1)\nPOOL.submit(int).result()\n",
        "float(POOL.submit((HERE / 'c.txt').read_text).result())",
    ),
    "whether it is there": ("", "3.0 if (HERE / 'three').exists() else 2.0"),
    "its size": ("import os\n", "float(os.stat(HERE / 'sized').st_size)"),
    "a folder": ("import os\n", "3.0 if 'three' in os.listdir(HERE) else 2.0"),
    "a link": ("import os\n", "float(os.readlink(HERE / 'link'))"),
    "a database": ("import sqlite3\n", "sqlite3.connect(HERE / 'c.db').execute('select v from t').fetchone()[0]"),
    "a process": ("import subprocess\n", "float(subprocess.check_output(['cat', HERE / 'c.txt']))"),
    "a pipe": ("import os\n", "float(os.popen(f'cat {HERE}/c.txt').read())"),
    "machine code": (
        "import ctypes\nget = ctypes.CDLL(None).getenv\nget.restype = ctypes.c_char_p\n",
        "float(get(b'VOLTA_TEST_FACTOR'))",
    ),
    "a variable": ("import os\n", "float(os.environ['VOLTA_TEST_FACTOR'])"),
    "a variable by another way": ("import contextlib\n", "float(contextlib.os.environ['VOLTA_TEST_FACTOR'])"),
    "a variable through a name": (
        "import dataclasses\nos = getattr(dataclasses.sys, 'modules')['os']\n",
        "float(os.environ['VOLTA_TEST_FACTOR'])",
    ),
    "a variable of a helper": ("from helper import factor\n", "factor()"),
    "lines": ("import linecache\n", "float(linecache.getlines(str(HERE / 'c.txt'))[0])"),
    "what is not there": ("import numpy as np\nfrom helper import tried\n", "tried(np.loadtxt, str(HERE / 'three'), 2.0)"),
}  # fmt: skip
HELPER = """import os

def factor():
    return float(os.environ["VOLTA_TEST_FACTOR"])

def tried(call, argument, default):
    try:
        return call(argument)
    except OSError:
        return default
"""
DOUBLE = ptx("x y", "  ld.global.f32 %f1, [%x];\n  add.f32 %f2, %f1, %f1;\n  st.global.f32 [%y], %f2;\n")
TENSORS = [tensor("x"), tensor("y", "out")]


def _constant(folder: Path, value: float) -> None:
    np.save(folder / "c.npy", np.float32(value))
    (folder / "c.txt").write_text(str(value))
    (folder / "constant.py").write_text(f"C = {value}\n")
    (folder / "sized").write_text("." * int(value))
    os.environ["VOLTA_TEST_FACTOR"] = str(value)
    for name in ("link", "three", "c.db"):
        (folder / name).unlink(missing_ok=True)
    (folder / "link").symlink_to(str(value))
    if value == 3:
        (folder / "three").write_text("3")
    with sqlite3.connect(folder / "c.db") as database:
        database.execute("create table t(v real)")
        database.execute("insert into t values(?)", (value,))


def _run(path: Path, *skip: str) -> Session:
    with Store(path.parent / "store") as store:
        return verify(path, store, Options(skip=frozenset(skip)))


@pytest.fixture
def factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the variable back."""
    monkeypatch.setenv("VOLTA_TEST_FACTOR", "2")


@pytest.mark.parametrize(("when", "layer"), [("at its import", "proof"), ("when it is called", "dynamic")])
@pytest.mark.parametrize("how", FACTORS)
@pytest.mark.usefixtures("factor")
def test_a_verdict_follows_what_its_spec_reads(tmp_path: Path, how: str, when: str, layer: str) -> None:
    path = contract(tmp_path, DOUBLE, "x: None", TENSORS, args="x y")
    top, value = FACTORS[how]
    first, then = (f"C = {value}\n", "C") if when == "at its import" else ("", value)
    (tmp_path / "spec.py").write_text(f"{HERE}{top}{first}def spec(x):\n    return {{'y': x * ({then})}}\n")
    (tmp_path / "helper.py").write_text(HELPER)
    skip = ("safety", "proof") if layer == "dynamic" else ("dynamic",)
    right = None if layer == "dynamic" else "equivalent"
    for number, verdict in ((2.0, right), (3.0, "not-equivalent"), (2.0, right)):
        _constant(tmp_path, number)
        assert _run(path, *skip).document["verdict"] == verdict


@pytest.mark.parametrize("how", ["whether it is there", "a thread", "a process", "a table"])
@pytest.mark.usefixtures("factor")
def test_without_a_look_at_it_a_verdict_would_be_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """The mutant: what the test above finds is what the look and the events are for."""
    monkeypatch.setattr(spec_reads, "spec_doubts", lambda path: [])
    monkeypatch.setattr(spec_reads._Watch, "hear", lambda *_: False)
    path = contract(tmp_path, DOUBLE, "x: None", TENSORS, args="x y")
    top, value = FACTORS[how]
    (tmp_path / "spec.py").write_text(f"{HERE}{top}def spec(x):\n    return {{'y': x * ({value})}}\n")
    for number in (2.0, 3.0):
        _constant(tmp_path, number)
        assert _run(path, "dynamic").document["verdict"] == "equivalent"


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


CALLS = {
    "a file": "path.read_bytes()",
    "a file that is written": "path.write_bytes(b'')",
    "a folder's names": "os.listdir(path.parent)",
    "another program": "os.popen('true').close()",
    "a database": "sqlite3.connect(path).close()",
    "machine code": "ctypes.CDLL(None)",
    "a file by its number": "open(0, closefd=False)",
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("asks", ["the tool", "the spec", "a package for the spec", "a package for the tool"])
def test_it_counts_who_asks(tmp_path: Path, call: str, asks: str) -> None:
    """The tool and what it rests on open files while a spec runs, and import, compile and look at the machine."""
    spec, path = tmp_path / "spec" / "spec.py", tmp_path / "table"
    spec.parent.mkdir()
    spec.write_text("")
    path.write_bytes(b"1")
    names = {"path": path, "os": os, "sqlite3": sqlite3, "ctypes": ctypes}
    whose = spec_reads.__file__ if asks.endswith("the tool") else str(spec)
    if asks.startswith("a package"):
        names["call"] = eval(compile(f"lambda: {CALLS[call]}", pytest.__file__, "eval"), names)
        run = eval(compile("lambda: call()", whose, "eval"), names)
    else:
        run = eval(compile(f"lambda: {CALLS[call]}", whose, "eval"), names)
    unkeyed = Unkeyed()
    with watched(spec, unkeyed):
        run()
    assert bool(unkeyed) == asks.endswith("the spec")
    opens = asks.endswith("the spec") and call in ("a file", "a file that is written")
    assert unkeyed.files == [str(path.resolve())] * opens

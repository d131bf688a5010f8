"""`init`: a contract that reads, says what it guessed, and names the next command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from driver_commands import Commands

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.commands.init import skeleton
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import plan

ROOT = Path(__file__).resolve().parents[2]
KINDS = [("k_param_0", "u64", 8), ("k_param_1", "u64", 8), ("k_param_2", "u32", 4), ("eps", "f32", 4)]


def test_a_skeleton_is_a_contract(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text("x")
    (tmp_path / "volta.toml").write_text(skeleton("k.ptx", "k", [Parameter(*kind) for kind in KINDS]))
    contract = read_contract(tmp_path / "volta.toml")
    assert contract.candidate.args == ("p0", "p1", "p2", "eps") and contract.candidate.compiled_from is None
    assert [(t.name, t.dtype, t.role) for t in contract.tensors] == [("p0", "f32", "in"), ("p1", "f32", "out")]
    (dims,) = contract.combinations()
    assert dims == {"n": 256, "p2": 256} and plan(contract, dims).candidate.grid == (2, 1, 1)


def test_every_guess_says_so() -> None:
    """What the PTX does not say: dtypes, shapes, roles, sizes, grid and block. What it says has no CHECK."""
    text = skeleton("k.ptx", "k", [Parameter(*kind) for kind in KINDS])
    guessed = {"n", "p2", "dtype", "shape", "role", "grid", "block"}
    told = {"name", "source", "entry", "args"}
    table = ""
    for line in text.splitlines():
        table = line.partition("]")[0] if line.startswith("[") else table
        key = re.match(r"(\w+)\s*=", line)
        if key and not (key[1] == "dtype" and table == "[scalars.eps"):
            assert key[1] in guessed | told, line
            assert ("# CHECK" in line) == (key[1] in guessed), line
    assert text.count("parameter k_param_0 (.u64), taken for a pointer") == 1
    assert tomllib.loads(text)["scalars"] == {"eps": {"dtype": "f32"}}
    for uncommented in ("# [reference]", '# spec = "spec.py:k"'):
        assert uncommented in text.splitlines()
    assert max(len(line) for line in text.splitlines()) <= 128


def test_the_next_command_works(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for suffix in ("cu", "ptx"):
        (tmp_path / f"axpy.{suffix}").write_bytes((ROOT / "examples" / "axpy" / f"axpy.{suffix}").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert real("init", "axpy.ptx", "--entry", "axpy") == 0
    first, second = real.out.splitlines()
    assert first == "volta.toml: contract of axpy, 4 parameters, with a guess for all that the PTX does not say"
    assert second.endswith(", then: volta-pipe run") and "CHECK" in second
    contract = read_contract("volta.toml")
    assert contract.candidate.compiled_from == Path("axpy.cu")
    # 256 elements, two CTAs of 128, x read, y read and written: right as guessed, with the names of the CUDA source.
    assert contract.candidate.args == ("x", "y", "a", "n") and dict(contract.dims) == {"n": (256,)}
    assert real("run", "--quiet") == 0 and real.out == "safe: axpy\n"
    text = Path("volta.toml").read_text()
    Path("volta.toml").write_text(text.replace('role  = "inout"', 'role  = "out"'))
    assert real("run", "--quiet") == 1 and real.out == "unsafe: axpy\n"
    assert real("init", "axpy.ptx", "--entry", "axpy") == 2 and "is there already" in real.err
    assert real("init", "axpy.ptx", "--entry", "axpy", "-o", "an other.toml") == 0
    assert real.out.splitlines()[1].endswith(", then: volta-pipe run 'an other.toml'")


def test_extern_shared_memory_asks_for_its_size(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that reverses n floats in an extern shared array, which nobody but the launch gives a size."""
    ptx = (ROOT / "tests" / "kernels" / "features" / "features.ptx").read_text()
    (tmp_path / "k.ptx").write_text(ptx)
    monkeypatch.chdir(tmp_path)
    assert real("init", "k.ptx", "--entry", "reverse_dynamic") == 0
    text = Path("volta.toml").read_text()
    (line,) = (one for one in text.splitlines() if one.startswith("shared"))
    assert line.startswith("shared = 0   # CHECK: bytes of buffer (extern shared), ")
    asked = "candidate.shared: the kernel has extern shared memory (buffer), of which this launch gives no byte: write its size"
    for contract in (text, text.replace(line + "\n", "")):  # at its line, or where it has to be added
        Path("volta.toml").write_text(contract)
        start = "shared" if line in contract else "[candidate]"
        number = 1 + next(i for i, one in enumerate(contract.splitlines()) if one.startswith(start))
        assert real("run", "--quiet") == 2
        assert f"volta.toml:{number}: {asked}" in real.err and "`shared = …`" in real.err
    text = text.replace('grid   = ["(n+127)//128"]', "grid = [1]").replace("block  = [128]", 'block = ["n"]')
    Path("volta.toml").write_text(text.replace(line, 'shared = "4*n"'))
    assert real("run", "--quiet") == 0 and real.out == "safe: reverse_dynamic\n", real.out + real.err
    assert real("init", "k.ptx", "--entry", "reverse_plain", "-o", "plain.toml") == 0
    assert "\n# shared = 0   # bytes" in Path("plain.toml").read_text()

"""Stock `xdsl-opt` loads our dialects, reads PTX and writes it; volta-opt does the same without being installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from mlir_tools import ROOT, volta_opt
from xdsl.universe import Universe

from volta_pipe.driver.mlir.universe import DIALECTS, FRONTENDS, PASSES, TARGETS, VOLTA_UNIVERSE

AXPY = ROOT / "examples" / "axpy" / "axpy.ptx"
INSTALLED = any(one.value.endswith(":VOLTA_UNIVERSE") for one in entry_points(group="xdsl.universe"))


def test_each_name_loads_what_it_names() -> None:
    assert {name: load().name for name, load in DIALECTS.items()} == {name: name for name in ("ptx", "scta", "vc")}
    assert all(load().name == name for name, load in PASSES.items())
    assert all(load().name == name for name, load in TARGETS.items())
    assert all(load().name == name for name, load in FRONTENDS.items())
    # Two universes with one name are an error in xDSL.
    known = Universe.get_multiverse()
    assert (DIALECTS.keys() <= known.all_dialects.keys()) == INSTALLED
    assert VOLTA_UNIVERSE.all_passes is PASSES


@pytest.mark.skipif(not INSTALLED, reason="installed before there was an entry point: make setup")
def test_stock_xdsl_opt(tmp_path: Path) -> None:
    """By the file's extension in, `-t ptx` out; that again in, and the module is the same."""
    command = [sys.executable, "-m", "xdsl.tools.xdsl_opt"]
    text = subprocess.run([*command, str(AXPY), "-t", "ptx"], capture_output=True, text=True, check=True).stdout
    assert ".visible .entry axpy_grid_stride(" in text
    path = tmp_path / "axpy.txt"
    path.write_text(text)
    first, again = (
        subprocess.run([*command, *rest], capture_output=True, text=True, check=True, stdin=stream).stdout
        for rest, stream in (([str(AXPY)], None), (["-f", "ptx"], path.open()))
    )
    assert first == again and first.count("ptx.kernel") == 2


def test_one_entry_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = volta_opt(capsys, AXPY, "-f", "ptx{entry=axpy}")
    assert code == 0 and out.startswith("builtin.module {\n  ptx.kernel @axpy ")
    _, both, _ = volta_opt(capsys, AXPY)
    assert both.count("ptx.kernel @") == both.count("  builtin.module @") == 2


def test_the_generic_form_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.mlir"
    for words in (["--print-op-generic"], ["--print-op-generic", "--print-no-properties"], []):
        path.write_text(volta_opt(capsys, AXPY, *words)[1])
        assert volta_opt(capsys, path)[1] == volta_opt(capsys, AXPY)[1]


def test_discardable_attributes_are_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = volta_opt(capsys, AXPY, "-f", "ptx{entry=axpy}")
    noted = out.replace(": (i32, i32) -> i1", ": (i32, i32) -> i1 {other.one = 1 : i64}")
    # Of a kernel all keys are sorted, ours and those of others.
    noted = noted.replace("{address_size", "{a.first, address_size")
    noted = noted.replace("ptx.constant 4 : i32", "ptx.constant 4 : i32 {other.two}")
    assert noted.count("other.") == 2 and noted.count("a.first") == 1
    path = tmp_path / "k.mlir"
    path.write_text(noted)
    assert volta_opt(capsys, path)[1] == noted


@pytest.mark.parametrize(
    ("name", "text", "args", "message"),
    [
        ("k.ptx", "foo", [], "k.ptx:1:1: expected '.version' (is this a PTX text?), found 'foo'"),
        ("k.ptx", ".version 8.0\n.target sm_80\n", [], "k.ptx: the PTX has no entry"),
        ("k.mlir", "foo", [], "k.mlir:1:4: Operation foo is not registered"),
        ("k.mlir", "module {}", ["-p", "nope"], "Unrecognized passes: ['nope']"),
        (
            "k.mlir",
            "module {}",
            ["-p", "ptx-to-scta{contract=a/b.toml}"],
            "-to-scta{contract=a/b.toml}: column 23: Unknown token; ",
        ),
        ("k.mlir", "module {}", ["-p", "ptx-simplify,,"], "ptx-simplify,,: column 14: "),
        ("k.mlir", "module {}", ["-p", "ptx-simplify{"], "Expected"),
        ("k.mlir", "module {}", ["-t", "ptx"], "the module holds no ptx.kernel"),
        ("k.toml", "", [], "k.toml: "),
        ("k.toml", "[", [], "k.toml:"),
        ("k.bin", "", [], "Unrecognized file extension 'bin'"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, args: list[str], message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    code, out, err = volta_opt(capsys, path, *args)
    assert code in (2, 3) and not out
    assert err.startswith("volta-opt: ") and err.count("\n") == 1 and message in err


def test_a_file_that_is_not_there_is_named_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    assert volta_opt(capsys, path) == (2, "", f"volta-opt: {path}: No such file or directory\n")

"""`verify`, `Verdict` and `Contract`: the same as the command line, for objects and texts as for files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import volta_pipe
from volta_pipe.driver import cli

ROOT = Path(__file__).resolve().parents[2]
AXPY = "examples/axpy/volta.toml"
CODES = {
    AXPY: 0, "examples/broken-race/volta.toml": 1, "examples/broken-index/volta.toml": 1, "examples/softmax-spec/volta.toml": 0,
}  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, int]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    return capsys.readouterr().out, int(end.value.code or 0)


@pytest.mark.parametrize("path", CODES)
def test_json_is_that_of_the_command(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = volta_pipe.verify(path)
    out, code = printed(capsys, "run", path, "--json")
    document = json.loads(out)
    again = volta_pipe.verify(path)
    rows = [{**row, "seconds": 0} for row in again.document["stages"]]
    assert rows == [{**row, "seconds": 0} for row in document["stages"]]
    same = volta_pipe.Verdict({**again.document, "stages": document["stages"]}, again.contract)
    assert same.to_json(stages=True) + "\n" == out
    document.pop("stages")
    assert json.dumps(document, indent=1, ensure_ascii=False) == verdict.to_json() == again.to_json()
    assert (verdict.exit_code, verdict.ok, bool(verdict)) == (code, code == 0, code == 0) and code == CODES[path]
    text, _ = printed(capsys, "run", path)
    assert text.endswith(verdict.text() + "\n") and str(verdict) == verdict.text().splitlines()[0]


def test_with_two_jobs_or_all_forced_the_document_is_the_same_bytes(tmp_path: Path) -> None:
    plain = volta_pipe.verify(AXPY).to_json()
    assert volta_pipe.verify(AXPY, store=tmp_path / "one", jobs=2).to_json() == plain
    forced = volta_pipe.verify(AXPY, store=str(tmp_path / "one"), force=["all"], jobs=1)
    assert forced.to_json() == plain and not any(row["cached"] for row in forced.stages)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("//")
    text = (ROOT / AXPY).read_text().replace("[candidate]", '[candidate]\ncompiled_from = "k.cu"')
    (tmp_path / "axpy.ptx").write_text((ROOT / "examples/axpy/axpy.ptx").read_text())
    os.utime(tmp_path / "axpy.ptx", (1e9, 1e9))
    verdict = volta_pipe.verify(volta_pipe.Contract.from_text(text, tmp_path))
    assert verdict.ok and len(verdict.warnings) == 1 and "is newer than" in verdict.warnings[0]
    assert capfd.readouterr() == ("", "")


def test_a_contract_from_a_text_is_that_of_the_file() -> None:
    file = volta_pipe.Contract.from_file(AXPY)
    text = volta_pipe.Contract.from_text((ROOT / AXPY).read_text(), "examples/axpy", file=AXPY)
    assert file == text
    table = volta_pipe.Contract.from_dict(tomllib.loads((ROOT / AXPY).read_text()), Path("examples/axpy"))
    assert table.digest != file.digest and table.tensors == file.tensors and table.candidate == file.candidate
    document = dict(volta_pipe.verify(table).document)
    other = dict(volta_pipe.verify(file).document)
    assert all(document.pop(key) != other.pop(key) for key in ("contract", "stages"))
    assert document == other


def test_a_verdict_that_stops_early_is_not_ok() -> None:
    verdict = volta_pipe.verify(AXPY, stage="vc")
    assert (verdict.verdict, verdict.ok, verdict.exit_code, verdict.document["stopped_after"]) == (None, False, 0, "vc")
    assert volta_pipe.verify(AXPY, skip=["proof"]).verdict is None
    assert volta_pipe.verify("examples/softmax-spec/volta.toml", only="dynamic").verdict is None
    assert volta_pipe.verify(AXPY, max_steps=10).verdict == "unknown"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stage": "chek"}, "unknown stage 'chek', did you mean 'check'"),
        ({"stage": "trace"}, "runs with it: --stage vc"),
        ({"force": ["canno"]}, "unknown stage 'canno', did you mean 'canon'"),
        ({"only": "saftey"}, "unknown layer 'saftey', did you mean 'safety'"),
        ({"skip": ["lower"]}, "every layer needs lower"),
        ({"stage": "vc", "skip": ["proof"]}, "give one of them"),
        ({"jobs": -1}, "--jobs: -1 is less than 0"),
        ({"max_steps": 0}, "--max-steps: 0 is less than 1"),
        ({"max_steps": 10**40}, "--max-steps: the largest number that it takes is 1000000000000000000"),
        ({"max_memory": 10**18 + 1}, "--max-memory: the largest number that it takes is 1000000000000000000"),
        ({"jobs": 10**5000}, "--jobs: the largest number that it takes is"),
        ({"jobs": -(10**5000)}, "--jobs: a number of too many digits is less than 0"),
        ({"max_steps": 1.5}, "--max-steps: 1.5 is no integer"),
        ({"max_memory": True}, "--max-memory: True is no integer"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], said: str) -> None:
    with pytest.raises(volta_pipe.InputError, match=said):
        volta_pipe.verify(AXPY, **options)


def test_a_text_is_no_list_of_names() -> None:
    with pytest.raises(TypeError, match="sequences of names"):
        volta_pipe.verify(AXPY, skip="proof")


@pytest.mark.parametrize(
    ("values", "place", "said"),
    [
        ({1: 2}, "<contract>", "keys are texts"),
        ({"dims": {"n": {2: 3}}}, "dims.n", "keys are texts"),
        ({"dims": {"n": np.int64(3)}}, "dims.n", "is of type int64"),
        ({"dims": {"n": [1, None]}}, "dims.n[1]", "is of type NoneType"),
        ({"name": b"x"}, "name", "is of type bytes"),
        ({"dims": {"n": [1, 10**5000]}}, "dims.n[1]", "is a number that is too long"),
        ({"name": "two\nlines"}, "name", "does not print"),
        ({"dmis": {}}, "candidate", "is missing"),
        ({}, "candidate", "is missing"),
    ],
)
def test_dicts_that_are_no_contract(values: Any, place: str, said: str) -> None:
    with pytest.raises(volta_pipe.InputError) as error:
        volta_pipe.Contract.from_dict(values)
    assert place in str(error.value) and said in str(error.value)


def test_a_dict_that_holds_itself_is_no_contract() -> None:
    values: dict[str, Any] = {}
    values["dims"] = values
    with pytest.raises(volta_pipe.InputError, match="nested too deeply"):
        volta_pipe.Contract.from_dict(values)
    with pytest.raises(volta_pipe.InputError, match="not UTF-8"):
        volta_pipe.Contract.from_text('name = "\ud800"')


def test_files_are_read_anew_each_time(tmp_path: Path) -> None:
    """An object of a contract holds what its file said; PTX and .npy files are those of the moment."""
    text = (ROOT / AXPY).read_text().replace('role  = "in"', 'role  = "in"\nvalues = "x.npy"').replace("[100, 256, 257]", "64")
    ptx = (ROOT / "examples/axpy/axpy.ptx").read_text()
    (tmp_path / "axpy.ptx").write_text(ptx)
    np.save(tmp_path / "x.npy", np.arange(64, dtype=np.float32))
    text = text[: text.index("[reference]")] + '[reference]\nspec = "spec.py:f"\n' + text[text.index("[candidate]") :]
    (tmp_path / "spec.py").write_text("import numpy as np\n\n\ndef f(y, a):\n    return {'y': a * np.arange(64) + y}\n")
    contract = volta_pipe.Contract.from_text(text, tmp_path)
    options: dict[str, Any] = {"store": tmp_path / "store", "skip": ["dynamic"]}
    assert volta_pipe.verify(contract, **options).verdict == "equivalent"
    np.save(tmp_path / "x.npy", np.arange(64, dtype=np.float32)[::-1])
    assert volta_pipe.verify(contract, **options).verdict == "not-equivalent"
    np.save(tmp_path / "x.npy", np.arange(64, dtype=np.float32))
    assert volta_pipe.verify(contract, **options).verdict == "equivalent"
    (tmp_path / "axpy.ptx").write_text(ptx.replace("fma.rn.f32", "mul.rn.f32").replace(", %f1, %f3;", ", %f1;"))
    assert volta_pipe.verify(contract, **options).verdict == "not-equivalent"


def test_the_import_costs_nothing_and_names_are_lazy() -> None:
    code = """import sys, volta_pipe
heavy = ("numba", "numpy", "xdsl", "typer", "msgpack", "joblib", "volta_pipe.driver")
assert not [name for name in heavy if name in sys.modules], sys.modules.keys()
assert set(volta_pipe.__all__) <= set(dir(volta_pipe)) and not hasattr(volta_pipe, "nothing")
for name in volta_pipe.__all__: getattr(volta_pipe, name)
from volta_pipe import *
assert verify is volta_pipe.verify and not [name for name in ("numba", "typer", "xdsl") if name in sys.modules]"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0


def test_no_stage_is_made_of_the_api() -> None:
    """Else each edit of it would compute all that is in the stores again."""
    from volta_pipe.driver import versions

    versions.stage_version.cache_clear()
    versions._sources.cache_clear()
    for stage in ("lower", "unroll", "check", "vc", "trace", "canon", "decide", "dynamic"):
        versions.stage_version(stage)
    root = versions._package_root()
    _, imports = versions._sources(root).facts("__init__.py")
    assert not [path for path in imports if path.startswith("driver/")]
    versions._sources.cache_clear()


def test_its_repr_is_one_line_with_what_was_covered() -> None:
    found = repr(volta_pipe.verify("examples/broken-index/volta.toml"))
    said = "not-equivalent: transpose, tile read with swapped indices; 1 combination of dims (rows=32 cols=64), all CTAs"
    assert found == f"<Verdict {said}, 2,048 output elements compared>"

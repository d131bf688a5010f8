"""Wrong contracts, specs and PTX through the real command line: one line that names the place and helps, and nothing is run."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from bad_contracts import CASES, GOOD, RUNS, SPEC, TOUCHED, Bad
from driver_commands import Commands

from volta_pipe.driver.fields import close

ROOT = Path(__file__).resolve().parents[2]


class _Runs:
    """Unpickling it would run code."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (eval, (RUNS,))


def _npy(kind: str) -> bytes:
    arrays = {"shape": np.zeros(3), "nan": np.full(8, np.nan), "ints": np.arange(8) * 300 // 7}
    stream = io.BytesIO()
    if kind == "pickled":
        np.save(stream, np.array([None]), allow_pickle=True)
        return stream.getvalue().partition(b"\n")[0] + b"\n" + pickle.dumps(_Runs())
    np.save(stream, arrays[kind])
    return stream.getvalue()


def _write(folder: Path, case: Bad | None) -> None:
    """The good files with the change of a case: where its text comes first, in PTX last, in the kernel that is used."""
    texts = {"volta.toml": GOOD, "spec.py": SPEC, "k.ptx": (ROOT / "examples/axpy/axpy.ptx").read_text()}
    if case is not None:
        text = texts[case.file]
        assert not case.old or text.count(case.old) >= 1, case.old
        start = text.rfind(case.old) if case.file == "k.ptx" else text.find(case.old)
        texts[case.file] = text[:start] + case.new + text[start + len(case.old) :] if case.old else case.new
        for name, content in case.files.items():
            known = content.decode() in ("shape", "nan", "ints", "pickled")
            (folder / name).write_bytes(_npy(content.decode()) if known else content)
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())


def _line(text: str, at: str) -> int:
    """The line that holds the first line of `at`, where all of `at` is found."""
    return text[: text.index(at)].count("\n") + 1


def test_the_good_one_is_proved(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, None)
    assert real("run", "--quiet") == 0, real.out + real.err


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Bad) -> None:
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, case)
    code = real("run", "--quiet")
    assert (code, real.out) == (2, ""), real.out + real.err
    (line,) = real.err.splitlines()
    start = f"volta-pipe: error: {case.on}:"
    if case.at:
        start += f"{_line((tmp_path / case.on).read_text(), case.at)}:"
    assert line.startswith(start), line
    if case.field:
        assert line.removeprefix(start).startswith(f" {case.field}: "), line
    for word in case.words:
        assert word in line, line
    for never in ("Traceback", "internal error", "  ", "\\n"):
        assert never not in line
    assert len(line) < 400
    assert not (tmp_path / TOUCHED).exists()


def test_places_that_are_no_files(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert real("run", "--quiet") == 2 and "volta.toml: contract does not exist" in real.err
    (tmp_path / "folder").mkdir()
    assert real("run", "folder") == 2 and "folder: contract is a directory, not a file" in real.err
    (tmp_path / "latin.toml").write_bytes(b"\n# caf\xe9\n")
    assert real("run", "latin.toml") == 2 and "latin.toml:2: is not a TOML text (not UTF-8)" in real.err
    (tmp_path / "zeros.toml").write_bytes(b"\x00" * 64)
    assert real("run", "zeros.toml") == 2 and "zeros.toml:1" in real.err


def test_at_least_forty() -> None:
    assert len(CASES) >= 40 and len({case.name for case in CASES}) == len(CASES)


def test_what_is_like_nothing_gets_no_guess() -> None:
    assert close("referense", ("externs", "numerics")) == close("", ("x",)) == close("x", ()) == ""
    assert close("Gird", ("grid", "block")) == ", did you mean 'grid'?"

"""A verdict document without its `stages` is the same bytes: in another folder, with another number of jobs, hash seed, locale,
time zone and current folder, in another order of contracts, and where the store has everything."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# By verdict: NumPy references and kernels, refuted by a run, by `decide`, and by a rule on sums; several combinations of dims.
CONTRACTS = {
    "examples/axpy-spec/volta.toml": "equivalent",
    "examples/axpy/volta.toml": "equivalent",
    "examples/broken-index/volta.toml": "not-equivalent",
    "examples/broken-precision/volta.toml": "not-equivalent",
    "tests/kernels/axpy/wrong_sign.toml": "not-equivalent",
    "examples/broken-tail/volta.toml": "unsafe",
    "examples/broken-race/volta.toml": "unsafe",
    "tests/kernels/memory/aligned.toml": "safe",
    "tests/kernels/control/data_dependent_branch.toml": "unsupported",
    "tests/kernels/control/endless_loop.toml": "unknown",
}
NAME = "ächspy … ∀ı"  # characters that no 8-bit locale has together
MARK = "\f"
RUN = """
import sys
from volta_pipe.driver.cli import main

jobs, folder, *paths = sys.argv[1:]
for path in paths:
    try:
        main(["run", f"{folder}/{path}", "--json", "--quiet", "--jobs", jobs, "--max-steps", "2000000"])
    except SystemExit as end:
        print("\\f", end.code, "\\f", sep="", flush=True)
"""


def _checkout(folder: Path) -> Path:
    """The contracts and what they name, with one that has a name beyond ASCII."""
    for path in ("examples", "tests/kernels"):
        shutil.copytree(ROOT / path, folder / path)
    contract = folder / "examples/axpy-spec/volta.toml"
    text = re.sub(r"(?m)^name\s*=.*$", f'name = "{NAME}"', contract.read_text(encoding="utf-8"), count=1)
    contract.write_text(text, encoding="utf-8")
    return folder


def _documents(folder: Path, store: Path, jobs: int, cwd: Path, *, backwards: bool = False, **more: str) -> dict[str, bytes]:
    """By contract the bytes of the document up to its `stages`, and the exit code, all from one process."""
    paths = list(CONTRACTS)[:: -1 if backwards else 1]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    environment |= {"PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)), "VOLTA_STORE": str(store), **more}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(jobs), str(folder), *paths], env=environment, cwd=cwd, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    assert not done.stderr, done.stderr.decode(errors="replace")
    texts = done.stdout.split(MARK.encode())[:-1]
    assert len(texts) == 2 * len(paths)
    found = {}
    for path, text, code in zip(paths, texts[::2], texts[1::2], strict=True):
        stages = text.index(b'\n "stages": [')  # the last key; indented by one, so nothing within another value
        found[path] = code + text.lstrip(b"\n")[: stages - (len(text) - len(text.lstrip(b"\n")))]
    return found


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    folder = _checkout(tmp_path_factory.mktemp("first"))
    utf8 = {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC"}
    return folder, _documents(folder, folder / "store", 1, folder, **utf8)


def test_all_verdicts_are_there(first: tuple[Path, dict[str, bytes]]) -> None:
    for path, text in first[1].items():
        document = json.loads(text[1:].rstrip(b",") + b"}")
        assert document["verdict"] == CONTRACTS[path], path
        assert document["schema"] and "stages" not in document
    assert set(CONTRACTS.values()) == {"equivalent", "not-equivalent", "unsafe", "safe", "unsupported", "unknown"}
    assert NAME.encode() in first[1]["examples/axpy-spec/volta.toml"]


def test_another_folder_and_another_environment(first: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    """Nothing is cached. In the C locale without UTF-8 mode Python's standard output is ASCII."""
    folder = _checkout(tmp_path / "a checkout élsewhere")
    other = {
        "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "4711",
        "TZ": "Pacific/Auckland",
    }  # fmt: skip
    assert _documents(folder, tmp_path / "store", 2, Path("/"), backwards=True, **other) == first[1]


def test_what_the_store_has(first: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    folder, wanted = first
    store = folder / "store"
    assert _documents(folder, store, 2, tmp_path, PYTHONIOENCODING="latin-1", PYTHONHASHSEED="1") == wanted


def test_text_where_the_locale_lacks_a_character(first: tuple[Path, dict[str, bytes]]) -> None:
    """It is shown as its number instead of an error."""
    folder, _ = first
    code = "from volta_pipe.driver.cli import main; main()"
    environment = {**os.environ, "VOLTA_STORE": str(folder / "store"), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", code, "explain", "examples/axpy-spec/volta.toml"],
        env=environment,
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[0] == b"equivalent: " + NAME.encode("ascii", "backslashreplace")

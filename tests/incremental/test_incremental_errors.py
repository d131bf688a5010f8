"""Bad input is told in the same words whatever the store has, and a record of a last run that is none spoils nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.combination import Watch
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.history import STAGE
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store, action_key
from volta_pipe.ir.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The contract of axpy, with a PTX of its own for each side."""
    shutil.copytree(ROOT / "examples/axpy", tmp_path / "files")
    path = tmp_path / "files" / "volta.toml"
    shutil.copy(tmp_path / "files" / "axpy.ptx", tmp_path / "files" / "first.ptx")
    head, _, rest = path.read_text().partition('source = "axpy.ptx"')
    path.write_text(f'{head}source = "first.ptx"{rest}')
    return path


def test_of_two_errors_the_first_is_told(files: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        assert verify(files, store).document["verdict"] == "equivalent"
    (files.parent / "first.ptx").write_text((files.parent / "first.ptx").read_text().replace("ret;", "ret ] ;"))
    head, found, tail = files.read_text().rpartition('args   = ["x", "y", "a", "n"]')
    assert found
    files.write_text(f'{head}args   = ["x", "y", "a"]{tail}')
    told = []
    for folder in ("store", "fresh"):
        with Store(tmp_path / folder) as store, pytest.raises(InputError) as error:
            verify(files, store)
        told.append(str(error.value))
    assert told[0] == told[1] and "first.ptx" in told[0]


class _Curious(Watch):
    wants_reasons = True


@pytest.mark.parametrize("outputs", [5, None, [], {"artifact": 5}])
def test_a_last_run_of_another_form_gives_no_reasons(files: Path, tmp_path: Path, outputs: Any) -> None:
    with Store(tmp_path / "store") as store:
        verify(files, store, watch=_Curious())
        key = action_key([STAGE, os.fsencode(Path(read_contract(files).source.file).resolve())])
        record = store.lookup(key)
        assert record is not None
        steps = {name: [*asked[:3], outputs] for name, asked in record.summary["steps"].items()}
        for path in (tmp_path / "store" / "actions").glob("??/*"):
            path.unlink()
        store.record(key, STAGE, {}, {"steps": steps})
        found = verify(files, store, watch=_Curious()).document
    assert found["verdict"] == "equivalent"
    assert {stage["why"] for stage in found["stages"]} <= {"", "code that no row names changed"}

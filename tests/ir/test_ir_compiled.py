"""How loops are compiled and kept: a small module whose functions call each other in every allowed way, in fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

# `total` calls `pick` and `step`; `step` calls `pick` and itself; `pick` uses an implementation of numba's own (a tuple's
# `in`); `doubled` allocates. By hand: total([1, 5, 2]) = (1+1) + step(3) + (5+100) + (2+1), and step(3) = 3+2+1.
_MODULE = """
import numpy as np
from volta_pipe.ir.compiled import allocating, entry, entry_of, inlined, inner, inner_allocating, int64

@inner
def pick(v):
    return v + (int64(1) if v in (int64(1), int64(2)) else int64(100))

@inner
def step(n):
    if n in (int64(0), int64(-1)):
        return int64(0)
    return n + step(n - 1)

@inlined
def both(v, n):
    return pick(v) + step(n)

@inner_allocating
def doubled(x):
    return np.concatenate((x, x))

@entry
def total(x):
    s = both(x[0], int64(3))
    for i in range(1, len(x)):
        s += pick(x[i])
    return s

@allocating
def twice(x):
    y = doubled(x)
    y[0] = pick(y[0])
    return y

pick_entry = entry_of(pick)
"""
_CALLS = (
    "import numpy as np, m; x = np.array([1, 5, 2]); print(m.total(x), m.twice(x).tolist(), m.pick_entry(7), m.pick_entry(2))"
)
_REFUSE = "from volta_pipe.ir import compiled_library as c\nc.InnerCompiler.__init__ = c.EntryCompiler.__init__ = None\n"
_RIGHT = "116 [2, 5, 2, 1, 5, 2] 107 3"


def _python(code: str, folder: Path, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache or folder / "cache"),
        "PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}",
    }
    return subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, env=environment, timeout=300, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.py").write_text(_MODULE)
    return tmp_path


def _files(folder: Path) -> set[str]:
    return {path.name.split("-")[0] for path in (folder / "cache").rglob("*.nbc")}


def test_compiled_and_loaded_code_give_the_same(folder: Path) -> None:
    for _ in range(2):
        done = _python(_CALLS, folder)
        assert done.stdout.strip() == _RIGHT, done.stderr
    assert _files(folder) == {"m.total", "m.twice", "m.pick"}  # entries alone are kept


def test_what_is_loaded_was_not_compiled_again(folder: Path) -> None:
    assert _python(_CALLS, folder).stdout.strip() == _RIGHT
    assert _python(_REFUSE + _CALLS, folder).stdout.strip() == _RIGHT


def test_a_copy_finds_what_was_compiled_elsewhere(folder: Path, tmp_path: Path) -> None:
    """As a copied checkout does, or several that share a cache: the code is known by its contents."""
    copy = tmp_path / "elsewhere" / folder.name
    copy.mkdir(parents=True)
    (copy / "m.py").write_text(_MODULE)
    assert _python(_CALLS, folder).stdout.strip() == _RIGHT
    done = _python(_REFUSE + _CALLS + "; print(m.__file__)", copy, folder / "cache")
    assert done.stdout.splitlines() == [_RIGHT, str(copy / "m.py")], done.stderr
    (copy / "m.py").write_text(_MODULE.replace("int64(100)", "int64(1000)"))
    assert _python(_REFUSE + _CALLS, copy, folder / "cache").returncode != 0
    assert _python(_CALLS, copy, folder / "cache").stdout.strip() == "1016 [2, 5, 2, 1, 5, 2] 1007 3"


def test_an_edit_in_an_inner_function_is_seen(folder: Path) -> None:
    assert _python(_CALLS, folder).stdout.strip() == _RIGHT
    (folder / "m.py").write_text(_MODULE.replace("int64(100)", "int64(1000)"))
    assert _python(_CALLS, folder).stdout.strip() == "1016 [2, 5, 2, 1, 5, 2] 1007 3"


@pytest.mark.parametrize("loaded", [False, True])
def test_compiled_code_may_not_call_an_entry(folder: Path, *, loaded: bool) -> None:
    message = "unfit for linking" if loaded else "compiled code calls an entry"
    (folder / "m.py").write_text(
        _MODULE
        + textwrap.dedent("""
        @entry
        def wrong(x):
            return total(x) + 1
        """)
    )
    before = "m.total(x); " if loaded else ""
    if loaded:
        _python("import numpy as np, m; m.total(np.array([1, 5, 2]))", folder)
    done = _python(f"import numpy as np, m; x = np.array([1, 5, 2]); {before}print(m.wrong(x))", folder)
    assert done.returncode != 0 and not done.stdout and message in done.stderr


def test_loading_an_entry_makes_nothing_of_its_inner_functions(folder: Path) -> None:
    """Neither numba's dispatchers of them, nor the environments that their code does not look at."""
    look = """
from numba.core.environment import Environment
print("_dispatcher" in vars(m.pick), sum("pick" in name or "step" in name for name in list(Environment._memo)))"""
    first, second = (_python(f"{_CALLS}{look}", folder).stdout.splitlines() for _ in range(2))
    assert first[0] == second[0] == _RIGHT
    assert first[1].startswith("True ") and not first[1].endswith(" 0")
    assert second[1] == "False 1"  # that of pick_entry, which is an entry


def test_an_environment_that_code_looks_at_is_kept(folder: Path) -> None:
    """An error with a value of run time is made in Python, with what the environment holds."""
    (folder / "m.py").write_text(
        _MODULE
        + textwrap.dedent("""
        @inner_allocating
        def checked(n):
            if n > int64(3):
                raise ValueError("too large", n)
            return n

        @allocating
        def refusing(x):
            return np.zeros(checked(x[0])).sum()
        """)
    )
    code = "import numpy as np, m\nprint(m.refusing(np.array([2])))\ntry:\n    m.refusing(np.array([9]))\n"
    code += "except ValueError as error:\n    print(error.args)"
    for _ in range(2):
        done = _python(code, folder)
        assert done.stdout.splitlines() == ["0.0", "('too large', 9)"], done.stderr

"""A stage's version changes with its code and with that of every module it imports, and with no other."""

from __future__ import annotations

import ast
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver import versions


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {
        "passes/__init__.py": "",
        "passes/one/__init__.py": "def f():\n    from volta_pipe.ir import (\n        data,\n    )\n",
        "passes/two.py": "import volta_pipe.passes.one\n",
        "ir/__init__.py": "",
        "ir/data.py": "from volta_pipe.ir.deep import x\n",
        "ir/deep.py": "x = 1\n",
        "ir/other.py": "y = 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "driver").mkdir()
    monkeypatch.setattr(versions, "_package_root", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "one", "two"),
    [
        ("passes/one/__init__.py", True, True),
        ("passes/two.py", False, True),
        ("ir/deep.py", True, True),
        ("ir/other.py", False, False),
        ("passes/one/new.py", True, False),  # in the stage's folder, imported by nobody yet
    ],
)
def test_versions_follow_the_code(tree: Path, changed: str, one: bool, two: bool) -> None:
    def both() -> tuple[str, str]:
        versions.stage_version.cache_clear()
        versions._sources.cache_clear()
        return versions.stage_version("one"), versions.stage_version("two")

    before = both()
    path = tree / changed
    path.write_text((path.read_text() if path.exists() else "") + "z = 2\n")
    after = both()
    assert (before[0] != after[0], before[1] != after[1]) == (one, two)
    versions.stage_version.cache_clear()
    versions._sources.cache_clear()


@pytest.mark.parametrize(
    ("statement", "file"),
    [
        ("import helper", "helper.py"),
        ("import numpy as np, helper", "helper.py"),
        ("import numpy as np; import helper", "helper.py"),
        ("from helper import C", "helper.py"),
        ("from pkg import sub", "pkg/sub.py"),
        ("from pkg import sub", "pkg/__init__.py"),
        ("import pkg.deep.sub as s", "pkg/deep/sub.py"),
        ("import pkg.deep.sub as s", "pkg/deep/__init__.py"),
        ("from pkg.deep.sub import C", "pkg/deep/sub.py"),
        ("from pkg import other", "pkg/sub.py"),  # which pkg/other.py imports, from `.`
        ("from pkg.deep import up", "pkg/sub.py"),  # from `..`
        ("from pkg.deep import up", "helper.py"),  # by its name from the spec's folder
        ("def f():\n    if True:\n        from pkg import (\n            sub,\n        )", "pkg/sub.py"),
    ],
)
def test_a_spec_changes_with_all_that_it_imports(tmp_path: Path, statement: str, file: str) -> None:
    texts = {"pkg/other.py": "from . import sub\n", "pkg/deep/up.py": "from .. import sub\nimport helper\n"}
    names = ("helper.py", "alone.py", "pkg/__init__.py", "pkg/sub.py", "pkg/other.py", "pkg/deep/__init__.py")
    for name in (*names, "pkg/deep/sub.py", "pkg/deep/up.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(texts.get(name, "C = 2.0\n"))
    spec = tmp_path / "spec.py"
    spec.write_text(f"{statement}\n")
    before = versions.spec_digest(spec)
    (tmp_path / "alone.py").write_text("C = 3.0\n")
    assert versions.spec_digest(spec) == before
    (tmp_path / file).write_text(texts.get(file, "") + "C = 3.0\n")
    assert versions.spec_digest(spec) != before


def test_one_thread_at_a_time_parses_a_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Combinations of dims run side by side, and each looks whether the spec is still the same."""
    spec = tmp_path / "spec.py"
    spec.write_text("def f(x):\n    return {'y': x}\n")
    parse, at_work, most = ast.parse, [0], [0]

    def slowly(*arguments: Any) -> ast.Module:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        time.sleep(0.01)
        at_work[0] -= 1
        return parse(*arguments)

    monkeypatch.setattr(ast, "parse", slowly)
    threads = [threading.Thread(target=versions.spec_digest, args=(spec,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]

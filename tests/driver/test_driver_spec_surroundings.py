"""A process that stays gives each spec what a new process would, whatever the specs before it did; and what lies among
installed packages is no more believed than what lies elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driver_kernels import contract, ptx, tensor

from volta_pipe.driver import versions
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.spec_reads import Unkeyed, watched
from volta_pipe.driver.store import Store
from volta_pipe.passes.installed import in_versions, installed
from volta_pipe.passes.trace.surroundings import Surroundings

ROOT = Path(__file__).resolve().parent.parent.parent
DOUBLE = ptx("x y", "  ld.global.f32 %f1, [%x];\n  add.f32 %f2, %f1, %f1;\n  st.global.f32 [%y], %f2;\n")
TENSORS = [tensor("x"), tensor("y", "out")]
# What a spec does at its import, and the factor of the next one, which is 2 where nothing is left of that.
EFFECTS = {
    "NumPy": ("import numpy as np\nnp.exp = np.exp2", "import numpy as np", "2 if np.exp(1.0) > 2.5 else 3"),
    "NumPy itself": (
        "import importlib\nimportlib.import_module('numpy').exp = None",
        "import numpy as np",
        "2 if np.exp(1.0) > 2.5 else 3",
    ),
    "a name that is gone": ("import math\ndel math.pi", "import math", "2 if math.pi > 3 else 3"),
    "a new name": ("import math\nmath.tau2 = 1", "import math", "3 if hasattr(math, 'tau2') else 2"),
    "a part of NumPy": (
        "import numpy as np\nnp.linalg.norm = lambda v: 3.0",
        "import numpy as np",
        "np.linalg.norm([2.0, 0.0])",
    ),
    "a part that is new": (
        "import numpy as np\nnp.polynomial.polynomial.polyval = lambda *v: 3.0",
        "import numpy as np",
        "np.polynomial.polynomial.polyval(1.0, [1.0, 1.0])",
    ),
    "math": ("import math\nmath.sqrt = lambda v: 3.0", "import math", "math.sqrt(4.0)"),
    "functools": ("import functools\nfunctools.reduce = lambda *v: 3.0", "import functools", "functools.reduce(max, [1, 2])"),
    "builtins": ("import builtins\nbuiltins.abs = lambda v: 3.0", "", "abs(-2.0)"),
    "the library": ("import volta_pipe.spec as s\ns.relu = lambda v: 3.0", "from volta_pipe.spec import relu", "relu(2.0)"),
    "a module of another name": (
        "import sys, types\nsys.modules['math'] = types.SimpleNamespace(sqrt=lambda v: 3.0)",
        "import math",
        "math.sqrt(4.0)",
    ),
    "a method": (
        "from fractions import Fraction\nFraction.limit_denominator = lambda *v: 3.0",
        "from fractions import Fraction",
        "float(Fraction(2).limit_denominator(5))",
    ),
    "a module that is made up": (
        "import sys, types\nsys.modules['factor'] = types.SimpleNamespace(C=3.0)",
        "import factor",
        "factor.C",
    ),
    "a folder of modules": ("import common.common_factor", "import common.common_factor", "common.common_factor.C"),
    "a finder": (
        "import sys, types\nclass Finder:\n    def find_spec(*_): raise ImportError\nsys.meta_path.insert(0, Finder())",
        "import factor",
        "factor.C",
    ),
    "a variable": (
        "import os\nos.environ['VOLTA_TEST_LEFT'] = '3'",
        "import os",
        "float(os.environ.get('VOLTA_TEST_LEFT', '2'))",
    ),
    "a variable that is gone": ("import os\ndel os.environ['PATH']", "import os", "2 if 'PATH' in os.environ else 3"),
    "the folder": ("import os\nos.chdir('/')", "import os", "3 if os.getcwd() == '/' else 2"),
    "sys.path": (
        "import sys\nsys.path.append(__file__[:-7] + 'common')\nimport common_factor",
        "import sys\nsys.path.append(__file__[:-7] + 'common')\nimport common_factor",
        "common_factor.C",
    ),
    "sys.path that is another": ("import sys\nsys.path = []", "import sys", "2 if sys.path[1:] else 3"),
    "warnings": ("import warnings\nwarnings.simplefilter('error')", "import warnings", "2 + (warnings.warn('x') or 0)"),
    "errors of NumPy": ("import numpy as np\nnp.seterr(all='raise')", "import numpy as np", "2 - np.exp(np.float64(-1e6))"),
    "how NumPy prints": (
        "import numpy as np\nnp.set_printoptions(precision=1)",
        "import numpy as np",
        "2 if str(np.linspace(0.123, 1, 1)) == '[0.123]' else 3",
    ),
    "decimals": (
        "import decimal\ndecimal.getcontext().prec = 2",
        "from decimal import Decimal",
        "2 if Decimal(1) / 3 > Decimal('0.333') else 3",
    ),
    "recursion": ("import sys\nsys.setrecursionlimit(3456)", "import sys", "3 if sys.getrecursionlimit() == 3456 else 2"),
    "random numbers": (
        "import random\nrandom.seed(3)\nA = random.random()",
        "import random",
        "3 if random.random() == 0.5442292252959519 else 2",
    ),
}  # fmt: skip


def _spec(folder: Path, top: str, factor: str, common: float = 2.0) -> Path:
    (folder / "common").mkdir(parents=True)
    (folder / "common" / "common_factor.py").write_text(f"C = {common}\n")
    (folder / "factor.py").write_text("C = 2.0\n")
    path = contract(folder, DOUBLE, "x: None", TENSORS, args="x y")
    (folder / "spec.py").write_text(f"{top}\ndef spec(x):\n    return {{'y': x * ({factor})}}\n")
    return path


def _run(path: Path, *skip: str, store: str = "store") -> Session:
    with Store(path.parent / store) as found:
        return verify(path, found, Options(skip=frozenset(skip)))


def _new_process(path: Path, more: Path | None = None) -> str:
    """The verdict of a process of its own."""
    folders = [str(ROOT)] + ([str(more)] if more is not None else [])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "VOLTA_SERVER": "off"}
    call = "from volta_pipe.driver.start import main; main()"
    arguments = ["run", str(path), "--json", "--store", str(path.parent / "store")]
    done = subprocess.run([sys.executable, "-c", call, *arguments], env=environment, capture_output=True, check=False)
    return str(json.loads(done.stdout)["verdict"])


@pytest.mark.parametrize("what", EFFECTS)
def test_nothing_of_a_spec_is_left_for_the_next(tmp_path: Path, what: str) -> None:
    effect, top, factor = EFFECTS[what]
    before, after = _spec(tmp_path / "a", effect, "2", 3.0), _spec(tmp_path / "b", top, factor)
    for _ in range(2):
        _run(before)
        for skip in ("dynamic", "proof"):
            assert _run(after, skip).document["verdict"] in ("equivalent", None)
        assert _run(after, store="empty").document["verdict"] == "equivalent"


@pytest.mark.parametrize("what", ["NumPy", "math", "sys.path", "a variable", "a method"])
def test_without_putting_back_something_would_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The mutant; what it leaves is put back here."""
    effect, top, factor = EFFECTS[what]
    before, after = _spec(tmp_path / "a", effect, "2", 3.0), _spec(tmp_path / "b", top, factor)
    from volta_pipe.passes.trace.making import SPEC_NUMPY

    mine = Surroundings((SPEC_NUMPY,))
    restore = Surroundings.restore
    monkeypatch.setattr(Surroundings, "restore", lambda self: [])
    try:
        _run(before)
        assert _run(after, "dynamic").document["verdict"] == "not-equivalent"
    finally:
        restore(mine)


@pytest.mark.parametrize("what", ["NumPy", "sys.path", "warnings"])
def test_a_new_process_says_the_same(tmp_path: Path, what: str) -> None:
    _, top, factor = EFFECTS[what]
    assert _new_process(_spec(tmp_path, top, factor)) == "equivalent"


def test_what_a_spec_changes_holds_in_its_own_calls(tmp_path: Path) -> None:
    text = "import os, sys\nsys.path.append(__file__[:-7] + 'common')\nos.environ['VOLTA_TEST_LEFT'] = '2'\n"
    factor = "__import__('common_factor').C * float(os.environ['VOLTA_TEST_LEFT']) / 2"
    path = _spec(tmp_path, text, factor)
    assert _run(path).document["verdict"] == "equivalent"
    assert "VOLTA_TEST_LEFT" not in os.environ and not any(one.endswith("common") for one in sys.path)


def test_a_change_is_why_a_result_is_not_kept(tmp_path: Path) -> None:
    """By a way that the text does not show."""
    path = _spec(tmp_path, "import helper\nhelper.functools.reduce = max", "2")
    (tmp_path / "helper.py").write_text("import functools\n")
    unkeyed = Unkeyed()
    from volta_pipe.passes.trace.spec import load_spec

    with watched(tmp_path / "spec.py", unkeyed):
        load_spec("spec.py:spec", tmp_path)
    assert unkeyed.why == "the spec changes functools.reduce"
    for _ in range(2):
        assert not next(one for one in _run(path).document["stages"] if one["name"] == "trace")["cached"]


def test_a_project_among_packages_is_no_package(tmp_path: Path) -> None:
    """A file beside a spec is an input, wherever the spec lies."""
    path = _spec(tmp_path / "site-packages" / "project", "", "float(open(__file__[:-7] + 'c.txt').read())")
    for text, verdict in (("2", "equivalent"), ("3", "not-equivalent")):
        (path.parent / "c.txt").write_text(text)
        assert _run(path).document["verdict"] == verdict
    unkeyed = Unkeyed()
    with watched(path.parent / "spec.py", unkeyed):
        eval(compile("open(path).close()", str(path.parent / "spec.py"), "eval"), {"path": path.parent / "c.txt"})
    assert unkeyed.files == [os.path.realpath(path.parent / "c.txt")]


def test_a_package_that_a_spec_imports_is_part_of_no_key(tmp_path: Path) -> None:
    path = _spec(tmp_path / "user", "import volta_test_package as p", "p.C")
    package = tmp_path / "lib" / "site-packages" / "volta_test_package"
    package.mkdir(parents=True)
    for value, verdict in (("2.0", "equivalent"), ("3.00", "not-equivalent")):
        (package / "__init__.py").write_text(f"C = {value}\n")
        assert _new_process(path, package.parent) == verdict


def test_what_is_installed_is_told_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sysconfig

    import numpy
    import pytest as other

    assert in_versions(os.__file__) and in_versions(str(numpy.__file__)) and in_versions(versions.__file__)
    assert installed(other.__file__) and not in_versions(other.__file__)
    inside = Path(sysconfig.get_path("stdlib")) / "site-packages" / "a.py"  # within the folder of the standard library
    assert installed(str(inside)) and not in_versions(str(inside))
    for prefix in (sys.prefix, sys.base_prefix):  # where Python lies in /usr, much of a machine does
        assert not installed(str(Path(prefix) / "src" / "project" / "a.py"))
    assert not installed(str(tmp_path / "a.py"))


def test_python_and_numpy_are_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_of() -> list[str]:
        versions.stage_version.cache_clear()
        versions._surroundings.cache_clear()
        return [versions.stage_version(name) for name in ("trace", "dynamic", "vc")]

    first = all_of()
    (tmp_path / "version.py").write_text('version = "9.9.9"\n')
    with monkeypatch.context() as patch:
        patch.setattr(versions, "numpy_folder", lambda: str(tmp_path))
        numpy = all_of()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "4.0")
        python = all_of()
    for other in (numpy, python):
        assert [a == b for a, b in zip(first, other, strict=True)] == [False, False, True]
    assert all_of() == first


def test_where_things_lie_is_known_before_a_spec_imports(tmp_path: Path) -> None:
    """Else the finder of modules beside it asks for that, which imports, and so on."""
    (tmp_path / "spec.py").write_text("import sysconfig\ndef spec(x):\n    return {'y': x}\n")
    call = "from pathlib import Path; from volta_pipe.passes.trace.spec import load_spec; load_spec('spec.py:spec', Path.cwd())"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()

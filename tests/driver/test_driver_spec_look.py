"""What the text of a spec says of what its result rests on."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from volta_pipe.driver.spec_look import PURE, _leads_out, spec_doubts

ROOT = Path(__file__).resolve().parent.parent.parent
NUMPY = "import numpy as np\n"


def _doubts(folder: Path, text: str) -> list[str]:
    (folder / "spec.py").write_text(text)
    return spec_doubts(folder / "spec.py")


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np, math\nimport functools as f\ndef spec(x):\n    return np.exp(x) * math.pi\n",
        "from __future__ import annotations\nfrom numpy.typing import NDArray\nfrom collections.abc import Sequence\n",
        "from numpy.lib.stride_tricks import sliding_window_view\n",
        NUMPY + "a = np.lib.stride_tricks.sliding_window_view\nb = np.linalg.norm\nc = np.array([1]).T.copy()\n",
        NUMPY + "g = np.random.default_rng(3)\nh = np.random.Generator(np.random.PCG64(3)).normal(size=3)\n",
        "from volta_pipe.spec import softmax\nimport volta_pipe.spec as s\nfrom volta_pipe import spec\ny = s.relu\n",
        "from helper import C\nimport helper\nhelper.C = 3\ny = [helper]\n",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\n    def __post_init__(self): self.n = 1\n",
        '"""Of __import__ and open."""\nclass A:\n    __slots__ = ("n",)\n    def __init__(self): super().__init__()\n',
        "def spec(input, hash): return {'y': input + hash, 'n': getattr(input, 'dtype', None)}\n",
        "if __name__ == '__main__':\n    print(spec)\n",
        "def (",
    ],
)
def test_what_knows_nothing_of_the_outside_is_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "helper.py").write_text("C = 2\n")
    assert _doubts(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\nimport os\n", "spec.py:2 imports os: what it reads or asks cannot be told"),
        ("import numpy as np, os.path\n", "spec.py:1 imports os.path: "),
        ("def f():\n    from pathlib import Path\n", "spec.py:2 imports pathlib.Path: "),
        ("import scipy.special\n", "spec.py:1 imports scipy.special: "),
        ("import helper\n", "helper.py:3 imports time: "),
        ("from package import deep\n", "deep.py:1 uses open"),
        ("from contextlib import os\n", "spec.py:1 imports contextlib.os: "),
        ("from operator import attrgetter\n", "spec.py:1 imports operator.attrgetter: "),
        ("from numpy import load\n", "spec.py:1 imports numpy.load: "),
        ("from numpy import *\n", "spec.py:1 imports all of numpy: "),
        ("from numpy.random import rand\n", "spec.py:1 imports numpy.random.rand: "),
        ("from numpy import _core\n", "spec.py:1 imports numpy._core: "),
        ("from volta_pipe.driver import store\n", "spec.py:1 imports volta_pipe.driver.store: "),
        ("import volta_pipe\n", "spec.py:1 imports volta_pipe: "),
        ("import string\n", "spec.py:1 imports string, which is a module beside it and one that is installed"),
        (NUMPY + "y = np.loadtxt('c.txt')\n", "spec.py:2 uses loadtxt"),
        (NUMPY + "y = np.lib.npyio\n", "spec.py:2 uses npyio"),
        (NUMPY + "y = np.random.rand()\n", "spec.py:2 uses random.rand without a seed that is written there"),
        (NUMPY + "y = np.random.default_rng()\n", "spec.py:2 uses random.default_rng without a seed"),
        (NUMPY + "y = np.random.default_rng(None)\n", "spec.py:2 uses random.default_rng without a seed"),
        (NUMPY + "y = np.random\n", "spec.py:2 uses the module random as a value"),
        (NUMPY + "y = vars(np)\n", "spec.py:2 uses the module np as a value"),
        (NUMPY + "y = '{0.x}'.format(np)\n", "spec.py:2 uses the module np as a value"),
        (NUMPY + "np.exp = np.exp2\n", "spec.py:2 sets exp of np"),
        (NUMPY + "np.linalg.norm = None\n", "spec.py:2 sets norm of np"),
        (NUMPY + "del np.exp\n", "spec.py:2 sets exp of np"),
        (NUMPY + "y = np._core\n", "spec.py:2 uses _core of np"),
        ("import contextlib\ny = contextlib.os\n", "spec.py:2 uses os"),
        ("y = __file__\n", "spec.py:1 uses __file__"),
        ("y = __import__('os')\n", "spec.py:1 uses __import__"),
        ("y = open\n", "spec.py:1 uses open"),
        ("y = eval('1')\n", "spec.py:1 uses eval"),
        ("y = input()\n", "spec.py:1 uses input"),
        ("def f(): pass\ny = f.__globals__\n", "spec.py:2 uses __globals__"),
        ("y = ().__class__\n", "spec.py:1 uses __class__"),
        ("y = '{0.__globals__}'\n", "spec.py:1 writes __globals__"),
        ("y = getattr(f, a)\n", "spec.py:1 uses getattr with a name that is not written there"),
        ("y = getattr(f, '_x')\n", "spec.py:1 uses getattr with a name that is not written there"),
        ("y = [getattr]\n", "spec.py:1 uses getattr with a name that is not written there"),
    ],
)
def test_what_may_know_of_the_outside_is_named_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "deep.py").write_text("f = open\n")
    (tmp_path / "helper.py").write_text("\n\nimport time\n")
    (tmp_path / "string.py").write_text("")
    found = _doubts(tmp_path, text)
    assert found and found[0].startswith(says)


def test_each_of_several_is_said_in_the_order_of_lines(tmp_path: Path) -> None:
    found = _doubts(tmp_path, "import json\n" + "\n" * 8 + "y = open\nimport os\n" + "z = __file__\n")
    assert [one.split()[0] for one in found] == ["spec.py:10", "spec.py:11", "spec.py:12"]


@pytest.mark.parametrize("name", sorted(PURE))
def test_what_is_allowed_leads_to_no_other_module(name: str) -> None:
    """Of the modules that a spec may import, those that they have as attributes are allowed, begin with `_` or are refused."""
    module = importlib.import_module(name)
    inner = {key: value for key, value in vars(module).items() if isinstance(value, ModuleType)}
    for key, value in inner.items():
        if not value.__name__.startswith("numpy") and not key.startswith("_"):
            assert value.__name__.split(".")[0] in PURE or _leads_out(key), f"{name}.{key}"


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/spec.py")) + sorted(ROOT.glob("tests/*/*/spec.py")), ids=str)
def test_specs_of_this_project_are_kept(path: Path) -> None:
    assert spec_doubts(path) == []

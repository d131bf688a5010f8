"""What a report prints of the library: the function of the contract and all that it needs, and nothing else."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driver_commands import Commands
from driver_html import read_html

import volta_pipe.spec as library
from volta_pipe.driver.report.library_text import library_text

USED = {
    "attention": ["softmax", "wide"],
    "conv2d": ["wide"],
    "cross_entropy": ["log_softmax", "wide"],
    "gelu": ["erf", "wide"],
    "matmul": [],
    "softmax": ["wide"],
    "rms_norm": ["wide"],
}
SQUARE = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
INPUTS: dict[str, dict[str, Any]] = {
    "attention": {"q": SQUARE, "k": SQUARE, "v": SQUARE, "causal": True},
    "conv2d": {"x": SQUARE[None, None], "weight": SQUARE[None, None, :2, :2], "padding": 1},
    "cross_entropy": {"x": SQUARE, "label": np.arange(4), "reduction": "mean"},
    "gelu": {"x": SQUARE},
    "matmul": {"a": SQUARE, "b": SQUARE, "transpose_a": True},
    "softmax": {"x": SQUARE},
    "rms_norm": {"x": SQUARE, "weight": SQUARE[0]},
}


def _text(name: str) -> str:
    return library_text(Path(inspect.getfile(getattr(library, name))), name)


@pytest.mark.parametrize("name", USED)
def test_the_text_computes_the_same_by_itself(name: str) -> None:
    text = _text(name)
    defined = re.findall(r"^def (\w+)", text, re.MULTILINE)
    assert defined[0] == name and sorted(one for one in defined[1:] if one[0] != "_") == USED[name]
    space: dict[str, Any] = {}
    exec("from __future__ import annotations\nimport math\nimport numpy as np\n" + text, space)
    np.testing.assert_array_equal(space[name](**INPUTS[name]), getattr(library, name)(**INPUTS[name]))


@pytest.mark.parametrize("name", library.__all__)
def test_each_is_shown_as_it_stands(name: str) -> None:
    assert _text(name).startswith(inspect.getsource(getattr(library, name)).rstrip())


def test_the_report_shows_this(real: Commands, tmp_path: Path) -> None:
    assert real("report", "tests/contracts/library/softmax_wrong_axis.toml", "-o", str(tmp_path / "r.html")) == 1
    text = read_html((tmp_path / "r.html").read_text()).text
    assert "def softmax(" in text and "def wide(" in text and "cross_entropy" not in text and "layer_norm" not in text

"""Where NumPy's memory layout decides whether something is a view, a spec may not write: the layout is not traced."""

from __future__ import annotations

from pathlib import Path

import pytest
from trace_specs import tensor, traced

from volta_pipe.ir.errors import InputError, UnsupportedError

WRITES = (
    "o = np.maximum(x.T, 0); o.reshape(-1)[0] = 5.0; return {'o': o}",
    "o = x * 2; r = o.ravel(); o[0, 0] = 1.0; return {'o': r.reshape(3, 3)}",
    "z = np.zeros_like(x.T); z.ravel()[:] = x.ravel(); return {'o': z}",
    "z = x.T.copy(); v = z.reshape(-1); v *= 0; return {'o': z}",
    "return {'o': (x.T * 2).flatten('K').reshape(3, 3)}",
    "return {'o': np.ravel(x.T + 1, 'A').reshape(3, 3)}",
    "y = x.reshape(-1, copy=True); y += 1; return {'o': x}",
    "y = x.astype(np.float32, copy=False); y += 1; return {'o': x}",
    "y = np.clip(x, None, None); y += 1; return {'o': x}",
    "return {'o': np.linalg.diagonal(np.stack([x, x, x]))}",
)


@pytest.mark.parametrize("body", WRITES)
def test_what_rests_on_a_layout_is_refused_with_its_line(tmp_path: Path, body: str) -> None:
    text = f"def spec(x):\n    {body}\n"
    with pytest.raises((InputError, UnsupportedError)) as caught:
        traced(tmp_path, text, tensor("x", (3, 3)), tensor("o", (3, 3), "out"))
    place = caught.value.place
    assert Path(place.file).read_text().splitlines()[place.line - 1].strip() == body


def test_a_deep_copy_is_a_copy_of_the_values_on_the_same_tape(tmp_path: Path) -> None:
    text = "import copy\ndef spec(x):\n    y = copy.deepcopy(x)\n    y += 1\n    return {'o': x + copy.copy(x), 'p': y}\n"
    conditions = traced(tmp_path, text, tensor("x", (2,)), tensor("o", (2,), "out"), tensor("p", (2,), "out"))
    graph = conditions.graph
    assert [graph.operands(int(n)) for n in conditions.outputs[1]] == [(6, 6), (7, 7)]
    assert all(2 in graph.operands(int(n)) for n in conditions.outputs[2])

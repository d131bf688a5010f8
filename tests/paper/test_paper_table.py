"""The figures that the tables are made of: limits, ranges, what falls short, and contracts at other dims."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from bench.paper.document import document
from bench.paper.rows import MOST_MEMORY, Measured, Published, Row, rows
from bench.paper.running import Outcome
from bench.paper.table import cells, shortfalls, text_lines
from bench.paper.variants import variant
from volta_pipe.driver.expectations import Expectation

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "examples" / "matmul" / "volta.toml"
ROW = Row("r", "Row", CONTRACT, Expectation("equivalent", ""), paper=Published("1/2", (3, 3), (1e6, 2e6), (0.5, 0.7), (9, 9)))
OUTCOME = Outcome("equivalent", (), 16384, 1_500_000, 2.0, 0.5, 1.0, 5e8)


@pytest.mark.parametrize(
    ("volta", "limit", "allowed"),
    [
        (Measured(31.0, 134.0), None, 165 / 30 + 1),  # over 30 s: a 30th
        (Measured(4.2, 16.0), None, 20.2 / 10 + 1),  # over 10 s: a 10th
        (Measured(1.1, 3.1), None, 4.2 + 1),  # below: the same
        (Measured(31.0, 134.0), 5.0, 5.0 + 1),
        (None, None, 0.7 + 9 + 1),  # the paper's highest figures
    ],
)
def test_the_limit_of_a_row(volta: Measured | None, limit: float | None, allowed: float) -> None:
    assert replace(ROW, volta=volta, limit=limit).seconds_allowed() == pytest.approx(allowed)
    assert replace(ROW, paper=None).seconds_allowed() is None


def test_what_falls_short_is_told() -> None:
    assert shortfalls([(ROW, OUTCOME)]) == []
    late = replace(OUTCOME, wall=10.71)
    large = replace(OUTCOME, peak=MOST_MEMORY + 1e6)
    wrong = replace(OUTCOME, verdict="unknown")
    told = shortfalls([(ROW, late), (ROW, large), (ROW, wrong)])
    assert told == ["r: 10.71 s, at most 10.70 s", "r: 2001 MB, at most 2000 MB", "r: unknown, expected equivalent"]


def test_the_cells_of_a_row() -> None:
    shown = cells(replace(ROW, volta=Measured(31.0, 134.0)), OUTCOME)
    assert shown[:8] == ("Row", "equivalent", "16,384", "1.5 M", "0.50", "1.00", "2.00", "500")
    assert shown[8:] == ("0.5–0.7", "9", "165", "82", "6.5")
    assert len(list(text_lines([(ROW, OUTCOME)]))) == 2


def test_a_document_says_what_differs_once() -> None:
    other = replace(ROW, name="s", differs="Sizes are ours.")
    text = document([(replace(ROW, differs="Sizes are ours."), OUTCOME), (other, OUTCOME)], 12.0, 3)
    assert text.count("Sizes are ours.") == 1 and "* r, s: Sizes are ours." in text
    assert "All limits hold." in text and "(../examples/matmul/volta.toml)" in text
    assert "Limits that do not hold" in document([(ROW, replace(OUTCOME, wall=99.0))], 1.0, 1)


def test_a_contract_at_other_dims_and_with_another_candidate(tmp_path: Path) -> None:
    written = variant(CONTRACT, tmp_path, {"n": 256}, {"entry": "other"})
    was, now = (tomllib.loads(path.read_text()) for path in (CONTRACT, written))
    was["dims"]["n"], was["candidate"]["entry"] = 256, "other"
    assert now == was and (tmp_path / "matmul_naive.ptx").exists()


def test_a_dim_that_a_contract_does_not_have_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no line for dims"):
        variant(CONTRACT, tmp_path, {"rows": 3})


def test_the_rows_of_the_paper_are_there() -> None:
    names = {row.name for row in rows() if row.paper is not None}
    assert {f"red-1-{i}" for i in range(1, 5)} | {f"red-{i}" for i in range(5, 8)} <= names
    assert {f"matmul-1-{i}" for i in range(1, 8)} | {f"gemm-{i}" for i in range(1, 4)} | {"conv", "conv-bug"} <= names
    assert {f"{kind}-{name}" for kind in ("attention", "causal") for name in ("fa1", "fa1-tc", "fa2-tc")} <= names
    assert {f"tilelang-{size}" for size in ("32-32-32", "64-32-32", "64-64-32")} | {"attention-self"} <= names
    pairs = ("bucket-positions", "compute-range", "reduce-value", "layer-norm", "grad-input")
    assert {f"{name}-{when}" for name in pairs for when in ("before", "after")} <= names

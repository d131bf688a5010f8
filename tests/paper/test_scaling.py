"""The scaling study: its arithmetic, its contracts at their smallest size, and its document and plots from made-up figures."""

from __future__ import annotations

import pstats
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.paper.running import Outcome, medians
from bench.paper.variants import variant
from bench.runs import ROOT, process
from bench.scaling.document import Studied, document, plot_name
from bench.scaling.measuring import Curve, Point, slope
from bench.scaling.plots import plot
from bench.scaling.profiling import Share, function_name, largest
from bench.scaling.studies import STUDIES, Series, Study
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

SERIES = [series for study in STUDIES for series in study.series]


def outcome(steps: int, safety: float, proof: float) -> Outcome:
    stages = {"unroll": safety, "check": 0.0, "vc": proof}
    return Outcome("equivalent", (), 4096, steps, safety + proof + 1.0, safety, proof, 5e8, stages)


def made_up(series: Series, over: int | None = None) -> Curve:
    """Twice the size: three times the instructions at first and then twice, and four times the seconds and then three times."""
    sizes = series.sizes[:3]
    figures = ((1_000_000, 0.25, 0.25), (3_000_000, 0.5, 1.5), (6_000_000, 2.0, 4.0))
    points = [Point(size, outcome(*one), 1) for size, one in zip(sizes, figures, strict=True)]
    return Curve(series, tuple(points), over, 20.0)


def test_the_slope_is_that_of_the_last_doubling() -> None:
    found = made_up(SERIES[0])
    assert found.slope == pytest.approx((6.0 / 2.0) / (6 / 3))
    assert slope(*found.points[:2]) == pytest.approx((2.0 / 0.5) / 3)
    assert found.points[-1].per_step == pytest.approx(1000.0)  # 6 s for 6 M
    assert Curve(SERIES[0], found.points[:1]).slope is None


def test_medians_of_runs() -> None:
    middle = medians("x", [outcome(10, 1.0, 5.0), outcome(10, 3.0, 4.0), outcome(10, 2.0, 9.0)])
    assert (middle.safety, middle.proof, middle.wall, middle.stages["vc"]) == (2.0, 5.0, 8.0, 5.0)


def test_every_study_has_five_doublings() -> None:
    for series in SERIES:
        assert len(series.sizes) >= 6, series.name
        assert all(large == 2 * small for small, large in zip(series.sizes, series.sizes[1:], strict=False))


@pytest.mark.parametrize("series", SERIES, ids=lambda one: one.name)
def test_a_series_is_proved_at_its_smallest_size_and_can_be_run_at_its_largest(series: Series, tmp_path: Path) -> None:
    for name, size in (("small", series.sizes[0]), ("large", series.sizes[-1])):
        (tmp_path / name).mkdir()
        contract = variant(series.contract, tmp_path / name, series.at(size))
        assert read_contract(contract).combinations() == [
            series.at(size) | read_contract(series.contract).combinations()[0] | series.at(size)
        ]
    with Store(tmp_path / "store") as store:
        assert verify(tmp_path / "small" / series.contract.name, store).document["verdict"] == "equivalent"


def test_the_document_of_made_up_figures() -> None:
    series = SERIES[0]
    study = Study("made", "things", "What is counted.", (series, series))
    profiles = ({"vc": (Share("vc.machine:run", 0.75),)}, {})
    text = document([Studied(study, (made_up(series), made_up(series, over=1024)), profiles)], 12.0, 3)
    assert f"| {series.name} | 128 to 256 | × 2.00 | × 3.00 | 1.50 | over 1.15 |" in text
    assert f"| {series.name} | 128 to 256 | × 2.00 | × 3.00 | 1.50 | over 1.15, 1,024 took over 20 s |" in text
    assert "| 256 | 6.00 M | 4,096 | 2.00 | 4.00 | 7.00 | 500 | 1000 |" in text
    assert "Not measured: 1,024 and more, as 1,024 took over 20 s." in text
    assert "| vc | 4.00 | 67% | `vc.machine:run` 75% |" in text
    assert "(scaling-made.svg)" in text and "medians of 3 runs" in text
    assert not [line for line in text.splitlines() if len(line) > 140 and not line.startswith("|")]


def test_a_plot_is_the_same_each_time(tmp_path: Path) -> None:
    study = STUDIES[1]
    curves = [made_up(series) for series in study.series]
    for name in ("a.svg", "b.svg"):
        plot(study, curves, tmp_path / name)
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    assert ElementTree.fromstring(first).tag == "{http://www.w3.org/2000/svg}svg"
    assert b"<dc:date>" not in first
    assert plot_name(study) == "scaling-keys.svg"


def test_functions_are_named_by_module() -> None:
    assert function_name(str(ROOT / "passes" / "vc" / "machine.py"), "run") == "vc.machine:run"
    assert function_name(str(ROOT / "volta_pipe" / "ir" / "share.py"), "share") == "ir.share:share"
    installed = ROOT / ".venv" / "lib" / "python3.11" / "site-packages" / "xdsl" / "utils" / "base_printer.py"
    assert function_name(str(installed), "print_string") == "xdsl.utils.base_printer:print_string"
    assert function_name("~", "<method 'update' of '_hashlib.HASH' objects>") == "_hashlib.HASH.update"
    assert function_name("~", "<built-in method numpy.zeros>") == "numpy.zeros"


def test_the_largest_functions_of_a_profile() -> None:
    table = {
        ("a.py", 1, "f"): (1, 1, 3.0, 9.0, {}),
        ("a.py", 5, "f"): (1, 1, 2.0, 2.0, {}),
        ("b.py", 1, "g"): (1, 1, 5.5, 6.0, {}),
    }
    first, second = largest(table, 2)
    assert (first.name.split(":")[1], second.name.split(":")[1]) == ("g", "f")
    assert (first.part, second.part) == (pytest.approx(5.5 / 10.5), pytest.approx(5.0 / 10.5))
    assert largest(pstats.Stats().stats) == []  # type: ignore[attr-defined]


def test_a_process_over_its_limit_is_ended() -> None:
    with pytest.raises(TimeoutError, match=r"over 0\.01 s"):
        process(["doctor"], limit=0.01)

"""atom.inc and atom.dec, which wrap at a bound: with one bound their order does not matter, with several it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_explanations import document

CLEARED = "@%q st.shared.u32 [s], 0;", "bar.sync 0;"
READ = "bar.sync 0;", "ld.shared.u32 %t, [s];"


@pytest.mark.parametrize("operation", ["inc", "dec"])
def test_one_bound_for_all_threads(tmp_path: Path, operation: str) -> None:
    result = document(tmp_path, *CLEARED, f"atom.shared.{operation}.u32 %v, [s], 9;", *READ)
    assert result["verdict"] == "safe", result["findings"]
    both = (f"atom.shared.{operation}.u32 %v, [s], 9;", f"mov.u32 %v, 9; @%p red.shared.{operation}.u32 [s], %v;")
    (tmp_path / "two").mkdir()
    assert document(tmp_path / "two", *CLEARED, *both, *READ)["verdict"] == "safe"


@pytest.mark.parametrize(
    "body",
    [
        ("atom.shared.inc.u32 %v, [s], %t;",),  # a bound of each thread's own
        ("mov.u32 %v, 9;", "@%p mov.u32 %v, 8;", "red.shared.inc.u32 [s], %v;"),  # two in one instruction
        ("@%p atom.shared.inc.u32 %v, [s], 9;", "@!%p atom.shared.inc.u32 %v, [s], 8;"),  # one in each of two
        ("@%p atom.shared.inc.u32 %v, [s], 9;", "@!%p atom.shared.dec.u32 %v, [s], 9;"),
    ],
)
def test_bounds_that_differ(tmp_path: Path, body: tuple[str, ...]) -> None:
    result = document(tmp_path, *CLEARED, *body, *READ)
    assert result["verdict"] != "safe"
    assert any("the outcome depends on whether the atomic by" in one["message"] for one in result["findings"])

"""Where findings are shown to be: the line that the kernel's author wrote, and names of variables as in the source."""

from __future__ import annotations

import pytest

from volta_pipe.driver.findings import source_name, source_place
from volta_pipe.ir.lines import LineTable

FILES = ("kernel.cu", "library.hpp")


def table(source: tuple[int, int], *callers: tuple[int, int]) -> LineTable:
    return LineTable("kernel.ptx", FILES, ((5, 1),), (source,), (callers,))


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (table((0, 7)), {"file": "kernel.cu", "line": 7}),
        # A helper of the kernel's own file, called at line 20: the helper's line is the telling one.
        (table((0, 7), (0, 20)), {"file": "kernel.cu", "line": 7}),
        # A library function, called by the helper at line 7, called at line 20.
        (table((1, 112), (0, 7), (0, 20)), {"file": "kernel.cu", "line": 7, "within": {"file": "library.hpp", "line": 112}}),
        (table((1, 5), (1, 9), (0, 3)), {"file": "kernel.cu", "line": 3, "within": {"file": "library.hpp", "line": 5}}),
        (table((-1, 0)), None),
    ],
)
def test_the_author_s_line(lines: LineTable, shown: dict[str, object] | None) -> None:
    assert source_place(lines, 0) == shown


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ22reduce_missing_barrierE4part", "part"),
        ("_ZZ11other_valueE1s_$_0", "s"),  # nvcc split an array
        ("_ZZ4testE1a_1", "a"),
        ("_ZZ4testE4a_12_3", "a_12"),
        ("global_smem", "global_smem"),
        ("_ZZ4testE9nonsense", "_ZZ4testE9nonsense"),
    ],
)
def test_names_as_in_the_source(symbol: str, name: str) -> None:
    assert source_name(symbol) == name

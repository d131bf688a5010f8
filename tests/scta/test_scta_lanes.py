"""Lanes and patterns as text: each has one spelling, which is read back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.names import type_text
from volta_pipe.ir.scta.lanes import check_pattern, lanes_of, lanes_text, pattern_of, pattern_values, tile_values, tiles_of
from volta_pipe.ir.scta.spelling import type_numbers


@given(st.sets(st.integers(0, 1023), max_size=60))
def test_lanes(lanes: set[int]) -> None:
    assert lanes_of(lanes_text(sorted(lanes))) == tuple(sorted(lanes))


def test_lanes_have_one_spelling() -> None:
    assert lanes_text([0, 1, 2, 64]) == "0..2, 64" and lanes_of("0..2, 64") == (0, 1, 2, 64)
    for text in ("0, 1", "3, 2", "1..1", "01", "0..2,64", "0..2, 2..4", " 0", "0,", "-1", "1024", "٣"):
        with pytest.raises(VerifyException):
            lanes_of(text)


@settings(max_examples=200)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40))
def test_patterns(steps: list[int]) -> None:
    values = (0, *np.cumsum(steps).tolist())
    short = pattern_of(values)
    check_pattern(short, len(values))
    assert pattern_values(short, len(values)) == values
    tiles = tiles_of(short)
    assert not tiles or tile_values(tiles, len(values)) == values


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.integers(-300, 300), st.integers(2, 5)), min_size=1, max_size=3),
    st.integers(2, 5),
    st.integers(-9, 999),
)
def test_grids_are_tiles(levels: list[tuple[int, int]], last: int, stride: int) -> None:
    lanes = last * int(np.prod([count for _, count in levels]))
    values = tile_values((*levels, (stride, 0)), lanes)
    pattern = pattern_of(values)
    if len(pattern) > 1:
        assert tile_values(tiles_of(pattern), lanes) == values


def test_a_block_of_16_by_16() -> None:
    """Each thread reads an element of a row-major matrix of 64 columns of 4 bytes."""
    values = [4 * x + 256 * y for y in range(16) for x in range(16)]
    assert tiles_of(values) == ((4, 16), (256, 0))
    assert tiles_of([0, 1, 3]) == () and tiles_of([0, 4, 8]) == () and tiles_of([0, 0, 0, 4, 4, 4]) == ((0, 3), (4, 0))


@pytest.mark.parametrize("signed", [*range(8), 255])
def test_types(signed: int) -> None:
    texts = {type_text(width, signed) for width in range(256)}
    assert len(texts) == 256
    assert all(type_numbers(type_text(width, signed)) == (width, signed) for width in range(256))


def test_types_have_one_spelling() -> None:
    names = ("f32", "f16x2", "bf16", "b1", "s64", "bf16x2")
    assert [type_text(*pair) for pair in ((32, 2), (32, 4), (16, 3), (1, 0), (64, 1), (32, 5))] == list(names)
    for text in ("f032", "u32", "f256", "s16x2", "kind2w32", "kind300w1", "", "f32 ", "b0x2", "bf128x2"):
        with pytest.raises(VerifyException):
            type_numbers(text)

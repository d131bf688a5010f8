"""Lanes of rows: the type of a register, sets of lanes as text, and the patterns of addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.names import runs, runs_text

MOST_THREADS = 1024  # of a CTA
_LANES = re.compile(r"(?:0|[1-9]\d{0,3})(?:\.\.[1-9]\d{0,3})?(?:, [1-9]\d{0,3}(?:\.\.[1-9]\d{0,3})?)*")


@irdl_attr_definition
class LanesType(ParametrizedAttribute, TypeAttribute):
    """One register of all threads of a CTA: 64 bits or an expression for each thread."""

    name = "scta.lanes"


LANES = LanesType()


def lanes_text(lanes: Sequence[int]) -> str:
    """`0..31, 64` of increasing numbers."""
    return runs_text(runs(lanes))


@lru_cache(maxsize=4096)
def lanes_of(text: str) -> tuple[int, ...]:
    """The lanes of such a text, increasing. Errors: VerifyException where it is none, or not as short as it can be."""
    if not text:
        return ()
    if len(text) > 8 * MOST_THREADS or _LANES.fullmatch(text) is None:
        raise VerifyException(f"'{text[:40]}' names no lanes (such as 0..31, 64)")
    found: list[int] = []
    for part in text.split(", "):
        low, _, high = part.partition("..")
        if int(high or low) >= MOST_THREADS:
            raise VerifyException(f"lane {high or low} is out of range: a CTA has at most {MOST_THREADS} threads")
        found += range(int(low), int(high or low) + 1)
    if lanes_text(found) != text or sorted(set(found)) != found:
        raise VerifyException(f"the lanes '{text[:40]}' do not increase, or are not as short as they can be")
    return tuple(found)


def check_pattern(pattern: Sequence[int], lanes: int) -> None:
    """`pattern` says what is added to the base in each of `lanes` lanes: nothing at all ([]), a multiple of the lane's place
    ([stride]; of one lane [0]), or one number a lane, of which the first is 0 and which are no such multiples.

    Errors: VerifyException."""
    if not pattern:
        return
    if len(pattern) == 1:
        if lanes == 0 or (lanes == 1 and pattern[0] != 0):
            raise VerifyException(f"a stride of {pattern[0]} means nothing for {lanes} lanes")
        return
    if len(pattern) != lanes:
        raise VerifyException(f"a pattern of {len(pattern)} numbers does not fit {lanes} lanes")
    if pattern[0] != 0:
        raise VerifyException("a pattern starts with 0")
    if all(value == pattern[1] * place for place, value in enumerate(pattern)):
        raise VerifyException(f"the pattern is the stride {pattern[1]}, and must be written so")


def pattern_of(values: Sequence[int]) -> tuple[int, ...]:
    """The shortest form of one number a lane, the first of which is 0."""
    stride = values[1] if len(values) > 1 else 0
    if all(value == stride * place for place, value in enumerate(values)):
        return (stride,)
    return tuple(values)


def pattern_values(pattern: Sequence[int], lanes: int) -> tuple[int, ...]:
    """One number a lane, of a pattern that is not []."""
    return tuple(pattern[0] * place for place in range(lanes)) if len(pattern) == 1 else tuple(pattern)


Tiles = tuple[tuple[int, int], ...]


def tiles_of(pattern: Sequence[int]) -> Tiles:
    """((stride, count), …) of lanes that are a grid: `count` lanes `stride` apart, such groups the next stride apart, and so
    on; the last count is 0: as many as there are. () where they are none."""
    found: list[tuple[int, int]] = []
    rest = list(pattern)
    while len(rest) > 1:
        stride = rest[1]
        count = next((place for place, value in enumerate(rest) if value != stride * place), 0)
        groups = rest[::count] if count else []
        if count and (
            len(rest) % count or any(value != groups[i // count] + stride * (i % count) for i, value in enumerate(rest))
        ):
            return ()
        found.append((stride, count))
        if not count:
            return tuple(found) if len(found) > 1 else ()
        rest = groups
    return ()


def tile_values(tiles: Tiles, lanes: int) -> tuple[int, ...]:
    """One number a lane. Errors: VerifyException where they are no such tiles."""
    if not tiles or tiles[-1][1] != 0 or any(not 0 < count <= MOST_THREADS for _, count in tiles[:-1]):
        raise VerifyException("all but the last of the strides have a count of lanes")
    values: list[int] = []
    for lane in range(lanes):
        value, place = 0, lane
        for stride, count in tiles:
            value += stride * (place % count if count else place)
            place = place // count if count else 0
        values.append(value)
    return tuple(values)

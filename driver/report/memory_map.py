"""Which threads touch which elements in a race: the two accesses of a finding, as all threads execute them together.

The picture needs no guess: it has the rows of the program in which the threads of the finding hit its bytes. Where they cannot
be had (nothing is stored), the map of a tensor has the finding's own threads alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd, prod
from typing import Any

from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.elements import indexed, unravel
from volta_pipe.driver.findings import source_name
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.report.racing_rows import Hit, nearest

COLUMNS = 16  # elements in a line
MOST_LINES = 16
MOST_THREADS = 64  # that an element lists; more are counted
Touched = dict[int, list[int]]  # element -> threads


@dataclass(frozen=True)
class _Memory:
    """Elements of `unit` bytes; `touched` and `threads` (how many) of either access, `race`: the elements where they meet."""

    unit: int
    elements: int
    touched: tuple[Touched, Touched]
    threads: tuple[int, int]
    race: range


def memory_map(one: Combination, program: Any, raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """The map of a race, None of other findings; raw: as `check` gave it; program: of the side's `unroll`, or None.

    `elements` of `element_bytes` in the whole object; `accesses`: of each of the two what it does, its CTA and its number of
    threads; `lines`: `first` element and `cells`, each with `label`, `threads` (of either access), `counts`, and `mark`: "race"
    (the finding's), "both" (touched by both, and not by one thread alone), "one", or ""."""
    accesses = (raw.get("accesses") or ())[:2]
    if raw["kind"] != "race" or len(accesses) < 2:
        return None
    tensor = next((t for t in one.plan.candidate.tensors if t.spec.name == raw["name"]), None)
    size = DTYPES[tensor.spec.dtype].size if tensor is not None else 0
    pair = nearest(program, raw, accesses) if program is not None else None
    if pair is not None:
        memory = _of_rows(program, pair, size)
    elif tensor is not None:
        place = int(raw["offset"]) // size
        first, second = ({place: [int(access["thread"])]} for access in accesses)
        memory = _Memory(size, tensor.extent // size, (first, second), (1, 1), range(place, place + 1))
    else:
        return None  # nobody knows how large the variable is
    label = _labels(tensor, source_name(str(raw["name"])) or str(raw["space"]), memory.unit)
    said = [{"action": a["action"], "cta": list(a["cta"]), "threads": n} for a, n in zip(accesses, memory.threads, strict=True)]
    return {
        "space": raw["space"],
        "name": source_name(str(raw["name"])),
        "element_bytes": memory.unit,
        "elements": memory.elements,
        "columns": COLUMNS,
        "accesses": said,
        "lines": _lines(memory, label, same_cta=said[0]["cta"] == said[1]["cta"]),
    }


def _of_rows(program: Any, pair: tuple[Hit, Hit], size: int) -> _Memory:
    """size: bytes of a tensor's element; 0: of a variable, whose elements are as large as the numbers that are moved."""
    first, second = pair
    unit = size or gcd(first.unit, second.unit, first.place.size)
    lanes = [program.active_lanes(int(program.row_mask[hit.row])).tolist() for hit in pair]
    touched: tuple[Touched, Touched] = ({}, {})
    for cells, hit, threads in zip(touched, pair, lanes, strict=True):
        for thread, address in zip(threads, program.row_values(hit.row).tolist(), strict=True):
            for element in hit.elements(address, unit):
                if 0 <= element * unit < hit.place.size:
                    cells.setdefault(element, []).append(thread)
    a, b = (hit.elements(hit.address, unit) for hit in pair)
    race = range(max(a.start, b.start), min(a.stop, b.stop))
    return _Memory(unit, first.place.size // unit, touched, (len(lanes[0]), len(lanes[1])), race)


def _lines(memory: _Memory, label: Callable[[int], str], *, same_cta: bool) -> list[dict[str, Any]]:
    lines = []
    for number in _shown_lines(memory):
        cells = []
        for element in range(number * COLUMNS, min((number + 1) * COLUMNS, memory.elements)):
            by = [touched.get(element, []) for touched in memory.touched]
            alone = same_cta and len({*by[0], *by[1]}) < 2
            mark = "race" if element in memory.race else "both" if all(by) and not alone else "one" if any(by) else ""
            threads, counts = [few[:MOST_THREADS] for few in by], [len(all_of) for all_of in by]
            cells.append({"label": label(element), "threads": threads, "counts": counts, "mark": mark})
        lines.append({"first": number * COLUMNS, "cells": cells})
    return lines


def _shown_lines(memory: _Memory) -> list[int]:
    """Lines with touched elements, of many the nearest to the finding, and those beside them."""
    count = -(-memory.elements // COLUMNS)
    home = memory.race.start // COLUMNS
    used = {element // COLUMNS for cells in memory.touched for element in cells} | {home}
    near = {*sorted(used, key=lambda line: (abs(line - home), line))[:MOST_LINES]}
    around = near | {line + step for line in near for step in (-1, 1)} & set(range(count))
    return sorted(around if len(around) <= MOST_LINES + 2 else near)


def _labels(tensor: Any, name: str, unit: int) -> Callable[[int], str]:
    """element number → `part[64]`, by the tensor's index where its elements lie row by row without gaps."""
    if tensor is None:
        return lambda element: f"{name}[{element}]"
    shape = tensor.shape
    if tensor.strides == tuple(prod(shape[axis + 1 :]) for axis in range(len(shape))):
        return lambda element: indexed(name, unravel(element, shape))
    return lambda element: f"{name}+{element * unit}"

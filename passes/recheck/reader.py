"""The artifacts of `decide` and `canon` as a checker reads them: columns and plain data, without the code that wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgpack
import numpy as np

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError

Array = np.ndarray[Any, np.dtype[Any]]
DECISION, CANONICAL = ("decision", 3), ("canonical", 3)  # kinds and versions that are understood
PROVED = ("identical", "equal", "cases")
CLAIMS = (*PROVED, "refuted", "open")


@dataclass(frozen=True)
class Class:
    """What the certificate says of a class. tensors, elements: int32 [n], the first one the representative; digests: of the
    normal forms; leaf_tensor, leaf_element, pattern: int32 [L]; shifts: int32 [P, n]; `renamed`: whether there is a renaming,
    else `why` says why not."""

    tensors: Array
    elements: Array
    claim: str
    digests: tuple[str, str]
    rules: tuple[str, ...]
    renamed: bool
    leaf_tensor: Array
    leaf_element: Array
    pattern: Array
    shifts: Array
    why: str


@dataclass(frozen=True)
class Decided:
    """The artifact of `decide`. `classes` is None where it holds no certificate; counterexample: as written."""

    verdict: str
    findings: int
    unknown: int
    assumptions: tuple[str, ...]
    stats: Mapping[str, int]
    counterexample: Mapping[str, Any] | None
    classes: tuple[Class, ...] | None
    tensors: tuple[str, ...] = ()
    alone: tuple[int, int] = (0, 0)
    claimed_assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Forms:
    """The artifact of `canon`, as far as a certificate speaks of it. tables: the parts of each, from number 1; classes: for
    each its table and the numbers of the two normal forms there, or 0; heads: tensor and element of its representative."""

    tables: tuple[list[Any], ...]
    classes: tuple[tuple[int, int, int], ...]
    heads: tuple[tuple[int, int], ...]
    assumptions: tuple[str, ...]


def read_decision(data: bytes | memoryview) -> Decided:
    """Errors: ArtifactError on anything that is not well-formed."""
    try:
        meta, cols = columns.decode(data, *DECISION)
        held = meta["certificate"]
        first = (
            str(meta["verdict"]), len(meta["findings"]), len(meta["unknown"]), tuple(str(a) for a in meta["assumptions"]),
            {str(k): int(v) for k, v in meta["stats"].items()}, meta["counterexample"],
        )  # fmt: skip
        if held is None:
            return Decided(*first, None)
        alone = (int(held["alone"][0]), int(held["alone"][1]))
        tensors, assumptions = (tuple(str(name) for name in held[key]) for key in ("tensors", "assumptions"))
        return Decided(*first, tuple(_classes(held["claims"], cols)), tensors, alone, assumptions)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ArtifactError(f"the artifact of decide is damaged: {error}") from error


def _classes(rows: list[Any], cols: Mapping[str, Array]) -> list[Class]:
    at = dict.fromkeys(cols, 0)

    def take(name: str, count: int) -> Array:
        column = cols[name]
        first = at[name]
        if count < 0 or column.dtype != np.int32 or column.ndim != 1 or first + count > len(column):
            raise ValueError(f"column {name} does not fit")
        at[name] = first + count
        return column[first : first + count]

    classes = []
    for count, claim, (x, y), rules, (leaves, patterns), why in rows:
        if claim not in CLAIMS or count < 1:
            raise ValueError(f"a claim '{claim}' of {count} elements")
        renamed = leaves >= 0
        some, table = (leaves, patterns) if renamed else (0, 0)
        made = Class(
            take("member_tensor", count), take("member_element", count), str(claim), (str(x), str(y)),
            tuple(str(r) for r in rules), renamed, take("leaf_tensor", some), take("leaf_element", some),
            take("leaf_pattern", some), take("shifts", table * count).reshape(table, count), str(why),
        )  # fmt: skip
        if some and not 0 <= int(made.pattern.min()) <= int(made.pattern.max()) < table:
            raise ValueError("a pattern is out of range")
        classes.append(made)
    if any(at[name] != len(column) for name, column in cols.items()):
        raise ValueError("columns that belong to no class")
    return classes


def read_forms(data: bytes | memoryview) -> Forms:
    """Errors: ArtifactError on anything that is not well-formed."""
    try:
        meta, cols = columns.decode(data, *CANONICAL)
        forms = tuple((int(i), int(f), int(g)) for *_, i, (f, g) in meta["classes"])
        tables = tuple(list(msgpack.unpackb(data)) for data in meta["tables"])
        if any(not 0 <= i < len(tables) for i, *_ in forms):
            raise ValueError("a class has a table that is not there")
        first = np.cumsum([0, *(row[0] for row in meta["classes"])])[:-1].astype(np.int64)
        heads = tuple((int(cols["tensors"][i]), int(cols["elements"][i])) for i in first)
        return Forms(tables, forms, heads, tuple(str(a) for a in meta["assumptions"]))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, msgpack.UnpackException) as error:
        raise ArtifactError(f"the artifact of canon is damaged: {error}") from error

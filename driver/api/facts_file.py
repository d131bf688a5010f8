"""The file beside a saved module, NAME.facts: what a PTX says and the dialect does not have. Read as data from outside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack

from volta_pipe.driver.stage import LoweredValue
from volta_pipe.driver.stage_artifacts import with_lines
from volta_pipe.driver.stage_summaries import plain
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.lines import LineTable

_FORMAT = "volta-pipe/facts/1"
MAX_BYTES = 1 << 28
_NAMES = ("parameters", "externs", "variables", "assumptions", "resources")


def beside(module: Path) -> Path:
    """Where the facts of the module in that file lie."""
    return module.with_name(module.name + ".facts")


def encode(value: LoweredValue, digest: str) -> bytes:
    """digest: of the module that they belong to."""
    facts = {name: plain(getattr(value, name)) for name in _NAMES}
    return bytes(msgpack.packb([_FORMAT, digest, value.lines.encode(), facts]))


def decode(data: bytes, digest: str, value: LoweredValue) -> LoweredValue:
    """`value` with the facts. Errors: ArtifactError on damage, and facts of another module."""
    try:
        kind, own, lines, facts = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise ArtifactError(f"damaged facts of a module: {error}") from None
    if kind != _FORMAT or own != digest:
        raise ArtifactError("these facts are of another module, or of another format")
    return with_facts(value, lines, facts)


def with_facts(value: LoweredValue, lines: Any, facts: Any) -> LoweredValue:
    """`value` with a line table in its bytes, and what the summary of `lower` says. Errors: ArtifactError."""
    if not isinstance(lines, bytes | memoryview) or not isinstance(facts, dict):
        raise ArtifactError("damaged facts of a module")
    try:
        externs = tuple((str(name), str(problem)) for name, problem in facts["externs"])
        parameters, variables = (_sized(facts[key]) for key in ("parameters", "variables"))
        assumptions = tuple(str(text) for text in facts["assumptions"])
        resources = _resources(facts["resources"])
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"damaged facts of a module: {error!r}") from None
    known = with_lines(value, LineTable.decode(bytes(lines)))
    return replace(
        known, parameters=parameters, externs=externs, variables=variables, assumptions=assumptions, resources=resources
    )


def _sized(rows: Any) -> tuple[tuple[str, str, int], ...]:
    return tuple((str(name), str(kind), int(size)) for name, kind, size in rows)


def _resources(found: Any) -> dict[str, Any] | None:
    """As plain data, which is how the driver reads them."""
    if found is None:
        return None
    directives = [[str(name), [int(n) for n in numbers], int(line)] for name, numbers, line in found["directives"]]
    return {
        "target": str(found["target"]), "shared": int(found["shared"]), "registers": int(found["registers"]),
        "directives": directives,
    }  # fmt: skip

"""Artifacts by digest, and their readable forms: MLIR text, a header with its columns, or the line table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from volta_pipe.driver.store import Store
from volta_pipe.driver.upkeep import find
from volta_pipe.ir.errors import ArtifactError, InputError

SHORTEST = 4  # hex digits of a digest that may be given
_HEX = frozenset("0123456789abcdef")
_PREVIEW = 12  # values of a column that its line shows
CONDITIONS_STAGES = ("vc", "trace")


@dataclass(frozen=True)
class Artifact:
    """An object that a stage's record names."""

    stage: str
    output: str
    digest: str


def described(artifact: Artifact) -> str:
    """What it is, in words: `the artifact of unroll`, or `the lines of lower`."""
    return f"the {artifact.output} of {artifact.stage}"


def is_digest(text: str) -> bool:
    """Whether `text` can be a digest or the start of one."""
    bare = text.removeprefix("sha256:")
    return SHORTEST <= len(bare) <= 64 and set(bare) <= _HEX


def one_artifact(store: Store, prefix: str) -> Artifact:
    """The artifact whose digest starts with `prefix`. Errors: InputError when there is none, or several."""
    if not is_digest(prefix):
        raise InputError(f"'{prefix}' is no stage and no digest ({SHORTEST} to 64 hex digits)")
    found = find(store, prefix)
    if not found:
        raise InputError(f"the store has no artifact {prefix} (volta-pipe store ls lists them)")
    if len(found) > 1:
        raise InputError(f"{len(found)} artifacts start with {prefix}; give more digits")
    record, output, digest = found[0]
    return Artifact(record.stage, output, digest)


def load(store: Store, artifact: Artifact) -> memoryview:
    """Its bytes. Errors: InputError when they are damaged."""
    try:
        return store.load(artifact.digest)
    except ArtifactError as error:
        raise InputError(f"{error}; run the contract again to compute it") from None


def text_of(store: Store, artifact: Artifact) -> list[str]:
    """The readable form of any artifact, as lines."""
    data = load(store, artifact)
    if artifact.stage == "lower":
        if artifact.output == "artifact":
            return str(data, "utf-8", "backslashreplace").splitlines()
        from volta_pipe.ir.lines import LineTable

        lines = LineTable.decode(bytes(data))
        return [f"{place}: PTX {ptx[0]}:{ptx[1]}, source {lines.source_of(place)}" for place, ptx in enumerate(lines.ptx)]
    return column_text(data)


def column_parts(data: memoryview) -> tuple[dict[str, Any], dict[str, Any]]:
    """(header values, columns) of an artifact in the column format. Of values that are lists packed in bytes, as `canon`'s
    tables are, the entries of all, each behind the number of its list."""
    import msgpack

    from volta_pipe.ir import columns

    def opened(value: Any) -> Any:
        if not isinstance(value, list) or not value or not all(isinstance(one, bytes) for one in value):
            return value
        try:
            return [[i, *part] for i, one in enumerate(value) for part in msgpack.unpackb(one, strict_map_key=False)]
        except (ValueError, TypeError, RecursionError, MemoryError, msgpack.UnpackException):
            return value  # no list: shown as it is

    meta, arrays = columns.decode(data, *header(data))
    return {key: opened(value) for key, value in meta.items()}, arrays


def column_text(data: memoryview) -> list[str]:
    """Header values and columns of an artifact in the column format, as lines."""
    kind, version = header(data)
    meta, arrays = column_parts(data)
    lines = [f"kind: {kind}/{version}"]
    lines += [f"{key}: {part}" for key, value in meta.items() for part in _parts(value)]
    for name, array in arrays.items():
        head = " ".join(str(value) for value in array.reshape(-1)[:_PREVIEW].tolist())
        lines.append(f"column {name}: {array.dtype.str} {list(array.shape)} = {head}{' …' if array.size > _PREVIEW else ''}")
    return lines


def header(data: memoryview) -> tuple[str, int]:
    """(kind, version) of a column artifact. Errors: InputError."""
    import msgpack

    try:
        length = int.from_bytes(data[16:24], "little")
        head = msgpack.unpackb(data[24 : 24 + length], strict_map_key=False)
        return str(head["kind"]), int(head["version"])
    except (ValueError, TypeError, KeyError, msgpack.UnpackException):
        raise InputError("is not an artifact in the column format") from None


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) and value and isinstance(value[0], dict | list | str) else [value]

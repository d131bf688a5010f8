"""The artifact format: a msgpack header and 64-byte aligned raw columns. Read as hostile data: everything is validated.

Layout: magic (16 bytes) | header length (u64 little endian) | msgpack header | zero padding | columns, each at an offset that
is a multiple of 64. Header: {"kind", "version", "meta", "columns": [[name, dtype, shape, offset], …]}."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from math import prod
from typing import Any

import msgpack
import numpy as np

from volta_pipe.ir.errors import ArtifactError

MAGIC = b"volta-pipe/col/1"
ALIGN = 64
_MOST_AXES = 2
_SHOWN = 40  # characters of a foreign kind in a message
_DTYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f8")
Array = np.ndarray[Any, np.dtype[Any]]


def encode(kind: str, version: int, meta: Mapping[str, Any], columns: Mapping[str, Array]) -> list[bytes | memoryview]:
    """The artifact as a list of chunks to hash and write in order; equal inputs give equal bytes."""
    table: list[list[Any]] = []
    arrays: list[Array] = []
    offset = 0
    for name, column in columns.items():
        array = np.ascontiguousarray(column)
        if array.dtype == np.bool_:
            array = array.view(np.uint8)
        dtype = array.dtype.str
        if dtype not in _DTYPES:
            raise ArtifactError(f"column {name} has dtype {dtype}, which the format does not hold")
        table.append([name, dtype, list(array.shape), offset])
        arrays.append(array)
        offset += -(-array.nbytes // ALIGN) * ALIGN
    header = msgpack.packb({"kind": kind, "version": version, "meta": dict(meta), "columns": table})
    head = MAGIC + struct.pack("<Q", len(header)) + header
    chunks: list[bytes | memoryview] = [head + bytes(-len(head) % ALIGN)]
    for array in arrays:
        if array.nbytes:
            chunks.append(array.reshape(-1).view(np.uint8).data)
            chunks.append(bytes(-array.nbytes % ALIGN))
    return chunks


def decode(data: bytes | memoryview, kind: str, version: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """(meta, columns) of an artifact.

    Errors: ArtifactError on another kind or version, and on anything out of place."""
    view = memoryview(data)
    if len(view) < len(MAGIC) + 8 or bytes(view[: len(MAGIC)]) != MAGIC:
        raise ArtifactError("not a volta-pipe artifact")
    (length,) = struct.unpack("<Q", view[len(MAGIC) : len(MAGIC) + 8])
    start = len(MAGIC) + 8
    if length > len(view) - start:
        raise ArtifactError("artifact is truncated in its header")
    try:
        header = msgpack.unpackb(view[start : start + length], strict_map_key=False)
    except (ValueError, TypeError, RecursionError, OverflowError, MemoryError, msgpack.UnpackException) as error:
        raise ArtifactError(f"artifact header is damaged: {error}") from error
    if not isinstance(header, dict) or not isinstance(header.get("meta"), dict) or not isinstance(header.get("columns"), list):
        raise ArtifactError("artifact header has the wrong form")
    if header.get("kind") != kind or header.get("version") != version:
        found = f"{header.get('kind')}/{header.get('version')}"
        raise ArtifactError(f"artifact is of format {found[:_SHOWN]}, this version of the tool has {kind}/{version}")
    base = -(-(start + length) // ALIGN) * ALIGN
    columns: dict[str, Array] = {}
    expected = 0  # columns lie one behind the other: what is read is never more than the file
    for entry in header["columns"]:
        if not (isinstance(entry, list) and len(entry) == 4):
            raise ArtifactError("artifact column table has the wrong form")
        name, dtype, shape, offset = entry
        sane = isinstance(name, str) and name not in columns and dtype in _DTYPES and type(offset) is int and offset == expected
        sane = sane and isinstance(shape, list) and len(shape) <= _MOST_AXES
        if not sane or not all(type(n) is int and 0 <= n < 1 << 48 for n in shape):
            raise ArtifactError("artifact column table has values out of range")
        size = prod(shape) * np.dtype(dtype).itemsize
        if base + offset + size > len(view):
            raise ArtifactError(f"artifact is truncated in column {name}")
        expected += -(-size // ALIGN) * ALIGN
        # A copy: numba compiles anew for arrays that are read-only, which costs far more than copying.
        columns[name] = np.frombuffer(view[base + offset : base + offset + size], np.dtype(dtype)).reshape(shape).copy()
    return header["meta"], columns

"""The record of one action in the store: which objects it gave, with the stamps that tell an untouched file, and a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgpack

from volta_pipe.ir.errors import ArtifactError

VERSION = 1
_CHECK = 8  # bytes of the checksum at the end


@dataclass(frozen=True)
class Stamped:
    """An object's sha256 with the size and modification time (ns) of its file when it was recorded."""

    digest: str
    size: int
    time: int


@dataclass(frozen=True)
class Record:
    """`outputs`: name -> object; `artifact` is the one that later stages depend on. `summary`: plain data that the driver
    needs without loading an object (findings, notes, assumptions, parameters)."""

    key: str
    stage: str
    outputs: dict[str, Stamped]
    summary: dict[str, Any]

    def encode(self) -> bytes:
        """msgpack and a checksum; read back by `decode`."""
        outputs = {name: [s.digest, s.size, s.time] for name, s in self.outputs.items()}
        body = bytes(msgpack.packb([VERSION, self.key, self.stage, outputs, self.summary]))
        return body + _checksum(body)

    @staticmethod
    def decode(data: bytes, key: str) -> Record:
        """Errors: ArtifactError on damage, another version, or a record of another key."""
        body, check = data[:-_CHECK], data[-_CHECK:]
        if check != _checksum(body):
            raise ArtifactError("checksum does not match")
        try:
            version, own, stage, outputs, summary = msgpack.unpackb(body, strict_map_key=False)
            stamped = {
                _name(name): Stamped(_digest(d), _count(size), _count(time)) for name, (d, size, time) in outputs.items()
            }
            _name(stage)
        except (ValueError, TypeError, AttributeError, RecursionError, MemoryError, msgpack.UnpackException) as error:
            raise ArtifactError(f"wrong form: {error}") from None
        if version != VERSION:
            raise ArtifactError("it is of another version")
        if own != key or not isinstance(summary, dict):
            raise ArtifactError("it is of another action")
        return Record(key, stage, stamped, summary)


def _name(text: Any) -> str:
    """A name that can be shown: a record may hold anything."""
    if not isinstance(text, str) or not (text.isascii() and text.isidentifier()):
        raise ValueError("no name")
    return text


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError("no size or time")
    return value


def _digest(text: Any) -> str:
    if not is_digest(text):
        raise ValueError("no digest")
    return str(text)


def is_digest(text: Any) -> bool:
    """Whether it is the name of an object."""
    return isinstance(text, str) and len(text) == 64 and all(c in "0123456789abcdef" for c in text)


def _checksum(body: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(body).digest()[:_CHECK]

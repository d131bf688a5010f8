"""Mutations of artifacts and records: flipped bytes, cut ends, and edits of what the msgpack in them says."""

from __future__ import annotations

import contextlib
import random
import struct
from typing import Any

import msgpack

MAGIC = b"volta-pipe/col/1"
_HEAD = len(MAGIC) + 8
_ALIGN = 64
_DTYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f8", "|O", "<M8[s]")
_NUMBERS = (0, 1, -1, 2, 3, 7, 255, 1 << 15, 1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 40, 1 << 62, (1 << 63) - 1, -(1 << 63))
_WORDS = (
    "",
    "x",
    "equivalent",
    "equal",
    "differ",
    "undecidable",
    "leaf",
    "cos",
    "rsqrt",
    "1/0",
    "-1",
    "7/3",
    "race",
    "\x00",
    "∀",
)
_OTHERS: tuple[Any, ...] = (None, True, False, 1.5, float("inf"), float("nan"), [], {}, b"bytes", [[]], {"a": 1})


def flipped(data: bytes, draw: random.Random) -> bytes:
    """One to four bytes changed."""
    out = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        out[draw.randrange(len(out))] = draw.randrange(256)
    return bytes(out)


def cut(data: bytes, draw: random.Random) -> bytes:
    """The end, the beginning or a piece taken out, or something put in."""
    at, more = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
    return (data[:at], data[at:], data[:at] + data[more:], data[:at] + draw.randbytes(8) + data[at:])[draw.randrange(4)]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to all values in lists and dictionaries."""
    found = [path]
    if isinstance(value, dict):
        for key in value:
            found += places(value[key], (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            found += places(item, (*path, i))
    return found


def edited(value: Any, draw: random.Random) -> Any:
    """The value with something in it changed: a number, a word, a type, a list made shorter, longer or another order, a key
    renamed or taken away. A list with many alike is not where all edits go: a level is chosen first."""
    spots = places(value)
    depth = draw.choice(sorted({len(spot) for spot in spots}))
    path = draw.choice([spot for spot in spots if len(spot) == depth])
    if not path:
        return _changed(value, draw)
    out = msgpack.unpackb(msgpack.packb(value), strict_map_key=False)
    inside = out
    for step in path[:-1]:
        inside = inside[step]
    if isinstance(inside, dict) and draw.random() < 0.15:
        kept = inside.pop(path[-1])
        if draw.random() < 0.5:
            inside[str(path[-1]) + "_"] = kept
    else:
        inside[path[-1]] = _changed(inside[path[-1]], draw)
    return out


def _changed(value: Any, draw: random.Random) -> Any:
    if draw.random() < 0.15:
        return draw.choice(_OTHERS)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw.choice((*_NUMBERS, value + 1, value - 1, value * 2, -value))
    if isinstance(value, str):
        return draw.choice((*_WORDS, value[:-1], value + "a", value[::-1]))
    if isinstance(value, bytes):
        return _packed(value, draw) if value else b"x"
    if isinstance(value, list) and value:
        at = draw.randrange(len(value))
        return draw.choice((value[:at], value[at + 1 :], [*value, value[at]], value[::-1], [*value[:at], *value[at:][::-1]]))
    return draw.choice(_OTHERS)


def _packed(value: bytes, draw: random.Random) -> bytes:
    """Bytes with something changed, mostly in what they say where they are msgpack."""
    if draw.random() < 0.7:
        with contextlib.suppress(ValueError, msgpack.UnpackException):
            return bytes(msgpack.packb(edited(msgpack.unpackb(value, strict_map_key=False), draw)))
    return flipped(value, draw)


def columned(data: bytes, draw: random.Random) -> bytes:
    """An artifact in the column format with its header edited, or a number of a column changed."""
    (length,) = struct.unpack("<Q", data[len(MAGIC) : _HEAD])
    header = msgpack.unpackb(data[_HEAD : _HEAD + length], strict_map_key=False)
    body = bytearray(data[-(-(_HEAD + length) // _ALIGN) * _ALIGN :])
    what = draw.random()
    filled = [entry for entry in header["columns"] if min(entry[2], default=1) > 0]
    if what < 0.45 and filled:
        _, dtype, shape, offset = draw.choice(filled)
        size, count = int(dtype[2]), 1
        for n in shape:
            count *= n
        at = offset + size * draw.randrange(count)
        old = int.from_bytes(body[at : at + size], "little", signed=True)
        new = draw.choice((*_NUMBERS, old + 1, old - 1, old ^ 1 << draw.randrange(8 * size), draw.randrange(1 << 8 * size)))
        body[at : at + size] = (new % (1 << 8 * size)).to_bytes(size, "little")
    elif what < 0.55 and header["columns"]:
        entry = draw.choice(header["columns"])
        which = draw.randrange(4)
        entry[which] = draw.choice(_DTYPES) if which == 1 else edited(entry[which], draw)
    elif what < 0.9:
        header["meta"] = edited(header["meta"], draw)
    else:
        header = edited(header, draw)
    return joined(header, bytes(body))


def joined(header: Any, body: bytes) -> bytes:
    """An artifact of a header and the columns behind it."""
    packed = msgpack.packb(header)
    head = MAGIC + struct.pack("<Q", len(packed)) + packed
    return head + bytes(-len(head) % _ALIGN) + body


def other_version(data: bytes) -> bytes:
    """An artifact (or a line table) that differs in its version alone."""
    if data[: len(MAGIC)] == MAGIC:
        (length,) = struct.unpack("<Q", data[len(MAGIC) : _HEAD])
        header = msgpack.unpackb(data[_HEAD : _HEAD + length], strict_map_key=False)
        return joined({**header, "version": header["version"] + 1}, data[-(-(_HEAD + length) // _ALIGN) * _ALIGN :])
    kind, version, *rest = msgpack.unpackb(data)
    return bytes(msgpack.packb([kind, version + 1, *rest]))


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Any of these, by what the bytes are: columns, msgpack, or text."""
    way = draw.random()
    if way < 0.15:
        return flipped(data, draw)
    if way < 0.25:
        return cut(data, draw)
    if data[: len(MAGIC)] == MAGIC:
        return columned(data, draw)
    try:
        value = msgpack.unpackb(data, strict_map_key=False)
    except ValueError:
        return worded(data.decode(), draw).encode()
    return bytes(msgpack.packb(edited(value, draw)))


def worded(text: str, draw: random.Random) -> str:
    """A text with a line lost, doubled or moved, or a number or word in it changed."""
    lines = text.split("\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    way = draw.randrange(4)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(other, lines[at])
    elif way == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        words = lines[at].split(" ")
        place = draw.randrange(len(words))
        words[place] = draw.choice(["0", "1", "-1", "4294967296", "i32", "i64", "%0", "%999", "^bb0", "", *words])
        lines[at] = " ".join(words)
    return "\n".join(lines)

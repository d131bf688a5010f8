"""The contract on the page: its text, lightly highlighted, and what it says in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from volta_pipe.driver.places import dims_text
from volta_pipe.driver.report.html import Child, Markup, folded, joined, section, table, tag

_TOKEN = re.compile(
    r"""(?P<comment>\#.*)|(?P<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<number>(?<![\w.])[-+]?\d[\w.+-]*)|(?P<word>\b(?:true|false)\b)"""
)
_HEADER = re.compile(r"\s*\[.*\]\s*(#.*)?")
_KEY = re.compile(r"(\s*[\w.-]+\s*)(=)")
_FEW = 6  # values of a dim that are written out


def contract_section(contract: Mapping[str, Any]) -> Markup:
    """The section; of several combinations of dims the numbers are those of the first."""
    tables = tag("div", _tables(contract), class_="tables")
    text = tag(
        "div", tag("p", tag("strong", contract["file"]), class_="file"), tag("pre", toml(contract["text"]), class_="code wrap")
    )
    reference = contract["reference"]
    spec = None
    if reference is not None and "text" in reference:
        spec = folded(["the reference: ", tag("code", reference["spec"])], tag("pre", reference["text"], class_="code"))
    return section("The contract", "contract", tag("div", text, tables, class_="beside"), spec)


def toml(text: str) -> Markup:
    """TOML with comments, headers, keys, strings and numbers marked; what it does not know stays plain."""
    return joined(*(part for line in text.rstrip().split("\n") for part in (*_line(line), "\n")))


def _line(line: str) -> Iterator[Child]:
    if _HEADER.fullmatch(line) and "=" not in line.partition("#")[0]:
        head, mark, comment = line.partition("#")
        yield tag("b", head)
        yield tag("i", mark + comment) if mark else None
        return
    rest = line
    if key := _KEY.match(line):
        yield tag("span", key[1], class_="k")
        rest = line[key.end(1) :]
    place = 0
    for token in _TOKEN.finditer(rest):
        yield rest[place : token.start()]
        yield tag("i", token[0]) if token.lastgroup == "comment" else tag("span", token[0], class_="v")
        place = token.end()
    yield rest[place:]


def _tables(contract: Mapping[str, Any]) -> Iterator[Child]:
    several = len(contract["dims"]) > 0 and any(len(dim["values"]) > 1 for dim in contract["dims"])
    at = f"numbers at {dims_text(contract['at'])}" if several else ""
    if contract["dims"]:
        yield tag("h3", "Dims")
        yield table(("name", "values"), ([tag("code", dim["name"]), _values(dim["values"])] for dim in contract["dims"]))
    yield tag("h3", "Tensors", tag("small", f" {at}") if at else None)
    heads = ("name", "role", "dtype", "shape", "bytes", "more")
    rows = [_tensor(one) for one in contract["tensors"]]
    wide = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
    yield table(heads[:wide], (row[:wide] for row in rows))
    if contract["scalars"]:
        yield tag("h3", "Scalars")
        scalars: Iterator[list[Child]] = (
            [tag("code", s["name"]), s["dtype"], "any" if s["value"] is None else str(s["value"])] for s in contract["scalars"]
        )
        yield table(("name", "dtype", "value"), scalars)
    yield tag("h3", "Launch", tag("small", f" {at}") if at else None)
    yield table(("side", "kernel", "grid", "block", "shared", "arguments"), (_launch(one) for one in contract["launches"]))
    reference = contract["reference"]
    if reference is None:
        yield tag("p", "No reference: only safety is checked.", class_="hint")
    elif "spec" in reference:
        options = ", ".join(f"{name} = {value}" for name, value in reference["options"].items())
        yield tag(
            "p", "Reference: the NumPy function ", tag("code", reference["spec"]), f" with {options}" if options else None
        )
    yield from _rest(contract)


def _tensor(one: Mapping[str, Any]) -> list[Child]:
    more = [f"strides {_by(one['strides'])}"] if one["strides"] is not None else []
    more += [f"values {one['values']}"] if one["values"] is not None else []
    more += [f"range {one['range'][0]:g} to {one['range'][1]:g}"] if one["range"] is not None else []
    more += [f"aligned to {one['align']}"] if one["align"] != 256 else []
    return [
        tag("code", one["name"]),
        tag("span", one["role"], class_=f"role {one['role']}"),
        one["dtype"],
        _numbers(one["written"], one["shape"]),
        f"{one['bytes']:,}",
        "; ".join(more) or None,
    ]


def _launch(one: Mapping[str, Any]) -> list[Child]:
    written = one["written"]
    shared = written["shared"]
    return [
        one["side"],
        [tag("code", one["entry"]), tag("br"), tag("small", one["file"], class_="path")],
        _numbers(written["grid"], one["grid"][: len(written["grid"])]),
        _numbers(written["block"], one["block"][: len(written["block"])]),
        f"{one['shared']:,}" + (f" = {shared}" if isinstance(shared, str) else ""),
        tag("code", ", ".join(map(str, one["args"])), class_="args"),
    ]


def _rest(contract: Mapping[str, Any]) -> Iterator[Child]:
    facts: list[tuple[str, str]] = [("aliases", f"{a} and {b} share memory") for a, b in contract["aliases"]]
    facts += [("extern function", f"{name} computes {what}") for name, what in contract["externs"].items()]
    facts += [("module variable", f"{name} = {_brief(value)}") for name, value in contract["globals"].items()]
    facts += [("assumed", flag.replace("_", " ")) for flag in contract["assume"]]
    facts += [("constants", "exact: a literal is exactly its bits")] if contract["constants"] == "exact" else []
    if facts:
        yield table((), facts)


def _numbers(written: Sequence[Any], numbers: Sequence[int]) -> Markup:
    """`4 × 256`, and below how the contract has it where that is an expression."""
    shown = tag("span", _by(numbers) or "scalar")
    text = ", ".join(map(str, written))
    return shown if text == ", ".join(map(str, numbers)) else joined(shown, tag("br"), tag("small", text))


def _by(numbers: Sequence[int]) -> str:
    return "\u00a0×\u00a0".join(f"{n:,}" for n in numbers)


def _values(values: Sequence[int]) -> str:
    if len(values) <= _FEW:
        return ", ".join(f"{n:,}" for n in values)
    return f"{values[0]:,}, {values[1]:,}, … {values[-1]:,} ({len(values):,} values)"


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:80] + " …"

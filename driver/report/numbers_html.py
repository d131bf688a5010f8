"""Two sections of numbers: in which formats outputs are summed, and what of the GPU a launch takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from volta_pipe.driver.places import dims_text, where
from volta_pipe.driver.report.html import Child, Markup, section, table, tag

_MOST_DIMS = 4  # combinations of dims that a row names


def precision_section(entries: Sequence[Mapping[str, Any]]) -> Markup | None:
    """A row for each kernel, output and way in which it is summed; dims that have the same share one."""
    found: dict[Any, tuple[Mapping[str, Any], list[str]]] = {}
    for entry in entries:
        key = entry["side"], entry["output"], str(entry["additions"]), str(entry["accumulations"])
        found.setdefault(key, (entry, []))[1].append(dims_text(entry["dims"]))
    if not found:
        return None
    rows: list[list[Child]] = []
    for entry, dims in found.values():
        narrowest = entry["narrowest"]
        places = [where(place) for place in narrowest["places"][:_MOST_DIMS]] if narrowest else []
        narrow = [f"{narrowest['format']}: ", "; ".join(dict.fromkeys(places))] if narrowest else None
        rows.append(
            [
                [entry["side"], ", ", tag("code", entry["output"])],
                _counts(entry["additions"]),
                _counts(entry["accumulations"]),
                narrow,
                _dims(dims),
            ]
        )
    text = "Additions that the outputs depend on, each execution by each thread counted once, by the format they are done in. "
    text += "Those that go on with a sum count for how exact it is."
    heads = ("output", "additions", "of which go on with a sum", "the narrowest of these", "at dims")
    return section("Precision", "precision", tag("p", text), table(heads, rows))


def resources_section(entries: Sequence[Mapping[str, Any]]) -> Markup | None:
    """A row for each kernel and what its launch takes, against the limits of its target."""
    if not entries:
        return None
    rows = []
    for entry in entries:
        limits = entry["limits"] or {}
        shared = entry["static_shared"] + entry["dynamic_shared"]
        rows.append(
            [
                entry["side"],
                entry["target"],
                f"{entry['threads']:,}",
                [_of(shared, limits.get("shared")), tag("br"), _small(f"{entry['static_shared']:,} static")],
                [_of(entry["live_registers"], limits.get("registers")), tag("br"), _small("estimate from the PTX")],
                ", ".join(f".{name} {_numbers(value)}" for name, value in entry["directives"].items()) or "none",
                _dims([dims_text(one) for one in entry["dims"]]),
            ]
        )
    heads = ("side", "target", "threads a CTA", "shared bytes a CTA", "live registers a thread", "directives", "at dims")
    return section("Resources", "resources", table(heads, rows))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} in {format}" for format, count in counts.items()) or "none"


def _numbers(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _of(count: int, most: int | None) -> str:
    return f"{count:,}" + (f" of {most:,}" if most else "")


def _small(text: str) -> Markup:
    return tag("small", text)


def _dims(texts: Iterable[str]) -> str:
    """Combinations of dims, the first few by name."""
    named = [text for text in texts if text]
    left = len(named) - _MOST_DIMS
    return "; ".join(named[:_MOST_DIMS]) + (f" and {left:,} more" if left > 0 else "")

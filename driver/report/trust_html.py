"""The later parts of the page: assumptions, notes, what is trusted, and, folded, classes, normal forms and artifacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volta_pipe.driver.places import dims_text
from volta_pipe.driver.report.html import Child, Markup, folded, joined, section, table, tag


def assumptions_section(assumptions: Sequence[str]) -> Markup:
    """Under which the verdict holds."""
    return section(
        "Assumptions", "assumptions", tag("p", "The verdict holds if all of these do:"),
        tag("ul", (tag("li", text) for text in assumptions)),
    )  # fmt: skip


def notes_section(notes: Sequence[Mapping[str, Any]]) -> Markup | None:
    """What is worth knowing and no fault."""
    left = [note for note in notes if note["kind"] != "vacuous"]
    return section("Notes", "notes", tag("ul", (_note(note) for note in left))) if left else None


def _note(note: Mapping[str, Any]) -> Markup:
    times = f" ×{note['count']:,}" if note["count"] > 1 else ""
    of = ", ".join(text for text in (note["side"], dims_text(note["dims"])) if text)
    more = [*note["places"], *([f"likewise at {'; '.join(note['likewise'])}"] if note["likewise"] else [])]
    return tag(
        "li", note["message"], tag("span", f" ({of}){times}", class_="hint"), [tag("br"), "; ".join(more)] if more else None
    )


def trust_section(base: Mapping[str, Any]) -> Markup:
    """What somebody who believes the verdict believes, too."""
    rows: list[list[Child]] = []
    for kernel in base["kernels"]:
        made: list[Child] = [[text, tag("br")] for text in kernel["comments"]] or ["the file does not say who made it"]
        target = f"PTX {kernel['version'] or '?'} for {kernel['target'] or '?'}"
        rows.append([kernel["side"], tag("code", kernel["file"]), target, made, _digest(kernel["digest"])])
    tools = [[one["name"], one["version"]] for one in base["tool"]]
    spec = base["spec"]
    return section(
        "Trusted base",
        "trusted",
        tag("ul", (tag("li", text) for text in base["trusted"])),
        tag(
            "div",
            tag("div", tag("h3", "Modelled"), tag("ul", (tag("li", text) for text in base["modelled"]))),
            tag("div", tag("h3", "Not modelled"), tag("ul", (tag("li", text) for text in base["not_modelled"]))),
            class_="beside even",
        ),
        tag("h3", "Who made the PTX"),
        table(("side", "file", "is", "says of itself", "sha256"), rows),
        tag("p", "NumPy reference ", tag("code", spec["spec"]), ", sha256 ", _digest(spec["digest"])) if spec else None,
        tag("h3", "What ran"),
        table(("program", "version"), tools),
        tag("p", "What the store had was made by the same code of volta-pipe (see the digests below).", class_="hint"),
        folded(
            "code of the stages",
            table(("stage", "sha256 of its code"), ([s["name"], _digest(s["code"])] for s in base["stages"])),
        ),
    )


def classes_section(found: Sequence[Mapping[str, Any]]) -> Markup | None:
    """Which output elements are one problem, and its normal forms."""
    if not found:
        return None
    parts = [
        [
            tag("h3", dims_text(one["dims"])) if one["dims"] else None,
            [_class(row) for row in one["classes"]],
            tag("p", f"… and {one['left']:,} more classes") if one["left"] > 0 else None,
            tag("pre", "\n".join(one["decided"]), class_="code wrap") if one["decided"] else None,
        ]
        for one in found
    ]
    hint = "The elements of a class have the same two expressions, on other inputs: the first stands for all."
    return section("For the curious", "curious", folded("classes of output elements and normal forms", tag("p", hint), parts))


def _class(row: Mapping[str, Any]) -> Markup:
    forms = row["forms"]
    one = forms["reference"] == forms["candidate"]
    sides = {"both": forms["reference"]} if one else forms
    nodes = f"expressions of {row['nodes'][0]:,} and {row['nodes'][1]:,} nodes"
    head = f"{row['elements']:,} element{'s' * (row['elements'] != 1)} like {row['first']}: {row['outcome']}; {nodes}"
    shown = [
        [tag("p", f"normal form of {side}", class_="file"), tag("pre", text, class_="code wrap")]
        for side, text in sides.items()
        if text
    ]
    return joined(tag("p", tag("strong", head)), tag("p", row["why"]) if row["why"] else None, shown)


def artifacts_section(data: Mapping[str, Any]) -> Markup:
    """Every step, what it left in the store, and the time that it took in this run."""
    rows = [
        joined(
            tag("td", row["name"]),
            tag("td", row["side"]),
            tag("td", dims_text(row["dims"])),
            tag("td", _digest(row["artifact"]) if row["artifact"] else "none: it stopped"),
            tag("td", seconds(row), class_="time"),
        )
        for row in data["times"]["stages"]
    ]
    listed = table(("stage", "side", "dims", "artifact", "time"), (tag("tr", row) for row in rows))
    contract = tag("p", "contract: ", _digest(data["contract"]["digest"]))
    return section("Stages", "stages", folded(f"{len(rows)} stages and their artifacts", contract, listed))


def seconds(time: Mapping[str, Any] | None) -> str:
    """Of a stage or layer in this run."""
    if time is None:
        return ""
    return "from the store" if time["cached"] else f"{time['seconds']:.3f} s"


def _digest(text: str) -> Markup:
    return tag("code", text.removeprefix("sha256:"), class_="digest")

"""Findings on the page: what, where, both sides of the code, how it came about, the picture, the counterexample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volta_pipe.driver.places import dims_text
from volta_pipe.driver.report.html import Child, Markup, folded, joined, section, table, tag
from volta_pipe.driver.report.svg import picture


def findings_section(data: Mapping[str, Any]) -> Markup:
    """The first finding in full, the others folded; and why nothing was decided, where the verdict is unknown."""
    document = data["verdict_document"]
    reasons = document.get("reasons") or ()
    shown = [_finding(number, one, data["contract"]["file"]) for number, one in enumerate(data["findings"], 1)]
    shown_here = (1 + len(one["likewise"]) + sum(more["dims"] for more in one["repeats"]) for one in data["findings"])
    hidden = len(document["findings"]) - sum(shown_here)
    why = tag("ul", (tag("li", f"{_at(reason['dims'])}{reason['message']}") for reason in reasons)) if reasons else None
    return section(
        f"Findings ({len(document['findings'])})" if document["findings"] else "Findings",
        "findings",
        None if shown or reasons else tag("p", "None."),
        [tag("p", "Why nothing was decided:"), why] if why else None,
        shown,
        tag("p", f"{hidden} more in the JSON report.") if hidden > 0 else None,
    )


def _at(dims: Mapping[str, int]) -> str:
    return f"at {dims_text(dims)}: " if dims else ""


def _finding(number: int, one: Mapping[str, Any], contract: str) -> Markup:
    dims = dims_text(one["dims"])
    title = joined(
        tag("span", f"{number}. {one['title']}", class_="title"),
        tag("span", ", ".join(text for text in (one["side"], dims) if text), class_="of"),
        tag("span", one["where"], class_="place") if one["where"] else None,
    )
    return folded(title, *_parts(one, contract), open_=number == 1, class_="finding", anchor=f"finding-{number}")


def _parts(one: Mapping[str, Any], contract: str) -> Iterator[Child]:
    yield tag("p", one["message"], class_="message")
    if one["outputs"]:
        yield tag("p", one["outputs"])
    if one["likewise"]:
        yield tag("p", f"Likewise at {'; '.join(one['likewise'])}.", class_="hint")
    if one["repeats"]:
        items = (tag("li", more["title"], " ", tag("code", more["where"])) for more in one["repeats"])
        yield folded(f"{len(one['repeats'])} more at the same places in the source", tag("ul", items))
    for letter, place in zip("ABCDEFGH", one["places"], strict=False):
        yield from _place(letter if len(one["places"]) > 1 and one["kind"] != "mismatch" else "", place)
    if one["more_accesses"]:
        items = (tag("li", text) for text in one["more_accesses"])
        yield folded(f"{len(one['more_accesses'])} more who took part", tag("ul", items))
    if one["memory_map"] is not None:
        yield picture(one["memory_map"])
    if one["steps"]:
        yield tag("h4", "How it came about")
        yield tag("ol", (_step(step) for step in one["steps"]), class_="steps")
    if one["counterexample"] is not None:
        yield _counterexample(one["counterexample"], contract)


def _place(letter: str, place: Mapping[str, Any]) -> Iterator[Child]:
    mark = tag("span", letter, class_=f"letter {letter.lower()}") if letter else None
    yield tag("p", mark, " " if letter else None, place["text"], class_="who")
    shown = [_excerpt(place[key]) for key in ("source", "ptx") if place[key] is not None]
    if shown:
        yield tag("div", shown, class_="code-pair" if len(shown) > 1 else None)


def _excerpt(found: Mapping[str, Any]) -> Markup:
    lines = []
    for number, text in enumerate(found["lines"], found["first"]):
        marked = number == found["line"]
        start = tag("span", f"{'▸' if marked else ' '}{number:>5} ", class_="no")
        lines.append(tag("span", start, text or " ", "\n", class_="line marked" if marked else "line"))
    return tag("figure", tag("figcaption", f"{found['file']}, line {found['line']}"), tag("pre", lines, class_="code"))


def _step(step: Mapping[str, Any]) -> Markup:
    place = tag("span", f" — {step['where']}", class_="hint") if step["where"] else None
    return tag("li", step["message"], place, tag("code", step["code"], class_="line") if step["code"] else None)


def _counterexample(found: Mapping[str, Any], contract: str) -> Markup:
    heads = ("input", "value", "inputs", "does its change matter?")
    rows = [
        tag(
            "tr",
            tag("td", tag("code", row["input"])),
            tag("td", tag("code", row["value"])),
            tag("td", f"{row['count']:,}"),
            tag("td", "yes" if row["matters"] else "not seen to"),
            class_="matters" if row["matters"] else None,
        )
        for row in found["rows"]
    ]
    values = table(
        ("", f"value of {found['element']}"),
        ([side, tag("code", found[side])] for side in ("reference", "candidate")),
        class_="values",
    )
    formulas = [
        [tag("p", f"formula of the {side}:", class_="file"), tag("pre", text, class_="code wrap")]
        for side, text in found["formulas"].items()
    ]
    computed = found["computed"]
    how = f"Counterexample, a run of both sides ({computed})" if computed else "Counterexample, evaluated on both sides"
    return joined(
        tag("h4", how),
        tag("div", table(heads, rows) if rows else None, values, class_="beside"),
        tag("p", f"{found['left']:,} more rows in the JSON report.") if found["left"] else None,
        tag("p", found["zeros"][:1].upper() + found["zeros"][1:] + ".") if found["zeros"] else None,
        None if found["complete"] else tag("p", "More inputs may matter: the search for them ran out of its evaluations."),
        tag("p", "Outside the contract's range (nothing was found within it): ", ", ".join(found["outside_range"]))
        if found["outside_range"]
        else None,
        formulas,
        tag("p", "With the rounding of PTX: ", tag("code", f"volta-pipe replay {contract} --counterexample"), class_="hint"),
    )

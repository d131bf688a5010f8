"""The page of a report: one file of HTML that needs nothing else and runs nothing, in the order that a reader wants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from volta_pipe.driver.places import dims_text
from volta_pipe.driver.report.contract_html import contract_section
from volta_pipe.driver.report.findings_html import findings_section
from volta_pipe.driver.report.html import Markup, folded, joined, raw, section, table, tag
from volta_pipe.driver.report.numbers_html import precision_section, resources_section
from volta_pipe.driver.report.style import STYLE
from volta_pipe.driver.report.trust_html import (
    artifacts_section,
    assumptions_section,
    classes_section,
    notes_section,
    seconds,
    trust_section,
)
from volta_pipe.ir.findings import UNSUPPORTED_KINDS

MARK = "<!-- volta-pipe report -->"  # a file that begins with it is ours to overwrite
NO_VERDICT = "no verdict"  # nothing failed in the layers that were asked for
GOOD, BAD = ("equivalent", "safe"), ("not-equivalent", "unsafe")
_DOES = {
    "lower": "reads the PTX: syntax, names, types, resources",
    "dynamic": "runs both sides on concrete inputs",
    "safety": "races, deadlocks, bounds, alignment, initialisation, frame",
    "proof": "every output element against the reference, over the reals",
}
_HEADING = re.compile(r'<section(?: class="\w+")? id="(\w+)"><h2>(.*?)</h2>')
_SIGNS = {"passed": "✓", "failed": "✗"}
_NO_FAULT = ("mismatch", "precision", "budget", *UNSUPPORTED_KINDS)  # kinds that make no verdict `unsafe`
_FEW, _MANY = 4, 24  # combinations of dims: more than a few are listed (the line above has them), more than many folded


def page(data: Mapping[str, Any]) -> str:
    """The page of what `collect.report` gave. It depends on that alone; times stand in elements of class `time`."""
    name = data["contract"]["name"]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content="default-src 'none'; style-src 'unsafe-inline'"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{data['verdict'] or NO_VERDICT}: {name}"),
        tag("style", raw(STYLE)),
    )
    # What went wrong is what a reader of it looks for; else what was done.
    broken = data["findings"] or data["verdict_document"].get("reasons")
    parts = [findings_section(data), _layers(data)]
    sections = [
        _vacuous(data["notes"]),
        _covers(data),
        *(parts if broken else reversed(parts)),
        contract_section(data["contract"]),
        precision_section(data["verdict_document"]["precision"]),
        resources_section(data["verdict_document"]["resources"]),
        assumptions_section(data["verdict_document"]["assumptions"]),
        notes_section(data["notes"]),
        trust_section(data["trusted_base"]),
        classes_section(data["classes"]),
        artifacts_section(data),
    ]
    main = tag("main", _contents(part for part in sections if part is not None), sections)
    body = tag("body", _banner(data), main)
    return f"<!DOCTYPE html>\n{MARK}\n{tag('html', head, body, lang='en')}\n"


def _banner(data: Mapping[str, Any]) -> Markup:
    verdict = data["verdict"] or NO_VERDICT
    look = "good" if verdict in GOOD else "bad" if verdict in BAD else "open"
    findings = data["findings"]
    sign = {"good": "✓", "bad": "✗", "open": "?"}[look]
    first = None
    if findings:
        # the finding that makes the verdict: the first one may be a mismatch of another combination of dims
        head = next((one for one in findings if verdict == "unsafe" and one["kind"] not in _NO_FAULT), findings[0])
        left = len(data["verdict_document"]["findings"]) - 1
        also = f", and {left} more finding{'s' * (left > 1)}" if left else ""
        first = tag(
            "p",
            tag("a", f"{head['title']} ({head['side']})", href=f"#finding-{findings.index(head) + 1}"),
            f": {head['message']}{also}",
        )
    return tag(
        "header",
        tag("p", "volta-pipe report", class_="kicker"),
        tag(
            "h1", tag("span", f"{sign} {verdict}", class_="verdict"), " ", tag("span", data["contract"]["name"], class_="name")
        ),
        tag("p", data["meaning"][:1].upper() + data["meaning"][1:] + ".") if data["meaning"] else None,
        first,
        class_=f"banner {look}",
    )


def _contents(sections: Iterable[Markup]) -> Markup:
    """Links to the sections, by their headings."""
    found = (_HEADING.match(part) for part in sections)
    return tag("nav", (tag("a", raw(match[2]), href=f"#{match[1]}") for match in found if match is not None))


def _vacuous(notes: list[Mapping[str, Any]]) -> Markup | None:
    """What says that the contract cannot fail: a proof of it would be worth nothing."""
    found = [note for note in notes if note["kind"] == "vacuous"]
    if not found:
        return None
    items = (tag("li", note["message"], f" ({dims_text(note['dims'])})" if note["dims"] else None) for note in found)
    return tag(
        "section",
        tag("h2", "Warning: this contract cannot fail here"),
        tag("p", "Whatever the verdict says, it says nothing of the following:"),
        tag("ul", items),
        class_="warning",
        id="vacuous",
    )


def _covers(data: Mapping[str, Any]) -> Markup:
    coverage = data["verdict_document"]["coverage"]
    dims = [dims_text(one) for one in coverage["dims"] if one]
    listed = tag("ul", (tag("li", tag("code", text)) for text in dims), class_="dims")
    ctas = coverage["ctas"]
    chosen = None if ctas == "all" else ", ".join(f"({','.join(map(str, cta))})" for cta in ctas)
    return section(
        "What it covers",
        "covers",
        tag("p", data["covers"][:1].upper() + data["covers"][1:], ". Nothing is claimed of other sizes or launches."),
        tag("p", "Only these CTAs were run: ", tag("code", chosen)) if chosen else None,
        (folded(f"all {len(dims)} combinations", listed) if len(dims) > _MANY else listed) if len(dims) > _FEW else None,
        _dispatch(data["verdict_document"].get("dispatch")),
    )


def _dispatch(dispatch: Mapping[str, Any] | None) -> Markup | None:
    """When the kernel may be called, for a dispatcher with a fallback."""
    if not dispatch:
        return None
    return joined(
        tag("p", "The proof covers these calls of the kernel, and no other:"),
        folded("as an expression", tag("pre", str(dispatch.get("expression", "")), class_="code wrap")),
        folded("as a Python function", tag("pre", str(dispatch["function"]), class_="code"))
        if dispatch.get("function")
        else None,
    )


def _layers(data: Mapping[str, Any]) -> Markup:
    times = data["times"]["layers"]
    rows = []
    for layer in data["layers"]:
        result = str(layer["result"])
        look = result if result in _SIGNS else "other"
        mark = tag("span", f"{_SIGNS.get(result, '–')} {result}", class_=f"result {look}")
        detail = layer.get("detail") or ""
        name = [tag("strong", layer["name"]), tag("br"), tag("small", _DOES.get(layer["name"], ""))]
        time = tag("td", seconds(times.get(layer["name"])), class_="time")
        rows.append(tag("tr", tag("td", name), tag("td", mark), tag("td", str(detail)), time))
    hint = tag("p", "From cheap to dear; what comes after a failure may not run.", class_="hint")
    return section("Layers", "layers", table(("layer", "result", "detail", "time"), rows), hint)

"""HTML as strings. `tag` is the only way from text to markup: it escapes all that is not `Markup` already."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

# What is not printed, or changes the order in which the rest is shown (Unicode's bidirectional controls): a page that is
# evidence shows it by its number.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_VOID = ("br", "hr", "meta")


class Markup(str):
    """A string that is HTML. Made by `tag`, `joined` and, of constants of ours, `raw`."""

    __slots__ = ()


Child = str | None | Iterable["Child"]


def escape(text: str) -> Markup:
    """Text of others as HTML; what would be invisible is spelled out."""
    return Markup(html.escape(_HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\r", ""))))


def raw(text: str) -> Markup:
    """A constant of ours that is HTML (or CSS) already. Never for what comes from a contract, a kernel or a run."""
    return Markup(text)


def joined(*children: Child) -> Markup:
    """Children one after the other."""
    return Markup("".join(_flat(children)))


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """`<name attributes>children</name>`. `class_` is the attribute class, `_` in a name is `-`; None and False: left out."""
    texts = [
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    ]
    opening = f"<{name}{''.join(texts)}>"
    return Markup(opening) if name in _VOID else Markup(f"{opening}{joined(*children)}</{name}>")


def _flat(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, str):
            yield child if isinstance(child, Markup) else escape(child)
        else:
            yield from _flat(child)


def table(heads: Iterable[str], rows: Iterable[Iterable[Child]], *, class_: str | None = None) -> Markup:
    """A table that scrolls on its own where it is too wide; a row is its cells, or a `tr` already."""
    head = tag("thead", tag("tr", (tag("th", text, scope="col") for text in heads)))
    body = (row if isinstance(row, Markup) else tag("tr", (tag("td", cell) for cell in row)) for row in rows)
    return tag("div", tag("table", head, tag("tbody", body), class_=class_), class_="wide")


def section(title: str, anchor: str, *children: Child) -> Markup:
    """A part of the page with its heading."""
    return tag("section", tag("h2", title), *children, id=anchor)


def folded(
    summary: Child, *children: Child, open_: bool = False, class_: str | None = None, anchor: str | None = None
) -> Markup:
    """What a reader opens who wants to know."""
    return tag("details", tag("summary", summary), *children, open=open_, class_=class_, id=anchor)

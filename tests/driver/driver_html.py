"""Reading a page of HTML strictly: its elements, whether they nest, and all that could make it load something."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "br", "hr"}
_LOADS = ("src", "srcset", "data", "action", "formaction", "poster", "background", "ping", "manifest", "xlink:href", "style")


@dataclass
class Element:
    """An element with its own text and all that is inside it."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def all(self, name: str = "", class_: str = "") -> list[Element]:
        """All elements inside of a name and a class, in order."""
        found = []
        for child in self.children:
            fits = (not name or child.name == name) and (not class_ or class_ in child.attributes.get("class", "").split())
            found += ([child] if fits else []) + child.all(name, class_)
        return found

    def one(self, name: str = "", class_: str = "", anchor: str = "") -> Element:
        found = [e for e in self.all(name, class_) if not anchor or e.attributes.get("id") == anchor]
        assert len(found) == 1, (name, class_, anchor, len(found))
        return found[0]

    @property
    def text(self) -> str:
        """All text inside, as a reader sees it."""
        return re.sub(r"\s+", " ", "".join(self.texts)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/>: HTML has no such form")

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> ends <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.texts.append(data)


def read_html(text: str) -> Element:
    """The root of a page whose tags are balanced, and which loads and runs nothing (asserted)."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root], f"<{reader.open[-1].name}> is not closed"
    everything = reader.root.all()
    anchors = [e.attributes["id"] for e in everything if "id" in e.attributes]
    assert len(set(anchors)) == len(anchors)
    for element in everything:
        assert element.name not in ("script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image"), (
            element.name
        )
        for name, value in element.attributes.items():
            assert name not in _LOADS and not name.startswith("on"), (element.name, name)
            assert "://" not in value and "javascript:" not in value, (element.name, name, value)
            if name == "href":
                assert value.startswith("#") and value[1:] in anchors, value
        if element.name == "style":
            assert "url(" not in element.text and "@import" not in element.text
    return reader.root.one("html")

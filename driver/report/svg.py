"""The memory map of a race as a picture: elements as cells, above who makes access A to them, below who makes access B."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from volta_pipe.driver.report.html import Markup, tag

CELL_WIDTH, HALF, LEFT, GAP = 41, 17, 76, 20  # pixels
_HEIGHT = 2 * HALF + 3
_LETTERS = "AB"


def picture(found: Mapping[str, Any]) -> Markup:
    """The figure with its legend; found: of `memory_map`."""
    name = found["name"] or found["space"]
    lines, height = _lines(found)
    width = LEFT + found["columns"] * CELL_WIDTH + 2
    title = f"{name}: {found['elements']:,} elements of {found['element_bytes']} bytes in {found['space']} memory"
    shown = sum(len(line["cells"]) for line in found["lines"])
    part = f", of which {shown:,} are shown" if shown < found["elements"] else ""
    box = f"0 0 {width} {height}"
    image = tag("svg", tag("title", title), lines, role="img", width=width, height=height, viewBox=box, class_="map")
    caption = tag("figcaption", title, part, "; in the cells the threads")
    return tag("figure", caption, _legend(found), tag("div", image, class_="wide"), class_="memory")


def _legend(found: Mapping[str, Any]) -> Markup:
    items = [
        tag(
            "li",
            tag("span", letter, class_=f"letter {letter.lower()}"),
            f" {half} half: {access['action']} by {_threads(access['threads'])} of CTA ({','.join(map(str, access['cta']))})",
        )
        for letter, half, access in zip(_LETTERS, ("upper", "lower"), found["accesses"], strict=True)
    ]
    items.append(tag("li", tag("span", class_="key race"), " the element of this finding"))
    if any(cell["mark"] == "both" for line in found["lines"] for cell in line["cells"]):
        items.append(tag("li", tag("span", class_="key both"), " also touched by both, in different threads"))
    return tag("ul", items, class_="legend")


def _threads(count: int) -> str:
    return f"{count:,} thread{'s' * (count != 1)}"


def _lines(found: Mapping[str, Any]) -> tuple[list[Markup], int]:
    """The parts of the picture, and its height."""
    parts: list[Markup] = []
    last: list[Markup] = []  # frames that must lie on top
    columns = found["columns"]
    shown = range(min(columns, found["elements"]))
    parts += [_text(LEFT + CELL_WIDTH * n + CELL_WIDTH // 2 - 1, 12, f"+{n}", "no", "middle") for n in shown]
    y, before = 18, -1
    for line in found["lines"]:
        number = line["first"] // columns
        if number != before + 1:
            parts.append(_text(LEFT, y + 13, _skipped((number - before - 1) * columns), "gap", "start"))
            y += GAP
        parts.append(_text(LEFT - 8, y + HALF + 4, _first(found["name"], line), "no", "end"))
        for column, cell in enumerate(line["cells"]):
            x = LEFT + column * CELL_WIDTH
            parts += _cell(found, cell, x, y)
            if cell["mark"] in ("race", "both"):
                last.append(_box(x + 1, y + 1, CELL_WIDTH - 4, _HEIGHT - 3, f"frame {cell['mark']}"))
        y += _HEIGHT
        before = number
    count = -(-found["elements"] // columns)
    if before + 1 < count:
        parts.append(_text(LEFT, y + 13, _skipped(found["elements"] - (before + 1) * columns), "gap", "start"))
        y += GAP
    return [*parts, *last], y + 2


def _skipped(count: int) -> str:
    return f"… {count:,} elements"


def _first(name: str, line: Mapping[str, Any]) -> str:
    """How a line is called: its first element, without the name where that is long."""
    label = str(line["cells"][0]["label"])
    return label if len(label) <= 11 else label.removeprefix(name)


def _cell(found: Mapping[str, Any], cell: Mapping[str, Any], x: int, y: int) -> Iterator[Markup]:
    """Two halves with the number of the thread, or how many there are."""
    said = [
        f"{_LETTERS[place]}: {found['accesses'][place]['action']} by {listed(threads, count)}"
        for place, (threads, count) in enumerate(zip(cell["threads"], cell["counts"], strict=True))
        if count
    ]
    title = tag("title", f"{cell['label']}: {'; '.join(said) or 'not touched'}")
    halves: list[Markup] = []
    for place, (threads, count) in enumerate(zip(cell["threads"], cell["counts"], strict=True)):
        top = y + place * HALF
        look = f"half {_LETTERS[place].lower()}" if count else "half"
        halves.append(_box(x, top, CELL_WIDTH - 2, HALF, look))
        if count:
            text = f"{threads[0]}" if count == 1 else f"{count}×"
            halves.append(_text(x + (CELL_WIDTH - 2) // 2, top + 13, text, f"thread {_LETTERS[place].lower()}", "middle"))
    yield tag("g", title, halves, class_=cell["mark"] or None)


def listed(threads: Sequence[int], count: int) -> str:
    """`threads 0..31, 64` of increasing numbers, as far as they are listed."""
    runs: list[list[int]] = []
    for thread in threads:
        if runs and thread == runs[-1][1] + 1:
            runs[-1][1] = thread
        else:
            runs.append([thread, thread])
    text = ", ".join(str(low) if low == high else f"{low}..{high}" for low, high in runs)
    more = f" and {count - len(threads):,} more" if count > len(threads) else ""
    return f"thread{'s' * (count > 1)} {text}{more}"


def _box(x: int, y: int, width: int, height: int, look: str) -> Markup:
    return tag("rect", x=x, y=y, width=width, height=height, rx=2, class_=look)


def _text(x: int, y: int, text: str, look: str, anchor: str) -> Markup:
    return tag("text", text, x=x, y=y, class_=look, text_anchor=anchor)

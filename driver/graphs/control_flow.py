"""The control flow of a module of `lower`: a node a block, with its lines, and what it does besides arithmetic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from volta_pipe.driver.changes.lines import at, place
from volta_pipe.driver.changes.operations import Item, Listing, listing
from volta_pipe.driver.changes.words import many
from volta_pipe.driver.graphs.model import Edge, Graph, Node
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.lines import LineTable

MOST_BLOCKS = 400
_OPERATION = re.compile(r'(?:%[\w, %]+ = )?ptx\.(\w+)(?: "([^"]*)")?')
_TARGET = re.compile(r"\^bb(\d+)")
# Of these how many there are is said; arithmetic is only counted.
_TOLD = re.compile(
    r"ld|st|atom|red|bar|barrier|mbarrier|cp|fence|membar|shfl|vote|match|redux|mma|wmma|ldmatrix|stmatrix|trap|unmodelled"
)
_WIDEST = 56  # characters of a line


def control_flow(text: str, title: str, lines: LineTable | None) -> Graph:
    """The graph of a module's text. Errors: InputError where it has too many blocks to be looked at."""
    blocks = _blocks(listing(text))
    if len(blocks) > MOST_BLOCKS:
        raise InputError(f"--graph cfg: the kernel has {len(blocks):,} blocks, more than the {MOST_BLOCKS} that are drawn")
    graph = Graph(title)
    for number, items in blocks:
        last = items[-1].text if items else ""
        kind = "end" if last.startswith(("ptx.ret", "ptx.trap")) else "block"
        graph.nodes.append(Node(f"bb{number}", tuple(_label(number, items, lines)), kind))
        targets = _TARGET.findall(last)
        words = ["true", "false"] if last.startswith("ptx.cond_br") and len(targets) == 2 else [""] * len(targets)
        if len(targets) == 2 and targets[0] == targets[1]:
            targets, words = targets[:1], ["either"]
        graph.edges += [Edge(f"bb{number}", f"bb{t}", word) for t, word in zip(targets, words, strict=True)]
    return graph


def _blocks(module: Listing) -> list[tuple[int, list[Item]]]:
    """(number, operations) of each block; the first one has no head in the text."""
    found: list[tuple[int, list[Item]]] = [(0, [])]
    for item in module.items:
        if item.index < 0:
            number = int(item.made[0].removeprefix("^bb"))
            if number or found[-1][1]:
                found.append((number, []))
        else:
            found[-1][1].append(item)
    return found


def _label(number: int, items: list[Item], lines: LineTable | None) -> Iterator[str]:
    """Number and size, lines of the source, memory and synchronisation, what it branches on."""
    yield f"bb{number}: {many(len(items), 'operation')}"
    where = at((place(lines, item.index) for item in items), most=6).removeprefix(" at ")
    if where:
        yield where
    told: Counter[str] = Counter()
    for item in items:
        found = _OPERATION.match(item.text)
        if found is not None and _TOLD.match(found[1]):
            told[f"{found[1]} {found[2] or ''}".strip()] += 1
    yield from _wrapped([name + (f" ×{count}" if count > 1 else "") for name, count in told.items()])
    last = items[-1] if items else None
    if last is not None and last.text.startswith("ptx.cond_br"):
        maker = next((item for item in items if last.used and last.used[0] in item.made), None)
        text = _OPERATION.sub("", maker.text) if maker is not None else ""
        name = _OPERATION.match(maker.text) if maker is not None else None
        said = (
            f"{name[1]} {name[2]}{text.partition(' : ')[0]}"
            if name is not None
            else last.used[0]
            if last.used
            else "a constant"
        )
        yield f"branch on {said}"[:_WIDEST]
    elif last is not None and last.text.startswith(("ptx.ret", "ptx.trap")):
        yield last.text.removeprefix("ptx.").partition(" {")[0]


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + len(word) + 2 > _WIDEST:
            yield f"{line},"
            line = word
        else:
            line = f"{line}, {word}" if line else word
    if line:
        yield line

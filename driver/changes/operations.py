"""What differs between two modules of `lower`, operation by operation, whatever the numbers of values and blocks.

Works on the canonical text, which has one operation a line. Constants stand in front of the kernel and have no place in the
PTX, so they count as part of the operations that use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from volta_pipe.driver.changes.align import aligned
from volta_pipe.driver.findings import source_name

_NAME = re.compile(r'"(?:[^"\\]|\\.)*"|(%\d+|\^bb\d+)')
_SYMBOL = re.compile(r"_ZZ\w+")  # a variable inside a function: another name of the kernel makes it no other variable
_BLOCK = re.compile(r"\s*(\^bb\d+)(?:\((.*)\))?:")
_CONSTANT = re.compile(r"\s*(%\d+) = (ptx\.constant .*)")
_KERNEL = "  ptx.kernel "


@dataclass(frozen=True)
class Item:
    """One operation or one block's head. text: as it stands in the module, with the values of constants for their names;
    `index`: walk index of an operation, -1 of a head; `shape`: the text with names of values and blocks taken out, constants
    put in; `made`: the names that it defines; `used`: those that it refers to."""

    text: str
    index: int
    shape: str
    made: tuple[str, ...]
    used: tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """A module's text: lines outside of the kernel's body, and the items of the body but constants."""

    head: tuple[str, ...]
    items: tuple[Item, ...]

    @property
    def operations(self) -> int:
        return sum(item.index >= 0 for item in self.items)


@dataclass(frozen=True)
class OperationChanges:
    """Items: `removed` of old, `added` of new, `replaced` (old, new) in one place or the same with other operands; `head`:
    lines outside of the kernel's body that only one side has, with - or + in front."""

    old: Listing
    new: Listing
    removed: tuple[Item, ...]
    added: tuple[Item, ...]
    replaced: tuple[tuple[Item, Item], ...]
    head: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many operations differ; heads of blocks do not count."""
        single = [*self.removed, *self.added, *(item for _, item in self.replaced)]
        return sum(item.index >= 0 for item in single)


def listing(text: str) -> Listing:
    """Reads the custom form of a module, as `lower` writes it."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(_KERNEL)), len(lines))
    end = next((i for i in range(start, len(lines)) if lines[i] == "  }"), len(lines))
    constants: dict[str, str] = {}
    items: list[Item] = []
    index = 0
    for line in lines[start + 1 : end]:
        found = _CONSTANT.fullmatch(line)
        block = _BLOCK.fullmatch(line)
        if found is not None:
            constants[found[1]] = found[2]
        elif block is not None:
            arguments = re.findall(r"%\d+", block[2] or "")
            items.append(Item(_text(line, constants), -1, _shape(line, constants), (block[1], *arguments), ()))
        else:
            items.append(_operation(line, index, constants))
        index += block is None
    return Listing((*lines[: start + 1], *lines[end:]), tuple(items))


def _operation(line: str, index: int, constants: dict[str, str]) -> Item:
    made, equals, right = line.partition(" = ")
    left = tuple(re.findall(r"%\d+", made)) if equals and made.lstrip().startswith("%") else ()
    names = [name for name in _NAME.findall(right if left else line) if name and name not in constants]
    return Item(_text(line, constants), index, _shape(line, constants), left, tuple(names))


def _text(line: str, constants: dict[str, str]) -> str:
    def known(match: re.Match[str]) -> str:
        value = constants.get(match[1]) if match[1] is not None else None
        return match[0] if value is None else value.removeprefix("ptx.constant ").partition(" : ")[0]

    return _NAME.sub(known, line.strip())


def _shape(line: str, constants: dict[str, str]) -> str:
    def plain(match: re.Match[str]) -> str:
        name = match[1]
        return match[0] if name is None else f"<{constants[name]}>" if name in constants else name[0]

    return _SYMBOL.sub(lambda found: source_name(found[0]), _NAME.sub(plain, line.strip()))


def operation_changes(old: str, new: str) -> OperationChanges:
    """Compares two modules, given as text."""
    left, right = listing(old), listing(new)
    numbers: dict[str, int] = {}
    keys = [np.array([numbers.setdefault(i.shape, len(numbers)) for i in side.items], np.int64) for side in (left, right)]
    kept = aligned(keys[0], keys[1]).tolist()
    # A name is told by the item that makes it: names of kept items correspond.
    same: dict[str, str] = {}
    for place, other in enumerate(kept):
        if other >= 0:
            same.update(zip(left.items[place].made, right.items[other].made, strict=True))
    gaps = _gaps(kept, len(right.items))
    removed: list[Item] = []
    added: list[Item] = []
    replaced: list[tuple[Item, Item]] = []
    for ours, theirs in gaps:
        both = min(len(ours), len(theirs))
        for place, other in zip(ours[:both], theirs[:both], strict=True):
            one, its = left.items[place], right.items[other]
            replaced.append((one, its))
            if len(one.made) == len(its.made):
                same.update(zip(one.made, its.made, strict=True))
        removed += [left.items[place] for place in ours[both:]]
        added += [right.items[other] for other in theirs[both:]]
    gone = {name for item in removed for name in item.made}
    for place, other in enumerate(kept):
        if other >= 0:
            one, its = left.items[place], right.items[other]
            moved = any(same.get(a) != b for a, b in zip(one.used, its.used, strict=True) if a not in gone)
            if moved:
                replaced.append((one, its))
    heads = [
        f"{sign}{line}" for sign, a, b in (("-", left, right), ("+", right, left)) for line in a.head if line not in b.head
    ]
    replaced.sort(key=lambda pair: pair[1].index)
    return OperationChanges(left, right, tuple(removed), tuple(added), tuple(replaced), tuple(heads))


def _gaps(kept: list[int], count: int) -> list[tuple[list[int], list[int]]]:
    """(places of old, places of new) between neighbours that are kept, where there are any."""
    fixed = [(-1, -1), *((place, other) for place, other in enumerate(kept) if other >= 0), (len(kept), count)]
    between = [(list(range(a + 1, b)), list(range(x + 1, y))) for (a, x), (b, y) in pairwise(fixed)]
    return [gap for gap in between if gap[0] or gap[1]]

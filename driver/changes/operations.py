"""What differs between two modules of `lower`, operation by operation, whatever the numbers of values and blocks.

Works on the canonical text, which has one operation a line. Constants stand in front of the kernel and have no place in the
PTX, so they count as part of the operations that use them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from volta_pipe.driver.changes.align import aligned
from volta_pipe.driver.findings import source_name
from volta_pipe.ir.instructions import find_form
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.ptx.words import TYPE_WORDS

_NAME = re.compile(r'"(?:[^"\\]|\\.)*"|(%\d+|\^bb\d+)')
_SYMBOL = re.compile(r"_ZZ\w+")  # a variable inside a function: another name of the kernel makes it no other variable
_BLOCK = re.compile(r"\s*(\^bb\d+)(?:\((.*)\))?:")
_CONSTANT = re.compile(r"\s*(%\d+) = (ptx\.constant .*)")
_OPERATION = re.compile(r'(?:[%, :0-9]+ = )?([\w.^]+)(?: ("[^"]*"))?')
_KERNEL = "  ptx.kernel "
_DIALECT = "ptx."


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


Pair = tuple[Item | None, Item | None]


@dataclass(frozen=True)
class OperationChanges:
    """`pairs`: items of old and new that took the place of each other, or are the same with other operands; None on the other
    side of what was removed or added. In the order of the kernels. `head`: lines outside of the kernel's body that only one
    side has, with - or + in front."""

    old: Listing
    new: Listing
    pairs: tuple[Pair, ...]
    head: tuple[str, ...]

    @property
    def removed(self) -> list[Item]:
        return [old for old, new in self.pairs if old is not None and new is None]

    @property
    def current(self) -> list[Item]:
        """What was added, or stands there now."""
        return [new for _, new in self.pairs if new is not None]

    @property
    def count(self) -> int:
        """How many operations differ; heads of blocks do not count."""
        return sum(item.index >= 0 for item in [*self.removed, *self.current])


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


def in_text_order(found: Listing, lines: LineTable) -> Listing:
    """The items as the PTX has them; what has no place there stands in front of what comes next in the module."""
    keys: list[tuple[int, int]] = []
    following = (1 << 31, 0)
    for item in reversed(found.items):
        place = lines.ptx[item.index] if 0 <= item.index < len(lines.ptx) else (0, 0)
        following = place if place[0] else following
        keys.append(following)
    keys.reverse()
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return Listing(found.head, tuple(found.items[i] for i in order))


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


def operation_changes(
    old: str, new: str, old_lines: LineTable | None = None, new_lines: LineTable | None = None
) -> OperationChanges:
    """Compares two modules, given as text. Where both have lines, in the order of the PTX: that of a module depends on all that
    is computed, so that one edit may move much."""
    left, right = listing(old), listing(new)
    if old_lines is not None and new_lines is not None:
        left, right = in_text_order(left, old_lines), in_text_order(right, new_lines)
    kept = _aligned(left.items, right.items)
    gaps = _gaps(kept, left.items, right.items)
    fixed = [(left.items[place], right.items[other]) for place, other in enumerate(kept) if other >= 0]
    # A name is told by the item that makes it: those of items that correspond are one. Arguments of a block are told by the
    # first operation that uses them, as their order depends on all that is computed.
    paired = [(one, its) for gap in gaps for one, its in gap if one and its and len(one.made) == len(its.made)]
    same = {
        name: other
        for one, its in (*fixed, *paired)
        for name, other in zip(one.made, its.made, strict=True)
        if one.index >= 0 or name.startswith("^")
    }
    arguments = [{name for i in side.items if i.index < 0 for name in i.made if name[0] == "%"} for side in (left, right)]
    gone = {name for gap in gaps for one, its in gap if one and its is None and one.index >= 0 for name in one.made}
    pairs = list(gaps[0])
    for (one, its), gap in zip(fixed, gaps[1:], strict=True):
        if one.index >= 0:
            for a, b in zip(one.used, its.used, strict=True):
                if a in arguments[0] and b in arguments[1]:
                    same.setdefault(a, b)
            if not _alike([None if a in gone else same.get(a, "") for a in one.used], its):
                pairs.append((one, its))
        pairs += gap
    heads = [
        f"{sign}{line}" for sign, a, b in (("-", left, right), ("+", right, left)) for line in a.head if line not in b.head
    ]
    return OperationChanges(left, right, tuple(pairs), tuple(heads))


def _aligned(old: Sequence[Item], new: Sequence[Item]) -> list[int]:
    """For each item of `old` the place of the one in `new` that is the same, or -1: first by what the operands are made by, as
    the steps of a sum are all alike, then what is left by itself."""
    numbers: dict[object, int] = {}
    keys: list[list[list[int]]] = []
    for side in (old, new):
        makers = {
            name: f"{item.shape} {slot if item.index >= 0 else ''}" for item in side for slot, name in enumerate(item.made)
        }
        fine = [(item.shape, *sorted(makers.get(name, "") for name in item.used)) for item in side]
        keys.append([[numbers.setdefault(key, len(numbers)) for key in some] for some in (fine, [item.shape for item in side])])
    found = aligned(*(np.array(side[0], np.int64) for side in keys)).tolist()
    for place, other in enumerate(found):
        if other >= 0:
            keys[0][1][place] = keys[1][1][other] = -1 - place
    kept: list[int] = aligned(*(np.array(side[1], np.int64) for side in keys)).tolist()
    return kept


def _alike(used: list[str | None], its: Item) -> bool:
    """Whether an item refers to what it should (None: to anything); two operands that may be exchanged in either order."""
    ways = [its.used]
    if len(its.used) > 1 and _commutes(its.text):
        ways.append((its.used[1], its.used[0], *its.used[2:]))
    return any(all(a is None or a == b for a, b in zip(used, way, strict=True)) for way in ways)


def _commutes(text: str) -> bool:
    """Whether the first two operands of an operation may change places, as `lower` has it."""
    from volta_pipe.passes.lower.commuting import is_exchangeable

    match = _OPERATION.match(text)
    if match is None or match[2] is None or not match[1].startswith(_DIALECT):
        return False
    words = match[2].strip('"').split(".")
    mnemonic, types = match[1].removeprefix(_DIALECT), tuple(word for word in words if word in TYPE_WORDS)
    modifiers = tuple(word for word in words if word not in TYPE_WORDS)
    form = find_form(mnemonic, modifiers, types)
    return form is not None and is_exchangeable(form.op, mnemonic, modifiers, types)


def _pairs(old: Sequence[Item], new: Sequence[Item], words: int = 2) -> list[Pair]:
    """Items that took the place of each other: of one mnemonic with its modifiers, in order, between these of one mnemonic,
    and what stands alone between two such pairs. None on the other side of all others, as what they did is not done there."""
    if not words or not old or not new:
        if len(old) == len(new) == 1 and len(old[0].made) == len(new[0].made):
            return [(old[0], new[0])]
        return [*((item, None) for item in old), *((None, item) for item in new)]
    numbers: dict[tuple[str, ...], int] = {}
    keys = [
        np.array([numbers.setdefault(_mnemonic(item, words), len(numbers)) for item in side], np.int64) for side in (old, new)
    ]
    kept = [*aligned(keys[0], keys[1]).tolist(), len(new)]
    found: list[Pair] = []
    start = first = 0
    for place, other in enumerate(kept):
        if other >= 0:
            found += _pairs(old[start:place], new[first:other], words - 1)
            found += list(zip(old[place : place + 1], new[other : other + 1], strict=True))
            start, first = place + 1, other + 1
    return found


def _mnemonic(item: Item, words: int) -> tuple[str, ...]:
    """`ptx.fma`, and with two words `"rn.f32"`; the head of a block is one, too."""
    match = _OPERATION.match(item.shape)
    return tuple(word or "" for word in match.groups()[:words]) if match is not None else ("",)


def _gaps(kept: list[int], old: Sequence[Item], new: Sequence[Item]) -> list[list[Pair]]:
    """What lies before the first item that is kept, between each two neighbours of them, and behind the last."""
    fixed = [(-1, -1), *((place, other) for place, other in enumerate(kept) if other >= 0), (len(kept), len(new))]
    return [_pairs(old[a + 1 : b], new[x + 1 : y]) for (a, x), (b, y) in pairwise(fixed)]

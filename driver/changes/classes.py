"""Which classes of `canon` are others than before: by their members, what became of them, and the structure of their forms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgpack
import numpy as np

from volta_pipe.driver.changes.numbering import Numbering, numbering

# As `canon` writes its table of terms, the digests of its parts are computed by the checker of certificates.
from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass
from volta_pipe.passes.recheck.digests import digests


@dataclass(frozen=True)
class ClassChanges:
    """Numbers of classes. `changed`: (of old, of new) with a common member, that differ in `ways` (a tuple of words for each
    pair: members, outcome, normal form of the reference, …, size); `removed`, `added`: those that are left; `same`: how many
    classes are as before. `other`: names of what else differs."""

    changed: tuple[tuple[int, int], ...]
    ways: tuple[tuple[str, ...], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]
    same: int
    other: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.changed) + len(self.removed) + len(self.added)


@dataclass(frozen=True)
class _Class:
    members: str
    outcome: tuple[str, str]
    sizes: tuple[int, int]
    forms: tuple[str, str]
    first: tuple[str, int]


Moved = Callable[[str, Any], Any]  # (tensor, its elements, int64 [n]): the numbers by which they correspond


def class_changes(old: Canonical, new: Canonical, numbers: Numbering | None = None) -> ClassChanges:
    """Compares two artifacts of `canon`. Elements correspond by index where `numbers` says how both sides number them, else
    by their numbers."""
    numbers = numbers or numbering({}, {})
    moved = (partial(numbers.moved, "old"), partial(numbers.moved, "new"))
    left, right = _classes(old, moved[0]), _classes(new, moved[1])
    # Those with the same members first, then those with the same representative, then those with a member in common.
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for name in ("members", "first"):
        there = {getattr(c, name): number for number, c in enumerate(right) if number not in taken}
        for number, c in enumerate(left):
            if number not in partner and getattr(c, name) in there:
                partner[number] = there.pop(getattr(c, name))
                taken.add(partner[number])
    _by_members(old, new, moved, partner, taken)
    changed, ways = [], []
    for number, other in sorted(partner.items(), key=lambda pair: pair[1]):
        found = _ways(left[number], right[other])
        if found:
            changed.append((number, other))
            ways.append(found)
    removed = tuple(n for n in range(len(left)) if n not in partner)
    added = tuple(n for n in range(len(right)) if n not in taken)
    fields = ("assumptions", "constants", "only_reference", "only_candidate")
    rest = tuple(name.replace("_", " ") for name in fields if getattr(old, name) != getattr(new, name))
    return ClassChanges(tuple(changed), tuple(ways), removed, added, len(partner) - len(changed), rest)


def _classes(canonical: Canonical, moved: Moved) -> list[_Class]:
    digest = {0: ""}
    for (number, data), start in zip(canonical.packed(), canonical.starts, strict=True):
        found = digests(_named(msgpack.unpackb(data), canonical, moved))[0]
        digest |= {old + start: found[new] for old, new in number.items() if new}
    return [
        _Class(
            _members(c, canonical.tensors, moved),
            (c.outcome, c.why),
            c.sizes,
            (digest[c.forms[0]], digest[c.forms[1]]),
            (canonical.tensors[int(c.tensors[0])], int(moved(canonical.tensors[int(c.tensors[0])], c.elements[:1])[0])),
        )
        for c in canonical.classes
    ]


def _named(parts: list[Any], canonical: Canonical, moved: Moved) -> list[Any]:
    """The parts with names for the numbers of tensors and scalars, and elements by their common numbers."""
    names = {"leaf": canonical.tensors, "scalar": canonical.scalars}

    def named(kind: int, first: Any, rest: list[Any]) -> list[Any]:
        known = names.get(first) if isinstance(first, str) else None
        if known is None:
            return [kind, first, *rest]
        name, numbers = known[rest[0][0]], rest[0][1:]
        return [kind, first, [name, *(moved(name, np.array(numbers, np.int64)).tolist() if first == "leaf" else numbers)]]

    return [named(kind, first, rest) for kind, first, *rest in parts]


def _members(c: EquivalenceClass, tensors: tuple[str, ...], moved: Moved) -> str:
    """A digest of the set of members."""
    found = hashlib.sha256()
    for number in np.unique(c.tensors).tolist():
        found.update(f"{tensors[number]} ".encode())
        found.update(np.sort(np.asarray(moved(tensors[number], c.elements[c.tensors == number]), np.int64)).tobytes())
    return found.hexdigest()


def _by_members(old: Canonical, new: Canonical, moved: tuple[Moved, Moved], partner: dict[int, int], taken: set[int]) -> None:
    """Pairs what is left by the first member that lies in a class of the other side, which nobody else took."""
    left = [n for n in range(len(old.classes)) if n not in partner]
    right = [n for n in range(len(new.classes)) if n not in taken]
    if not left or not right:
        return
    names = {name: number for number, name in enumerate(dict.fromkeys([*old.tensors, *new.tensors]))}

    def keys(side: Canonical, number: int, move: Moved) -> np.ndarray[Any, np.dtype[np.int64]]:
        table = np.array([names[name] for name in side.tensors], np.int64)
        c = side.classes[number]
        elements = np.asarray(c.elements, np.int64).copy()
        for tensor in np.unique(c.tensors).tolist():
            elements[c.tensors == tensor] = move(side.tensors[tensor], elements[c.tensors == tensor])
        return table[c.tensors] << 32 | elements

    whole = [(n, keys(new, n, moved[1])) for n in right]
    members = np.concatenate([k for _, k in whole])
    owner = np.repeat([n for n, _ in whole], [len(k) for _, k in whole])
    order = np.argsort(members)
    members, owner = members[order], owner[order]
    for number in left:
        mine = keys(old, number, moved[0])
        at = np.searchsorted(members, mine).clip(max=len(members) - 1)
        owners = owner[at[members[at] == mine]]
        free = owners[~np.isin(owners, list(taken))]
        if len(free):
            partner[number] = int(free[0])
            taken.add(int(free[0]))


def _ways(old: _Class, new: _Class) -> tuple[str, ...]:
    pairs = (
        ("members", old.members, new.members),
        ("outcome", old.outcome, new.outcome),
        ("normal form of the reference", old.forms[0], new.forms[0]),
        ("normal form of the candidate", old.forms[1], new.forms[1]),
        ("size of its expressions", old.sizes, new.sizes),
    )
    return tuple(word for word, a, b in pairs if a != b)

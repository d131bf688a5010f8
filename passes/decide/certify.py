"""Making the certificate: the renamings of all classes, and digests of the normal forms."""

from __future__ import annotations

import hashlib

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MASK, MONOMIAL, POLYNOMIAL
from volta_pipe.passes.canon.canonical import PLAIN, Canonical, EquivalenceClass, coefficient, needed_parts
from volta_pipe.passes.canon.classes import Array, Side, places, walk_chunk
from volta_pipe.passes.decide.certificate import Certificate, Claim, Renaming

MAX_CELLS = 1 << 24  # shifts that a certificate holds, 64 MiB; a class for which there is no room says so
_PIECE = 1 << 22  # group nodes of inputs that are looked at together
_WORDS = {MONOMIAL: "monomial", POLYNOMIAL: "polynomial", FACTOR: "factor", FORM: "form", ATOM: "atom"}
NO_ROOM = "the renamings would take too much room"


def certify(
    canonical: Canonical, reference: Conditions, candidate: Conditions, sides: tuple[Side, Side], claims: list[str]
) -> Certificate:
    """The certificate of a decision that claims so much (see CLAIMS) of each class of `canonical`."""
    digest, kinds = _digests(canonical)
    room = MAX_CELLS
    made = []
    for c, claim in zip(canonical.classes, claims, strict=True):
        x, y = (digest.get(f, "") for f in c.forms)
        rules = sorted({kind for f in c.forms for kind in kinds.get(f, ())})
        renaming, why = None, c.why
        if c.outcome == "undecidable":
            why = why or "nothing is claimed"
        else:
            renaming = _renaming(sides, c, reference, candidate, room)
            room -= 0 if renaming is None else renaming.shifts.size
            why = why or (NO_ROOM if renaming is None else "")
        made.append(Claim(c.tensors, c.elements, claim, (x, y), tuple(rules), renaming, why))
    alone = (canonical.only_reference.count, canonical.only_candidate.count)
    return Certificate(tuple(made), canonical.tensors, alone, canonical.assumptions)


def _renaming(
    sides: tuple[Side, Side], c: EquivalenceClass, reference: Conditions, candidate: Conditions, room: int
) -> Renaming | None:
    """The renaming of a class; None where there is no room for it."""
    roots: list[Array] = []
    for conditions in (reference, candidate):
        nodes = np.zeros(len(c.elements), np.int32)
        for tensor in np.unique(c.tensors):
            at = c.tensors == tensor
            nodes[at] = conditions.outputs[int(tensor)][c.elements[at]]
        roots.append(nodes)
    orders = tuple(side.reachable(int(r[0])) for side, r in zip(sides, roots, strict=True))
    if len(c.elements) == 1:
        found = []
        for side, order in zip(sides, orders, strict=True):
            leaves = order[side.columns[0][order] == Node.LEAF]
            found.append(side.tensor[leaves].astype(np.int64) << 32 | side.element[leaves])
            side.forget(order)
        own = np.unique(np.concatenate(found))
        return _made(own, np.zeros(len(own), np.int64), np.zeros((min(len(own), 1), 1), np.int32))
    keys: Array = np.zeros(0, np.int64)
    numbers: list[Array] = []
    shifts: list[Array] = []
    pending = [(0, len(c.elements))]
    while pending:
        first, end = pending.pop()
        members = np.append(0, np.arange(max(first, 1), end))  # the representative leads each piece
        walked = walk_chunk(sides, orders, [r[members] for r in roots], np.ones(len(members), np.bool_))
        if walked is None:
            middle = (first + end) // 2
            pending += [(middle, end), (first, middle)]
            continue
        keys, number, rows = _patterns(sides, *walked)
        numbers.append(number)
        shifts.append(rows[:, (1 if first else 0) :])
        if sum(s.size for s in shifts) > room:
            break
    for side, order in zip(sides, orders, strict=True):
        side.forget(order)
    pattern = np.zeros(len(keys), np.int64)  # of the pieces so far
    first_of = pattern
    for number, rows in zip(numbers, shifts, strict=True):
        _, first_of, pattern = np.unique(pattern * max(len(rows), 1) + number, return_index=True, return_inverse=True)
    if pending or len(first_of) * len(c.elements) > room:
        return None
    table = np.concatenate([rows[number[first_of]] for number, rows in zip(numbers, shifts, strict=True)], axis=1)
    return _made(keys, pattern, table)


def _made(keys: Array, pattern: Array, table: Array) -> Renaming:
    tensor, element, number, shifts = (x.astype(np.int32) for x in (keys >> 32, keys & 0xFFFFFFFF, pattern, table))
    return Renaming(tensor, element, number, shifts)


def _first(keys: Array) -> Array:
    """Which of them occur for the first time."""
    _, where = np.unique(keys, return_index=True)
    found = np.zeros(len(keys), np.bool_)
    found[where] = True
    return found


def _patterns(
    sides: tuple[Side, Side], leaves: list[tuple[Array, ...]], rows: Array, sizes: Array
) -> tuple[Array, Array, Array]:
    """(leaves of the representative as tensor · 2^32 + element, sorted; the number of each one's shifts; these, int32
    [patterns, members])."""
    known: dict[bytes, int] = {}
    table: list[Array] = []
    seen: dict[tuple[int, bytes], int] = {}
    of_leaf: dict[int, int] = {}
    for side, (nodes, part, at, pool) in zip(sides, leaves, strict=True):
        own = side.tensor[nodes].astype(np.int64) << 32 | side.element[nodes]
        # Each input once, the first time it is met; as many at a time as have groups for a piece of memory.
        fresh = np.array([k not in of_leaf for k in own.tolist()], np.bool_)
        fresh[fresh] = _first(own[fresh])
        nodes, part, at, own = nodes[fresh], part[fresh], at[fresh], own[fresh]
        ends = np.cumsum(sizes[part], dtype=np.int64)
        for piece in np.split(np.arange(len(nodes)), np.flatnonzero(np.diff(ends // _PIECE)) + 1):
            place, first = places(at[piece], sizes[part[piece]])
            shift = side.element[pool[place]] - np.repeat(side.element[nodes[piece]], sizes[part[piece]])
            whole = shift.tobytes()
            width = shift.itemsize
            starts = [*(first * width).tolist(), len(whole)]
            for i, (key, p) in enumerate(zip(own[piece].tolist(), part[piece].tolist(), strict=True)):
                grouped = (p, whole[starts[i] : starts[i + 1]])
                number = seen.get(grouped)
                if number is None:
                    row = np.frombuffer(grouped[1], shift.dtype)[rows[p]]
                    number = seen[grouped] = known.setdefault(row.tobytes(), len(table))
                    if number == len(table):
                        table.append(row)
                of_leaf[key] = number
    keys = np.array(sorted(of_leaf), np.int64)
    members = rows.shape[1]
    stacked = np.stack(table) if table else np.zeros((0, members), np.int32)
    return keys, np.array([of_leaf[int(k)] for k in keys], np.int64), stacked


def _digests(canonical: Canonical) -> tuple[dict[int, str], dict[int, frozenset[str]]]:
    """Of each normal form, by its number: a digest that depends on its structure alone, and what it is made of.

    The digest of a part is the sha256 of its kind and its contents as text, with digests for the parts in it, and sums,
    products and the arguments of a maximum sorted; 1 (part 0) is "1"."""
    t = canonical.table
    wanted = {f for c in canonical.classes for f in c.forms if f}
    digest, kinds = {0: "1"}, {0: 0}  # a bit for each of `names` that a part is made of
    names: dict[str, int] = {}
    for part in needed_parts(t, wanted):
        item, kind = t.items[part], t.kinds[part]
        own = ""
        if kind == MONOMIAL:
            within = [a for a, _ in item]
            text = sorted([f"{digest[a]} {power}" for a, power in item])
        elif kind == POLYNOMIAL:
            own, within = "2^x", list(item)
            text = sorted([f"{digest[m]} {coefficient(c)}" for m, c in item.items()])
        elif kind == ATOM:
            plain = item[0] in PLAIN
            within = [] if plain else list(item[1:])
            arguments = [str(i) for i in item[1:]] if plain else [digest[i] for i in within]
            text = [item[0], *(sorted(arguments) if item[0] == "max" else arguments)]
            own = "" if item[0] in ("leaf", "scalar") else item[0]
        else:
            terms, den = (item.num, item.den) if kind == FORM else (item, ())
            within = [*{k >> 32 for k in terms}, *(k & MASK for k in terms), *den]
            lines = sorted([f"{digest[k >> 32]} {digest[k & MASK]} {coefficient(c)}" for k, c in terms.items()])
            text = [*lines, "/", *sorted([digest[f] for f in den])]
        digest[part] = hashlib.sha256("\n".join([_WORDS[kind], *text]).encode()).hexdigest()
        made_of = 1 << names.setdefault(own, len(names)) if own else 0
        for i in within:
            made_of |= kinds[i]
        kinds[part] = made_of
    found = {f: frozenset(name for name, bit in names.items() if kinds[f] >> bit & 1) for f in wanted}
    return {f: digest[f] for f in wanted}, found

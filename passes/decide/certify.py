"""Making the certificate: the renamings of all classes, and digests of the normal forms."""

from __future__ import annotations

import hashlib

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MONOMIAL, POLYNOMIAL
from volta_pipe.passes.canon.canonical import PLAIN, Canonical, EquivalenceClass, written_parts
from volta_pipe.passes.canon.classes import Array, Side, walk_chunk
from volta_pipe.passes.decide.certificate import Certificate, Claim, Renaming

MAX_CELLS = 1 << 24  # shifts that a certificate holds, 64 MiB; a class for which there is no room says so
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
    both, pattern = np.unique(np.stack(numbers), axis=1, return_inverse=True)
    if pending or both.shape[1] * len(c.elements) > room:
        return None
    table = np.concatenate([s[row] for s, row in zip(shifts, both, strict=True)], axis=1)
    return _made(keys, pattern.ravel(), table)


def _made(keys: Array, pattern: Array, table: Array) -> Renaming:
    tensor, element, number, shifts = (x.astype(np.int32) for x in (keys >> 32, keys & 0xFFFFFFFF, pattern, table))
    return Renaming(tensor, element, number, shifts)


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
        for node, p, start in zip(nodes.tolist(), part.tolist(), at.tolist(), strict=True):
            key = int(side.tensor[node]) << 32 | int(side.element[node])
            if key in of_leaf:
                continue
            shift = side.element[pool[start : start + int(sizes[p])]] - side.element[node]
            grouped = (p, shift.tobytes())
            if grouped not in seen:
                row = shift[rows[p]]
                number = known.setdefault(row.tobytes(), len(table))
                if number == len(table):
                    table.append(row)
                seen[grouped] = number
            of_leaf[key] = seen[grouped]
    keys = np.array(sorted(of_leaf), np.int64)
    members = rows.shape[1]
    stacked = np.stack(table) if table else np.zeros((0, members), np.int32)
    return keys, np.array([of_leaf[int(k)] for k in keys], np.int64), stacked


def _digests(canonical: Canonical) -> tuple[dict[int, str], dict[int, frozenset[str]]]:
    """Of each normal form, by its number: a digest that depends on its structure alone, and what it is made of.

    The digest of a part is the sha256 of its kind and its contents as text, with digests for the parts in it, and sums,
    products and the arguments of a maximum sorted; 1 (part 0) is "1"."""
    number, parts = written_parts(canonical.table, [f for c in canonical.classes for f in c.forms if f])
    digest, kinds = ["1"], [frozenset[str]()]
    for part in parts:
        kind = part[0]
        within: list[int] = []
        if kind == ATOM:
            plain = part[1] in PLAIN
            within = [] if plain else part[2]
            named = [str(i) for i in part[2]] if plain else [digest[i] for i in within]
            text = [part[1], *(sorted(named) if part[1] == "max" else named)]
        elif kind in (MONOMIAL, POLYNOMIAL):
            within = [i for i, _ in part[1]]
            text = sorted(f"{digest[i]} {factor}" for i, factor in part[1])
        else:
            within = [*(i for e, m, _ in part[1] for i in (e, m)), *part[2]]
            terms = sorted(f"{digest[e]} {digest[m]} {c}" for e, m, c in part[1])
            text = [*terms, "/", *sorted(digest[f] for f in part[2])]
        word = {MONOMIAL: "monomial", POLYNOMIAL: "polynomial", FACTOR: "factor", FORM: "form", ATOM: "atom"}[kind]
        digest.append(hashlib.sha256("\n".join([word, *text]).encode()).hexdigest())
        own = {part[1]} if kind == ATOM and part[1] not in ("leaf", "scalar") else {"2^x"} if kind == POLYNOMIAL else set()
        kinds.append(frozenset(own).union(*(kinds[i] for i in within)))
    wanted = {f for c in canonical.classes for f in c.forms if f}
    return {f: digest[number[f]] for f in wanted}, {f: kinds[number[f]] for f in wanted}

"""Making the certificate: claims, and digests of the normal forms; the renamings are those that `canon` found."""

from __future__ import annotations

import hashlib

from volta_pipe.ir.normal_form import ATOM, FACTOR, FORM, MASK, MONOMIAL, POLYNOMIAL, Table
from volta_pipe.passes.canon.canonical import Canonical
from volta_pipe.passes.canon.tables import PLAIN, coefficient, needed_parts
from volta_pipe.passes.decide.certificate import Certificate, Claim

_WORDS = {MONOMIAL: "monomial", POLYNOMIAL: "polynomial", FACTOR: "factor", FORM: "form", ATOM: "atom"}
NO_ROOM = "the renamings would take too much room"


def certify(canonical: Canonical, claims: list[str]) -> Certificate:
    """The certificate of a decision that claims so much (see CLAIMS) of each class of `canonical`."""
    digest, kinds = _digests(canonical)
    made = []
    for c, claim in zip(canonical.classes, claims, strict=True):
        x, y = (digest.get(f, "") for f in c.forms)
        rules = sorted({kind for f in c.forms for kind in kinds.get(f, ())})
        missing = "" if c.renaming is not None else "nothing is claimed" if c.outcome == "undecidable" else NO_ROOM
        made.append(Claim(c.tensors, c.elements, claim, (x, y), tuple(rules), c.renaming, c.why or missing))
    alone = (canonical.only_reference.count, canonical.only_candidate.count)
    return Certificate(tuple(made), canonical.tensors, alone, canonical.assumptions)


def _digests(canonical: Canonical) -> tuple[dict[int, str], dict[int, frozenset[str]]]:
    """Of each normal form, by its number: a digest that depends on its structure alone, and what it is made of.

    The digest of a part is the sha256 of its kind and its contents as text, with digests for the parts in it, and sums,
    products and the arguments of a maximum sorted; 1 (part 0) is "1"."""
    digest: dict[int, str] = {}
    kinds: dict[int, frozenset[str]] = {}
    wanted = {f for c in canonical.classes for f in c.forms if f}
    for table, start in zip(canonical.tables, canonical.starts, strict=True):
        own = [f - start for f in wanted if 0 < f - start < len(table.items)]
        found, made_of = _of_table(table, own)
        digest |= {f + start: found[f] for f in own}
        kinds |= {f + start: made_of[f] for f in own}
    return digest, kinds


def _of_table(t: Table, wanted: list[int]) -> tuple[dict[int, str], dict[int, frozenset[str]]]:
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
    return digest, {f: frozenset(name for name, bit in names.items() if kinds[f] >> bit & 1) for f in wanted}

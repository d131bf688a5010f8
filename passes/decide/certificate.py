"""What `decide` hands to whoever wants to check its verdict without its code (`volta_pipe.passes.recheck`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir import renaming
from volta_pipe.ir.program_checks import number, text
from volta_pipe.ir.renaming import Renaming

Int32 = np.ndarray[Any, np.dtype[np.int32]]
# What is claimed of a class: the two expressions are one tree, they have equal normal forms, they are equal in each case of
# their conditions; the counterexample is of its representative; or nothing but that its members are renamings.
IDENTICAL, EQUAL, CASES, REFUTED, OPEN = CLAIMS = ("identical", "equal", "cases", "refuted", "open")


@dataclass(frozen=True)
class Claim:
    """One class: its members (int32 [n], the first one the representative), what is claimed, the digests of the normal forms
    of both sides ("" where there is none), the kinds of atoms and exponentials in these, and the renaming, or why it is not
    here."""

    tensors: Int32
    elements: Int32
    claim: str
    digests: tuple[str, str] = ("", "")
    rules: tuple[str, ...] = ()
    renaming: Renaming | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Certificate:
    """tensors: names that members and leaves index; `alone`: how many elements the reference alone and the candidate alone
    write; assumptions: all that the claims rest on."""

    claims: tuple[Claim, ...]
    tensors: tuple[str, ...]
    alone: tuple[int, int]
    assumptions: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Certificate) or self.meta() != other.meta():
            return False
        mine, its = self.columns(), other.columns()
        return all(np.array_equal(mine[name], its[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def meta(self) -> dict[str, Any]:
        """Its part of the artifact's header; `columns` has the rest."""
        sizes, _ = renaming.written([c.renaming for c in self.claims])
        rows = [
            [len(c.elements), c.claim, list(c.digests), list(c.rules), size, c.why]
            for c, size in zip(self.claims, sizes, strict=True)
        ]
        return {"claims": rows, "tensors": list(self.tensors), "alone": list(self.alone), "assumptions": list(self.assumptions)}

    def columns(self) -> dict[str, Int32]:
        empty = [np.zeros(0, np.int32)]
        members = {
            "member_tensor": np.concatenate(empty + [c.tensors for c in self.claims]),
            "member_element": np.concatenate(empty + [c.elements for c in self.claims]),
        }
        return members | renaming.written([c.renaming for c in self.claims])[1]

    @staticmethod
    def read(meta: dict[str, Any], columns: dict[str, Any]) -> Certificate:
        """Errors: ValueError, KeyError, TypeError on anything that is not well-formed."""
        left: dict[str, Int32] = {name: columns[name] for name in ("member_tensor", "member_element")}
        if any(c.dtype != np.int32 or c.ndim != 1 for c in left.values()):
            raise ValueError("a column of the certificate has the wrong form")
        one, other = meta["alone"]
        tensors, assumptions = (tuple(text(name) for name in meta[key]) for key in ("tensors", "assumptions"))
        counts = [row[0] for row in meta["claims"]]
        sensible = all(type(count) is int and count > 0 for count in counts)
        if not sensible or any(sum(counts) != len(c) for c in left.values()):
            raise ValueError("the certificate has another number of members")
        column = left["member_tensor"]
        if column.size and not 0 <= int(column.min()) <= int(column.max()) < len(tensors):
            raise ValueError("the certificate names a tensor that does not exist")
        if any(c.size and int(c.min()) < 0 for c in left.values()):
            raise ValueError("the certificate names an element that does not exist")
        renamings = renaming.read([row[4] for row in meta["claims"]], counts, columns, len(tensors))
        claims = []
        for (count, claim, (x, y), rules, _, why), found in zip(meta["claims"], renamings, strict=True):
            if claim not in CLAIMS:
                raise ValueError("a claim of the certificate is unknown")
            in_tensors, elements = (column[:count] for column in left.values())
            left = {name: column[count:] for name, column in left.items()}
            words = (text(x), text(y)), tuple(text(r) for r in rules)
            claims.append(Claim(in_tensors, elements, claim, *words, found, text(why)))
        alone = number(one, 0, 1 << 62), number(other, 0, 1 << 62)
        return Certificate(tuple(claims), tensors, alone, assumptions)

"""What `decide` hands to whoever wants to check its verdict without its code (`volta_pipe.passes.recheck`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Int32 = np.ndarray[Any, np.dtype[np.int32]]
# What is claimed of a class: the two expressions are one tree, they have equal normal forms, they are equal in each case of
# their conditions; the counterexample is of its representative; or nothing but that its members are renamings.
IDENTICAL, EQUAL, CASES, REFUTED, OPEN = CLAIMS = ("identical", "equal", "cases", "refuted", "open")


@dataclass(frozen=True)
class Renaming:
    """Which input stands in a member where the representative has leaf (tensor, element) number i: that of the same tensor at
    element + shifts[pattern[i], member]. tensor, element, pattern: int32 [leaves of both sides], by tensor and element;
    shifts: int32 [patterns, members]."""

    tensor: Int32
    element: Int32
    pattern: Int32
    shifts: Int32


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
        rows = []
        for c in self.claims:
            r = c.renaming
            sizes = [-1, -1] if r is None else [len(r.tensor), len(r.shifts)]
            rows.append([len(c.elements), c.claim, list(c.digests), list(c.rules), sizes, c.why])
        return {"claims": rows, "tensors": list(self.tensors), "alone": list(self.alone), "assumptions": list(self.assumptions)}

    def columns(self) -> dict[str, Int32]:
        empty = [np.zeros(0, np.int32)]
        held = [c.renaming for c in self.claims if c.renaming is not None]
        return {
            "member_tensor": np.concatenate(empty + [c.tensors for c in self.claims]),
            "member_element": np.concatenate(empty + [c.elements for c in self.claims]),
            "leaf_tensor": np.concatenate(empty + [r.tensor for r in held]),
            "leaf_element": np.concatenate(empty + [r.element for r in held]),
            "leaf_pattern": np.concatenate(empty + [r.pattern for r in held]),
            "shifts": np.concatenate(empty + [r.shifts.ravel() for r in held]),
        }

    @staticmethod
    def read(meta: dict[str, Any], columns: dict[str, Any]) -> Certificate:
        """Errors: ValueError, KeyError, TypeError on anything that is not well-formed."""
        names = ("member_tensor", "member_element", "leaf_tensor", "leaf_element", "leaf_pattern", "shifts")
        left: dict[str, Int32] = {name: columns[name] for name in names}
        if any(c.dtype != np.int32 or c.ndim != 1 for c in left.values()):
            raise ValueError("a column of the certificate has the wrong form")

        def take(name: str, count: int) -> Int32:
            if not 0 <= count <= len(left[name]):
                raise ValueError(f"column {name} of the certificate is too short")
            taken, left[name] = left[name][:count], left[name][count:]
            return taken

        claims = []
        for count, claim, (x, y), rules, (leaves, patterns), why in meta["claims"]:
            if claim not in CLAIMS or count < 1:
                raise ValueError("a claim of the certificate is unknown")
            members = take("member_tensor", count), take("member_element", count)
            renaming = None
            if leaves >= 0:
                tensor, element, pattern = (take(name, leaves) for name in names[2:5])
                renaming = Renaming(tensor, element, pattern, take("shifts", patterns * count).reshape(patterns, count))
                if leaves and not 0 <= int(renaming.pattern.min()) <= int(renaming.pattern.max()) < patterns:
                    raise ValueError("a pattern of the certificate is out of range")
            claims.append(Claim(*members, claim, (str(x), str(y)), tuple(str(r) for r in rules), renaming, str(why)))
        if any(len(c) for c in left.values()):
            raise ValueError("the certificate has columns of no claim")
        one, other = meta["alone"]
        tensors, assumptions = (tuple(str(name) for name in meta[key]) for key in ("tensors", "assumptions"))
        for c in claims:
            for column in (c.tensors, *([] if c.renaming is None else [c.renaming.tensor])):
                if column.size and not 0 <= int(column.min()) <= int(column.max()) < len(tensors):
                    raise ValueError("the certificate names a tensor that does not exist")
        return Certificate(tuple(claims), tensors, (int(one), int(other)), assumptions)

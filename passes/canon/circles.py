"""Sines and cosines in the table of parts: cos² = 1 − sin², and which angles are free of relations.

Where angles are linearly independent over the rational numbers, also together with π, their sines and cosines satisfy nothing
but cos² + sin² = 1 each: e^(iθ) of such angles are algebraically independent. As cos has a power rule (its square becomes
1 − sin²), polynomials in them that are equal are the same sum then, and one that has terms is not identically 0. With angles
that are not independent, it may be 0 unseen."""

from __future__ import annotations

from flint import fmpq_mat

from volta_pipe.ir.normal_form import MASK, MAXIMUM, PREDICATE, ROOT, Form, Table

_PLAIN = ("leaf", "scalar", "rsqrt", "sin", "cos")  # atoms that are not identically 0
_MOST = 64  # angles or terms in them beyond which they do not count as free


def cosine(t: Table, angle: int) -> int:
    """The atom of the cosine of a form, by number: ("cos", the form of 1/(1 − sin²), the angle).

    It has the power rule of a root: its square is one over the first argument."""
    sine = t.atom("sin", angle)
    square = Form({0: 1, t.monomial(((sine, 2),)): -1}, ())
    return ruled(t, t.atom("cos", t.as_it_is(t.inverse(square)), angle))


def ruled(t: Table, number: int) -> int:
    """Gives the atom of a cosine its power rule; its number."""
    t.flags[number] = ROOT
    t.relations = True
    return number


def free(t: Table, x: Form) -> bool:
    """Whether the angles of all sines and cosines in a numerator, however deep, are known to be linearly independent over the
    rational numbers together with π. Errors: none; too many or too involved ones are not free."""
    angles = _angles(t, x)
    if not angles:
        return True
    forms: list[Form] = [t.items[a] for a in angles]
    if len(angles) > _MOST or (len(angles) > 1 and any(f.den or _in_pieces(t, a) for f, a in zip(forms, angles, strict=True))):
        return False
    half_turns = t.monomial(((t.atom("pi"), 1),))
    keys = sorted({k for f in forms for k in f.num} - {half_turns})
    if not keys or len(keys) > 16 * _MOST:
        return False
    entries = [f.num.get(k, 0) for f in forms for k in keys]
    return bool(fmpq_mat(len(forms), len(keys), entries).rank() == len(forms))


def _angles(t: Table, x: Form) -> list[int]:
    """Numbers of the angles in a numerator. A single term is 0 only where an atom is, so that its plain ones do not count."""
    ((first, _), *more) = x.num.items()
    if more:
        reached = _atoms(t, list(x.num))
    else:
        within = [k for a, _ in t.items[first & MASK] if t.items[a][0] not in _PLAIN for k in _inside(t, a)]
        reached = _atoms(t, within)
    return sorted({t.items[a][-1] for a in reached if t.items[a][0] in ("sin", "cos")})


def _in_pieces(t: Table, angle: int) -> bool:
    """Whether an angle holds a maximum or a predicate: it is another one's multiple on a piece of the inputs, as |x| is x's."""
    return any(t.flags.get(a, 0) & (MAXIMUM | PREDICATE) for a in _atoms(t, list(t.items[angle].num)))


def _atoms(t: Table, keys: list[int]) -> set[int]:
    """Atoms in terms, in what those are made of, and so on."""
    reached: set[int] = set()
    done: set[int] = set()
    while keys:
        k = keys.pop()
        if k in done:
            continue
        done.add(k)
        for m in (k & MASK, *t.polynomial_of[k >> 32]):
            for a, _ in t.items[m]:
                if a not in reached:
                    reached.add(a)
                    keys += _inside(t, a)
    return reached


def _inside(t: Table, atom: int) -> list[int]:
    """Keys of the terms that an atom is made of."""
    kind, *arguments = t.items[atom]
    if kind == "name":
        return list(t.items[arguments[0]])
    if kind in ("leaf", "scalar"):
        return []
    return [k for i in arguments for terms in (t.items[i].num, *(t.items[f] for f in t.items[i].den)) for k in terms]

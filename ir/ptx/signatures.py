"""Matching an instruction against the table: which row, which signature, and how wide each operand and result is.

`lower` asks before it builds an operation (it needs the widths of immediates), the verifier asks afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volta_pipe.ir.instructions import FLOATS, INTS, WIDTH, Form, Op, find_form

# Per mnemonic: groups of modifiers of which between `low` and `high` must be given.
_COMPARE = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"
_ROUNDING = "rn rz rm rp rni rzi rmi rpi"
_SPACES = "global shared shared::cta local const param"
_SCOPES = "cta cluster gpu sys"
_ORDERS = "relaxed acquire release acq_rel"
_CHOICES: dict[str, tuple[tuple[str, int, int], ...]] = {
    "setp": ((_COMPARE, 1, 1), ("and or xor", 0, 1)),
    "shfl": (("up down bfly idx", 1, 1),),
    "shf": (("l r", 1, 1), ("wrap clamp", 1, 1)),
    "ld": ((_SPACES, 0, 1), ("v2 v4 v8", 0, 1), ("weak volatile relaxed acquire", 0, 1), (_SCOPES, 0, 1)),
    "st": ((_SPACES, 0, 1), ("v2 v4 v8", 0, 1), ("weak volatile relaxed release", 0, 1), (_SCOPES, 0, 1)),
    "ldu": (("v2 v4", 0, 1),),
    "atom": (("global shared shared::cta", 0, 1), (_SCOPES, 0, 1), (_ORDERS, 0, 1)),
    "red": (("global shared shared::cta", 0, 1), ("v2 v4", 0, 1), (_SCOPES, 0, 1), (_ORDERS, 0, 1)),
    "createpolicy": (("L2 L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged", 1, 2),),
    "prefetch": (("global local const", 0, 1), ("L1 L2 L2::evict_last L2::evict_normal", 1, 1)),
    "cvta": ((_SPACES, 1, 1),),
    "membar": (("cta gl sys proxy", 1, 1),),
    "fence": ((f"{_SCOPES} proxy", 1, 2), ("sc acq_rel acquire release", 0, 1)),
    "div": ((f"{_ROUNDING} approx full", 0, 1),),
    "rcp": ((f"{_ROUNDING} approx", 0, 1),),
    "sqrt": ((f"{_ROUNDING} approx", 0, 1),),
}
_CHOICE_SETS = {name: [(frozenset(words.split()), low, high) for words, low, high in rows] for name, rows in _CHOICES.items()}
_ANY_ROUNDING = frozenset(_ROUNDING.split())
# Types that conversions may start from: the table only lists what they lead to.
_SOURCES = ("s8", "u8", *INTS)
_CONVERSIONS = {Op.CVT: frozenset(_SOURCES), Op.FCVT: frozenset((*_SOURCES, *FLOATS))}
# Instructions whose operands may be wider than their type (PTX ISA 9.4.1, operand size exceeding instruction-type size).
_RELAXED = frozenset({"ld", "ldu", "st", "cvt"})


@dataclass(frozen=True)
class Match:
    """A row and one of its signatures spelled out. Widths in bits; `exact` is False when operands may be wider;
    width 0 stands for an address, which may have 32 or 64 bits. `kinds`: the type that each operand is read as."""

    form: Form
    results: tuple[int, ...]
    operands: tuple[int, ...]
    kinds: tuple[str, ...]
    exact: bool


def select_form(mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> Form | str:
    """The row for an instruction, or the reason why there is none."""
    form = find_form(mnemonic, modifiers, types)
    if form is None:
        return "no such form in the instruction table"
    have = frozenset(modifiers)
    if len(have) != len(modifiers):
        return "a modifier is given twice"
    for group, low, high in _CHOICE_SETS.get(mnemonic, [(_ANY_ROUNDING, 0, 1)]):
        if not low <= len(have & group) <= high:
            return f"needs {low if low == high else f'at most {high}'} of: {' '.join(sorted(group))}"
    wanted = 0 if not form.types else 2 if any("U" in signature for signature in form.signatures) else 1
    if len(types) != wanted:
        return f"needs {wanted} types"
    if form.op in _CONVERSIONS and types[1] not in _CONVERSIONS[form.op]:
        return "no such form in the instruction table"
    return form


def _width(letter: str, types: Sequence[str]) -> int:
    """Width in bits of a signature letter (see instructions.Form); 0 for an address."""
    if letter in "TV":
        return WIDTH[types[0]]
    if letter == "W":
        return 2 * WIDTH[types[0]]
    if letter == "H":
        return WIDTH[types[0]] // 2
    if letter == "U":
        return WIDTH[types[1]]
    return {"u": 32, "f": 32, "p": 1, "A": 0, "x": 0, "L": 64}[letter]


def vector_length(modifiers: Sequence[str]) -> int:
    """How many values a memory instruction moves."""
    return next((length for length in (2, 4, 8) if f"v{length}" in modifiers), 1)


def address_count(form: Form) -> int:
    """How many address operands an instruction has, the first ones; each has a constant offset."""
    return form.signatures[0].count("A")


def _kind(letter: str, types: Sequence[str]) -> str:
    """The type that an operand of a signature letter is read as."""
    if letter in "TV":
        return types[0]
    if letter == "U":
        return types[1]
    return {"W": "s64", "H": "b16", "u": "u32", "f": "f32", "p": "pred"}.get(letter, "u64")


def _letters(side: str, length: int) -> list[str]:
    """The letters of one side of a signature, `V` repeated for vectors."""
    found: list[str] = []
    for letter in side.split(",") if side else []:
        found += [letter] * (length if letter == "V" else 1)
    return found


def match(form: Form, modifiers: Sequence[str], types: Sequence[str], results: int, operands: int) -> Match | None:
    """The signature of `form` with that many results and operands, or None."""
    length = vector_length(modifiers)
    for signature in form.signatures:
        left, right = (_letters(side, length) for side in signature.split("="))
        if "L2::cache_hint" in modifiers:
            right.append("L")
        if (len(left), len(right)) != (results, operands):
            continue
        # `and`, `or`, `xor` of setp go with a third operand and only with it.
        if form.mnemonic == "setp" and bool({"and", "or", "xor"} & set(modifiers)) != (operands == 3):
            return None
        return Match(
            form,
            tuple(_width(letter, types) for letter in left),
            tuple(_width(letter, types) for letter in right),
            tuple(_kind(letter, types) for letter in right),
            form.mnemonic not in _RELAXED,
        )
    return None


def width_fits(wanted: int, actual: int, exact: bool) -> bool:
    """Whether a register of `actual` bits may stand where the signature asks for `wanted` (0: an address)."""
    if wanted == 0:
        return actual in (32, 64)
    if wanted == 1 or actual == 1:
        return wanted == actual
    return actual == wanted if exact else actual >= wanted

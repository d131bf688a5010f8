"""Matching an instruction against the table: which row, which signature, and how wide each operand and result is.

`lower` asks before it builds an operation (it needs the widths of immediates), the verifier asks afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volta_pipe.ir.instructions import (
    BITS,
    FLOATS,
    HALVES,
    INT16,
    INT32,
    INTS,
    MATRIX,
    PAIRS,
    SMALL_PAIRS,
    TYPE_WIDTH,
    Form,
    Op,
    find_form,
)

# Per mnemonic: groups of modifiers of which between `low` and `high` must be given.
_COMPARE = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"
_ROUNDING = "rn rz rm rp rni rzi rmi rpi"
_SPACES = "global shared shared::cta local const param"
_SCOPES = "cta cluster gpu sys"
_ORDERS = "relaxed acquire release acq_rel"
_CHOICES: dict[str, tuple[tuple[str, int, int], ...]] = {
    "setp": ((_COMPARE, 1, 1), ("and or xor", 0, 1)),
    "set": ((_COMPARE, 1, 1), ("and or xor", 0, 1)),
    "szext": (("clamp wrap", 1, 1),),
    "bmsk": (("clamp wrap", 1, 1),),
    "prmt": (("f4e b4e rc8 ecl ecr rc16", 0, 1),),
    "isspacep": ((f"{_SPACES} shared::cluster", 1, 1),),
    "shfl": (("up down bfly idx", 1, 1),),
    "shf": (("l r", 1, 1), ("wrap clamp", 1, 1)),
    "ld": ((_SPACES, 0, 1), ("v2 v4 v8", 0, 1), ("weak volatile relaxed acquire", 0, 1), (_SCOPES, 0, 1)),
    "st": ((_SPACES, 0, 1), ("v2 v4 v8", 0, 1), ("weak volatile relaxed release", 0, 1), (_SCOPES, 0, 1)),
    "ldu": (("v2 v4", 0, 1),),
    "atom": (("global shared shared::cta", 0, 1), (_SCOPES, 0, 1), (_ORDERS, 0, 1)),
    "red": (("global shared shared::cta", 0, 1), ("v2 v4 v8", 0, 1), (_SCOPES, 0, 1), (_ORDERS, 0, 1)),
    "createpolicy": (("L2 L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged", 1, 2),),
    "prefetch": (("global local const", 0, 1), ("L1 L2 L2::evict_last L2::evict_normal", 1, 1)),
    "testp": (("finite infinite number notanumber", 1, 1),),
    "cvta": ((_SPACES, 1, 1),),
    "membar": (("cta gl sys proxy", 1, 1),),
    "fence": ((f"{_SCOPES} proxy", 1, 2), ("sc acq_rel acquire release", 0, 1)),
    "mbarrier": (("shared shared::cta", 0, 1), (_SCOPES, 0, 1), ("relaxed acquire release", 0, 1)),
    "div": ((f"{_ROUNDING} approx full", 0, 1),),
    "rcp": ((f"{_ROUNDING} approx", 0, 1),),
    "sqrt": ((f"{_ROUNDING} approx", 0, 1),),
}
_CHOICE_SETS = {name: [(frozenset(words.split()), low, high) for words, low, high in rows] for name, rows in _CHOICES.items()}
_ANY_ROUNDING = frozenset(_ROUNDING.split())
# Second types (and third ones) by operation: the table only lists the first.
_SOURCES = ("s8", "u8", *INTS)
_FLOAT_SOURCES = frozenset((*FLOATS, *HALVES))
_FLOATS = frozenset((*FLOATS, *HALVES, *PAIRS))
_UNSIGNED_ORDER = "eq ne lt le gt ge lo ls hi hs"
_FLOAT_ORDER = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"
_INTEGRAL = frozenset(["rni", "rzi", "rmi", "rpi"])
_MORE_TYPES = {
    Op.CVT: frozenset((*_SOURCES, *_FLOAT_SOURCES)),
    Op.FCVT: frozenset((*_SOURCES, *_FLOAT_SOURCES, *PAIRS, *SMALL_PAIRS)),
    Op.DP4A: frozenset(INT32),
    Op.DP2A: frozenset(INT32),
    Op.SET: frozenset((*BITS, *INTS, *FLOATS, *HALVES, *PAIRS)),
    Op.SLCT: frozenset(("s32", "f32")),
}
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
    for group, low, high in modifier_choices(mnemonic):
        if not low <= len(have & group) <= high:
            return f"needs {low if low == high else f'at most {high}'} of: {' '.join(sorted(group))}"
    if form.op in MATRIX:
        from volta_pipe.ir.tensor import describe  # takes NumPy, which most kernels can be lowered without

        tensor = describe(mnemonic, modifiers, types)
        return tensor if isinstance(tensor, str) else form
    wanted = 0 if not form.types else 1 + sum(letter in form.signatures[0] for letter in "UX")
    if len(types) != wanted:
        return f"needs {wanted} types"
    if form.op in _MORE_TYPES and not _MORE_TYPES[form.op].issuperset(types[1:]):
        return "no such form in the instruction table"
    reason = _restriction(form, have, types)
    return reason or form


def modifier_choices(mnemonic: str) -> Sequence[tuple[frozenset[str], int, int]]:
    """Groups of modifiers of which an instruction has between so many and so many."""
    return _CHOICE_SETS.get(mnemonic, [(_ANY_ROUNDING, 0, 1)])


def _restriction(form: Form, modifiers: frozenset[str], types: Sequence[str]) -> str:
    """What the ISA forbids of a form that the table has, else nothing."""
    if form.op is Op.SLCT and "ftz" in modifiers and types[1] != "f32":
        return ".ftz goes with a float selector"
    if form.op is Op.CVT_PACK and tuple(types[1:]) not in (("s32",), ("s32", "b32")):
        return "no such form in the instruction table"
    if form.op is Op.SET:
        return _set_restriction(modifiers, types[0], types[1])
    if form.op is Op.CVT and (types[1] in _FLOAT_SOURCES) != bool(modifiers & _INTEGRAL):
        return "a float becomes an integer by .rni, .rzi, .rmi or .rpi, and nothing else does"
    if form.op is Op.FCVT:
        pair, source = types[0] in (*PAIRS, *SMALL_PAIRS), types[1] in (*PAIRS, *SMALL_PAIRS)
        if (source and not pair) or (pair and not source and types[1] != "f32"):
            return "no such conversion of pairs"
    return ""


def _set_restriction(modifiers: frozenset[str], to: str, kind: str) -> str:
    """What `set` does not compare, and which types do not go together (PTX ISA 9.7.6.1, 9.7.7.1)."""
    is_float = kind in _FLOATS
    allowed = _FLOAT_ORDER if is_float else {"b": "eq ne", "s": "eq ne lt le gt ge"}.get(kind[0], _UNSIGNED_ORDER)
    if not modifiers & {*allowed.split()}:
        return f"compares {kind} with {allowed} only"
    if "ftz" in modifiers and kind not in ("f32", "f16", "f16x2"):
        return ".ftz goes with f32 and f16 only"
    half = kind in HALVES or kind in PAIRS
    if (
        (kind in PAIRS and to not in (kind, *INT32))
        or (to in PAIRS and to != kind)
        or (to in INT16 and kind not in HALVES)
        or (to == "f32" and half)
        or (to == "f16" and kind == "bf16")
    ):
        return f"gives no {to} from {kind}"
    return ""


def _width(letter: str, types: Sequence[str]) -> int:
    """Width in bits of a signature letter (see instructions.Form); 0 for an address."""
    if letter in "TV":
        return TYPE_WIDTH[types[0]]
    if letter == "W":
        return 2 * TYPE_WIDTH[types[0]]
    if letter == "H":
        return TYPE_WIDTH[types[0]] // 2
    if letter == "Q":
        return TYPE_WIDTH[types[0]] // 4
    if letter in "UX":
        return TYPE_WIDTH[types["TUX".index(letter)]]
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
    if letter in "UX":
        return types["TUX".index(letter)]
    return {"W": "s64", "H": "b16", "Q": "b16", "u": "u32", "f": "f32", "p": "pred"}.get(letter, "u64")


def _letters(side: str, length: int) -> list[str]:
    """The letters of one side of a signature, `V` repeated for vectors."""
    found: list[str] = []
    for letter in side.split(",") if side else []:
        found += [letter] * (length if letter == "V" else 1)
    return found


def match(form: Form, modifiers: Sequence[str], types: Sequence[str], results: int, operands: int) -> Match | None:
    """The signature of `form` with that many results and operands, or None."""
    if form.op in MATRIX:
        return _match_tensor(form, modifiers, types, results, operands)
    length = vector_length(modifiers)
    for signature in form.signatures:
        left, right = (_letters(side, length) for side in signature.split("="))
        if "L2::cache_hint" in modifiers:
            right.append("L")
        if (len(left), len(right)) != (results, operands):
            continue
        # One pair comes from one pair, or from two floats.
        if form.op is Op.FCVT and operands != (2 if types[0] in (*PAIRS, *SMALL_PAIRS) and types[1] == "f32" else 1):
            return None
        # `and`, `or`, `xor` of comparisons go with a third operand and only with it.
        if form.mnemonic in ("setp", "set") and bool({"and", "or", "xor"} & set(modifiers)) != (operands == 3):
            return None
        return Match(
            form,
            tuple(_width(letter, types) for letter in left),
            tuple(_width(letter, types) for letter in right),
            tuple(_kind(letter, types) for letter in right),
            form.mnemonic not in _RELAXED or form.op is Op.CVT_PACK,
        )
    return None


def _match_tensor(form: Form, modifiers: Sequence[str], types: Sequence[str], results: int, operands: int) -> Match | None:
    from volta_pipe.ir.tensor import describe
    from volta_pipe.ir.tensor_memory import Transfer

    tensor = describe(form.mnemonic, modifiers, types)
    if isinstance(tensor, str):
        return None
    widths = tensor.operands
    if isinstance(tensor, Transfer) and tensor.wmma and operands == len(widths) + 1:
        widths = (*widths, 32)  # the stride
    if (len(tensor.results), len(widths)) != (results, operands):
        return None
    kinds = tuple("u64" if width == 0 else f"b{width}" for width in widths)
    return Match(form, tensor.results, widths, kinds, True)


def width_fits(wanted: int, actual: int, exact: bool) -> bool:
    """Whether a register of `actual` bits may stand where the signature asks for `wanted` (0: an address)."""
    if wanted == 0:
        return actual in (32, 64)
    if wanted == 1 or actual == 1:
        return wanted == actual
    return actual == wanted if exact else actual >= wanted

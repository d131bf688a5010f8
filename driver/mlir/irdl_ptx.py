"""What IRDL can say of the instructions of `ptx`, from their table: types, modifiers, and widths of registers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

from xdsl.ir import Operation

from volta_pipe.driver.mlir.irdl import Writer, write
from volta_pipe.ir.instructions import FORMS, MATRIX, WIDTH, Form
from volta_pipe.ir.ptx import SPECIAL_REGISTERS, InstructionOp, LoadParamOp, SpecialOp, UnmodelledOp, VariableOp
from volta_pipe.ir.ptx.signatures import address_count, match, modifier_choices, select_form
from volta_pipe.ir.ptx.structure import SPACES
from volta_pipe.ir.ptx.words import TYPE_WORDS
from volta_pipe.passes.exchange import places

_WIDTHS = (1, 8, 16, 32, 64)
Widths = tuple[frozenset[int], ...]
# More arrays of modifiers than this are left open: the file would be long, and nobody reads a list of thousands.
MOST_ARRAYS = 512


def instruction(op: type[Operation], writer: Writer) -> bool:
    """Writes an operation of the dialect whose constraints are in tables."""
    if op is SpecialOp:
        register = writer.any_of(writer.value(f'irdl.is "{name}"') for name in sorted(SPECIAL_REGISTERS))
        write(writer, [], [f"res: {_registers(writer, [32])}"], {"register": register})
    elif op is VariableOp:
        text = writer.value('irdl.base "#builtin.string"')
        numbers = {key: writer.value('irdl.base "#builtin.integer"') for key in ("align", "size")}
        space = writer.any_of(writer.value(f'irdl.is "{name}"') for name in SPACES)
        write(writer, [], [], {"sym_name": text, "space": space, **numbers})
    elif op is LoadParamOp:
        kinds = [name for name in sorted(WIDTH) if name not in ("pred", "b1")]
        kind = writer.any_of(writer.value(f'irdl.is "{name}"') for name in kinds)
        offset = writer.value('irdl.base "#builtin.integer"')
        write(writer, [], [f"res: variadic {_registers(writer, [8, 16, 32, 64])}"], {"offset": offset, "type": kind})
    elif op is UnmodelledOp:
        count, results = places("unmodelled")
        groups = [*(f"in{place}" for place in range(count)), "guard", *(f"old{place}" for place in range(results))]
        operands = [f"{name}: optional {writer.value('irdl.any')}" for name in groups]
        made = [f"res{place}: optional {writer.value('irdl.any')}" for place in range(results)]
        texts = {key: writer.value('irdl.base "#builtin.string"') for key in ("opcode", "text", "reason")}
        write(writer, operands, made, texts)
    elif issubclass(op, InstructionOp):
        _instruction(op.name.removeprefix("ptx."), writer)
    else:
        return False
    return True


def _registers(writer: Writer, widths: list[int]) -> str:
    return writer.any_of(writer.value(f"irdl.is i{width}") for width in widths)


def _instruction(mnemonic: str, writer: Writer) -> None:
    forms = [form for form in FORMS if form.mnemonic == mnemonic]
    shapes = [shape for form in forms for shape in _shapes(form)]
    most_inputs, most_results = places(mnemonic)
    # By place: the widths that an input, or a result, may have there.
    inputs = [_widths_at(place, [given for _, given in shapes]) for place in range(most_inputs)]
    results = [_widths_at(place, [made for made, _ in shapes]) for place in range(most_results)]
    operands = [f"in{place}: optional {_registers(writer, widths)}" for place, widths in enumerate(inputs)]
    operands.append(f"guard: optional {_registers(writer, [1])}")
    operands += [f"old{place}: optional {_registers(writer, widths)}" for place, widths in enumerate(results)]
    attributes = {"modifiers": _modifiers(writer, forms), "types": _types(writer, forms)}
    for key, least in (("offset", 1), ("offset2", 2)):
        if min(map(address_count, forms)) >= least:
            attributes[key] = writer.value('irdl.base "#builtin.integer"')
    write(writer, operands, _results(writer, results, {len(made) for made, _ in shapes}), attributes)


def _widths_at(place: int, sides: list[Widths]) -> list[int]:
    return sorted({width for side in sides for one in side[place : place + 1] for width in one})


def _results(writer: Writer, widths: list[list[int]], counts: set[int]) -> list[str]:
    """The results: one, one and perhaps another, or a list of one type."""
    if not widths:
        return []
    if len(widths) == 1 or (len(widths) == 2 and widths[0] != widths[1]):
        first, *second = (_registers(writer, place) for place in widths)
        word = "" if 0 not in counts else "optional "
        return [f"res: {word}{first}", *(f"second: optional {other}" for other in second)]
    return [f"res: variadic {_registers(writer, widths[0])}"]


@lru_cache(maxsize=256)
def _shapes(form: Form) -> frozenset[tuple[Widths, Widths]]:
    """The widths that results and operands of a form may have, place by place."""
    most_inputs, most_results = places(form.mnemonic)
    if form.op in MATRIX:
        # How many registers of which width is said by shapes and types that IRDL cannot look into.
        any_register = frozenset((32, 64))
        made: Widths = () if form.signatures[0].startswith("=") else (any_register,) * most_results
        return frozenset({(made, (any_register,) * most_inputs), (made[:1], ())})
    found: set[tuple[Widths, Widths]] = set()
    for types, words in product(_type_lists(form), _samples(form)):
        for results, operands in product(range(most_results + 1), range(most_inputs + 1)):
            shape = match(form, words, types, results, operands)
            if shape is not None:
                made = tuple(_wider(one, shape.exact) for one in shape.results)
                found.add((made, tuple(_wider(one, shape.exact) for one in shape.operands)))
    return frozenset(found)


def _wider(width: int, exact: bool) -> frozenset[int]:
    """The widths of registers that may stand for one of `width` bits (0: an address)."""
    if width == 0:
        return frozenset((32, 64))
    return frozenset((width,)) if exact or width == 1 else frozenset(wide for wide in _WIDTHS if wide >= max(width, 8))


def _samples(form: Form) -> Iterator[tuple[str, ...]]:
    """Modifiers that change the number of operands: vectors and cache policies."""
    choices = [["", *sorted(form.optional & words)] for words in ({"v2", "v4", "v8"}, {"L2::cache_hint"}, {"and"})]
    for words in product(*choices):
        yield (*sorted(form.required), *(word for word in words if word))


@lru_cache(maxsize=256)
def _type_lists(form: Form) -> tuple[tuple[str, ...], ...]:
    """The types that a form may have, in PTX order."""
    if not form.types:
        return ((),)
    count = 1 + sum(letter in form.signatures[0] for letter in "UX")
    words = [list(form.types), *[sorted(TYPE_WORDS)] * (count - 1)]
    mnemonic = form.mnemonic
    found = []
    for types in product(*words):
        if any(isinstance(select_form(mnemonic, words_, types), Form) for words_ in _ways(form)):
            found.append(types)
    return tuple(found)


@lru_cache(maxsize=256)
def _ways(form: Form) -> tuple[tuple[str, ...], ...]:
    """Modifiers with which types are tried: one of each group that there is a choice in, and one more."""
    groups = [sorted(group & form.optional) for group, low, _ in modifier_choices(form.mnemonic) if low]
    found = []
    for choice in product(*groups):
        for extra in ("", "rn", "rzi", "satfinite"):
            if not extra or (extra in form.optional and extra not in choice):
                found.append(tuple(sorted({*form.required, *choice, *([extra] if extra else [])})))
    return tuple(found)


def _types(writer: Writer, forms: list[Form]) -> str:
    """One of all lists of types."""
    if any(form.op in MATRIX for form in forms):
        return writer.value('irdl.base "#builtin.array"')
    lists = sorted({types for form in forms for types in _type_lists(form)})
    return writer.any_of(writer.value(f"irdl.is {_array(types)}") for types in lists)


def _modifiers(writer: Writer, forms: list[Form]) -> str:
    """One of all sets of modifiers that the table allows, where they are few."""
    found: set[tuple[str, ...]] = set()
    for form in forms:
        words = _modifier_sets(form)
        if words is None or len(found) + len(words) > MOST_ARRAYS:
            return writer.value('irdl.base "#builtin.array"')
        found |= words
    return writer.any_of(writer.value(f"irdl.is {_array(words)}") for words in sorted(found))


def _modifier_sets(form: Form) -> set[tuple[str, ...]] | None:
    """All sets of modifiers of a form, sorted as the dialect has them; None where they are too many."""
    if form.op in MATRIX:
        return None
    groups: list[list[tuple[str, ...]]] = []
    free = set(form.optional)
    for group, low, high in modifier_choices(form.mnemonic):
        inside = sorted(group & form.optional)
        taken = len(group & form.required)
        sizes = range(max(low - taken, 0), max(high - taken, 0) + 1)
        groups.append([chosen for size in sizes for chosen in combinations(inside, size)])
        free -= group
    groups += [[(), (word,)] for word in sorted(free)]
    total = 1
    for one in groups:
        total *= len(one)
    if total > MOST_ARRAYS:
        return None
    return {tuple(sorted({*form.required, *(word for part in parts for word in part)})) for parts in product(*groups)}


def _array(words: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"

"""A good and a bad operation of each kind, in the form that mlir-opt reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from itertools import product

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerType, ModuleOp, StringAttr, f32
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import IRDLOperation, OptionalDef, VariadicDef
from xdsl.utils.exceptions import VerifyException

from volta_pipe.driver.mlir.irdl import Writer
from volta_pipe.driver.mlir.outputs import MLIROptTarget
from volta_pipe.driver.mlir.universe import DIALECTS
from volta_pipe.ir.instructions import FORMS, Form
from volta_pipe.ir.ptx import (
    INSTRUCTIONS,
    AddressOp,
    ConstantOp,
    InstructionOp,
    KernelOp,
    LoadParamOp,
    ReturnOp,
    SpecialOp,
    TrapOp,
    UndefOp,
    UnmodelledOp,
    VariableOp,
    register_type,
)
from volta_pipe.ir.ptx.signatures import match, modifier_choices, select_form
from volta_pipe.ir.ptx.words import TYPE_WORDS


@dataclass(frozen=True)
class Sample:
    """An operation's name, a module with it that is good, and one that differs in it and is bad."""

    name: str
    good: str
    bad: str


ODD = IntegerType(7)  # no register has so many bits
# Matrix instructions, whose words ir/tensor.py matches.
MATRIX = {
    "mma": ("aligned m16n8k16 row_col sync", "f32 f16 f16 f32"),
    "wmma": ("aligned m16n16k16 mma row_row sync", "f32 f32"),
    "ldmatrix": ("aligned m8n8 shared sync x4", "b16"),
    "stmatrix": ("aligned m8n8 shared sync x4", "b16"),
    "movmatrix": ("aligned m8n8 sync trans", "b16"),
}


def text_of(ops: list[Operation], variable: VariableOp | None = None) -> str:
    """A module with a kernel of these operations, as mlir-opt reads it; nothing is verified."""
    last = [] if isinstance(ops[-1], TrapOp) else [ReturnOp.create()]
    region = Region(Block([*ops, *last]))
    kernel = KernelOp.make("k", (), region, version="8.0", target="sm_80", address_size=64, limits={})
    stream = StringIO()
    MLIROptTarget().emit(Context(), ModuleOp([*([variable] if variable is not None else []), kernel]), stream)
    return stream.getvalue()


@lru_cache(maxsize=1)
def ptx_samples() -> list[Sample]:
    """Of the ptx dialect."""
    found: list[Sample] = []
    for mnemonic in INSTRUCTIONS:
        found += instruction_samples(mnemonic)
    good = UnmodelledOp.build_op("foo.f16", "$0", "why", [UndefOp.make(16).results[0]], [])
    found += _without(good, "text")
    found += _without(ConstantOp.make(1, 32), "value")
    found += _changed(SpecialOp.make("tid.x"), "register", StringAttr("tid.w"))
    found += _without(AddressOp.make("x", 4, 64), "symbol")
    found += _changed(LoadParamOp.make(0, "u32", [register_type(32)]), "type", StringAttr("pred"))
    found.append(Sample("ptx.undef", text_of([UndefOp.make(32)]), text_of([UndefOp.create(result_types=[f32])])))
    trap, value = text_of([TrapOp.make()]), '%0 = "ptx.undef"() : () -> i32\n"ptx.trap"(%0) : (i32) -> ()'
    found.append(Sample("ptx.trap", trap, trap.replace('"ptx.trap"() : () -> ()', value)))
    variables = [VariableOp.make("x", space, align=4, size=4) for space in ("shared", "nowhere")]
    good_text, bad_text = (text_of([UndefOp.make(32)], one) for one in variables)
    found.append(Sample("ptx.variable", good_text, bad_text))
    return found


def instruction_samples(mnemonic: str) -> Iterator[Sample]:
    """Of one mnemonic: an operand of no width that there is, a type and a modifier that are none, and no modifiers at all."""
    good = good_instruction(mnemonic)
    text = text_of([*_owners(good), good])
    name = good.name

    def bad(change: dict[str, Attribute | None]) -> Sample:
        other = good_instruction(mnemonic)
        for key, value in change.items():
            if value is None:
                del other.properties[key]
            else:
                other.properties[key] = value
        return Sample(name, text, text_of([*_owners(other), other]))

    yield bad({"modifiers": None})
    if mnemonic not in MATRIX:
        yield bad({"types": ArrayAttr([StringAttr("f7")])})
    for place in range(len(good.inputs)):
        other = good_instruction(mnemonic)
        other.operands[place] = UndefOp.create(result_types=[ODD]).results[0]
        yield Sample(name, text, text_of([*_owners(other), other]))
    if good.res:
        kinds = [ODD, *[result.type for result in good.res][1:]]
        other = type(good).create(
            operands=[UndefOp.make(value.type.width.data).results[0] for value in good.operands],  # type: ignore[attr-defined]
            result_types=kinds,
            properties=dict(good.properties),
        )
        yield Sample(name, text, text_of([*_owners(other), other]))


def _owners(op: Operation) -> list[Operation]:
    return [value.owner for value in op.operands if isinstance(value.owner, Operation)]


def good_instruction(mnemonic: str) -> InstructionOp:
    """An operation that verifies, each operand the result of an undef of its own."""
    for form in (form for form in FORMS if form.mnemonic == mnemonic):
        for words, types in _spellings(form):
            for results, operands in product(range(9), range(26)):
                found = match(form, words, types, results, operands)
                if found is None:
                    continue
                inputs = [UndefOp.make(width or 64).results[0] for width in found.operands]
                offsets = [0] * form.signatures[0].count("A") + [None, None]
                made = INSTRUCTIONS[mnemonic].make(
                    words,
                    types,
                    inputs,
                    [register_type(width) for width in found.results],
                    offset=offsets[0],
                    offset2=offsets[1],
                )
                try:
                    made.verify()
                except VerifyException:
                    continue
                return made
    raise AssertionError(f"no sample of {mnemonic}")


def _spellings(form: Form) -> Iterator[tuple[list[str], list[str]]]:
    """Modifiers and types with which the table has the form."""
    if form.mnemonic in MATRIX:
        words, types = MATRIX[form.mnemonic]
        yield words.split(), types.split()
        return
    groups = [sorted(group & form.optional) for group, low, _ in modifier_choices(form.mnemonic) if low]
    groups = [group or [""] for group in groups]
    count = 1 + sum(letter in form.signatures[0] for letter in "UX") if form.types else 0
    for choice, extra in product(product(*groups), ("", "rn", "rzi")):
        words = sorted({*form.required, *filter(None, choice), *filter(None, [extra if extra in form.optional else ""])})
        for types in product(*[list(form.types), *[sorted(TYPE_WORDS)] * (count - 1)][:count]):
            if isinstance(select_form(form.mnemonic, words, types), Form):
                yield words, list(types)


def _without(good: Operation, key: str) -> Iterator[Sample]:
    return _changed(good, key, None)


def _changed(good: Operation, key: str, value: Attribute | None) -> Iterator[Sample]:
    """A sample whose bad operation has another property, or lacks it."""
    before = [UndefOp.make(16)] if good.operands else []
    bad = type(good).create(
        operands=[one.results[0] for one in before],
        result_types=[result.type for result in good.results],
        properties={**{name: one for name, one in good.properties.items() if name != key}, **({key: value} if value else {})},
    )
    yield Sample(good.name, text_of([*_owners(good), good]), text_of([*before, bad]))


def scta_samples() -> list[Sample]:
    """Of the scta dialect."""
    return _by_definition("scta", '"scta.initial"() {register = 0 : i64} : () -> !scta.lanes', "!scta.lanes")


def vc_samples() -> list[Sample]:
    """Of the vc dialect."""
    return _by_definition("vc", '"vc.const"() {value = 1.0 : f64} : () -> !vc.real', "!vc.real")


def _by_definition(dialect: str, value: str, kind: str) -> list[Sample]:
    """Operations with some operands, results and attributes that their definitions have: one attribute is left out, or one is
    of another kind, or an operand or a result has another type."""
    found: list[Sample] = []
    for op in DIALECTS[dialect]().operations:
        assert issubclass(op, IRDLOperation)
        definition = op.get_irdl_definition()
        attributes = {key: _attribute(one.constr, dialect) for key, one in definition.attributes.items()}
        assert not any(isinstance(one, OptionalDef) for one in definition.attributes.values())
        operands = [kind] * len(definition.operands)
        results = [kind] * len([one for _, one in definition.results if not isinstance(one, VariadicDef)])
        good = _generic(op.name, value, operands, results, attributes)
        for key in attributes:
            found.append(Sample(op.name, good, _generic(op.name, value, operands, results, {**attributes, key: ""})))
            wrong = {**attributes, key: "unit"}
            found.append(Sample(op.name, good, _generic(op.name, value, operands, results, wrong)))
        for place in range(len(operands)):
            odd = ["i32" if at == place else one for at, one in enumerate(operands)]
            found.append(Sample(op.name, good, _generic(op.name, value, odd, results, attributes)))
        if results:
            found.append(Sample(op.name, good, _generic(op.name, value, operands, ["i32"], attributes)))
        if not definition.operands:
            found.append(Sample(op.name, good, _generic(op.name, value, [kind], results, attributes)))
    return found


def _generic(name: str, value: str, operands: list[str], results: list[str], attributes: dict[str, str]) -> str:
    given = {"i32": '"arith.constant"() {value = 1 : i32} : () -> i32'}
    lines = [f"  %v{place} = {given.get(kind, value)}" for place, kind in enumerate(operands)]
    inside = ", ".join(f"{key} = {text}" for key, text in attributes.items() if text)
    names = ", ".join(f"%v{place}" for place in range(len(operands)))
    left = f"%r:{len(results)} = " if results else ""
    lines.append(f'  {left}"{name}"({names}) {{{inside}}} : ({", ".join(operands)}) -> ({", ".join(results)})')
    return "\n".join(["module {", *lines, "}"])


def _attribute(constraint: object, dialect: str) -> str:
    """An attribute that a constraint allows, by what the exporter says of it."""
    writer = Writer(dialect)
    writer.constraint(constraint)  # type: ignore[arg-type]
    first = writer.lines[0].partition(" = ")[2]
    if first.startswith("irdl.is "):
        return first.removeprefix("irdl.is ")
    bases = {"array": "[]", "dense_array": "array<i64>", "float": "1.0 : f64", "integer": "1 : i64", "string": '"x"'}
    return bases[first.split("#builtin.")[1].rstrip('"')]

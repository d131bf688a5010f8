"""One operation class per mnemonic of the instruction table: `ptx.add`, `ptx.ld`, … with one verifier and one syntax.

Text form: `%3 = ptx.fma "rn.f32" %0, %1, %2 : (i32, i32, i32) -> i32`, memory operands `[%4 + 16]`, and, when guarded,
`if %p else %old` or `if not %p else %old` (the value of the destination when the guard is false)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, StringAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import FORMS, Form, find_form
from volta_pipe.ir.ptx.guarded import parse_guarded, print_guarded, segments
from volta_pipe.ir.ptx.signatures import address_count, match, select_form, width_fits
from volta_pipe.ir.ptx.types import value_width
from volta_pipe.ir.ptx.words import TYPE_WORDS

# Mnemonics of the table that are block terminators of their own, see control.py.
_TERMINATORS = frozenset({"ret", "exit", "trap"})


class InstructionOp(IRDLOperation):
    """Base of all instruction operations. `inputs`: source operands in PTX order (of a memory operation the address
    first); results in PTX order; `guard` and, per result, `old`."""

    inputs = var_operand_def()
    guard = opt_operand_def()
    old = var_operand_def()
    res = var_result_def()

    modifiers = prop_def(ArrayAttr[StringAttr])
    types = prop_def(ArrayAttr[StringAttr])
    negated = opt_prop_def(UnitAttr)
    offset = opt_prop_def(IntegerAttr)
    offset2 = opt_prop_def(IntegerAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def mnemonic(self) -> str:
        """The first word of the instruction."""
        return self.name.removeprefix("ptx.")

    @property
    def modifier_names(self) -> tuple[str, ...]:
        """The modifiers other than types, sorted."""
        return _words(self.properties["modifiers"])

    @property
    def type_names(self) -> tuple[str, ...]:
        """The types in PTX order."""
        return _words(self.properties["types"])

    @property
    def byte_offset(self) -> int:
        """The constant added to the address of a memory operation."""
        return self.offset.value.data if self.offset is not None else 0

    @property
    def second_offset(self) -> int:
        """The constant added to the second address, of an instruction that has two."""
        return self.offset2.value.data if self.offset2 is not None else 0

    @property
    def form(self) -> Form:
        """The row of the instruction table."""
        found = find_form(self.mnemonic, self.modifier_names, self.type_names)
        if found is None:
            raise VerifyException(f"{self.name}: no such form in the instruction table")
        return found

    @classmethod
    def make(
        cls,
        modifiers: Sequence[str],
        types: Sequence[str],
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        guard: SSAValue | None = None,
        negated: bool = False,
        old: Sequence[SSAValue] = (),
        offset: int | None = None,
        offset2: int | None = None,
    ) -> InstructionOp:
        """Build an operation; modifiers in any order."""
        sizes = [len(inputs), int(guard is not None), len(old)]
        properties: dict[str, Attribute] = {
            "modifiers": _word_array(tuple(sorted(modifiers))),
            "types": _word_array(tuple(types)),
            "operandSegmentSizes": _segments(*sizes),
        }
        if negated:
            properties["negated"] = UnitAttr()
        if offset is not None:
            properties["offset"] = IntegerAttr(offset, i64)
        if offset2 is not None:
            properties["offset2"] = IntegerAttr(offset2, i64)
        operands = [*inputs, *([guard] if guard is not None else []), *old]
        return cls.create(operands=operands, result_types=result_types, properties=properties)

    def verify_(self) -> None:
        modifiers, types = self.modifier_names, self.type_names
        form = select_form(self.mnemonic, modifiers, types)
        if isinstance(form, str):
            raise VerifyException(f"{self.name}: {form}")
        if list(modifiers) != sorted(modifiers):
            raise VerifyException(f"{self.name}: modifiers must be sorted")
        found = match(form, modifiers, types, len(self.res), len(self.inputs))
        if found is None:
            raise VerifyException(f"{self.name}: no signature with {len(self.inputs)} operands and {len(self.res)} results")
        pairs = [*zip(found.results, self.res, strict=True), *zip(found.operands, self.inputs, strict=True)]
        if not all(width_fits(wanted, value_width(value), found.exact) for wanted, value in pairs):
            raise VerifyException(f"{self.name}: an operand or result has the wrong width")
        if (self.offset is not None) + (self.offset2 is not None) != address_count(form) or (self.offset2 and not self.offset):
            raise VerifyException(f"{self.name}: address operands, and they alone, have an offset")
        self.verify_guard()

    def verify_guard(self) -> None:
        """Check the guard and the old values."""
        if self.guard is None:
            if self.old or self.negated is not None:
                raise VerifyException(f"{self.name}: old values without a guard")
        elif value_width(self.guard) != 1:
            raise VerifyException(f"{self.name}: the guard must be a predicate")
        elif [value.type for value in self.old] != [value.type for value in self.res]:
            raise VerifyException(f"{self.name}: a guarded operation needs the old value of each result")

    def print(self, printer: Printer) -> None:
        words = [*self.modifier_names, *self.type_names]
        printer.print_string(f' "{".".join(words)}"' if words else "")
        inputs = segments(self)[0]
        if self.properties.get("offset") is not None and inputs:
            printer.print_string(" [")
            printer.print_operand(inputs.pop(0))
            printer.print_string(f" + {self.byte_offset}]" + (", " if inputs else ""))
            if self.properties.get("offset2") is not None and inputs:
                printer.print_string("[")
                printer.print_operand(inputs.pop(0))
                printer.print_string(f" + {self.second_offset}]" + (", " if inputs else ""))
        else:
            # Without the parentheses, the results of the next operation would read as operands of this one.
            printer.print_string(" " if inputs else " ()")
        printer.print_list(inputs, printer.print_operand)
        print_guarded(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> InstructionOp:
        words = (parser.parse_optional_str_literal() or "").split(".")
        types = [word for word in words if word in TYPE_WORDS]
        modifiers = [word for word in words if word and word not in TYPE_WORDS]
        inputs: list[UnresolvedOperand] = []
        offsets: list[int] = []
        more = True
        while more and len(offsets) < 2 and parser.parse_optional_punctuation("["):
            inputs.append(parser.parse_unresolved_operand())
            parser.parse_punctuation("+")
            offsets.append(parser.parse_integer(allow_boolean=False))
            parser.parse_punctuation("]")
            more = parser.parse_optional_punctuation(",") is not None
        offset, offset2 = [*offsets, None, None][:2]
        if not offsets and parser.parse_optional_punctuation("("):
            parser.parse_punctuation(")")
            more = False
        values, result_types, guard, negated, old = parse_guarded(parser, inputs, more)
        made = cls.make(
            modifiers, types, values, result_types, guard=guard, negated=negated, old=old, offset=offset, offset2=offset2
        )
        made.attributes = parser.parse_optional_attr_dict()
        return made


def _words(words: Attribute) -> tuple[str, ...]:
    assert isinstance(words, ArrayAttr)
    return tuple([word.data for word in words.data])


# Attributes are immutable, few distinct ones occur, and making one costs as much as parsing a line.
@lru_cache(maxsize=4096)
def _word_array(words: tuple[str, ...]) -> ArrayAttr[StringAttr]:
    return ArrayAttr(StringAttr(word) for word in words)


@lru_cache(maxsize=4096)
def _segments(inputs: int, guards: int, old: int) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, [inputs, guards, old])


def _define(mnemonic: str) -> type[InstructionOp]:
    name = f"{mnemonic.capitalize()}Op"
    doc = f"The instruction `{mnemonic}` (PTX ISA, see instructions.FORMS)."
    members = {"name": f"ptx.{mnemonic}", "__doc__": doc, "__module__": __name__}
    return irdl_op_definition(type(name, (InstructionOp,), members))


class _Instructions(Mapping[str, type[InstructionOp]]):
    """The operation classes by mnemonic, in the order of the table. Each is made when it is asked for: a kernel has a few of
    them, and all take longer to make than a kernel to lower."""

    def __init__(self) -> None:
        self._names = dict.fromkeys(form.mnemonic for form in FORMS if form.mnemonic not in _TERMINATORS)
        self._made: dict[str, type[InstructionOp]] = {}

    def __getitem__(self, name: str) -> type[InstructionOp]:
        found = self._made.get(name)
        if found is None:
            if name not in self._names:
                raise KeyError(name)
            found = self._made.setdefault(name, _define(name))  # one class, whichever thread was first
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


INSTRUCTIONS: Mapping[str, type[InstructionOp]] = _Instructions()

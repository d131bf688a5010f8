"""Operations that make values from nothing: constants, special registers, addresses, parameters, undefined registers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, SymbolRefAttr, i1, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx.syntax import with_attributes
from volta_pipe.ir.ptx.types import register_type, type_width
from volta_pipe.ir.ptx.words import SPECIAL_REGISTERS


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """Concrete bits. The attribute is normalised to the signed range by xDSL: use `bits`."""

    name = "ptx.constant"
    value = prop_def(IntegerAttr)
    res = result_def(IntegerType)

    @staticmethod
    def make(bits: int, width: int) -> ConstantOp:
        """The constant `bits` modulo 2^width."""
        kind = register_type(width)
        return ConstantOp.create(result_types=[kind], properties={"value": IntegerAttr(bits & ((1 << width) - 1), kind)})

    @property
    def bits(self) -> int:
        """The value as an unsigned integer below 2^width."""
        return int(self.value.value.data) & ((1 << type_width(self.res.type)) - 1)

    def verify_(self) -> None:
        if self.value.type != self.res.type:
            raise VerifyException("ptx.constant: the attribute and the result differ in type")

    def print(self, printer: Printer) -> None:
        # A predicate reads better as 1 than as -1.
        printer.print_string(f" {self.bits if self.value.type == i1 else self.value.value.data} : ")
        printer.print_attribute(self.res.type)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        value = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(":")
        width = type_width(parser.parse_type())
        if width not in (1, 8, 16, 32, 64):
            parser.raise_error("expected an integer type of 1, 8, 16, 32 or 64 bits")
        return with_attributes(parser, cls.make(value, width))


@irdl_op_definition
class SpecialOp(IRDLOperation):
    """The value of a special register, such as `tid.x`."""

    name = "ptx.special"
    register = prop_def(StringAttr)
    res = result_def(IntegerType)

    @staticmethod
    def make(register: str) -> SpecialOp:
        return SpecialOp.create(result_types=[register_type(32)], properties={"register": StringAttr(register)})

    def verify_(self) -> None:
        if self.register.data not in SPECIAL_REGISTERS:
            raise VerifyException(f"ptx.special: unknown register {self.register.data}")
        if type_width(self.res.type) != 32:
            raise VerifyException("ptx.special: special registers have 32 bits")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.register.data)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> SpecialOp:
        register = StringAttr(parser.parse_str_literal())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()], properties={"register": register}, attributes=attributes)


@irdl_op_definition
class AddressOp(IRDLOperation):
    """The address of a variable, within its own state space, plus a constant."""

    name = "ptx.address"
    symbol = prop_def(SymbolRefAttr)
    offset = prop_def(IntegerAttr)
    res = result_def(IntegerType)

    @staticmethod
    def make(symbol: str, offset: int, width: int) -> AddressOp:
        properties: dict[str, Attribute] = {"symbol": SymbolRefAttr(symbol), "offset": IntegerAttr(offset, i64)}
        return AddressOp.create(result_types=[register_type(width)], properties=properties)

    @property
    def byte_offset(self) -> int:
        return int(self.offset.value.data)

    @property
    def variable(self) -> str:
        """Name of the variable."""
        return self.symbol.root_reference.data

    def verify_(self) -> None:
        if type_width(self.res.type) not in (32, 64):
            raise VerifyException("ptx.address: an address has 32 or 64 bits")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.symbol)
        printer.print_string(f" + {self.byte_offset} : ")
        printer.print_attribute(self.res.type)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> AddressOp:
        symbol = parser.parse_symbol_name().data
        parser.parse_punctuation("+")
        offset = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(":")
        width = type_width(parser.parse_type())
        if width not in (32, 64):
            parser.raise_error("an address has 32 or 64 bits")
        return with_attributes(parser, cls.make(symbol, offset, width))


@irdl_op_definition
class UndefOp(IRDLOperation):
    """The value of a register that is read before any write: one per register."""

    name = "ptx.undef"
    res = result_def(IntegerType)

    @staticmethod
    def make(width: int) -> UndefOp:
        return UndefOp.create(result_types=[register_type(width)])

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> UndefOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()], attributes=attributes)


@irdl_op_definition
class LoadParamOp(IRDLOperation):
    """One value, or a vector of them, from the kernel's parameter buffer at a byte offset."""

    name = "ptx.ld_param"
    offset = prop_def(IntegerAttr)
    type = prop_def(StringAttr)
    res = var_result_def(IntegerType)

    @staticmethod
    def make(offset: int, kind: str, result_types: Sequence[Attribute]) -> LoadParamOp:
        properties: dict[str, Attribute] = {"offset": IntegerAttr(offset, i64), "type": StringAttr(kind)}
        return LoadParamOp.create(result_types=result_types, properties=properties)

    @property
    def byte_offset(self) -> int:
        return int(self.offset.value.data)

    @property
    def type_name(self) -> str:
        """The instruction's type, such as "u64"."""
        return self.type.data

    def verify_(self) -> None:
        width = WIDTH.get(self.type.data, 0)
        if not width or len(self.res) not in (1, 2, 4) or any(type_width(value.type) < width for value in self.res):
            raise VerifyException("ptx.ld_param: the results do not fit the type")

    def print(self, printer: Printer) -> None:
        printer.print_string(f' {self.byte_offset} "{self.type.data}" : ')
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> LoadParamOp:
        offset = parser.parse_integer(allow_boolean=False, allow_negative=False)
        kind = parser.parse_str_literal()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return with_attributes(parser, cls.make(offset, kind, types))


LEAF_OPS: list[type[Operation]] = [ConstantOp, SpecialOp, AddressOp, UndefOp, LoadParamOp]

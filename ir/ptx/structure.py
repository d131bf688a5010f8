"""The top of a module: variables of all state spaces, and the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.ptx.words import Param

SPACES = ("shared", "const", "global", "local")


def param_attribute(param: Param) -> DictionaryAttr:
    """A parameter as an attribute."""
    numbers = {"size": param.size, "align": param.align, "offset": param.offset}
    words: dict[str, Attribute] = {"name": StringAttr(param.name), "type": StringAttr(param.type)}
    return DictionaryAttr(words | {key: IntegerAttr(value, i64) for key, value in numbers.items()})


def param_of(attribute: Attribute) -> Param:
    """Reads the attribute back; raises VerifyException on another shape."""
    if not isinstance(attribute, DictionaryAttr):
        raise VerifyException("ptx.kernel: a parameter is a dictionary")
    words: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for key, value in attribute.data.items():
        if isinstance(value, StringAttr):
            words[key] = value.data
        elif isinstance(value, IntegerAttr):
            numbers[key] = int(value.value.data)
    if set(words) != {"name", "type"} or set(numbers) != {"size", "align", "offset"}:
        raise VerifyException("ptx.kernel: a parameter has name, type, size, align and offset")
    return Param(words["name"], words["type"], numbers["size"], numbers["align"], numbers["offset"])


def _print_properties(op: IRDLOperation, printer: Printer) -> None:
    """`@name {key = value, …}`; attributes of other dialects, whose names have a point, stand among the properties."""
    properties = {**op.properties, **op.attributes}
    name = properties.pop("sym_name")
    assert isinstance(name, StringAttr)
    printer.print_string(" ")
    printer.print_symbol_name(name)
    printer.print_string(" ")
    printer.print_attr_dict(dict(sorted(properties.items())))


def _parse_properties(parser: Parser) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """The properties, and the discardable attributes."""
    name = parser.parse_symbol_name()
    found = parser.parse_optional_attr_dict()
    properties = {key: value for key, value in found.items() if "." not in key}
    return {"sym_name": name, **properties}, {key: value for key, value in found.items() if "." in key}


@irdl_op_definition
class VariableOp(IRDLOperation):
    """A variable in a state space; size in bytes, 0 for `.extern .shared x[]` (the launch gives its size)."""

    name = "ptx.variable"
    sym_name = prop_def(StringAttr)
    space = prop_def(StringAttr)
    align = prop_def(IntegerAttr)
    size = prop_def(IntegerAttr)
    extern = opt_prop_def(UnitAttr)
    init = opt_prop_def(StringAttr)  # bytes in hexadecimal
    traits = traits_def(SymbolOpInterface())

    @staticmethod
    def make(name: str, space: str, *, align: int, size: int, extern: bool = False, init: bytes | None = None) -> VariableOp:
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "space": StringAttr(space),
            "align": IntegerAttr(align, i64),
            "size": IntegerAttr(size, i64),
        }
        if extern:
            properties["extern"] = UnitAttr()
        if init is not None:
            properties["init"] = StringAttr(init.hex())
        return VariableOp.create(properties=properties)

    @property
    def byte_size(self) -> int:
        return int(self.size.value.data)

    @property
    def byte_align(self) -> int:
        return int(self.align.value.data)

    @property
    def init_bytes(self) -> bytes | None:
        """The initial contents, or None (uninitialised for shared and local, zero for global and const)."""
        return bytes.fromhex(self.init.data) if self.init is not None else None

    def verify_(self) -> None:
        if self.space.data not in SPACES:
            raise VerifyException(f"ptx.variable: unknown space {self.space.data}")
        if self.byte_size < 0 or self.byte_align < 1 or self.byte_align & (self.byte_align - 1):
            raise VerifyException("ptx.variable: bad size or alignment")
        if self.init is not None:
            try:
                length = len(bytes.fromhex(self.init.data))
            except ValueError as error:
                raise VerifyException("ptx.variable: init is not hexadecimal") from error
            if length != self.byte_size:
                raise VerifyException("ptx.variable: init and size differ")

    def print(self, printer: Printer) -> None:
        _print_properties(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> VariableOp:
        properties, attributes = _parse_properties(parser)
        return cls.create(properties=properties, attributes=attributes)


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One entry: its parameters, and its blocks, the entry first."""

    name = "ptx.kernel"
    sym_name = prop_def(StringAttr)
    params = prop_def(ArrayAttr)
    version = prop_def(StringAttr)
    target = prop_def(StringAttr)
    address_size = prop_def(IntegerAttr)
    maxntid = opt_prop_def(ArrayAttr)
    reqntid = opt_prop_def(ArrayAttr)
    body = region_def()
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    @staticmethod
    def make(
        name: str,
        params: Sequence[Param],
        body: Region,
        *,
        version: str,
        target: str,
        address_size: int,
        limits: dict[str, tuple[int, ...]],
    ) -> KernelOp:
        """`limits`: maxntid and reqntid, where given."""
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "params": ArrayAttr(param_attribute(param) for param in params),
            "version": StringAttr(version),
            "target": StringAttr(target),
            "address_size": IntegerAttr(address_size, i64),
        }
        for key, sizes in limits.items():
            properties[key] = ArrayAttr(IntegerAttr(size, i64) for size in sizes)
        return KernelOp.create(properties=properties, regions=[body])

    @property
    def parameters(self) -> tuple[Param, ...]:
        """The parameters in order; raises VerifyException when the attribute is damaged."""
        return tuple(param_of(entry) for entry in self.params)

    def verify_(self) -> None:
        self.parameters  # noqa: B018 -- raises when an entry is damaged
        if not self.body.blocks:
            raise VerifyException("ptx.kernel: a kernel has at least one block")
        if self.body.blocks[0].args:
            raise VerifyException("ptx.kernel: the entry block has no arguments")
        for block in self.body.blocks:
            if block.last_op is None or not block.last_op.has_trait(IsTerminator):
                raise VerifyException("ptx.kernel: a block ends with a terminator")

    def print(self, printer: Printer) -> None:
        _print_properties(self, printer)
        printer.print_string(" ")
        printer.print_region(self.body)

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        properties, attributes = _parse_properties(parser)
        return cls.create(properties=properties, attributes=attributes, regions=[parser.parse_region()])


STRUCTURE_OPS: list[type[Operation]] = [VariableOp, KernelOp]

"""IRDL definitions of our dialects, for `mlir-opt --irdl-file`: from the definitions that xDSL has, with all constraints that
IRDL can say. (xDSL's own exporter writes the names of operands and no constraints.)

What IRDL cannot say: an attribute that may be missing (it is then not mentioned), relations between operands and attributes,
the elements of arrays (a finite set of whole arrays it can), numbers within bounds, terminators, and operations that hold
blocks. The last two are operations of `func` and `cf` in what `mlir-opt` reads (passes/exchange)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyAttr,
    AnyOf,
    AttrConstraint,
    AttrSetConstraint,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OpDef,
    OptionalDef,
    OptOperandDef,
    OptResultDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    SingleOf,
    VarConstraint,
    VariadicDef,
)
from xdsl.printer import Printer

_BASES: dict[type[Attribute], str] = {
    ArrayAttr: "#builtin.array",
    DenseArrayBase: "#builtin.dense_array",
    DictionaryAttr: "#builtin.dictionary",
    FloatAttr: "#builtin.float",
    IntegerAttr: "#builtin.integer",
    IntegerType: "!builtin.integer",
    StringAttr: "#builtin.string",
    SymbolRefAttr: "#builtin.symbol_ref",
    UnitAttr: "#builtin.unit",
}


@dataclass
class Writer:
    """The statements of one operation. A value of IRDL is a variable: all that it constrains must be equal. So only constants
    are shared."""

    dialect: str
    lines: list[str] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def value(self, text: str) -> str:
        """The name of a constraint given as the text of its operation."""
        found = self._known.get(text)
        if found is None:
            found = f"%{self._count}"
            self._count += 1
            self.lines.append(f"{found} = {text}")
            if text.startswith("irdl.is "):
                self._known[text] = found
        return found

    def any_of(self, values: Iterable[str]) -> str:
        """The constraint that one of several holds."""
        names = list(dict.fromkeys(values))
        return names[0] if len(names) == 1 else self.value(f"irdl.any_of({', '.join(names)})")

    def exactly(self, attribute: Attribute) -> str:
        """The constraint of one attribute or type."""
        if attribute.name.startswith(f"{self.dialect}."):
            return self.base(type(attribute))
        stream = StringIO()
        Printer(stream=stream).print_attribute(attribute)
        return self.value(f"irdl.is {stream.getvalue()}")

    def base(self, kind: type[Attribute]) -> str:
        """The constraint that an attribute or type is of one kind, whatever its parameters."""
        if kind.name.startswith(f"{self.dialect}."):
            return self.value(f"irdl.base @{self.dialect}::@{kind.name.partition('.')[2]}")
        found = _BASES.get(kind)
        return self.value(f'irdl.base "{found}"') if found is not None else self.value("irdl.any")

    def constraint(self, one: AttrConstraint) -> str:
        """A constraint of xDSL; what IRDL cannot say of it is left open."""
        if isinstance(one, MessageConstraint):
            return self.constraint(one.constr)
        if isinstance(one, VarConstraint):
            return self.constraint(one.constraint)
        if isinstance(one, EqAttrConstraint):
            return self.exactly(one.attr)
        if isinstance(one, AttrSetConstraint):
            return self.any_of(self.exactly(value) for value in sorted(one.values, key=str))
        if isinstance(one, AnyOf):
            return self.any_of([self.constraint(inner) for inner in one.attr_constrs])
        if isinstance(one, AllOf):
            return self.value(f"irdl.all_of({', '.join(self.constraint(inner) for inner in one.attr_constrs)})")
        if isinstance(one, ParamAttrConstraint) and _is_boolean(one):
            return self.any_of(self.value(f"irdl.is {word}") for word in ("false", "true"))
        bases = one.get_bases()
        if isinstance(one, AnyAttr) or bases is None:
            return self.value("irdl.any")
        return self.any_of(self.base(kind) for kind in sorted(bases, key=lambda kind: kind.__name__))


def _is_boolean(one: ParamAttrConstraint[ParametrizedAttribute]) -> bool:
    return one.base_attr is IntegerAttr and EqAttrConstraint(i1) in one.param_constrs


Special = Callable[[type[Operation], Writer], bool]
"""Writes an operation by itself, and says whether it did."""


def export(dialect: Dialect, special: Special | None = None, left_out: Container[str] = ()) -> str:
    """The definition of a dialect as MLIR text. Operations that have regions or successors are left out."""
    lines = [f"irdl.dialect @{dialect.name} {{"]
    for attribute in dialect.attributes:
        kind = "type" if issubclass(attribute, TypeAttribute) else "attribute"
        lines.append(f"  irdl.{kind} @{attribute.name.partition('.')[2]}")
    for op in sorted(dialect.operations, key=lambda one: one.name):
        assert issubclass(op, IRDLOperation)
        definition = op.get_irdl_definition()
        if definition.regions or definition.successors or op.name in left_out:
            continue
        writer = Writer(dialect.name)
        if special is None or not special(op, writer):
            _operation(definition, writer)
        body = "".join(f"\n    {line}" for line in writer.lines)
        lines.append(f"  irdl.operation @{op.name.partition('.')[2]} {{{body}\n  }}")
    return "\n".join([*lines, "}"]) + "\n"


def _operation(definition: OpDef, writer: Writer) -> None:
    """Operands, results and attributes of an operation; properties are attributes."""
    operands = [_item(name, one, writer) for name, one in definition.operands]
    results = [_item(name, one, writer) for name, one in definition.results]
    attributes = {
        name: writer.constraint(one.constr)
        for name, one in (*definition.attributes.items(), *definition.properties.items())
        if not isinstance(one, OptionalDef) and name not in ("operandSegmentSizes", "resultSegmentSizes")
    }
    write(writer, operands, results, attributes)


def write(writer: Writer, operands: list[str], results: list[str], attributes: dict[str, str]) -> None:
    """The three statements of an operation; none where there is nothing to say, which forbids operands and results."""
    if operands:
        writer.lines.append(f"irdl.operands({', '.join(operands)})")
    if results:
        writer.lines.append(f"irdl.results({', '.join(results)})")
    if attributes:
        inside = ", ".join(f'"{name}" = {value}' for name, value in attributes.items())
        writer.lines.append(f"irdl.attributes {{{inside}}}")


def _item(name: str, one: object, writer: Writer) -> str:
    """`name: variadic %0`"""
    word = "optional " if isinstance(one, OptOperandDef | OptResultDef) else "variadic " if isinstance(one, VariadicDef) else ""
    return f"{name}: {word}{writer.constraint(_element(one.constr))}"  # type: ignore[attr-defined]


def _element(one: RangeConstraint) -> AttrConstraint:
    """The constraint of each element of a range."""
    if isinstance(one, RangeLengthConstraint):
        return _element(one.constraint)
    return one.constr if isinstance(one, RangeOf | SingleOf) else AnyAttr()

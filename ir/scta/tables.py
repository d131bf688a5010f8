"""Operations that declare what rows refer to: the program, its static code, its memory, its CTAs, and what stopped it."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.findings import KINDS
from volta_pipe.ir.modules.attributes import (
    BOOLEAN,
    INTEGER,
    INTEGERS,
    Integer,
    Integers,
    number_of,
    numbers_of,
    one_of,
    text_of,
    texts_of,
)
from volta_pipe.ir.operations import Op
from volta_pipe.ir.scta.lanes import MOST_THREADS, check_pattern, lanes_of

OPS: dict[str, Op] = {op.name.lower(): op for op in Op}
INITS = ("uninitialised", "symbolic", "known")  # by INIT_UNINIT, INIT_SYMBOLIC, INIT_KNOWN
SPACES = ("global", "shared", "local", "const")
ROLES = ("", "in", "out", "inout", "scratch")
_REGISTERS = 1 << 31


class Declaration(IRDLOperation):
    """Base of the declarations: attributes, no operands, no results."""

    assembly_format = "attr-dict"

    def number(self, key: str, low: int = 0, high: int = 1 << 63) -> int:
        """An attribute as a number in low..high-1. Errors: VerifyException."""
        value = number_of(self.attributes[key])
        if not low <= value < high:
            raise VerifyException(f"{self.name}: {key} is {value}, which is not in {low}..{high - 1}")
        return value


def entries(op: str, attribute: Attribute, words: str, *numbers: str) -> list[tuple[str, tuple[int, ...]]]:
    """(text, numbers) of an array of dictionaries that have one text and some numbers. Errors: VerifyException."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for entry in attribute if isinstance(attribute, ArrayAttr) else ():
        if not isinstance(entry, DictionaryAttr) or entry.data.keys() != {words, *numbers}:
            raise VerifyException(f"{op}: an entry has {', '.join((words, *numbers))}")
        text = entry.data[words]
        if not isinstance(text, StringAttr):
            raise VerifyException(f"{op}: {words} is a string")
        found.append((text_of(text), tuple(number_of(entry.data[key]) for key in numbers)))
    return found


@irdl_op_definition
class ProgramOp(Declaration):
    """The straight-line program: `threads` of each CTA and the `block` that they form, how many registers a thread has, how
    many instructions were executed, whether the run came to its end, what is assumed.

    `masks` and `patterns` ([lanes, pattern…]) number the sets of lanes and the patterns of rows; empty where they are numbered
    as rows first have them. `whole`: whether all rows are there, not a part that somebody asked for."""

    name = "scta.program"
    threads: Integer = attr_def(INTEGER)
    block: Integers = attr_def(INTEGERS)
    registers: Integer = attr_def(INTEGER)
    steps: Integer = attr_def(INTEGER)
    complete: BoolAttr = attr_def(BOOLEAN)
    whole: BoolAttr = attr_def(BOOLEAN)
    assumptions: ArrayAttr[StringAttr] = attr_def(ArrayAttr[StringAttr])
    masks: ArrayAttr[StringAttr] = attr_def(ArrayAttr[StringAttr])
    patterns: ArrayAttr[Integers] = attr_def(ArrayAttr[Integers])

    def verify_(self) -> None:
        threads = self.number("threads", 1, MOST_THREADS + 1)
        block = numbers_of(self.block)
        if len(block) != 3 or min(block) < 1 or block[0] * block[1] * block[2] != threads:
            raise VerifyException(f"{self.name}: a block of {list(block)} does not have {threads} threads")
        self.number("registers", 0, _REGISTERS)
        self.number("steps")
        texts_of(self.assumptions)
        for text in self.masks:
            if lanes_of(text.data)[-1:] >= (threads,):
                raise VerifyException(f"{self.name}: the mask {text.data} names a thread that does not exist")
        for entry in self.patterns:
            count, *pattern = numbers_of(entry) or (-1,)
            if not 0 <= count <= threads or not pattern:
                raise VerifyException(f"{self.name}: a pattern has the number of its lanes, and then itself")
            check_pattern(pattern, count)


@irdl_op_definition
class RegionOp(Declaration):
    """A piece of memory (program.Region), whose window has this `number` (rows call it by `name`, and `name#number` where two
    have that name); `content` in hexadecimal; `tensor` -1 where it is
    none; `variables` are {name, offset, size}."""

    name = "scta.region"
    region_name: StringAttr = attr_def(StringAttr, attr_name="name")
    number_: Integer = attr_def(INTEGER, attr_name="number")
    space: StringAttr = attr_def(one_of(SPACES))
    start: Integer = attr_def(INTEGER)
    size: Integer = attr_def(INTEGER)
    init: StringAttr = attr_def(one_of(INITS))
    tensor: Integer = attr_def(INTEGER)
    role: StringAttr = attr_def(StringAttr)
    variables: ArrayAttr[DictionaryAttr] = attr_def(ArrayAttr[DictionaryAttr])
    content: StringAttr = attr_def(StringAttr)

    def verify_(self) -> None:
        text_of(self.region_name)
        text_of(self.role)
        self.number("number", 1, 1 << 31)
        self.number("start", 0, 1 << 32)
        self.number("size", 0, 1 << 33)
        self.number("tensor", -1, 1 << 31)
        self.variable_list()
        self.content_bytes()

    def variable_list(self) -> tuple[tuple[str, int, int], ...]:
        """(name, offset, size) of each variable. Errors: VerifyException."""
        found = entries(self.name, self.variables, "name", "offset", "size")
        return tuple((name, offset, size) for name, (offset, size) in found)

    def content_bytes(self) -> bytes:
        """What it holds before the launch. Errors: VerifyException."""
        try:
            return bytes.fromhex(self.content.data)
        except ValueError:
            raise VerifyException(f"{self.name}: content is not hexadecimal") from None


@irdl_op_definition
class EventOp(Declaration):
    """What the machine met and could not pass (program.Event); `steps` are {text, instruction}."""

    name = "scta.event"
    kind: StringAttr = attr_def(StringAttr)
    message: StringAttr = attr_def(StringAttr)
    instruction: Integer = attr_def(INTEGER)
    cta: Integer = attr_def(INTEGER)
    threads: Integers = attr_def(INTEGERS)
    address: Integer = attr_def(INTEGER)
    other: Integer = attr_def(INTEGER)
    steps: ArrayAttr[DictionaryAttr] = attr_def(ArrayAttr[DictionaryAttr])

    def verify_(self) -> None:
        if text_of(self.kind) not in KINDS:
            raise VerifyException(f"{self.name}: '{self.kind.data[:40]}' is no kind of finding")
        text_of(self.message)
        entries(self.name, self.steps, "text", "instruction")


@irdl_op_definition
class CodeOp(Declaration):
    """Static instruction `number`: the machine operation (operations.Op), its types and the rest of its columns, as in
    program.Program. `origin`: its place in the kernel. `node`: what it means (nodes.Node), or of loads, stores and fences
    how they synchronise. `guard` is a register or -1."""

    name = "scta.code"
    number_: Integer = attr_def(INTEGER, attr_name="number")
    origin: Integer = attr_def(INTEGER)
    op: StringAttr = attr_def(one_of(OPS))
    node: StringAttr = attr_def(StringAttr)
    type: StringAttr = attr_def(StringAttr)
    type2: StringAttr = attr_def(StringAttr)
    sub: Integer = attr_def(INTEGER)
    imm: Integer = attr_def(INTEGER)
    guard: Integer = attr_def(INTEGER)
    negated: BoolAttr = attr_def(BOOLEAN)
    res: Integers = attr_def(INTEGERS, attr_name="results")
    inputs: Integers = attr_def(INTEGERS)
    assembly_format = (
        "$number `from` $origin $op $node $type $type2 `sub` $sub `imm` $imm `guard` $guard $negated "
        "`:` $inputs `->` $results attr-dict"
    )

    def verify_(self) -> None:
        from volta_pipe.ir.scta.spelling import node_number, type_numbers

        self.number("number", 0, 1 << 31)
        self.number("origin", 0, 1 << 31)
        self.number("sub", -(1 << 31), 1 << 31)
        self.number("guard", -1, _REGISTERS)
        node_number(OPS[self.op.data], self.node.data)
        type_numbers(self.type.data)
        type_numbers(self.type2.data)
        registers = (*numbers_of(self.res), *numbers_of(self.inputs))
        if any(not 0 <= register < _REGISTERS for register in registers):
            raise VerifyException(f"{self.name}: a register is out of range")


@irdl_op_definition
class CtaOp(Declaration):
    """The first operation of a function: which CTA its rows are those of, and the number of its first row in the program."""

    name = "scta.cta"
    index: Integers = attr_def(INTEGERS)
    first: Integer = attr_def(INTEGER)

    def verify_(self) -> None:
        index = numbers_of(self.index)
        if len(index) != 3 or not all(0 <= axis < 1 << 31 for axis in index):
            raise VerifyException(f"{self.name}: a CTA has three indices, which are not negative")
        self.number("first")


TABLE_OPS: list[type[Operation]] = [ProgramOp, RegionOp, EventOp, CodeOp, CtaOp]

"""The statements of a kernel: blocks in order, labels where something jumps, copies where registers could not be shared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx import (
    AddressOp,
    BranchOp,
    CondBranchOp,
    ConstantOp,
    InstructionOp,
    KernelOp,
    LoadParamOp,
    Param,
    ReturnOp,
    SpecialOp,
    TrapOp,
    UndefOp,
    UnmodelledOp,
    value_width,
)
from volta_pipe.passes.emit.liveness import edges, is_constant
from volta_pipe.passes.emit.opcodes import spell_opcode
from volta_pipe.passes.emit.operands import input_texts, literal_text, result_text, signature_of
from volta_pipe.passes.emit.registers import Classes, carry_in, carry_out, is_sink

# Prefix of the names of registers by width, as compilers have them.
_PREFIXES = {1: "p", 8: "rb", 16: "rs", 32: "r", 64: "rd"}
_TYPES = {1: "pred", 8: "b8", 16: "b16", 32: "b32", 64: "b64"}
_PLACEHOLDER = re.compile(r"\$(\d+)(?![\w$])")

Copy = tuple[str, str, int]
"""Destination, source, and width of a move."""


class Body:
    """Writes one kernel. `lines` are its statements; `registers` gives how many there are of each width."""

    def __init__(self, kernel: KernelOp, names: dict[str, str], label: str) -> None:
        """`names`: how each variable is called in the text; `label`: the prefix of labels."""
        self.kernel, self.names, self.label = kernel, names, label
        self.blocks = list(kernel.body.blocks)
        self.number = {block: index for index, block in enumerate(self.blocks)}
        self.classes = Classes(kernel.body)
        self.registers: dict[int, int] = {}
        self.lines: list[str] = []
        self._register: dict[SSAValue, str] = {}
        self._edge_blocks: list[tuple[str, list[Copy], str]] = []
        self._explicit = self._targets()
        for index, block in enumerate(self.blocks):
            self._block(index, block)
        for name, copies, target in self._edge_blocks:
            self.lines.append(f"{name}:")
            self._copy(copies)
            self._put(f"bra {target}")

    def _put(self, text: str) -> None:
        self.lines.append(f"\t{text};")

    def _fresh(self, width: int) -> str:
        if width not in _PREFIXES:
            raise UnsupportedError(f"PTX text has no registers of {width} bits")
        self.registers[width] = self.registers.get(width, 0) + 1
        return f"%{_PREFIXES[width]}{self.registers[width]}"

    def _name(self, value: SSAValue) -> str:
        """The register of a value."""
        root = self.classes.find(value)
        if root not in self._register:
            self._register[root] = self._fresh(value_width(value))
        return self._register[root]

    def _source(self, value: SSAValue) -> str:
        """A value in a place where only a register, or a literal of its bits, can stand."""
        owner = value.owner
        if not isinstance(owner, ConstantOp):
            return self._name(value)
        text = literal_text(owner, "")
        assert text is not None
        return text

    def _in_register(self, value: SSAValue) -> str:
        """The register of a value; of a constant one that is loaded here."""
        if not is_constant(value):
            return self._name(value)
        name = self._fresh(value_width(value))
        self._put(f"mov.{_TYPES[value_width(value)]} {name}, {self._source(value)}")
        return name

    def _targets(self) -> set[Block]:
        """Blocks that some statement must jump to; an edge to the next block needs none if that one has a label anyhow."""
        jumped: set[Block] = set()
        for index, block in enumerate(self.blocks):
            after = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
            successors = [successor for successor, _ in edges(block)]
            if len(successors) == 2 and after in successors:
                successors.remove(after)
                jumped.update(successors)
            else:
                jumped.update(successor for successor in successors if successor is not after)
        return jumped

    def _block(self, index: int, block: Block) -> None:
        if block.predecessors():
            self.lines.append(f"{self.label}{index}:")
        for op in block.ops:
            self._operation(index, op)

    def _operation(self, index: int, op: Operation) -> None:
        if isinstance(op, ConstantOp | UndefOp):
            return
        if isinstance(op, SpecialOp):
            self._put(f"mov.u32 {self._name(op.res)}, %{op.register.data}")
        elif isinstance(op, AddressOp):
            offset = f"+{op.byte_offset}" if op.byte_offset else ""
            self._put(f"mov.u{value_width(op.res)} {self._name(op.res)}, {self.names[op.variable]}{offset}".replace("+-", "-"))
        elif isinstance(op, LoadParamOp):
            self._parameter(op)
        elif isinstance(op, InstructionOp):
            self._instruction(op)
        elif isinstance(op, BranchOp | CondBranchOp):
            self._branch(index, op)
        elif isinstance(op, ReturnOp):
            self._put("ret")
        elif isinstance(op, TrapOp):
            self._put("trap")
        else:
            raise UnsupportedError(f"{op.name} has no PTX text")

    def _parameter(self, op: LoadParamOp) -> None:
        size = WIDTH[op.type_name] // 8 * len(op.res)
        param = _param_at(self.kernel.parameters, op.byte_offset, size)
        offset = op.byte_offset - param.offset
        names = [self._name(value) for value in op.res]
        vector = f".v{len(names)}" if len(names) > 1 else ""
        target = f"{{{', '.join(names)}}}" if vector else names[0]
        self._put(f"ld.param{vector}.{op.type_name} {target}, [{param.name}{f'+{offset}' if offset else ''}]")

    def _instruction(self, op: InstructionOp) -> None:
        self._copy(self._old_values(op))
        guard = ""
        if op.guard is not None:
            guard = f"@{'!' if op.negated is not None else ''}{self._in_register(op.guard)} "
        if isinstance(op, UnmodelledOp):
            names = [self._name(value) for value in op.res] + [self._in_register(value) for value in op.inputs]
            text = _PLACEHOLDER.sub(lambda found: names[int(found[1])], op.text.data)
            self._put(f"{guard}{op.opcode.data} {text}".rstrip())
            return
        if op.mnemonic == "extern":
            raise UnsupportedError(f"the call of the extern function {'.'.join(op.modifier_names)} has no PTX text of its own")
        # Literals first: those that PTX cannot spell in place are loaded before the instruction.
        kinds = signature_of(op).kinds
        texts = [
            self._input(value, kind) if value is not carry_in(op) else "" for value, kind in zip(op.inputs, kinds, strict=True)
        ]
        target = result_text(op, self._name)
        operands = [*([target] if target is not None else []), *input_texts(op, texts)]
        opcode = spell_opcode(op.mnemonic, op.modifier_names, op.type_names)
        self._put(f"{guard}{opcode} {', '.join(operands)}".rstrip())

    def _input(self, value: SSAValue, kind: str) -> str:
        if isinstance(value.owner, ConstantOp):
            text = literal_text(value.owner, kind)
            return self._in_register(value) if text is None else text
        return self._name(value)

    def _old_values(self, op: InstructionOp) -> list[Copy]:
        """Moves of the old values of guarded results into the registers of the results."""
        copies: list[Copy] = []
        for place, old in enumerate(op.old):
            result = op.res[place]
            if result is carry_out(op) or is_sink(op, place):
                continue
            if is_constant(old) or self.classes.find(old) is not self.classes.find(result):
                copies.append((self._name(result), self._source(old), value_width(result)))
        return copies

    def _passed(self, successor: Block, values: Sequence[SSAValue]) -> list[Copy]:
        """Moves of what a branch passes into the registers of the arguments."""
        copies: list[Copy] = []
        for argument, value in zip(successor.args, values, strict=True):
            if self.classes.find(argument) is self.classes.carry and not is_constant(value):
                if self.classes.find(value) is not self.classes.carry:
                    raise UnsupportedError("a carry is made of another value, and PTX gives its register no name")
                continue
            if is_constant(value) or self.classes.find(value) is not self.classes.find(argument):
                copies.append((self._name(argument), self._source(value), value_width(argument)))
        return copies

    def _copy(self, copies: list[Copy]) -> None:
        """Moves that happen at once, one after the other; a cycle goes through a spare register."""
        todo = list(copies)
        while todo:
            read = [source for _, source, _ in todo]
            ready = next((one for one in todo if read.count(one[0]) == (one[1] == one[0])), None)
            if ready is None:
                target, _, width = todo[0]
                spare = self._fresh(width)
                self._put(f"mov.{_TYPES[width]} {spare}, {target}")
                todo = [(to, spare if of == target else of, bits) for to, of, bits in todo]
                continue
            todo.remove(ready)
            self._put(f"mov.{_TYPES[ready[2]]} {ready[0]}, {ready[1]}")

    def _branch(self, index: int, op: BranchOp | CondBranchOp) -> None:
        after = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        if isinstance(op, BranchOp):
            self._copy(self._passed(op.target, op.arguments))
            self._jump(op.target, after)
            return
        condition = self._in_register(op.condition)
        then_copies, else_copies = self._passed(op.then, op.then_arguments), self._passed(op.els, op.else_arguments)
        if op.then is after and not then_copies and op.els is not after:
            self._put(f"@!{condition} bra {self._edge(op.els, else_copies)}")
            return
        self._put(f"@{condition} bra {self._edge(op.then, then_copies)}")
        self._copy(else_copies)
        if op.els is not after or op.then is after:
            self._jump(op.els, after)

    def _edge(self, target: Block, copies: list[Copy]) -> str:
        """The label to jump to for an edge: of a block of its own where something is copied on the way."""
        label = f"{self.label}{self.number[target]}"
        if not copies:
            return label
        name = f"{self.label}edge{len(self._edge_blocks)}"
        self._edge_blocks.append((name, copies, label))
        return name

    def _jump(self, target: Block, after: Block | None) -> None:
        if target is not after or target not in self._explicit:
            self._put(f"bra {self.label}{self.number[target]}")


def _param_at(params: Sequence[Param], offset: int, size: int) -> Param:
    for param in params:
        if param.offset <= offset and offset + size <= param.offset + param.size:
            return param
    raise UnsupportedError(f"the {size} bytes at offset {offset} of the parameters are not in one of them")

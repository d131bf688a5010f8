"""The text of a lowered module, written from its nodes: letter for letter what xDSL prints of the module that build.py makes of
them, without either. An edit that leaves this text alone is done here, and loading xDSL takes as long as all else it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.flow import BRANCH, TRAP
from volta_pipe.passes.lower.nodes import Flow, FlowBlock, Kind, Node
from volta_pipe.passes.lower.tree import Variable

_IDENTIFIER = re.compile(r"[a-zA-Z_][\w$.]*", re.ASCII)
_ESCAPED = re.compile(r"[^ !#-\[\]-~]")  # all but printable ASCII without `"` and `\`


@dataclass(frozen=True)
class Heading:
    """Of a kernel what stands above its blocks; `limits`: maxntid and reqntid, where given."""

    name: str
    params: tuple[Param, ...]
    version: str
    target: str
    address_size: int
    limits: Mapping[str, tuple[int, ...]]


def module_text(flow: Flow, heading: Heading, variables: Mapping[Variable, str]) -> str:
    """The module of a kernel with the variables that it mentions, each with its name in the module."""
    lines = ["builtin.module {"]
    lines += [f"  ptx.variable {_symbol(name)} {_dictionary(_of_variable(one))}" for one, name in variables.items()]
    lines.append(f"  ptx.kernel {_symbol(heading.name)} {_dictionary(_of_kernel(heading))} {{")
    lines += _Body(flow).lines
    return "\n".join([*lines, "  }", "}", ""])


class _Body:
    """`lines`: the blocks of a kernel. Values have numbers in the order in which they are printed first."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.names: list[str] = [""] * len(flow.widths)
        self.types = [f"i{width}" for width in flow.widths]
        self.count = 0
        self.lines: list[str] = []
        for value in flow.constants_read():
            width, bits = flow.constants[value]
            number = bits if width == 1 or bits < 1 << (width - 1) else bits - (1 << width)
            self.lines.append(f"    {self._name(value)} = ptx.constant {number} : i{width}")
        for index, block in enumerate(flow.blocks):
            if index:
                arguments = [f"{self._name(value)}: {self.types[value]}" for value in block.arguments]
                self.lines.append(f"  ^bb{index}({', '.join(arguments)}):" if arguments else f"  ^bb{index}:")
            self.lines += [self._node(node) for node in block.nodes]
            self.lines.append(self._end(block))

    def _name(self, value: int) -> str:
        found = self.names[value]
        if not found:
            found = self.names[value] = f"%{self.count}"
            self.count += 1
        return found

    def _list(self, values: Iterable[int]) -> str:
        return ", ".join([self.names[value] or self._name(value) for value in values])

    def _node(self, node: Node) -> str:
        made = f"    {self._list(node.results)} = ptx." if node.results else "    ptx."
        kind, what, step = node.kind, node.what, node.step
        if kind in (Kind.UNDEF, Kind.SINK):
            return f"{made}undef : i{what}"
        if kind is Kind.SPECIAL:
            return f"{made}special {_quoted(str(what))} : i32"
        if kind is Kind.ADDRESS:
            assert isinstance(what, tuple)
            return f"{made}address {_symbol(what[0])} + {signed(what[1])} : i{what[2]}"
        if kind is Kind.NOT:
            return f'{made}not "pred" {self._rest(node, node.operands)}'
        assert step is not None
        if kind is Kind.PARAM:
            types = ", ".join([self.types[value] for value in node.results])
            return f'{made}ld_param {step.param} "{step.types[0]}" : {types}'
        if kind is Kind.MOVED:
            return f'{made}mov "b{self.flow.widths[node.results.start]}" {self._rest(node, node.operands[:1])}'
        one = step.instruction
        inputs = node.operands[: node.inputs]
        if kind is Kind.REFUSED:
            reason = f" because {_quoted(step.reason)}" if step.reason else ""
            shown = f"{made}unmodelled {_quoted(one.opcode)} {_quoted(step.text)}{reason}"
            return f"{shown} {self._rest(node, inputs)}" if inputs else f"{shown} (){self._rest(node, inputs)}"
        words = ".".join((*sorted(step.modifiers), *step.types))
        shown = f'{made}{one.mnemonic} "{words}"' if words else f"{made}{one.mnemonic}"
        if step.offset is not None and inputs:
            shown += f" [{self._list(inputs[:1])} + {signed(step.offset)}]"
            rest = inputs[1:]
            if step.offset2 is not None and rest:
                shown += f", [{self._list(rest[:1])} + {signed(step.offset2)}]"
                rest = rest[1:]
            return f"{shown}, {self._rest(node, rest)}" if rest else f"{shown}{self._rest(node, rest)}"
        return f"{shown} {self._rest(node, inputs)}" if inputs else f"{shown} (){self._rest(node, inputs)}"

    def _rest(self, node: Node, inputs: list[int]) -> str:
        """Operands that have not been printed yet, the guard with the old values, and the types of all."""
        shown = self._list(inputs)
        if node.guard is not None:
            guard, *old = node.operands[node.inputs :]
            shown += f" if not {self._name(guard)}" if node.guard.negated else f" if {self._name(guard)}"
            shown += f" else {self._list(old)}" if old else ""
        types = self.types
        read = ", ".join([types[value] for value in node.operands])
        made = ", ".join([types[value] for value in node.results])
        if not read and not made:
            return shown
        return f"{shown} : ({read}) -> {made}" if len(node.results) == 1 else f"{shown} : ({read}) -> ({made})"

    def _end(self, block: FlowBlock) -> str:
        if block.condition >= 0:
            condition = self._name(block.condition)
            return f"    ptx.cond_br {condition}, {self._jump(block, 0)}, {self._jump(block, 1)}"
        if block.kind == BRANCH:
            return f"    ptx.br {self._jump(block, 0)}"
        if block.kind == TRAP:
            reason = block.end.reason if block.end is not None else ""
            return f"    ptx.trap {_quoted(reason)}" if reason else "    ptx.trap"
        return "    ptx.ret"

    def _jump(self, block: FlowBlock, way: int) -> str:
        values = block.passed[way]
        if not values:
            return f"^bb{block.successors[way]}"
        types = ", ".join([self.types[value] for value in values])
        return f"^bb{block.successors[way]}({self._list(values)} : {types})"


def _of_variable(one: Variable) -> dict[str, str | None]:
    found: dict[str, str | None] = {"align": f"{one.align} : i64", "size": f"{one.size} : i64", "space": _quoted(one.space)}
    if one.extern:
        found["extern"] = None
    if one.init is not None:
        found["init"] = _quoted(one.init.hex())
    return found


def _of_kernel(heading: Heading) -> dict[str, str | None]:
    params = [
        f"{{name = {_quoted(one.name)}, type = {_quoted(one.type)}, size = {one.size} : i64, align = {one.align} : i64, "
        f"offset = {one.offset} : i64}}"
        for one in heading.params
    ]
    found: dict[str, str | None] = {
        "params": f"[{', '.join(params)}]",
        "version": _quoted(heading.version),
        "target": _quoted(heading.target),
        "address_size": f"{heading.address_size} : i64",
    }
    for key, sizes in heading.limits.items():
        found[key] = f"[{', '.join([f'{size} : i64' for size in sizes])}]"
    return found


def _dictionary(entries: dict[str, str | None]) -> str:
    """An attribute dictionary, by name; None: a name alone."""
    return f"{{{', '.join([name if value is None else f'{name} = {value}' for name, value in sorted(entries.items())])}}}"


def _symbol(name: str) -> str:
    return f"@{name}" if _IDENTIFIER.fullmatch(name) else f"@{_quoted(name)}"


def _quoted(text: str) -> str:
    """A string literal of MLIR: bytes in UTF-8, those that are not printable in hexadecimal."""
    if _ESCAPED.search(text) is None:
        return f'"{text}"'
    escaped = [
        "\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte <= 0x7E and byte != 0x22 else f"\\{byte:02X}"
        for byte in text.encode()
    ]
    return f'"{"".join(escaped)}"'


def signed(number: int) -> int:
    """As an attribute of 64 bits has it."""
    return (number + (1 << 63) & (1 << 64) - 1) - (1 << 63)

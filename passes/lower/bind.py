"""From the syntax tree of a kernel to one flat list of instructions: names become registers and variables, calls bodies.

Each function is bound anew where it is called, so registers, labels and variables of two calls are different ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.names import Names, Registers
from volta_pipe.passes.lower.operands import Frame, Operands
from volta_pipe.passes.lower.parser import body_of
from volta_pipe.passes.lower.places import Locations
from volta_pipe.passes.lower.syntax import Brace, Declaration, Function, Label
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.syntax import Loc as WrittenLoc
from volta_pipe.passes.lower.tree import Instruction, Kernel, Mem, Operand, Reg, Scope, Source, Sym, Variable
from volta_pipe.passes.lower.uses import Uses, find_uses
from volta_pipe.passes.lower.variables import make_variables, register_shape

# A kernel of this length would take a minute and a gigabyte to lower; the longest we have met has 30,000.
MAX_INSTRUCTIONS = 200_000
_FUNCTION_MOVED = re.compile(r"\bmov\s*\.[bus]64\s+[\w$%]+\s*,\s*([A-Za-z_$%][\w$]*)", re.ASCII)


class Binder(Operands):
    """Binds one kernel. `expand` turns an instruction into others, or says False (see expand.py). `externs`: what extern
    functions compute (ir/externs.py); `called` those of them that are called; `pointers`: whether a function is called whose
    address is read from memory."""

    def __init__(
        self, source: Source, lexer: Lexer, expand: Callable[[Binder, Frame, Written], bool], externs: Mapping[str, str]
    ) -> None:
        super().__init__(lexer)
        self.source, self.externs = source, externs
        self.called: set[str] = set()
        self.pointers = False
        self.registers = Registers()
        self.instructions: list[Instruction] = []
        self.stack: list[Frame] = []
        self.unknown: set[Variable] = set()  # hold what a call left that is not modelled
        self._expand = expand
        self._order = 0
        self._static: dict[int, list[Variable]] = {}
        self._uses: dict[str, Uses] = {}
        self._taken: list[str] | None = None

    def kernel(self, function: Function, params: tuple[Param, ...], limits: dict[str, tuple[int, ...]]) -> Kernel:
        """The kernel with all that it calls."""
        frame = Frame(function, Names(self.registers), Locations(()))
        for param in params:
            frame.names.declare(param.name, param)
        self.body(frame)
        return Kernel(function.name, params, limits, self.instructions)

    def body(self, frame: Frame) -> None:
        """Bind the body of a frame's function behind what is there."""
        self.stack.append(frame)
        frame.names.open()
        for one in body_of(frame.function, self.lexer.source, self.lexer.file):
            if isinstance(one, Written):
                if not self._expand(self, frame, one):
                    self.plain(frame, one)
            elif isinstance(one, WrittenLoc):
                frame.locations.read(one)
            elif isinstance(one, Label):
                self._count_up(one.offset)
                if one.name in frame.scope.labels:
                    raise self.lexer.error(f"label {one.name} is declared twice", one.offset)
                frame.scope.labels[one.name] = len(self.instructions)
            elif isinstance(one, Brace):
                frame.bound.clear()
                if one.opening:
                    frame.names.open()
                else:
                    frame.names.close()
            elif isinstance(one, Declaration):
                frame.bound.clear()
                self._declare(frame, one)
        frame.names.close()
        self.stack.pop()

    def plain(self, frame: Frame, one: Written, reason: str = "") -> None:
        """An instruction as it stands."""
        guard = self.guard(frame, one)
        operands = tuple(self.operand(frame, term, one.offset) for term in one.operands)
        self.emit(frame, one.opcode, operands, guard, offset=one.offset, reason=reason)

    def emit(
        self,
        frame: Frame,
        opcode: str,
        operands: tuple[Operand, ...],
        guard: Reg | None = None,
        *,
        offset: int,
        scope: Scope | None = None,
        reason: str = "",
    ) -> None:
        """Append an instruction."""
        self._count_up(offset)
        where = scope or frame.scope
        self.instructions.append(Instruction(opcode, operands, guard, offset, frame.locations.loc, where, reason))

    def _declare(self, frame: Frame, one: Declaration) -> None:
        names, lexer = frame.names, self.lexer
        if one.space == ".reg":
            shape = register_shape(one, lexer)
            for item in one.items:
                if names.is_declared_here(item.name, item.count):
                    raise lexer.error(f"{item.name} is declared twice", item.offset)
                if item.count >= 0:
                    names.declare_range(item.name, item.count, shape)
                else:
                    names.declare_register(item.name, shape)
            return
        for variable in self._variables(frame, one):
            if names.is_declared_here(variable.name):
                raise lexer.error(f"{variable.name} is declared twice", one.offset)
            names.declare(variable.name, variable)

    def _variables(self, frame: Frame, one: Declaration) -> list[Variable]:
        """Variables of a body: those in local memory are new in each call, the others are the same in all."""
        if one.space in (".local", ".param"):
            made = self.make(one)
            if frame.returns is not None and one.space == ".local":
                for variable in made:
                    self.forget(frame, variable, one.offset)
            return made
        if one.offset not in self._static:
            self._static[one.offset] = self.make(one)
        return self._static[one.offset]

    def make(self, one: Declaration) -> list[Variable]:
        """New variables, numbered in the order in which they are made."""
        made = make_variables(one, self.lexer, self._order, self.source.functions)
        self._order += len(made)
        return made

    def uses(self, frame: Frame) -> Uses:
        """What the body of a frame's function says of its names."""
        name = frame.function.name
        if name not in self._uses:
            body = body_of(frame.function, self.lexer.source, self.lexer.file)
            self._uses[name] = find_uses(body, self.source.functions)
        return self._uses[name]

    def addresses_taken(self) -> list[str]:
        """The functions whose addresses a program of this file can hold: those that an initialiser or a `mov` mentions."""
        if self._taken is None:
            mentioned = {word for item in self.source.initialisers for word in item}
            mentioned.update(_FUNCTION_MOVED.findall(self.lexer.source))
            self._taken = [name for name in self.source.functions if name in mentioned]
        return self._taken

    def forget(self, frame: Frame, variable: Variable, offset: int) -> None:
        """What a variable of a call held before, in an earlier round of a loop, must not be seen: store an undefined value."""
        at = 0
        while at < variable.size:
            unit = next(
                unit for unit in (8, 4, 2, 1) if unit <= variable.size - at and variable.align % unit == 0 and not at % unit
            )
            undefined = Reg(self.registers.make("undefined", max(16, 8 * unit)))
            target = Mem(Sym(variable.name, 0, variable), at)
            self.emit(frame, f"st.local.b{8 * unit}", (target, undefined), offset=offset)
            at += unit

    def _count_up(self, offset: int) -> None:
        """Before an instruction or a label."""
        if len(self.instructions) >= MAX_INSTRUCTIONS:
            message = f"the kernel has more than {MAX_INSTRUCTIONS} instructions, with the functions that it calls"
            raise UnsupportedError(message, self.lexer.place(offset))

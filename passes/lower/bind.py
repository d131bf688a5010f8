"""From the syntax tree of a kernel to one flat list of instructions: names become registers and variables, calls bodies.

Each function is bound anew where it is called, so registers, labels and variables of two calls are different ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.literals import literal
from volta_pipe.passes.lower.names import Names, Registers, is_special
from volta_pipe.passes.lower.parser import body_of
from volta_pipe.passes.lower.places import Locations
from volta_pipe.passes.lower.printer import print_term
from volta_pipe.passes.lower.syntax import (
    Brace,
    Declaration,
    Function,
    Index,
    Label,
    Memory,
    Name,
    Not,
    Number,
    Sum,
    Term,
    Vector,
)
from volta_pipe.passes.lower.syntax import (
    Instruction as Written,
)
from volta_pipe.passes.lower.syntax import (
    Loc as WrittenLoc,
)
from volta_pipe.passes.lower.syntax import (
    Pair as WrittenPair,
)
from volta_pipe.passes.lower.tree import (
    Imm,
    Instruction,
    Kernel,
    Mem,
    Opaque,
    Operand,
    Pair,
    Reg,
    Register,
    Scope,
    Sink,
    Source,
    Special,
    Sym,
    Variable,
    Vec,
)
from volta_pipe.passes.lower.uses import Uses, find_uses
from volta_pipe.passes.lower.variables import make_variables, register_shape

# A kernel of this length would take a minute and a gigabyte to lower; the longest we have met has 30,000.
MAX_INSTRUCTIONS = 200_000
_FUNCTION_MOVED = re.compile(r"\bmov\s*\.[bus]64\s+[\w$%]+\s*,\s*([A-Za-z_$%][\w$]*)", re.ASCII)


@dataclass
class Frame:
    """One function being bound. `returns`: the scope that holds the label behind a call, None in the kernel; `inputs`: its
    parameters, which it must not write."""

    function: Function
    names: Names
    locations: Locations
    returns: Scope | None = None
    inputs: set[Variable] = field(default_factory=set)
    bound: dict[Term, Operand] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """The innermost open scope."""
        return self.names.scope


class Binder:
    """Binds one kernel. `expand` turns an instruction into others, or says False (see calls.py). `externs`: what extern
    functions compute (ir/externs.py); `called` those of them that are called; `pointers`: whether a function is called whose
    address is read from memory."""

    def __init__(
        self, source: Source, lexer: Lexer, expand: Callable[[Binder, Frame, Written], bool], externs: Mapping[str, str]
    ) -> None:
        self.source, self.lexer, self.externs = source, lexer, externs
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

    def guard(self, frame: Frame, one: Written) -> Reg | None:
        """The guard of an instruction."""
        if one.guard is None:
            return None
        negated, name = one.guard
        found = frame.names.find(name)
        if not isinstance(found, Register) or found.width != 1:
            raise self.lexer.error(f"{name} is no predicate register", self._where(one.offset, name))
        return Reg(found, bool(negated))

    def operand(self, frame: Frame, term: Term, offset: int) -> Operand:
        """An operand with its names resolved; `offset` of its statement."""
        found = frame.bound.get(term)
        if found is None:
            found = self._operand(frame, term, offset)
            frame.bound[term] = found
        return found

    def _operand(self, frame: Frame, term: Term, offset: int) -> Operand:
        if isinstance(term, Name):
            return self._name(frame, term.text, offset)
        if isinstance(term, Number):
            return literal(term.text, self.lexer, self._where(offset, term.text.lstrip("-~ ").split(" ")[0]))
        if isinstance(term, Memory):
            if term.suffix:
                return Opaque(print_term(term))
            base, added = self._sum(frame, term.items[0], offset)
            return Mem(base, added, tuple(self.operand(frame, item, offset) for item in term.items[1:]))
        if isinstance(term, Vector):
            return Vec(tuple(self.operand(frame, item, offset) for item in term.items))
        if isinstance(term, WrittenPair):
            return Pair(self.operand(frame, term.first, offset), self.operand(frame, term.second, offset))
        if isinstance(term, Not):
            found = self.operand(frame, term.name, offset)
            if not isinstance(found, Reg):
                raise self.lexer.error("'!' stands before a predicate register only", offset)
            return Reg(found.register, negated=True)
        if isinstance(term, Index):
            return Opaque(print_term(term))
        base, added = self._sum(frame, term, offset)
        return Sym(base.name, added, base.target) if isinstance(base, Sym) else Opaque(print_term(term))

    def _sum(self, frame: Frame, term: Term, offset: int) -> tuple[Operand, int]:
        """A base and what is added to it."""
        if not isinstance(term, Sum):
            return self.operand(frame, term, offset), 0
        constant = literal(term.number, self.lexer, self._where(offset, term.number))
        if constant.kind != "int":
            raise self.lexer.error("an offset is an integer", self._where(offset, term.number))
        added = constant.value
        if term.sign != "+":
            added = -added
        if not -(1 << 63) <= added < 1 << 63:
            raise self.lexer.error("the offset does not fit into 64 bits", self._where(offset, term.number))
        base = self.operand(frame, term.base, offset)
        if isinstance(base, Imm) and base.kind == "int":
            return Imm("int", base.value + added), 0
        return base, added

    def _name(self, frame: Frame, name: str, offset: int) -> Operand:
        if name == "_":
            return Sink()
        found = frame.names.find(name)
        if isinstance(found, Register):
            return Reg(found)
        if isinstance(found, tuple):
            return Vec(tuple(map(Reg, found)))
        if found is None:
            if name == "WARP_SZ":
                return Imm("int", 32)
            if is_special(name):
                return Special(name[1:])
            if name.startswith("%"):
                raise self.lexer.error(f"register {name} is not declared", self._where(offset, name))
        return Sym(name, 0, found)

    def _where(self, offset: int, text: str) -> int:
        """Where a statement that begins at `offset` mentions something."""
        found = re.compile(rf"(?<![\w$%.]){re.escape(text)}(?![\w$])").search(self.lexer.source, offset)
        return found.start() if found is not None else offset

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

"""Operands with their names resolved: registers, variables, special registers, numbers, addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.literals import literal
from volta_pipe.passes.lower.names import Names, is_special
from volta_pipe.passes.lower.places import Locations
from volta_pipe.passes.lower.printer import print_term
from volta_pipe.passes.lower.syntax import Function, Index, Memory, Name, Not, Number, Sum, Term, Vector
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.syntax import Pair as WrittenPair
from volta_pipe.passes.lower.tree import (
    Imm,
    Mem,
    Opaque,
    Operand,
    Pair,
    Reg,
    Register,
    Scope,
    Sink,
    Special,
    Sym,
    Variable,
    Vec,
)


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


class Operands:
    """Resolves the operands of the statements of one text."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer

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

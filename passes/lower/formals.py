"""Parameters and results of a function that is inlined at a call: what they stand for, and how values get there and back."""

from __future__ import annotations

from dataclasses import dataclass

from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.operands import Frame
from volta_pipe.passes.lower.syntax import Declaration
from volta_pipe.passes.lower.tree import Imm, Mem, Operand, Reg, Register, Sym, Variable
from volta_pipe.passes.lower.variables import register_shape


@dataclass(frozen=True)
class Formal:
    """A parameter or result of a function at one call. `inner`: what it stands for inside; the same variable as outside
    where both are parameters of calls, for neither changes it while the other sees it."""

    name: str
    inner: Variable | Register
    outer: Operand
    fits: bool

    @staticmethod
    def of(binder: Binder, formal: Declaration, actual: Operand) -> Formal:
        name = formal.items[0].name
        outside = actual.target if isinstance(actual, Sym) and not actual.offset else None
        inner: Variable | Register
        if formal.space == ".reg":
            width, count = register_shape(formal, binder.lexer)
            inner = binder.registers.make(name, width)
            size, fits = width // 8, count == 1
        else:
            inner = binder.make(formal)[0]
            size, fits = inner.size, True
        if isinstance(outside, Variable) and outside.parameter:
            fits = fits and outside.size == size
            inner = outside if isinstance(inner, Variable) else inner
        elif isinstance(actual, Reg):
            fits = (
                fits and not actual.negated and (actual.register.width == 8 * size or (actual.register.width == 1 and not size))
            )
        else:
            fits = fits and isinstance(actual, Imm) and size in (1, 2, 4, 8)
        return Formal(name, inner, actual, fits)

    def copy_in(self, binder: Binder, frame: Frame, offset: int) -> None:
        """Give the parameter its value."""
        if self.inner is _variable(self.outer):
            return
        if isinstance(self.inner, Variable):
            target = Mem(Sym(self.inner.name, 0, self.inner), 0)
            binder.emit(frame, f"st.local.b{8 * self.inner.size}", (target, self.outer), offset=offset)
        else:
            _move(binder, frame, self.inner, self.outer, offset)

    def copy_out(self, binder: Binder, frame: Frame, offset: int) -> None:
        """Give the result to the caller."""
        if self.inner is _variable(self.outer):
            return
        if isinstance(self.inner, Variable):
            address = Mem(Sym(self.inner.name, 0, self.inner), 0)
            binder.emit(frame, f"ld.local.b{8 * self.inner.size}", (self.outer, address), offset=offset)
        elif isinstance(self.outer, Reg):
            _move(binder, frame, self.outer.register, Reg(self.inner), offset)
        else:
            variable = self.outer.target if isinstance(self.outer, Sym) else None
            target = Mem(Sym(self.name, 0, variable), 0)
            binder.emit(frame, f"st.local.b{self.inner.width}", (target, Reg(self.inner)), offset=offset)


def _variable(operand: Operand) -> Variable | None:
    return operand.target if isinstance(operand, Sym) and isinstance(operand.target, Variable) else None


def _move(binder: Binder, frame: Frame, target: Register, value: Operand, offset: int) -> None:
    variable = _variable(value)
    if variable is not None:
        address = Mem(Sym(variable.name, 0, variable), 0)
        binder.emit(frame, f"ld.local.b{target.width}", (Reg(target), address), offset=offset)
        return
    kind = "pred" if target.width == 1 else f"b{target.width}"
    binder.emit(frame, f"mov.{kind}", (Reg(target), value), offset=offset)

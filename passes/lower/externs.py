"""Calls of extern functions whose meaning the contract gives: one instruction `extern` of the table."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.ir.externs import EXTERNS
from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.lexer import Lexer
from volta_pipe.passes.lower.operands import Frame
from volta_pipe.passes.lower.syntax import Declaration, Function
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.tree import Imm, Mem, Operand, Reg, Sym, Variable

_FLOATS = {".f32": 32, ".b32": 32, ".f64": 64, ".b64": 64}


def extern_problem(function: Function, meaning: str, lexer: Lexer) -> str:
    """Why a declared function cannot be what the contract says that it computes, or ""."""
    if function.start:
        return "has a body in the PTX, which says what it computes"
    arity = EXTERNS[meaning][0]
    params, results = function.params or (), function.results or ()
    if len(params) != arity:
        return f"takes {len(params)} parameters, {meaning} takes {arity}"
    if len(results) != 1:
        return f"gives {len(results)} results, {meaning} gives 1"
    widths = {_width(one) for one in (*params, *results)}
    if len(widths) != 1 or 0 in widths:
        return "has parameters or a result that are not all .f32 or all .f64"
    return ""


def _width(declaration: Declaration) -> int:
    """32 or 64 for a float of that many bits, else 0."""
    kinds = [word for word in declaration.words if word in _FLOATS]
    rest = [word for word in declaration.words if word not in _FLOATS and not word.isdigit() and word != ".align"]
    plain = len(kinds) == 1 and not rest and not declaration.items[0].dimensions
    return _FLOATS[kinds[0]] if plain else 0


def call_extern(
    binder: Binder, frame: Frame, one: Written, *, function: Function, arguments: Sequence[Operand], results: Sequence[Operand]
) -> bool:
    """Emit the call; False where its operands do not fit. The function has no problem (see `extern_problem`)."""
    width = _width((function.results or ())[0])
    if len(arguments) != len(function.params or ()) or len(results) != 1:
        return False
    given: list[Operand] = []
    for argument in arguments:
        variable = _parameter(argument)
        if variable is not None and variable.size == width // 8 and variable not in binder.unknown:
            register = Reg(binder.registers.make("argument", width))
            binder.emit(frame, f"ld.local.b{width}", (register, _memory(variable)), offset=one.offset)
            given.append(register)
        elif isinstance(argument, Imm) or (isinstance(argument, Reg) and argument.register.width == width):
            given.append(argument)
        else:
            return False
    target, variable = results[0], _parameter(results[0])
    if variable is not None and variable.size != width // 8:
        return False
    if variable is None and not (isinstance(target, Reg) and target.register.width == width):
        return False
    meaning = binder.externs[function.name]
    result = Reg(binder.registers.make("result", width)) if variable is not None else target
    binder.called.add(function.name)
    binder.emit(frame, f"extern.{meaning}.f{width}", (result, *given), offset=one.offset)
    if variable is not None:
        binder.emit(frame, f"st.local.b{width}", (_memory(variable), result), offset=one.offset)
    return True


def _parameter(operand: Operand) -> Variable | None:
    """The parameter of a call that an operand is."""
    target = operand.target if isinstance(operand, Sym) and not operand.offset else None
    return target if isinstance(target, Variable) and target.parameter else None


def _memory(variable: Variable) -> Mem:
    return Mem(Sym(variable.name, 0, variable), 0)

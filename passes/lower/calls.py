"""Calls: the body of a function of the file in place of its call, by name or through a register, and what stands for a function
without a body (PTX ISA 7, "Abstracting the ABI", and 9.7.12)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.externs import call_extern, extern_problem
from volta_pipe.passes.lower.formals import Formal
from volta_pipe.passes.lower.names import Names
from volta_pipe.passes.lower.operands import Frame
from volta_pipe.passes.lower.places import Locations
from volta_pipe.passes.lower.syntax import Function, Name, Term, Vector
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.tree import Imm, Reg, Scope, Sym, Variable
from volta_pipe.passes.lower.variables import function_address

# Deeper calls than this do not come from a compiler; Python's own stack ends a little later.
_MAX_CALLS = 64
# Labels that no text can declare.
RETURN, SKIP = "<return>", "<skip>"


def registers_in(term: Term) -> list[str]:
    """The names in an operand, or in the vector that it is."""
    if isinstance(term, Name):
        return [term.text]
    return [item.text for item in term.items if isinstance(item, Name)] if isinstance(term, Vector) else []


def skip_unless(binder: Binder, frame: Frame, one: Written) -> Scope:
    """Jump over what follows where the guard is false; the scope is to get the label."""
    scope = Scope()
    guard = binder.guard(frame, one)
    if guard is not None:
        negated = Reg(guard.register, not guard.negated)
        binder.emit(frame, "bra", (Sym(SKIP, 0),), negated, offset=one.offset, scope=scope)
    return scope


@dataclass(frozen=True)
class _Call:
    """A call taken apart: the operands of results and arguments, what is called, and the name of the prototype."""

    results: tuple[Term, ...]
    callee: str
    arguments: tuple[Term, ...]
    prototype: str


def _take_apart(one: Written) -> _Call | None:
    """`call (r), f, (a, b), prototype`, where all but f may be missing."""
    operands = list(one.operands)
    results: tuple[Term, ...] = ()
    arguments: tuple[Term, ...] = ()
    if operands and isinstance(operands[0], Vector):
        results = operands.pop(0).items  # type: ignore[union-attr]
    callee = operands.pop(0) if operands else None
    if operands and isinstance(operands[0], Vector):
        arguments = operands.pop(0).items  # type: ignore[union-attr]
    prototype = operands.pop(0) if operands else Name("")
    if operands or not isinstance(callee, Name) or not isinstance(prototype, Name):
        return None
    return _Call(results, callee.text, arguments, prototype.text)


def call_function(binder: Binder, frame: Frame, one: Written) -> None:
    """Emit what stands for a call."""
    call = _take_apart(one)
    if call is None or one.opcode not in ("call", "call.uni"):
        _refuse(binder, frame, one, "it is no form of a call that is known")
        return
    name = call.callee
    if frame.names.find(name) is not None:
        known = _target(binder, frame, call)
        if not known:
            _call_pointer(binder, frame, one, call=call)
            return
        name = known
    _call_named(binder, frame, one, call=call, name=name)


def _call_named(binder: Binder, frame: Frame, one: Written, *, call: _Call, name: str) -> None:
    """A call of a known function."""
    name = binder.source.aliases.get(name, name)
    function = binder.source.functions.get(name)
    if function is None:
        raise binder.lexer.error(f"function {name} is not declared", one.offset)
    if not function.start:
        _call_outside(binder, frame, one, call=call, function=function)
    elif any(outer.function is function for outer in binder.stack):
        _refuse(binder, frame, one, f"function {name} calls itself")
    elif len(binder.stack) > _MAX_CALLS:
        _refuse(binder, frame, one, f"calls nest deeper than {_MAX_CALLS}")
    else:
        _inline(binder, frame, one, call=call, function=function)


def _call_pointer(binder: Binder, frame: Frame, one: Written, *, call: _Call) -> None:
    """A call through a register: its value is compared with the address of each function that it can be. A call of anything
    else is undefined behaviour: a trap."""
    pointer = binder.operand(frame, Name(call.callee), one.offset)
    tables = [table for table in binder.uses(frame).tables.get(call.prototype, []) if table.directive == ".calltargets"]
    names = [token for table in tables for token in table.tokens if token != ","] or binder.addresses_taken()
    functions = [function for name in names if (function := binder.source.functions.get(name)) is not None]
    functions = [one for one in functions if _is_callable(binder, one) and _fits(binder, frame, call, one)]
    if not functions or not isinstance(pointer, Reg) or pointer.register.width != 64:
        _refuse(binder, frame, one, "the function that is called through a register is not known")
        return
    binder.pointers = True
    skip, done = skip_unless(binder, frame, one), Scope()
    plain = replace(one, guard=None)
    for function in functions:
        hit, miss = binder.registers.make("is_called", 1), Scope()
        address = Imm("int", function_address(binder.source.functions, function.name))
        binder.emit(frame, "setp.eq.u64", (Reg(hit), pointer, address), offset=one.offset)
        binder.emit(frame, "bra", (Sym(SKIP, 0),), Reg(hit, negated=True), offset=one.offset, scope=miss)
        _call_named(binder, frame, plain, call=call, name=function.name)
        binder.emit(frame, "bra", (Sym(SKIP, 0),), offset=one.offset, scope=done)
        miss.labels[SKIP] = len(binder.instructions)
    reason = f"the register that is called holds none of: {', '.join(function.name for function in functions)}"
    binder.emit(frame, "trap", (), offset=one.offset, reason=reason)
    done.labels[SKIP] = skip.labels[SKIP] = len(binder.instructions)


def _is_callable(binder: Binder, function: Function) -> bool:
    return bool(function.start) or function.name in binder.externs


def _fits(binder: Binder, frame: Frame, call: _Call, function: Function) -> bool:
    """Whether the operands of a call have the number and sizes of a function's parameters and results."""
    pairs = []
    for formals, terms in ((function.params or (), call.arguments), (function.results or (), call.results)):
        if len(formals) != len(terms):
            return False
        pairs += list(zip(formals, terms, strict=True))
    return all(Formal.of(binder, formal, binder.operand(frame, term, 0)).fits for formal, term in pairs)


def _refuse(binder: Binder, frame: Frame, one: Written, reason: str) -> None:
    """Keep the call as an instruction that is not modelled."""
    names = {name for term in one.operands for name in registers_in(term)}
    for name in names:
        found = frame.names.find(name)
        if isinstance(found, Variable):
            binder.unknown.add(found)
    binder.plain(frame, one, reason)


def _target(binder: Binder, frame: Frame, call: _Call) -> str:
    """The only function that a register can hold, "" when that is not known."""
    uses = binder.uses(frame)
    tables = [table for table in uses.tables.get(call.prototype, []) if table.directive == ".calltargets"]
    if len(tables) == 1 and len(tables[0].tokens) == 1:
        return tables[0].tokens[0]
    return uses.targets.get(call.callee, "")


def _call_outside(binder: Binder, frame: Frame, one: Written, *, call: _Call, function: Function) -> None:
    """A function without a body: the contract says what it computes, or it is printf or assert of the runtime (CUDA C++ guide,
    "Formatted Output")."""
    name = function.name
    if name in binder.externs:
        if problem := extern_problem(function, binder.externs[name], binder.lexer):
            _refuse(binder, frame, one, f"function {name} {problem}")
            return
        arguments = [binder.operand(frame, term, one.offset) for term in call.arguments]
        results = [binder.operand(frame, term, one.offset) for term in call.results]
        skip = skip_unless(binder, frame, one)
        if not call_extern(binder, frame, one, function=function, arguments=arguments, results=results):
            _refuse(binder, frame, one, f"the operands do not fit the parameters of {name}")
        skip.labels[SKIP] = len(binder.instructions)
        return
    if name == "__assertfail":
        guard = binder.guard(frame, one)
        binder.emit(frame, "trap", (), guard, offset=one.offset, reason="an assertion fails (__assertfail is called)")
        return
    if name != "vprintf":
        _refuse(binder, frame, one, f"function {name} is not in the file, and [externs] does not say what it computes")
        return
    for term in call.results:
        result = binder.operand(frame, term, one.offset)
        if not (isinstance(result, Sym) and isinstance(result.target, Variable) and result.target.parameter):
            _refuse(binder, frame, one, "its result is not in a parameter")
            return
        binder.unknown.add(result.target)


def _inline(binder: Binder, frame: Frame, one: Written, *, call: _Call, function: Function) -> None:
    """The body of the function in place of the call."""
    formals, results = function.params or (), function.results or ()
    actuals = [binder.operand(frame, term, one.offset) for term in call.arguments]
    returned = [binder.operand(frame, term, one.offset) for term in call.results]
    names = Names(binder.registers)
    inputs = {actual.target for actual in actuals if isinstance(actual, Sym) and isinstance(actual.target, Variable)}
    outputs = {actual.target for actual in returned if isinstance(actual, Sym) and isinstance(actual.target, Variable)}
    if len(formals) != len(actuals) or len(results) != len(returned) or inputs & outputs:
        _refuse(binder, frame, one, f"the operands do not fit the parameters of {function.name}")
        return
    passed = [Formal.of(binder, formal, actual) for formal, actual in zip(formals, actuals, strict=True)]
    given = [Formal.of(binder, formal, actual) for formal, actual in zip(results, returned, strict=True)]
    if not all(formal.fits for formal in (*passed, *given)):
        _refuse(binder, frame, one, f"the operands do not fit the parameters of {function.name}")
        return
    skip = skip_unless(binder, frame, one)
    for formal in passed:
        formal.copy_in(binder, frame, one.offset)
    for formal in given:
        if isinstance(formal.inner, Variable):
            binder.forget(frame, formal.inner, one.offset)
    for formal in (*passed, *given):
        names.declare(formal.name, formal.inner)
    returns = Scope()
    inner = {formal.inner for formal in passed if isinstance(formal.inner, Variable)}
    binder.body(Frame(function, names, Locations(frame.locations.chain()), returns, inner))
    returns.labels[RETURN] = len(binder.instructions)
    for formal in given:
        formal.copy_out(binder, frame, one.offset)
    skip.labels[SKIP] = len(binder.instructions)

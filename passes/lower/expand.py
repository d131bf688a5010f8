"""Instructions that become others before SSA: calls (calls.py), indexed branches, returns of functions, accesses to
parameters of calls, and addresses of functions (PTX ISA 7, "Abstracting the ABI", and 9.7.12)."""

from __future__ import annotations

from volta_pipe.passes.lower.bind import Binder
from volta_pipe.passes.lower.calls import RETURN, SKIP, call_function, registers_in, skip_unless
from volta_pipe.passes.lower.operands import Frame
from volta_pipe.passes.lower.syntax import Instruction as Written
from volta_pipe.passes.lower.syntax import Memory, Name
from volta_pipe.passes.lower.tree import Imm, Mem, Reg, Sym, Variable
from volta_pipe.passes.lower.variables import function_address
from volta_pipe.passes.lower.wide import expand_wide


def expand(binder: Binder, frame: Frame, one: Written) -> bool:
    """Emit what stands for an instruction; False when it stands for itself."""
    mnemonic, _, rest = one.opcode.partition(".")
    if mnemonic == "extern":  # of the table, and no instruction of PTX
        binder.plain(frame, one, "no row of the instruction table has this name")
    elif mnemonic == "call":
        call_function(binder, frame, one)
    elif mnemonic == "brx":
        _indexed_branch(binder, frame, one)
    elif mnemonic == "ret" and frame.returns is not None and rest in ("", "uni") and not one.operands:
        binder.emit(frame, "bra", (Sym(RETURN, 0),), binder.guard(frame, one), offset=one.offset, scope=frame.returns)
    elif mnemonic in ("ld", "st") and "param" in rest:
        return _parameter_access(binder, frame, one)
    elif "b128" in rest:
        return expand_wide(binder, frame, one)
    elif mnemonic == "mov" and len(one.operands) == 2:
        return _function_address(binder, frame, one)
    else:
        return False
    return True


def _function_address(binder: Binder, frame: Frame, one: Written) -> bool:
    """`mov` of a function's address. Of a register that only ever holds one function's the calls know the function."""
    target, value = one.operands
    if not (isinstance(target, Name) and isinstance(value, Name) and value.text in binder.source.functions):
        return False
    if frame.names.find(value.text) is not None:
        return False
    if target.text in binder.uses(frame).targets:
        return True
    if one.opcode not in ("mov.u64", "mov.b64", "mov.s64"):
        return False
    address = Imm("int", function_address(binder.source.functions, value.text))
    binder.emit(
        frame, "mov.b64", (binder.operand(frame, target, one.offset), address), binder.guard(frame, one), offset=one.offset
    )
    return True


def _parameter_access(binder: Binder, frame: Frame, one: Written) -> bool:
    """`ld.param` and `st.param` of a parameter of a call, which lies in local memory."""
    words = one.opcode.split(".")
    place = next((index for index, word in enumerate(words) if word.partition("::")[0] == "param"), 0)
    memory = next((term for term in one.operands if isinstance(term, Memory)), None)
    if not place or memory is None:
        return False
    target = binder.operand(frame, memory, one.offset)
    variable = target.base.target if isinstance(target, Mem) and isinstance(target.base, Sym) else None
    if not isinstance(variable, Variable) or not variable.parameter:
        return False
    if variable in binder.unknown:
        mentions = binder.uses(frame).mentions
        if any(mentions[name] > 1 for name in registers_in(one.operands[0])):
            binder.plain(frame, one, "the result of a call that is not modelled is used")
        return True
    if variable in frame.inputs and words[0] == "st":
        binder.plain(frame, one, f"parameter {variable.name} is written by the function that is called")
        return True
    words[place] = "local"
    operands = tuple(binder.operand(frame, term, one.offset) for term in one.operands)
    binder.emit(frame, ".".join(words), operands, binder.guard(frame, one), offset=one.offset)
    return True


def _indexed_branch(binder: Binder, frame: Frame, one: Written) -> None:
    """`brx.idx index, table`: compare with each index in turn. Outside the table the behaviour is undefined: a trap."""
    tables = []
    if len(one.operands) == 2 and isinstance(one.operands[1], Name) and one.opcode in ("brx.idx", "brx.idx.uni"):
        found = binder.uses(frame).tables.get(one.operands[1].text, [])
        tables = [table for table in found if table.directive == ".branchtargets"]
    index = binder.operand(frame, one.operands[0], one.offset) if one.operands else None
    if len(tables) != 1 or not isinstance(index, Reg | Imm):
        binder.plain(frame, one, "there is no single table of this name")
        return
    labels = [token for token in tables[0].tokens if token != ","]
    skip = skip_unless(binder, frame, one)
    for number, label in enumerate(labels):
        taken = Reg(binder.registers.make("taken", 1))
        binder.emit(frame, "setp.eq.u32", (taken, index, Imm("int", number)), offset=one.offset)
        binder.emit(frame, "bra", (Sym(label, 0),), taken, offset=one.offset)
    reason = f"the index of {one.opcode} is outside its table of {len(labels)} labels, which is undefined behaviour"
    binder.emit(frame, "trap", (), offset=one.offset, reason=reason)
    skip.labels[SKIP] = len(binder.instructions)

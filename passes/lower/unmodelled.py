"""Instructions that no row of the table describes: their registers and the text of their operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volta_pipe.passes.lower.steps import Step
from volta_pipe.passes.lower.tree import Imm, Instruction, Mem, Opaque, Operand, Pair, Reg, Register, Special, Sym, Vec

# Instructions without a result, or whose first operand is none (PTX ISA 9.7). Of others the first operand is the result. A
# mistake here has no consequence: nothing is executed behind an instruction that is not modelled.
_NO_RESULT = frozenset(
    [
        "st",
        "red",
        "bar",
        "barrier",
        "bra",
        "brx",
        "call",
        "ret",
        "exit",
        "trap",
        "brkpt",
        "nanosleep",
        "membar",
        "fence",
        "cp",
        "prefetch",
        "prefetchu",
        "discard",
        "applypriority",
        "stmatrix",
        "sust",
        "sured",
        "pmevent",
        "setmaxnreg",
        "griddepcontrol",
        "wmma",
        "tcgen05",
        "wgmma",
        "multimem",
        "clusterlaunchcontrol",
    ]
)


def unmodelled(one: Instruction, reason: str) -> Step:
    """The step of an instruction that is not modelled: every register that it mentions, as result or source."""
    operands = list(one.operands)
    first = operands[0] if operands and one.mnemonic not in _NO_RESULT else None
    items: tuple[Operand, ...] = first.items if isinstance(first, Vec) else (first,) if first is not None else ()
    if isinstance(first, Pair):
        items = (first.first, first.second)
    targets = list(dict.fromkeys(item.register for item in items if isinstance(item, Reg)))
    number = {register: index for index, register in enumerate(targets)}
    sources = [one for one in _registers(operands) if one not in number]
    number |= {register: len(targets) + index for index, register in enumerate(dict.fromkeys(sources))}
    inputs = tuple(Reg(register) for register in dict.fromkeys(sources))
    text = ", ".join(_spell(operand, number) for operand in operands)
    widths = tuple(register.width for register in targets)
    return Step(one, (), (), tuple(targets), widths, inputs, reason=reason, text=text)


def _registers(operands: Sequence[Operand]) -> Iterator[Register]:
    """All registers of some operands."""
    todo = list(reversed(operands))
    while todo:
        operand = todo.pop()
        if isinstance(operand, Reg):
            yield operand.register
        elif isinstance(operand, Vec):
            todo += reversed(operand.items)
        elif isinstance(operand, Pair):
            todo += [operand.second, operand.first]
        elif isinstance(operand, Mem):
            todo += [*reversed(operand.rest), operand.base]


def _spell(operand: Operand, number: dict[Register, int]) -> str:
    """An operand as text, with registers by number."""
    if isinstance(operand, Reg):
        return f"{'!' if operand.negated else ''}${number[operand.register]}"
    if isinstance(operand, Imm):
        digits = {"int": str(operand.value), "f32": f"0f{operand.value:08X}"}
        return digits.get(operand.kind, f"0d{operand.value:016X}")
    if isinstance(operand, Sym):
        return operand.name + (f"{operand.offset:+d}" if operand.offset else "")
    if isinstance(operand, Special):
        return f"%{operand.name}"
    if isinstance(operand, Opaque):
        return operand.text
    if isinstance(operand, Pair):
        return f"{_spell(operand.first, number)}|{_spell(operand.second, number)}"
    if isinstance(operand, Vec):
        return f"{{{', '.join(_spell(item, number) for item in operand.items)}}}"
    if isinstance(operand, Mem):
        base = _spell(operand.base, number) + (f"{operand.offset:+d}" if operand.offset else "")
        return f"[{', '.join([base, *(_spell(item, number) for item in operand.rest)])}]"
    return "_"

"""Matching each reachable instruction against the table: its row, destinations, and sources with their widths.

What does not match becomes a step that is not modelled: it may stand in the kernel, and is refused where it is executed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.instructions import WIDTH, Form, is_known
from volta_pipe.ir.ptx.signatures import address_count, match, select_form, vector_length, width_fits
from volta_pipe.ir.ptx.words import SPECIAL_REGISTERS, TYPE_WORDS, Param
from volta_pipe.passes.lower.literals import literal_bits
from volta_pipe.passes.lower.steps import Address, Constant, Input, Step
from volta_pipe.passes.lower.tree import (
    CARRY,
    Imm,
    Instruction,
    Mem,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Source,
    Special,
    Sym,
    Variable,
    Vec,
    flatten,
)
from volta_pipe.passes.lower.unmodelled import unmodelled

# Instructions that add the carry (PTX ISA 9.7.2); those with .cc give it.
_TAKE_CARRY = frozenset({"addc", "subc", "madc"})


class _RefusedError(Exception):
    """Why an instruction is not modelled."""


class Resolver:
    """Resolves the instructions of one kernel."""

    def __init__(self, source: Source, place: Callable[[int], Place]) -> None:
        self.source = source
        self.place = place

    def step(self, one: Instruction) -> Step:
        """The step of an instruction; raises InputError at its place."""
        if one.reason:
            return unmodelled(one, one.reason)
        try:
            return self._step(one)
        except _RefusedError as refusal:
            return unmodelled(one, str(refusal))

    def _step(self, one: Instruction) -> Step:
        operands = list(one.operands)
        extra = ""
        if one.mnemonic == "mov":
            extra = _packing(operands)
        elif one.mnemonic == "cp" and len(operands) > 3 and isinstance(operands[3], Reg) and operands[3].register.width == 1:
            extra = "ignore_src"
        types, modifiers, form = _select(one.opcode, extra)
        if isinstance(form, str):
            raise _RefusedError(form if is_known(one.mnemonic) else "no row of the instruction table has this name")
        has_results = not form.signatures[0].startswith("=")
        targets = self._targets(one, operands.pop(0)) if has_results and operands else ()
        memories = [operand for operand in operands if isinstance(operand, Mem)]
        memory, second = [*memories, None, None][:2]
        if len(memories) != address_count(form) or any(one.rest for one in memories):
            raise _RefusedError("its operands are not of the kind that the table has")
        sources = list(flatten(tuple(operands)))
        if "cc" in modifiers:
            targets = (*targets, CARRY)
        if one.mnemonic in _TAKE_CARRY:
            sources.append(Reg(CARRY))
        found = _match(form, modifiers, types, len(targets), len(sources))
        if found is None:
            raise _RefusedError(f"not with {len(targets)} results and {len(sources)} operands")
        fits = zip(targets, found.results, strict=True)
        if not all(width_fits(width, target.width, found.exact) for target, width in fits if target is not None):
            raise _RefusedError("a destination has the wrong width")
        widths = tuple(
            target.width if target is not None else width if found.exact else max(16, width)
            for target, width in zip(targets, found.results, strict=True)
        )
        if memory is not None and "param" in modifiers:
            return self._param_step(one, memory, modifiers, types, targets=targets, widths=widths)
        inputs = tuple(
            self._input(one, operand, modifiers, width=width, kind=kind, exact=found.exact)
            for operand, width, kind in zip(sources, found.operands, found.kinds, strict=True)
        )
        offset = memory.offset if memory is not None else None
        offset2 = second.offset if second is not None else None
        return Step(one, modifiers, types, targets, widths, inputs, offset, offset2=offset2)

    def _bad(self, one: Instruction, message: str) -> InputError:
        return InputError(message, self.place(one.offset))

    def _targets(self, one: Instruction, operand: Operand) -> tuple[Register | None, ...]:
        """The destination registers of the first operand."""
        items: tuple[Operand, ...] = (operand,)
        if isinstance(operand, Vec):
            items = operand.items
        elif isinstance(operand, Pair):
            items = (operand.first, operand.second)
        found: list[Register | None] = []
        for item in items:
            if isinstance(item, Sink):
                found.append(None)
            elif isinstance(item, Reg) and not item.negated:
                found.append(item.register)
            else:
                raise self._bad(one, f"a destination of {one.opcode} is no register")
        written = [target for target in found if target is not None]
        if len(set(written)) != len(written):
            raise _RefusedError("it writes one register twice")
        return tuple(found)

    def _input(
        self, one: Instruction, operand: Operand, modifiers: tuple[str, ...], *, width: int, kind: str, exact: bool
    ) -> Input:
        """A source operand where the signature asks for `width` bits read as `kind`."""
        if isinstance(operand, Mem):
            return self._base(one, operand, modifiers)
        if isinstance(operand, Reg):
            if not width_fits(width, operand.register.width, exact):
                raise _RefusedError(f"operand {operand.register.name} has the wrong width")
            if operand.negated and operand.register.width != 1:
                raise self._bad(one, "'!' stands before a predicate register only")
            return operand
        if isinstance(operand, Imm):
            wide = width if exact or width >= 16 or width == 1 else 16
            bits = literal_bits(operand, wide, kind)
            if isinstance(bits, str):
                raise self._bad(one, f"{one.opcode}: {bits}")
            return Constant(bits, wide)
        if isinstance(operand, Special):
            if operand.name not in SPECIAL_REGISTERS:
                raise _RefusedError(f"special register %{operand.name} is not modelled")
            if not width_fits(width, 32, exact):
                raise _RefusedError(f"operand %{operand.name} has the wrong width")
            return operand
        if isinstance(operand, Sym):
            if width not in (32, 64) or kind.startswith("f"):
                raise _RefusedError("an address stands where none can")
            variable = self._variable(one, operand)
            if variable.parameter:
                raise _RefusedError(f"the address of {variable.name}, a parameter of a call, is taken")
            return Address(variable, operand.offset, width)
        raise _RefusedError("its operands are not of the kind that the table has")

    def _base(self, one: Instruction, memory: Mem, modifiers: tuple[str, ...]) -> Input:
        """The base of a memory operand."""
        width = self.source.address_size
        base = memory.base
        if isinstance(base, Sym):
            variable = self._variable(one, base)
            if variable.space not in {word.partition("::")[0] for word in modifiers}:
                raise _RefusedError(f"{variable.name} lies in .{variable.space}")
            return Address(variable, 0, width)
        if isinstance(base, Imm) and base.kind == "int":
            return Constant(base.value % (1 << width), width)
        if isinstance(base, Reg) and base.register.width in (32, 64):
            return base
        raise _RefusedError("its address is not of the kind that the table has")

    def _variable(self, one: Instruction, symbol: Sym) -> Variable:
        target = symbol.target if symbol.target is not None else self.source.variables.get(symbol.name)
        if isinstance(target, Param):
            raise _RefusedError(f"the address of parameter {symbol.name} is taken")
        if target is None:
            if symbol.name in self.source.functions or symbol.name in self.source.entries:
                raise _RefusedError(f"the address of function {symbol.name} is taken")
            raise self._bad(one, f"{symbol.name} is not declared")
        if target.reason:
            raise _RefusedError(f"{target.name} is {target.reason}")
        return target

    def _param_step(
        self,
        one: Instruction,
        memory: Mem,
        modifiers: tuple[str, ...],
        types: tuple[str, ...],
        *,
        targets: tuple[Register | None, ...],
        widths: tuple[int, ...],
    ) -> Step:
        """`ld.param` from the kernel's own parameters."""
        base = memory.base
        param = base.target if isinstance(base, Sym) else None
        if isinstance(base, Sym) and param is None and base.name not in self.source.variables:
            raise self._bad(one, f"{base.name} is not declared")
        if one.mnemonic != "ld" or not isinstance(param, Param) or set(modifiers) - {"param", "v2", "v4"}:
            raise _RefusedError("parameters are only read, by their names")
        size = WIDTH[types[0]] // 8 * vector_length(modifiers)
        self._check_range(one, param, memory.offset, size)
        offset = param.offset + memory.offset
        return Step(one, modifiers, types, targets, widths, (), None, offset)

    def _check_range(self, one: Instruction, param: Param, offset: int, size: int) -> None:
        if not 0 <= offset <= param.size - size:
            raise self._bad(one, f"{one.opcode} reads behind parameter {param.name}")


def _packing(operands: list[Operand]) -> str:
    """The modifier that tells `mov d, {a, b}` and `mov {a, b}, d` from the plain one; opens `{a}`."""
    for index, operand in enumerate(operands):
        if isinstance(operand, Vec) and len(operand.items) == 1:
            operands[index] = operand.items[0]
        elif isinstance(operand, Vec):
            return "unpack" if index == 0 else "pack"
    return ""


# A kernel has few spellings and many instructions.
@lru_cache(maxsize=4096)
def _select(opcode: str, extra: str) -> tuple[tuple[str, ...], tuple[str, ...], Form | str]:
    """The types and modifiers of an opcode, and its row or why there is none."""
    mnemonic, *words = opcode.split(".")
    types = tuple(word for word in words if word in TYPE_WORDS)
    modifiers = tuple(word for word in (*words, extra) if word and word not in TYPE_WORDS)
    if mnemonic in ("mma", "wmma"):
        modifiers = _layouts(modifiers)
    return types, modifiers, select_form(mnemonic, modifiers, types)


def _layouts(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    """The layouts of A and B as one modifier: alone among modifiers, their order counts."""
    places = [place for place, word in enumerate(modifiers) if word in ("row", "col")]
    if len(places) != 2:
        return modifiers
    rest = [word for place, word in enumerate(modifiers) if place not in places]
    return (*rest, f"{modifiers[places[0]]}_{modifiers[places[1]]}")


_match = lru_cache(maxsize=4096)(match)

"""Matching each reachable instruction against the table: its row, destinations, and sources with their widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from volta_pipe.ir.errors import InputError, Place, UnsupportedError
from volta_pipe.ir.instructions import WIDTH, is_known
from volta_pipe.ir.ptx.leaves import SPECIAL_REGISTERS
from volta_pipe.ir.ptx.signatures import address_count, match, select_form, vector_length, width_fits
from volta_pipe.ir.ptx.structure import Param
from volta_pipe.ir.ptx.types import TYPE_WORDS
from volta_pipe.passes.lower.literals import literal_bits
from volta_pipe.passes.lower.tree import (
    Imm,
    Instruction,
    Kernel,
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


@dataclass(frozen=True, slots=True)
class Constant:
    """An immediate operand as bits."""

    bits: int
    width: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a variable plus a constant."""

    variable: Variable
    offset: int
    width: int


Input = Reg | Constant | Special | Address


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction, ready to be built. `targets`: destination registers (None: sink) and `widths`: theirs in bits;
    `offset`, `offset2`: of memory operands; `param`: byte offset in the parameter buffer when it is an `ld.param`."""

    instruction: Instruction
    modifiers: tuple[str, ...]
    types: tuple[str, ...]
    targets: tuple[Register | None, ...]
    widths: tuple[int, ...]
    inputs: tuple[Input, ...]
    offset: int | None = None
    param: int | None = None
    offset2: int | None = None

    def reads(self) -> Iterator[int]:
        """Indices of the registers that are read, the old values of guarded destinations included."""
        for operand in self.inputs:
            if isinstance(operand, Reg):
                yield operand.register.index
        if self.instruction.guard is not None:
            yield self.instruction.guard.register.index
            for target in self.targets:
                if target is not None:
                    yield target.index

    def writes(self) -> Iterator[int]:
        """Indices of the registers that are written."""
        for target in self.targets:
            if target is not None:
                yield target.index


class Resolver:
    """Resolves the instructions of one kernel."""

    def __init__(self, source: Source, kernel: Kernel, place: Callable[[int], Place]) -> None:
        self.source = source
        self.params = {param.name: param for param in kernel.params}
        self.place = place

    def step(self, one: Instruction) -> Step:
        """The step of an instruction; raises UnsupportedError or InputError at its place."""
        words = one.words
        types = tuple(word for word in words if word in TYPE_WORDS)
        modifiers = [word for word in words if word not in TYPE_WORDS]
        operands = list(one.operands)
        if one.mnemonic == "mov":
            modifiers += _packing(operands)
        elif one.mnemonic == "cp" and len(operands) > 3 and isinstance(operands[3], Reg) and operands[3].register.width == 1:
            modifiers.append("ignore_src")
        form = select_form(one.mnemonic, modifiers, types)
        if isinstance(form, str):
            known = f" ({form})" if is_known(one.mnemonic) else ""
            raise self._unsupported(one, f"instruction {one.opcode} is not supported{known}")
        has_results = not form.signatures[0].startswith("=")
        targets = self._targets(one, operands.pop(0)) if has_results and operands else ()
        memories = [operand for operand in operands if isinstance(operand, Mem)]
        memory, second = [*memories, None, None][:2]
        if len(memories) != address_count(form) or any(one.rest for one in memories):
            raise self._unsupported(one, f"the operands of {one.opcode} are not supported")
        sources = list(flatten(tuple(operands)))
        found = match(form, modifiers, types, len(targets), len(sources))
        if found is None:
            raise self._unsupported(
                one, f"{one.opcode} with {len(targets)} results and {len(sources)} operands is not supported"
            )
        fits = zip(targets, found.results, strict=True)
        if not all(width_fits(width, target.width, found.exact) for target, width in fits if target is not None):
            raise self._unsupported(one, f"a destination of {one.opcode} has the wrong width")
        # No register is narrower than 16 bits, predicates apart.
        widths = tuple(
            target.width if target is not None else width if width == 1 else max(16, width)
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
        return Step(one, tuple(modifiers), types, targets, widths, inputs, offset, offset2=offset2)

    def _unsupported(self, one: Instruction, message: str) -> UnsupportedError:
        return UnsupportedError(message, self.place(one.offset))

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
            raise self._unsupported(one, f"{one.opcode} writes one register twice")
        return tuple(found)

    def _input(self, one: Instruction, operand: Operand, modifiers: list[str], *, width: int, kind: str, exact: bool) -> Input:
        """A source operand where the signature asks for `width` bits read as `kind`."""
        if isinstance(operand, Mem):
            return self._base(one, operand, modifiers)
        if isinstance(operand, Reg):
            if not width_fits(width, operand.register.width, exact):
                raise self._unsupported(one, f"operand {operand.register.name} of {one.opcode} has the wrong width")
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
                raise self._unsupported(one, f"special register %{operand.name} is not supported")
            if not width_fits(width, 32, exact):
                raise self._unsupported(one, f"operand %{operand.name} of {one.opcode} has the wrong width")
            return operand
        if isinstance(operand, Sym):
            if width not in (32, 64) or kind.startswith("f"):
                raise self._unsupported(one, f"an address as an operand of {one.opcode} is not supported")
            return Address(self._variable(one, operand), operand.offset, width)
        raise self._unsupported(one, f"the operands of {one.opcode} are not supported")

    def _base(self, one: Instruction, memory: Mem, modifiers: list[str]) -> Input:
        """The base of a memory operand."""
        width = self.source.address_size
        base = memory.base
        if isinstance(base, Sym):
            variable = self._variable(one, base)
            if variable.space not in {word.partition("::")[0] for word in modifiers}:
                raise self._unsupported(one, f"{one.opcode} accesses {variable.name}, which lies in .{variable.space}")
            return Address(variable, 0, width)
        if isinstance(base, Imm) and base.kind == "int":
            return Constant(base.value % (1 << width), width)
        if isinstance(base, Reg) and base.register.width in (32, 64):
            return base
        raise self._unsupported(one, f"the address of {one.opcode} is not supported")

    def _variable(self, one: Instruction, symbol: Sym) -> Variable:
        variable = symbol.variable or self.source.variables.get(symbol.name)
        if variable is None:
            if symbol.name in self.params:
                raise self._unsupported(one, f"the address of parameter {symbol.name} is not supported")
            if symbol.name in self.source.functions:
                raise self._unsupported(one, f"the address of function {symbol.name} is not supported")
            raise self._bad(one, f"{symbol.name} is not declared")
        if variable.reason or variable.space not in ("shared", "const", "global", "local"):
            reason = variable.reason or "a parameter of a call"
            raise self._unsupported(one, f"{variable.name} is not supported: {reason}")
        return variable

    def _param_step(
        self,
        one: Instruction,
        memory: Mem,
        modifiers: list[str],
        types: tuple[str, ...],
        *,
        targets: tuple[Register | None, ...],
        widths: tuple[int, ...],
    ) -> Step:
        """`ld.param` from the kernel's own parameters."""
        base = memory.base
        param = self.params.get(base.name) if isinstance(base, Sym) and base.variable is None else None
        if one.mnemonic != "ld" or param is None or set(modifiers) - {"param", "v2", "v4"}:
            raise self._unsupported(one, f"{one.opcode} is only supported for parameters of the kernel, not for calls")
        size = WIDTH[types[0]] // 8 * vector_length(modifiers)
        self._check_range(one, param, memory.offset, size)
        offset = param.offset + memory.offset
        return Step(one, tuple(modifiers), types, targets, widths, (), None, offset)

    def _check_range(self, one: Instruction, param: Param, offset: int, size: int) -> None:
        if not 0 <= offset <= param.size - size:
            raise self._bad(one, f"{one.opcode} reads behind parameter {param.name}")


def _packing(operands: list[Operand]) -> list[str]:
    """The modifier that tells `mov d, {a, b}` and `mov {a, b}, d` from the plain one; opens `{a}`."""
    for index, operand in enumerate(operands):
        if isinstance(operand, Vec) and len(operand.items) == 1:
            operands[index] = operand.items[0]
        elif isinstance(operand, Vec):
            return ["unpack" if index == 0 else "pack"]
    return []

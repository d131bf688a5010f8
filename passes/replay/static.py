"""The static code of a program with its concrete meanings: each instruction is decoded once, when a row first needs it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx.flat import FlatKernel, FlatOp, Spelling
from volta_pipe.ir.tensor import Multiply, describe
from volta_pipe.passes.replay.atomics import Update
from volta_pipe.passes.replay.formats import FORMATS
from volta_pipe.passes.replay.meaning.convert import widen
from volta_pipe.passes.replay.meaning.moves import unpack_parts
from volta_pipe.passes.replay.meaning.spelling import Function, meaning_of

Array = np.ndarray[Any, np.dtype[Any]]
# What a row does.
COMPUTE, LOAD, STORE, PARAMETER, SHUFFLE, NOTHING, ATOMIC, COPY, MULTIPLY, TRANSPOSE, LOAD_PART, STORE_PART, OF_WARP = range(13)
# The results of bar.red and of waits for barrier objects are known to `unroll`, and a copy is made at its issue: groups and
# barriers have nothing left to do.
_KINDS = {
    Op.LD: LOAD, Op.ST: STORE, Op.LDPARAM: PARAMETER, Op.SHFL: SHUFFLE, Op.BAR: NOTHING, Op.WARPSYNC: NOTHING,
    Op.FENCE: NOTHING, Op.BAR_RED: NOTHING, Op.BAR_ARRIVE: NOTHING, Op.COPY_COMMIT: NOTHING, Op.COPY_WAIT: NOTHING,
    Op.ATOM: ATOMIC, Op.RED: ATOMIC, Op.COPY: COPY, Op.MMA: MULTIPLY, Op.MOVMATRIX: TRANSPOSE, Op.LDMATRIX: LOAD_PART,
    Op.STMATRIX: STORE_PART, Op.VOTE: OF_WARP, Op.MATCH: OF_WARP, Op.REDUX: OF_WARP, Op.ELECT: OF_WARP, Op.ACTIVEMASK: OF_WARP,
    **dict.fromkeys(MBARRIER, NOTHING),
}  # fmt: skip
# Instructions on floats that do not round.
_EXACT = frozenset({"ld", "ldu", "st", "mov", "abs", "neg", "min", "max", "copysign", "setp", "set", "selp", "slct", "testp"})
# Kinds whose rows have flags of their own; of other rows only FLAG_GUARDED has a meaning.
FLAGGED = frozenset({ATOMIC, COPY, LOAD_PART, STORE_PART})


@dataclass(frozen=True)
class Instruction:
    """One instruction, decoded. `results`, `inputs`: registers in PTX order (of memory the address first); `widths`: bits of
    the result registers. Of memory: `size` bytes of an element, `signed`. `guard` register or -1, `negated`. Of atomics:
    `update`; of products: `tensor`. `rounds`: the name of the float format that results are rounded to, or ""."""

    kind: int
    results: tuple[int, ...]
    inputs: tuple[int, ...]
    widths: tuple[int, ...]
    guard: int
    negated: bool
    size: int = 0
    signed: bool = False
    function: Function | None = None
    approximate: bool = False
    update: Update | None = None
    tensor: Multiply | None = None
    rounds: str = ""


class StaticCode:
    """Decodes instructions of one program and the kernel that it was made from."""

    def __init__(self, kernel: FlatKernel, program: Program) -> None:
        self.program, self.bits = program, kernel.widths
        self.operations = [op for block in kernel.blocks for op in block.ops]
        if len(self.operations) != len(program.op):
            raise UnsupportedError("the program was not made from this module")
        self.decoded: dict[int, Instruction] = {}
        self.register_width = self._widths()

    def _widths(self) -> Array:
        """Bits of each register, int64 [registers]; 64 for those that no operation names."""
        program = self.program
        widths = np.full(max(program.registers, 1), 64, np.int64)
        for place, operation in enumerate(self.operations):
            first, count = int(program.first[place]), int(program.results[place])
            for register, value in zip(program.operands[first : first + count], operation.results, strict=False):
                widths[register] = self.bits[value]
        return widths

    def __getitem__(self, place: int) -> Instruction:
        found = self.decoded.get(place)
        if found is None:
            found = self.decoded[place] = self._decode(place)
        return found

    def _decode(self, place: int) -> Instruction:
        """Errors: UnsupportedError with the instruction where it has no concrete meaning."""
        program, operation = self.program, self.operations[place]
        first, results, inputs = int(program.first[place]), int(program.results[place]), int(program.inputs[place])
        written = tuple(int(r) for r in program.operands[first : first + results])
        read = tuple(int(r) for r in program.operands[first + results : first + results + inputs])
        widths = tuple(int(self.register_width[r]) for r in written)
        kind = _KINDS.get(Op(int(program.op[place])), COMPUTE)
        guard, negated = int(program.guard[place]), bool(program.negated[place])
        size, is_signed = int(program.width[place]) // 8, int(program.signed[place]) == 1
        function, update, tensor, approximate = None, None, None, False
        spelling = operation.spelling or ("", (), ())
        if kind != NOTHING and not (operation.name == "ld_param" if kind == PARAMETER else spelling[0]):
            raise UnsupportedError(f"ptx.{operation.name} has no concrete meaning here", instruction=place)
        if kind in (COMPUTE, OF_WARP):
            function, approximate = self._meaning(operation, spelling, place, results, lanes=kind == OF_WARP)
        elif kind == ATOMIC:
            update, approximate = _update(spelling, place, inputs)
        elif kind == MULTIPLY:
            tensor = _product(spelling, place)
            approximate = tensor.kinds[0] != "s32"
        rounds = _rounds(spelling)
        return Instruction(
            kind, written, read, widths, guard, negated, size, is_signed, function, approximate, update, tensor, rounds
        )

    def _meaning(
        self, operation: FlatOp, spelling: Spelling, place: int, results: int, *, lanes: bool
    ) -> tuple[Function, bool]:
        mnemonic, modifiers, types = spelling
        try:
            meaning = meaning_of(mnemonic, modifiers, types)
        except UnsupportedError as error:
            raise UnsupportedError(error.message, instruction=place) from None
        function = _counted(meaning.function, len(operation.inputs) + lanes, place)
        if mnemonic == "cvt" and "pack" not in modifiers:
            kind, wide, convert = types[0], self.bits[operation.results[0]], function
            return (lambda *a: tuple(widen(x, kind, wide) for x in convert(*a))), meaning.approximate
        if mnemonic == "mov" and results > 2:
            width = self.bits[operation.inputs[0]]
            return (lambda whole: unpack_parts(whole, width, results)), False
        return function, meaning.approximate


def _update(spelling: Spelling, place: int, inputs: int) -> tuple[Update, bool]:
    """What an atomic with so many operands, the address among them, does; whether the last bits are open."""
    mnemonic, modifiers, types = spelling
    words = [word for word in modifiers if word not in ("global", "shared", "shared::cta")]
    try:
        found = [meaning_of(mnemonic, [*words, space], types) for space in ("global", "shared")]
    except UnsupportedError as error:
        raise UnsupportedError(error.message, instruction=place) from None
    vector = any(word in ("v2", "v4", "v8") for word in words)
    for meaning in found:
        _counted(meaning.function, 2 if vector else inputs, place)
    merges = not found[0].approximate and not {"inc", "dec", "exch", "cas"} & set(words)
    return Update(found[0].function, found[1].function, vector, merges), found[0].approximate


def _product(spelling: Spelling, place: int) -> Multiply:
    tensor = describe(*spelling)
    if not isinstance(tensor, Multiply):
        raise UnsupportedError(f"{spelling[0]} {tensor}", instruction=place)
    return tensor


def _counted(function: Function, inputs: int, place: int) -> Function:
    """The function, if it takes so many inputs. Errors: UnsupportedError."""
    try:
        inspect.signature(function).bind(*range(inputs))
    except TypeError:
        raise UnsupportedError(f"there is no concrete meaning with {inputs} operands", instruction=place) from None
    return function


def _rounds(spelling: Spelling) -> str:
    """The float format that an instruction rounds to, "" for none: sums and products, and conversions to a format that is not
    wider than what is converted."""
    mnemonic, _, types = spelling
    if mnemonic in _EXACT or not types:
        return ""
    first, *others = (kind.removesuffix("x2") for kind in types)
    if first not in FORMATS:
        return ""
    if mnemonic == "cvt" and others and others[0] in FORMATS and FORMATS[first].fraction >= FORMATS[others[0]].fraction:
        return ""
    return first

"""One thread's straight-line program in the paper's structured-CTA language, a line an instruction.

    %r12 := const 0x3f800000  # 1.0        %r7 := read x[3,4]            sync {0..255} barrier 0
    %r5 := fma.f32 %r1, %r2, %r3           write shared tile+128 %r9     %r4 := shfl %r3 from thread 17
    %r6 := add.f32 %r5, %r4 if %p2         return

Registers have the machine's numbers (several PTX registers can share one); predicates are written %p. What control flow and
integer work there was is resolved and does not show."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.atomics import CODE_MASK, CODES
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.instructions import MATRIX_MEMORY, MBARRIER, Op
from volta_pipe.ir.launch import Scalar, Tensor
from volta_pipe.ir.mbarriers import ARRIVES, DELIVERS, DROPS, EXPECTS
from volta_pipe.ir.names import runs, runs_text, type_text
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_ENDS_PHASE, FLAG_GUARDED, FLAG_SOURCE, MICRO_SHIFT, Program, Region
from volta_pipe.ir.tensor import Multiply
from volta_pipe.passes.unroll.bytecode import BOOLEAN, COMPARE, INTEGRAL, ROUNDING, SATURATE
from volta_pipe.passes.unroll.register_kinds import register_kinds

_WINDOW = (1 << REGION_SHIFT) - 1
_WARP = 32
_COMPARE = {code: name for name, code in reversed(COMPARE.items())}
_BOOLEAN = {code: f".{name}" for name, code in BOOLEAN.items()}
_ROUNDING = {code: f".{name}" for name, code in {**ROUNDING, **INTEGRAL}.items() if name != "rn"}
_ATOMICS = {code: name for name, code in CODES.items()}
# Float bits by register width.
_FLOAT_CODES = {32: ("<I", "<f"), 64: ("<Q", "<d")}


def thread_program(
    program: Program, cta: int, thread: int, tensors: Sequence[Tensor] = (), scalars: Sequence[Scalar] = (),
    variables: Mapping[str, str] | None = None,
) -> Iterator[str]:  # fmt: skip
    """The program of thread `thread` (linear) of CTA number `cta` among those that were run.

    With the launch's `tensors`, memory of tensors is named by element (`x[3,4]`), else by byte (`x+28`); with its `scalars`
    these are named, else numbered. variables: what to call variables, by symbol; others are called by their symbol.
    Errors: InputError where there is no such thread."""
    if not (0 <= cta < len(program.cta_ids) and 0 <= thread < program.threads):
        raise InputError(f"there are {program.threads} threads in each of {len(program.cta_ids)} CTAs")
    return _Listing(program, thread, tensors, scalars, variables or {}).lines(cta)


class _Listing:
    """Names and formats for one thread."""

    def __init__(
        self, program: Program, thread: int, tensors: Sequence[Tensor], scalars: Sequence[Scalar], variables: Mapping[str, str]
    ) -> None:
        self.variables = variables
        self.program, self.thread = program, thread
        self.scalars = [scalar.name for scalar in scalars]
        self.regions = {region.number: region for region in program.regions}
        self.elements = {
            region.number: _elements(tensors[region.tensor]) for region in program.regions if 0 <= region.tensor < len(tensors)
        }
        self.widths, self.floats, self.predicates = register_kinds(program)
        bits = np.unpackbits(program.mask_bits.view(np.uint8), axis=1, bitorder="little")
        self.member = bits[:, thread].astype(bool)
        self.place = bits[:, :thread].sum(axis=1, dtype=np.int64)  # of the thread among a mask's lanes

    def lines(self, cta: int) -> Iterator[str]:
        program = self.program
        begin, end = (int(row) for row in program.cta_rows[cta : cta + 2])
        for row in np.flatnonzero(self.member[program.row_mask[begin:end]]) + begin:
            yield from self.row(int(row))
        stops = [event for event in program.events if event.cta == cta]
        if program.complete or not stops or cta != len(program.cta_ids) - 1:
            yield "return"
        else:
            yield f"# stopped: {stops[-1].message}"

    def row(self, row: int) -> Iterator[str]:
        """The lines of one row."""
        program = self.program
        instr = int(program.row_instr[row])
        value = self._value(row)
        if instr < 0:
            yield self._constant(-1 - instr, value)
            return
        op = int(program.op[instr])
        first = int(program.first[instr])
        middle = first + int(program.results[instr])
        results = [self._name(int(r)) for r in program.operands[first:middle]]
        inputs = [self._name(int(r)) for r in program.operands[middle : middle + int(program.inputs[instr])]]
        guard = ""
        if program.row_flags[row] & FLAG_GUARDED:
            guard = f" if {'not ' * int(program.negated[instr])}{self._name(int(program.guard[instr]))}"
        if op == Op.LD:
            size = int(program.width[instr]) // 8
            for k, result in enumerate(results):
                yield f"{result} := read{self._access_type(instr)} {self._memory(value + k * size)}{guard}"
        elif op == Op.ST:
            size = int(program.width[instr]) // 8
            for k, source in enumerate(inputs[1:]):
                yield f"write{self._access_type(instr)} {self._memory(value + k * size)} {source}{guard}"
        elif op in MATRIX_MEMORY:
            yield self._transfer(row, instr, value, results, inputs)
        elif op in (Op.ATOM, Op.RED):
            left = f"{results[0]} := " if results else ""
            word = _ATOMICS[int(program.sub[instr]) & CODE_MASK]
            yield f"{left}atomic {word}{self._access_type(instr)} {self._memory(value)} {', '.join(inputs[1:])}"
        elif op == Op.COPY:
            if not program.row_flags[row] & FLAG_SOURCE:
                count, size = int(program.row_flags[row]) >> COPIED_SHIFT, int(program.width[instr]) // 8
                source = f"{count} bytes of {self._memory(self._value(row - 1))}"
                yield f"copy {self._memory(value)} from {source}{f', {size - count} zeros' if count < size else ''}"
        elif op == Op.COPY_COMMIT:
            yield "commit copies"
        elif op == Op.COPY_WAIT:
            yield "wait for all copies" if value < 0 else f"wait for copies but the newest {value} groups"
        elif op == Op.BAR_ARRIVE:
            fills = ", which fills it: nobody waits" * bool(program.row_flags[row] & FLAG_ENDS_PHASE)
            yield f"arrive at barrier {value}{fills}"
        elif op in MBARRIER:
            yield self._object(row, Op(op), int(program.sub[instr]), self._memory(value), results, inputs)
        elif op in (Op.BAR, Op.BAR_RED, Op.WARPSYNC):
            yield self._sync(row, value, warp=op == Op.WARPSYNC)
        elif op == Op.SHFL:
            yield f"{results[0]} := shfl {inputs[0]} from thread {value}"
        elif op == Op.LDPARAM:
            number = int(program.imm[instr])
            yield f"{results[0]} := scalar {self.scalars[number] if number < len(self.scalars) else number}{guard}"
        else:
            yield f"{', '.join(results)} := {self._operation(instr)} {', '.join(inputs)}{guard}"

    def _object(self, row: int, op: Op, sub: int, place: str, results: list[str], inputs: list[str]) -> str:
        """What is done at a barrier object."""
        if op == Op.MBARRIER_SIGNAL:
            word = "arrive and drop at" if sub & DROPS else "arrive at" if sub & ARRIVES else "signal"
            if sub & (EXPECTS | DELIVERS):
                word = f"{'expect' if sub & EXPECTS else 'complete'} bytes{' and arrive' * bool(sub & ARRIVES)} at"
        else:
            word = {Op.MBARRIER_INIT: "init", Op.MBARRIER_INVAL: "invalidate", Op.MBARRIER_TRACK: "copies arrive at"}.get(
                op, "wait for"
            )
        last = [int(lane) for lane in self.program.active_lanes(int(self.program.row_mask[row]))][-1] == self.thread
        ends = ", which completes its phase" * bool(self.program.row_flags[row] & FLAG_ENDS_PHASE and last)
        return f"{word} mbarrier {place}{ends}"

    def _transfer(self, row: int, instr: int, value: int, results: list[str], inputs: list[str]) -> str:
        """A micro-row of a matrix transfer: one register, or a part of it."""
        width = int(self.program.width[instr])
        parts = max(32, width) // width
        register, part = divmod(int(self.program.row_flags[row]) >> MICRO_SHIFT, parts)
        which = f".{part}" if parts > 1 else ""
        if results:
            return f"{results[register]}{which} := read{self._access_type(instr)} {self._memory(value)}"
        return f"write{self._access_type(instr)} {self._memory(value)} {inputs[1 + register]}{which}"

    def _value(self, row: int) -> int:
        """base + pattern of the row in this thread."""
        program = self.program
        base, pattern = int(program.row_base[row]), int(program.row_pattern[row])
        if pattern < 0:
            return base
        return base + int(program.pattern_values[program.pattern_start[pattern] + self.place[program.row_mask[row]]])

    def _name(self, register: int) -> str:
        return f"%{'p' if register in self.predicates else 'r'}{register}"

    def _constant(self, register: int, value: int) -> str:
        width = self.widths.get(register, 64)
        bits = value & ((1 << width) - 1)
        text = f"{self._name(register)} := const {bits if width == 1 else f'{bits:#0{width // 4 + 2}x}'}"
        if register in self.floats and width in _FLOAT_CODES:
            integer, real = _FLOAT_CODES[width]
            number = struct.unpack(real, struct.pack(integer, bits))[0]
            return f"{text}  # {np.float32(number) if width == 32 else number!s}"
        return text

    def _operation(self, instr: int) -> str:
        """Mnemonic, variant and types, as far as the program keeps them."""
        program = self.program
        op, sub = Op(int(program.op[instr])), int(program.sub[instr])
        kind = _type(int(program.signed[instr]), int(program.width[instr]))
        if op == Op.MMA:
            tensor = Multiply.of_code(sub)
            m, n, k = tensor.shape
            return f"{'wmma' if tensor.wmma else 'mma'}.m{m}n{n}k{k}.{'.'.join(tensor.kinds)}"
        if op == Op.VALUE:
            node = Node(int(program.node[instr])).name.lower()
            return f"{node}{_ROUNDING.get(sub & 3, '')}{'.sat' * bool(sub & SATURATE)}.{kind}"
        if op == Op.FCVT:
            source = _type(int(program.signed2[instr]), int(program.width2[instr]))
            return f"cvt{_ROUNDING.get(sub & ~SATURATE, '')}{'.sat' * bool(sub & SATURATE)}.{kind}.{source}"
        if op == Op.FSET:
            source = _type(int(program.signed2[instr]), int(program.width2[instr]))
            return f"set.{_COMPARE[sub & 15]}{_BOOLEAN.get(sub >> 8, '')}.{kind}.{source}"
        if op in (Op.FSETP, Op.SETP, Op.SET):
            return f"{'set' if op == Op.SET else 'setp'}.{_COMPARE[sub & 15]}{_BOOLEAN.get(sub >> 8, '')}.{kind}"
        return f"{op.name.lower().replace('_', '.')}.{kind}"

    def _access_type(self, instr: int) -> str:
        """The type of an access, where it is not the usual 32 bits."""
        width = int(self.program.width[instr])
        return "" if width == 32 else "." + _type(int(self.program.signed[instr]), width)

    def _memory(self, address: int) -> str:
        region = self.regions.get(address >> REGION_SHIFT)
        if region is None:
            return f"address {address:#x}"
        offset = (address & _WINDOW) - region.start
        if region.tensor >= 0:
            index = self.elements.get(region.number, {}).get(offset)
            return f"{region.name}{_signed(offset)}" if index is None else f"{region.name}[{index}]"
        return self._variable(region, offset)

    def _variable(self, region: Region, offset: int) -> str:
        for symbol, start, size in region.variables:
            if start <= offset < start + size:
                name = self.variables.get(symbol, symbol)
                space = f"{region.space} " if name != region.space else ""
                return f"{space}{name}+{offset - start}"
        return f"{region.space} {_signed(offset)}"

    def _sync(self, row: int, value: int, *, warp: bool) -> str:
        lanes = [int(lane) for lane in self.program.active_lanes(int(self.program.row_mask[row]))]
        if not warp:
            return f"sync {{{runs_text(runs(lanes))}}} barrier {value}"
        mine = self.thread // _WARP
        return f"sync {{{runs_text(runs([lane for lane in lanes if lane // _WARP == mine]))}}} warp"


def _type(signed: int, width: int) -> str:
    return "pred" if width == 1 else type_text(width, signed)


def _signed(offset: int) -> str:
    return f"+{offset}" if offset >= 0 else str(offset)


def _elements(tensor: Tensor) -> dict[int, str]:
    """Byte offset → index, row-major."""
    places = zip(tensor.element_offsets().tolist(), np.ndindex(tensor.shape), strict=True)
    return {offset: ",".join(map(str, index)) for offset, index in places}

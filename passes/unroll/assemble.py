"""From the `ptx` dialect to the machine's flat bytecode: registers, operands, variants, branch targets, preloaded values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from volta_pipe.ir.address_space import GLOBAL_VARIABLES_REGION, REGION_SHIFT
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.instructions import MATRIX, WIDTH, Op
from volta_pipe.ir.launch import Argument, Launch
from volta_pipe.ir.mbarriers import COUNTED
from volta_pipe.ir.ptx import (
    AddressOp,
    BranchOp,
    CondBranchOp,
    ConstantOp,
    InstructionOp,
    LoadParamOp,
    ReturnOp,
    SpecialOp,
    TrapOp,
    UndefOp,
    UnmodelledOp,
    kernel_of,
    type_width,
)
from volta_pipe.ir.variables import ADDRESSED
from volta_pipe.passes.unroll.bytecode import (
    COLUMNS,
    FIRST,
    GNEG,
    GUARD,
    HINT,
    IMM,
    MAX_OPERANDS,
    MAX_RESULTS,
    MEMBERS,
    NIN,
    NRES,
    OP,
    RW,
    SG,
    SG2,
    STATIC_COLUMNS,
    SUB,
    TARGET,
    TARGET2,
    W2,
    WALK,
    A,
    B,
    C,
    D,
    W,
)
from volta_pipe.passes.unroll.decode import Decoded, decode
from volta_pipe.passes.unroll.flat import FlatOp, flatten
from volta_pipe.passes.unroll.known import MOVE, compute_known
from volta_pipe.passes.unroll.matrix_tables import Tables
from volta_pipe.passes.unroll.memory import SPACE_REGION, Layout
from volta_pipe.passes.unroll.parameters import argument_bits, sign_extended
from volta_pipe.passes.unroll.registers import assign_registers
from volta_pipe.passes.unroll.retries import prove_waits
from volta_pipe.passes.unroll.tokens import counted
from volta_pipe.passes.unroll.wraps import arm

Array = np.ndarray[Any, np.dtype[Any]]
# A row without registers.
_UNSET = frozenset((GUARD, HINT, *range(D, D + MAX_RESULTS), *range(A, A + MAX_OPERANDS)))
_EMPTY = [-1 if column in _UNSET else 0 for column in range(COLUMNS)]


@dataclass(frozen=True)
class Code:
    """Bytecode and what the program artifact keeps of it.

    code: int64 [instructions, COLUMNS]; HINT is the pattern that the instruction
    used last (the machine writes it). operands: the static ones, then the tables of matrix instructions (ir/tensor.py), where
    TARGET of these points to; the machine writes hints into them. static: columns by walk index (see ir/program.py).
    preloads: (register, kind, value) set at the start of each CTA: kind "value" an integer, "special" a special register's
    name. addresses: registers that hold one from the
    start. refusals: by walk index, what to say where the machine stops at a TRAP that is no `trap` instruction. masked: how
    many warp instructions have member masks that are not constants. armed: int64, rows of `code` whose wrapping around is noted
    (wraps.py). plain: walk indices of weak loads."""

    code: Array
    operands: Array
    static: dict[str, Array]
    registers: int
    preloads: tuple[tuple[int, str, int | str], ...]
    addresses: frozenset[int]
    refusals: dict[int, str]
    masked: int
    armed: Array
    plain: frozenset[int]


class Assembler:
    """Builds the bytecode of one kernel for one launch."""

    def __init__(self, module: ModuleOp, launch: Launch, layout: Layout) -> None:
        self.kernel = kernel_of(module)
        self.launch, self.layout = launch, layout
        self.blocks, count = flatten(self.kernel)
        self.registers, self.sharing = assign_registers(self.blocks, count)
        self.count = len(self.sharing)
        self.rows: list[list[int]] = []  # one for each operation
        self.code: list[list[int]] = []  # what the machine runs
        self.nodes: list[int] = []
        self.operands: list[int] = []
        self.preloads: list[tuple[int, str, int | str]] = []
        self.masked = 0
        self.addresses: set[int] = set()
        self.refusals: dict[int, str] = {}
        self.plain: list[int] = []
        self.exact: dict[int, int] = {}  # by index into the code, see known.exact_code
        self.spellings: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Decoded] = {}
        self.decoded: dict[tuple[int, int, int], Decoded] = {}  # by identity of class and words, which `lower` shares
        self.fixups: list[tuple[list[int], int, int]] = []
        self.start: list[int] = []  # of each block, in the code
        self.tables = Tables()
        self.assemblers: dict[type[Operation], Callable[[FlatOp, Any, int], None]] = {
            ConstantOp: self._constant, SpecialOp: self._special, AddressOp: self._address, UndefOp: self._undef,
            LoadParamOp: self._load_param, BranchOp: self._branch, CondBranchOp: self._cond_branch, ReturnOp: self._return,
            TrapOp: self._trap, UnmodelledOp: self._refusal,
        }  # fmt: skip

    def assemble(self) -> Code:
        """Errors: UnsupportedError for what the machine cannot run, InputError where arguments do not fit."""
        parameters = self.kernel.parameters
        if len(parameters) != len(self.launch.arguments):
            given = len(self.launch.arguments)
            raise InputError(
                f"kernel {self.kernel.sym_name.data} takes {len(parameters)} arguments, the contract gives {given}"
            )
        walk = 0
        for block in self.blocks:
            self.start.append(len(self.code))
            targets = [target for target, _ in block.edges]
            for flat in block.ops:
                op = flat.op
                assemble = self.assemblers.get(type(op))
                if assemble is not None:
                    assemble(flat, op, walk)
                elif isinstance(op, InstructionOp):
                    self._instruction(flat, op, walk)
                else:
                    raise UnsupportedError(f"operation {op.name} has no meaning here", instruction=walk)
                walk += 1
            for column, target in zip((TARGET, TARGET2), targets, strict=False):
                self.fixups.append((self.code[-1], column, target))
        for row, column, target in self.fixups:
            row[column] = self.start[target]
        self.count = compute_known(self.code, self.operands, self.exact, self.count)
        table = np.array(self.rows, np.int64).reshape(-1, COLUMNS)
        static = {name: table[:, column].astype(dtype) for name, (column, dtype) in STATIC_COLUMNS.items()}
        static["node"] = np.array(self.nodes, np.uint8)
        static["operands"] = np.array(self.operands, np.int64)
        operands = self.tables.behind(static["operands"])
        self._barriers(static)
        armed = arm(self.code, self.operands)
        code = np.array(self.code, np.int64).reshape(-1, COLUMNS)
        return Code(
            code, operands, static, self.count, tuple(self.preloads), frozenset(self.addresses), self.refusals, self.masked,
            np.array(armed, np.int64), frozenset(self.plain),
        )  # fmt: skip

    def _barriers(self, static: dict[str, Array]) -> None:
        """What is known once all code is there: which mbarrier waits only ask again, which of their tokens are counted, and
        which warp instructions have masks that are not constants (numbered in TARGET)."""
        constants = {register: int(value) for register, kind, value in self.preloads if kind == "value"}
        prove_waits(self.code, self.operands, self.sharing, constants)
        for walk in counted(static):
            static["sub"][walk] |= COUNTED
            self.rows[walk][SUB] |= COUNTED
        for row in self.code:
            if row[OP] in MEMBERS and row[MEMBERS[Op(row[OP])]] not in constants:
                self.masked += 1
                row[TARGET] = self.masked

    def _row(self, op: Op, walk: int, results: list[int], inputs: list[int]) -> list[int]:
        """A row of bytecode with its registers, and nothing else."""
        row = _EMPTY.copy()
        row[OP], row[WALK] = op.value, walk
        given, taken = len(results), len(inputs)
        row[NRES], row[NIN], row[FIRST] = given, taken, len(self.operands)
        named = min(given, MAX_RESULTS)
        row[D : D + named] = results[:named]
        named = min(taken, MAX_OPERANDS)
        row[A : A + named] = inputs[:named]
        self.operands += results
        self.operands += inputs
        return row

    def register_of_values(self) -> dict[SSAValue, int]:
        """The register of each value of the kernel."""
        found: dict[SSAValue, int] = {}
        for block, flat in zip(self.kernel.body.blocks, self.blocks, strict=True):
            found.update(zip(block.args, flat.arguments, strict=True))
            for op in flat.ops:
                found.update(zip(op.op.results, op.results, strict=True))
        return {value: self.registers[number] for value, number in found.items()}

    def _emit(self, row: list[int], imm: int = 0, node: int = 0, executes: bool = True) -> None:
        row[IMM] = imm
        if executes:
            self.code.append(row)
        self.rows.append(row)
        self.nodes.append(node)

    def _preload(self, flat: FlatOp, walk: int, kind: str, value: int | str, variable: tuple[int, int] = (0, 0)) -> None:
        """A value that is known when a CTA starts. One that shares its register is moved there where it is defined.
        `variable`: region and start of the one whose address it is."""
        register = self.registers[flat.results[0]]
        width = type_width(flat.op.results[0].type)
        if self.sharing[register] == 1:
            self.preloads.append((register, kind, value))
            row = self._row(Op.NOP, walk, [register], [])
            row[SUB] = variable[0]
            self._emit(row, variable[1], executes=False)
            return
        hidden = self.count
        self.count += 1
        self.preloads.append((hidden, kind, value))
        row = self._row(Op.MOV, walk, [register], [hidden])
        row[W] = row[RW] = width
        row[SUB] = variable[0]
        self.exact[len(self.code)] = MOVE
        self._emit(row, variable[1])

    def _constant(self, flat: FlatOp, op: ConstantOp, walk: int) -> None:
        self._preload(flat, walk, "value", sign_extended(op.bits, type_width(op.res.type)))

    def _special(self, flat: FlatOp, op: SpecialOp, walk: int) -> None:
        self._preload(flat, walk, "special", op.register.data)

    def _address(self, flat: FlatOp, op: AddressOp, walk: int) -> None:
        space, offset = self.layout.symbols[op.variable]
        variable = (SPACE_REGION[space], offset)
        if space == "global":  # global variables are addressed in full, others within their window
            offset += GLOBAL_VARIABLES_REGION << REGION_SHIFT
        value = sign_extended(offset + op.byte_offset, type_width(op.res.type))
        self._preload(flat, walk, "value", value, variable)
        self.addresses.add(self.registers[flat.results[0]])

    def _undef(self, flat: FlatOp, op: UndefOp, walk: int) -> None:
        self._emit(self._row(Op.NOP, walk, [self.registers[flat.results[0]]], []), executes=False)

    def _branch(self, flat: FlatOp, op: BranchOp, walk: int) -> None:
        self._emit(self._row(Op.BRA, walk, [], []))

    def _cond_branch(self, flat: FlatOp, op: CondBranchOp, walk: int) -> None:
        self._emit(self._row(Op.CBRA, walk, [], [self.registers[flat.inputs[0]]]))

    def _return(self, flat: FlatOp, op: ReturnOp, walk: int) -> None:
        self._emit(self._row(Op.RET, walk, [], []))

    def _trap(self, flat: FlatOp, op: TrapOp, walk: int) -> None:
        if op.reason is not None:
            self.refusals[walk] = op.reason.data
        self._emit(self._row(Op.TRAP, walk, [], []))

    def _refusal(self, flat: FlatOp, op: UnmodelledOp, walk: int) -> None:
        """An instruction that is not modelled stops the machine where a lane executes it: a TRAP, jumped over where the guard
        is false."""
        self.refusals[walk] = op.message
        if flat.guard >= 0:
            branch = self._row(Op.CBRA, walk, [], [self.registers[flat.guard]])
            executed, skipped = (TARGET, TARGET2) if op.negated is None else (TARGET2, TARGET)
            branch[executed], branch[skipped] = len(self.code) + 1, len(self.code) + 2
            self.code.append(branch)
        results = [self.registers[value] for value in flat.results]
        row = self._row(Op.TRAP, walk, results, [self.registers[value] for value in flat.inputs])
        if flat.guard >= 0:
            row[GUARD], row[GNEG] = self.registers[flat.guard], int(op.negated is not None)
        self._emit(row)

    def _instruction(self, flat: FlatOp, op: InstructionOp, walk: int) -> None:
        decoded = self._decode(op, walk)
        registers, results, inputs = self.registers, flat.results, flat.inputs
        kind = decoded.op
        if kind is Op.ATOM and not op.results[0].uses:  # nobody looks at the result
            kind, results = Op.RED, []
        if decoded.hinted:
            inputs = inputs[:-1]
        row = self._row(kind, walk, [registers[v] for v in results], [registers[v] for v in inputs])
        row[W], row[SG], row[W2], row[SG2], row[SUB] = decoded.fields
        row[RW] = type_width(op.results[0].type) if results else 0
        imm = 0
        if kind in MATRIX:
            self.tables.add(op.mnemonic, op.modifier_names, op.type_names, row)
        if kind in ADDRESSED:
            row[W2] = type_width(op.operands[0].type)
            imm = op.byte_offset
        if kind is Op.COPY:
            self._copy(flat, op, row, walk)
        elif kind is Op.BAR_RED:  # the predicate is the last operand, the thread count may be missing
            row[B], row[C] = (row[B], row[C]) if row[NIN] == 3 else (-1, row[B])
        if flat.guard >= 0:
            row[GUARD] = registers[flat.guard]
            row[GNEG] = int(op.negated is not None)
        if decoded.plain:
            self.plain.append(walk)
        if decoded.exact >= 0:
            self.exact[len(self.code)] = decoded.exact
        self._emit(row, imm, decoded.node)

    def _copy(self, flat: FlatOp, op: InstructionOp, row: list[int], walk: int) -> None:
        """cp.async: the width of a copy is its size; TARGET holds the offset of the source, C the register that limits it."""
        size = op.operands[2].owner
        known = size.bits if isinstance(size, ConstantOp) else 0
        if known not in (4, 8, 16) or ("cg" in op.modifier_names and known != 16):
            raise UnsupportedError("cp.async copies 4, 8 or 16 bytes, with .cg 16", instruction=walk)
        row[W] = 8 * known
        row[TARGET] = op.second_offset
        row[C] = self.registers[flat.inputs[3]] if row[NIN] > 3 else -1

    def _decode(self, op: InstructionOp, walk: int) -> Decoded:
        """What the instruction's words say, worked out once per spelling."""
        shared = (id(type(op)), id(op.properties["modifiers"]), id(op.properties["types"]))
        found = self.decoded.get(shared)
        if found is None:
            key = (op.mnemonic, op.modifier_names, op.type_names)
            found = self.spellings.get(key) or decode(*key, walk)
            self.decoded[shared] = self.spellings[key] = found
        return found

    def _load_param(self, flat: FlatOp, op: LoadParamOp, walk: int) -> None:
        """ld.param: a pointer or number is known; a scalar without a value becomes a row that vc gives its node."""
        size = WIDTH[op.type_name] // 8
        values: list[tuple[Argument, str, int]] = []
        for place in range(len(op.res)):
            offset = op.byte_offset + place * size
            for parameter, argument in zip(self.kernel.parameters, self.launch.arguments, strict=True):
                if parameter.offset <= offset and offset + size <= parameter.offset + parameter.size:
                    values.append((argument, parameter.type, offset - parameter.offset))
                    break
            else:
                raise UnsupportedError(f"ld.param at byte {offset} lies in no parameter", instruction=walk)
        if len(values) != 1:
            raise UnsupportedError("a vector ld.param is not modelled", instruction=walk)
        argument, kind, within = values[0]
        if argument.kind == "scalar" and self.launch.scalars[argument.index].value is None:
            if within or WIDTH[kind] != WIDTH[op.type_name]:
                raise UnsupportedError("a part of a symbolic scalar is loaded", instruction=walk)
            row = self._row(Op.LDPARAM, walk, [self.registers[flat.results[0]]], [])
            row[W] = row[RW] = WIDTH[op.type_name]
            row[SUB] = argument.index
            self._emit(row, argument.index)
            return
        bits = argument_bits(self.launch, self.layout, argument, kind) >> (8 * within)
        width = WIDTH[op.type_name]
        value = sign_extended(bits, width) if op.type_name[0] == "s" else bits & ((1 << width) - 1)
        self._preload(flat, walk, "value", sign_extended(value, type_width(op.res[0].type)))
        if argument.kind == "pointer":
            self.addresses.add(self.registers[flat.results[0]])

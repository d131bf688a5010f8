"""From the `ptx` dialect to the machine's flat bytecode: registers, operands, variants, branch targets, preloaded values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import GLOBAL_VARIABLES_REGION, REGION_SHIFT
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.instructions import MATRIX, WIDTH, Op
from volta_pipe.ir.launch import Argument, Launch
from volta_pipe.ir.mbarriers import COUNTED
from volta_pipe.ir.ptx.flat import FlatKernel, FlatOp, Spelling
from volta_pipe.ir.variables import ADDRESSED
from volta_pipe.passes.unroll.bytecode import (
    COLUMNS,
    GNEG,
    GUARD,
    MEMBERS,
    NIN,
    OP,
    RW,
    SG,
    SG2,
    STATIC_COLUMNS,
    SUB,
    TARGET,
    TARGET2,
    W2,
    B,
    C,
    W,
)
from volta_pipe.passes.unroll.code import Code, CodeBuilder
from volta_pipe.passes.unroll.complements import pair_stores
from volta_pipe.passes.unroll.decode import Decoded, decode
from volta_pipe.passes.unroll.known import compute_known
from volta_pipe.passes.unroll.matrix_tables import Tables
from volta_pipe.passes.unroll.memory import SPACE_REGION, Layout
from volta_pipe.passes.unroll.parameters import argument_bits, sign_extended
from volta_pipe.passes.unroll.retries import prove_waits
from volta_pipe.passes.unroll.tokens import counted
from volta_pipe.passes.unroll.wraps import arm

Array = np.ndarray[Any, np.dtype[Any]]


class Assembler(CodeBuilder):
    """Builds the bytecode of one kernel for one launch."""

    def __init__(self, kernel: FlatKernel, launch: Launch, layout: Layout) -> None:
        super().__init__(kernel)
        self.kernel, self.launch, self.layout = kernel, launch, layout
        self.masked = 0
        self.addresses: set[int] = set()
        self.refusals: dict[int, str] = {}
        self.plain: list[int] = []
        self.decoded: dict[Spelling, Decoded] = {}
        self.fixups: list[tuple[list[int], int, int]] = []
        self.start: list[int] = []  # of each block, in the code
        self.tables = Tables()
        self.assemblers: dict[str, Callable[[FlatOp, int], None]] = {
            "constant": self._constant, "special": self._special, "address": self._address, "undef": self._undef,
            "ld_param": self._load_param, "br": self._branch, "cond_br": self._cond_branch, "ret": self._return,
            "trap": self._trap, "unmodelled": self._refusal,
        }  # fmt: skip

    def assemble(self) -> Code:
        """Errors: UnsupportedError for what the machine cannot run, InputError where arguments do not fit."""
        parameters = self.kernel.parameters
        if len(parameters) != len(self.launch.arguments):
            given = len(self.launch.arguments)
            raise InputError(f"kernel {self.kernel.name} takes {len(parameters)} arguments, the contract gives {given}")
        walk = 0
        for block in self.kernel.blocks:
            self.start.append(len(self.code))
            targets = [target for target, _ in block.edges]
            for op in block.ops:
                if op.spelling is not None:
                    self._instruction(op, op.spelling, walk)
                elif op.name in self.assemblers:
                    self.assemblers[op.name](op, walk)
                else:
                    raise UnsupportedError(f"operation {op.name} has no meaning here", instruction=walk)
                walk += 1
            for column, target in zip((TARGET, TARGET2), targets, strict=False):
                self.fixups.append((self.code[-1], column, target))
        for row, column, target in self.fixups:
            row[column] = self.start[target]
        pair_stores(self.kernel.blocks, self.code)
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

    def _constant(self, op: FlatOp, walk: int) -> None:
        self.preload(op, walk, "value", sign_extended(op.number, self.widths[op.results[0]]))

    def _special(self, op: FlatOp, walk: int) -> None:
        assert op.word is not None
        self.preload(op, walk, "special", op.word)

    def _address(self, op: FlatOp, walk: int) -> None:
        assert op.word is not None
        space, offset = self.layout.symbols[op.word]
        variable = (SPACE_REGION[space], offset)
        if space == "global":  # global variables are addressed in full, others within their window
            offset += GLOBAL_VARIABLES_REGION << REGION_SHIFT
        value = sign_extended(offset + op.number, self.widths[op.results[0]])
        self.preload(op, walk, "value", value, variable)
        self.addresses.add(self.registers[op.results[0]])

    def _undef(self, op: FlatOp, walk: int) -> None:
        self.emit(self.row(Op.NOP, walk, [self.registers[op.results[0]]], []), executes=False)

    def _branch(self, op: FlatOp, walk: int) -> None:
        self.emit(self.row(Op.BRA, walk, [], []))

    def _cond_branch(self, op: FlatOp, walk: int) -> None:
        self.emit(self.row(Op.CBRA, walk, [], [self.registers[op.inputs[0]]]))

    def _return(self, op: FlatOp, walk: int) -> None:
        self.emit(self.row(Op.RET, walk, [], []))

    def _trap(self, op: FlatOp, walk: int) -> None:
        if op.word is not None:
            self.refusals[walk] = op.word
        self.emit(self.row(Op.TRAP, walk, [], []))

    def _refusal(self, op: FlatOp, walk: int) -> None:
        """An instruction that is not modelled stops the machine where a lane executes it: a TRAP, jumped over where the guard
        is false."""
        assert op.word is not None
        self.refusals[walk] = op.word
        if op.guard >= 0:
            branch = self.row(Op.CBRA, walk, [], [self.registers[op.guard]])
            executed, skipped = (TARGET2, TARGET) if op.negated else (TARGET, TARGET2)
            branch[executed], branch[skipped] = len(self.code) + 1, len(self.code) + 2
            self.code.append(branch)
        results = [self.registers[value] for value in op.results]
        row = self.row(Op.TRAP, walk, results, [self.registers[value] for value in op.inputs])
        if op.guard >= 0:
            row[GUARD], row[GNEG] = self.registers[op.guard], int(op.negated)
        self.emit(row)

    def _instruction(self, op: FlatOp, spelling: Spelling, walk: int) -> None:
        decoded = self.decoded.get(spelling)
        if decoded is None:
            decoded = self.decoded[spelling] = decode(*spelling, walk)
        registers, results, inputs = self.registers, op.results, op.inputs
        kind = decoded.op
        if kind is Op.ATOM and results[0] not in self.kernel.read:  # nobody looks at the result
            kind, results = Op.RED, []
        if decoded.hinted:
            inputs = inputs[:-1]
        row = self.row(kind, walk, [registers[v] for v in results], [registers[v] for v in inputs])
        row[W], row[SG], row[W2], row[SG2], row[SUB] = decoded.fields
        row[RW] = self.widths[results[0]] if results else 0
        imm = 0
        if kind in MATRIX:
            self.tables.add(*spelling, row)
        if kind in ADDRESSED:
            row[W2] = self.widths[op.inputs[0]]
            imm = op.number
        if kind is Op.COPY:
            self._copy(op, spelling, row, walk)
        elif kind is Op.BAR_RED:  # the predicate is the last operand, the thread count may be missing
            row[B], row[C] = (row[B], row[C]) if row[NIN] == 3 else (-1, row[B])
        if op.guard >= 0:
            row[GUARD], row[GNEG] = registers[op.guard], int(op.negated)
        if decoded.plain:
            self.plain.append(walk)
        if decoded.exact >= 0:
            self.exact[len(self.code)] = decoded.exact
        self.emit(row, imm, decoded.node)

    def _copy(self, op: FlatOp, spelling: Spelling, row: list[int], walk: int) -> None:
        """cp.async: the width of a copy is its size; TARGET holds the offset of the source, C the register that limits it."""
        known = self.kernel.constants.get(op.inputs[2], 0)
        if known not in (4, 8, 16) or ("cg" in spelling[1] and known != 16):
            raise UnsupportedError("cp.async copies 4, 8 or 16 bytes, with .cg 16", instruction=walk)
        row[W] = 8 * known
        row[TARGET] = op.second
        row[C] = self.registers[op.inputs[3]] if row[NIN] > 3 else -1

    def _load_param(self, op: FlatOp, walk: int) -> None:
        """ld.param: a pointer or number is known; a scalar without a value becomes a row that vc gives its node."""
        assert op.word is not None
        width = WIDTH[op.word]
        size = width // 8
        values: list[tuple[Argument, str, int]] = []
        for place in range(len(op.results)):
            offset = op.number + place * size
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
            if within or WIDTH[kind] != width:
                raise UnsupportedError("a part of a symbolic scalar is loaded", instruction=walk)
            row = self.row(Op.LDPARAM, walk, [self.registers[op.results[0]]], [])
            row[W] = row[RW] = width
            row[SUB] = argument.index
            self.emit(row, argument.index)
            return
        bits = argument_bits(self.launch, self.layout, argument, kind) >> (8 * within)
        value = sign_extended(bits, width) if op.word[0] == "s" else bits & ((1 << width) - 1)
        self.preload(op, walk, "value", sign_extended(value, self.widths[op.results[0]]))
        if argument.kind == "pointer":
            self.addresses.add(self.registers[op.results[0]])

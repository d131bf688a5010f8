"""The canonical form of a program, so that edits which change nothing of what is left after `unroll` change no byte of it.

It has only the static instructions that rows name (and those that a remark of `check` is about), numbered as the rows name them
first; registers, masks and patterns are numbered likewise. The register of an address is left out, as rows have the addresses
themselves, and so is a guard that was known wherever it was met. What is dropped (the whole static code, how many instructions
were executed, which operation of `lower`'s module each instruction is) is a second artifact, from which `restored` makes the
program again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import FLAG_GUARDED, STATIC, WRAPPING, Program
from volta_pipe.ir.program_artifact import DTYPES, validate
from volta_pipe.ir.variables import ADDRESSED, derivations

Array = np.ndarray[Any, np.dtype[Any]]
KIND, VERSION = "code", 1
NO_REGISTER = 0  # of an address: rows have its value


def canonical(program: Program) -> tuple[Program, Array, Array]:
    """(the program in canonical form, origins, registers). origins: int32, the static instruction of `program` that each of its
    instructions is; registers: int32, likewise, -1 for NO_REGISTER. Events stay as they are, with the numbers of `program`."""
    instr, op = program.row_instr, program.op
    is_code = instr >= 0
    origins = _in_order(instr[is_code], len(op))
    silent = np.isin(op, WRAPPING) & (program.imm > 0)
    silent[origins] = False
    executed = len(origins)
    origins = np.concatenate([origins, np.flatnonzero(silent).astype(np.int32)])
    guarded = np.zeros(len(op), np.bool_)
    guarded[instr[is_code & (program.row_flags & FLAG_GUARDED != 0)]] = True
    static = {name: getattr(program, name)[origins] for name in STATIC}
    static["results"], static["inputs"] = static["results"].copy(), static["inputs"].copy()
    static["results"][executed:] = static["inputs"][executed:] = 0
    static["guard"] = np.where(guarded[origins], static["guard"], -1)
    static["negated"] = np.where(guarded[origins], static["negated"], 0)
    operands, first = _operands(program, static)
    registers = _in_order(
        np.concatenate([operands[operands >= 0], static["guard"][static["guard"] >= 0], -1 - instr[~is_code]]),
        max(program.registers, 1),
    )
    number = np.full(max(program.registers, 1) + 1, NO_REGISTER, np.int32)  # the last one is that of -1
    number[registers] = np.arange(1, len(registers) + 1)
    static["first"] = first
    static["guard"] = np.where(static["guard"] >= 0, number[static["guard"]], -1)
    place = np.full(max(len(op), 1), -1, np.int32)
    place[origins] = np.arange(len(origins))
    masks = _in_order(program.row_mask, len(program.mask_bits))
    patterns, values = _patterns(program)
    meant = tuple(held[:, origins] & _addressed(static["op"], executed) for held in derivations(program))
    narrow: dict[str, Any] = {name: column.astype(DTYPES[name], copy=False) for name, column in static.items()}
    of_constants = number[np.where(is_code, -1, -1 - instr)]
    made = replace(
        program,
        **narrow,
        registers=len(registers) + 1,
        operands=number[operands],
        row_instr=np.where(is_code, place[np.maximum(instr, 0)], -1 - of_constants).astype(np.int32),
        row_mask=_renumbered(program.row_mask, masks, len(program.mask_bits)),
        row_pattern=_renumbered(program.row_pattern, patterns, len(program.pattern_start)),
        mask_bits=program.mask_bits[masks],
        pattern_start=values[0],
        pattern_values=values[1],
        steps=0,
        meant=(meant[0], meant[1]),
    )
    return made, origins, np.concatenate([np.full(1, -1, np.int32), registers])


def _in_order(numbers: Array, count: int) -> Array:
    """The different ones of `numbers` (0 to count-1) in the order in which they come first, int32."""
    at = np.full(max(count, 1), -1, np.int64)
    at[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)  # of several the last one stays: the first in `numbers`
    found = np.flatnonzero(at >= 0)
    ordered: Array = found[np.argsort(at[found], kind="stable")].astype(np.int32)
    return ordered


def _renumbered(column: Array, order: Array, count: int) -> Array:
    """`column` with the place in `order` for each number; -1 stays."""
    number = np.full(count + 1, -1, np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    found: Array = number[column]
    return found


def _operands(program: Program, static: dict[str, Array]) -> tuple[Array, Array]:
    """(operands of the chosen instructions, -1 for those that are addresses; where those of each instruction begin, int32)."""
    counts = static["results"].astype(np.int64) + static["inputs"]
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    owner = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(int(start[-1])) - start[:-1][owner]
    operands = program.operands[static["first"][owner] + inside].astype(np.int64)
    behind = inside - static["results"][owner].astype(np.int64)
    op = static["op"][owner]
    operands[np.isin(op, [int(one) for one in ADDRESSED]) & (behind == 0)] = -1
    operands[(op == Op.COPY) & (behind == 1)] = -1
    return operands, start[:-1].astype(np.int32)


def _addressed(op: Array, executed: int) -> Array:
    """bool [instructions]: those whose addresses `check` looks at."""
    found: Array = np.isin(op, [int(one) for one in ADDRESSED])
    found[executed:] = False
    return found


def _patterns(program: Program) -> tuple[Array, tuple[Array, Array]]:
    """(the patterns that rows name, in order; start and values of these)."""
    used = program.row_pattern[program.row_pattern >= 0]
    order = _in_order(used, len(program.pattern_start) - 1)
    lengths = np.diff(program.pattern_start)[order]
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    if len(order) == len(program.pattern_start) - 1 and bool((np.diff(order) == 1).all()):
        return order, (program.pattern_start, program.pattern_values)
    owner = np.repeat(np.arange(len(order)), lengths)
    values = program.pattern_values[program.pattern_start[order][owner] + np.arange(int(start[-1])) - start[:-1][owner]]
    return order, (start, values)


def encode_code(program: Program, origins: Array, registers: Array) -> list[bytes | memoryview]:
    """What `canonical` dropped of a program."""
    cols = {name: np.asarray(getattr(program, name)).astype(DTYPES[name], copy=False) for name in (*STATIC, "operands")}
    meta = {"registers": program.registers, "steps": program.steps}
    return columns.encode(KIND, VERSION, meta, {**cols, "origins": origins, "register_of": registers})


def restored(plain: Program, data: bytes | memoryview) -> Program:
    """The program whose canonical form is `plain`, from what `encode_code` wrote of it: the same instructions and registers,
    masks and patterns in canonical order. Errors: ArtifactError where the two do not belong together."""
    meta, cols = columns.decode(data, KIND, VERSION)
    try:
        static: dict[str, Any] = {name: cols[name] for name in (*STATIC, "operands")}
        origins, registers = cols["origins"], cols["register_of"]
        wrong = any(column.dtype.str != DTYPES[name] for name, column in static.items())
        wrong |= origins.dtype.str != "<i4" or registers.dtype.str != "<i4"
        wrong |= origins.shape != plain.op.shape or registers.shape != (plain.registers,)
        count, steps = int(meta["registers"]), int(meta["steps"])
        wrong = wrong or not _inside(origins, 0, len(static["op"])) or not _inside(registers, -1, count) or steps < 0
        if wrong:
            raise ArtifactError("code artifact does not belong to its program")
        instr = plain.row_instr
        is_code = instr >= 0
        of_code = origins[np.maximum(instr, 0)] if len(origins) else instr
        row_instr = np.where(is_code, of_code, -1 - registers[np.where(is_code, 0, -1 - instr)]).astype(np.int32)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ArtifactError(f"code artifact is damaged: {error!r}") from error
    program = replace(plain, **static, registers=count, row_instr=row_instr, steps=steps, meant=None)
    validate(program)
    again = canonical(program)
    same = all(np.array_equal(getattr(again[0], name), getattr(plain, name)) for name in (*STATIC, "operands", "row_instr"))
    same &= np.array_equal(again[1], origins) and np.array_equal(again[2], registers)
    if not same:
        raise ArtifactError("code artifact does not belong to its program")
    program.__dict__["canonical"] = plain, origins, registers
    return program


def _inside(column: Array, low: int, high: int) -> bool:
    return not column.size or (int(column.min()) >= low and int(column.max()) < high)

"""What a program artifact may say: compiled loops follow it without looking, so numbers are checked when it is read."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import FIRST_TENSOR_REGION, FUNCTION_REGION, SHARED_REGION, tensor_region
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import KINDS, Step
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import INIT_KNOWN, INIT_SYMBOLIC, INIT_UNINIT, WRAPPING, Event, Program, Region

Array = np.ndarray[Any, np.dtype[Any]]
SPACES = ("global", "shared", "local", "const")
_ROLES = ("", "in", "out", "inout", "scratch")
_WIDTHS = (0, 1, 2, 4, 8, 16, 32, 64, 128)
_WORD = 1 << 63
_WINDOW = 1 << 32
_MOST_SHARED = 1 << 28  # bytes that a CTA can have, with room to spare
_LARGEST_ACCESS = 64  # bytes that a lane reads or writes with one instruction
_READS = (Op.LD,)
_WRITES = (Op.ST, Op.RED, Op.ATOM)
_MEMORY = (*_READS, *_WRITES, Op.LDMATRIX, Op.STMATRIX, Op.COPY)


def number(value: Any, low: int, high: int) -> int:
    """`value`, an int in low..high-1. Errors: ValueError."""
    if type(value) is not int or not low <= value < high:
        raise ValueError("a number is out of range")
    return value


def text(value: Any) -> str:
    """`value`, a str. Errors: ValueError."""
    if type(value) is not str:
        raise ValueError("something is no text")
    return value


def read_region(data: Any) -> Region:
    """A region of an artifact's header. Errors: KeyError, TypeError, ValueError."""
    size, content = number(data["size"], 0, _WINDOW), data["content"]
    init = number(data["init"], INIT_UNINIT, INIT_KNOWN + 1)
    if type(content) is not bytes or len(content) > size or text(data["space"]) not in SPACES or data["role"] not in _ROLES:
        raise ValueError("a region has the wrong form")
    variables = tuple((text(n), number(o, 0, _WINDOW), number(s, 0, _WINDOW)) for n, o, s in data["variables"])
    found = number(data["number"], SHARED_REGION, _WINDOW)
    tensor = number(data["tensor"], -1, 1 << 20)
    if found >= FIRST_TENSOR_REGION and found != tensor_region(tensor):
        raise ValueError("a region has another number than its tensor")
    if (tensor < 0) != (found < FUNCTION_REGION):
        raise ValueError("a region is of no tensor and of no memory of the machine")
    if found == SHARED_REGION and size > _MOST_SHARED:
        raise ValueError("shared memory is too large")
    start = number(data["start"], 0, 256)
    return Region(found, text(data["name"]), data["space"], start, size, init, tensor, data["role"], variables, content)


def read_event(data: Any, ctas: int, threads: int) -> Event:
    """An event of an artifact's header. Errors: KeyError, TypeError, ValueError."""
    steps = tuple(Step(text(s["text"]), number(s["instruction"], -1, _WINDOW)) for s in data["steps"])
    who = tuple(number(t, 0, threads) for t in data["threads"])
    if text(data["kind"]) not in KINDS:
        raise ValueError("an event is of no kind")
    where, other = (number(data[key], -1, _WINDOW) for key in ("instruction", "other"))
    cta, address = number(data["cta"], 0, max(ctas, 1)), number(data["address"], -_WORD, _WORD)
    return Event(data["kind"], text(data["message"]), where, cta, who, address, other, steps)


def _refuse(what: str, wrong: Array | bool) -> None:
    if bool(np.any(wrong)):
        raise ArtifactError(f"program artifact: {what}")


def check_code(program: Program) -> None:
    """The static instructions. Errors: ArtifactError."""
    op, width = program.op, program.width
    results, inputs = program.results, program.inputs
    _refuse("an instruction does not exist", ~np.isin(op, [int(o) for o in Op]))
    _refuse("a width does not exist", ~np.isin(width, _WIDTHS) | ~np.isin(program.width2, _WIDTHS))
    _refuse("a node does not exist", (op == Op.VALUE) & ~np.isin(program.node, [int(n) for n in Node]))
    _refuse("registers of a matrix product are too many", (results > 256) | (inputs > 1024))
    told = np.isin(op, [int(o) for o in WRAPPING])  # the thread in which it wrapped around
    of_threads = (program.imm < 0) | (program.imm > program.threads * len(program.cta_ids))
    _refuse("a thread does not exist", told & of_threads)
    touching = np.isin(op, [int(o) for o in _MEMORY])
    values = np.ones(len(op), np.int64)
    reads, writes = np.isin(op, [int(o) for o in _READS]), np.isin(op, [int(o) for o in _WRITES])
    values[reads] = results[reads]
    values[writes] = inputs[writes].astype(np.int64) - 1
    size = values * (width.astype(np.int64) // 8)
    size[op == Op.RED] = np.maximum(size[op == Op.RED], 1)
    _refuse("an access has no bytes, or too many", touching & ((size < 1) | (size > _LARGEST_ACCESS)))
    for instruction in np.flatnonzero(op == Op.MMA):
        _check_product(program, int(instruction))


def _check_product(program: Program, instruction: int) -> None:
    from volta_pipe.ir.tensor import Multiply

    code = int(program.sub[instruction])
    try:
        product = Multiply.of_code(code)
        counts = len(product.results), len(product.operands)
        good = code >= 0 and product.code == code
    except (KeyError, ValueError, IndexError, ZeroDivisionError) as error:
        raise ArtifactError("program artifact: there is no such matrix product") from error
    found = int(program.results[instruction]), int(program.inputs[instruction])
    _refuse("a matrix product has other registers", not good or counts != found)


def check_rows(program: Program) -> None:
    """What rows say beside their addresses. Errors: ArtifactError."""
    known = program.row_instr >= 0
    shuffles = known.copy()
    shuffles[known] = program.op[program.row_instr[known]] == Op.SHFL
    rows = np.flatnonzero(shuffles)
    if not len(rows):
        return
    low, high = (offsets[program.row_pattern[rows]] for offsets in program.over_patterns(np.minimum, np.maximum))
    base = program.row_base[rows]
    _refuse("a shuffle reads a thread that does not exist", (base < -_WINDOW) | (base > _WINDOW))
    _refuse("a shuffle reads a thread that does not exist", (base + low < 0) | (base + high >= program.threads))


def check_fit(program: Program, launch: Launch) -> None:
    """That a program can be one of this launch. Errors: ArtifactError."""
    _refuse("it is of another block", program.block != tuple(launch.block) or program.threads != launch.threads)
    _refuse("it has CTAs that the grid has not", (program.cta_ids < 0) | (program.cta_ids >= np.array(launch.grid, np.int64)))
    found = {region.number: region for region in program.regions}
    _refuse("two regions have one number", len(found) != len(program.regions))
    for index, tensor in enumerate(launch.tensors):
        if tensor.alias_of >= 0 or not tensor.extent:
            continue
        region = found.pop(tensor_region(index), None)
        sharing = [tensor, *(t for t in launch.tensors if t.alias_of == index)]
        init = INIT_SYMBOLIC if any(t.role in ("in", "inout") for t in sharing) else INIT_UNINIT
        if any(t.values is not None for t in sharing):
            init = INIT_KNOWN
        start = tensor.align % 256 if tensor.align < 256 else 0
        fits = region is not None and (region.tensor, region.start, region.size) == (index, start, tensor.extent)
        _refuse(f"the memory of tensor {tensor.name} is another", not fits or region is None or region.init != init)
    _refuse("it has tensors that the launch has not", any(number >= FIRST_TENSOR_REGION for number in found))
    parameters = np.flatnonzero(program.op == Op.LDPARAM)
    read = program.row_base[np.isin(program.row_instr, parameters)]
    for column in (read, program.imm[parameters]):
        _refuse("it reads a scalar that the launch has not", (column < 0) | (column >= max(len(launch.scalars), 1)))

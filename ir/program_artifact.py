"""The artifact of `unroll`: columns of the program, with affine patterns stored as a stride. Validated when read."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_SOURCE, STATIC, Program, Region
from volta_pipe.ir.program_checks import check_code, check_rows, number, read_event, read_region, text
from volta_pipe.ir.variables import variables_of

Array = np.ndarray[Any, np.dtype[Any]]
KIND, VERSION = "program", 2
_MEANT = ("meant", "meant_source")
_ROWS = ("row_instr", "row_mask", "row_base", "row_pattern", "row_flags")
DTYPES = {
    "op": "|u1", "width": "|u1", "width2": "|u1", "signed": "|u1", "signed2": "|u1", "sub": "<i4", "imm": "<i8", "node": "|u1",
    "guard": "<i4", "negated": "|u1", "first": "<i4", "results": "<i4", "inputs": "<i4", "operands": "<i4",
    "row_instr": "<i4", "row_mask": "<i4", "row_base": "<i8", "row_pattern": "<i4", "row_flags": "|u1",
    "mask_bits": "<u8", "cta_ids": "<i4", "cta_rows": "<i8",
}  # fmt: skip
_TABLES = ("mask_bits", "cta_ids")  # columns of two axes
_PATTERNS = {
    "pattern_length": ("<i4",), "pattern_stride": ("<i8",), "pattern_explicit": ("|u1",), "pattern_values": ("<i4", "<i8"),
}  # fmt: skip
_MOST_REGISTERS = 1 << 24


def _pack_patterns(start: Array, values: Array) -> dict[str, Array]:
    """lengths, strides, and the values of those patterns only that are not affine (int32 where they fit)."""
    lengths = np.diff(start)
    strides = np.zeros(len(lengths), np.int64)
    long = lengths > 1
    strides[long] = values[start[:-1][long] + 1]
    owner = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(values)) - start[:-1][owner] if len(values) else np.zeros(0, np.int64)
    off = values != strides[owner] * place if len(values) else np.zeros(0, bool)
    explicit = np.zeros(len(lengths), bool)
    explicit[owner[off]] = True
    kept = values[explicit[owner]] if len(values) else values
    narrow = not len(kept) or (int(kept.min()) >= -(1 << 31) and int(kept.max()) < 1 << 31)
    return {
        "pattern_length": lengths.astype(np.int32),
        "pattern_stride": strides,
        "pattern_explicit": explicit.astype(np.uint8),
        "pattern_values": kept.astype(np.int32) if narrow else kept,
    }


def _unpack_patterns(cols: dict[str, Array], threads: int) -> tuple[Array, Array]:
    if any(cols[name].dtype.str not in dtypes or cols[name].ndim != 1 for name, dtypes in _PATTERNS.items()):
        raise ArtifactError("program artifact: pattern columns have the wrong form")
    lengths = cols["pattern_length"].astype(np.int64)
    explicit = cols["pattern_explicit"].astype(bool)
    strides = cols["pattern_stride"]
    if len(strides) != len(lengths) or len(explicit) != len(lengths) or (len(lengths) and int(lengths.min()) < 0):
        raise ArtifactError("program artifact: pattern columns disagree")
    if (len(lengths) and int(lengths.max()) > threads) or int(lengths[explicit].sum()) != len(cols["pattern_values"]):
        raise ArtifactError("program artifact: pattern values do not fit their lengths")
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    owner = np.repeat(np.arange(len(lengths)), lengths)
    values = strides[owner] * (np.arange(int(start[-1])) - start[:-1][owner]) if len(owner) else np.zeros(0, np.int64)
    values[explicit[owner]] = cols["pattern_values"]
    return start, values


def encode(program: Program) -> list[bytes | memoryview]:
    """Chunks of the artifact; equal programs give equal bytes."""
    names = (*STATIC, "operands", *_ROWS, "mask_bits", "cta_ids", "cta_rows")
    cols = {name: np.asarray(getattr(program, name)).astype(DTYPES[name], copy=False) for name in names}
    cols |= _pack_patterns(program.pattern_start, program.pattern_values)
    if program.meant is not None:
        cols |= {name: held.astype(np.uint8) for name, held in zip(_MEANT, program.meant, strict=True)}
    meta = {
        "threads": program.threads, "block": list(program.block), "registers": program.registers, "steps": program.steps,
        "complete": program.complete, "assumptions": list(program.assumptions),
        "regions": [asdict(region) for region in program.regions], "events": [asdict(event) for event in program.events],
    }  # fmt: skip
    return columns.encode(KIND, VERSION, meta, cols)


def decode(data: bytes | memoryview) -> Program:
    """Errors: ArtifactError on anything that is not a well-formed program."""
    meta, cols = columns.decode(data, KIND, VERSION)
    try:
        for name, dtype in DTYPES.items():
            if cols[name].dtype.str != dtype or cols[name].ndim != (2 if name in _TABLES else 1):
                raise ArtifactError(f"program artifact: column {name} has the wrong form")
        threads = number(meta["threads"], 1, 1025)
        start, values = _unpack_patterns(cols, threads)
        regions = tuple(read_region(r) for r in meta["regions"])
        events = tuple(read_event(e, len(cols["cta_ids"]), threads) for e in meta["events"])
        bx, by, bz = (number(x, 1, 1025) for x in meta["block"])
        if bx * by * bz != threads or type(meta["complete"]) is not bool:
            raise ValueError("the block has another number of threads")
        program = Program(
            threads=threads, block=(bx, by, bz), registers=number(meta["registers"], 0, _MOST_REGISTERS),
            **{name: cols[name] for name in DTYPES}, pattern_start=start, pattern_values=values, regions=regions,
            events=events, steps=number(meta["steps"], 0, 1 << 63), complete=meta["complete"],
            assumptions=tuple(text(a) for a in meta["assumptions"]), meant=_meant(cols, regions),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError, MemoryError) as error:
        raise ArtifactError(f"program artifact is damaged: {error}") from error
    validate(program)
    return program


def _meant(cols: dict[str, Array], regions: tuple[Region, ...]) -> tuple[Array, Array] | None:
    if _MEANT[0] not in cols:
        return None
    shape = (len(variables_of(regions)), len(cols["op"]))
    held = tuple(cols[name] for name in _MEANT)
    if any(one.shape != shape or one.dtype != np.uint8 or one.max(initial=0) > 1 for one in held):
        raise ArtifactError("program artifact: what addresses are computed from does not fit the variables")
    return held[0].astype(np.bool_), held[1].astype(np.bool_)


def _within(name: str, column: Array, low: int, high: int) -> None:
    if column.size and (int(column.min()) < low or int(column.max()) >= high):
        raise ArtifactError(f"program artifact: {name} out of range")


def validate(program: Program) -> None:
    """Indices within their tables, so that compiled loops cannot leave an array."""
    code = len(program.op)
    if any(getattr(program, name).shape != (code,) for name in STATIC):
        raise ArtifactError("program artifact: static columns differ in length")
    rows = len(program.row_instr)
    if any(getattr(program, name).shape != (rows,) for name in _ROWS):
        raise ArtifactError("program artifact: row columns differ in length")
    words = (program.threads + 63) // 64
    if not 1 <= program.threads <= 1024 or program.mask_bits.ndim != 2 or program.mask_bits.shape[1] != words:
        raise ArtifactError("program artifact: masks do not fit the threads")
    masks, patterns = len(program.mask_bits), len(program.pattern_start) - 1
    _within("row_instr", program.row_instr, -program.registers, max(code, 1))
    _within("row_mask", program.row_mask, 0, max(masks, 1))
    _within("row_pattern", program.row_pattern, -1, patterns)
    _within("first", program.first, 0, len(program.operands) + 1)
    _within("results", program.results, 0, 1 << 16)
    _within("inputs", program.inputs, 0, 1 << 16)
    _within("operands", program.operands, 0, program.registers)
    _within("guard", program.guard, -1, program.registers)
    if code and int((program.first.astype(np.int64) + program.results + program.inputs).max()) > len(program.operands):
        raise ArtifactError("program artifact: operands out of range")
    bounds = program.cta_rows
    if program.cta_ids.ndim != 2 or program.cta_ids.shape[1] != 3 or bounds.shape != (len(program.cta_ids) + 1,):
        raise ArtifactError("program artifact: CTA columns have the wrong form")
    if int(bounds[0]) != 0 or int(bounds[-1]) != rows or bool((np.diff(bounds) < 0).any()):
        raise ArtifactError("program artifact: CTA rows are out of order")
    used = np.unpackbits(program.mask_bits.view(np.uint8), axis=1, bitorder="little") if masks else np.zeros((0, 1), np.uint8)
    if used[:, program.threads :].any():
        raise ArtifactError("program artifact: a mask names a thread that does not exist")
    counts = used.sum(axis=1, dtype=np.int64)
    check_code(program)
    _validate_copies(program)
    patterned = program.row_pattern >= 0
    lengths = np.diff(program.pattern_start)
    if bool((lengths[program.row_pattern[patterned]] != counts[program.row_mask[patterned]]).any()):
        raise ArtifactError("program artifact: a pattern does not fit its mask")
    check_rows(program)


def _validate_copies(program: Program) -> None:
    """Each row that says where a cp.async writes follows one that says where it reads, of the same lanes."""
    copies = np.flatnonzero(np.isin(program.row_instr, np.flatnonzero(program.op == Op.COPY)))
    targets = copies[(program.row_flags[copies] & FLAG_SOURCE) == 0]
    first = np.isin(targets, program.cta_rows)
    sources = np.maximum(targets - 1, 0)
    paired = (program.row_instr[sources] == program.row_instr[targets]) & (
        program.row_mask[sources] == program.row_mask[targets]
    )
    paired &= (program.row_flags[sources] ^ program.row_flags[targets]) == FLAG_SOURCE
    too_long = (program.row_flags[copies] >> COPIED_SHIFT) > program.width[program.row_instr[copies]] // 8
    if bool((first | ~paired).any()) or bool(too_long.any()) or len(copies) != 2 * len(targets):
        raise ArtifactError("program artifact: a copy does not say where it reads")
    arrivals = np.flatnonzero(
        np.isin(program.row_instr, np.flatnonzero(np.isin(program.op, (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE))))
    )
    for row in arrivals[
        (program.row_pattern[arrivals] >= 0) | (program.row_base[arrivals] < 0) | (program.row_base[arrivals] > 15)
    ]:
        numbers = program.row_values(int(row))
        if int(numbers.min(initial=0)) < 0 or int(numbers.max(initial=0)) > 15:
            raise ArtifactError("program artifact: there is no such barrier")

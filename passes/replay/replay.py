"""Runs the rows of a program on concrete inputs: bits in, bits out, with the rounding that the PTX ISA states.

Each row is one NumPy call or a few, over the lanes of many CTAs: CTAs whose rows name the same instructions and masks run
together, as CTAs of a race-free kernel do not depend on each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx.flat import FlatKernel, flat_of
from volta_pipe.passes.replay.contents import from_bytes
from volta_pipe.passes.replay.machine import Machine

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Replayed:
    """outputs: the out and inout tensors by name, as arrays of their shape (see contents.STORED for the dtypes). written: by
    name, bool of the shape, False where an element of an out tensor was never written; stored: the same of inout tensors, which
    hold a value before. approximate: walk indices of the
    executed instructions whose last bits the ISA leaves open; where it is not empty, compare with a tolerance. rounded: the
    float formats that executed instructions round to, sorted."""

    outputs: dict[str, Array]
    written: dict[str, Array]
    approximate: tuple[int, ...]
    rounded: tuple[str, ...] = ()
    stored: dict[str, Array] = field(default_factory=dict)


def replay(module: ModuleOp | FlatKernel, program: Program, launch: Launch, contents: Mapping[str, Array]) -> Replayed:
    """Executes every CTA of a program on `contents`: arrays of the in and inout tensors, and values of scalars, by name.

    The program must be complete and free of races. Errors: UnsupportedError with the instruction that has no concrete
    meaning, InputError where contents are missing or do not fit."""
    return replay_each(module, program, launch, [contents])[0]


def replay_each(
    module: ModuleOp | FlatKernel,
    program: Program,
    launch: Launch,
    trials: Sequence[Mapping[str, Array]],
    ctas: Sequence[int] | None = None,
) -> list[Replayed]:
    """Executes a program on the contents of each trial, all at the same time; `ctas`: which of them (indices into cta_ids), or
    all. Errors: as of `replay`."""
    if not program.complete:
        reason = program.events[-1].message if program.events else "it was stopped"
        raise UnsupportedError(f"the program is not complete: {reason}")
    machine = Machine(flat_of(module), program, launch, trials)
    for batch in _batches(program, range(len(program.cta_ids)) if ctas is None else ctas, machine.batch):
        machine.run(batch)
    decoded = machine.code.decoded
    approximate = tuple(sorted(place for place, one in decoded.items() if one.approximate))
    rounded = tuple(sorted({one.rounds for one in decoded.values()} - {""}))
    return [_outcome(machine, trial, approximate, rounded) for trial in range(len(trials))]


def _outcome(machine: Machine, trial: int, approximate: tuple[int, ...], rounded: tuple[str, ...]) -> Replayed:
    outputs, written, stored = {}, {}, {}
    for index, tensor in enumerate(machine.launch.tensors):
        if tensor.role in ("out", "inout"):
            raw, touched, held = machine.memory.tensor(machine.launch, index, trial)
            outputs[tensor.name] = from_bytes(tensor, raw)
            stored[tensor.name] = touched.reshape(tensor.shape)
            written[tensor.name] = stored[tensor.name] | held
    return Replayed(outputs, written, approximate, rounded, stored)


def _batches(program: Program, ctas: Sequence[int], size: int) -> Iterator[list[int]]:
    """CTAs with the same instructions, masks and flags, at most `size` together, in order of the first."""
    groups: dict[tuple[bytes, bytes, bytes], list[int]] = {}
    for cta in ctas:
        rows = slice(int(program.cta_rows[cta]), int(program.cta_rows[cta + 1]))
        key = (program.row_instr[rows].tobytes(), program.row_mask[rows].tobytes(), program.row_flags[rows].tobytes())
        groups.setdefault(key, []).append(cta)
    for group in groups.values():
        for start in range(0, len(group), size):
            yield group[start : start + size]

"""Stage `unroll`: runs every CTA of a launch and keeps its straight-line program."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx.flat import FlatKernel, flat_of
from volta_pipe.passes.unroll.assemble import Assembler
from volta_pipe.passes.unroll.memory import plan
from volta_pipe.passes.unroll.run import Run

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

# Architecture limit on threads in a CTA (CUDA C++ guide, compute capabilities).
_MAX_THREADS = 1024
# A grid beyond this could not be run in a sensible time.
_MAX_CTAS = 1 << 22


def unroll(
    module: ModuleOp | FlatKernel,
    launch: Launch,
    *,
    max_steps: int = 2_000_000_000,
    max_memory: int = 8 << 30,
    progress: Callable[[int], None] | None = None,
    gap: int = 0,
) -> Program:
    """The program of every CTA. module: of the `ptx` dialect, or its kernel as plain data; max_steps: thread-instructions;
    max_memory: bytes of rows and tables; gap: bytes between variables, see `memory.plan`.

    What the machine cannot pass becomes an event and ends the run (`complete` is False). Errors: InputError where the launch
    does not fit the kernel, UnsupportedError for what cannot be assembled."""
    if not 1 <= launch.threads <= _MAX_THREADS:
        raise InputError(f"a block of {launch.threads} threads; 1 to {_MAX_THREADS} are allowed")
    kernel = flat_of(module)
    _check_limits(kernel, launch)
    if launch.ctas is None and prod(launch.grid) > _MAX_CTAS:
        raise UnsupportedError(f"a grid of {prod(launch.grid)} CTAs; name those to run with `ctas`, or make the dims smaller")
    layout = plan(kernel, launch, gap)
    code = Assembler(kernel, launch, layout).assemble()
    return Run(launch, layout, code, max_steps, max_memory, progress).program()


def _check_limits(kernel: FlatKernel, launch: Launch) -> None:
    for name, limit in (("reqntid", kernel.reqntid), ("maxntid", kernel.maxntid)):
        if limit is None:
            continue
        sizes = list(limit)
        if name == "reqntid" and tuple(sizes + [1] * (3 - len(sizes))) != launch.block:
            raise InputError(f"the kernel requires a block of {sizes}, the contract gives {list(launch.block)}")
        if name == "maxntid" and launch.threads > int(np.prod(sizes)):
            raise InputError(f"the kernel allows {int(np.prod(sizes))} threads a block, the contract gives {launch.threads}")

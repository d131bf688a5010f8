"""A kernel on concrete inputs, as a side of a dynamic test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx.flat import FlatKernel
from volta_pipe.passes.dynamic.sides import Side
from volta_pipe.passes.dynamic.touched import touching
from volta_pipe.passes.replay import replay_each, to_numbers

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Array = np.ndarray[Any, np.dtype[Any]]


class Kernel:
    """An unrolled kernel, or some of its CTAs (indices into cta_ids). `steps`: thread-instructions of a run."""

    def __init__(
        self, module: ModuleOp | FlatKernel, program: Program, launch: Launch, ctas: Sequence[int] | None = None
    ) -> None:
        self.module, self.program, self.launch, self.ctas = module, program, launch, ctas
        self.steps = int(program.steps)
        if ctas is not None:
            self.steps = self.steps * len(ctas) // max(len(program.cta_ids), 1)

    def of_element(self, name: str, element: int) -> Kernel:
        """The CTAs that touch an element (row-major): they compute it as the whole kernel does, unless CTAs work together."""
        return Kernel(self.module, self.program, self.launch, sorted(touching(self.program, self.launch, name, element)))

    def __call__(self, trials: Sequence[Mapping[str, Array]]) -> list[Side]:
        """The outputs in each trial. Errors: UnsupportedError, as of `replay`."""
        dtypes = {t.name: t.dtype for t in self.launch.tensors}
        sides = []
        for done in replay_each(self.module, self.program, self.launch, trials, self.ctas):
            numbers = {name: to_numbers(array, dtypes[name]) for name, array in done.outputs.items()}
            sides.append(Side(numbers, done.written, done.rounded, done.stored))
        return sides

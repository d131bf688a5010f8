"""Runs PTX text through lower, unroll, check and vc on concrete or symbolic tensors, for the tests of these stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.launch import Argument, Launch, Scalar, Tensor
from volta_pipe.ir.program import Program
from volta_pipe.passes.check import SafetyReport, check
from volta_pipe.passes.lower import Lowered, lower
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

Array = np.ndarray[Any, np.dtype[Any]]
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
REGISTERS = ".reg .pred %p<20>; .reg .b16 %rs<20>; .reg .b32 %r<60>; .reg .f32 %f<60>; .reg .b64 %rd<40>; .reg .f64 %fd<20>;"
# %r50: thread in the CTA (x), %rd30..: the parameters, %rd20..: their elements of 4 bytes for this thread.
PROLOGUE = "mov.u32 %r50, %tid.x;"


def tensor(name: str, dtype: str, shape: Sequence[int] | int, role: str, values: Array | None = None, **more: Any) -> Tensor:
    """A tensor, contiguous unless `strides` is given."""
    dims = (shape,) if isinstance(shape, int) else tuple(shape)
    contiguous = tuple(int(np.prod(dims[axis + 1 :])) for axis in range(len(dims)))
    return Tensor(name, dtype, dims, more.pop("strides", contiguous), role, values=values, **more)


def kernel(body: str, parameters: Sequence[str], *, before: str = "") -> str:
    """A file with the entry `k`. Each parameter is `name` (a pointer, loaded into %rd_name) or `.type name` (left alone)."""
    typed = [p if p.startswith(".") else f".u64 {p}" for p in parameters]
    loads = "\n".join(f".reg .b64 %rd_{p}; ld.param.u64 %rd_{p}, [{p}];" for p in parameters if not p.startswith("."))
    head = ", ".join(f".param {p}" for p in typed)
    return f"{HEAD}{before}\n.visible .entry k({head})\n{{\n{REGISTERS}\n{loads}\n{PROLOGUE}\n{body}\nret;\n}}\n"


def at(name: str, index: str = "%r50", size: int = 4, register: str = "") -> str:
    """Code that puts the address of element `index` (a 32-bit register) of a pointer parameter into %rd_name_at."""
    target = register or f"%at_{name}"
    return f".reg .b64 {target}; mul.wide.u32 {target}, {index}, {size}; add.s64 {target}, {target}, %rd_{name};"


@dataclass(frozen=True)
class Outcome:
    """What the stages gave. `conditions` is None where the program is not complete."""

    lowered: Lowered
    launch: Launch
    program: Program
    report: SafetyReport

    @property
    def kinds(self) -> list[str]:
        return [finding.kind for finding in self.report.findings]

    def conditions(self) -> Conditions:
        return vc(self.program, self.launch)

    def outputs(self) -> dict[str, Array]:
        """The constants that the outputs hold, float64 in the tensor's shape; NaN where an element is no constant."""
        found = self.conditions()
        graph, result = found.graph, {}
        for index, roots in found.outputs.items():
            values = [graph.constant(int(n)) if graph.op[n] == 1 else float("nan") for n in roots]
            result[self.launch.tensors[index].name] = np.array(values).reshape(self.launch.tensors[index].shape)
        return result

    def line(self, instruction: int) -> int:
        return self.lowered.lines.ptx_line(instruction)


def launch_of(tensors: Sequence[Tensor], block: Sequence[int] | int = 32, grid: Sequence[int] | int = 1, **more: Any) -> Launch:
    """A launch whose arguments are the tensors in order, unless `arguments` says otherwise."""
    three = [tuple([*([x] if isinstance(x, int) else x), 1, 1][:3]) for x in (grid, block)]
    arguments = more.pop("arguments", None) or tuple(Argument("pointer", i) for i in range(len(tensors)))
    scalars: tuple[Scalar, ...] = more.pop("scalars", ())
    return Launch(tuple(tensors), scalars, tuple(arguments), three[0], three[1], **more)  # type: ignore[arg-type]


def run(text: str, launch: Launch, **limits: Any) -> Outcome:
    """Lowers the entry `k`, unrolls and checks it."""
    lowered = lower(text, "t.ptx", "k")
    program = unroll(lowered.module, launch, **limits)
    return Outcome(lowered, launch, program, check(program, launch))


def run_body(body: str, tensors: Sequence[Tensor], block: Sequence[int] | int = 32, **more: Any) -> Outcome:
    """`run` of a kernel whose parameters are the tensors by name."""
    before, limits = more.pop("before", ""), {k: more.pop(k) for k in ("max_steps", "max_memory") if k in more}
    return run(kernel(body, [t.name for t in tensors], before=before), launch_of(tensors, block, **more), **limits)

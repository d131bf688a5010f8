"""Kernels of a few instructions on concrete inputs: the PTX around a body, its launch, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volta_pipe.ir.launch import Argument, Launch, Scalar, Tensor
from volta_pipe.passes.lower import lower
from volta_pipe.passes.replay import Replayed, replay
from volta_pipe.passes.unroll import unroll

Array = np.ndarray[Any, np.dtype[Any]]
HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %d<30>; .reg .f64 %g<9>;"


def tensor(name: str, dtype: str, shape: Sequence[int] | int, role: str, **more: Any) -> Tensor:
    dims = (shape,) if isinstance(shape, int) else tuple(shape)
    strides = tuple(int(np.prod(dims[axis + 1 :])) for axis in range(len(dims)))
    return Tensor(name, dtype, dims, more.pop("strides", strides), role, **more)


def run(
    body: str,
    tensors: Sequence[Tensor],
    contents: dict[str, Any],
    *,
    scalars: Sequence[Scalar] = (),
    threads: int = 32,
    grid: int = 1,
    before: str = "",
) -> Replayed:
    """Runs a kernel: parameter i is tensor i, its address in %d(10+i), %r30 tid.x, %r31 ctaid.x, %d20 = 4 · tid.x."""
    names = [f"p{k}" for k in range(len(tensors))]
    typed = [f".param .u64 {n}" for n in names] + [f".param .{s.dtype} s{k}" for k, s in enumerate(scalars)]
    loads = "\n".join(f"ld.param.u64 %d{10 + k}, [{n}];" for k, n in enumerate(names))
    head = f"{loads}\nmov.u32 %r30, %tid.x; mov.u32 %r31, %ctaid.x; mul.wide.u32 %d20, %r30, 4;"
    text = f"{HEAD}{before}\n.visible .entry k({', '.join(typed)})\n{{\n{REGISTERS}\n{head}\n{body}\nret;\n}}\n"
    arguments = [Argument("pointer", k) for k in range(len(tensors))] + [Argument("scalar", k) for k in range(len(scalars))]
    launch = Launch(tuple(tensors), tuple(scalars), tuple(arguments), (grid, 1, 1), (threads, 1, 1))
    module = lower(text, "k.ptx", "k").module
    return replay(module, unroll(module, launch), launch, contents)

"""What `cutting` and `grouping` both measure: code and artifacts of a program, as `unroll` and the driver make them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any, TypeVar

from volta_pipe.ir.canonical_program import canonical, encode_code
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.ir.ptx.flat import flat_of
from volta_pipe.passes.unroll.assemble import Assembler
from volta_pipe.passes.unroll.code import Code
from volta_pipe.passes.unroll.memory import Layout, plan

T = TypeVar("T")
STEPS, MEMORY = 2_000_000_000, 8 << 30  # budgets of a run


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What a call gives, and how many seconds it takes."""
    start = time.perf_counter()
    value = call()
    return value, time.perf_counter() - start


def assembled(module: Any, launch: Launch) -> tuple[Layout, Code]:
    """Layout and code of a lowered kernel: what `unroll` does before it runs a CTA."""
    kernel = flat_of(module)
    layout = plan(kernel, launch, 0)
    return layout, Assembler(kernel, launch, layout).assemble()


def written(program: Program) -> tuple[bytes, bytes, Program]:
    """Both artifacts of a program with their digests taken, whatever its rows came from, and its canonical form."""
    plain, origins, registers = canonical(program)
    artifact, code = b"".join(plain.encode()), b"".join(encode_code(program, origins, registers))
    for data in (artifact, code):
        hashlib.sha256(data).hexdigest()
    return artifact, code, plain

"""Kernels with barrier objects, for the tests of this folder: text, launch, and what the stages say."""

from __future__ import annotations

from typing import Any

import numpy as np
from unroll_harness import Outcome, run_body, tensor

Array = np.ndarray[Any, np.dtype[Any]]
# Two objects, and a word of shared memory for each thread at %r42. %r50 is the thread, %p1 says that it is thread 0.
SHARED = (
    ".shared .align 8 .b64 bar; .shared .align 8 .b64 bar2; .shared .align 16 .b8 s[1024];"
    "mov.u32 %r40, bar; mov.u32 %r39, bar2; mov.u32 %r41, s; shl.b32 %r43, %r50, 2; add.u32 %r42, %r41, %r43;"
    "setp.eq.u32 %p1, %r50, 0;"
)


def wait(parity: str, at: str = "%r40", form: str = "test_wait.parity") -> str:
    """A loop that asks until the phase of a parity (a number or register) is complete."""
    return f"{{ .reg .pred q; AGAIN: mbarrier.{form}.shared::cta.b64 q, [{at}], {parity}; @!q bra AGAIN; }}"


def init(count: object, at: str = "%r40", barrier: str = "bar.sync 0;") -> str:
    """Thread 0 initialises, then all meet."""
    return f"@%p1 mbarrier.init.shared.b64 [{at}], {count}; {barrier}"


ARRIVE = "mbarrier.arrive.shared.b64 _, [%r40];"


def run(body: str, threads: int = 32, **more: Any) -> Outcome:
    """x: 1, 2, … for each thread; y: what the kernel gives. A body ends with the threads' results in %r1."""
    x = tensor("x", "u32", threads, "in", values=np.arange(1, threads + 1, dtype=np.uint32))
    y = tensor("y", "u32", threads, "out")
    text = (
        SHARED + ".reg .b64 %ax; mul.wide.u32 %ax, %r50, 4; .reg .b64 %ay; add.s64 %ay, %ax, %rd_y; add.s64 %ax, %ax, %rd_x;"
        "ld.global.u32 %r49, [%ax]; mov.u32 %r1, 0;" + body + "st.global.u32 [%ay], %r1;"
    )
    return run_body(text, [x, y], threads, **more)


def messages(outcome: Outcome) -> str:
    return "\n".join(f"{finding.kind}: {finding.message}" for finding in outcome.report.findings)


def values(outcome: Outcome) -> list[int]:
    assert outcome.kinds == [], messages(outcome)
    return [int(v) for v in outcome.outputs()["y"].ravel()]

"""Functions: sin cos lg2 ex2 tanh (PTX ISA 9.7.3.18 to 9.7.3.22, 9.7.4.9, 9.7.4.10), all approximate.

They are computed in double precision and rounded to nearest. The ISA bounds the error only (of ex2.approx.f32 two units in the
last place, of sin and cos 2^-20.9 absolute in the first quadrant, of lg2 2^-22), so hardware gives other last bits, and all
these forms are marked approximate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from volta_pipe.passes.replay.bits import masked
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import BF16, F16, F32, decode, flush
from volta_pipe.passes.replay.meaning.arithmetic import format_of, halves
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
_OPERATIONS: dict[str, Callable[[Array], Array]] = {
    "sin": np.sin, "cos": np.cos, "lg2": np.log2, "ex2": np.exp2, "tanh": np.tanh,
}  # fmt: skip
_HALF = ("f16", "f16x2", "bf16", "bf16x2")


@meaning_for("sin cos lg2", among("f32"))
def _single(s: Spelling) -> Function:
    return _function(s)


@meaning_for("ex2 tanh", among("f32", *_HALF))
def _either(s: Spelling) -> Function:
    return _function(s)


def _function(s: Spelling) -> Function:
    fmt, ftz, operate = format_of(s), s.flag("ftz"), _OPERATIONS[s.mnemonic]
    s.need(s.flag("approx"), "needs .approx")
    s.need(not ftz or fmt is F32 or (fmt is BF16 and s.mnemonic == "ex2"), "has .ftz, which its type has not")
    s.need(not ftz or s.mnemonic != "tanh", "has .ftz, which it has not")
    s.need(ftz or fmt is not BF16 or s.mnemonic != "ex2", "needs .ftz")
    assert fmt in (F32, F16, BF16)
    s.approximate = True

    def function(a: Array) -> tuple[Array, ...]:
        a = masked(a, fmt.width)
        out = encode(operate(decode(flush(a, fmt) if ftz else a, fmt)), fmt)
        return (flush(out, fmt) if ftz else out,)

    return halves(s, function)

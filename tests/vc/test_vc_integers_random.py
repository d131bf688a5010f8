"""Random programs on integers: the formulas of what is not known give what the machine computes where the same is known."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import random

import numpy as np
import pytest
from test_vc_integers import TYPES
from unroll_harness import Array, at, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.ir.errors import UnsupportedError

LANES = 16
_BINARY = (
    "add.s32",
    "sub.s32",
    "mul.lo.s32",
    "mul.hi.s32",
    "mul.hi.u32",
    "min.s32",
    "max.u32",
    "max.s32",
    "min.u32",
    "add.sat.s32",
)
_UNARY = ("neg.s32", "abs.s32", "not.b32", "cnot.b32")
_COMPARE = ("lt.s32", "le.u32", "eq.s32", "gt.s32", "ne.u32", "ge.u32")


def _line(rng: random.Random, new: str, old: list[str], step: int) -> str:
    """One instruction, or a few, that set register `new` from two of `old`."""
    a, b, c = rng.choice(old), rng.choice(old), rng.choice(old)
    amount, number = rng.randint(0, 33), rng.choice((0, 1, -1, 3, 7, 255, -128, 65535, 1 << 20, -(1 << 31)))
    return rng.choice([
        f"{rng.choice(_BINARY)} {new}, {a}, {b};",
        f"{rng.choice(_BINARY)} {new}, {a}, {number};",
        f"{rng.choice(_UNARY)} {new}, {a};",
        f"mad.lo.s32 {new}, {a}, {b}, {c};",
        f"shl.b32 {new}, {a}, {amount};",
        f"shr.{rng.choice(('s32', 'u32'))} {new}, {a}, {amount};",
        f"bfe.{rng.choice(('s32', 'u32'))} {new}, {a}, {rng.randint(0, 20)}, {rng.randint(0, 12)};",
        f"and.b32 {new}, {a}, {rng.choice((1, 15, 255, 4095, -16, -256, 0xFF00, 0xFFFF0000))};",
        f"div.{rng.choice(('s32', 'u32'))} {new}, {a}, {rng.choice((2, 3, 7, 10, 128))};",
        f"rem.{rng.choice(('s32', 'u32'))} {new}, {a}, {rng.choice((2, 3, 7, 10, 128))};",
        f"dp4a.{rng.choice(('s32', 'u32'))}.{rng.choice(('s32', 'u32'))} {new}, {a}, {b}, {c};",
        f"dp2a.{rng.choice(('lo', 'hi'))}.{rng.choice(('s32', 'u32'))}.s32 {new}, {a}, {b}, {c};",
        f"sad.{rng.choice(('s32', 'u32'))} {new}, {a}, {b}, {c};",
        f"cvt.{rng.choice(('s32.s8', 's32.u8', 's32.s16', 's32.u16', 'u32.u8', 'sat.s8.s32', 'sat.u8.s32', 'sat.u8.u32'))} {new}, {a};",
        f"prmt.b32 {new}, {a}, {b}, {rng.choice(('0x5410', '0x7632', '0x3210', '0x4440', '0x8880', '0x0123'))};",
        f"mov.b32 {{%h{step}, %g{step}}}, {a}; mov.b32 {new}, {{%g{step}, %h{step}}};",
        f"setp.{rng.choice(_COMPARE)} %q{step}, {a}, {rng.choice((b, number))}; selp.b32 {new}, {rng.choice((c, number))}, {rng.choice((1, 0, b))}, %q{step};",
        f"mul.wide.{rng.choice(('s32', 'u32'))} %w{step}, {a}, {b}; shr.{rng.choice(('s64', 'u64'))} %w{step}, %w{step}, {rng.choice((8, 13, 32, 40))}; cvt.u32.u64 {new}, %w{step};",
        f"cvt.s64.s32 %w{step}, {a}; cvt.u64.u32 %v{step}, {b}; add.s64 %w{step}, %w{step}, %v{step}; mov.b64 {{%l{step}, {new}}}, %w{step};",
    ])  # fmt: skip


def program(rng: random.Random, length: int) -> str:
    """Instructions on %x0 and %x1; the last register is %z."""
    old = ["%x0", "%x1"]
    text = f".reg .b32 %n<{length}>, %l<{length}>; .reg .pred %q<{length}>; .reg .b64 %w<{length}>, %v<{length}>; .reg .b16 %h<{length}>, %g<{length}>;"
    for step in range(length):
        text += _line(rng, f"%n{step}", old, step)
        old.append(f"%n{step}")
    return text + f"mov.b32 %z, %n{length - 1};"


def _values(rng: random.Random, dtype: str) -> Array:
    kind = TYPES[dtype]
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    edges = [low, high, 0, 1, low + 1, high - 1, 5, 100]
    return np.array([rng.choice((rng.choice(edges), rng.randint(low, high))) for _ in range(2 * LANES)], kind)


def agrees(seed: int) -> bool:
    """False where the program has no formula."""
    rng = random.Random(seed)
    dtype = rng.choice(("s32", "u32", "s16", "u8", "s8"))
    size = np.dtype(TYPES[dtype]).itemsize
    load = f"ld.global.{'b32' if size == 4 else dtype}"
    body = at("x", size=2 * size) + at("o") + f".reg .b32 %x<2>, %z; {load} %x0, [%at_x]; {load} %x1, [%at_x+{size}];"
    body += program(rng, rng.randint(1, 6)) + "st.global.b32 [%at_o], %z;"
    x = _values(rng, dtype)
    out = tensor("o", "s32", LANES, "out")
    symbolic = run_body(body, [tensor("x", dtype, 2 * LANES, "in"), out], LANES)
    known = run_body(body, [tensor("x", dtype, 2 * LANES, "in", values=x), out], LANES)
    assert symbolic.kinds == known.kinds == []
    try:
        conditions = symbolic.conditions()
    except UnsupportedError:
        return False
    found = [int(v) for v in evaluate(conditions, {"x": x}, exact=True)["o"]]
    assert found == known.outputs()["o"].reshape(-1).tolist(), body
    return True


@pytest.mark.parametrize("block", range(6))
def test_formulas_give_what_the_machine_computes(block: int) -> None:
    with_formula = sum(agrees(40 * block + i) for i in range(40))
    assert with_formula >= 20

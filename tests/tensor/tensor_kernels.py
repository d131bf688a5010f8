"""PTX of one matrix instruction between loads and stores, and matrices spread over lanes for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from isa_layouts import BYTE, DOUBLE, HALF, WORD, Place, Shape
from unroll_harness import Array, Outcome, kernel, launch_of, run, tensor

ELEMENT = {
    "f16": HALF, "bf16": HALF, "tf32": WORD, "f32": WORD, "s32": WORD, "f64": DOUBLE,
    "e4m3": BYTE, "e5m2": BYTE, "s8": BYTE, "u8": BYTE,
}  # fmt: skip
BITS = {HALF: 16, WORD: 32, DOUBLE: 64, BYTE: 8}


def parts(kind: str) -> int:
    """Elements in a register."""
    return max(1, 32 // BITS[ELEMENT[kind]])


def spread(matrix: Array, count: int, place: Place) -> Array:
    """[32, count]: what each lane holds of a matrix."""
    return np.array([[matrix[place(lane, i)] for i in range(count)] for lane in range(32)])


def gathered(held: Array, shape: tuple[int, int], place: Place) -> Array:
    """The matrix that lanes hold; every element must be held."""
    found = np.full(shape, np.nan)
    for lane, values in enumerate(held):
        for i, value in enumerate(values):
            found[place(lane, i)] = value
    assert not np.isnan(found).any()
    return found


def registers(prefix: str, count: int) -> str:
    """`{%a0, %a1}`."""
    return "{" + ", ".join(f"%{prefix}{i}" for i in range(count)) + "}"


def moves(prefix: str, name: str, count: int, kind: str, action: str) -> str:
    """Declares (of a load) and moves a lane's registers: `count` of them at name[lane, 0...]."""
    width = max(32, BITS[ELEMENT[kind]])
    lines = [f".reg .b{width} %{prefix}<{count}>;"] if action == "ld" else []
    lines.append(f".reg .b64 %at_{prefix}{action}; mul.wide.u32 %at_{prefix}{action}, %r50, {count * width // 8};")
    lines.append(f"add.s64 %at_{prefix}{action}, %at_{prefix}{action}, %rd_{name};")
    for i in range(count):
        at = f"[%at_{prefix}{action}+{i * width // 8}]"
        lines.append(f"ld.global.b{width} %{prefix}{i}, {at};" if action == "ld" else f"st.global.b{width} {at}, %{prefix}{i};")
    return "\n".join(lines)


def product(
    shape: Shape, kinds: tuple[str, str, str, str], counts: tuple[int, int, int, int], words: str = "", **more: Any
) -> Outcome:
    """Runs D = A B + C with the registers of each lane loaded from a, b, c [32, elements] and stored to d. kinds, counts
    (elements of a lane): of D, A, B, C. values: of a, b, c by name."""
    d, a, b, c = kinds
    m, n, k = shape
    layouts = more.get("layouts", "row.col")
    of = {name: count // parts(kind) for name, count, kind in zip("dabc", counts, kinds, strict=True)}
    width = max(32, BITS[ELEMENT[d]])
    body = "\n".join(
        [
            *(moves(name, name, of[name], kind, "ld") for name, kind in (("a", a), ("b", b), ("c", c))),
            f".reg .b{width} %d<{of['d']}>;",
            f"mma.sync.aligned.m{m}n{n}k{k}.{layouts}{words}.{d}.{a}.{b}.{c} "
            + ", ".join(registers(name, of[name]) for name in "dabc")
            + ";",
            moves("d", "d", of["d"], d, "st"),
        ]
    )
    values: dict[str, Array] = more.get("values", {})
    tensors = [
        tensor(name, "f32" if kind == "tf32" else kind, (32, count), "out" if name == "d" else "in", values.get(name))
        for name, count, kind in zip("abcd", (*counts[1:], counts[0]), (a, b, c, d), strict=True)
    ]
    return run(kernel(body, list("abcd")), launch_of(tensors, 32))

"""Matrices between memory and registers on concrete bits: ldmatrix and stmatrix by the ISA's words, wmma by whole products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from replay_kernels import run, tensor

from volta_pipe.passes.replay import from_numbers, to_numbers

Array = np.ndarray[Any, np.dtype[Any]]
TILE = ".shared .align 128 .b8 tile[2048];"
# Shared memory gets what x holds, 512 words; %r1 is the address of row 5 l % 16 of 64 bytes.
FILL = """mov.u32 %r2, tile; shl.b32 %r3, %r30, 2; add.u32 %r2, %r2, %r3; add.u64 %d1, %d10, %d20; mov.u32 %r4, 0;
Fill: ld.global.b32 %r5, [%d1]; st.shared.b32 [%r2], %r5; add.u64 %d1, %d1, 128; add.u32 %r2, %r2, 128;
add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16; @%p1 bra Fill; bar.sync 0;
mov.u32 %r1, tile; mul.lo.u32 %r6, %r30, 5; and.b32 %r6, %r6, 15; mad.lo.u32 %r1, %r6, 64, %r1;
"""
ROWS = np.arange(32) * 5 % 16


def halves(seed: int, count: int) -> Array:
    """Different 16-bit numbers."""
    return np.random.default_rng(seed).permutation(1 << 16)[:count].astype(np.uint16)


def braces(count: int) -> str:
    return "{" + ", ".join(f"%m{i}" for i in range(count)) + "}"


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix(count: int, trans: str) -> None:
    """Lane 8 i + r gives row r of matrix i; lane l gets the elements 2 (l % 4) and the next of row l // 4."""
    x = halves(1, 1024)
    loads = f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {braces(count)}, [%r1+16];"
    stores = "".join(f"st.global.b32 [%d2+{4 * i}], %m{i};" for i in range(count))
    body = f"{FILL}.reg .b32 %m<{count}>; {loads} mul.wide.u32 %d2, %r30, {4 * count}; add.u64 %d2, %d2, %d11; {stores}"
    tensors = [tensor("x", "u32", 512, "in"), tensor("o", "u32", (32, count), "out")]
    found = run(body, tensors, {"x": x.view(np.uint32)}, before=TILE).outputs["o"]
    parts = np.ascontiguousarray(found).view(np.uint16).reshape(32, count, 2)
    for matrix in range(count):
        eight = x.reshape(32, 32)[ROWS[8 * matrix : 8 * matrix + 8], 8:16]  # 16 bytes into each row
        np.testing.assert_array_equal(parts[:, matrix].reshape(8, 8), eight.T if trans else eight)


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2])
def test_stmatrix(count: int, trans: str) -> None:
    """The reverse, in two CTAs with shared memory of their own: rows that get nothing keep what they held."""
    x, m = halves(2, 1024), halves(3, 2 * 32 * count * 2).reshape(2, 32, count, 2)
    loads = f"mad.lo.u32 %r7, %r31, 32, %r30; mul.wide.u32 %d2, %r7, {4 * count}; add.u64 %d2, %d2, %d11;"
    loads += "".join(f"ld.global.b32 %m{i}, [%d2+{4 * i}];" for i in range(count))
    body = f"""{FILL}.reg .b32 %m<{count}>; {loads}
stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r1], {braces(count)}; bar.sync 0;
mul.wide.u32 %d3, %r31, 2048; add.u64 %d3, %d3, %d12; add.u64 %d3, %d3, %d20; mov.u32 %r2, tile; add.u32 %r2, %r2, %r3;
mov.u32 %r4, 0;
Copy: ld.shared.b32 %r5, [%r2]; st.global.b32 [%d3], %r5; add.u64 %d3, %d3, 128; add.u32 %r2, %r2, 128;
add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16; @%p1 bra Copy;"""
    tensors = [tensor("x", "u32", 512, "in"), tensor("m", "u32", (2, 32, count), "in"), tensor("o", "u32", (2, 512), "out")]
    contents = {"x": x.view(np.uint32), "m": m.view(np.uint32).reshape(2, 32, count)}
    found = np.ascontiguousarray(run(body, tensors, contents, grid=2, before=TILE).outputs["o"]).view(np.uint16)
    for cta in range(2):
        wanted = x.reshape(32, 32).copy()
        for matrix in range(count):
            eight = m[cta, :, matrix].reshape(8, 8)
            wanted[ROWS[8 * matrix : 8 * matrix + 8], :8] = eight.T if trans else eight
        np.testing.assert_array_equal(found[cta].reshape(32, 32), wanted)


SHAPES = [
    *(("f16", d, shape) for d in ("f16", "f32") for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))),
    *(("bf16", "f32", shape) for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))),
    *((kind, "s32", shape) for kind in ("s8", "u8") for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))),
    ("tf32", "f32", (16, 16, 8)), ("f64", "f64", (8, 8, 4)),
]  # fmt: skip
LAYOUTS = [("row", "col", "row"), ("col", "row", "col"), ("row", "row", "row"), ("col", "col", "col")]


@pytest.mark.parametrize(("kind", "accumulate", "shape"), SHAPES, ids=str)
def test_wmma(kind: str, accumulate: str, shape: tuple[int, int, int]) -> None:
    """D = A B + C from global memory, each operand in both layouts, rows 8 elements longer than the matrix."""
    m, n, k = shape
    for first, second, third in LAYOUTS if kind in ("f16", "tf32") else LAYOUTS[:2]:
        rng = np.random.default_rng(m + k)
        numbers = {
            "a": rng.permutation(m * k).reshape(m, k) % 128, "b": rng.permutation(k * n).reshape(k, n) % 128,
            "c": rng.permutation(m * n).reshape(m, n),
        }  # fmt: skip
        layouts = {"a": first, "b": second, "c": third}
        contents, tensors = {}, []
        for name, matrix in numbers.items():
            dtype = accumulate if name == "c" else "f32" if kind == "tf32" else kind
            lying = matrix if layouts[name] == "row" else matrix.T
            padded = np.pad(lying, ((0, 0), (0, 16)))
            contents[name] = from_numbers(padded, dtype)
            tensors.append(tensor(name, dtype, padded.shape, "in"))
        out = (m, n) if third == "row" else (n, m)
        tensors.append(tensor("o", accumulate, out, "out"))
        form = f"sync.aligned.m{m}n{n}k{k}"
        registers = {"a": _count(kind, shape, 0), "b": _count(kind, shape, 1)}
        registers["c"] = registers["e"] = m * n // (64 if accumulate == "f16" else 32)
        sets = {name: "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}" for name, count in registers.items()}
        lines = [f".reg .b{64 if kind == 'f64' else 32} {', '.join(f'%{name}<{count}>' for name, count in registers.items())};"]
        lines += [
            f"wmma.load.{name}.{form.replace('aligned', f'aligned.{layouts[name]}')}.global."
            f"{accumulate if name == 'c' else kind} {sets[name]}, [%d{10 + place}], {contents[name].shape[1]};"
            for place, name in enumerate("abc")
        ]
        types = f"{accumulate}.{accumulate}" if kind == "f16" else f"{accumulate}.{kind}.{kind}.{accumulate}"
        lines.append(
            f"wmma.mma.{form.replace('aligned', f'aligned.{first}.{second}')}.{types} "
            f"{sets['e']}, {sets['a']}, {sets['b']}, {sets['c']};"
        )
        lines.append(
            f"wmma.store.d.{form.replace('aligned', f'aligned.{third}')}.global.{accumulate} [%d13], {sets['e']}, {out[1]};"
        )
        done = run("\n".join(lines), tensors, contents)
        wanted = (numbers["a"] @ numbers["b"] + numbers["c"]).astype(np.float64)
        if accumulate == "f16":
            with np.errstate(over="ignore"):
                wanted = wanted.astype(np.float16).astype(np.float64)
        found = to_numbers(done.outputs["o"], accumulate).astype(np.float64)
        np.testing.assert_array_equal(found if third == "row" else found.T, wanted)
        assert bool(done.approximate) == (kind not in ("s8", "u8"))


def _count(kind: str, shape: tuple[int, int, int], operand: int) -> int:
    """Registers of A (0) or B (1): the ISA's table in 9.7.14.4.1."""
    if kind == "f16":
        return 8
    if kind == "bf16":
        return {16: (4, 4), 8: (2, 8), 32: (8, 2)}[shape[0]][operand]
    if kind in ("s8", "u8"):
        return {16: (2, 2), 8: (1, 4), 32: (4, 1)}[shape[0]][operand]
    return 4 if kind == "tf32" else 1

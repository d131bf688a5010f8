"""mma, wmma.mma and movmatrix on concrete registers, and the parts of registers that ldmatrix, stmatrix, wmma.load and
wmma.store move (PTX ISA 9.7.14.4, 9.7.14.5).

Products of floats and their sum with C are computed in float64 and rounded once, to nearest, to the type of D. Hardware sums in
an order, with a precision and with a rounding of its own, which the ISA leaves open: compare with a tolerance. A tf32 operand
is read with all bits of its register, where hardware may drop the lowest 13. Sums of integers are exact modulo 2^32, and with
.satfinite stop at the ends of the range. Which element a register holds: ir/fragments.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.fragments import LANES, Fragment
from volta_pipe.ir.tensor import Multiply
from volta_pipe.passes.replay.bits import U64, full, masked, number
from volta_pipe.passes.replay.encode import encode
from volta_pipe.passes.replay.formats import F32, FORMATS, decode

Array = np.ndarray[Any, np.dtype[Any]]
_REGISTER, _PART, _LANE = 8, 7, 31  # of a place (fragments.Fragment.places)


def multiply(tensor: Multiply, registers: list[Array]) -> list[Array]:
    """Registers of D from those of A, B and C in order, each uint64 [lanes] of whole warps."""
    held = np.stack([register.reshape(-1, LANES) for register in registers])
    a, b, c, d = tensor.fragments
    start_b, start_c = a.registers, a.registers + b.registers
    x = _elements(held[:start_b], a, tensor.kinds[1], tensor.batch)
    y = _elements(held[start_b:start_c], b, tensor.kinds[2], tensor.batch)
    z = _elements(held[start_c:], c, tensor.kinds[3], tensor.batch)
    total = x @ y + z
    kind = tensor.kinds[0]
    if kind == "s32":  # below 2^53 in float64: exact
        whole = total.astype(np.int64)
        if tensor.saturate:
            whole = np.clip(whole, -(1 << 31), (1 << 31) - 1)
        bits = masked(whole.view(np.uint64), 32)
    else:
        bits = encode(np.ascontiguousarray(total).reshape(-1), FORMATS[kind]).reshape(total.shape)
    return _registers(bits, d, tensor.batch)


def transpose(register: Array) -> Array:
    """movmatrix: lane l holds the elements 2 (l % 4) and the next of row l // 4 of an 8x8 matrix of 16 bits; so afterwards, of
    the transposed one."""
    rows = register.reshape(-1, 8, 4)
    matrix = np.stack([rows & full(16), rows >> U64(16) & full(16)], axis=-1).reshape(-1, 8, 8)
    turned = np.ascontiguousarray(matrix.transpose(0, 2, 1)).reshape(-1, 8, 4, 2)
    packed: Array = turned[..., 0] | turned[..., 1] << U64(16)
    return packed.reshape(-1)


def part_of(register: Array, part: int, width: int) -> Array:
    """What a micro-row stores: a part of `width` bits."""
    return masked(register >> U64(part * width), width)


def with_part(register: Array, part: int, width: int, values: Array) -> Array:
    """A register after a micro-row has loaded a part; the lower ones are there, what lies above is not kept."""
    whole: Array = masked(register, part * width) | values << U64(part * width)
    return whole


def _elements(held: Array, fragment: Fragment, kind: str, batch: int) -> Array:
    """The numbers of a matrix, float64 [warps, batch, rows, columns], from its registers [registers, warps, 32]."""
    places = fragment.places()
    lane = (places & _LANE) + 4 * np.arange(batch)[:, None]
    shift = ((places >> 5 & _PART) * fragment.bits).astype(np.uint64)
    bits = masked(held[places >> _REGISTER, :, lane] >> shift[:, None], fragment.bits)  # [batch, elements, warps]
    bits = np.ascontiguousarray(bits.transpose(2, 0, 1))
    if kind in ("s8", "u8", "s32"):
        values = number(bits, kind[0], fragment.bits).astype(np.float64)
    else:
        values = decode(bits.reshape(-1), F32 if kind == "tf32" else FORMATS[kind])
    return values.reshape(-1, batch, fragment.rows, fragment.columns)


def _registers(bits: Array, fragment: Fragment, batch: int) -> list[Array]:
    """The inverse: registers, each uint64 [lanes]."""
    product = np.arange(LANES) // 4 % batch
    spread = bits[:, product[:, None], fragment.row, fragment.column]  # [warps, 32, elements]
    found = []
    for register in range(fragment.registers):
        whole = np.zeros(spread.shape[:2], np.uint64)
        for part in range(fragment.parts):
            whole |= spread[:, :, register * fragment.parts + part] << U64(part * fragment.bits)
        found.append(whole.reshape(-1))
    return found

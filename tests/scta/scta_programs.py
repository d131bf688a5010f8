"""Programs for the tests of this folder: those of contracts, of small kernels, and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from unroll_harness import at, run_body, tensor

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import plan
from volta_pipe.ir.address_space import tensor_region
from volta_pipe.ir.canonical_program import WRAPPING
from volta_pipe.ir.findings import KINDS, Step
from volta_pipe.ir.instructions import MATRIX_MEMORY, MBARRIER, Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import Event, Program, Region
from volta_pipe.ir.tensor import Multiply, describe
from volta_pipe.passes.lower import lower
from volta_pipe.passes.lower.source import read_source
from volta_pipe.passes.unroll import unroll

ROOT = Path(__file__).resolve().parents[2]
MOST_ROWS = 1000
# Instructions whose rows the validation looks into: every other one of a random program.
OFTEN = (*WRAPPING, *MATRIX_MEMORY, *MBARRIER, Op.LD, Op.ST, Op.ATOM, Op.RED, Op.COPY, Op.SHFL, Op.MMA, Op.BAR, Op.VALUE)
# Matrix products: their shapes, layouts and types.
PRODUCTS = (
    ("mma", "m8n8k4 row_col", "f64 f64 f64 f64"),
    ("mma", "m16n8k16 row_col", "f32 bf16 bf16 f32"),
    ("mma", "m8n8k16 row_col satfinite", "s32 s8 u8 s32"),
    ("wmma", "m16n16k16 mma col_row", "f16 f32"),
)
# Guards, partial masks, a predicate, shared memory, a constant that flows into values, a shuffle and an atomic.
BODY = (
    at("x")
    + at("y")
    + """
.shared .align 4 .b8 s[160]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r3, %r1, %r2; ld.global.f32 %f1, [%at_x];
st.shared.f32 [%r3], %f1; bar.sync 0; xor.b32 %r4, %r50, 3; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1;
ld.shared.f32 %f2, [%r4]; setp.gt.f32 %p2, %f1, %f2; @%p2 fma.rn.f32 %f2, %f1, %f2, %f1; cvt.rn.f32.u32 %f3, %r50;
setp.lt.u32 %p1, %r50, 7; @%p1 add.f32 %f2, %f2, %f3; @!%p2 st.global.f32 [%at_y], %f2;
mov.b32 %r10, %f2; shfl.sync.bfly.b32 %r11, %r10, 1, 31, 0xffffffff; mov.b32 %f4, %r11;
red.global.add.f32 [%at_y], %f4; atom.global.add.f32 %f5, [%at_y], %f4; st.global.f32 [%at_y], %f5;
"""
)


def encoded(program: Program) -> bytes:
    return b"".join(bytes(chunk) for chunk in program.encode())


@cache
def sample() -> Program:
    """The kernel above, on 32 threads."""
    return run_body(BODY, [tensor("x", "f32", 32, "in"), tensor("y", "f32", 32, "inout")], 32).program


def programs_of(contract_path: Path) -> Iterator[Program]:
    """The programs of both sides of a contract, at each of its combinations, but for large ones."""
    contract = read_contract(contract_path)
    for dims in contract.combinations():
        planned = plan(contract, dims)
        for side in (planned.candidate, planned.reference):
            launch = side.launch() if hasattr(side, "launch") else None
            if launch is None or launch.threads * int(np.prod(launch.grid)) > 5000:
                continue
            text, name = read_source(side.spec.path, side.spec.source, side.spec.entry)
            program = unroll(lower(text, name, side.spec.entry).module, launch)
            if len(program.row_instr) <= MOST_ROWS:
                yield program


def _distinct(rng: np.random.Generator, count: int, make: Any) -> list[Any]:
    """At most `count` different things."""
    return list(dict.fromkeys(make() for _ in range(count)))


def random_program(seed: int) -> Program:
    """A program that passes the artifact's validation and means nothing: any instructions, masks, patterns, regions, events."""
    rng = np.random.default_rng(seed)
    threads, registers, ctas = int(rng.integers(1, 100)), int(rng.integers(1, 12)), int(rng.integers(0, 4))
    masks = _distinct(rng, 5, lambda: tuple(sorted({*rng.integers(0, threads, rng.integers(1, 2 * threads)).tolist()})))
    regions = [Region(1, "shared", "shared", 0, 64, 0, variables=(("s", 0, 64),))]
    # A tensor may have the name of a state space, and no name at all is allowed, too.
    for i, name in enumerate(("x", "shared", "")[: rng.integers(1, 4)]):
        regions.append(
            Region(tensor_region(i), name, "global", 4 * i, 400, i % 3, i, ("in", "out", "inout")[i], (), b"\x00\xff" * i)
        )
    code: list[dict[str, int]] = []
    operands: list[int] = []
    for _ in range(rng.integers(1, 25)):
        code.append(_random_code(rng, threads * ctas, registers, len(operands)))
        operands += rng.integers(0, registers, code[-1]["results"] + code[-1]["inputs"]).tolist()
    patterns: dict[tuple[int, ...], int] = {}
    rows: list[tuple[int, int, int, int, int]] = []
    bounds = [0]
    for _ in range(ctas):
        for _ in range(rng.integers(0, 12)):
            rows += _random_rows(rng, code, masks, patterns, [r.number for r in regions], registers, threads)
        bounds.append(len(rows))
    order = list(patterns) if rng.integers(0, 2) else sorted(patterns)  # numbered as they are met, or not
    numbers = {patterns[pattern]: place for place, pattern in enumerate(order)} | {-1: -1}
    start = np.cumsum([0, *(len(pattern) for pattern in order)])
    bits = np.zeros((len(masks), 64 * (-(-threads // 64))), np.uint8)
    for number, lanes in enumerate(masks):
        bits[number, list(lanes)] = 1
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    steps = (Step("a line with “quotes” \\ and − signs\n", 3), Step("", -1))
    event = Event(KINDS[seed % len(KINDS)], 'message "é"', 5, 0, (0, threads - 1), -1, 2, steps)
    types = {"sub": np.int32, "imm": np.int64, "guard": np.int32, "first": np.int32, "results": np.int32, "inputs": np.int32}
    return Program(
        threads=threads, block=(threads, 1, 1), registers=registers,
        **{key: np.array([row[key] for row in code], types.get(key, np.uint8)) for key in code[0]},
        operands=np.array(operands, np.int32), row_instr=np.array(columns[0], np.int32),
        row_mask=np.array(columns[1], np.int32), row_base=np.array(columns[2], np.int64),
        row_pattern=np.array([numbers[n] for n in columns[3]], np.int32), row_flags=np.array(columns[4], np.uint8),
        mask_bits=np.packbits(bits, axis=1, bitorder="little").view(np.uint64).reshape(len(masks), -1),
        pattern_start=start.astype(np.int64), pattern_values=np.array([v for p in order for v in p], np.int64),
        cta_ids=rng.integers(0, 9, (ctas, 3)).astype(np.int32), cta_rows=np.array(bounds, np.int64),
        regions=tuple(regions), events=(event,) * (seed % 3), steps=int(rng.integers(0, 1 << 40)),
        complete=bool(seed % 2), assumptions=("floats are real numbers", "“other” text")[: seed % 3],
    )  # fmt: skip


def _random_code(rng: np.random.Generator, all_threads: int, registers: int, first: int) -> dict[str, int]:
    """A static instruction, whose operands begin at `first`: accesses have 1 to 64 bytes, matrix products their registers."""
    op = Op(int(rng.choice([int(op) for op in (OFTEN if rng.integers(0, 2) else Op)])))
    results, inputs = (int(n) for n in rng.integers(0, 5, 2))
    width, sub = int(rng.choice([8, 16, 32, 64, 1, 0])), int(rng.integers(-(1 << 31), 1 << 31))
    if op in (Op.LD, Op.ST, Op.ATOM, Op.SHFL):
        results, inputs = max(results, 1), max(inputs, 2)
    if op in (Op.LD, Op.ST, Op.ATOM):
        width = max(width, 8)
    if op in MATRIX_MEMORY:  # a register is there for each micro-row
        results, inputs, width = 4, 5, 32
    if op == Op.MMA:
        mnemonic, words, types = PRODUCTS[rng.integers(0, len(PRODUCTS))]
        product = describe(mnemonic, words.split(), types.split())
        assert isinstance(product, Multiply)
        results, inputs, sub = len(product.results), len(product.operands), product.code
    wrapped = op in WRAPPING  # then `imm` is a thread, counted from 1
    nodes = [int(node) for node in Node] if op == Op.VALUE else [0, 1, 2, 11, 40, 200]
    return {
        "op": op, "width": 128 if op == Op.COPY else width, "width2": int(rng.choice([0, 32, 64])),
        "signed": int(rng.choice([0, 1, 2, 3, 4, 5, 9])), "signed2": int(rng.integers(0, 6)),
        "sub": sub, "imm": int(rng.integers(0, all_threads + 1)) if wrapped else int(rng.integers(-(1 << 62), 1 << 62)),
        "node": int(rng.choice(nodes)), "guard": int(rng.integers(-1, registers)),
        "negated": int(rng.integers(0, 2)), "first": first, "results": results, "inputs": inputs,
    }  # fmt: skip


def _random_rows(
    rng: np.random.Generator,
    code: list[dict[str, int]],
    masks: list[tuple[int, ...]],
    patterns: dict[tuple[int, ...], int],
    regions: list[int],
    registers: int,
    threads: int,
) -> list[tuple[int, int, int, int, int]]:
    """One row, or the two of a copy."""
    mask = int(rng.integers(0, len(masks)))

    def place() -> tuple[int, int]:
        base = (int(rng.choice([0, 7, *regions])) << 32) + int(rng.integers(0, 1 << 20))
        kind = rng.integers(0, 3)
        if kind == 0:
            return base, -1
        count = len(masks[mask])
        steps = rng.integers(-9, 9, count) if kind == 1 else np.full(count, rng.integers(-9, 9))
        return base, patterns.setdefault((0, *np.cumsum(steps)[1:].tolist()), len(patterns))

    if rng.integers(0, 4) == 0:
        return [(-1 - int(rng.integers(0, registers)), mask, *place(), 0)]
    instr = int(rng.integers(0, len(code)))
    static = code[instr]
    op = Op(static["op"])
    flags = int(rng.integers(0, 2)) if static["guard"] >= 0 else 0
    if op == Op.COPY:
        flags |= int(rng.integers(0, 17)) << 3
        return [(instr, mask, *place(), flags | 2), (instr, mask, *place(), flags)]
    if op in (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE):
        return [(instr, mask, int(rng.integers(0, 16)), -1, flags | 8 * int(rng.integers(0, 2)))]
    if op == Op.SHFL:
        lanes = rng.integers(0, threads, len(masks[mask]))
        values = (0, *(lanes[1:] - lanes[0]).tolist())
        pattern = patterns.setdefault(values, len(patterns)) if rng.integers(0, 2) else -1
        return [(instr, mask, int(lanes[0]), pattern, flags)]
    if op in MATRIX_MEMORY:
        flags |= int(rng.integers(0, 4)) << 3
    if op in (Op.ATOM, Op.RED):
        flags |= 4 * int(rng.integers(0, 2))
    if op in MBARRIER:
        flags |= 8 * int(rng.integers(0, 2))
    return [(instr, mask, *place(), flags)]

"""In which formats a kernel adds up what its outputs are made of (ir/precision.py).

The graph is one of reals and says nothing of formats. But each row made its nodes one after the other, so that a node tells
its instruction; and what a conversion rounded is marked (ROUND). So the nodes are walked once, before they are shared: a sum
of one thread is a node of its own there, whatever other threads compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from volta_pipe.ir.atomics import ADD, CODE_MASK
from volta_pipe.ir.compiled import entry, inner, int64
from volta_pipe.ir.graph import ARITY_TABLE, Int32
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.node_store import Store
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.precision import RANK, WIDE_TO_NARROW, Precision
from volta_pipe.ir.program import Program
from volta_pipe.ir.share import mark
from volta_pipe.ir.small_floats import FORMATS, TF32, format_for
from volta_pipe.ir.tensor import Multiply

Array = np.ndarray[Any, np.dtype[Any]]
_ADD, _SUB, _MUL, _FMA, _DIV, _NEG, _MIN, _MAX = (
    int64(n) for n in (Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.DIV, Node.NEG, Node.MIN, Node.MAX)
)
_FLOOR, _SAT, _ROUND, _SELECT = (int64(n) for n in (Node.FLOOR, Node.SAT, Node.ROUND, Node.SELECT))
_format_of: Any = cast(Any, format_for).py_func
_FLOAT, _SUMS = 2, (Node.ADD, Node.SUB, Node.FMA)
_WIDEST = int64(len(WIDE_TO_NARROW))
# uint8 by format number (ir/small_floats.py): its rank.
_RANKS = np.zeros(65, np.uint8)
_RANKS[[int(number) for number in FORMATS.values()]] = [RANK[name if name != "tf32" else "f32"] for name in FORMATS]
_RANKS[int(TF32)] = RANK["tf32"]


def precision_of(program: Program, store: Store, made: Int32, outputs: Mapping[str, Int32]) -> tuple[Precision, ...]:
    """What each output's elements depend on. made: int32 [rows + 1], the first node of each row; outputs: by name the roots in
    `store`, int32 of any shape."""
    formats, adds = _instructions(program)
    size = int(store.n[0])
    held, summed = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    _sums(store, made, program.row_instr, formats, adds, _RANKS, held, summed)
    return tuple(
        _of_output(name, store, made, program.row_instr, formats, adds, summed, roots) for name, roots in outputs.items()
    )


def _of_output(
    name: str, store: Store, made: Int32, instr: Array, formats: Array, adds: Array, summed: Array, roots: Int32
) -> Precision:
    """The counts of one output."""
    reached = np.zeros(int(store.n[0]), np.uint8)
    reached[roots] = 1
    mark(store, ARITY_TABLE, reached)
    counts = np.zeros((len(formats), len(WIDE_TO_NARROW) + 1), np.int64)
    _count(store, made, instr, adds, summed, reached, counts)
    total = counts.sum(1)
    of_format = {rank: int(total[formats == rank].sum()) for rank in sorted(set(formats.tolist()), reverse=True)}
    chains = [
        (WIDE_TO_NARROW[-rank], int(i), int(counts[i, rank]))
        for rank in range(1, len(WIDE_TO_NARROW) + 1)
        for i in np.flatnonzero(counts[:, rank])
    ]
    return Precision(name, tuple((WIDE_TO_NARROW[-rank], n) for rank, n in of_format.items() if n), tuple(chains))


def _instructions(program: Program) -> tuple[Array, Array]:
    """By instruction: uint8, the rank of the format that it computes in (0: it computes no floats), and whether it adds."""
    formats, adds = np.zeros(len(program.op), np.uint8), np.zeros(len(program.op), np.uint8)
    for i in np.flatnonzero(np.isin(program.op, (Op.VALUE, Op.ATOM, Op.RED, Op.MMA))).tolist():
        if program.op[i] == Op.MMA:
            # At least single precision where C or D is f32, at least half precision where both are f16 (PTX ISA 9.7.14.5.14).
            d, _, _, c = Multiply.of_code(int(program.sub[i])).kinds
            formats[i] = max(RANK.get(d, 0), RANK.get(c, 0))
            adds[i] = formats[i] > 0
        elif program.signed[i] >= _FLOAT:
            formats[i] = _RANKS[_format_of(int(program.width[i]), int(program.signed[i]))]
            atomic = program.op[i] != Op.VALUE
            adds[i] = program.sub[i] & CODE_MASK == ADD if atomic else program.node[i] in _SUMS
    return formats, adds


@inner
def _scaled(op: Array, a: Array, b: Array, c: Array, held: Array, node: int) -> int:
    """Of u · v + w and u / v + w, where w is no sum, the narrowest format that a factor which is a sum was in; else 0."""
    code = op[node]
    if code == _FMA:
        return int64(0) if held[c[node]] else _narrowest(int64(held[a[node]]), int64(held[b[node]]))
    if code != _ADD and code != _SUB:
        return int64(0)
    x, other = a[node], b[node]
    if held[other]:
        x, other = other, x
    if held[other]:
        return int64(0)
    if op[x] == _MUL:
        return _narrowest(int64(held[a[x]]), int64(held[b[x]]))
    return int64(held[a[x]]) if op[x] == _DIV else int64(0)


@inner
def _narrowest(x: int, y: int) -> int:
    """The narrower of two formats of which each may be none."""
    return min(x, y) if x and y else x + y


@entry
def _sums(
    store: Store, made: Array, instr: Array, formats: Array, adds: Array, ranks: Array, held: Array, summed: Array
) -> None:
    """Fills by node, as ranks of formats: held, the narrowest that a sum was in since it was last a factor, 0 where the node is
    no sum; summed, the format of an addition that goes on with a sum, 0 elsewhere.

    Rows are in order, and operands before their node. A sum that is moved, converted, chosen, scaled or clamped stays one; a
    function of one (exp, 1/x, a comparison) is none."""
    op, a, b, c = store.op, store.a, store.b, store.c
    for r in range(len(instr)):
        i = instr[r]
        format = int64(formats[i]) if i >= 0 and formats[i] else _WIDEST
        adding = i >= 0 and adds[i] != 0
        for node in range(made[r], made[r + 1]):
            code = op[node]
            if code == _ADD or code == _SUB:
                x, y = int64(held[np.uint32(a[node])]), int64(held[np.uint32(b[node])])
                narrowest = min(format, x if x else format, y if y else format)
                if adding:
                    held[node] = narrowest
                    summed[node] = narrowest if x or y else 0
                elif x or y:
                    held[node] = narrowest
            elif code == _FMA:
                x, y, z = int64(held[np.uint32(a[node])]), int64(held[np.uint32(b[node])]), int64(held[np.uint32(c[node])])
                narrowest = min(format, z if z else format)
                if adding:
                    held[node] = narrowest
                    summed[node] = narrowest if x or y or z else 0
                elif x or y or z:
                    held[node] = narrowest
            elif code == _MUL:
                held[node] = format if held[np.uint32(a[node])] or held[np.uint32(b[node])] else 0
            elif code == _DIV:
                held[node] = format if held[np.uint32(a[node])] else 0
            elif code == _ROUND:
                below: Any = np.uint32(a[node])
                rank = int64(ranks[b[node]])
                if held[below]:
                    held[node] = min(int64(held[below]), rank)
                # (sum in few bits) · y + z that is rounded to as few: what stands for an fma in that format.
                scaled = _scaled(op, a, b, c, held, int64(below))
                if summed[below] and scaled and scaled <= rank:
                    summed[below] = min(int64(summed[below]), rank)
            elif _NEG <= code <= _MAX or _FLOOR <= code <= _SAT or code == _SELECT:
                x, y = int64(held[np.uint32(a[node])]), int64(0)
                if code == _SELECT:
                    x, y = int64(held[np.uint32(b[node])]), int64(held[np.uint32(c[node])])
                elif code == _MIN or code == _MAX:
                    y = int64(held[np.uint32(b[node])])
                held[node] = _narrowest(x, y)


@entry
def _count(store: Store, made: Array, instr: Array, adds: Array, summed: Array, reached: Array, counts: Array) -> None:
    """counts int64 [instructions, ranks + 1]: the additions that are reached, by the format of what goes on with a sum; those
    that do not in column 0."""
    op = store.op
    for r in range(len(instr)):
        i = instr[r]
        if i < 0 or adds[i] == 0:
            continue
        for node in range(made[r], made[r + 1]):
            code = op[node]
            if reached[node] and (code == _ADD or code == _SUB or code == _FMA):
                counts[i, summed[node]] += 1

"""Rows to nodes: each register lane holds a node, each memory word, too; concrete bits are BITS nodes until a float reads them.

BITS nodes: a, b: low and high 32 bits; c: the constant node of the bits read as float32, once it is known."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.compiled import entry, int64
from volta_pipe.ir.fold import Store, append
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import COPIED_SHIFT, FLAG_GUARDED, FLAG_SOURCE, MICRO_SHIFT
from volta_pipe.passes.vc.arithmetic import under_guard, value
from volta_pipe.passes.vc.atomics import atomic, copy
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.columns import FIRST, INPUTS, NODE, OP, RESULTS, SIGNED, SUB, WIDTH
from volta_pipe.passes.vc.contents import part_of
from volta_pipe.passes.vc.fast import arithmetic, load_halves, load_words, put, widen
from volta_pipe.passes.vc.lanewise import first_result, quarters, second_result
from volta_pipe.passes.vc.matrix import ROOM, multiply
from volta_pipe.passes.vc.matrix_memory import load_part, store_part, transpose
from volta_pipe.passes.vc.values import FAIL, bits_node

Array = np.ndarray[Any, np.dtype[Any]]

# Why the machine returned.
DONE, GROW, BAD_VALUE, BAD_OPERATION, BAD_CELL, BAD_ATOMIC, BAD_CONVERSION = 0, 1, 2, 3, 4, 5, 6
# More than any row makes per lane: bytes are taken apart and put together, vectors have up to four values.
NODES_PER_LANE = int64(160)
_VALUE, _FCVT = int64(Op.VALUE), int64(Op.FCVT)
_LD, _ST, _LDPARAM, _SHFL, _UNPACK = (int64(o) for o in (Op.LD, Op.ST, Op.LDPARAM, Op.SHFL, Op.UNPACK))
_BAR, _WARPSYNC, _BAR_RED, _BAR_ARRIVE = (int64(o) for o in (Op.BAR, Op.WARPSYNC, Op.BAR_RED, Op.BAR_ARRIVE))
_ATOM, _RED, _COPY, _COMMIT, _WAIT = (int64(o) for o in (Op.ATOM, Op.RED, Op.COPY, Op.COPY_COMMIT, Op.COPY_WAIT))
_MBARRIER, _MBARRIER_WAIT = int64(Op.MBARRIER_INIT), int64(Op.MBARRIER_WAIT)  # and what lies between
_MMA, _LDMATRIX, _STMATRIX, _MOVMATRIX = (int64(o) for o in (Op.MMA, Op.LDMATRIX, Op.STMATRIX, Op.MOVMATRIX))
_N_SCALAR = int64(Node.SCALAR)
_N_ADD, _N_DIV = int64(Node.ADD), int64(Node.DIV)
_PLAIN = int64(0)


class Rows(NamedTuple):
    """Columns of the program, and per mask its lanes: lanes int64 flat, lane_start int64 [masks+1]."""

    instr: Array
    mask: Array
    base: Array
    pattern: Array
    flags: Array
    lanes: Array
    lane_start: Array
    pattern_start: Array
    pattern_values: Array


@entry
def run(
    code: Array,
    operands: Array,
    rows: Rows,
    reg: Array,
    cells: Cells,
    store: Store,
    scratch: Array,
    begin: int,
    end: int,
    st: Array,
    made: Array,
) -> int:
    """Runs rows begin..end; st[0] is the row to go on at (also the culprit's), st[1] the lane; st[2] is 1 where a matrix
    product found no room. made: int32 [rows + 1], the first node that each row makes."""
    for r in range(begin, end):
        mask = rows.mask[r]
        s = rows.lane_start[mask]
        n = rows.lane_start[mask + 1] - s
        st[0] = r
        room = NODES_PER_LANE * n + 64
        if store.n[0] + room > len(store.op) or store.counts[0] + room > len(store.values):
            return GROW
        made[r] = store.n[0]
        instr = rows.instr[r]
        pattern = rows.pattern[r]
        p = rows.pattern_start[pattern] if pattern >= 0 else int64(-1)
        if instr < 0:
            k = -1 - instr
            if p < 0:
                node = bits_node(store, rows.base[r])
                for i in range(n):
                    reg[k, rows.lanes[s + i]] = node
            else:
                for i in range(n):
                    reg[k, rows.lanes[s + i]] = bits_node(store, rows.base[r] + rows.pattern_values[p + i])
            continue
        c = code[instr]
        op = c[OP]
        guarded = rows.flags[r] & FLAG_GUARDED
        if op == _VALUE and not guarded and c[SUB] & 4 == 0 and (_N_ADD <= c[NODE] <= _N_DIV):
            done = arithmetic(store, cells, c, operands, reg, rows.lanes, s, n)
            for i in range(done, n):
                l = rows.lanes[s + i]
                node = value(store, cells, c, operands, reg, l)
                if node < 0:
                    st[1] = l
                    return BAD_VALUE
                reg[operands[c[FIRST]], l] = node
        elif op == _LD:
            size = c[WIDTH] // 8
            for k in range(c[RESULTS]):
                d = operands[c[FIRST] + k]
                at = rows.base[r] + k * size
                seen = False
                if size == 4 and c[SIGNED] != 1:
                    seen = load_words(cells, rows.pattern_values, p, at, scratch, n)
                elif size == 2 and c[SIGNED] != 1:
                    seen = load_halves(store, cells, rows.pattern_values, p, at, scratch, n)
                if seen:
                    put(reg, d, rows.lanes, s, n, scratch)
                    continue
                for i in range(n):
                    l = rows.lanes[s + i]
                    address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0) + k * size
                    node = load_cell(store, cells, address, size, c[SIGNED], l, instr)
                    if node < 0:
                        st[1] = l
                        return BAD_CELL
                    scratch[i] = node
                put(reg, d, rows.lanes, s, n, scratch)
        elif op == _ST:
            size = c[WIDTH] // 8
            for k in range(c[INPUTS] - 1):
                v = operands[c[FIRST] + 1 + k]
                for i in range(n):
                    l = rows.lanes[s + i]
                    address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0) + k * size
                    node = int64(reg[v, l])
                    if guarded:
                        old = load_cell(store, cells, address, size, _PLAIN, l, instr)
                        node = under_guard(store, cells, c, reg, l, node, old, c[WIDTH]) if old >= 0 else FAIL
                        if node < 0:
                            st[1] = l
                            return BAD_CELL
                    if not store_cell(store, cells, address, size, l, node):
                        st[1] = l
                        return BAD_CELL
        elif op == _SHFL:
            d, a = operands[c[FIRST]], operands[c[FIRST] + c[RESULTS]]
            for i in range(n):
                scratch[i] = reg[a, rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0)]
            for i in range(n):
                reg[d, rows.lanes[s + i]] = scratch[i]
        elif op == _LDPARAM:
            node = append(store, _N_SCALAR, rows.base[r], _PLAIN, _PLAIN)
            for i in range(n):
                reg[operands[c[FIRST]], rows.lanes[s + i]] = node
        elif op == _ATOM or op == _RED:
            for i in range(n):
                l = rows.lanes[s + i]
                address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0)
                if not atomic(store, cells, c, operands, reg, address, l, instr):
                    st[1] = l
                    return BAD_ATOMIC
        elif op == _COPY:
            if rows.flags[r] & FLAG_SOURCE:
                continue  # with the row behind it
            q = rows.pattern[r - 1]
            for i in range(n):
                l = rows.lanes[s + i]
                source = rows.base[r - 1] + (rows.pattern_values[rows.pattern_start[q] + i] if q >= 0 else 0)
                target = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0)
                if not copy(store, cells, source, target, int64(rows.flags[r] >> COPIED_SHIFT), c[WIDTH] // 8, l, instr):
                    st[1] = l
                    return BAD_CELL
        elif (
            op == _BAR
            or op == _WARPSYNC
            or op == _COMMIT
            or op == _WAIT
            or _BAR_RED <= op <= _BAR_ARRIVE
            or (_MBARRIER <= op <= _MBARRIER_WAIT)
        ):
            continue
        elif op == _MMA:
            if store.n[0] + ROOM * n > len(store.op) or store.counts[0] + ROOM * n > len(store.values):
                st[2] = 1
                return GROW
            bad = multiply(store, cells, c, operands, reg, rows.lanes, s, n, scratch)
            if bad >= 0:
                st[1] = bad
                return BAD_VALUE if c[SIGNED] == 2 else BAD_OPERATION
        elif op == _LDMATRIX or op == _STMATRIX:
            parts = max(int64(32), c[WIDTH]) // c[WIDTH]
            x = int64(rows.flags[r]) >> MICRO_SHIFT
            at = c[FIRST] + x // parts + (1 if op == _STMATRIX else 0)
            for i in range(n):
                l = rows.lanes[s + i]
                address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0)
                if op == _LDMATRIX:
                    done = load_part(store, cells, reg, operands[at], address, c[WIDTH] // 8, x % parts, l, instr)
                else:
                    done = store_part(store, cells, reg, operands[at], address, c[WIDTH] // 8, x % parts, l)
                if not done:
                    st[1] = l
                    return BAD_CELL
        elif op == _MOVMATRIX:
            transpose(store, cells, reg, operands[c[FIRST]], operands[c[FIRST] + 1], rows.lanes, s, n, scratch)
        elif op == _UNPACK:
            a = operands[c[FIRST] + c[RESULTS]]
            for i in range(n):
                l = rows.lanes[s + i]
                whole = int64(reg[a, l])
                if c[RESULTS] == 4:
                    quarters(store, cells, operands, reg, c[FIRST], l, whole, c[WIDTH])
                    continue
                reg[operands[c[FIRST]], l] = part_of(store, cells, whole, int64(0), c[WIDTH])
                reg[operands[c[FIRST] + 1], l] = part_of(store, cells, whole, int64(1), c[WIDTH])
        else:
            done = int64(0)
            if op == _FCVT and not guarded and c[INPUTS] == 1:
                done = widen(store, cells, c, operands, reg, rows.lanes, s, n)
            for i in range(done, n):
                l = rows.lanes[s + i]
                node = first_result(store, cells, c, operands, reg, l)
                if node >= 0 and c[RESULTS] > 1:
                    other = second_result(store, cells, c, operands, reg, l, node)
                    if other < 0:
                        node = FAIL
                    reg[operands[c[FIRST] + 1], l] = other
                if node >= 0 and guarded:
                    node = under_guard(store, cells, c, reg, l, node, int64(reg[operands[c[FIRST]], l]), c[WIDTH])
                if node < 0:
                    st[1] = l
                    return BAD_VALUE if op == _VALUE else BAD_CONVERSION if op == _FCVT else BAD_OPERATION
                reg[operands[c[FIRST]], l] = node
    st[0] = end
    return DONE

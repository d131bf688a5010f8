"""Rows to nodes: each register lane holds a node, each memory word a node; concrete bits are BITS nodes until a float reads them.

BITS nodes: a, b: low and high 32 bits; c: the constant node of the bits read as float32, once it is known."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volta_pipe.ir.compiled import entry, inner
from volta_pipe.ir.fold import Store, append, constant, emit
from volta_pipe.ir.graph import NAN, ONE, ZERO
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import FLAG_GUARDED
from volta_pipe.passes.vc.cells import load_cell, store_cell
from volta_pipe.passes.vc.cells_type import Cells
from volta_pipe.passes.vc.fast import arithmetic, load_words
from volta_pipe.passes.vc.idioms import bit_idiom, rounded
from volta_pipe.passes.vc.values import FAIL, as_float, as_predicate, bits_node, bits_of, is_bits

Array = np.ndarray[Any, np.dtype[Any]]

# Why the machine returned.
DONE, GROW, BAD_VALUE, BAD_OPERATION, BAD_CELL = 0, 1, 2, 3, 4
# Columns of the static code, int64 [instructions, COLUMNS].
(OP, NODE, WIDTH, SIGNED, SUB, WIDTH2, SIGNED2, GUARD, NEGATED, FIRST, RESULTS, INPUTS) = range(12)
COLUMNS = 12

_VALUE, _FSETP, _FCVT, _SELP, _MOV = (np.int64(o) for o in (Op.VALUE, Op.FSETP, Op.FCVT, Op.SELP, Op.MOV))
_LD, _ST, _LDPARAM, _SHFL, _PACK, _UNPACK = (np.int64(o) for o in (Op.LD, Op.ST, Op.LDPARAM, Op.SHFL, Op.PACK, Op.UNPACK))
_BAR, _WARPSYNC, _AND, _OR, _XOR, _NOT = (np.int64(o) for o in (Op.BAR, Op.WARPSYNC, Op.AND, Op.OR, Op.XOR, Op.NOT))
_N_SELECT, _N_LT, _N_LE, _N_EQ, _N_NE = (np.int64(n) for n in (Node.SELECT, Node.LT, Node.LE, Node.EQ, Node.NE))
_N_AND, _N_OR, _N_XOR, _N_NOT, _N_SAT = (np.int64(n) for n in (Node.AND, Node.OR, Node.XOR, Node.NOT, Node.SAT))
_N_FLOOR, _N_CEIL, _N_TRUNC, _N_RINT = (np.int64(n) for n in (Node.FLOOR, Node.CEIL, Node.TRUNC, Node.RINT))
_N_SCALAR, _N_PART, _N_PACK, _N_CONST = (np.int64(n) for n in (Node.SCALAR, Node.PART, Node.PACK, Node.CONST))
_N_ADD, _N_DIV = np.int64(Node.ADD), np.int64(Node.DIV)
_PLAIN = np.int64(0)


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


@inner
def _compare(store: Store, sub: int, x: int, y: int) -> int:
    """The predicate of a float comparison (codes as in passes/unroll/assemble.py)."""
    kind = sub & 15
    if kind == 14 or kind == 15:
        missing = x == NAN or y == NAN
        return np.int64(ONE if missing == (kind == 15) else ZERO)
    if x == NAN or y == NAN:
        return np.int64(ONE if kind >= 8 or kind == 1 else ZERO)
    kind &= 7
    if kind == 0:
        return emit(store, _N_EQ, x, y, _PLAIN)
    if kind == 1:
        return emit(store, _N_NE, x, y, _PLAIN)
    if kind == 2:
        return emit(store, _N_LT, x, y, _PLAIN)
    if kind == 3:
        return emit(store, _N_LE, x, y, _PLAIN)
    if kind == 4:
        return emit(store, _N_LT, y, x, _PLAIN)
    return emit(store, _N_LE, y, x, _PLAIN)


@inner
def _boolean(store: Store, operator: int, x: int, y: int) -> int:
    if operator == 1:
        return emit(store, _N_AND, x, y, _PLAIN)
    if operator == 2:
        return emit(store, _N_OR, x, y, _PLAIN)
    if operator == 3:
        return emit(store, _N_XOR, x, y, _PLAIN)
    return x


@inner
def _guarded(store: Store, cells: Cells, code: Array, reg: Array, lane: int, new: int, old: int, width: int) -> int:
    """select(guard, new, old) for a row under a symbolic guard."""
    p = as_predicate(store, reg[code[GUARD], lane])
    x, y = as_float(store, cells, new, width), as_float(store, cells, old, width)
    if p < 0 or x < 0 or y < 0:
        return FAIL
    if code[NEGATED]:
        return emit(store, _N_SELECT, p, y, x)
    return emit(store, _N_SELECT, p, x, y)


@inner
def _convert(store: Store, cells: Cells, code: Array, x: int) -> int:
    """cvt with a float result: rounding to integers and saturation are kept, rounding to a format is not (reals)."""
    if code[SIGNED2] != 2:
        if not is_bits(store, x):
            return FAIL
        v = bits_of(store, x)
        w = code[WIDTH2]
        if w < 64:
            s = 64 - w
            v = (v << s) >> s if code[SIGNED2] == 1 else v & ((np.int64(1) << w) - 1)
        if abs(v) > 1 << 53 or (w == 64 and code[SIGNED2] == 0 and v < 0):
            return FAIL
        node = constant(store, np.float64(v))
    else:
        node = as_float(store, cells, x, code[WIDTH2])
        if node < 0:
            return FAIL
        if code[SUB] & 8:
            kind = code[SUB] & 3
            node = emit(
                store,
                _N_FLOOR if kind == 1 else _N_CEIL if kind == 2 else _N_TRUNC if kind == 3 else _N_RINT,
                node,
                _PLAIN,
                _PLAIN,
            )
    if code[SUB] & 4:
        node = emit(store, _N_SAT, node, _PLAIN, _PLAIN)
    return node


@inner
def _value(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """Float arithmetic of one lane."""
    first = code[FIRST] + code[RESULTS]
    width = code[WIDTH]
    x, y, z = _PLAIN, _PLAIN, _PLAIN
    x = as_float(store, cells, reg[operands[first], lane], width)
    if code[INPUTS] > 1:
        y = as_float(store, cells, reg[operands[first + 1], lane], width)
    if code[INPUTS] > 2:
        z = as_float(store, cells, reg[operands[first + 2], lane], width)
    if x < 0 or y < 0 or z < 0:
        return FAIL
    node = emit(store, code[NODE], x, y, z)
    node = rounded(store, code[NODE], code[SUB] & 3, width, x, y, z, node)
    if code[SUB] & 4:
        node = emit(store, _N_SAT, node, _PLAIN, _PLAIN)
    return node


@inner
def _one(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """The first result of an instruction that works lane by lane, or FAIL. (FSETP's second result: see _second.)"""
    op = code[OP]
    first = code[FIRST] + code[RESULTS]
    a = reg[operands[first], lane]
    if op == _VALUE:
        return _value(store, cells, code, operands, reg, lane)
    if op == _MOV:
        return np.int64(a)
    if op == _FCVT:
        return _convert(store, cells, code, a)
    b = reg[operands[first + 1], lane] if code[INPUTS] > 1 else a
    if op == _FSETP:
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if x < 0 or y < 0:
            return FAIL
        p = _compare(store, code[SUB], x, y)
        if code[SUB] >> 8:
            q = as_predicate(store, reg[operands[first + 2], lane])
            return _boolean(store, code[SUB] >> 8, p, q) if q >= 0 else FAIL
        return p
    if op == _SELP:
        p = as_predicate(store, reg[operands[first + 2], lane])
        if p == ONE:
            return np.int64(a)
        if p == ZERO:
            return np.int64(b)
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if p < 0 or x < 0 or y < 0:
            return FAIL
        return emit(store, _N_SELECT, p, x, y)
    if code[WIDTH] == 1 and (op == _AND or op == _OR or op == _XOR or op == _NOT):
        p = as_predicate(store, a)
        q = as_predicate(store, b)
        if p < 0 or q < 0:
            return FAIL
        if op == _NOT:
            return emit(store, _N_NOT, p, _PLAIN, _PLAIN)
        return emit(store, _N_AND if op == _AND else _N_OR if op == _OR else _N_XOR, p, q, _PLAIN)
    if op == _PACK:
        if is_bits(store, a) and is_bits(store, b):
            half = code[WIDTH] // 2
            low = bits_of(store, a) & ((np.int64(1) << half) - 1)
            return bits_node(store, low | bits_of(store, b) << half)
        if code[WIDTH] != 64:
            return FAIL
        if (
            store.op[a] == _N_PART
            and store.op[b] == _N_PART
            and store.a[a] == store.a[b]
            and store.b[a] == 0
            and store.b[b] == 1
        ):
            return np.int64(store.a[a])
        return append(store, _N_PACK, a, b, _PLAIN)
    return bit_idiom(store, cells, op, code[WIDTH], a, b)


@inner
def _second(store: Store, cells: Cells, code: Array, operands: Array, reg: Array, lane: int) -> int:
    """The second result of setp (the complement) and of unpacking moves."""
    first = code[FIRST] + code[RESULTS]
    a = reg[operands[first], lane]
    if code[OP] == _FSETP:
        b = reg[operands[first + 1], lane]
        x, y = as_float(store, cells, a, code[WIDTH]), as_float(store, cells, b, code[WIDTH])
        if x < 0 or y < 0:
            return FAIL
        p = emit(store, _N_NOT, _compare(store, code[SUB], x, y), _PLAIN, _PLAIN)
        if code[SUB] >> 8:
            q = as_predicate(store, reg[operands[first + 2], lane])
            return _boolean(store, code[SUB] >> 8, p, q) if q >= 0 else FAIL
        return p
    return FAIL


@inner
def _unpack(store: Store, width: int, node: int, part: int) -> int:
    """One half of a 64-bit value."""
    if is_bits(store, node):
        half = width // 2
        return bits_node(store, (bits_of(store, node) >> (half * part)) << (64 - half) >> (64 - half))
    if width != 64:
        return FAIL
    if store.op[node] == _N_PACK:
        return np.int64(store.b[node] if part else store.a[node])
    return append(store, _N_PART, node, part, _PLAIN)


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
) -> int:
    """Runs rows begin..end; st[0] is the row to go on at (also the culprit's), st[1] the lane."""
    for r in range(begin, end):
        mask = rows.mask[r]
        s = rows.lane_start[mask]
        n = rows.lane_start[mask + 1] - s
        st[0] = r
        # Every lane makes a few nodes per value; vectors have at most four values.
        room = 24 * n + 64
        if store.n[0] + room > len(store.op) or store.count[0] + room > len(store.values):
            return GROW
        instr = rows.instr[r]
        pattern = rows.pattern[r]
        p = rows.pattern_start[pattern] if pattern >= 0 else np.int64(-1)
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
                node = _value(store, cells, c, operands, reg, l)
                if node < 0:
                    st[1] = l
                    return BAD_VALUE
                reg[operands[c[FIRST]], l] = node
        elif op == _LD:
            size = c[WIDTH] // 8
            for k in range(c[RESULTS]):
                d = operands[c[FIRST] + k]
                at = rows.base[r] + k * size
                if size == 4 and load_words(cells, rows.pattern_values, p, at, scratch, n):
                    for i in range(n):
                        reg[d, rows.lanes[s + i]] = scratch[i]
                    continue
                for i in range(n):
                    l = rows.lanes[s + i]
                    address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0) + k * size
                    node = load_cell(store, cells, address, size, c[SIGNED], l, instr)
                    if node < 0:
                        st[1] = l
                        return BAD_CELL
                    scratch[i] = node
                for i in range(n):
                    reg[d, rows.lanes[s + i]] = scratch[i]
        elif op == _ST:
            size = c[WIDTH] // 8
            for k in range(c[INPUTS] - 1):
                v = operands[c[FIRST] + 1 + k]
                for i in range(n):
                    l = rows.lanes[s + i]
                    address = rows.base[r] + (rows.pattern_values[p + i] if p >= 0 else 0) + k * size
                    node = np.int64(reg[v, l])
                    if guarded:
                        old = load_cell(store, cells, address, size, c[SIGNED], l, instr)
                        node = _guarded(store, cells, c, reg, l, node, old, c[WIDTH]) if old >= 0 else FAIL
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
        elif op == _BAR or op == _WARPSYNC:
            continue
        elif op == _UNPACK:
            a = operands[c[FIRST] + 2]
            for i in range(n):
                l = rows.lanes[s + i]
                whole = np.int64(reg[a, l])
                low, high = _unpack(store, c[WIDTH], whole, np.int64(0)), _unpack(store, c[WIDTH], whole, np.int64(1))
                if low < 0 or high < 0:
                    st[1] = l
                    return BAD_OPERATION
                reg[operands[c[FIRST]], l] = low
                reg[operands[c[FIRST] + 1], l] = high
        else:
            for i in range(n):
                l = rows.lanes[s + i]
                node = _one(store, cells, c, operands, reg, l)
                if node >= 0 and c[RESULTS] > 1:
                    other = _second(store, cells, c, operands, reg, l)
                    if other < 0:
                        node = FAIL
                    reg[operands[c[FIRST] + 1], l] = other
                if node >= 0 and guarded:
                    node = _guarded(store, cells, c, reg, l, node, np.int64(reg[operands[c[FIRST]], l]), c[WIDTH])
                if node < 0:
                    st[1] = l
                    return BAD_VALUE if op == _VALUE else BAD_OPERATION
                reg[operands[c[FIRST]], l] = node
    st[0] = end
    return DONE

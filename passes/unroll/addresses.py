"""Whether where buffers lie can decide anything but which memory is accessed.

The contract promises an alignment, not an address. An address that is compared, stored, or turned into a float makes the result
depend on the places that were chosen here; such a program gets an assumption, so that the dependence is never silent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from volta_pipe.ir.instructions import Op

Array = np.ndarray[Any, np.dtype[Any]]
ASSUMPTION = "what is computed from addresses themselves (compared or stored pointers) is the same wherever the buffers lie"
# Operations that hand an address on, changed or not. Loads do not: a pointer in memory had to be stored, which counts below.
_CARRY = frozenset({
    Op.MOV, Op.ADD, Op.SUB, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE, Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.DIV, Op.REM, Op.MIN,
    Op.MAX, Op.ABS, Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.SHR, Op.BFE, Op.BFI, Op.POPC, Op.CLZ, Op.BREV, Op.LOP3,
    Op.PRMT, Op.SHF, Op.SELP, Op.CVT, Op.CVTA, Op.PACK, Op.UNPACK, Op.SHFL, Op.SAD, Op.ADDC, Op.MADC, Op.ADD_SAT, Op.MAD_HI_SAT,
    Op.MUL24, Op.MAD24, Op.MIN_RELU, Op.MAX_RELU, Op.ADD_X2, Op.MIN_X2, Op.MAX_X2, Op.CNOT, Op.SZEXT, Op.BMSK, Op.BFIND, Op.FNS,
    Op.DP4A, Op.DP2A, Op.SLCT, Op.MOVMATRIX, Op.LOP3_PRED, Op.PRMT_MODE, Op.CVT_PACK, Op.COPYSIGN,
})  # fmt: skip
# Operations whose result, or what they store, depends on where an operand lies: the first such operand. (isspacep does not: it
# asks for the memory.)
_COMPARE = (Op.SETP, Op.SET, Op.FSET, Op.LOP3_PRED, Op.FCVT, Op.VALUE, Op.FSETP, Op.MATCH, Op.REDUX, Op.MMA)
_LOOKED_AT = dict.fromkeys(_COMPARE, 0) | dict.fromkeys((Op.ST, Op.ATOM, Op.RED, Op.STMATRIX), 1) | {Op.COPY: 3, Op.SLCT: 2}


def depends_on_addresses(static: dict[str, Array], addresses: Iterable[int]) -> bool:
    """Whether a value derived from the registers `addresses` is compared, stored or converted to a float.

    Flow-insensitive over registers, so it may say yes where nothing depends; never the other way round."""
    tainted = set(addresses)
    operands = static["operands"].tolist()
    columns = [static[name].tolist() for name in ("op", "first", "results", "inputs")]
    carried: list[tuple[list[int], list[int]]] = []
    looked_at: list[list[int]] = []
    for op, first, results, inputs in zip(*columns, strict=True):
        middle = first + results
        if op in _CARRY:
            carried.append((operands[first:middle], operands[middle : middle + inputs]))
        if op in _LOOKED_AT:
            looked_at.append(operands[middle + _LOOKED_AT[op] : middle + inputs])
    changed = True
    while changed:
        changed = False
        for made, taken in carried:
            if not tainted.isdisjoint(taken) and not tainted.issuperset(made):
                tainted.update(made)
                changed = True
    return not all(tainted.isdisjoint(values) for values in looked_at)

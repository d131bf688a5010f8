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
_CARRY = {
    Op.MOV, Op.ADD, Op.SUB, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE, Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.DIV, Op.REM, Op.MIN,
    Op.MAX, Op.ABS, Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.SHR, Op.BFE, Op.BFI, Op.POPC, Op.CLZ, Op.BREV, Op.LOP3,
    Op.PRMT, Op.SHF, Op.SELP, Op.CVT, Op.CVTA, Op.PACK, Op.UNPACK, Op.SHFL, Op.SAD, Op.ADDC, Op.MADC, Op.ADD_SAT, Op.MAD_HI_SAT,
    Op.MUL24, Op.MAD24, Op.MIN_RELU, Op.MAX_RELU, Op.ADD_X2, Op.MIN_X2, Op.MAX_X2, Op.CNOT, Op.SZEXT, Op.BMSK, Op.BFIND, Op.FNS,
    Op.DP4A, Op.DP2A, Op.SLCT, Op.MOVMATRIX, Op.LOP3_PRED, Op.PRMT_MODE, Op.CVT_PACK, Op.COPYSIGN,
}  # fmt: skip
# Operations whose result depends on where an operand lies. (isspacep does not: it asks for the memory.)
_COMPARE = {Op.SETP, Op.SET, Op.FSET, Op.LOP3_PRED, Op.FCVT, Op.VALUE, Op.FSETP, Op.MATCH, Op.REDUX, Op.MMA}


def depends_on_addresses(static: dict[str, Array], addresses: Iterable[int]) -> bool:
    """Whether a value derived from the registers `addresses` is compared, stored or converted to a float.

    Flow-insensitive over registers, so it may say yes where nothing depends; never the other way round."""
    tainted = set(addresses)
    operands = static["operands"]
    rows: list[tuple[Op, list[int], list[int]]] = []
    for op, first, results, inputs in zip(static["op"], static["first"], static["results"], static["inputs"], strict=True):
        middle = first + results
        rows.append((Op(int(op)), operands[first:middle].tolist(), operands[middle : middle + inputs].tolist()))
    changed = True
    while changed:
        changed = False
        for op, results, inputs in rows:
            if op in _CARRY and not tainted.isdisjoint(inputs) and not tainted.issuperset(results):
                tainted.update(results)
                changed = True
    for op, _, inputs in rows:
        values = inputs if op in _COMPARE else inputs[1:] if op in (Op.ST, Op.ATOM, Op.RED, Op.STMATRIX) else []
        values = inputs[3:] if op is Op.COPY else inputs[2:] if op is Op.SLCT else values
        if not tainted.isdisjoint(values):
            return True
    return False

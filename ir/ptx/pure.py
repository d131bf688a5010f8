"""Which machine operations only compute: neither memory, nor other lanes, nor control depend on whether they are executed.

One list for what `lower` leaves out and `ptx-simplify` drops. A load is not in it: it can be out of bounds, or race."""

from __future__ import annotations

from volta_pipe.ir.operations import Op

# Integer and bit work whose result is decided by its operands' bits. Division is not among them: by zero it has no result.
FOLDABLE = frozenset(
    {
        Op.MOV, Op.ADD, Op.SUB, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE, Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.MIN, Op.MAX, Op.ABS,
        Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.SHR, Op.POPC, Op.CLZ, Op.BREV, Op.BFE, Op.BFI, Op.LOP3, Op.PRMT,
        Op.SHF, Op.SETP, Op.SELP, Op.CVT, Op.PACK, Op.SAD, Op.MUL24, Op.MAD24, Op.CNOT, Op.SZEXT, Op.BMSK, Op.BFIND,
    }
)  # fmt: skip
COMPUTES = FOLDABLE | {
    Op.DIV, Op.REM, Op.UNPACK, Op.VALUE, Op.FSETP, Op.FCVT, Op.FCVTI, Op.CVTA, Op.ISSPACEP, Op.COPYSIGN, Op.SET, Op.FSET,
    Op.LOP3_PRED, Op.PRMT_MODE, Op.CVT_PACK, Op.ADDC, Op.MADC, Op.ADD_SAT, Op.MAD_HI_SAT, Op.MIN_RELU, Op.MAX_RELU, Op.ADD_X2,
    Op.MIN_X2, Op.MAX_X2, Op.SLCT, Op.FNS, Op.DP4A, Op.DP2A, Op.OPAQUE,
}  # fmt: skip

"""Instructions whose first two operands may change places: the result is the same bit for bit, that of a carry included.

Of floats those whose NaNs the ISA leaves open or fixes (PTX ISA 9.7.3): single precision gives an unspecified NaN, double
precision hands on the bits of an operand."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.ir.instructions import Op

# Whatever the words of the instruction.
EXCHANGEABLE = frozenset(
    {
        Op.ADD, Op.MUL_LO, Op.MUL_HI, Op.MUL_WIDE, Op.MAD_LO, Op.MAD_HI, Op.MAD_WIDE, Op.MIN, Op.MAX, Op.AND, Op.OR, Op.XOR,
        Op.SAD, Op.MUL24, Op.MAD24, Op.MADC, Op.MAD_HI_SAT, Op.MIN_RELU, Op.MAX_RELU, Op.ADD_X2, Op.MIN_X2, Op.MAX_X2,
    }
)  # fmt: skip
# Sums that share their machine operation with differences.
_SUMS = frozenset({Op.ADDC, Op.ADD_SAT})
_COMPARISONS = frozenset({Op.SETP, Op.FSETP})
_SYMMETRIC = frozenset({"eq", "ne", "equ", "neu", "num", "nan"})
_FLOAT = frozenset({"add", "mul", "fma", "mad", "min", "max"})


def is_exchangeable(op: Op, mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> bool:
    """Of an instruction of the table, by its machine operation and its words."""
    if op in EXCHANGEABLE:
        return True
    if op in _SUMS:
        return mnemonic in ("add", "addc")
    if op in _COMPARISONS:
        return mnemonic == "setp" and not _SYMMETRIC.isdisjoint(modifiers)
    return op is Op.VALUE and mnemonic in _FLOAT and types[0] != "f64" and "oob" not in modifiers

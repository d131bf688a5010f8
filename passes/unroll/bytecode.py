"""The machine's bytecode: its columns, and how modifiers become the variant (`sub`) of an instruction."""

from __future__ import annotations

from volta_pipe.ir.atomics import variant_of
from volta_pipe.ir.instructions import Op

# RW: width of the result register; IMM: the address offset.
# Columns of the bytecode, int64 [instructions, COLUMNS].
(OP, WALK, D, D2, A, B, C, E, W, SG, SUB, W2, SG2, GUARD, GNEG, RW, NRES, NIN, FIRST, TARGET, TARGET2, IMM, HINT) = range(23)
COLUMNS = 23

# Variants (`sub`) of comparisons: the low bits; unordered ones of floats have 8 added; a boolean operator is in bits 8-9.
COMPARE = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5, "lo": 2, "ls": 3, "hi": 4, "hs": 5, "num": 14, "nan": 15}
COMPARE |= {f"{name}u": code + 8 for name, code in list(COMPARE.items())[:6]}
BOOLEAN = {"and": 1, "or": 2, "xor": 3}
SHUFFLE = {"up": 0, "down": 1, "bfly": 2, "idx": 3}
VOTE = {"ballot": 0, "all": 1, "any": 2, "uni": 3}
SPACE = {"shared": 1, "shared::cta": 1, "local": 2, "const": 3, "global": 4}
REDUCE = {"add": 0, "min": 1, "max": 2, "and": 3, "or": 4, "xor": 5}
# Barriers: bit 0 for .aligned; bits 1-2 for what bar.red reduces with.
REDUCE_SHIFT = 1
BAR_REDUCE = {"popc": 0, "and": 1, "or": 2}
# Rounding of VALUE and FCVT; 4 is added for .sat, 8 for rounding to an integer.
ROUNDING = {"rn": 0, "rm": 1, "rp": 2, "rz": 3}
INTEGRAL = {"rni": 8, "rmi": 9, "rpi": 10, "rzi": 11}
SATURATE = 4


def signedness(kind: str) -> int:
    """0 unsigned or untyped bits, 1 signed, 2 float."""
    return {"s": 1, "f": 2}.get(kind[0], 0)


def variant(op: Op, mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...]) -> int:
    """The `sub` field."""
    words = set(modifiers)

    def pick(table: dict[str, int]) -> int:
        return next((code for name, code in table.items() if name in words), 0)

    if op in (Op.SETP, Op.FSETP):
        return pick(COMPARE) | pick(BOOLEAN) << 8
    if op is Op.SHFL:
        return pick(SHUFFLE)
    if op is Op.VOTE:
        return pick(VOTE)
    if op in (Op.LD, Op.ST):
        return pick(SPACE)
    if op in (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE):  # `bar` is the aligned form of `barrier`
        return int(mnemonic == "bar" or "aligned" in words) | pick(BAR_REDUCE) << REDUCE_SHIFT
    if op in (Op.ATOM, Op.RED):
        return variant_of(words, pick(SPACE))
    if op is Op.MATCH:
        return int("all" in words)
    if op is Op.REDUX:
        return pick(REDUCE)
    if op is Op.COPY:
        return int("ignore_src" in words)
    if op is Op.COPY_WAIT:
        return int("wait_all" in words)
    if op is Op.CVTA:
        return int("to" in words) | pick(SPACE) << 1
    if op is Op.CVT:
        return int("sat" in words)
    if op is Op.SHF:
        return int("r" in words) | int("clamp" in words) << 1
    if op is Op.VALUE:
        return pick(ROUNDING) | (SATURATE if "sat" in words else 0)
    if op is Op.FCVT:
        return (pick(INTEGRAL) or pick(ROUNDING)) | (SATURATE if "sat" in words else 0)
    return 0

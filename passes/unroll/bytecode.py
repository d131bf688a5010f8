"""The machine's bytecode: its columns, and how modifiers become the variant (`sub`) of an instruction."""

from __future__ import annotations

from volta_pipe.ir.instructions import Op

# RW: width of the result register; IMM: the address offset.
# Columns of the bytecode, int64 [instructions, COLUMNS].
(OP, WALK, D, D2, A, B, C, E, W, SG, SUB, W2, SG2, GUARD, GNEG, RW, NRES, NIN, FIRST, TARGET, TARGET2, IMM, HINT) = range(23)
COLUMNS = 23

# Variants (`sub`) of comparisons: the low bits; unordered ones of floats have 8 added; a boolean operator is in bits 8-9.
# testp: finite and infinite, and num and nan under other names.
COMPARE = {"finite": 6, "infinite": 7, "number": 14, "notanumber": 15}
COMPARE |= {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5, "lo": 2, "ls": 3, "hi": 4, "hs": 5, "num": 14, "nan": 15}
COMPARE |= {f"{name}u": COMPARE[name] + 8 for name in ("eq", "ne", "lt", "le", "gt", "ge")}
BOOLEAN = {"and": 1, "or": 2, "xor": 3}
SHUFFLE = {"up": 0, "down": 1, "bfly": 2, "idx": 3}
VOTE = {"ballot": 0, "all": 1, "any": 2, "uni": 3}
SPACE = {"shared": 1, "shared::cta": 1, "local": 2, "const": 3, "global": 4}
# Rounding of VALUE and FCVT; 4 is added for .sat, 8 for .relu of VALUE and for rounding to an integer of FCVT, 16 for .relu of
# FCVT, 32 for .satfinite.
ROUNDING = {"rn": 0, "rm": 1, "rp": 2, "rz": 3}
INTEGRAL = {"rni": 8, "rmi": 9, "rpi": 10, "rzi": 11}
SATURATE, RELU, CONVERTED_RELU, SATFINITE = 4, 8, 16, 32


def signedness(kind: str) -> int:
    """0 unsigned or untyped bits, 1 signed, 2 float, 3 the second float of its width (bf16, e5m2); of pairs 4 and 5."""
    if kind[0] not in "fbet" or kind in ("b8", "b16", "b32", "b64", "b128", "b1"):
        return int(kind[0] == "s")
    return 2 + int(kind.startswith(("bf16", "e5m2"))) + (2 if kind.endswith("x2") else 0)


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
    if op is Op.BAR:  # `bar` is the aligned form of `barrier`
        return int(mnemonic == "bar" or "aligned" in words)
    if op is Op.CVTA:
        return int("to" in words) | pick(SPACE) << 1
    if op is Op.CVT:
        return int("sat" in words)
    if op is Op.SHF:
        return int("r" in words) | int("clamp" in words) << 1
    if op is Op.VALUE:
        return pick(ROUNDING) | (SATURATE if "sat" in words else 0) | (RELU if "relu" in words else 0)
    if op in (Op.FCVT, Op.FCVTI):
        code = (pick(INTEGRAL) or pick(ROUNDING)) | (SATURATE if "sat" in words else 0)
        return code | (CONVERTED_RELU if "relu" in words else 0) | (SATFINITE if "satfinite" in words else 0)
    return 0

"""Read-modify-write operations (PTX ISA 9.7.13.13 atom, 9.7.13.14 red): their codes, and what they do to concrete bits."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner, int64

ADD, MIN, MAX, AND, OR, XOR, INC, DEC, EXCH, CAS = range(10)
CODES = {"add": ADD, "min": MIN, "max": MAX, "and": AND, "or": OR, "xor": XOR, "inc": INC, "dec": DEC, "exch": EXCH, "cas": CAS}
# The variant (`sub`) of an atomic: its code, the state space (as of ld) and whether its scope holds other CTAs.
CODE_MASK, SPACE_SHIFT, WIDE_SCOPE = 15, 4, 256


def variant_of(words: set[str], space: int) -> int:
    """`sub` of an atom or red with these modifiers; without a scope it is .gpu."""
    code = next(number for name, number in CODES.items() if name in words)
    return code | space << SPACE_SHIFT | (0 if words & {"cta", "cluster"} else WIDE_SCOPE)


@inner
def combined(code: int, width: int, signed: bool, old: int, value: int) -> int:
    """What an integer operation but exch and cas leaves in memory; all numbers are sign-extended from `width` bits."""
    flip = int64(0) if signed else int64(-9223372036854775808)
    result = old
    if code == ADD:
        result = old + value
    elif code == MIN:
        result = old if (old ^ flip) <= (value ^ flip) else value
    elif code == MAX:
        result = value if (old ^ flip) <= (value ^ flip) else old
    elif code == AND:
        result = old & value
    elif code == OR:
        result = old | value
    elif code == XOR:
        result = old ^ value
    elif code == INC:  # old >= value ? 0 : old + 1
        result = int64(0) if (old ^ flip) >= (value ^ flip) else old + 1
    elif code == DEC:  # old == 0 or old > value ? value : old - 1
        result = value if old == 0 or (old ^ flip) > (value ^ flip) else old - 1
    shift = 64 - width
    return (result << shift) >> shift

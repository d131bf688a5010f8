"""Which operand `slct` takes (PTX ISA 9.7.6.4)."""

from __future__ import annotations

from volta_pipe.ir.compiled import inner


@inner
def takes_first(selector: int, is_float: bool, flush: bool) -> bool:
    """Whether the 32 bits of the selector are a number >= 0: s32, or f32, where -0 is 0, NaN is not, and `flush` (.ftz) makes
    subnormal numbers zero."""
    size = selector & 0x7FFFFFFF
    negative = (selector >> 31) & 1 == 1
    if not is_float:
        return not negative
    if size > 0x7F800000:
        return False
    return not negative or size == 0 or (flush and size < 0x00800000)

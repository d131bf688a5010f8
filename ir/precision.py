"""In which formats a kernel adds: what `vc` counts for each output, and the order of the formats."""

from __future__ import annotations

from dataclasses import dataclass

# From wide to narrow: by the bits of the significand (53, 24, 11, 11, 8, 4, 3), and where these are equal by those of the
# exponent (tf32 8, f16 5). PTX ISA 5.2.2, 5.2.3.
WIDE_TO_NARROW = ("f64", "f32", "tf32", "f16", "bf16", "e4m3", "e5m2")
# In compiled code a format is its rank, wider formats have larger ones, and 0 is none.
RANK = {name: len(WIDE_TO_NARROW) - place for place, name in enumerate(WIDE_TO_NARROW)}


@dataclass(frozen=True)
class Precision:
    """The additions that the elements of an output depend on, each execution by each thread counted once (a packed instruction
    is two, a matrix instruction one for each product that is added). `additions`: (format, how many), wide formats first;
    `accumulations`: those among them with an operand that is a sum already, as (format, instruction, how many), narrow formats
    first, then by instruction. The format of an accumulation is the narrowest of that of the addition and those that the sum
    was rounded to before."""

    tensor: str
    additions: tuple[tuple[str, int], ...]
    accumulations: tuple[tuple[str, int, int], ...]

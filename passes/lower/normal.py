"""One spelling of what is written in two ways: a product with a power of two is a shift to the left, as compilers write it."""

from __future__ import annotations

from dataclasses import replace

from volta_pipe.ir.operations import WIDTH
from volta_pipe.passes.lower.steps import Constant, Step

# Shifts of contents that are not known: of whole bytes they move these, and by 23 they are an exponent (passes/vc). A product
# stays one there.
_EXPONENT = 23


def normal(step: Step) -> Step:
    """The step, or another one with the same result and the same guard that comes from the same place.

    `mul.lo` by 2^k is exact modulo 2^n for signed and unsigned numbers (PTX ISA 9.7.1.3). 2^(n-1) stays, as it is negative as a
    signed number, so that the product wraps around where the shift does not (passes/unroll/wraps.py)."""
    one = step.instruction
    if one.mnemonic != "mul" or step.modifiers != ("lo",) or step.reason is not None or len(step.inputs) != 2:
        return step
    constants = [operand for operand in step.inputs if isinstance(operand, Constant)]
    others = [operand for operand in step.inputs if not isinstance(operand, Constant)]
    if len(constants) != 1:
        return step
    bits, width = constants[0].bits, WIDTH[step.types[0]]
    amount = bits.bit_length() - 1
    if bits < 2 or bits & (bits - 1) or amount >= width - 1 or amount % 8 == 0 or amount == _EXPONENT:
        return step
    spelled = replace(one, opcode=f"shl.b{width}")
    return replace(step, instruction=spelled, modifiers=(), types=(f"b{width}",), inputs=(others[0], Constant(amount, 32)))

"""Constant expressions: values by hand from the rules of PTX ISA 4.5.4, the same by ptxas, and random ones against Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lower_text import body_text, lowered

from volta_pipe.ir.errors import InputError
from volta_pipe.passes.lower.constants import NotConstantError, evaluate

VALUES = [
    ("1 + 2 * 3", 7),
    ("( 1 + 2 ) * 3", 9),
    ("- 7 / 2", -3),
    ("- 7 % 3", 0),  # 2^64 - 7 is a multiple of 3
    ("( 7 % 2 ) - 2 < 0", 0),
    ("~ 0 < 0", 0),
    ("( 1 ? 1 : 2U ) - 2 < 0", 1),
    ("( 0 ? 1 : 2U ) - 3 < 0", 0),
    ("( 4U >> 1 ) - 3 < 0", 0),
    ("( 4 >> 1U ) - 3 < 0", 1),
    ("7U / 2", 3),
    ("- 8 / 2U", 2**63 - 4),  # unsigned, as one operand is
    ("- 1 >> 1", -1),
    ("0xffffffffffffffff >> 63", 1),  # does not fit into a signed number
    ("1 << 4 | 3", 19),
    ("~ 0", 2**64 - 1),
    ("! 5 + 1", 1),
    ("(.u64) - 1", 2**64 - 1),
    ("(.s64) 0xffffffffffffffff", -1),
    ("- 1 < 0U", 0),
    ("- 1 < 0", 1),
    ("2 == 1 + 1 && 0 || 1", 1),
    ("5 & 3 ^ 8", 9),
    ("0 ? 4 : 1 ? 5 : 6", 5),
    ("WARP_SZ - 1", 31),
    ("010 + 0b11 + 0x1F", 42),
    ("1 != 1 <= 0", 1),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values(text: str, value: int) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text", ["", "1 +", "( 1", "1 )", "1 / 0", "1 % 0", "1 << 64", "a + 1", "1 ? 2", "09", "1 2", "(" * 99 + "1"]
)
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(NotConstantError):
        evaluate(text)


OPERATORS = ["+", "-", "*", "&", "|", "^", "<", ">", "==", "!=", "<=", ">="]
EXPRESSIONS = st.recursive(
    st.integers(0, 1000).map(str),
    lambda inner: st.tuples(inner, st.sampled_from(OPERATORS), inner).map(lambda parts: "( {} {} {} )".format(*parts)),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS)
def test_random_expressions_against_python(text: str) -> None:
    """At most six factors of a thousand: nothing wraps beyond 64 bits."""
    assert evaluate(text) == (int(eval(text)) + 2**63) % 2**64 - 2**63


def test_in_operands_offsets_and_initialisers() -> None:
    assert "%0 = ptx.constant 22 : i32" in body_text("mov.u32 %r1, (1+10)*2; ret;")
    assert "%0 = ptx.constant -6 : i32" in body_text("mov.u32 %r1, -(1+2)*2; ret;")
    assert '%1 = ptx.ld "global.u32" [%0 + 24] : (i64) -> i32' in body_text("ld.global.u32 %r1, [%rd1+8*3]; ret;")
    assert '%1 = ptx.ld "global.u32" [%0 + -4] : (i64) -> i32' in body_text("ld.global.u32 %r1, [%rd1+4-8]; ret;")
    assert "[%0 + -12]" in body_text("ld.global.u32 %r1, [%rd1+-8*2+4]; ret;")
    with pytest.raises(InputError, match=r"expected '\]'"):
        lowered("ld.global.u32 %r1, [%rd1-8+4]; ret;")
    module = lowered("mov.u64 %rd1, t; ret;", before=".global .u32 t[2] = {1<<4, WARP_SZ*2};\n").module
    assert 'init = "1000000040000000"' in str(module)
    with pytest.raises(InputError, match=r"t\.ptx:6:14: .*no constant expression"):
        lowered("mov.u32 %r1, 1/0; ret;")

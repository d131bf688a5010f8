"""Expressions against Python's own evaluation (on trees built here, so `eval` sees only what the test wrote)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volta_pipe.driver.expressions import LIMIT, MAX_DEPTH, ExpressionError, evaluate

NAMES = {"n": 33, "rows": 4, "_k1": 0}
spaces = st.sampled_from(["", " ", "  "])


def _binary(pair: tuple[str, str, str, str]) -> str:
    left, sign, right, space = pair
    return f"({left}{space}{sign}{space}{right})"


trees = st.recursive(
    st.integers(0, 1000).map(str) | st.sampled_from(sorted(NAMES)),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner, spaces).map(_binary)
        | st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner).map("".join)
        | inner.map(lambda e: f"-{e}")
        | st.tuples(st.sampled_from(["min", "max"]), inner, inner, inner).map(lambda p: f"{p[0]}({', '.join(p[1:])})")
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(trees)
def test_agrees_with_python(text: str) -> None:
    try:
        expected = eval(text, {"__builtins__": {}, "min": min, "max": max}, dict(NAMES))
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="division by zero"):
            evaluate(text, NAMES)
        return
    try:
        assert evaluate(text, NAMES) == expected
    except ExpressionError as error:
        assert "64 bits" in str(error) or "characters" in str(error) or "nested" in str(error)


@given(st.text(max_size=40))
def test_any_text_gives_a_number_or_a_clear_error(text: str) -> None:
    try:
        value = evaluate(text, NAMES)
    except ExpressionError as error:
        assert str(error)
    else:
        assert -LIMIT <= value < LIMIT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number, a dim or '(', found the end at column 1"),
        ("1 +", "found the end at column 4"),
        ("n / 2", "unexpected '/' at column 3"),
        ("2 n", "unexpected 'n' at column 3"),
        ("m + 1", "unknown name 'm' (dims: n, rows, _k1) at column 1"),
        ("n // (rows - 4)", "division by zero at column 3"),
        ("n % _k1", "division by zero at column 3"),
        ("(n", "expected ')', found the end"),
        ("min(n)", "min needs at least two"),
        ("n ** 2", "found '*' at column 4"),
        ("__import__('os')", "unexpected"),
        ("99999999999999999999", "does not fit 64 bits"),
        ("9223372036854775807 + 1", "does not fit 64 bits"),
        ("(" * 400 + "1" + ")" * 400, f"nested deeper than {MAX_DEPTH}"),
        ("-" * 900 + "1", "nested deeper"),
        ("1+" * 600 + "1", "characters"),
        ("n.real", "unexpected '.' at column 2"),
        ("1_000", "unexpected '_000'"),
        ("٣", "unexpected"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(message)):
        evaluate(text, NAMES)


def test_long_sums_need_no_depth() -> None:
    assert evaluate("+".join(["1"] * 400), {}) == 400

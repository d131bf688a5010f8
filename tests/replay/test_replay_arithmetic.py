"""Float arithmetic against exact fractions, in every format, mode and modifier (PTX ISA 9.7.3, 9.7.4)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from replay_reference import LAYOUT, NAN, Value, call, interesting, one, round_to, value_of

from volta_pipe.ir.errors import UnsupportedError

MODES = ("rn", "rz", "rm", "rp")
CASES = [(name, mode) for name in ("f32", "f64") for mode in MODES] + [("f16", "rn"), ("bf16", "rn")]


def negative(value: Value) -> bool:
    return math.copysign(1, value) < 0 if isinstance(value, float) else value < 0


def is_special(*values: Value) -> bool:
    return any(isinstance(v, float) and v != 0 for v in values)


def native(value: Value) -> float:
    """NaN and infinities, and any finite number as something finite of its sign (zero as zero)."""
    if isinstance(value, float):
        return value
    return 0.0 if value == 0 else math.copysign(1.0, value)


def expected_fma(a: Value, b: Value, c: Value, name: str, mode: str) -> int:
    if is_special(a, b, c):
        x, y, z = native(a), native(b), native(c)
        if is_special(c) and not is_special(a, b):
            return round_to(z, name, mode)
        return round_to(x * y + z if not math.isinf(x * y) or is_special(c) else x * y, name, mode)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    product_sign = negative(a) != negative(b)
    zero_sign = int(product_sign) if product_sign == negative(c) else int(mode == "rm")
    if exact == 0 and Fraction(c) != 0:
        zero_sign = int(mode == "rm")
    return round_to(exact, name, mode, zero_sign=zero_sign)


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_fma_is_rounded_once(name: str, mode: str) -> None:
    rng = np.random.default_rng(1)
    edges = interesting(name, rng, 150)
    a, b, c = (list(rng.choice(np.array(edges, np.uint64), 900)) for _ in range(3))
    # Sums that cancel, and that end near the middle between two numbers.
    half = len(a) // 2
    for k in range(half, len(a)):
        x, y = value_of(int(a[k]), name), value_of(int(b[k]), name)
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            c[k] = round_to(-x * y, name, "rz" if k % 2 else "rn")
    found = call(f"fma.{mode}.{name}", a, b, c)[0]
    for k, bits in enumerate(found):
        x, y, z = (value_of(int(column[k]), name) for column in (a, b, c))
        assert bits == expected_fma(x, y, z, name, mode), (hex(int(a[k])), hex(int(b[k])), hex(int(c[k])))


@pytest.mark.parametrize(("name", "mode"), CASES)
@pytest.mark.parametrize("operation", ["add", "sub", "mul"])
def test_sums_and_products_are_rounded_once(name: str, mode: str, operation: str) -> None:
    rng = np.random.default_rng(2)
    edges = np.array(interesting(name, rng, 60), np.uint64)
    a, b = (list(rng.choice(edges, 500)) for _ in range(2))
    found = call(f"{operation}.{mode}.{name}", a, b)[0]
    for k, bits in enumerate(found):
        x, y = value_of(int(a[k]), name), value_of(int(b[k]), name)
        if operation == "mul":
            if is_special(x, y):
                wanted = round_to(native(x) * native(y), name)
            else:
                wanted = round_to(Fraction(x) * Fraction(y), name, mode, zero_sign=int(negative(x) != negative(y)))
        else:
            if operation == "sub":
                y = -y if y != 0 else (Fraction(0) if negative(y) else -0.0)
            if is_special(x, y):
                wanted = round_to(native(x) + native(y) if is_special(x) and is_special(y) else x if is_special(x) else y, name)
            else:
                exact = Fraction(x) + Fraction(y)
                both = negative(x) and negative(y)
                cancels = Fraction(x) != 0 or negative(x) != negative(y)
                wanted = round_to(exact, name, mode, zero_sign=int(both or (mode == "rm" and cancels)))
        assert bits == wanted, (hex(int(a[k])), hex(int(b[k])))


@pytest.mark.parametrize(("name", "mode"), [(n, m) for n in ("f32", "f64") for m in MODES])
def test_quotients_are_rounded_once(name: str, mode: str) -> None:
    rng = np.random.default_rng(3)
    edges = np.array(interesting(name, rng, 60), np.uint64)
    a, b = (list(rng.choice(edges, 500)) for _ in range(2))
    for form, first in ((f"div.{mode}.{name}", a), (f"rcp.{mode}.{name}", None)):
        found = call(form, first, b)[0] if first is not None else call(form, b)[0]
        for k, bits in enumerate(found):
            x = value_of(int(first[k]), name) if first is not None else Fraction(1)
            y = value_of(int(b[k]), name)
            minus = negative(x) != negative(y)
            if any(isinstance(v, float) and math.isnan(v) for v in (x, y)) or (x == 0 and y == 0):
                wanted = NAN[name]
            elif isinstance(x, float) and math.isinf(x):
                wanted = (
                    NAN[name] if isinstance(y, float) and math.isinf(y) else round_to(-math.inf if minus else math.inf, name)
                )
            elif y == 0:
                wanted = round_to(-math.inf if minus else math.inf, name)
            elif isinstance(y, float) and math.isinf(y):
                wanted = round_to(Fraction(0), name, zero_sign=int(minus))
            else:
                wanted = round_to(Fraction(x) / Fraction(y), name, mode, zero_sign=int(minus))
            assert bits == wanted, (form, hex(int(b[k])))


def floor_root(value: Fraction, unit: Fraction) -> int:
    """floor(sqrt(value) / unit), exactly."""
    scaled = value / (unit * unit)
    return math.isqrt(scaled.numerator // scaled.denominator)


@pytest.mark.parametrize(("name", "mode"), [(n, m) for n in ("f32", "f64") for m in MODES])
def test_roots_are_rounded_once(name: str, mode: str) -> None:
    rng = np.random.default_rng(4)
    a = interesting(name, rng, 300)
    squares = [round_to(v * v, name) for v in (value_of(x, name) for x in a[30:60]) if isinstance(v, Fraction)]
    a += squares
    found = call(f"sqrt.{mode}.{name}", a)[0]
    for bits, source in zip(found, a, strict=True):
        x = value_of(source, name)
        if x == 0:
            assert bits == source
            continue
        if (isinstance(x, float) and x != math.inf) or x < 0:
            assert bits == NAN[name]
            continue
        if x == math.inf:
            assert bits == source
            continue
        assert isinstance(x, Fraction)
        # The root to 200 bits, with a mark below where it is not exact, rounds as the root does.
        unit = Fraction(2) ** ((x.numerator.bit_length() - x.denominator.bit_length()) // 2 - 200)
        whole = floor_root(x, unit)
        root = whole * unit if (whole * unit) ** 2 == x else (whole + Fraction(1, 2)) * unit
        assert bits == round_to(root, name, mode), hex(source)


def test_double_rounding_does_not_happen() -> None:
    """The product is the middle between two float32 numbers, and the addend far below decides."""
    a = 0x3F800001  # 1 + 2^-23
    b = 0x3F000000  # 1/2: the product 2^-1 + 2^-24 is a float32
    assert one("fma.rn.f32", a, b, 0) == 0x3F000001
    x, y = 0x3F800FFF, 0x3F800001  # a product with bits below 2^-24
    exact = Fraction(0x800FFF * 0x800001, 1 << 46)
    for tiny in (0x00000001, 0x80000001):
        wanted = round_to(exact + Fraction(value_of(tiny, "f32")), "f32")
        assert one("fma.rn.f32", x, y, tiny) == wanted
    # 1 + 2^-24 is a tie (to 1); 2^-149 more, and it is not. In float64, 2^-149 vanishes.
    assert one("fma.rn.f32", 0x33800000, 0x3F800000, 0x3F800000) == 0x3F800000
    plus = call("fma.rn.f32", [0x33800001], [0x3F800000], [0x3F800000])[0][0]
    assert plus == 0x3F800001
    # 2^-24 · (1 + 2^-23) squared parts: (2^-12 + 2^-35)^2 = 2^-24 + 2^-46 + 2^-70
    assert one("fma.rn.f32", 0x39800001, 0x39800001, 0x3F800000) == 0x3F800001
    # (2^-12)^2 + 1 - 0: the exact tie goes to even
    assert one("fma.rn.f32", 0x39800000, 0x39800000, 0x3F800000) == 0x3F800000
    # The float64 sum lands on the tie, the exact one is below it.
    assert one("fma.rn.f32", 0x397FFFFF, 0x39800000, 0x3F800001) == round_to(
        Fraction(0xFFFFFF, 1 << 36) * Fraction(1, 1 << 12) + 1 + Fraction(1, 1 << 23), "f32"
    )


def test_a_first_rounding_that_lands_on_a_tie() -> None:
    """a · b is half a unit of c less a part that float64 arithmetic loses: the sum is below the tie, not on it."""
    for name, bits in (("f32", 15), ("f64", 52), ("f16", 5), ("bf16", 4)):
        fraction = LAYOUT[name][2]
        even, odd = Fraction(2) ** -(fraction + 1), Fraction(2) ** -fraction
        near = Fraction(2) ** -bits
        for c in (1, 1 + odd, 1 + 2 * odd):
            for sign in (1, -1):
                a, b = even * (1 + sign * near), 1 - near
                operands = [round_to(v, name) for v in (a, b, Fraction(c))]
                values = [value_of(x, name) for x in operands]
                assert values == [a, b, c], "the operands are exact"
                assert one(f"fma.rn.{name}", *operands) == round_to(a * b + c, name), (name, c, sign)


def test_ftz_sat_relu() -> None:
    """9.7.3: .ftz flushes inputs and results with their sign; .sat clamps to [0, 1] and NaN to +0."""
    assert one("add.ftz.f32", 0x00000001, 0x80000000) == 0  # +0 + -0
    assert one("add.ftz.f32", 0x80000001, 0x80000000) == 0x80000000
    assert one("add.f32", 0x00000001, 0x00000001) == 2
    assert one("mul.ftz.f32", 0x00800000, 0x3F000000) == 0  # 2^-127 is subnormal
    assert one("mul.ftz.f32", 0x80800000, 0x3F000000) == 0x80000000
    assert one("mul.f32", 0x00800000, 0x3F000000) == 0x00400000
    assert one("fma.rn.ftz.f32", 0x007FFFFF, 0x7F000000, 0x3F800000) == 0x3F800000  # the input is zero
    assert one("fma.rn.sat.f32", 0x40000000, 0x3F800000, 0) == 0x3F800000
    assert one("fma.rn.sat.f32", 0xC0000000, 0x3F800000, 0) == 0
    assert one("fma.rn.sat.f32", 0x7FC00000, 0x3F800000, 0) == 0
    assert one("add.sat.f32", 0x3E800000, 0x3E800000) == 0x3F000000
    assert one("add.sat.f32", 0x80000000, 0x80000000) == 0
    assert one("fma.rn.relu.f16", 0x3C00, 0xBC00, 0) == 0  # -1
    assert one("fma.rn.relu.f16", 0x7E00, 0x3C00, 0) == 0x7FFF
    assert one("fma.rn.relu.bf16", 0x3F80, 0x4000, 0) == 0x4000
    assert one("add.ftz.f16", 0x0001, 0x0001) == 0
    assert one("add.f16", 0x0001, 0x0001) == 0x0002


def test_nan_is_canonical() -> None:
    for form, nan, wanted in (("f32", 0xFFC12345, 0x7FFFFFFF), ("f64", 0xFFF0000000000001, 0x7FF8000000000000)):
        assert one(f"add.rn.{form}", nan, 0) == wanted
        assert one(f"mul.rz.{form}", nan, 0) == wanted
        assert one(f"fma.rn.{form}", 0, 0, nan) == wanted
    assert one("add.f16", 0x7C00, 0xFC00) == 0x7FFF
    assert one("mul.bf16", 0x7F80, 0) == 0x7FFF
    assert one("add.f32", 0x7F800000, 0xFF800000) == 0x7FFFFFFF


def test_packed_forms_work_on_halves() -> None:
    assert one("add.f16x2", 0x3C00_4000, 0x3C00_BC00) == 0x4000_3C00
    assert one("fma.rn.bf16x2", 0x3F80_4000, 0x4000_4000, 0x0000_3F80) == 0x4000_40A0
    low, high = 0x3F800000, 0x40000000
    assert one("add.rn.f32x2", high << 32 | low, low << 32 | high) == 0x40400000 << 32 | 0x40400000


def test_all_halves_add_like_numpy() -> None:
    """NumPy rounds float16 sums once."""
    every = np.arange(65536, dtype=np.uint16)
    other = np.random.default_rng(5).permutation(every)
    with np.errstate(all="ignore"):
        for form, operate in (("add.f16", np.add), ("mul.f16", np.multiply), ("sub.rn.f16", np.subtract)):
            wanted = operate(every.view(np.float16), other.view(np.float16))
            found = np.array(call(form, every, other)[0], np.uint16)
            nan = np.isnan(wanted)
            assert (found[nan] == 0x7FFF).all()
            assert np.array_equal(found[~nan], wanted.view(np.uint16)[~nan])


@pytest.mark.parametrize(
    "form", ["add.rz.f16", "add.ftz.f64", "fma.rn.sat.bf16", "mul.relu.f32", "fma.rn.oob.f32", "mul.rn.rz.f32", "div.f32"]
)
def test_forms_that_do_not_exist_are_refused(form: str) -> None:
    with pytest.raises(UnsupportedError):
        one(form, 0, 0, 0)


def test_out_of_bounds_nan_is_not_guessed() -> None:
    assert one("fma.rn.oob.f16", 0x3C00, 0x3C00, 0x3C00) == 0x4000
    with pytest.raises(UnsupportedError, match="out of bounds"):
        one("fma.rn.oob.f16", 0xFFFF, 0x3C00, 0x3C00)


def test_layouts_agree_with_numpy() -> None:
    """The reference itself: every finite float16, and some float32 and float64."""
    for bits in range(0, 65536, 29):
        value = value_of(bits, "f16")
        if isinstance(value, Fraction):
            assert float(value) == float(np.uint16(bits).view(np.float16))
            assert round_to(value, "f16") == bits or value == 0
    assert value_of(0x3F800001, "f32") == 1 + Fraction(1, 1 << 23)
    assert set(LAYOUT) == {"f64", "f32", "tf32", "f16", "bf16", "e4m3", "e5m2"}

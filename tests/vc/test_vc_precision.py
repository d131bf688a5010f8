"""In which format a sum goes on, for each way in which a sum can be kept in fewer bits: PTX by hand, counted by hand."""

from __future__ import annotations

import pytest

from volta_pipe.ir.launch import DTYPES, Argument, Launch, Tensor
from volta_pipe.ir.precision import RANK, WIDE_TO_NARROW
from volta_pipe.passes.lower import lower
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

HEAD = ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 px, .param .u64 py)\n{\n"
HEAD += ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %e<9>; .reg .b64 %d<9>; .reg .pred %p<3>;\n"
HEAD += "ld.param.u64 %d8, [px];\nld.param.u64 %d7, [py];\n"
# x[0] to x[4] in %f0 to %f4; f6 = x[0] + x[1], the first sum of most kernels.
LOADS = "".join(f"ld.global.f32 %f{i}, [%d8+{4 * i}];\n" for i in range(5)) + "add.f32 %f6, %f0, %f1;\n"
STORE = "st.global.f32 [%d7], %f7;"


def sums(body: str, x: str = "f32", y: str = "f32", threads: int = 1) -> tuple[dict[str, int], dict[str, int]]:
    """(additions, accumulations) by format of a kernel; x: [256], y: [1]."""
    tensors = (Tensor("x", x, (256,), (1,), "in"), Tensor("y", y, (1,), (1,), "out"))
    launch = Launch(tensors, (), (Argument("pointer", 0), Argument("pointer", 1)), (1, 1, 1), (threads, 1, 1))
    (found,) = vc(unroll(lower(f"{HEAD}{body}\nret;\n}}\n", "k.ptx", "k").module, launch), launch).precision
    chains: dict[str, int] = {}
    for format, _, count in found.accumulations:
        chains[format] = chains.get(format, 0) + count
    return dict(found.additions), chains


@pytest.mark.parametrize(
    ("between", "format"),
    [
        ("mov.f32 %f5, %f6;", "f32"),
        ("neg.f32 %f5, %f6;", "f32"),
        ("cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1;", "f16"),
        ("cvt.rn.bf16.f32 %h1, %f6; cvt.f32.bf16 %f5, %h1;", "bf16"),
        # The upper half of a float is its bfloat16, with zeros below it is a float again.
        ("mov.b32 {%h1, %h2}, %f6; mov.b16 %h3, 0; mov.b32 %f5, {%h3, %h2};", "bf16"),
        ("mov.b32 %r1, %f6; and.b32 %r2, %r1, 0xffff0000; mov.b32 %f5, %r2;", "bf16"),
        ("cvt.rna.tf32.f32 %r1, %f6; mov.b32 %f5, %r1;", "tf32"),
        ("cvt.f64.f32 %e1, %f6; cvt.rn.f32.f64 %f5, %e1;", "f32"),
        ("cvt.rn.f16x2.f32 %r1, %f6, %f2; mov.b32 {%h1, %h2}, %r1; cvt.f32.f16 %f5, %h2;", "f16"),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f6; cvt.rn.f16x2.e4m3x2 %r1, %h1; mov.b32 {%h2, %h3}, %r1; "
         "cvt.f32.f16 %f5, %h2;", "e4m3"),
        # Rounded twice, to f16 and then to bf16.
        ("cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1; cvt.rn.bf16.f32 %h1, %f5; cvt.f32.bf16 %f5, %h1;", "bf16"),
        # One of two that is chosen.
        ("cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1; setp.lt.f32 %p1, %f3, %f4; selp.f32 %f5, %f5, %f6, %p1;", "f16"),
        ("max.f32 %f5, %f6, %f3;", "f32"),
        ("abs.f32 %f5, %f6;", "f32"),
        ("mul.f32 %f5, %f6, %f3;", "f32"),
        ("div.rn.f32 %f5, %f6, %f3;", "f32"),
        # What is no sum any more.
        ("ex2.approx.f32 %f5, %f6;", ""),
        ("rcp.rn.f32 %f5, %f6;", ""),
        ("sqrt.rn.f32 %f5, %f6;", ""),
        ("div.rn.f32 %f5, %f3, %f6;", ""),
        ("setp.lt.f32 %p1, %f6, %f4; selp.f32 %f5, %f3, %f4, %p1;", ""),
        # A factor was rounded, the product was not.
        ("cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1; mul.f32 %f5, %f5, %f3;", "f32"),
    ],
)  # fmt: skip
def test_a_sum_goes_on_in_the_narrowest_format_that_it_was_in(between: str, format: str) -> None:
    additions, chains = sums(f"{LOADS}{between}\nadd.f32 %f7, %f5, %f2;\n{STORE}")
    assert additions == {"f32": 2}
    assert chains == ({format: 1} if format else {})


@pytest.mark.parametrize("factors", ["%f5, %f3", "%f3, %f5"])
def test_an_fma_that_scales_a_sum_goes_on_with_it(factors: str) -> None:
    half = "cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1;\n"
    step = f"fma.rn.f32 %f7, {factors}, %f4;\n"
    assert sums(f"{LOADS}{half}{step}{STORE}") == ({"f32": 2}, {"f32": 1})
    # Rounded to half before and after, it is an fma of halves.
    again = "cvt.rn.f16.f32 %h2, %f7; cvt.f32.f16 %f7, %h2;\n"
    assert sums(f"{LOADS}{half}{step}{again}{STORE}") == ({"f32": 2}, {"f16": 1})
    assert sums(f"{LOADS}mov.f32 %f5, %f6;\n{step}{again}{STORE}") == ({"f32": 2}, {"f32": 1})
    # With a sum of floats as what is added to, it is the last step of a product.
    to_sum = f"add.f32 %f4, %f4, %f2;\nfma.rn.f32 %f7, {factors}, %f4;\n"
    assert sums(f"{LOADS}{half}{to_sum}{again}{STORE}") == ({"f32": 3}, {"f32": 1})


@pytest.mark.parametrize("scaled", ["mul.f32 %f3, %f5, %f3;", "mul.f32 %f3, %f3, %f5;", "div.rn.f32 %f3, %f5, %f3;"])
@pytest.mark.parametrize("add", ["add.f32 %f7, %f3, %f4;", "add.f32 %f7, %f4, %f3;", "sub.f32 %f7, %f4, %f3;"])
def test_the_same_in_two_instructions(scaled: str, add: str) -> None:
    half = "cvt.rn.f16.f32 %h1, %f6; cvt.f32.f16 %f5, %h1;\n"
    again = "cvt.rn.f16.f32 %h2, %f7; cvt.f32.f16 %f7, %h2;\n"
    assert sums(f"{LOADS}{half}{scaled}\n{add}\n{STORE}") == ({"f32": 2}, {"f32": 1})
    assert sums(f"{LOADS}{half}{scaled}\n{add}\n{again}{STORE}") == ({"f32": 2}, {"f16": 1})
    assert sums(f"{LOADS}mov.f32 %f5, %f6;\n{scaled}\n{add}\n{again}{STORE}") == ({"f32": 2}, {"f32": 1})
    to_sum = "add.f32 %f4, %f4, %f2;\n"
    assert sums(f"{LOADS}{half}{scaled}\n{to_sum}{add}\n{again}{STORE}") == ({"f32": 3}, {"f32": 1})


def test_subtraction_and_both_operands() -> None:
    assert sums(f"{LOADS}sub.f32 %f7, %f2, %f6;\n{STORE}") == ({"f32": 2}, {"f32": 1})
    assert sums(f"{LOADS}sub.f32 %f7, %f2, %f3;\n{STORE}") == ({"f32": 1}, {})
    assert sums(f"{LOADS}fma.rn.f32 %f7, %f2, %f3, %f6;\n{STORE}") == ({"f32": 2}, {"f32": 1})


def test_doubles_and_pairs_of_floats() -> None:
    loads = "".join(f"ld.global.f64 %e{i}, [%d8+{8 * i}];\n" for i in range(3))
    body = f"{loads}add.f64 %e3, %e0, %e1;\nadd.f64 %e4, %e3, %e2;\nst.global.f64 [%d7], %e4;"
    assert sums(body, "f64", "f64") == ({"f64": 2}, {"f64": 1})
    kept = body.replace("add.f64 %e4", "cvt.rn.f32.f64 %f1, %e3; cvt.f64.f32 %e3, %f1; add.f64 %e4")
    assert sums(kept, "f64", "f64") == ({"f64": 2}, {"f32": 1})
    # (x0, x1) + (x2, x3), then the two with each other: one sum more.
    pair = "ld.global.b64 %d1, [%d8]; ld.global.b64 %d2, [%d8+8]; add.rn.f32x2 %d3, %d1, %d2;\n"
    pair += "mov.b64 {%f1, %f2}, %d3; add.f32 %f7, %f1, %f2;\n"
    assert sums(pair.replace("sm_90", "sm_100") + STORE) == ({"f32": 3}, {"f32": 1})


@pytest.mark.parametrize(
    ("d", "c", "products", "after"), [("f32", "f32", "f32", "f32"), ("f16", "f32", "f32", "f16"), ("f16", "f16", "f16", "f16")]
)
def test_a_matrix_product_adds_in_the_format_of_its_accumulators(d: str, c: str, products: str, after: str) -> None:
    """The first element is 16 products, so 15 additions, 14 of them to a sum; then x[0] is added to it in f32."""
    load = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d2, %d8, %d1; ld.global.b32 %r2, [%d2];\n"
    results = "{%f1, %f2, %f3, %f4}" if d == "f32" else "{%r3, %r4}"
    zeros = "{%f0, %f0, %f0, %f0}" if c == "f32" else "{%r5, %r5}"
    product = f"mov.f32 %f0, 0f00000000; mov.b32 %r5, 0;\nmma.sync.aligned.m16n8k16.row.col.{d}.f16.f16.{c} {results}, "
    product += f"{{%r2, %r2, %r2, %r2}}, {{%r2, %r2}}, {zeros};\n"
    first = "" if d == "f32" else "mov.b32 {%h1, %h2}, %r3; cvt.f32.f16 %f1, %h1;\n"
    end = "ld.global.b16 %h3, [%d8]; cvt.f32.f16 %f5, %h3; add.f32 %f7, %f1, %f5;\n"
    end += f"setp.eq.u32 %p1, %r1, 0;\n@%p1 {STORE}"
    wanted = {products: 14, after: 1} if products != after else {products: 15}
    additions = {"f32": 16} if products == "f32" else {"f32": 1, "f16": 15}
    assert sums(load + product + first + end, "f16", threads=32) == (additions, wanted)


def test_what_an_output_does_not_depend_on_is_not_counted() -> None:
    assert sums(f"{LOADS}add.f32 %f5, %f6, %f2;\nadd.f32 %f7, %f3, %f4;\n{STORE}") == ({"f32": 1}, {})
    # A known zero is not added, and known numbers have a known sum.
    zero = "mov.f32 %f5, 0f00000000; add.f32 %f7, %f6, %f5;"
    assert sums(f"{LOADS}{zero}\n{STORE}") == ({"f32": 1}, {})


def test_formats_are_ordered_by_significand_and_then_by_exponent() -> None:
    bits = {"f64": (53, 11), "f32": (24, 8), "tf32": (11, 8), "f16": (11, 5), "bf16": (8, 8), "e4m3": (4, 4), "e5m2": (3, 5)}
    assert list(WIDE_TO_NARROW) == sorted(bits, key=lambda name: bits[name], reverse=True)
    assert [RANK[name] for name in WIDE_TO_NARROW] == [7, 6, 5, 4, 3, 2, 1]
    assert set(WIDE_TO_NARROW) == {name for name, (_, kind) in DTYPES.items() if kind == "f"}

"""What `vc` must refuse or get right at the edges: bits that are no floats, widths that do not fit, NaN and infinities."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from unroll_harness import at, kernel, run_body, tensor
from vc_evaluate import evaluate

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import UnsupportedError

LOAD = at("x") + at("y") + "ld.global.f32 %f1, [%at_x]; mov.b32 %r1, %f1;\n"
F32 = [tensor("x", "f32", 4, "in"), tensor("y", "f32", 4, "out")]
REFUSED = [
    ("xor.b32 %r2, %r1, 0x40000000;", "xor"),
    ("and.b32 %r2, %r1, 0x7ffffffe;", "and"),
    ("or.b32 %r2, %r1, 0x00800000;", "or"),
    ("add.s32 %r2, %r1, 1;", "add"),
    ("shr.u32 %r2, %r1, 23;", "shr"),
    ("shl.b32 %r2, %r1, 23;", "shl"),
    ("prmt.b32 %r2, %r1, 0, 0xb210; mov.b32 %f2, %r2; add.f32 %f2, %f2, %f2; mov.b32 %r2, %f2;", "add"),
    (
        "cvt.s64.s32 %rd1, %r1; shr.u64 %rd2, %rd1, 32; cvt.u32.u64 %r2, %rd2; cvt.rn.f32.s32 %f2, %r2; mov.b32 %r2, %f2;",
        "cvt.rn",
    ),
    ("popc.b32 %r2, %r1;", "popc"),
    ("mov.b32 {%rs1, %rs2}, %r1; add.s16 %rs1, %rs1, 1; mov.b32 %r2, {%rs1, %rs2};", "add"),
    ("setp.lt.s32 %p1, %r1, 0; selp.b32 %r2, 0, %r1, %p1;", "setp"),
    ("cvt.rn.f32.s32 %f2, %r1; mov.b32 %r2, %f2;", "cvt"),
    ("cvt.rn.f32.u8 %f2, %rs1; mov.b32 %r2, %f2;", "cvt"),
]


@pytest.mark.parametrize(("code", "word"), REFUSED, ids=[word + str(k) for k, (_, word) in enumerate(REFUSED)])
def test_integer_work_on_a_symbolic_float_is_refused_at_its_line(code: str, word: str) -> None:
    code = code.replace("%rs1;", "%rs1;") if "u8" not in code else "mov.b32 {%rs1, %rs2}, %r1;" + code
    text = LOAD + "\n" + code.replace(";", ";\n") + "st.global.b32 [%at_y], %r2;"
    outcome = run_body(text, F32, 4)
    if not outcome.program.complete:  # a predicate that is no float comparison is stopped earlier
        assert outcome.kinds
        return
    with pytest.raises(UnsupportedError) as error:
        outcome.conditions()
    line = kernel(text, ["x", "y"]).splitlines()[outcome.line(error.value.instruction) - 1]
    assert word in line or "mov" in line


def refused(body: str, *tensors: object) -> bool:
    try:
        outcome = run_body(body, list(tensors), 4)  # type: ignore[arg-type]
        if outcome.kinds:
            return True
        outcome.conditions()
    except UnsupportedError:
        return True
    return False


D, F = tensor("x", "f64", 4, "in"), tensor("y", "f32", 4, "out")
S = tensor("x", "s32", 4, "in")
PUNS = [
    (
        "s32 element in float arithmetic",
        at("x") + at("y") + "ld.global.f32 %f1, [%at_x]; add.f32 %f2, %f1, %f1; st.global.f32 [%at_y], %f2;",
        (S, F),
    ),
    ("s32 element copied to f32", at("x") + at("y") + "ld.global.b32 %r1, [%at_x]; st.global.b32 [%at_y], %r1;", (S, F)),
    ("half of an f64 element", at("x", size=8) + at("y") + "ld.global.b32 %r1, [%at_x]; st.global.b32 [%at_y], %r1;", (D, F)),
    (
        "f64 value cut to its low half",
        at("x", size=8) + at("y") + "ld.global.f64 %rd1, [%at_x]; add.f64 %rd2, %rd1, %rd1; st.global.b32 [%at_y], %rd2;",
        (D, F),
    ),
    (
        "f64 value cut by a float register",
        at("x", size=8) + at("y") + "ld.global.f64 %fd1, [%at_x]; add.f64 %fd2, %fd1, %fd1; st.global.b32 [%at_y], %fd2;",
        (D, F),
    ),
    (
        "f32 value widened by a load",
        at("x") + at("y", size=8) + ".shared .align 4 .b8 s[16]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r1, %r1, %r2;"
        "ld.global.f32 %f1, [%at_x]; add.f32 %f1, %f1, %f1; st.shared.f32 [%r1], %f1; ld.shared.b32 %rd1, [%r1];"
        "add.f64 %rd2, %rd1, %rd1; st.global.f64 [%at_y], %rd2;",
        (tensor("x", "f32", 4, "in"), tensor("y", "f64", 4, "out")),
    ),
    (
        "two floats as a double",
        at("x", size=8)
        + at("y", size=8)
        + "ld.global.f64 %fd1, [%at_x]; add.f64 %fd1, %fd1, %fd1; st.global.f64 [%at_y], %fd1;",
        (tensor("x", "f32", 8, "in"), tensor("y", "f64", 4, "out")),
    ),
    (
        "halves of a double swapped",
        at("x", size=8)
        + at("y", size=8)
        + "ld.global.b64 %rd1, [%at_x]; mov.b64 {%r1, %r2}, %rd1; mov.b64 %rd2, {%r2, %r1}; st.global.b64 [%at_y], %rd2;",
        (D, tensor("y", "f64", 4, "out")),
    ),
    (
        "a computed float as an integer",
        at("x") + at("y") + "ld.global.f32 %f1, [%at_x]; add.f32 %f1, %f1, %f1; st.global.f32 [%at_y], %f1;",
        (tensor("x", "f32", 4, "in"), tensor("y", "s32", 4, "out")),
    ),
    (
        "a byte of a float",
        at("x") + at("y") + "ld.global.u8 %r1, [%at_x]; st.global.u32 [%at_y], %r1;",
        (tensor("x", "f32", 4, "in"), tensor("y", "u32", 4, "out")),
    ),
    (
        "a byte put into a float",
        LOAD + "st.global.f32 [%at_y], %f1; mov.u16 %rs1, 0; st.global.u8 [%at_y+1], %rs1;",
        tuple(F32),
    ),
]


@pytest.mark.parametrize(("why", "body", "tensors"), PUNS, ids=[why.replace(" ", "-") for why, _, _ in PUNS])
def test_type_punning_is_refused(why: str, body: str, tensors: tuple[object, ...]) -> None:
    assert refused(body, *tensors), why


@pytest.mark.parametrize("name", ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"))
@pytest.mark.parametrize("other", ("%f1", "0f3F800000"))
def test_comparisons_with_nan(name: str, other: str) -> None:
    """Ordered comparisons, `ne` among them, are false; unordered ones are true (PTX ISA 9.7.6.2)."""
    code = f"mov.f32 %f2, 0f7FC00000; setp.{name}.f32 %p1, {other}, %f2; selp.f32 %f3, 0f3F800000, 0f00000000, %p1; st.global.f32 [%at_y], %f3;"
    found = evaluate(run_body(LOAD + code, F32, 4).conditions(), {"x": np.arange(4)})["y"]
    assert found.tolist() == [float(name.endswith("u") or name == "nan")] * 4


@pytest.mark.parametrize(
    "code",
    [
        "mul.f32 %f3, %f2, %f1;",
        "max.f32 %f4, %f2, %f2; mul.f32 %f3, %f4, 0f00000000; max.f32 %f3, %f3, %f1;",
        "div.rn.f32 %f3, %f1, 0f00000000;",
        "selp.f32 %f3, %f1, %f2, %p1;",
    ],
)
def test_an_infinity_of_unknown_sign_is_refused(code: str) -> None:
    with pytest.raises(UnsupportedError):
        run_body(
            LOAD + "mov.f32 %f2, 0fFF800000; setp.gt.f32 %p1, %f1, 0f00000000;" + code + "st.global.f32 [%at_y], %f3;", F32, 4
        ).conditions()


# --- whole runs ---------------------------------------------------------------------------------------------------------


def verdict(folder: Path, candidate: str, reference: str, tensors: str, more: str = "") -> str:
    names = [line.split(".")[1].rstrip("]") for line in tensors.splitlines() if line.startswith("[tensors.")]
    text = f'name = "t"\n{tensors}\n'
    for side, body in (("reference", reference), ("candidate", candidate)):
        (folder / f"{side}.ptx").write_text(kernel(body, names))
        text += f'[{side}]\nsource = "{side}.ptx"\nentry = "k"\ngrid = [2]\nblock = [4]\nargs = {json.dumps(names)}\n{more}\n'
    (folder / "volta.toml").write_text(text)
    with Store(folder / "store") as store:
        return str(verify(folder / "volta.toml", store).document["verdict"])


def declared(name: str, dtype: str, size: int, role: str, more: str = "") -> str:
    return f'[tensors.{name}]\ndtype = "{dtype}"\nshape = [{size}]\nrole = "{role}"\n{more}\n'


BYTES = ".reg .b64 %a; cvt.u64.u32 %a, %r50; add.u64 %a, %a, %rd_y; mov.u16 %rs1, 0; setp.lt.u32 %p1, %r50, {}; @%p1 st.global.u8 [%a], %rs1;"


def test_restricted_ctas_compare_bytes_that_one_side_does_not_write(tmp_path: Path) -> None:
    """The reference writes a fourth byte of a word of which the candidate writes three."""
    tensors = declared("y", "u8", 8, "out")
    assert verdict(tmp_path, BYTES.format(3), BYTES.format(4), tensors, "ctas = [[0,0,0]]") == "not-equivalent"


def test_restricted_ctas_compare_elements_of_which_one_side_writes_a_half(tmp_path: Path) -> None:
    half = at("y") + "mov.u16 %rs1, 0; st.global.u16 [%at_y], %rs1;"
    whole = at("y") + "mov.u32 %r1, 0; st.global.u32 [%at_y], %r1;"
    assert verdict(tmp_path, half, whole, declared("y", "f32", 8, "out"), "ctas = [[0,0,0]]") != "equivalent"


CTA0 = "mov.u32 %r9, %ctaid.x; setp.ne.u32 %p9, %r9, 0; @%p9 ret;"


def test_known_contents_that_stay_are_the_same_as_written_again(tmp_path: Path) -> None:
    tensors = declared("y", "s32", 4, "inout", "values = 7")
    again = CTA0 + at("y") + "mov.u32 %r1, 7; st.global.u32 [%at_y], %r1;"
    assert verdict(tmp_path, again, "", tensors) == "equivalent"


def test_division_by_zero_is_no_known_number(tmp_path: Path) -> None:
    """Unspecified by the ISA (9.7.1.8): what one machine gives proves nothing."""
    divide = CTA0 + at("y") + "mov.u32 %r1, 0; div.u32 %r2, %r50, %r1; st.global.u32 [%at_y], %r2;"
    ones = CTA0 + at("y") + "mov.u32 %r2, -1; st.global.u32 [%at_y], %r2;"
    assert verdict(tmp_path, divide, ones, declared("y", "u32", 4, "out")) != "equivalent"


@pytest.mark.parametrize("order", ("xy", "yx"))
def test_an_alias_holds_the_input_whichever_is_declared_first(tmp_path: Path, order: str) -> None:
    parts = {"x": declared("x", "f32", 4, "in"), "y": declared("y", "f32", 4, "out")}
    body = CTA0 + LOAD + "add.f32 %f2, %f1, %f1; st.global.f32 [%at_y], %f2;"
    assert verdict(tmp_path, body, body, 'aliases = [["x", "y"]]\n' + "".join(parts[name] for name in order)) == "equivalent"


@pytest.mark.parametrize(
    "steps",
    [
        "add.rm.f32 %f2, %f1, 0fCB400000; add.f32 %f2, %f2, 0f4B400000;",
        "sub.rz.f32 %f2, %f1, 0f4B400000; add.f32 %f2, %f2, 0f4B400000;",
        "add.rn.f32 %f2, %f1, 0f4B400000; add.f32 %f2, %f2, 0fCB400000;",
    ],
)
def test_adding_a_large_number_is_no_rounding_over_the_reals(tmp_path: Path, steps: str) -> None:
    """x + c - c is x over the reals, and on hardware rounds in the mode of the instruction: never the nearest integer for all x."""
    tensors = declared("x", "f32", 4, "in") + declared("y", "f32", 4, "out")
    tricky = CTA0 + LOAD + steps + "st.global.f32 [%at_y], %f2;"
    nearest = CTA0 + LOAD + "cvt.rni.f32.f32 %f2, %f1; st.global.f32 [%at_y], %f2;"
    assert verdict(tmp_path, tricky, nearest, tensors) == "not-equivalent"
    same = CTA0 + LOAD + "st.global.f32 [%at_y], %f1;"
    assert verdict(tmp_path, tricky, same, tensors) == "equivalent"

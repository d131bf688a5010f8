"""Parts of a program: rows, one CTA, one thread; what is left out is said, and the limits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scta_programs import ROOT, encoded, programs_of, sample
from unroll_harness import run_body, tensor

from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.ir.modules import MOST_OPERATIONS, print_custom, print_generic, verify
from volta_pipe.ir.modules.attributes import number_of, numbers_of
from volta_pipe.ir.program import Program, Region
from volta_pipe.ir.scta import CodeOp, CtaOp, InitialOp, RowOp, Selection, SyncOp, module_of, parse_module, program_of


def axpy() -> Program:
    return next(programs_of(ROOT / "examples/axpy/volta.toml"))


def rows(program: Program, selection: Selection) -> list[RowOp]:
    module = module_of(program, selection)
    verify(module)
    assert print_generic(parse_module(print_custom(module))) == print_generic(module)
    with pytest.raises(ArtifactError, match="holds a part of the rows"):
        program_of(module)
    return [op for op in module.walk() if isinstance(op, RowOp)]


def test_rows_and_ctas() -> None:
    """n = 100 on two CTAs of five rows each."""
    program = axpy()
    found = rows(program, Selection(rows=range(3, 8)))
    assert [op.name for op in found] == ["scta.op", "scta.write", "scta.op", "scta.read", "scta.read"]
    module = module_of(program, Selection(rows=range(3, 8)))
    assert [number_of(op.first) for op in module.walk() if isinstance(op, CtaOp)] == [3, 5]
    # Of CTA 0 the scalar and the two loads are left out; their registers are what the fma reads.
    assert len([op for op in module.walk() if isinstance(op, InitialOp)]) == 3
    assert len([op for op in module.walk() if isinstance(op, CodeOp)]) == 5
    assert [op.lanes.data for op in rows(program, Selection(cta=1))] == ["0..63"] + 4 * ["0..35"]
    (one,) = rows(program, Selection(cta=1, rows=range(4, 6)))
    assert one.name == "scta.op"


def test_a_thread_sees_its_own_addresses() -> None:
    program = axpy()
    found = rows(program, Selection(cta=1, thread=3))
    assert [op.lanes.data for op in found] == ["3"] * 5 and all(not numbers_of(op.pattern) for op in found)
    offsets = [number_of(op.attributes["offset"]) for op in found if "offset" in op.attributes]
    assert offsets == [4 * (64 + 3)] * 3
    assert [op.name for op in rows(program, Selection(cta=1, thread=40))] == ["scta.op"]  # the scalar; behind n


def test_others_at_a_barrier_are_shown_to_a_thread() -> None:
    (sync,) = [op for op in rows(sample(), Selection(thread=5)) if isinstance(op, SyncOp)]
    assert sync.lanes.data == "0..31"


def test_old_values_of_rows_that_are_left_out() -> None:
    """A row that writes lanes 0..6 of a register keeps what a row left out wrote to the others."""
    program = sample()
    whole = [op for op in module_of(program).walk() if isinstance(op, RowOp)]
    place = next(i for i, op in enumerate(whole) if op.keeps and op.lanes.data == "0..6")
    (one,) = rows(program, Selection(rows=range(place, place + 1)))
    assert one.keeps and isinstance(one.old[0].owner, InitialOp)


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(rows=range(5, 5)), "there are no rows 5:5, only 0:10"),
        (Selection(rows=range(0, 11)), "there are no rows 0:11, only 0:10"),
        (Selection(cta=2), "there are 64 threads in each of 2 CTAs"),
        (Selection(thread=64), "there are 64 threads in each of 2 CTAs"),
    ],
)
def test_what_is_not_there(selection: Selection, message: str) -> None:
    with pytest.raises(InputError, match=message):
        module_of(axpy(), selection)


def test_too_many_rows() -> None:
    program = axpy()
    count = MOST_OPERATIONS + 1
    many = {name: np.repeat(getattr(program, name)[:1], count) for name in ("row_instr", "row_mask", "row_base", "row_flags")}
    large = replace(
        program, **many, row_pattern=np.full(count, -1, np.int32), cta_ids=program.cta_ids[:1], cta_rows=np.array([0, count])
    )
    with pytest.raises(
        InputError, match=r"200,001 rows are more than the 200,000 that become operations; choose some with --rows"
    ):
        module_of(large)
    assert len(rows(large, Selection(rows=range(count - 3, count)))) == 3


def test_regions_of_one_name() -> None:
    """A tensor may be called `shared`."""
    body = (
        ".shared .align 4 .b8 s[128]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r3, %r1, %r2; mul.wide.u32 %rd9, %r50, 4;"
    )
    body += "add.s64 %rd9, %rd9, %rd_shared; ld.global.f32 %f1, [%rd9]; st.shared.f32 [%r3], %f1; st.global.f32 [%rd9], %f1;"
    program = run_body(body, [tensor("shared", "f32", 32, "inout")], 32).program
    text = print_custom(module_of(program))
    assert 'at "shared#1" + 0 by 4' in text and 'at "shared#16" + 0 by 4' in text
    assert encoded(program_of(parse_module(text))) == encoded(program)


def test_the_canonical_form_is_no_module() -> None:
    """A module has no place for what its dropped static code meant; without it `check` would take too few variables."""
    plain = Program.decode(encoded(sample().canonical[0]))
    with pytest.raises(ArtifactError, match="it is in canonical form, which lacks a part of its static code"):
        module_of(plain)
    assert len(rows(plain, Selection(rows=range(0, 3)))) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row_flags": 4}, "the flags 4 of row 0 mean nothing"),
        ({"op": 255}, "it has an instruction that there is not"),
        ({"negated": 2}, "it has an instruction that there is not"),
        ({"first": 1}, "the operands of its instructions do not follow each other"),
        ({"regions": (Region(1, "a", "shared", 0, 4, 7),)}, "a region starts with what there is not"),
        ({"regions": (Region(1, "a", "shared", 0, 4, 0), Region(1, "b", "shared", 0, 4, 0))}, "two regions of one number"),
        ({"mask_bits": None}, "it has two masks that are equal"),
    ],
)
def test_what_no_program_of_unroll_has(change: dict[str, object], message: str) -> None:
    program = sample()
    new: dict[str, object] = {}
    for key, value in change.items():
        column = getattr(program, key)
        new[key] = value
        if key == "mask_bits":
            new[key] = np.concatenate([column, column])
        elif isinstance(value, int):
            new[key] = column.copy()
            new[key][0] = value  # type: ignore[index]
    with pytest.raises(ArtifactError, match=message):
        module_of(replace(program, **new))  # type: ignore[arg-type]

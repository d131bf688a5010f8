"""What a run says of a change, stage by stage, on edits whose effect is known by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inspection_edits import Edit, edited, made, phrases

from volta_pipe.driver.changes import phrase
from volta_pipe.driver.changes.lines import at
from volta_pipe.driver.changes.rows import row_changes
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.program import Program

FMA = "fma.rn.f32 \t%f4, %f2, %f1, %f3;\n\tst.global.f32 \t[%rd7], %f4;"
LOAD = "ld.global.f32 \t%f3, [%rd7];"


def said(store: Store, folder: Path, example: str, side: str, *edits: Edit) -> dict[str, str]:
    return phrases(made(edited(example, folder / "old"), store), made(edited(example, folder / "new", *edits), store), side)


def test_an_operand_is_another_one(store: Store, tmp_path: Path) -> None:
    """axpy for one thread an element is five rows: the scalar, two loads, the fma, the store. Nothing depends on the load of y
    now, so that it stands elsewhere, which is no difference."""
    found = said(store, tmp_path, "axpy", "reference", ("axpy.ptx", FMA, FMA.replace("%f3", "%f2")))
    assert found["lower"] == "1 of 21 operations at axpy.cu:8" and found["unroll"] == "1 of 5 rows at axpy.cu:8"
    assert (found["check"], found["vc"], found["canon"]) == ("nothing", "100 of 100 elements of y", "1 of 1 class")
    assert found["decide"] == "the verdict, 1 finding more, the counterexample, 1 claim more and 1 claim fewer"


def test_a_row_more_and_who_uses_it(store: Store, tmp_path: Path) -> None:
    more = FMA.replace(";\n", ";\n add.f32 %f4, %f4, %f3;\n")
    found = said(store, tmp_path, "axpy", "reference", ("axpy.ptx", FMA, more))
    assert found["lower"] == "2 of 22 operations at axpy.cu:8" and found["unroll"] == "2 of 6 rows at axpy.cu:8"


def test_a_load_that_does_nothing_ends_at_the_expressions(store: Store, tmp_path: Path) -> None:
    twice = f"{LOAD}\n\tld.global.f32 \t%f3, [%rd7];"
    found = said(store, tmp_path, "axpy", "reference", ("axpy.ptx", LOAD, twice))
    assert found["unroll"] == "2 of 6 rows at axpy.cu:8" and found["check"] == "what was counted"
    assert {found[stage] for stage in ("vc", "canon", "decide")} == {"nothing"}


def test_a_condition_off_by_one(store: Store, tmp_path: Path) -> None:
    """128 threads: with > in place of >= thread 100 takes part in the two loads and the store."""
    edit = ("axpy.ptx", "setp.ge.s32 \t%p1, %r1, %r2;", "setp.gt.s32 \t%p1, %r1, %r2;")
    found = said(store, tmp_path, "axpy", "reference", edit)
    assert found["lower"] == "1 of 21 operations at axpy.cu:7"
    assert found["check"].startswith("3 findings more")


def test_one_step_of_a_tree(store: Store, tmp_path: Path) -> None:
    """One row in each of four CTAs."""
    edit = ("reduce_tree.ptx", "add.f32 \t%f28, %f27, %f26;", "sub.f32 \t%f28, %f27, %f26;")
    found = said(store, tmp_path, "reduce-tree", "reference", edit)
    assert found["unroll"] == "4 of 188 rows at reduce_tree.cu:17" and found["vc"] == "4 of 4 elements of y"


def test_one_edit_that_moves_much(store: Store, tmp_path: Path) -> None:
    """Without a barrier loads may stand elsewhere, and without a sum (its result is stored nowhere) arguments of blocks; what
    differs is said in the order of the PTX. The loop over k runs 128 / 8 times, with 8 products of each of 64 sums."""
    text = Path("examples/matmul/matmul_registers.ptx").read_text()
    second = text.split("bar.sync \t0;")[1]
    barrier = ("matmul_registers.ptx", f"bar.sync \t0;{second}bar.sync \t0;", f"bar.sync \t0;{second}")
    found = said(store, tmp_path / "a", "matmul", "candidate", barrier)
    assert found["lower"] == "1 of 781 operations at matmul_registers.cu:58"
    assert found["unroll"] == "16 of 8,928 rows at matmul_registers.cu:58"
    stored = ("matmul_registers.ptx", "{%f1157, %f1158, %f1159, %f1160}", "{%f1158, %f1158, %f1159, %f1160}")
    found = said(store, tmp_path / "b", "matmul", "candidate", stored)
    gone = 16 * 8 + 1  # with the zero that the sum begins with
    assert found["unroll"] == f"{gone} of 8,928 rows at matmul_registers.cu:54"


def test_a_launch_in_smaller_ctas(store: Store, tmp_path: Path) -> None:
    """100 elements in CTAs of 64 threads on a grid for CTAs of 128: one CTA, and the elements from 64 on are not written."""
    found = said(store, tmp_path, "axpy", "reference", ("volta.toml", "block  = [128]", "block  = [64]"))
    assert found["lower"] == "nothing" and found["vc"] == "36 of 100 elements of y" and found["canon"] == "2 of 2 classes"


def test_registers_with_other_numbers_are_no_difference(store: Store, tmp_path: Path) -> None:
    program = Program.decode(made(edited("reduce-tree", tmp_path / "a"), store).outputs("unroll", "reference")["artifact"])
    count = program.registers
    turned = (np.arange(count) + 7) % count
    constant = -1 - turned[np.maximum(-1 - program.row_instr, 0)]
    other = replace(
        program,
        operands=turned[program.operands].astype(np.int32),
        guard=np.where(program.guard >= 0, turned[program.guard], -1).astype(np.int32),
        row_instr=np.where(program.row_instr < 0, constant, program.row_instr).astype(np.int32),
    )
    assert row_changes(program, other).count == 0
    operands = program.operands.copy()
    first = program.first + program.results
    sums = np.flatnonzero((program.op == Op.VALUE) & (program.inputs == 2) & np.isin(np.arange(len(first)), program.row_instr))
    place = next(int(first[i]) for i in sums if operands[first[i]] != operands[first[i] + 1])
    operands[[place, place + 1]] = operands[[place + 1, place]]
    assert row_changes(program, replace(program, operands=operands)).count == 0  # summands
    operands[place] = operands[place + 1]
    assert row_changes(program, replace(program, operands=operands)).count >= 4  # once in each CTA


def test_places_are_few_and_in_order() -> None:
    assert at(["", ""]) == ""
    assert at(["k.cu:9", "k.cu:12", "k.cu:9"]) == " at k.cu:9 and 12"
    assert at(["k.cu:100", "k.cu:12", "k.cu:9"]) == " at k.cu:9, 12 and 1 other line"
    assert at(["b.cu:1", "a.cu:3"]) == " at a.cu:3 and b.cu:1"
    assert at(["PTX line 514", "PTX line 515", "sm.cu:30"]) == " at sm.cu:30, PTX line 514 and 1 other line"
    assert at(["PTX line 15", "PTX line 9"]) == " at PTX line 9 and 15"


def test_damage_is_an_error_of_its_own() -> None:
    for stage in ("lower", "unroll", "vc", "canon", "check", "decide", "dynamic"):
        with pytest.raises(ArtifactError):
            phrase(stage, {"artifact": b"left\xff"}, {"artifact": b"right\xff"})

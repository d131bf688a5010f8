"""A program becomes a module, the module text in both forms, the text a module, and that the same program, byte for byte."""

from __future__ import annotations

from pathlib import Path

import mbarrier_kernels
import pytest
from scta_programs import OFTEN, ROOT, encoded, programs_of, random_program, sample
from unroll_harness import at, run_body, tensor

from volta_pipe.ir.instructions import Op
from volta_pipe.ir.modules import print_custom, print_generic, verify
from volta_pipe.ir.program import Program
from volta_pipe.ir.scta import ROW_OPS, RowOp, module_of, parse_module, program_of

EXAMPLES = sorted(ROOT.glob("examples/*/volta.toml"))
# Matrix products and transfers, copies, atomics, barriers of parts of a CTA.
KERNELS = [*sorted(ROOT.glob("tests/kernels/tensor/gemm_*.toml"))[:4], *sorted(ROOT.glob("tests/kernels/async/*.toml"))[:3]]
KERNELS += [*sorted(ROOT.glob("tests/kernels/atomics/*.toml"))[:4], *sorted(ROOT.glob("tests/kernels/barriers/*.toml"))[:4]]


def check(program: Program) -> set[str]:
    """The kinds of rows that the program has."""
    data = encoded(program)
    module = module_of(program)
    verify(module)
    custom, generic = print_custom(module), print_generic(module)
    for text in (custom, generic):
        again = parse_module(text)
        assert encoded(program_of(again)) == data
        assert (print_custom(again), print_generic(again)) == (custom, generic)
    assert encoded(program_of(module)) == data
    return {op.name for op in module.walk() if isinstance(op, RowOp)}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples(path: Path) -> None:
    for program in programs_of(path):
        assert check(program) >= {"scta.read", "scta.write"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels(path: Path) -> None:
    found = [check(program) for program in programs_of(path)]
    assert found and all(found)


def test_all_kinds_of_rows_are_met() -> None:
    """By the kernels above and two more; the list of kernels is no use if a kind is not among them."""
    kinds = check(sample())
    kinds |= check(
        mbarrier_kernels.run(mbarrier_kernels.init(32) + mbarrier_kernels.ARRIVE + mbarrier_kernels.wait("0")).program
    )
    for path in (KERNELS[0], KERNELS[4]):
        for program in programs_of(path):
            kinds |= check(program)
    assert kinds == {op.name for op in ROW_OPS} - {"scta.initial"}


@pytest.mark.parametrize("body", ("", "HEAD: bra HEAD;", "trap;", at("y") + "st.global.u32 [%at_y], %r9;"))
def test_programs_that_stop(body: str) -> None:
    check(run_body(body, [tensor("y", "u32", 4, "out")], 4, max_steps=100).program)


def test_random_programs_have_all_kinds_of_rows() -> None:
    met = {Op(int(p.op[code])) for p in map(random_program, range(60)) for code in p.row_instr[p.row_instr >= 0]}
    assert met >= set(OFTEN), set(OFTEN) - met


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    program = random_program(seed)
    assert encoded(Program.decode(encoded(program))) == encoded(program)  # the generator makes what an artifact may hold
    check(program)

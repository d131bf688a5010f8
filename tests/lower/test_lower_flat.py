"""A kernel as plain data: what `lower` gives of its nodes must be what is read off the module of xDSL, built or from text, as
`unroll` assembles either."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_lower_write import HEAD, ODD

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.launch import Argument, Launch
from volta_pipe.ir.ptx.flatten import flatten, numbered
from volta_pipe.ir.ptx.lazy import LazyModule
from volta_pipe.passes.lower import list_entries, lower, parse_module, walk_kernel
from volta_pipe.passes.unroll import unroll

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(file for folder in ("examples", "tests", "bench") for file in (ROOT / folder).rglob("*.ptx"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.ptx"))
# Loads a parameter and a constant, loops, calls a refused instruction under a guard, and asks for an atomic's old value once.
REFUSED = "instruction alloca.u32 is not supported (no row of the instruction table has this name)"
KERNEL = f"""{HEAD}
.visible .entry k(.param .u32 n)
{{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .shared .align 4 .b32 cell;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, 0;
$loop:
    atom.shared.add.u32 %r4, [cell], 1;
    atom.shared.add.u32 %r5, [cell], %r3;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p1, %r3, %r1;
    @%p1 bra $loop;
    setp.gt.s32 %p2, %r5, 100;
    @%p2 alloca.u32 %r6, %r1, 8;
    ret;
}}
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_nodes_module_and_text_give_one_kernel(file: Path) -> None:
    text = file.read_text(errors="replace")
    for name, _ in list_entries(text, file.name):
        made = lower(text, file.name, name).made
        assert made.kernel == flatten(made.module) == flatten(parse_module(made.text)), name


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: str(file.relative_to(ROOT)))
def test_so_they_do_in_the_order_of_the_text(file: Path) -> None:
    text = file.read_text(errors="replace")
    for name, _ in list_entries(text, file.name):
        made = lower(text, file.name, name, in_text_order=True).made
        assert made.kernel == flatten(made.module), name


def test_odd_text_gives_one_kernel() -> None:
    made = lower(ODD, "odd.ptx", "$odd").made
    assert made.kernel == flatten(made.module) == flatten(parse_module(made.text))
    ops = [op for block in made.kernel.blocks for op in block.ops]
    assert made.kernel.maxntid == (32, 1, 1) and made.kernel.reqntid is None
    assert {variable.name: variable.init for variable in made.kernel.variables if variable.init} == {
        "table": b"\x01\x02\xff\x22"
    }
    assert REFUSED in {op.word for op in ops if op.name == "unmodelled"}
    assert {-4, 2147483648} <= {op.number for op in ops if op.spelling is not None}
    assert [op.second for op in ops if op.name == "cp"] == [-16]
    assert [op.negated for op in ops if op.guard >= 0 and op.name == "add"] == [True]


def test_values_have_the_numbers_of_the_module() -> None:
    module = lower(KERNEL, "k.ptx", "k").module
    flat = flatten(module)
    numbers = numbered(next(iter(walk_kernel(module))).parent_op())  # type: ignore[arg-type]
    ops = [op for block in flat.blocks for op in block.ops]
    for op, same in zip(walk_kernel(module), ops, strict=True):
        assert [numbers[value] for value in op.results] == list(same.results)
        assert [numbers[value] for value in op.operands] == [
            *same.inputs, *([same.guard] if same.guard >= 0 else []), *same.old,
        ]  # fmt: skip
    assert sorted(numbers.values()) == list(range(len(flat.widths)))


def test_a_program_is_the_same_of_both() -> None:
    made = lower(KERNEL, "k.ptx", "k").made
    launch = Launch((), (), (Argument("number", number=3),), (2, 1, 1), (64, 1, 1))
    first, second = unroll(made.kernel, launch), unroll(made.module, launch)
    assert [bytes(part) for part in first.encode()] == [bytes(part) for part in second.encode()]
    assert first.steps == second.steps > 0


def test_a_kernel_is_made_once() -> None:
    made: list[int] = []
    lowered = lower(KERNEL, "k.ptx", "k")
    lazy = LazyModule(lambda: lowered.module, "", lambda: made.append(1) or lowered.made.kernel)  # type: ignore[func-returns-value]
    assert lazy.kernel is lazy.kernel is lowered.made.kernel
    assert made == [1]
    assert LazyModule.of(lowered.module).kernel == lazy.kernel


def test_a_module_without_a_kernel_is_refused() -> None:
    from xdsl.dialects.builtin import ModuleOp

    with pytest.raises(ArtifactError, match="0 kernels instead of one"):
        _ = LazyModule.of(ModuleOp([])).kernel


@pytest.mark.parametrize(("example", "unused"), [("matmul", "xdsl flint"), ("axpy-spec", "xdsl")])
def test_a_verdict_without_findings_loads_no_xdsl(example: str, unused: str, tmp_path: Path) -> None:
    """From PTX to the verdict, in a new process without a store; nor what compares forms, where the trees are the same."""
    code = f"""import sys
from volta_pipe.driver.cli import main
try:
    main(["run", "examples/{example}/volta.toml", "--quiet", "--store", {str(tmp_path)!r}])
except SystemExit as end:
    assert end.code == 0, end.code
assert "numba" in sys.modules and "volta_pipe.passes.decide" in sys.modules
assert not [name for name in sys.modules if name.split(".")[0] in {unused.split()}]"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_another_launch_of_a_kernel_that_was_lowered_loads_no_xdsl(tmp_path: Path) -> None:
    """`lower` is found in the store, and `unroll` has to run: its kernel is made again, not read."""
    contract = tmp_path / "volta.toml"
    text = (ROOT / "examples/axpy/volta.toml").read_text().replace('"axpy.ptx"', f'"{ROOT}/examples/axpy/axpy.ptx"')
    contract.write_text(text)
    code = f"""import sys
from volta_pipe.driver.cli import main
try:
    main(["run", {str(contract)!r}, "--store", {str(tmp_path / "store")!r}])
except SystemExit as end:
    assert end.code == 0, end.code
assert not [name for name in sys.modules if name.split(".")[0] == "xdsl"]"""
    run = [sys.executable, "-c", code]
    subprocess.run(run, check=True, cwd=ROOT, capture_output=True)
    contract.write_text(text.replace("n = [100, 256, 257]", "n = [100, 90]"))
    shown = subprocess.run(run, check=True, cwd=ROOT, capture_output=True, text=True).stdout
    stages = {tuple(line.split()[:3]) for line in shown.splitlines() if line.endswith("n=90") or line.startswith("lower")}
    assert ("lower", "candidate", "cached") in stages and ("unroll", "candidate", "ran") in stages

"""SSA construction: the shapes of loops and diamonds, and random programs against an interpreter of registers."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from lower_text import body_text, kernel
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.ir.ptx import (
    BranchOp,
    CondBranchOp,
    ConstantOp,
    InstructionOp,
    ReturnOp,
    UndefOp,
    kernel_of,
    walk_kernel,
)
from volta_pipe.passes.lower import lower


def test_loop_and_diamond() -> None:
    loop = body_text("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; ret;")
    assert "ptx.br ^bb1(%3 : i32)\n^bb1(%4: i32):\n%5 = ptx.add" in loop
    assert "ptx.cond_br %6, ^bb1(%5 : i32), ^bb2" in loop
    diamond = body_text(
        "@%p1 bra A; mov.u32 %r1, 1; bra B; A: mov.u32 %r1, 2; mov.u32 %r2, 3; B: st.global.u32 [%rd1], %r1; ret;"
    )
    assert diamond.count("^bb3(") == 3  # two branches and the block
    assert "ptx.undef : i32" not in diamond  # %r2 is dead at the join


def test_entry_never_has_predecessors() -> None:
    text = body_text("L: add.u32 %r1, %r1, 1; bra L;")
    assert text.splitlines()[-4:] == [
        "ptx.br ^bb1(%1 : i32)",
        "^bb1(%2: i32):",
        '%3 = ptx.add "u32" %2, %0 : (i32, i32) -> i32',
        "ptx.br ^bb1(%3 : i32)",
    ]


def test_guarded_returns_and_the_end_of_the_body() -> None:
    assert body_text("@%p1 ret; membar.gl; @!%p2 trap; membar.gl;").splitlines()[2:] == [
        "ptx.cond_br %0, ^bb1, ^bb2",
        "^bb1:",
        "ptx.ret",
        "^bb2:",
        'ptx.membar "gl" ()',
        "ptx.cond_br %1, ^bb3, ^bb4",
        "^bb3:",
        'ptx.membar "gl" ()',
        "ptx.ret",
        "^bb4:",
        "ptx.trap",
    ]
    assert body_text("") == "ptx.ret"


def test_the_place_of_blocks_in_the_text_does_not_count() -> None:
    text = body_text("bra C; A: membar.gl; ret; C: membar.cta; bra A;")
    assert text == body_text("membar.cta; membar.gl; ret;") == 'ptx.membar "cta" ()\nptx.membar "gl" ()\nptx.ret'


# Random programs over four registers and two predicates.
@dataclass(frozen=True)
class Line:
    """kind: add, mov, setp, st, bra or ret; guard: 0 none, 1 and 2 predicates, negative ones negated."""

    kind: str
    a: int
    b: int
    c: int
    guard: int
    target: int

    def text(self, number: int) -> str:
        guard = "" if not self.guard else f"@{'!' if self.guard < 0 else ''}%p{abs(self.guard)} "
        code = {
            "add": f"add.u32 %r{self.a}, %r{self.b}, %r{self.c}",
            "mov": f"mov.u32 %r{self.a}, {self.target}",
            "setp": f"setp.lt.u32 %p{self.a % 2 + 1}, %r{self.b}, %r{self.c}",
            "st": f"st.global.u32 [{self.target}], %r{self.a}",
            "bra": f"bra L{self.target}",
            "ret": "ret",
        }[self.kind]
        return f"L{number}: {guard}{code};"


LIMIT = 60


def run_registers(lines: list[Line]) -> list[tuple[int, int]]:
    """Execute by registers, all zero at first; the stores in order."""
    registers, predicates = [0] * 4, [False, False, False]
    stores: list[tuple[int, int]] = []
    pc = steps = 0
    while pc < len(lines) and steps < LIMIT * 2 and len(stores) < LIMIT:
        line, steps, pc = lines[pc], steps + 1, pc + 1
        if line.guard and predicates[abs(line.guard)] == (line.guard < 0):
            continue
        if line.kind == "add":
            registers[line.a] = (registers[line.b] + registers[line.c]) % 2**32
        elif line.kind == "mov":
            registers[line.a] = line.target
        elif line.kind == "setp":
            predicates[line.a % 2 + 1] = registers[line.b] < registers[line.c]
        elif line.kind == "st":
            stores.append((line.target, registers[line.a]))
        elif line.kind == "bra":
            pc = line.target
        else:
            break
    return stores


def classes(module: ModuleOp) -> dict[SSAValue, SSAValue]:
    """Union of block arguments with their branch operands and of results with their old values: a leader for each."""
    parent: dict[SSAValue, SSAValue] = {}

    def find(value: SSAValue) -> SSAValue:
        while parent.get(value, value) is not value:
            value = parent[value]
        return value

    def join(pairs: zip[tuple[SSAValue, SSAValue]]) -> None:
        for one, other in pairs:
            parent[find(one)] = find(other)

    values: list[SSAValue] = []
    for block in kernel_of(module).body.blocks:
        values += block.args
    for op in walk_kernel(module):
        values += op.results
        if isinstance(op, InstructionOp) and op.guard is not None:
            join(zip(op.res, op.old, strict=True))
        elif isinstance(op, BranchOp):
            join(zip(op.target.args, op.arguments, strict=True))
        elif isinstance(op, CondBranchOp):
            join(zip(op.then.args, op.then_arguments, strict=True))
            join(zip(op.els.args, op.else_arguments, strict=True))
    return {value: find(value) for value in values}


def run_module(module: ModuleOp, cells: dict[SSAValue, SSAValue] | None) -> list[tuple[int, int]]:
    """Execute the SSA form; with `cells`, values share the cell of their class and branches copy nothing."""
    state: dict[SSAValue, int] = {}
    stores: list[tuple[int, int]] = []

    def key(value: SSAValue) -> SSAValue:
        return cells[value] if cells is not None else value

    def jump(block: Block, values: tuple[SSAValue, ...]) -> Block:
        if cells is None:
            fresh = [state[value] for value in values]
            state.update(zip(block.args, fresh, strict=True))
        return block

    block: Block | None = kernel_of(module).body.blocks[0]
    steps = 0
    while block is not None and steps < LIMIT * 40 and len(stores) < LIMIT:
        following: Block | None = None
        for op in block.ops:
            steps += 1
            if isinstance(op, BranchOp):
                following = jump(op.target, tuple(op.arguments))
            elif isinstance(op, CondBranchOp):
                if state[key(op.condition)]:
                    following = jump(op.then, tuple(op.then_arguments))
                else:
                    following = jump(op.els, tuple(op.else_arguments))
            elif not isinstance(op, ReturnOp):
                execute(op, state, key, stores)
        block = following
    return stores


def execute(op: Operation, state: dict[SSAValue, int], key: object, stores: list[tuple[int, int]]) -> None:
    assert callable(key)
    if isinstance(op, ConstantOp | UndefOp):
        state[key(op.results[0])] = op.bits if isinstance(op, ConstantOp) else 0
        return
    assert isinstance(op, InstructionOp)
    if op.guard is not None and state[key(op.guard)] == (op.negated is not None):
        for result, old in zip(op.res, op.old, strict=True):
            state[key(result)] = state[key(old)]
        return
    inputs = [state[key(value)] for value in op.inputs]
    if op.mnemonic == "st":
        stores.append((inputs[0], inputs[1]))
    elif op.mnemonic == "setp":
        state[key(op.res[0])] = int(inputs[0] < inputs[1])
    else:
        state[key(op.res[0])] = sum(inputs) % 2**32


REGISTER = st.integers(0, 3)
LINES = st.lists(
    st.builds(
        Line,
        kind=st.sampled_from(["add", "add", "mov", "mov", "setp", "setp", "st", "st", "bra", "bra", "bra", "ret"]),
        a=REGISTER,
        b=REGISTER,
        c=REGISTER,
        guard=st.sampled_from([0, 0, 1, 2, -1, -2]),
        target=st.integers(0, 100),
    ),
    min_size=1,
    max_size=24,
)


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_random_programs(lines: list[Line]) -> None:
    lines = [
        Line(one.kind, one.a, one.b, one.c, one.guard, one.target % len(lines) if one.kind == "bra" else one.target)
        for one in lines
    ]
    wanted = run_registers(lines)
    text = kernel("\n".join(line.text(number) for number, line in enumerate(lines)))
    for in_text_order in (False, True):
        module = lower(text, "t.ptx", "k", in_text_order=in_text_order).module
        module.verify()
        for cells in (None, classes(module)):
            found = run_module(module, cells)
            assert found[: len(wanted)] == wanted

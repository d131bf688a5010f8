"""Differences are neither missed nor invented: every change of a row that means something is seen, and expressions differ
exactly where their trees do."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from inspection_edits import edited, made

from volta_pipe.driver.changes.classes import class_changes
from volta_pipe.driver.changes.expressions import expression_changes, first_difference
from volta_pipe.driver.changes.rows import row_changes
from volta_pipe.driver.store import Store
from volta_pipe.ir.graph import FIXED, FIXED_CONSTANTS, Conditions, Graph
from volta_pipe.ir.nodes import ARITY, Node
from volta_pipe.ir.program import Program
from volta_pipe.passes.canon import canon

_OPERATORS = (Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.MAX, Node.EXP, Node.SELECT)
_COMMUTE = (Node.ADD, Node.MUL, Node.FMA, Node.MAX)
# Columns of rows and of static code that say what a row does.
_MEANINGFUL = ("row_base", "row_flags", "row_mask", "width", "sub", "node", "op", "operands")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("exact")
    with Store(folder / "store") as store:
        outputs = made(edited("transpose", folder / "e"), store, "unroll").outputs("unroll", "candidate")
        return Program.decode(bytes(outputs["artifact"]))


@pytest.mark.parametrize("name", _MEANINGFUL)
@pytest.mark.parametrize("seed", range(8))
def test_one_number_of_a_program_is_another_one(program: Program, name: str, seed: int) -> None:
    draw = random.Random(f"{name} {seed}")
    column = getattr(program, name).copy()
    used = np.unique(program.row_instr[program.row_instr >= 0])
    if name.startswith("row"):
        place = draw.randrange(len(column))
    elif name == "operands":  # an input that some row before the use has made
        first = program.first[used] + program.results[used]
        place = int(draw.choice([int(f) + 1 for f, n in zip(first, program.inputs[used], strict=True) if n == 2]))
    else:
        place = int(draw.choice(used))
    limit = {"row_mask": len(program.mask_bits), "operands": program.registers}.get(name, 100)
    column[place] = (int(column[place]) + 1 + draw.randrange(limit - 1)) % limit if limit > 1 else column[place]
    changed = replace(program, **{name: column})
    same = np.array_equal(column, getattr(program, name))
    assert (row_changes(program, changed).count == 0) == same
    assert row_changes(program, program).count == 0


def random_conditions(draw: random.Random, size: int, tensors: tuple[str, ...]) -> Conditions:
    """Some nodes over few leaves, so that equal expressions are met often."""
    rows: list[tuple[int, ...]] = [(Node.NONE, 0, 0, 0), *((Node.CONST, k, 0, 0) for k in range(len(FIXED_CONSTANTS)))]
    constants = [*FIXED_CONSTANTS, 2.5, 0.5]
    rows += (
        [(Node.CONST, 6, 0, 0), (Node.CONST, 5, 0, 0)]
        if draw.random() < 0.5
        else [(Node.CONST, 5, 0, 0), (Node.CONST, 6, 0, 0)]
    )
    rows += [(Node.LEAF, tensor, element, 0) for tensor in range(len(tensors)) for element in range(2)]
    while len(rows) < size:
        op = draw.choice(_OPERATORS)
        operands = [draw.randrange(FIXED, len(rows)) for _ in range(ARITY[op])]
        rows.append((op, *operands, *[0] * (3 - len(operands))))
    columns = np.array([[int(item) for item in row] for row in rows], np.int32).T
    graph = Graph(columns[0].astype(np.uint8), columns[1], columns[2], columns[3], np.array(constants))
    roots = np.array([draw.choice([0, *range(FIXED, len(rows))]) for _ in range(24)], np.int32)
    return Conditions(graph, {0: roots}, tensors, ())


def tree(conditions: Conditions, node: int) -> Any:
    """The expression as nested tuples; of operands that may be exchanged, the smaller text first."""
    graph = conditions.graph
    kind = Node(int(graph.op[node]))
    if kind == Node.CONST:
        return repr(graph.constant(node))
    if kind == Node.LEAF:
        return conditions.tensors[int(graph.a[node])], int(graph.b[node])
    parts = [tree(conditions, operand) for operand in graph.operands(node)]
    if kind in _COMMUTE:
        parts[:2] = sorted(parts[:2], key=repr)
    return kind.name, *parts


@pytest.mark.parametrize("seed", range(60))
def test_expressions_differ_where_their_trees_do(seed: int) -> None:
    """The two number their tensors and constants in different ways."""
    draw = random.Random(seed)
    old, new = random_conditions(draw, 18, ("x", "y")), random_conditions(draw, 18, ("y", "x"))
    new = replace(new, outputs={new.tensors.index("x"): next(iter(new.outputs.values()))})
    found = expression_changes(old, new)
    (one,) = found.outputs
    wanted: dict[str, list[int]] = {"differ": [], "gone": [], "come": []}
    for flat, (a, b) in enumerate(zip(old.outputs[0].tolist(), new.outputs[1].tolist(), strict=True)):
        if a and b and tree(old, a) != tree(new, b):
            wanted["differ"].append(flat)
        elif bool(a) != bool(b):
            wanted["gone" if a else "come"].append(flat)
    assert {name: getattr(one, name).tolist() for name in wanted} == wanted and one.tensor == "x"
    for flat in wanted["differ"]:
        left, right, _ = first_difference(found.both, int(found.old["x"][flat]), int(found.new["x"][flat]))
        assert tree(found.side("old"), left) != tree(found.side("old"), right)
        assert found.both.op[left] != found.both.op[right] or not found.both.operands(left)


@pytest.mark.parametrize("seed", range(15))
def test_classes_do_not_depend_on_numbers(seed: int) -> None:
    """The same pair of sides with the tensors in another order is the same classes; with other expressions it is not."""
    draw = random.Random(seed)
    one = random_conditions(draw, 16, ("x", "y"))
    roots = one.outputs[0]
    turned = replace(
        one, graph=replace(one.graph, a=np.where(one.graph.op == Node.LEAF, 1 - one.graph.a, one.graph.a)), tensors=("y", "x")
    )
    turned = replace(turned, outputs={1: roots})
    first, second = canon(one, one), canon(turned, turned)
    assert class_changes(first, second).count == 0 == class_changes(first, first).count
    other = replace(one, outputs={0: np.where(roots > 0, np.int32(FIXED), roots)})  # a constant everywhere
    assert class_changes(first, canon(one, other)).count > 0

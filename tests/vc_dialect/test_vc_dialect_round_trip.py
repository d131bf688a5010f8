"""Conditions become a module, the module text in both forms, the text a module, and that conditions that decide the same."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from expressions import Builder
from random_expressions import conditions, expression, mutated, rewritten

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import plan
from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.ir.graph import FIXED, Conditions
from volta_pipe.ir.modules import MOST_OPERATIONS, print_custom, print_generic, verify
from volta_pipe.ir.nodes import ARITY, Node
from volta_pipe.ir.vc import NODE_OPS, OPERATORS, LeafOp, NodeOp, OutputOp, conditions_of, module_of, parse_module
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide
from volta_pipe.passes.lower import lower, read_ptx
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

ROOT = Path(__file__).resolve().parents[2]
# One of a tree reduction, of exponentials and maxima, of comparisons, of the same tree, and of a wrong index.
EXAMPLES = ("reduce-tree", "softmax", "layernorm", "axpy", "broken-index")


def encoded(found: Conditions) -> bytes:
    return b"".join(bytes(chunk) for chunk in found.encode())


def decided(x: Conditions, y: Conditions) -> Decision:
    return decide(canon(x, y), x, y)


def again(found: Conditions) -> Conditions:
    """There and back, through text in both forms."""
    module = module_of(found)
    verify(module)
    custom, generic = print_custom(module), print_generic(module)
    results = [conditions_of(parse_module(text)) for text in (custom, generic)]
    assert encoded(results[0]) == encoded(results[1]) == encoded(conditions_of(module))
    assert print_custom(parse_module(generic)) == custom
    return results[0]


@cache
def sides(name: str) -> tuple[Conditions, Conditions]:
    """Both sides of an example at its first combination."""
    contract = read_contract(ROOT / "examples" / name / "volta.toml")
    planned = plan(contract, contract.combinations()[0])
    found: list[Conditions] = []
    for side in (planned.reference, planned.candidate):
        kernel: Any = side
        launch = kernel.launch()
        program = unroll(lower(read_ptx(kernel.spec.path), kernel.spec.source, kernel.spec.entry).module, launch)
        found.append(vc(program, launch))
    return found[0], found[1]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    x, y = sides(name)
    p, q = again(x), again(y)
    assert (encoded(p), encoded(q)) == (encoded(x), encoded(y))  # what `vc` makes has no node that is not needed
    assert decided(p, q).verdict == decided(x, y).verdict == ("not-equivalent" if name == "broken-index" else "equivalent")


@pytest.mark.parametrize("seed", range(60))
def test_random_expressions_decide_the_same(seed: int) -> None:
    """Of these, equal parts are nodes of their own; behind the module they are one."""
    rng = random.Random(seed)
    e = expression(rng, 3)
    f = rewritten(rng, e) if seed % 2 else mutated(rng, e)
    x, y = conditions(e), conditions(f)
    p, q = again(x), again(y)
    assert len(p.graph) <= len(x.graph)
    before, after = decided(x, y), decided(p, q)
    assert (before.verdict, before.unknown) == (after.verdict, after.unknown)
    assert (before.counterexample is None) == (after.counterexample is None)


def test_every_operator_and_constant() -> None:
    """Operators that an artifact may hold, and numbers of all sorts, exactly."""
    b = Builder()
    leaf = b.leaf(0, [0, 1, 2])
    nodes = [b.op(node, *leaf[: ARITY[node]]) for node in OPERATORS]
    values = [0.1, 5e-324, 1.7976931348623157e308, 1.4426950216293335, 2.0**70, -1.5, float("nan"), float("-inf")]
    nodes += [b.op(Node.ADD, leaf[0], value) for value in values] + [b.uninit(), b.scalar(1)]
    made = b.done({1: np.array(nodes)}, ("x", "y"), ("a", "b"))
    constants = np.where(made.graph.constants == -1.5, -0.0, made.graph.constants)  # which no builder makes
    found = replace(
        made,
        graph=replace(made.graph, constants=constants),
        assumptions=("“text”\n",),
        tensor_types=("", ""),
        scalar_types=("", ""),
    )
    back = again(found)
    assert back.assumptions == found.assumptions and back.tensor_types == ()
    kinds = {op.name for op in module_of(found).walk() if isinstance(op, NodeOp)}
    assert kinds == {op.name for op in NODE_OPS}
    for node, again_node in zip(found.outputs[1].tolist(), back.outputs[1].tolist(), strict=True):
        assert found.graph.op[node] == back.graph.op[again_node]
        if found.graph.op[node] == Node.ADD and found.graph.op[found.graph.b[node]] == Node.CONST:
            pair = [g.constant(int(g.b[n])) for g, n in ((found.graph, node), (back.graph, again_node))]
            assert struct.pack("<d", pair[0]) == struct.pack("<d", pair[1])
    assert any(np.signbit(back.graph.constants) & (back.graph.constants == 0))


def test_chosen_elements() -> None:
    x, y = sides("axpy")
    module = module_of(x, [(1, 67), (1, 3), (1, 67)])
    assert len([op for op in module.walk() if isinstance(op, OutputOp)]) == 2
    assert len([op for op in module.walk() if isinstance(op, LeafOp)]) == 4
    found = conditions_of(module)
    assert np.flatnonzero(found.outputs[1]).tolist() == [3, 67] and len(found.outputs[1]) == len(x.outputs[1])
    assert decided(found, conditions_of(module_of(y, [(1, 67), (1, 3)]))).verdict == "equivalent"
    for tensor, element, message in ((0, 0, "x has no output element 0"), (1, 100, "y has no output element 100")):
        with pytest.raises(InputError, match=message):
            module_of(x, [(tensor, element)])


def test_an_element_that_is_not_written() -> None:
    b = Builder()
    found = b.done({1: np.array([0, int(b.leaf(0, [1])[0])])})
    with pytest.raises(InputError, match=r"element 0 of .* is not written"):
        module_of(found, [(1, 0)])
    assert len([op for op in module_of(found).walk() if isinstance(op, OutputOp)]) == 1
    assert again(found).outputs[1][0] == 0


def test_too_many_nodes() -> None:
    b = Builder()
    nodes = b.leaf(0, np.arange(4))
    many = b.op(
        Node.ADD, np.broadcast_to(nodes[0], MOST_OPERATIONS), b.op(Node.NEG, np.broadcast_to(nodes[1], MOST_OPERATIONS))
    )
    found = b.done({1: many})
    with pytest.raises(InputError, match="more than the 200,000 nodes that become operations; choose elements with --element"):
        module_of(found)
    assert len([op for op in module_of(found, [(1, 5)]).walk() if isinstance(op, NodeOp)]) == 4


def test_equal_parts_become_one_node() -> None:
    text = (Path(__file__).parent / "vc_module.mlir").read_text()
    twice = text.replace("    %7 = ", '    %8 = vc.leaf "x" 3\n    %9 = vc.fma %8, %2, %3\n    %7 = ').replace("4 %0", "4 %9")
    graph = conditions_of(parse_module(twice)).graph
    assert len(graph) == FIXED + 7 and conditions_of(parse_module(twice)).outputs[1][4] != 0


def test_names_that_are_not_unique() -> None:
    x, _ = sides("axpy")
    with pytest.raises(ArtifactError, match="two tensors have one name"):
        module_of(Conditions(x.graph, x.outputs, ("y", "y"), x.scalars))

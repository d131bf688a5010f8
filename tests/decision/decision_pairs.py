"""What a pair of the table is, and how its NumPy functions become conditions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.share import share
from volta_pipe.passes.canon import canon
from volta_pipe.passes.decide import Decision, decide
from volta_pipe.passes.trace import elementwise, products, reductions, structure  # noqa: F401 (they fill FUNCTIONS)
from volta_pipe.passes.trace.spec import SpecSource
from volta_pipe.passes.trace.symbolic import Symbolic
from volta_pipe.passes.trace.tape import Tape

Function = Callable[..., Any]


@dataclass(frozen=True)
class Pair:
    """left and right compute the same function, wrong computes another one; their parameters are float32 arrays named alike.

    shapes: parameter → shape, (1,) where not given. needs: the rule that makes the two sides equal."""

    name: str
    needs: str
    left: Function
    right: Function
    wrong: Function
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)


def pair(name: str, needs: str, left: Function, right: Function, wrong: Function, **shapes: Any) -> Pair:
    return Pair(name, needs, left, right, wrong, {k: v if isinstance(v, tuple) else (v,) for k, v in shapes.items()})


def erf(x: Any) -> Any:
    """erf of a traced array (NumPy has none)."""
    return x.like(x.tape.emit(Node.ERF, x.nodes))


def inputs(function: Function) -> list[str]:
    """Parameters without a default."""
    return [name for name, p in inspect.signature(function).parameters.items() if p.default is p.empty]


def conditions(function: Function, names: tuple[str, ...], shapes: dict[str, tuple[int, ...]]) -> Conditions:
    """What the function computes, as the elements of one more tensor."""
    tape = Tape(SpecSource(function, Path(function.__code__.co_filename), function.__name__, ""))
    arguments: dict[str, Any] = {}
    for index, name in enumerate(names):
        shape = shapes.get(name, (1,))
        nodes = tape.inputs(Node.LEAF, index, np.arange(int(np.prod(shape))))
        arguments[name] = Symbolic(tape, nodes.reshape(shape), np.float32)
    result = function(**{name: arguments[name] for name in inputs(function)})
    tape.check(function.__name__)
    nodes = result.nodes if isinstance(result, Symbolic) else tape.constants(np.asarray(result, np.float64))
    graph, (roots,) = share(tape.store, [np.ascontiguousarray(nodes, np.int32).reshape(-1)])
    return Conditions(graph, {len(names): roots}, (*names, "result"), ())


def decided(p: Pair, other: Function, **options: Any) -> Decision:
    """The verdict on the left side against another one."""
    found = {name for f in (p.left, p.right, p.wrong) for name in inputs(f)}
    names = tuple(sorted(found))
    x, y = conditions(p.left, names, p.shapes), conditions(other, names, p.shapes)
    return decide(canon(x, y, **options), x, y)

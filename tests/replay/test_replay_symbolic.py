"""The two meanings of each float form agree: the expression graph of a kernel, evaluated at exactly representable points,
and the bits that its rows compute. And: every form of the instruction table that computes has a concrete meaning."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.instructions import FORMS, Form
from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.ptx.signatures import select_form
from volta_pipe.passes.lower import lower
from volta_pipe.passes.replay import replay
from volta_pipe.passes.replay.meaning.spelling import meaning_of
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

Array = np.ndarray[Any, np.dtype[Any]]
POINTS = [-4.0, -2.0, -1.0, -0.5, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0]
# Powers of four, so that roots and quotients are exact.
POSITIVE = [0.0625, 0.25, 1.0, 4.0, 16.0, 64.0]
LETTER = {"f32": "f", "f64": "g"}
ROUNDED = [f"{name}.{mode}" for name in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "rm", "rp")]
TWO = [*ROUNDED, "add", "sub", "mul", "min", "max"]
SINGLE_TWO = ["add.ftz", "mul.rz.ftz", "div.approx", "div.full", "div.full.ftz", "min.ftz", "max.ftz"]
THREE = [f"{name}.{mode}" for name in ("fma", "mad") for mode in ("rn", "rz", "rm", "rp")]
ONE = ["abs", "neg"]
OF_POSITIVE = [f"{name}.{mode}" for name in ("rcp", "sqrt") for mode in ("rn", "rz", "rm", "rp")] + ["rsqrt.approx"]
SINGLE_ONE = ["rcp.approx", "sqrt.approx", "sqrt.approx.ftz", "rsqrt.approx.ftz", "lg2.approx", "lg2.approx.ftz"]
CLOSE = ["ex2.approx", "ex2.approx.ftz", "sin.approx", "cos.approx", "tanh.approx"]
CONVERSIONS = ["cvt.f64.f32", "cvt.rn.f32.f64", "cvt.rz.f32.f64"]
CONVERSIONS += [f"cvt.{mode}.{kind}.{kind}" for kind in ("f32", "f64") for mode in ("rni", "rzi", "rmi", "rpi")]
CONVERSIONS += ["cvt.sat.f32.f32", "cvt.sat.f64.f64", "cvt.sat.f64.f32", "cvt.rn.sat.f32.f64"]
COMPARISONS = [f"{name}{u}" for name in ("eq", "ne", "lt", "le", "gt", "ge") for u in ("", "u")] + ["num", "nan"]


def run(body: str, kinds: str, columns: list[Array], result: str) -> tuple[Array, Array]:
    """(evaluated graph, replayed bits) of y, float64: inputs %f1.. or %g1.. of type `kinds`, y from %f9 or %g9."""
    size = {"f32": 4, "f64": 8}
    n = len(columns[0])
    lines = []
    for k, _ in enumerate(columns):
        lines.append(f"ld.param.u64 %d{k}, [p{k}]; mul.wide.u32 %d9, %r1, {size[kinds]}; add.u64 %d{k}, %d{k}, %d9;")
        lines.append(f"ld.global.{kinds} %{LETTER[kinds]}{k + 1}, [%d{k}];")
    last = len(columns)
    lines += [body, f"ld.param.u64 %d8, [p{last}]; mul.wide.u32 %d9, %r1, {size[result]}; add.u64 %d8, %d8, %d9;"]
    lines.append(f"st.global.{result} [%d8], %{LETTER[result]}9;")
    head = ", ".join(f".param .u64 p{k}" for k in range(last + 1))
    registers = ".reg .pred %p<9>; .reg .f32 %f<20>; .reg .f64 %g<20>; .reg .b32 %r<9>; .reg .b64 %d<20>;"
    text = ".version 8.0\n.target sm_80\n.address_size 64\n"
    text += f".visible .entry k({head})\n{{\n{registers}\nmov.u32 %r1, %tid.x;\n" + "\n".join(lines) + "\nret;\n}\n"
    names = [f"x{k}" for k in range(last)]
    tensors = [Tensor(name, kinds, (n,), (1,), "in") for name in names] + [Tensor("y", result, (n,), (1,), "out")]
    launch = Launch(tuple(tensors), (), tuple(Argument("pointer", k) for k in range(last + 1)), (1, 1, 1), (n, 1, 1))
    module = lower(text, "k.ptx", "k").module
    program = unroll(module, launch)
    stored = np.float32 if kinds == "f32" else np.float64
    contents = dict(zip(names, (column.astype(stored) for column in columns), strict=True))
    done = replay(module, program, launch, contents)
    return evaluated(vc(program, launch), contents), done.outputs["y"].astype(np.float64)


_UNARY = {
    Node.NEG: lambda x: -x, Node.ABS: abs, Node.RCP: lambda x: 1 / x, Node.SQRT: math.sqrt,
    Node.RSQRT: lambda x: 1 / math.sqrt(x),
    Node.EX2: lambda x: 2.0**x, Node.LG2: math.log2, Node.SIN: math.sin, Node.COS: math.cos, Node.TANH: math.tanh,
    Node.FLOOR: math.floor, Node.CEIL: math.ceil, Node.RINT: round, Node.TRUNC: math.trunc,
    Node.SAT: lambda x: min(max(x, 0), 1),
    Node.NOT: lambda x: 1 - x,
}  # fmt: skip
_BINARY = {
    Node.ADD: lambda x, y: x + y, Node.SUB: lambda x, y: x - y, Node.MUL: lambda x, y: x * y, Node.DIV: lambda x, y: x / y,
    Node.MIN: min, Node.MAX: max, Node.LT: lambda x, y: float(x < y), Node.LE: lambda x, y: float(x <= y),
    Node.EQ: lambda x, y: float(x == y), Node.NE: lambda x, y: float(x != y),
    Node.AND: min, Node.OR: max, Node.XOR: lambda x, y: abs(x - y),
}  # fmt: skip


def evaluated(conditions: Conditions, contents: dict[str, Array]) -> Array:
    """The graph at the contents, by the operators' definitions (ir/nodes.py)."""
    graph = conditions.graph
    inputs = [contents[name].astype(np.float64) for name in conditions.tensors if name in contents]
    values = [0.0] * len(graph)
    for node in range(1, len(graph)):
        op, a, b, c = Node(int(graph.op[node])), int(graph.a[node]), int(graph.b[node]), int(graph.c[node])
        if op is Node.CONST:
            values[node] = graph.constant(node)
        elif op is Node.LEAF:
            values[node] = float(inputs[a][b])
        elif op is Node.FMA:
            values[node] = values[a] * values[b] + values[c]
        elif op is Node.SELECT:
            values[node] = values[b] if values[a] else values[c]
        elif op in _BINARY:
            values[node] = float(_BINARY[op](values[a], values[b]))
        else:
            values[node] = float(_UNARY[op](values[a]))
    (roots,) = conditions.outputs.values()
    return np.array([values[int(root)] for root in roots])


def grid(points: list[float], count: int) -> list[Array]:
    """Columns of tuples of points, 256 of them at most."""
    rows = list(itertools.product(points, repeat=count))
    rows = rows[:: len(rows) // 256 + 1]
    return [np.array(column) for column in zip(*rows, strict=True)]


def agree(form: str, kind: str, count: int, points: list[float], tolerance: float = 0.0) -> None:
    operands = ", ".join(f"%{LETTER[kind]}{k + 1}" for k in range(count))
    symbolic, concrete = run(f"{form}.{kind} %{LETTER[kind]}9, {operands};", kind, grid(points, count), kind)
    assert np.abs(symbolic - concrete).max() <= tolerance, form
    assert len(np.unique(concrete)) > 1, "the operands matter"


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_sums_products_quotients(kind: str) -> None:
    for form in TWO + (SINGLE_TWO if kind == "f32" else []):
        agree(form, kind, 2, POINTS)
    for form in THREE + (["fma.rn.ftz", "fma.rn.sat", "fma.rm.ftz.sat"] if kind == "f32" else []):
        agree(form, kind, 3, POINTS)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_functions(kind: str) -> None:
    for form in ONE + (["abs.ftz", "neg.ftz"] if kind == "f32" else []):
        agree(form, kind, 1, POINTS)
    for form in OF_POSITIVE + (SINGLE_ONE if kind == "f32" else []):
        agree(form, kind, 1, POSITIVE)
    if kind == "f32":
        for form in CLOSE:
            agree(form, kind, 1, [x for x in POINTS if x < 16] + [3.0, -3.0], 1e-6)


@pytest.mark.parametrize("form", CONVERSIONS)
def test_conversions(form: str) -> None:
    *_, result, kind = form.split(".")
    points = [*POINTS, 0.75, 1.25, 1.5, 2.5, -1.5, -2.5, -0.25]
    source = LETTER[kind]
    half = {"f32": "0f3F000000", "f64": "0d3FE0000000000000"}[kind]
    body = f"mul.{kind} %{source}2, %{source}1, {half}; {form} %{LETTER[result]}9, %{source}2;"
    symbolic, concrete = run(body, kind, grid([2 * x for x in points], 1), result)
    assert np.array_equal(symbolic, concrete)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_comparisons(kind: str) -> None:
    """Through selp, with a boolean operator, the complement, and a guard."""
    letter = LETTER[kind]
    for name in COMPARISONS:
        body = f"setp.{name}.{kind} %p1|%p2, %{letter}1, %{letter}2; setp.lt.and.{kind} %p3, %{letter}1, %{letter}2, %p2;"
        body += f"selp.{kind} %{letter}9, %{letter}1, %{letter}2, %p1; @%p3 add.{kind} %{letter}9, %{letter}9, %{letter}1;"
        symbolic, concrete = run(body, kind, grid(POINTS, 2), kind)
        assert np.array_equal(symbolic, concrete), name


COMPUTING = ("9.7.1.", "9.7.2.", "9.7.3.", "9.7.4.", "9.7.5.", "9.7.6.", "9.7.7.", "9.7.8.")


def spellings(form: Form, kind: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(modifiers, types) that the table accepts: what a form needs, with up to two of what it may have."""
    types = [(kind,), (kind, "f32"), (kind, "s32"), (kind, "u32"), (kind, "f16"), (kind, "f32x2"), (kind, kind)]
    found = []
    for count in range(3):
        for more in itertools.combinations(sorted(form.optional), count):
            modifiers = tuple(sorted(form.required | set(more)))
            found += [(modifiers, t) for t in types if not isinstance(select_form(form.mnemonic, modifiers, t), str)]
    return found


@pytest.mark.parametrize(
    "form", [f for f in FORMS if f.section.startswith(COMPUTING)], ids=lambda f: f"{f.mnemonic} {f.section}"
)
def test_forms_of_the_table_have_a_concrete_meaning(form: Form) -> None:
    """Not every spelling that the table lets through exists in the ISA; but of each type one must have a meaning."""
    for kind in form.types:
        some = spellings(form, kind)
        assert some, kind
        meanings = 0
        for modifiers, types in some:
            try:
                meaning_of(form.mnemonic, modifiers, types)
                meanings += 1
            except UnsupportedError:
                continue
        assert meanings, (form.mnemonic, kind)

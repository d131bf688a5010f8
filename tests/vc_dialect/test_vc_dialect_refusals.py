"""Broken and changed modules: refused with what is wrong and the line, never with another error."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import validate
from volta_pipe.ir.modules import print_generic
from volta_pipe.ir.vc import DECLARATION_OPS, NODE_OPS, conditions_of, module_of, parse_module

MODULE = (Path(__file__).parent / "vc_module.mlir").read_text()

BROKEN = [
    # vc.conditions, vc.tensor, vc.parameter
    ('assumptions = ["floats are real numbers"]', "assumptions = [1]", "should be of base attribute string"),
    ('{assumptions = ["floats are real numbers"]}', "", "vc.conditions"),
    ("  vc.conditions", "  vc.nothing", "Operation vc.nothing is not registered"),
    ('  vc.conditions {assumptions = ["floats are real numbers"]}\n', "", "a vc module starts with vc.conditions"),
    ('name = "x", type = "f32"', 'name = "", type = "f32"', "vc.tensor: the name is empty"),
    ('name = "x", type = "f32"', 'name = "y", type = "f32"', "vc.tensor: 'y' is declared twice"),
    ('name = "x", type = "f32"', 'name = "x", type = "f33"', "f33"),
    ('name = "x", type = "f32"', 'name = "x", type = ""', "vc.conditions: either all tensors have a dtype, or none"),
    ("outputs = 10", "outputs = -2", "vc.tensor: -2 elements are out of range"),
    ("outputs = 10", "outputs = 1000000000000", "vc.tensor: 1000000000000 elements are out of range"),
    ("outputs = 10", "outputs = 4", "there is no output element 4: 'y' has 4 elements"),
    ("outputs = 10", "outputs = -1", "there is no output element 3: 'y' is no output"),
    ('vc.parameter {name = "a"', 'vc.parameter {name = "b"', "vc.scalar: there is no scalar 'a'"),
    # leaves
    ('vc.leaf "x" 3', 'vc.leaf "z" 3', "vc.leaf: there is no tensor 'z'"),
    ('vc.leaf "x" 3', 'vc.leaf "x" -3', "vc.leaf: element -3 is out of range"),
    ('vc.leaf "x" 3', 'vc.leaf "x" 2147483648', "vc.leaf: element 2147483648 is out of range"),
    ('vc.leaf "x" 3', 'vc.leaf "" 3', "vc.leaf: the name is empty"),
    ("vc.const 0x7ff0000000000000 : f64", "vc.const 1.0 : f32", "f32"),
    ("vc.const 0x7ff0000000000000 : f64", "vc.const 1", "vc.const"),
    ("vc.uninit 7", "vc.uninit 2147483648", "vc.uninit: instruction 2147483648 is out of range"),
    ('vc.scalar "a"', 'vc.scalar ""', "vc.scalar: the name is empty"),
    # operators
    ("vc.fma %0, %2, %3", "vc.fma %0, %2", "','"),
    ("vc.fma %0, %2, %3", "vc.fma %0, %2, %7", "vc.fma: an operand is used before it is defined"),
    ("vc.lt %4, %1", "vc.lt %4, %99", "99"),
    ("vc.neg %6", "vc.neg %6, %6", "unexpected ',' in block definition"),
    ("%7 = vc.neg", "%7:2 = vc.neg", "Operation has 1 results, but was given 2 to bind"),
    ("vc.neg", "vc.negate", "Operation vc.negate is not registered"),
    # vc.output, and where operations stand
    ('vc.output "y" 4', 'vc.output "y" 3', "vc.output: output element 3 of 'y' is given twice"),
    ('vc.output "y" 4', 'vc.output "x" 4', "vc.output: there is no output element 4: 'x' is no output"),
    ('vc.output "y" 4', 'vc.output "y" -4', "vc.output: element -4 is out of range"),
    ('vc.output "y" 4', 'vc.output "" 4', "vc.output: the name is empty"),
    ("    func.return", '    vc.parameter {name = "b", type = "f32"}\n    func.return', "does not stand in the function"),
    ("  func.func", '  %8 = vc.leaf "x" 0\n  func.func', "does not stand at the top of a vc module"),
    ("    func.return\n", "", "is not a terminator"),
    ("  func.func @elements", "  func.func @f() {\n    func.return\n  }\n  func.func @elements", "ends with its one function"),
]  # fmt: skip


def refused(text: str) -> ArtifactError:
    with pytest.raises(ArtifactError) as caught:
        conditions_of(parse_module(text, "m.mlir"))
    return caught.value


@cache
def generic() -> str:
    return print_generic(parse_module(MODULE))


def test_the_module_itself_is_right() -> None:
    found = conditions_of(parse_module(MODULE))
    assert (found.tensors, found.scalars, found.tensor_types) == (("x", "y"), ("a",), ("f32", "f32"))
    assert all(op.name in MODULE for op in DECLARATION_OPS)


@pytest.mark.parametrize(("old", "new", "message"), BROKEN, ids=[str(number) for number in range(len(BROKEN))])
def test_broken(old: str, new: str, message: str) -> None:
    assert old in MODULE
    error = refused(MODULE.replace(old, new, 1))
    assert message in str(error) and "\n" not in str(error)


@pytest.mark.parametrize("name", [op.name for op in NODE_OPS])
def test_every_operator_takes_as_many_operands_as_it_has(name: str) -> None:
    """And values of its type alone, and has one result."""
    (op,) = (op for op in NODE_OPS if op.name == name)
    count = len(op.get_irdl_definition().operands)
    attributes = {"vc.leaf": '{tensor = "x", index = 1 : i64}', "vc.const": "{value = 1.0 : f64}"}
    attributes |= {"vc.scalar": '{parameter = "a"}', "vc.uninit": "{instruction = 1 : i64}"}

    def with_line(operands: int, kind: str = "!vc.real", results: str = "!vc.real") -> str:
        value = "%i" if kind == "i32" else "%0"
        operand, types = (", ".join([word] * operands) for word in (value, kind))
        line = f'"{name}"({operand}) {attributes.get(name, "")} : ({types}) -> {results}'
        more = '    %i = "builtin.unrealized_conversion_cast"() : () -> i32\n' if kind == "i32" else ""
        return generic().replace('    "func.return"', f'{more}    {line}\n    "func.return"', 1)

    conditions_of(parse_module(with_line(count)))
    for wrong in {count + 1, max(count - 1, 0)} - {count}:
        assert "operand" in str(refused(with_line(wrong)))
    refused(with_line(count, results="i32"))
    refused(with_line(count, results="()"))
    if count:
        assert "i32" in str(refused(with_line(count, kind="i32")))


def test_the_line_is_said() -> None:
    line = next(number for number, text in enumerate(MODULE.splitlines(), 1) if "vc.fma" in text)
    for new in ("%0, %2, %7", "%0, %2", "%0, %2, %99"):
        assert str(refused(MODULE.replace("%0, %2, %3", new))).startswith("m.mlir:"), new
    assert str(refused(MODULE.replace("%0, %2, %3", "%0, %2, %7"))).startswith(f"m.mlir:{line}:")


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%@!^]?[\w.$-]+|\S')
_STRANGE = [
    "-1",
    "18446744073709551616",
    "%0",
    "%9",
    '"\\FF"',
    "{",
    "}",
    "]",
    "true",
    "unit",
    "vc.exp",
    '"y"',
    "\x00",
    "é",
    "2.0",
]


@pytest.mark.parametrize("seed", range(150))
def test_mutants(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice((MODULE, generic()))
    for _ in range(rng.randint(1, 3)):
        tokens = list(_TOKEN.finditer(text))
        token = rng.choice(tokens)
        new = rng.choice([rng.choice(tokens)[0], rng.choice(_STRANGE), "", str(rng.randint(-3, 20))])
        text = text[: token.start()] + new + text[token.end() :]
    try:
        found = conditions_of(parse_module(text))
    except ArtifactError as error:
        assert "\n" not in str(error)
        return
    validate(found.graph, list(found.outputs.values()), len(found.tensors), len(found.scalars))
    assert conditions_of(module_of(found)).outputs.keys() == found.outputs.keys()

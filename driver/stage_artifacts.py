"""How the value of each stage is written, and read back from data that is not trusted: ArtifactError where that is damaged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from volta_pipe.driver.meaning import meaning
from volta_pipe.driver.stage import LoweredValue, Outputs
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.ptx.lazy import LazyModule

_SHOWN = 120  # characters of a parser's error that are shown


def encode_artifact(value: Any) -> Outputs:
    """Of a value that is written as one artifact."""
    return {"artifact": value.encode()}


def encode_lower(value: LoweredValue) -> Outputs:
    text = value.made.text.encode()
    return {"artifact": text, "lines": value.lines.encode(), "meaning": meaning(text)}


def decode_lower(data: Mapping[str, memoryview]) -> LoweredValue:
    from volta_pipe.ir.lines import LineTable

    return with_lines(without_lines(data["artifact"]), LineTable.decode(bytes(data["lines"])))


def without_lines(text: memoryview) -> LoweredValue:
    """The value of a module's text, of which no lines are known. Errors: ArtifactError."""
    from volta_pipe.ir.lines import LineTable
    from volta_pipe.passes.lower import parse_module

    try:
        module = parse_module(str(text, "utf-8"))
    except ArtifactError as error:
        raise ArtifactError(" ".join(str(error).split())[:_SHOWN]) from error
    except Exception as error:  # a parser of somebody else's, on a text from outside: any of its errors
        raise ArtifactError(f"the module is damaged: {' '.join(str(error).split())[:_SHOWN]}") from error
    return LoweredValue(LazyModule.of(module), LineTable("", (), (), (), ()))


def with_lines(value: LoweredValue, lines: Any) -> LoweredValue:
    """`value` with a line table. Errors: ArtifactError where that is of a module with more or fewer operations."""
    from volta_pipe.passes.lower import walk_kernel

    if sum(1 for _ in walk_kernel(value.module)) != len(lines.ptx):
        raise ArtifactError("the module is damaged, or the lines are of another one: their numbers of operations differ")
    return replace(value, lines=lines)


def encode_unroll(program: Any) -> Outputs:
    from volta_pipe.ir.canonical_program import encode_code

    plain, origins, registers = program.canonical
    return {"artifact": plain.encode(), "code": encode_code(program, origins, registers)}


def decode_unroll(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.canonical_program import restored
    from volta_pipe.ir.program import Program

    plain = Program.decode(data["artifact"])
    return restored(plain, data["code"]) if "code" in data else plain  # by its digest alone, it has no lines


def decode_dynamic(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.dynamic import Report

    return Report.decode(data["artifact"])


def decode_check(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.check import SafetyReport

    return SafetyReport.decode(data["artifact"])


def decode_conditions(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.graph import Conditions

    return Conditions.decode(data["artifact"])


def conditions_size(conditions: Any) -> int:
    """How much memory the columns of expressions take."""
    graph = conditions.graph
    columns = (graph.op, graph.a, graph.b, graph.c, graph.constants, *conditions.outputs.values())
    return sum(column.nbytes for column in columns)


def same_conditions(one: Any, other: Any) -> bool:
    """Whether `one` has the columns of `other`, and says the same of them."""
    names = ("tensors", "scalars", "assumptions", "tensor_types", "scalar_types")
    taken = one.graph is other.graph and one.outputs is other.outputs
    return taken and all(getattr(one, name) == getattr(other, name) for name in names)


def decode_canon(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.canon import Canonical

    return Canonical.decode(data["artifact"])


def decode_decide(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.decide import Decision

    return Decision.decode(data["artifact"])

"""`inspect STAGE --graph KIND`: control flow, barriers or an expression as DOT or SVG, to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from volta_pipe.driver.commands.formula import number_of, parse_element, written
from volta_pipe.driver.commands.reached import at_dims
from volta_pipe.driver.elements import indexed
from volta_pipe.driver.findings import line_table, shapes
from volta_pipe.driver.graphs.model import Graph
from volta_pipe.ir.errors import InputError

# The graph that a stage has.
KINDS = {"lower": "cfg", "unroll": "barriers", "vc": "expression", "trace": "expression"}
FORMATS = ("dot", "svg")
ENDINGS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


def check_graph(stage: str, kind: str, form: str, elements: Sequence[str]) -> None:
    """Errors: InputError where a stage has no such graph, there is no such format, or there are several elements."""
    if stage not in KINDS:
        raise InputError(f"--graph does not apply to {stage}; it is for {', '.join(KINDS)}")
    if kind != KINDS[stage]:
        raise InputError(f"--graph: '{kind}' is no graph of {stage}, which has {KINDS[stage]}")
    if form not in FORMATS:
        raise InputError(f"--format: '{form}' is neither of {', '.join(FORMATS)}")
    if kind == "expression" and len(elements) > 1:
        raise InputError(f"--graph expression is of one element, and --element is given {len(elements)} times")


def format_of(form: str, output: str | None) -> str:
    """`dot` or `svg`: --format, or what the ending of the file says; `dot` where neither is given. Errors: InputError where
    they contradict each other, or the ending says nothing."""
    ending = "" if output is None else Path(output).suffix.lower()
    said = ENDINGS.get(ending, "")
    if ending and not said and not form:
        raise InputError(f"-o {output}: a graph ends in {', '.join(ENDINGS)}; for another ending give --format")
    if form and said and form != said:
        raise InputError(f"-o {output}: the ending says {said}, and --format says {form}")
    return form or said or "dot"


def graph_of(stage: str, value: Any, session: Any, one: Any, side: str, cta: int, elements: Sequence[str]) -> Graph:
    """The graph of what a stage made; `session` and `one`: as `reached.step_of` gives them. Errors: InputError."""
    lines = line_table(one, side, session.engine) if stage in ("lower", "unroll") else None
    whose = f"{stage} of the {side}{at_dims(one) if stage != 'lower' else ''}"
    if stage == "lower":
        from volta_pipe.driver.graphs.control_flow import control_flow
        from volta_pipe.passes.lower import print_module

        return control_flow(print_module(value.module), f"control flow: {whose}", lines)
    if stage == "unroll":
        from volta_pipe.driver.graphs.barriers import barriers

        if cta >= len(value.cta_ids):
            raise InputError(f"--cta: there are {len(value.cta_ids)} CTAs, counted from 0")
        where = ",".join(map(str, value.cta_ids[cta].tolist()))
        return barriers(value, cta, f"barriers of CTA ({where}): {whose}", lines)
    from volta_pipe.driver.graphs.expressions import expression

    known = shapes(one)
    if not elements:
        example = next((f": --element '{name}'" for name in written(value, known)), "")
        raise InputError(f"--graph expression is of one element{example}")
    tensor, index = parse_element(elements[0])
    name = indexed(tensor, index)
    place, flat = number_of(value, known, tensor, index)
    return expression(value, int(value.outputs[place][flat]), name, known, f"expression of {name}: {whose}")


def write_graph(graph: Graph, form: str, output: str | None) -> None:
    """Writes it. Errors: InputError where the file cannot be written."""
    from volta_pipe.driver.graphs.dot import dot
    from volta_pipe.driver.graphs.svg import svg

    text = svg(graph) if form == "svg" else dot(graph)
    if graph.note:
        print(graph.note, file=sys.stderr)
    if output is None:
        print(text, end="")
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"-o {output}: cannot be written: {error.strerror or error}") from None

"""What `inspect STAGE --json` prints: the facts that the store keeps of a step, and what its artifact holds beyond these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from volta_pipe.driver.commands.forms import class_facts, members_of
from volta_pipe.driver.commands.formula import number_of, parse_element
from volta_pipe.driver.commands.row_table import chosen_rows, operation, rows_document
from volta_pipe.driver.elements import Shapes, by_shape, element_name, indexed
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import check_finding, line_table, place_of, shapes
from volta_pipe.driver.pipeline import Combination
from volta_pipe.driver.step import Step


def document(
    step: Step, one: Combination, engine: Engine, side: str, rows: str | None = None, elements: Sequence[str] = ()
) -> dict[str, Any]:
    """Stage, side, dims, digest and the facts of the step, then by stage:

        lower       operations (text, place)            canon       classes (members, normal forms as formulas)
        unroll      operations (how many rows of each), decide      certificate (claims, digests, renamings)
                    memory; or `rows` A:B               vc, trace   `elements` as graphs: nodes, operands by number
        check       events: findings, remarks, notes        dynamic     runs (kind, seed, compared, bad, worst)

    Errors: InputError on rows or elements that are not there."""
    name = step.stage.name
    found = {"stage": name, "side": side, "dims": one.plan.dims, "artifact": f"sha256:{step.artifact}", **step.summary}
    found.pop("origins", None)  # the operation of the module that each instruction is
    known = shapes(one)
    if name == "lower":
        return found | {"operations": list(_operations(engine.value(step), one, engine, side))}
    if name == "unroll":
        program = engine.value(step)
        if rows is not None:
            table = rows_document(program, chosen_rows(rows, program), line_table(one, side, engine))
            return found | {"table": table}
        return found | _program(program)
    if name == "check":
        return found | {"events": list(events(step.summary, one, engine, side))}
    if name == "canon":
        canonical = engine.value(step)
        return found | {"classes": [_class(canonical, c, known) for c in canonical.classes]}
    if name == "decide":
        return found | {"certificate": _certificate(engine.value(step).certificate, known)}
    if name == "dynamic":
        return found | {"runs": [asdict(trial) for trial in engine.value(step).trials]}
    if elements:
        return found | {"elements": [_element(engine.value(step), text, known) for text in elements]}
    return found


def events(summary: Mapping[str, Any], one: Combination, engine: Engine, side: str) -> Iterator[dict[str, Any]]:
    """The event table of a safety report, of which the summary is kept: each finding and remark with who took part where in the
    source, each note and assumption."""
    for word in ("finding", "remark"):
        yield from ({"event": word, **check_finding(one, side, item, engine)} for item in summary.get(f"{word}s", ()))
    for word in ("note", "assumption"):
        yield from ({"event": word, "message": text} for text in summary.get(f"{word}s", ()))


def _operations(value: Any, one: Combination, engine: Engine, side: str) -> Iterator[dict[str, Any]]:
    from volta_pipe.driver.changes.operations import listing
    from volta_pipe.passes.lower import print_module

    lines, block = line_table(one, side, engine), 0
    for item in listing(print_module(value.module)).items:
        if item.index < 0:
            block = int(item.made[0].removeprefix("^bb"))
        else:
            yield {"index": item.index, "block": block, "text": item.text, **place_of(lines, item.index)}


def _program(program: Any) -> dict[str, Any]:
    counts = Counter(program.row_instr.tolist())
    named: Counter[str] = Counter()
    for instruction, count in counts.items():
        named[operation(program, instruction)] += count
    memory = [{k: v for k, v in asdict(region).items() if k != "content"} for region in program.regions]
    stops = [asdict(event) for event in program.events]
    return {"operations": dict(sorted(named.items())), "memory": memory, "stops": stops}


def _class(canonical: Any, one: Any, known: Shapes) -> dict[str, Any]:
    return class_facts(canonical, one, known) | {"elements": members_of(one, canonical.tensors)}


def _certificate(certificate: Any, known: Shapes) -> dict[str, Any] | None:
    if certificate is None:
        return None
    names = certificate.tensors
    claims = []
    for c in certificate.claims:
        r = c.renaming
        renaming = None
        if r is not None:
            # Input i of the representative is that with its number plus shifts[pattern[i], k] in member k.
            inputs = [element_name(names[t], e, known) for t, e in zip(r.tensor.tolist(), r.element.tolist(), strict=True)]
            renaming = {"inputs": inputs, "pattern": r.pattern.tolist(), "shifts": r.shifts.tolist()}
        claims.append(
            {
                "like": element_name(names[int(c.tensors[0])], int(c.elements[0]), known),
                "claim": c.claim,
                "normal_forms": list(c.digests),
                "made_of": list(c.rules),
                "elements": members_of(c, names),
                "renaming": renaming,
                "why": by_shape(c.why, known),
            }
        )
    alone = dict(zip(("reference", "candidate"), certificate.alone, strict=True))
    return {"claims": claims, "written_by_one_side": alone, "assumptions": list(certificate.assumptions)}


def _element(conditions: Any, text: str, known: Shapes) -> dict[str, Any]:
    """The expression of an element: its nodes from the leaves on, each with its operator, and its operands by their places."""
    from volta_pipe.ir.nodes import Node

    tensor, index = parse_element(text)
    place, flat = number_of(conditions, known, tensor, index)
    root, graph = int(conditions.outputs[place][flat]), conditions.graph
    reached, stack = {root}, [root]
    while stack:
        for operand in graph.operands(stack.pop()):
            if operand not in reached:
                reached.add(operand)
                stack.append(operand)
    number = {node: i for i, node in enumerate(sorted(reached))}
    nodes: list[dict[str, Any]] = []
    for node in number if root else ():
        kind = Node(int(graph.op[node]))
        found: dict[str, Any] = {"operator": kind.name.lower()}
        if kind == Node.CONST:
            value = graph.constant(node)
            found["value"] = value if abs(value) < float("inf") else str(value)
        elif kind == Node.LEAF:
            found["element"] = element_name(conditions.tensors[int(graph.a[node])], int(graph.b[node]), known)
        elif kind == Node.SCALAR:
            found["scalar"] = conditions.scalars[int(graph.a[node])]
        nodes.append(found | ({"operands": [number[o] for o in graph.operands(node)]} if graph.operands(node) else {}))
    return {"element": indexed(tensor, index), "written": bool(root), "nodes": nodes}

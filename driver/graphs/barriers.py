"""Who meets at which barrier, in the order of one CTA's program: a node a row of a barrier, an edge for threads that go from
one to the next."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np

from volta_pipe.driver.changes.lines import place
from volta_pipe.driver.changes.words import many
from volta_pipe.driver.commands.row_table import RowTable, operation
from volta_pipe.driver.graphs.model import Edge, Graph, Node
from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.names import runs, runs_text
from volta_pipe.ir.program import Event, Program

MOST_ROWS = 80  # rows of barriers that are drawn
_WARP = 32
_RUNS = 4  # runs of threads that a line names
_WIDEST = 64  # characters of a line
_BARRIERS = (Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE)
_MEET = (*_BARRIERS, Op.WARPSYNC, *MBARRIER)


def barriers(program: Program, cta: int, title: str, lines: LineTable | None) -> Graph:
    """The graph of CTA number `cta` of those that were run; `note` says where it is cut."""
    begin, end = (int(row) for row in program.cta_rows[cta : cta + 2])
    kinds = np.isin(program.op, _MEET)
    instr = program.row_instr[begin:end]
    rows = np.flatnonzero((instr >= 0) & np.append(kinds, False)[instr.clip(-1)]) + begin
    graph = Graph(title)
    if len(rows) > MOST_ROWS:
        graph.note = f"cut: the first {MOST_ROWS} of {len(rows):,} rows of barriers"
    graph.nodes.append(Node("start", (f"start: {many(program.threads, 'thread')}",), "end"))
    table = RowTable(program, lines)
    last = np.zeros(program.threads, np.int64)  # the node that each thread was at last
    for row in rows[:MOST_ROWS].tolist():
        lanes = program.active_lanes(int(program.row_mask[row]))
        _join(graph, last, lanes, len(graph.nodes))
        graph.nodes.append(Node(f"row{row}", _label(program, table, row, lanes), "barrier"))
    _join(graph, last, np.arange(program.threads), len(graph.nodes))
    stops = [event for event in program.events if event.cta == cta]
    stopped = bool(stops) and not program.complete and not graph.note
    ending = _stop(stops[-1], lines) if stopped else ("…" if graph.note else "return",)
    graph.nodes.append(Node("end", ending, "end"))
    names = [node.name for node in graph.nodes]
    graph.edges = [Edge(names[int(e.source)], names[int(e.target)], e.label) for e in graph.edges]
    return graph


def _stop(event: Event, lines: LineTable | None) -> tuple[str, ...]:
    """What ended the CTA, who took part and where."""
    steps = [(event.message, event.instruction), *((step.text, step.instruction) for step in event.steps)]
    found = [f"stopped: {event.kind}"]
    for text, instruction in steps:
        where = place(lines, instruction) if instruction >= 0 else ""
        found += wrap(f"{text}{f' ({where})' if where else ''}", _WIDEST)
    return tuple(found)


def _join(graph: Graph, last: np.ndarray[Any, np.dtype[np.int64]], lanes: np.ndarray[Any, np.dtype[Any]], node: int) -> None:
    """Edges from where the threads were last to a new node; the two ends are numbers here."""
    before = last[lanes]
    for source in np.unique(before).tolist():
        graph.edges.append(Edge(str(source), str(node), who(lanes[before == source])))
    last[lanes] = node


def who(lanes: np.ndarray[Any, np.dtype[Any]]) -> str:
    """`warps 0..7` where they are whole, else `threads 0..15`."""
    whole = len(lanes) % _WARP == 0 and (lanes.reshape(-1, _WARP) == lanes[::_WARP, None] + np.arange(_WARP)).all()
    if whole and (lanes[::_WARP] % _WARP == 0).all():
        found = runs((lanes[::_WARP] // _WARP).tolist())
        return f"warp{'s' * (len(lanes) > _WARP)} {runs_text(found, _RUNS)}"
    return f"thread{'s' * (len(lanes) > 1)} {runs_text(runs(lanes.tolist()), _RUNS)}"


def _label(program: Program, table: RowTable, row: int, lanes: np.ndarray[Any, np.dtype[Any]]) -> tuple[str, ...]:
    op = Op(int(program.op[program.row_instr[row]]))
    facts = table.facts(row)
    said = operation(program, int(program.row_instr[row]))
    if op in _BARRIERS:
        said = f"{'arrive at ' * (op == Op.BAR_ARRIVE)}barrier {facts['barrier']['first']}"
    elif op == Op.WARPSYNC:
        said = "each warp for itself"
    elif "memory" in facts and facts["memory"]["name"]:
        said += f" {facts['memory']['name']}+{facts['memory']['offset']}"
    where = table.place(row)
    return tuple(text for text in (f"row {row}: {said}", who(lanes), where) if text)

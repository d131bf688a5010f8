"""Rows of a program as plain facts: for `inspect unroll --rows A:B --json`, and for `diff`, which makes a line of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from volta_pipe.driver.changes.lines import place, row_instructions
from volta_pipe.driver.changes.rows import makers
from volta_pipe.driver.findings import place_of, source_name
from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.instructions import MATRIX_MEMORY, MBARRIER, Op
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.names import runs, runs_text, type_text
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.program import FLAG_ENDS_PHASE, FLAG_GUARDED, FLAG_SOURCE, Program

MOST_ROWS = 100_000  # of one document
_MEMORY = frozenset({Op.LD, Op.ST, Op.ATOM, Op.RED, Op.COPY, *MATRIX_MEMORY, *MBARRIER})
_BARRIERS = frozenset({Op.BAR, Op.BAR_RED, Op.BAR_ARRIVE})
_WORDS = {Op.LD: "read", Op.ST: "write", Op.LDPARAM: "scalar"}
_SHOWN = 4  # runs of threads of a row, and addresses that have no common step
_WINDOW = (1 << REGION_SHIFT) - 1
_ROWS = re.compile(r"([0-9]{1,12})?:([0-9]{1,12})?")


def parse_rows(text: str) -> tuple[int, int | None]:
    """(A, B) of `A:B`, `A:` and `:B`, the rows from A to before B; B None: to the end. Errors: InputError."""
    match = _ROWS.fullmatch(text.strip())
    if match is None:
        raise InputError(f"--rows: '{text[:40]}' is not A:B, such as 0:20 (rows are counted from 0 through all CTAs)")
    first, end = match.groups()
    return int(first or 0), None if end is None else int(end)


def chosen_rows(text: str, program: Program) -> range:
    """The rows of a program that `A:B` names. Errors: InputError where it has not all of them, or there are none."""
    count = len(program.row_instr)
    first, end = parse_rows(text)
    stop = count if end is None else end
    if not first < stop <= count:
        raise InputError(f"--rows: there are no rows {first}:{stop}, only 0:{count}")
    return range(first, stop)


class RowTable:
    """Rows of one program as facts; `lines` of its kernel, where they are known."""

    def __init__(self, program: Program, lines: LineTable | None) -> None:
        self.program, self.lines = program, lines
        self.start, self.count, self.maker, _ = makers(program)

    def facts(self, row: int) -> dict[str, Any]:
        """What one row does. `operation`; `cta`; `threads` (linear, as runs [first, last]); `from_rows`: for each operand, and
        behind them the guard, the row that made it last, or null; `memory` (space, name, offset in bytes of the first thread;
        `step` from one thread to the next or `offsets` of all), `barrier`, `from_threads` or `value` as the operation has it;
        its place in the source and the PTX."""
        program = self.program
        instruction = int(program.row_instr[row])
        lanes = program.active_lanes(int(program.row_mask[row]))
        origin = int(row_instructions(program, np.array([row]))[0])
        cta = int(np.searchsorted(program.cta_rows, row, side="right")) - 1
        makers_of = self.maker[self.start[row] : self.start[row] + self.count[row]].tolist()
        return {
            "row": row,
            "cta": program.cta_ids[cta].tolist(),
            "operation": operation(program, instruction),
            "threads": runs(lanes.tolist()),
            "from_rows": [maker if maker >= 0 else None for maker in makers_of],
            **self._meaning(row, instruction),
            **({"guarded": True} if program.row_flags[row] & FLAG_GUARDED else {}),
            **place_of(self.lines, origin),
        }

    def _meaning(self, row: int, instruction: int) -> dict[str, Any]:
        program = self.program
        values = program.row_values(row)
        if instruction < 0:
            return {"value": _spread(values)}
        op, flags = Op(int(program.op[instruction])), int(program.row_flags[row])
        if op in _MEMORY:
            found: dict[str, Any] = {"memory": {**self._memory(values), "bytes": int(program.width[instruction]) // 8}}
            if op == Op.COPY:
                found["copy"] = "source" if flags & FLAG_SOURCE else "destination"
            return found | ({"ends_phase": True} if op in MBARRIER and flags & FLAG_ENDS_PHASE else {})
        if op in _BARRIERS:
            return {"barrier": _spread(values)}
        if op == Op.SHFL:
            return {"from_threads": _spread(values)}
        return {"groups": int(values[0])} if op == Op.COPY_WAIT else {}

    def _memory(self, addresses: np.ndarray[Any, np.dtype[Any]]) -> dict[str, Any]:
        region = self.program.region_of(int(addresses[0]))
        if region is None:
            return {"space": None, "name": None, "address": int(addresses[0])}
        offsets = (addresses & _WINDOW) - region.start
        first, name = int(offsets[0]), region.name
        for variable, begin, size in region.variables:
            if begin <= first < begin + size:
                name, offsets = source_name(variable), offsets - begin
        spread = _spread(offsets)
        where = {"offset": int(offsets[0])}
        where |= {"step": spread["step"]} if "step" in spread else {"offsets": spread["values"]} if "values" in spread else {}
        return {"space": region.space, "name": name, **where}

    def text(self, row: int) -> str:
        """The same on one line."""
        return row_text(self.facts(row), self.place(row))

    def place(self, row: int) -> str:
        """`k.cu:41` of a row, or ""."""
        origin = int(row_instructions(self.program, np.array([row]))[0])
        return place(self.lines, origin)


def operation(program: Program, instruction: int) -> str:
    """`fma.f32`, `read.f32`, `bar`: what a row of a static instruction does; `constant` of a constant row."""
    if instruction < 0:
        return "constant"
    op = Op(int(program.op[instruction]))
    word = _WORDS.get(op, op.name.lower().replace("_", "."))
    if op == Op.VALUE:
        word = Node(int(program.node[instruction])).name.lower()
    width = int(program.width[instruction])
    typed = op in (Op.VALUE, Op.LD, Op.ST, Op.ATOM, Op.RED) and width > 1
    return f"{word}.{type_text(width, int(program.signed[instruction]))}" if typed else word


def _spread(values: np.ndarray[Any, np.dtype[Any]]) -> dict[str, Any]:
    """One number for all threads, a first one with a step, or all."""
    apart = np.diff(values)
    if not apart.any():
        return {"first": int(values[0])}
    if (apart == apart[0]).all():
        return {"first": int(values[0]), "step": int(apart[0])}
    return {"first": int(values[0]), "values": values.tolist()}


def _spread_text(found: Mapping[str, Any]) -> str:
    more = f", {found['step']} apart" if "step" in found else _several(found.get("values", ()))
    return f"{found['first']}{more}"


def _several(numbers: Sequence[int]) -> str:
    """The numbers behind the first one, as far as they are shown."""
    return "".join(f", {number}" for number in numbers[1:_SHOWN]) + ", …" * (len(numbers) > _SHOWN)


def row_text(facts: Mapping[str, Any], where: str) -> str:
    """`row 4  CTA (0,0,0)  threads 0..99  fma.f32 of rows 1, 0, 2  at axpy.cu:8`."""
    said = str(facts["operation"])
    if "memory" in facts:
        said += f" {_memory_text(facts['memory'])}"
    for key, word in (("barrier", ""), ("value", ""), ("from_threads", "from thread ")):
        said += f" {word}{_spread_text(facts[key])}" if key in facts else ""
    made = [str(row) for row in facts["from_rows"] if row is not None]
    said += f" of row{'s' * (len(made) > 1)} {', '.join(made)}" if made else ""
    said += " where its guard holds" if facts.get("guarded") else ""
    threads = f"thread{'s' * (facts['threads'] != [[facts['threads'][0][0]] * 2])} {runs_text(facts['threads'], _SHOWN)}"
    return f"row {facts['row']}  CTA ({','.join(map(str, facts['cta']))})  {threads}  {said}{f'  at {where}' if where else ''}"


def _memory_text(memory: Mapping[str, Any]) -> str:
    if memory["space"] is None:
        return f"address {memory['address']:#x}"
    more = f", {memory['step']} apart" if "step" in memory else _several(memory.get("offsets", ()))
    space = (
        "" if (memory["space"] == "global" and memory["name"]) or memory["name"] == memory["space"] else f"{memory['space']} "
    )
    sign = "+" if memory["offset"] >= 0 else ""
    return f"{space}{memory['name']}{sign}{memory['offset']}{more}"


def rows_document(program: Program, rows: range, lines: LineTable | None) -> dict[str, Any]:
    """The rows of a range as facts. Errors: InputError on too many."""
    if len(rows) > MOST_ROWS:
        raise InputError(f"--rows: {len(rows):,} rows are more than the {MOST_ROWS:,} that one document holds")
    table = RowTable(program, lines)
    return {"rows": [table.facts(row) for row in rows], "of": len(program.row_instr)}

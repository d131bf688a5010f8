"""The declarations of a `scta` module, made of a program's tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Operation

from volta_pipe.ir import program as programs
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.modules.attributes import boolean, integer, integers, word
from volta_pipe.ir.names import type_text
from volta_pipe.ir.program import Program
from volta_pipe.ir.scta.lanes import lanes_text, pattern_of
from volta_pipe.ir.scta.spelling import code_name, node_text, region_labels
from volta_pipe.ir.scta.tables import INITS, CodeOp, EventOp, ProgramOp, RegionOp


class Tables:
    """What rows of a program refer to, as the dialect has it. `lanes`, `texts`, `bits`: of each mask the lanes, their text, and
    a bit for each; `patterns`, `lengths`: of each pattern its short form and its lanes.

    Errors: ArtifactError on what the dialect cannot say."""

    def __init__(self, program: Program) -> None:
        self.program = program
        start, values = program.pattern_start.tolist(), program.pattern_values.tolist()
        ranges = list(pairwise(start))
        self.lanes = [tuple(program.active_lanes(mask).tolist()) for mask in range(len(program.mask_bits))]
        self.texts = [lanes_text(lanes) for lanes in self.lanes]
        self.bits = [sum(1 << lane for lane in lanes) for lanes in self.lanes]
        self.patterns = [pattern_of(values[low:high]) for low, high in ranges]
        self.lengths = [high - low for low, high in ranges]
        self.regions = {region.number: region for region in program.regions}
        self.labels = region_labels([(region.name, region.number) for region in program.regions])
        self.label_of = dict(zip(self.regions, self.labels, strict=False))
        self._check()

    def _check(self) -> None:
        program = self.program
        for table, what in (
            (self.lanes, "masks"),
            ([*zip(self.lengths, self.patterns, strict=True)], "patterns"),
            (self.labels, "regions of one name"),
            ([region.number for region in program.regions], "regions of one number"),
        ):
            if len({*table}) != len(table):
                raise ArtifactError(f"program artifact: it has two {what}" + " that are equal" * ("one" not in what))
        first = np.concatenate([[0], np.cumsum(program.results.astype(np.int64) + program.inputs)])
        if (program.first != first[:-1]).any() or first[-1] != len(program.operands):
            raise ArtifactError("program artifact: the operands of its instructions do not follow each other")
        if not np.isin(program.op, [int(op) for op in Op]).all() or (program.negated > 1).any():
            raise ArtifactError("program artifact: it has an instruction that there is not")
        if not all(0 <= region.init < len(INITS) for region in program.regions):
            raise ArtifactError("program artifact: a region starts with what there is not")

    def registers(self, code: int) -> tuple[list[int], list[int]]:
        """(results, inputs) of a static instruction."""
        program = self.program
        first, middle = int(program.first[code]), int(program.first[code] + program.results[code])
        return program.operands[first:middle].tolist(), program.operands[middle : middle + int(program.inputs[code])].tolist()

    def name(self, code: int) -> str:
        """What rows of a static instruction are called."""
        program = self.program
        op = Op(int(program.op[code]))
        kind = type_text(int(program.width[code]), int(program.signed[code]))
        return code_name(op, node_text(op, int(program.node[code])), kind)

    def declarations(self, codes: Sequence[int], *, whole: bool) -> list[Operation]:
        """The operations, with the static instructions `codes`."""
        program = self.program
        regions, events = map(_region, program.regions), map(_event, program.events)
        return [self._program(whole), *regions, *events, *(self._code(code) for code in codes)]

    def _program(self, whole: bool) -> ProgramOp:
        program = self.program
        masks = [*dict.fromkeys(program.row_mask.tolist())] != [*range(len(self.lanes))] and whole
        used = [*dict.fromkeys(number for number in program.row_pattern.tolist() if number >= 0)]
        patterns = used != [*range(len(self.patterns))] and whole
        table = [integers((count, *pattern)) for count, pattern in zip(self.lengths, self.patterns, strict=True)]
        return ProgramOp.create(
            attributes={
                "threads": integer(program.threads), "block": integers(program.block), "registers": integer(program.registers),
                "steps": integer(program.steps), "complete": boolean(program.complete), "whole": boolean(whole),
                "assumptions": ArrayAttr([word(text) for text in program.assumptions]),
                "masks": ArrayAttr([word(text) for text in self.texts] if masks else []),
                "patterns": ArrayAttr(table if patterns else []),
            }
        )  # fmt: skip

    def _code(self, code: int) -> CodeOp:
        program = self.program
        op = Op(int(program.op[code]))
        results, inputs = self.registers(code)
        types = [
            word(type_text(int(width[code]), int(signed[code])))
            for width, signed in ((program.width, program.signed), (program.width2, program.signed2))
        ]
        return CodeOp.create(
            attributes={
                "number": integer(code), "origin": integer(code),
                "op": word(op.name.lower()), "node": word(node_text(op, int(program.node[code]))), "type": types[0],
                "type2": types[1], "sub": integer(int(program.sub[code])), "imm": integer(int(program.imm[code])),
                "guard": integer(int(program.guard[code])), "negated": boolean(bool(program.negated[code])),
                "inputs": integers(tuple(inputs)), "results": integers(tuple(results)),
            }
        )  # fmt: skip


def _region(region: programs.Region) -> RegionOp:
    variables = [
        DictionaryAttr({"name": word(name), "offset": integer(offset), "size": integer(size)})
        for name, offset, size in region.variables
    ]
    return RegionOp.create(
        attributes={
            "name": word(region.name), "number": integer(region.number), "space": word(region.space),
            "start": integer(region.start), "size": integer(region.size), "init": word(INITS[region.init]),
            "tensor": integer(region.tensor), "role": word(region.role), "variables": ArrayAttr(variables),
            "content": word(region.content.hex()),
        }
    )  # fmt: skip


def _event(event: programs.Event) -> EventOp:
    steps = [DictionaryAttr({"text": word(step.text), "instruction": integer(step.instruction)}) for step in event.steps]
    return EventOp.create(
        attributes={
            "kind": word(event.kind), "message": word(event.message), "instruction": integer(event.instruction),
            "cta": integer(event.cta), "threads": integers(event.threads), "address": integer(event.address),
            "other": integer(event.other), "steps": ArrayAttr(steps),
        }
    )  # fmt: skip

"""What the registers of a program hold, as far as its instructions tell: widths, floats, predicates."""

from __future__ import annotations

from volta_pipe.ir.instructions import MBARRIER, Op
from volta_pipe.ir.program import Program

_FLOAT = 2  # `signed` of a float type


def register_kinds(program: Program) -> tuple[dict[int, int], set[int], set[int]]:
    """(width by register, registers that some instruction reads as a float, predicates), as the instructions use them."""
    widths: dict[int, int] = {}
    floats: set[int] = set()
    predicates = {int(guard) for guard in program.guard if guard >= 0}
    for instr, code in enumerate(program.op):
        op, width = Op(int(code)), int(program.width[instr])
        first, middle = int(program.first[instr]), int(program.first[instr] + program.results[instr])
        results = [int(r) for r in program.operands[first:middle]]
        inputs = [int(r) for r in program.operands[middle : middle + int(program.inputs[instr])]]
        is_float = int(program.signed[instr]) == _FLOAT
        if op in (Op.SETP, Op.FSETP):
            predicates.update(results + inputs[2:])
            inputs = inputs[:2]
        elif op == Op.SELP:
            predicates.update(inputs[2:])
            inputs = inputs[:2]
        elif op in (Op.ADDC, Op.MADC, Op.LOP3_PRED):
            sources = {Op.ADDC: 2, Op.MADC: 3, Op.LOP3_PRED: 4}[op]
            predicates.update(results[1:] + inputs[sources:])
            inputs, results = inputs[:sources], results[:1]
        elif op in (Op.SET, Op.FSET, Op.SLCT):
            predicates.update(inputs[2:] if op != Op.SLCT else [])
            width, inputs = (int(program.width2[instr]) if op != Op.SLCT else width), inputs[:2]
            is_float = (op == Op.FSET and int(program.signed2[instr]) == _FLOAT) or (is_float and op == Op.SLCT)
        elif op in (Op.CBRA, Op.VOTE):
            predicates.update(inputs[:1])
            inputs = []
        elif op in (Op.ST, Op.ATOM, Op.RED, Op.STMATRIX):
            inputs = inputs[1:]
        elif op == Op.BAR_RED:
            predicates.update(inputs[-1:])
            inputs = []
        elif op in (
            Op.LD,
            Op.LDMATRIX,
            Op.BAR,
            Op.BAR_ARRIVE,
            Op.WARPSYNC,
            Op.COPY,
            Op.COPY_WAIT,
            Op.MATCH,
            Op.REDUX,
            Op.ELECT,
            *MBARRIER,
            Op.MBARRIER_COUNT,
        ):
            inputs = []
        elif op in (Op.PACK, Op.UNPACK):
            parts = inputs if op == Op.PACK else results
            for register in parts:
                widths.setdefault(register, width // len(parts))
            inputs, results = ([], results) if op == Op.PACK else (inputs, [])
        elif op == Op.FCVT:
            width, is_float = int(program.width2[instr]), int(program.signed2[instr]) == _FLOAT
        if width == 1:
            predicates.update(results + inputs)
        for register in inputs:
            widths.setdefault(register, width)
            if is_float:
                floats.add(register)
        if op == Op.MOV:
            for register in results:
                widths.setdefault(register, width)
    widths.update(dict.fromkeys(predicates, 1))
    return widths, floats, predicates

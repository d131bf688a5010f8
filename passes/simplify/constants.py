"""Constant folding. A result that becomes known is a `mov` of its constant, which its readers take as an operand of their own:
so a constant is never passed to a block, and every value still stems from one register."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Block, Operation, Region, SSAValue

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx import INSTRUCTIONS, BranchOp, CondBranchOp, ConstantOp, InstructionOp, UnmodelledOp, value_width
from volta_pipe.ir.ptx.signatures import match
from volta_pipe.passes.replay.meaning.spelling import meaning_of
from volta_pipe.passes.simplify.editing import detach, erase
from volta_pipe.passes.simplify.pure import FOLDABLE

# Types whose operands no literal can stand for (PTX ISA 4.5): a register must keep holding the constant.
_NO_LITERALS = frozenset({"f16", "bf16", "f16x2", "bf16x2", "f32x2"})


def fold_constants(region: Region) -> bool:
    """Fold what is decided; whether anything changed."""
    changed = False
    for block in list(region.blocks):
        for op in list(block.ops):
            if isinstance(op, CondBranchOp):
                changed |= _fold_branch(op)
            elif isinstance(op, InstructionOp) and not isinstance(op, UnmodelledOp):
                changed |= _fold_guard(op) or _fold(op, region.blocks[0])
        changed |= _spread_arguments(block)
    return changed


def known(value: SSAValue) -> ConstantOp | None:
    """The constant that a value is."""
    op = value.owner
    if isinstance(op, ConstantOp):
        return op
    if isinstance(op, InstructionOp) and op.mnemonic == "mov" and op.guard is None and len(op.operands) == 1:
        inner = op.inputs[0].owner
        return inner if isinstance(inner, ConstantOp) and value_width(value) == value_width(op.inputs[0]) else None
    return None


def _fold_branch(op: CondBranchOp) -> bool:
    """A condition that is known, or that changes nothing."""
    constant = known(op.condition)
    same = op.then is op.els and list(op.then_arguments) == list(op.else_arguments)
    if constant is None and not same:
        return False
    taken = (op.then, op.then_arguments) if same or (constant is not None and constant.bits) else (op.els, op.else_arguments)
    _replace(op, BranchOp.make(taken[0], list(taken[1])))
    return True


def _fold_guard(op: InstructionOp) -> bool:
    """A guard that is known: the operation stands alone, or its results are the old ones."""
    constant = known(op.guard) if op.guard is not None else None
    if constant is None:
        return False
    if bool(constant.bits) is (op.negated is not None):
        for result, old in zip(list(op.res), list(op.old), strict=True):
            result.replace_all_uses_with(old)
        erase(op)
        return True
    offsets = [one.value.data if one is not None else None for one in (op.offset, op.offset2)]
    types = [result.type for result in op.res]
    made = type(op).make(op.modifier_names, op.type_names, list(op.inputs), types, offset=offsets[0], offset2=offsets[1])
    made.attributes = dict(op.attributes)
    _replace(op, made)
    return True


def _fold(op: InstructionOp, entry: Block) -> bool:
    """An unguarded operation whose operands are known."""
    if op.guard is not None or len(op.res) != 1 or op.form.op not in FOLDABLE or not op.inputs:
        return _spread(op)
    constants = [constant for one in op.inputs if (constant := known(one)) is not None]
    if len(constants) != len(op.inputs) or _is_narrow(op):
        return _spread(op)
    if known(op.res[0]) is not None:
        return False  # as simple as can be
    try:
        meaning = meaning_of(op.mnemonic, op.modifier_names, op.type_names)
    except UnsupportedError:  # a form without a meaning
        return _spread(op)
    # The second result of a comparison is there whether it is asked for or not.
    result, *_ = meaning(*(np.array([one.bits], np.uint64) for one in constants))
    width = value_width(op.res[0])
    constant = ConstantOp.make(int(result[0]), width)
    assert entry.first_op is not None
    entry.insert_op_before(constant, entry.first_op)
    kind = "pred" if width == 1 else f"b{width}"
    _replace(op, INSTRUCTIONS["mov"].make([], [kind], [constant.results[0]], [op.res[0].type]))
    return True


def _is_narrow(op: InstructionOp) -> bool:
    """Whether registers of a conversion are wider than its types, which then says how they are extended."""
    if op.mnemonic != "cvt":
        return False
    widths = [value_width(op.res[0]), *map(value_width, op.inputs)]
    return widths != [WIDTH[kind] for kind in op.type_names]


def _spread(op: InstructionOp) -> bool:
    """Read known operands as constants, where PTX has a literal for them."""
    found = match(op.form, op.modifier_names, op.type_names, len(op.res), len(op.inputs))
    if found is None:
        return False
    changed = False
    for place, (value, kind) in enumerate(zip(list(op.inputs), found.kinds, strict=True)):
        constant = known(value)
        if constant is not None and constant.results[0] is not value and _has_literal(kind, found.operands[place], value):
            op.operands[place] = constant.results[0]
            changed = True
    return changed


def _has_literal(kind: str, width: int, value: SSAValue) -> bool:
    """Whether a literal can stand for a value, and is read back with the width that the value has."""
    return kind not in _NO_LITERALS and width not in (0, 1) and value_width(value) in (width, max(width, 16))


def _spread_arguments(block: Block) -> bool:
    """An argument that is the same constant on every way into the block is that constant behind it."""
    changed = False
    for place, argument in enumerate(block.args):
        incoming = [known(value) for value in _incoming(block, place)]
        first = incoming[0] if incoming else None
        if first is None or not all(one is not None and one.bits == first.bits for one in incoming):
            continue
        for use in list(argument.uses):
            op = use.operation
            if isinstance(op, InstructionOp) and not isinstance(op, UnmodelledOp) and use.index < len(op.inputs):
                changed |= _take(op, use.index, first)
    return changed


def _take(op: InstructionOp, place: int, constant: ConstantOp) -> bool:
    found = match(op.form, op.modifier_names, op.type_names, len(op.res), len(op.inputs))
    if found is None or not _has_literal(found.kinds[place], found.operands[place], op.inputs[place]):
        return False
    op.operands[place] = constant.results[0]
    return True


def _incoming(block: Block, place: int) -> list[SSAValue]:
    """What every branch to a block passes for one argument."""
    values: list[SSAValue] = []
    for predecessor in block.predecessors():
        last = predecessor.last_op
        if isinstance(last, BranchOp):
            values.append(last.arguments[place])
        elif isinstance(last, CondBranchOp):
            if last.then is block:
                values.append(last.then_arguments[place])
            if last.els is block:
                values.append(last.else_arguments[place])
    return values


def _replace(op: Operation, new: Operation) -> None:
    """Put an operation in the place of another."""
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    for result, other in zip(list(op.results), new.results, strict=True):
        result.replace_all_uses_with(other)
    erase(op)


def order_constants(region: Region) -> None:
    """One operation for each constant that is read, at the head of the kernel, by width and bits: as `lower` has them."""
    entry = region.blocks[0]
    groups: dict[tuple[int, int], list[ConstantOp]] = {}
    for block in region.blocks:
        for op in block.ops:
            if isinstance(op, ConstantOp):
                groups.setdefault((value_width(op.res), op.bits), []).append(op)
    for key in sorted(groups, reverse=True):
        first, *rest = groups[key]
        for other in rest:
            other.res.replace_all_uses_with(first.res)
            erase(other)
        detach(first)
        if first.res.first_use is None:
            first.erase()
        elif entry.first_op is not None:
            entry.insert_op_before(first, entry.first_op)
        else:
            entry.add_op(first)

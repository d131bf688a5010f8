"""Dead values: what no store, branch, barrier or other effect depends on, arguments of blocks included."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from volta_pipe.ir.ptx import BranchOp, CondBranchOp
from volta_pipe.passes.simplify.editing import detach, erase
from volta_pipe.passes.simplify.pure import is_pure


def drop_dead(region: Region) -> bool:
    """Erase pure operations and block arguments that nothing depends on; whether there were any."""
    live = _live(region)
    dead = [op for block in region.blocks for op in block.ops if is_pure(op) and live.isdisjoint(op.results)]
    places = {
        block: [place for place, argument in enumerate(block.args) if argument not in live]
        for block in region.blocks
        if not live.issuperset(block.args)
    }
    for block in list(region.blocks):
        last = block.last_op
        new: Operation
        if isinstance(last, BranchOp) and last.target in places:
            new = BranchOp.make(last.target, _kept(last.arguments, places, last.target))
        elif isinstance(last, CondBranchOp) and (last.then in places or last.els in places):
            new_then = _kept(last.then_arguments, places, last.then)
            new = CondBranchOp.make(last.condition, last.then, new_then, last.els, _kept(last.else_arguments, places, last.els))
        else:
            continue
        block.insert_op_before(new, last)
        erase(last)
    # Dead values read each other: first all of them forget what they read.
    for op in dead:
        detach(op)
        op.drop_all_references()
    for op in dead:
        op.erase(safe_erase=False, drop_references=False)
    for block, dropped in places.items():
        for argument in [block.args[place] for place in reversed(dropped)]:
            block.erase_arg(argument)
    return bool(dead or places)


def _kept(values: Sequence[SSAValue], places: dict[Block, list[int]], block: Block) -> list[SSAValue]:
    dropped = places.get(block, [])
    return [value for place, value in enumerate(values) if place not in dropped]


def _live(region: Region) -> set[SSAValue]:
    """All values that an effect depends on."""
    passed: dict[SSAValue, list[SSAValue]] = {}
    todo: list[SSAValue] = []
    for block in region.blocks:
        for op in block.ops:
            if isinstance(op, BranchOp):
                _pass(passed, op.target, list(op.arguments))
            elif isinstance(op, CondBranchOp):
                todo.append(op.condition)
                _pass(passed, op.then, list(op.then_arguments))
                _pass(passed, op.els, list(op.else_arguments))
            elif not is_pure(op):
                todo += op.operands
                todo += op.results  # an effect keeps its results, read or not
    live: set[SSAValue] = set()
    while todo:
        value = todo.pop()
        if value in live:
            continue
        live.add(value)
        if isinstance(value, BlockArgument):
            todo += passed.get(value, [])
        else:
            op = value.owner
            assert not isinstance(op, Block)
            todo += op.operands
    return live


def _pass(passed: dict[SSAValue, list[SSAValue]], block: Block, values: list[SSAValue]) -> None:
    for argument, value in zip(block.args, values, strict=True):
        passed.setdefault(argument, []).append(value)

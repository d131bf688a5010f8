"""The clean-ups until nothing changes. Loads, stores, barriers and everything between lanes stay, in their order: what is
checked of the kernel, and what it computes, is the same. A block that no path reaches is left out, as `lower` leaves it out."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region

from volta_pipe.ir.ptx import AddressOp, BranchOp, KernelOp, VariableOp
from volta_pipe.passes.simplify.constants import fold_constants, order_constants
from volta_pipe.passes.simplify.dead import drop_dead
from volta_pipe.passes.simplify.editing import detach, erase


def simplify(module: ModuleOp) -> None:
    """Simplify every kernel of a module in place. The result has the form that `lower` makes, so that it can be unrolled."""
    for op in list(module.body.ops):
        if isinstance(op, ModuleOp):
            simplify(op)
        elif isinstance(op, KernelOp):
            _simplify(op.body)
    _drop_variables(module)


def _simplify(region: Region) -> None:
    changed = True
    while changed:
        changed = fold_constants(region)
        changed |= _drop_unreachable(region)
        changed |= _merge(region)
        changed |= drop_dead(region)
    order_constants(region)


def _drop_unreachable(region: Region) -> bool:
    first = region.blocks[0]
    seen, todo = {first}, [first]
    while todo:
        last = todo.pop().last_op
        for successor in last.successors if last is not None else ():
            if successor not in seen:
                seen.add(successor)
                todo.append(successor)
    dead = [block for block in region.blocks if block not in seen]
    for block in dead:
        for op in block.ops:
            op.drop_all_references()
    for block in dead:
        region.erase_block(block, safe_erase=False)
    return bool(dead)


def _merge(region: Region) -> bool:
    """Join a block with the one that alone jumps to it, without a condition."""
    changed = False
    for block in list(region.blocks):
        while block.parent is not None:
            last = block.last_op
            if not isinstance(last, BranchOp) or last.target is block or not _only(last.target, block):
                break
            if last.target is region.blocks[0]:
                break
            _join(block, last)
            changed = True
    return changed


def _only(target: Block, block: Block) -> bool:
    predecessors = target.predecessors()
    return len(predecessors) == 1 and predecessors[0] is block


def _join(block: Block, branch: BranchOp) -> None:
    target = branch.target
    for argument, value in zip(list(target.args), list(branch.arguments), strict=True):
        argument.replace_all_uses_with(value)
    erase(branch)
    for op in list(target.ops):
        detach(op)
        block.add_op(op)
    region = target.parent
    assert region is not None
    region.erase_block(target)


def _drop_variables(module: ModuleOp) -> None:
    """Variables that no address is taken of; one in .global memory stays, as the contract may set it."""
    used = {op.variable for op in module.walk() if isinstance(op, AddressOp)}
    for one in [op for op in module.body.ops if isinstance(op, VariableOp)]:
        if one.sym_name.data not in used and one.space.data in ("shared", "local"):
            erase(one)

"""`ptx.kernel` to `func.func` and back: its properties become attributes `ptx.…`, branches those of `cf`, `ptx.ret` a
`func.return`, and `ptx.trap` (which is no terminator there) is followed by `ub.unreachable`."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.cf import BranchOp as CfBranchOp
from xdsl.dialects.cf import ConditionalBranchOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.dialects.ub import UnreachableOp
from xdsl.ir import Attribute, Block, Operation

from volta_pipe.ir.errors import InputError
from volta_pipe.ir.ptx import BranchOp, CondBranchOp, KernelOp, ReturnOp, TrapOp
from volta_pipe.passes.exchange.segments import gather_segments, spread_segments

_MARK = "ptx.kernel"
_PREFIX = "ptx."
_OPTIONAL = ("maxntid", "reqntid")
_REQUIRED = ("params", "version", "target", "address_size")


def to_functions(module: ModuleOp) -> None:
    """Every `ptx.kernel` of a module, in place, to a function. Errors: UnsupportedError (see segments.py)."""
    spread_segments(module)
    for op in [op for op in module.walk() if isinstance(op, KernelOp)]:
        for block in op.body.blocks:
            _replace_end(block, _leaving(block.last_op))
        properties = {f"{_PREFIX}{key}": value for key, value in op.properties.items() if key != "sym_name"}
        body = op.detach_region(op.body)
        made = FuncOp.create(
            properties={"sym_name": op.sym_name, "function_type": FunctionType.from_lists([], [])},
            attributes={_MARK: UnitAttr(), **properties, **op.attributes},
            regions=[body],
        )
        _swap(op, made)


def from_functions(module: ModuleOp) -> None:
    """Every function that `to_functions` made, in place, to a `ptx.kernel`. Errors: InputError on one that is no kernel's."""
    gather_segments(module)
    for op in [op for op in module.walk() if isinstance(op, FuncOp)]:
        if _MARK not in op.attributes:
            continue
        name = op.sym_name.data
        found = {key: op.attributes.get(f"{_PREFIX}{key}") for key in (*_REQUIRED, *_OPTIONAL)}
        missing = [key for key in _REQUIRED if found[key] is None]
        if missing:
            raise InputError(f"function {name} is no kernel: it has no attribute {_PREFIX}{missing[0]}")
        for block in op.body.blocks:
            _replace_end(block, _entering(block, name))
        properties: dict[str, Attribute] = {"sym_name": StringAttr(name)}
        properties |= {key: value for key, value in found.items() if value is not None}
        kept = {key: value for key, value in op.attributes.items() if key != _MARK and key.removeprefix(_PREFIX) not in found}
        body = op.detach_region(op.body)
        _swap(op, KernelOp.create(properties=properties, attributes=kept, regions=[body]))


def _leaving(end: Operation | None) -> list[Operation]:
    """What stands for a terminator of a kernel."""
    if isinstance(end, BranchOp):
        return [CfBranchOp.create(operands=end.operands, successors=end.successors, attributes=end.attributes)]
    if isinstance(end, CondBranchOp):
        return [ConditionalBranchOp(end.condition, end.then, end.then_arguments, end.els, end.else_arguments)]
    if isinstance(end, TrapOp):
        return [TrapOp.create(properties=end.properties, attributes=end.attributes), UnreachableOp()]
    return [FuncReturnOp()]


def _entering(block: Block, name: str) -> list[Operation]:
    """The terminator of a kernel for what a block of a function ends with. Errors: InputError."""
    end = block.last_op
    if isinstance(end, CfBranchOp):
        return [BranchOp.make(end.successor, list(end.arguments))]
    if isinstance(end, ConditionalBranchOp):
        then, els = list(end.then_arguments), list(end.else_arguments)
        return [CondBranchOp.make(end.cond, end.then_block, then, end.else_block, els)]
    if isinstance(end, FuncReturnOp) and not end.operands:
        return [ReturnOp.create()]
    trap = end.prev_op if isinstance(end, UnreachableOp) else None
    if isinstance(trap, TrapOp):
        made = TrapOp.create(properties=trap.properties, attributes=trap.attributes)
        block.erase_op(trap)
        return [made]
    raise InputError(f"function {name} is no kernel: a block ends with {end.name if end is not None else 'nothing'}")


def _replace_end(block: Block, new: list[Operation]) -> None:
    end = block.last_op
    if end is not None:
        block.erase_op(end)
    block.add_ops(new)


def _swap(op: Operation, new: Operation) -> None:
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    block.erase_op(op)

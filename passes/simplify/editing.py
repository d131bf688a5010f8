"""Taking operations out of their block."""

from __future__ import annotations

from xdsl.ir import Operation


def detach(op: Operation) -> None:
    """Take an operation out of its block, to be put elsewhere or erased."""
    block = op.parent
    assert block is not None
    block.detach_op(op)


def erase(op: Operation) -> None:
    """Erase an operation whose results nobody reads."""
    block = op.parent
    assert block is not None
    block.erase_op(op)

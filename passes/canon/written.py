"""What can be compared where only some CTAs ran: the elements that they wrote."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from volta_pipe.ir.graph import Conditions
from volta_pipe.ir.nodes import Node


def where_written(reference: Conditions, candidate: Conditions) -> tuple[Conditions, Conditions]:
    """Both sides without the elements that the candidate did not write: those without a root, and those of inout tensors that
    hold their own old value."""
    graph = candidate.graph
    sides: tuple[dict[int, np.ndarray], dict[int, np.ndarray]] = ({}, {})
    for tensor, roots in candidate.outputs.items():
        old = (graph.op[roots] == Node.LEAF) & (graph.a[roots] == tensor) & (graph.b[roots] == np.arange(len(roots)))
        written = (roots != 0) & ~old
        for side, outputs in zip((reference, candidate), sides, strict=True):
            if tensor in side.outputs:
                outputs[tensor] = np.where(written, side.outputs[tensor], 0).astype(np.int32)
    return replace(reference, outputs=sides[0]), replace(candidate, outputs=sides[1])

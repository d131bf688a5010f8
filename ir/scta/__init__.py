"""The `scta` dialect: the straight-line program of each CTA, one operation for each SIMT row.

A module holds `scta.program`, `scta.region`, `scta.event`, `scta.code` (tables, as operations that a verifier sees), and then
a `func.func` for each CTA, whose one block is `scta.cta`, rows, and `func.return`."""

from volta_pipe.ir.scta.from_program import Selection, module_of
from volta_pipe.ir.scta.lanes import LanesType
from volta_pipe.ir.scta.row_bases import CodeRowOp, MemoryRowOp, RowOp
from volta_pipe.ir.scta.rows import (
    ROW_OPS,
    AtomicOp,
    ConstOp,
    CopyOp,
    InitialOp,
    MatrixOp,
    MbarrierOp,
    OpOp,
    ReadOp,
    ShuffleOp,
    SyncOp,
    WriteOp,
    kind_of,
)
from volta_pipe.ir.scta.tables import TABLE_OPS, CodeOp, CtaOp, EventOp, ProgramOp, RegionOp
from volta_pipe.ir.scta.text import SCTA, parse_module
from volta_pipe.ir.scta.to_program import program_of

__all__ = [
    "ROW_OPS",
    "SCTA",
    "TABLE_OPS",
    "AtomicOp",
    "CodeOp",
    "CodeRowOp",
    "ConstOp",
    "CopyOp",
    "CtaOp",
    "EventOp",
    "InitialOp",
    "LanesType",
    "MatrixOp",
    "MbarrierOp",
    "MemoryRowOp",
    "OpOp",
    "ProgramOp",
    "ReadOp",
    "RegionOp",
    "RowOp",
    "Selection",
    "ShuffleOp",
    "SyncOp",
    "WriteOp",
    "kind_of",
    "module_of",
    "parse_module",
    "program_of",
]

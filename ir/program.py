"""The straight-line program of each CTA as SIMT rows: the paper's structured-CTA language, a row for lanes that act together.

Integer work, control flow and addresses are resolved; what is left are values (float arithmetic, moves of symbolic data),
constants that flow into them, reads, writes, barriers and returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import REGION_SHIFT
from volta_pipe.ir.findings import Step
from volta_pipe.ir.instructions import Op

Array = np.ndarray[Any, np.dtype[Any]]

# The columns of static instructions.
STATIC = ("op", "width", "width2", "signed", "signed2", "sub", "imm", "node", "guard", "negated", "first", "results", "inputs")

# Sums, products and shifts of 32 bits, of which `imm` notes that they wrapped around on the way to an address.
WRAPPING = (Op.ADD, Op.SUB, Op.MUL_LO, Op.MAD_LO, Op.SHL)

# What a region's bytes hold before the first write.
INIT_UNINIT, INIT_SYMBOLIC, INIT_KNOWN = 0, 1, 2

# Row flags.
FLAG_GUARDED = 1  # acts only where the symbolic guard holds: value rows and stores become select(guard, new, old)
FLAG_SOURCE = 2  # of cp.async: the row says where the copy reads; the row behind it, with the same lanes, where it writes
FLAG_DECIDED = 4  # of atom: its result counts, so no other thread's atomic may come before or after it as it pleases
SYNCHRONIZES = 1  # `node` of ld, st and fences: acquires or releases for other CTAs, too
NONCOHERENT = 2  # `node` of ld: through a cache that sees no writes of this launch
# Of a signal at an mbarrier: what the last lane does completes the phase of its object. Of bar.arrive: its lanes, all of one
# warp, fill their barrier, at which nobody waits.
FLAG_ENDS_PHASE = 8
# The bits above of ldmatrix, stmatrix, wmma.load and wmma.store: which micro-row of the transfer this is. Micro-row x moves,
# for each lane, the bytes at base+pattern (`width` bits of the instruction) from or to part x % parts of register x // parts,
# where parts = max(32, width) // width.
MICRO_SHIFT = 3
COPIED_SHIFT = 3  # both rows of a cp.async: the bytes that are read (0 to 16) are flags >> COPIED_SHIFT; zeros follow them


@dataclass(frozen=True)
class Region:
    """A piece of memory. `start`: offset of its first byte in the region's window (a tensor that promises an alignment of 4
    starts at 4); `size` bytes; `space`: global, shared, local, const. `tensor`: index in the launch or -1; `variables`:
    (name, offset, size) inside it; `content`: what const and
    global variables hold before the launch; `role` of the tensor, or "" ."""

    number: int
    name: str
    space: str
    start: int
    size: int
    init: int
    tensor: int = -1
    role: str = ""
    variables: tuple[tuple[str, int, int], ...] = ()
    content: bytes = b""


@dataclass(frozen=True)
class Event:
    """What the machine met and could not pass, or noticed at the end of a CTA. kind: a finding kind. `instruction`: walk
    index; `cta`: index into cta_ids; `threads`: who (linear in the CTA); `address`: full address or -1; `other`: a second
    instruction (for example where the uninitialised value was read, or where the others wait) or -1; `steps`: more of it, a
    line each."""

    kind: str
    message: str
    instruction: int
    cta: int
    threads: tuple[int, ...] = ()
    address: int = -1
    other: int = -1
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Program:
    """Static code, rows and tables.

    Static instruction i (walk index of the kernel's operations): op uint8 (instructions.Op), width, width2 uint8 (bits of
    first and second type; of ld and st width2 is that of the address register), signed, signed2
    uint8, sub int32 (variant: see passes/unroll/bytecode.py), imm int64 (of NOP and MOV with a `sub`: they give the address
    of the variable that starts `imm` bytes behind the start of region `sub`; of sums, products and shifts of 32 bits that
    wrapped around on the way to an address: 1 + the thread, counted through all CTAs), node uint8
    (nodes.Node; of ld, st and fences SYNCHRONIZES, NONCOHERENT or 0), guard int32 register or -1, negated uint8; operand
    registers: results operands[first[i] : first[i]+results[i]], inputs after them, `inputs[i]` of them.

    Row r: instr int32 (>= 0 the static instruction; -1-k: the constant row that gives register k the values base+pattern);
    mask int32; base int64; pattern int32 (-1: the same value `base` in all lanes); flags uint8. For memory rows base+pattern
    is the full address of the first element in each active lane; for shfl the thread (linear in the CTA) that is read; for
    bar the barrier number; for warpsync the member mask; for a wait of cp.async how many of the newest committed groups may be
    under way still (-1: none, committed or not); for mbarrier instructions the address of the object (FLAG_ENDS_PHASE). A row
    of a wait stands where the wait found its phase complete, which is the last one that has been completed then.
    Copies, atomics and their flags: see FLAG_SOURCE and FLAG_DECIDED.

    Masks: mask_bits uint64 [masks, words], bit l of word l//64 is thread l. Patterns: pattern_start int64 [patterns+1] into
    pattern_values int64: one value per active lane, lanes in increasing order, the first is 0.
    CTAs: cta_ids int32 [ctas, 3]; cta_rows int64 [ctas+1] row ranges. `steps`: executed thread-instructions; 0 in canonical
    form (canonical_program.py), whose static code has only what rows name. `meant`: what `variables.derivations` says of the
    static code where that is no longer whole."""

    threads: int
    block: tuple[int, int, int]
    registers: int
    op: Array
    width: Array
    width2: Array
    signed: Array
    signed2: Array
    sub: Array
    imm: Array
    node: Array
    guard: Array
    negated: Array
    first: Array
    results: Array
    inputs: Array
    operands: Array
    row_instr: Array
    row_mask: Array
    row_base: Array
    row_pattern: Array
    row_flags: Array
    mask_bits: Array
    pattern_start: Array
    pattern_values: Array
    cta_ids: Array
    cta_rows: Array
    regions: tuple[Region, ...]
    events: tuple[Event, ...]
    steps: int
    complete: bool  # False: an event stopped the run before the end
    assumptions: tuple[str, ...] = ()
    meant: tuple[Array, Array] | None = None

    @cached_property
    def canonical(self) -> tuple[Program, Array, Array]:
        """See `canonical_program.canonical`; made once."""
        from volta_pipe.ir import canonical_program

        return canonical_program.canonical(self)

    def active_lanes(self, mask: int) -> Array:
        """Threads of a mask in increasing order, int64."""
        bits = np.unpackbits(self.mask_bits[mask].view(np.uint8), bitorder="little")
        return np.flatnonzero(bits[: self.threads])

    def row_values(self, row: int) -> Array:
        """base + pattern of a row, int64, one per active lane."""
        base, pattern = int(self.row_base[row]), int(self.row_pattern[row])
        if pattern < 0:
            return np.full(len(self.active_lanes(int(self.row_mask[row]))), base, np.int64)
        values: Array = base + self.pattern_values[self.pattern_start[pattern] : self.pattern_start[pattern + 1]]
        return values

    def over_patterns(self, *reductions: np.ufunc) -> tuple[Array, ...]:
        """Of each ufunc (np.minimum, …) int64 [patterns + 1]: what it makes of the values of each pattern, 0 of one without
        values. The last is 0, too, so that a row without a pattern (-1) finds it."""
        filled = np.flatnonzero(np.diff(self.pattern_start))
        found = tuple(np.zeros(len(self.pattern_start), np.int64) for _ in reductions)
        if len(filled):  # reduceat takes no empty slices
            for out, reduction in zip(found, reductions, strict=True):
                out[filled] = reduction.reduceat(self.pattern_values, self.pattern_start[filled])
        return found

    def region_of(self, address: int) -> Region | None:
        """The region whose window an address lies in, or None."""
        number = address >> REGION_SHIFT
        return next((region for region in self.regions if region.number == number), None)

    def encode(self) -> list[bytes | memoryview]:
        """The artifact (see ir/program_artifact.py)."""
        from volta_pipe.ir import program_artifact

        return program_artifact.encode(self)

    @staticmethod
    def decode(data: bytes | memoryview) -> Program:
        """Errors: ArtifactError."""
        from volta_pipe.ir import program_artifact

        return program_artifact.decode(data)

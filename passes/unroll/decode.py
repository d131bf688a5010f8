"""What the words of an instruction say to the machine: its operation, the widths and signs of its types, the variant."""

from __future__ import annotations

from dataclasses import dataclass

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import MATRIX, TYPE_WIDTH, Op, find_form
from volta_pipe.ir.program import NONCOHERENT, SYNCHRONIZES
from volta_pipe.ir.ptx.words import STRONG
from volta_pipe.passes.unroll.bytecode import signedness, variant
from volta_pipe.passes.unroll.known import exact_code
from volta_pipe.passes.unroll.matrix_tables import fields


@dataclass(frozen=True)
class Decoded:
    """The operation, (width, signed, width2, signed2, variant), and the node of a spelling (of ld, st and fences: 0,
    SYNCHRONIZES or NONCOHERENT); `exact`: see known.exact_code; `hinted`: whether the last operand is a cache policy; `plain`:
    whether it is a weak load (PTX ISA 8.3), which races with whatever is written at the same time."""

    op: Op
    fields: tuple[int, int, int, int, int]
    node: int
    exact: int = -1
    hinted: bool = False
    plain: bool = False


def decode(mnemonic: str, modifiers: tuple[str, ...], types: tuple[str, ...], walk: int) -> Decoded:
    """A spelling, first met at walk index `walk`. Errors: UnsupportedError where table or machine lack it."""
    form = find_form(mnemonic, modifiers, types)
    if form is None:
        raise UnsupportedError(f"instruction {mnemonic} {' '.join((*modifiers, *types))} is not modelled", instruction=walk)
    if form.op in MATRIX:
        return Decoded(form.op, fields(mnemonic, modifiers, types), int(form.node))
    first = types[0] if types else ""
    second = types[1] if len(types) > 1 else first
    sign, sign2 = (signedness(kind) if kind else 0 for kind in (first, second))
    op = {Op.CVT: Op.FCVTI, Op.SET: Op.FSET}.get(form.op, form.op) if sign2 >= 2 else form.op
    sub = variant(op, mnemonic, modifiers, types)
    fields_of = (TYPE_WIDTH.get(first, 0), sign, TYPE_WIDTH.get(second, 0), sign2, sub)
    node = int(form.node)
    if op in (Op.LD, Op.ST, Op.FENCE):
        node = SYNCHRONIZES if _synchronizes(frozenset(modifiers)) else 0
        if op == Op.LD and (mnemonic == "ldu" or "nc" in modifiers):  # PTX ISA 9.7.9.9, 9.7.9.10
            node = NONCOHERENT
    exact = -1 if mnemonic == "extern" else exact_code(op, int(form.node), modifiers, types)
    plain = op == Op.LD and STRONG.isdisjoint(modifiers)
    return Decoded(op, fields_of, node, exact, "L2::cache_hint" in modifiers, plain)


def _synchronizes(words: frozenset[str]) -> bool:
    """Whether an access or a fence can order memory between CTAs (PTX ISA 8.3 and 8.8): membar.gl and .sys are fences, too."""
    if words & {"gl", "sys"} and not words & {"relaxed", "volatile", "mmio"}:
        return True
    return bool(words & {"acquire", "release", "acq_rel", "sc"}) and "cta" not in words

"""What differs between two programs of `unroll`, row by row, whatever the numbers of their registers, masks and patterns.

A row's key is what it does: its instruction without the registers, who takes part, address, flags. Rows are aligned by it,
each CTA with the CTA of the same place in the grid. A row that is still there *changed* where an operand comes from another
row now. Keys are 64-bit hashes: good enough to show people a difference, and whether there is one is told by the digests of
the artifacts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.driver.changes.align import Aligner, ragged
from volta_pipe.driver.changes.lines import row_instructions
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.program import FLAG_GUARDED, Program
from volta_pipe.ir.share import COMMUTES

Array = np.ndarray[Any, np.dtype[Any]]
Makers = tuple[Array, Array, Array, Array]  # as `makers` gives them
_STATIC = ("op", "width", "width2", "signed", "signed2", "sub", "imm", "node", "negated", "results", "inputs")
_FIELDS = ("threads", "block", "complete", "assumptions", "regions", "events")
_MULTIPLY = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
_MIX = np.uint64(0xBF58476D1CE4E5B9)  # of splitmix64's finaliser
_CONSTANT = np.uint64(0xC0)  # in place of a static instruction


@dataclass(frozen=True)
class RowChanges:
    """`kept`: int64 [rows of old], the row of new that is the same, or -1. `removed`, `added`: int64, rows of old and of new
    without a counterpart. `replaced`: int64 [n, 2], (row of old, row of new) that stand in one place and do something else, or
    the same with operands from elsewhere. `other`: names of the program's other parts that differ; `static`: the rows are the
    same, but instructions that left none are not."""

    kept: Array
    removed: Array
    added: Array
    replaced: Array
    other: tuple[str, ...]
    static: bool

    @property
    def count(self) -> int:
        """How many places differ."""
        return len(self.removed) + len(self.added) + len(self.replaced)


def row_changes(
    old: Program, new: Program, old_lines: LineTable | None = None, new_lines: LineTable | None = None
) -> RowChanges:
    """Compares two programs; CTAs that only one of them has are removed or added as a whole. Where both have lines, rows that
    follow each other in the code are aligned in the order of the PTX: `lower` puts them into one of its own, which depends on
    all that is computed."""
    orders: list[Array] = [np.arange(len(old.row_instr)), np.arange(len(new.row_instr))]
    if old_lines is not None and new_lines is not None:
        orders = [_in_text_order(old, old_lines), _in_text_order(new, new_lines)]
    made = makers(old), makers(new)
    kept = _aligned_rows(old, new, (orders[0], orders[1]), made)
    moved = _other_operands(old, kept, *made)
    gone, come = np.ones(len(old.row_instr), bool), np.ones(len(new.row_instr), bool)
    gone[kept >= 0] = False
    come[kept[kept >= 0]] = False
    pairs = [np.stack([moved, kept[moved]], axis=1), *_replaced(old, new, gone, come, *orders)]
    replaced = np.concatenate(pairs)
    replaced = replaced[np.argsort(replaced[:, 1], kind="stable")]
    other = tuple(name for name in _FIELDS if getattr(old, name) != getattr(new, name))
    if not np.array_equal(old.cta_ids, new.cta_ids):
        other += ("CTAs",)
    nothing = not (gone.any() or come.any() or len(replaced) or other)
    return RowChanges(kept, np.flatnonzero(gone), np.flatnonzero(come), replaced, other, nothing)


def _mixed(h: Array, x: Array) -> Array:
    h = (h ^ x.astype(np.int64).view(np.uint64)) * _MULTIPLY
    h ^= h >> np.uint64(32)
    h *= _MIX
    mixed: Array = h ^ (h >> np.uint64(29))
    return mixed


def row_keys(program: Program) -> Array:
    """uint64 [rows]: equal for rows that do the same with other registers."""
    code = np.zeros(len(program.op), np.uint64)
    for name in _STATIC:
        code = _mixed(code, getattr(program, name))
    code = _mixed(code, program.guard >= 0)
    words = np.zeros(len(program.mask_bits), np.uint64)
    for column in program.mask_bits.T:
        words = _mixed(words, column.view(np.int64))
    lengths = np.diff(program.pattern_start)
    places = np.arange(len(program.pattern_values)) - np.repeat(program.pattern_start[:-1], lengths)
    terms = _mixed(_mixed(np.zeros(len(places), np.uint64), program.pattern_values), places)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
    patterns = np.append(_mixed(sums[program.pattern_start[1:]] - sums[program.pattern_start[:-1]], lengths), np.uint64(0))
    instr = program.row_instr
    keys = np.where(instr >= 0, np.append(code, np.uint64(0))[np.maximum(instr, -1)], _CONSTANT)
    for column in (words[program.row_mask], patterns[program.row_pattern]):
        keys = _mixed(keys, column.view(np.int64))
    return _mixed(_mixed(keys, program.row_base), program.row_flags)


def _pairs_of_ctas(old: Program, new: Program) -> Iterator[tuple[int, int]]:
    """Numbers of CTAs that lie at the same place in both grids."""
    there = {tuple(place): number for number, place in enumerate(new.cta_ids.tolist())}
    for number, place in enumerate(old.cta_ids.tolist()):
        if tuple(place) in there:
            yield number, there[tuple(place)]


def _in_text_order(program: Program, lines: LineTable) -> Array:
    """The rows, each run of them that goes through the code without a way back in the order of the PTX; int64."""
    place = np.array(lines.ptx, np.int64).reshape(-1, 2)
    rank = np.zeros(max(len(place), len(program.op)), np.int64)
    rank[: len(place)] = place[:, 0] << 20 | place[:, 1].clip(max=(1 << 20) - 1)
    instr = row_instructions(program, np.arange(len(program.row_instr)))
    back = np.ones(len(instr), bool)
    back[1:] = np.diff(instr) <= 0
    back[1:] &= program.row_instr[:-1] >= 0  # a constant belongs to the row behind it
    back[program.cta_rows[:-1][program.cta_rows[:-1] < len(instr)]] = True
    order: Array = np.lexsort((np.arange(len(instr)), np.where(instr >= 0, rank[instr], 0), np.cumsum(back)))
    return order


def _with_makers(keys: Array, found: Makers) -> Array:
    """uint64 [rows]: keys that know which rows made the operands, in any order."""
    start, count, maker, slot = found
    rows = np.repeat(np.arange(len(keys)), count)
    made = _mixed(np.where(maker >= 0, np.append(keys, np.uint64(0))[maker], np.uint64(0)), slot)
    sums = np.zeros(len(keys), np.uint64)
    np.add.at(sums, rows, _mixed(np.zeros(len(made), np.uint64), made[ragged(start, count)].view(np.int64)))
    return _mixed(keys, sums.view(np.int64))


def _aligned_rows(old: Program, new: Program, orders: tuple[Array, Array], makers_of: tuple[Makers, Makers]) -> Array:
    (old_order, new_order), (made, its_made) = orders, makers_of
    ours, theirs = row_keys(old), row_keys(new)
    if np.array_equal(ours, theirs) and np.array_equal(old.cta_rows, new.cta_rows) and np.array_equal(old.cta_ids, new.cta_ids):
        return np.arange(len(ours))
    kept = np.full(len(ours), -1, np.int64)
    # First by what the operands are made by, too, as steps of sums are all alike; then what is left by itself.
    fine = _with_makers(ours, made)[old_order], _with_makers(theirs, its_made)[new_order]
    ours, theirs = ours[old_order], theirs[new_order]
    align = Aligner()
    for k, j in _pairs_of_ctas(old, new):
        (low, high), (first, last) = old.cta_rows[k : k + 2], new.cta_rows[j : j + 2]
        found = align(fine[0][low:high], fine[1][first:last])
        same = np.flatnonzero(found >= 0)
        mine, its = ours[low:high].copy(), theirs[first:last].copy()
        mine[same] = its[found[same]] = _mixed(np.zeros(len(same), np.uint64), same)
        found = align(mine, its)
        there = found >= 0
        kept[old_order[low:high][there]] = new_order[found[there] + first]
    return kept


def _replaced(old: Program, new: Program, gone: Array, come: Array, old_order: Array, new_order: Array) -> Iterator[Array]:
    """Pairs of rows that went and rows that came between the same two kept ones, and do something of the same kind (two reads,
    two computations): they are taken out of `gone` and `come`. A read that went and a computation that came have nothing to do
    with each other."""
    went, came = gone[old_order], come[new_order]
    for k, j in _pairs_of_ctas(old, new):
        (low, high), (first, last) = old.cta_rows[k : k + 2], new.cta_rows[j : j + 2]
        if not went[low:high].any() or not came[first:last].any():
            continue
        left, right = np.flatnonzero(went[low:high]) + low, np.flatnonzero(came[first:last]) + first
        # The gap that a row lies in is told by how many kept rows come before it.
        gap = np.cumsum(~went[low:high])[left - low]
        other_gap = np.cumsum(~came[first:last])[right - first]
        slots = _slots(gap, _kinds(old, old_order[left])), _slots(other_gap, _kinds(new, new_order[right]))
        _, mine, its = np.intersect1d(*slots, assume_unique=True, return_indices=True)
        one, other = old_order[left[mine]], new_order[right[its]]
        gone[one] = come[other] = False
        yield np.stack([one, other], axis=1)


def _kinds(program: Program, rows: Array) -> Array:
    """The kind of instruction of each of some rows, int64; of constants 255."""
    kinds: Array = np.append(program.op, np.uint8(255))[program.row_instr[rows].clip(-1)].astype(np.int64)
    return kinds


def _slots(gap: Array, kind: Array) -> Array:
    """A number for each row that tells its gap, its kind, and which of that kind in the gap it is: int64."""
    group = gap << 8 | kind
    order = np.argsort(group, kind="stable")
    ranked = group[order]
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - np.searchsorted(ranked, ranked)
    slots: Array = group << 32 | rank
    return slots


def _other_operands(old: Program, kept: Array, made: Makers, its_made: Makers) -> Array:
    """Kept rows of `old` one of whose operands comes from another row, or from another result of it: int64. Two operands that
    may be exchanged are no others where they are."""
    (start, count, maker, slot), (its_start, its_count, its_maker, its_slot) = made, its_made
    rows = np.flatnonzero(kept >= 0)
    rows = rows[count[rows] == its_count[kept[rows]]]

    def apart(ours: Array, theirs: Array) -> Array:
        expected = np.where(maker[ours] >= 0, np.append(kept, -1)[maker[ours]], -1)
        # Where the row that made an operand was replaced or is gone, that row is the difference, and not this one.
        other: Array = ((expected != its_maker[theirs]) | (slot[ours] != its_slot[theirs])) & (
            (expected >= 0) | (maker[ours] < 0)
        )
        return other

    first = np.cumsum(count[rows]) - count[rows]
    owner = np.repeat(np.arange(len(rows)), count[rows])
    differs = apart(ragged(start[rows], count[rows]), ragged(its_start[kept[rows]], count[rows]))
    wrong = np.bincount(owner[differs], minlength=len(rows)) > 0
    later = np.bincount(owner[differs & (np.arange(len(owner)) - first[owner] > 1)], minlength=len(rows)) > 0
    able = np.flatnonzero(wrong & ~later & (count[rows] > 1) & _exchangeable(old)[rows])
    mine, its = start[rows[able]], its_start[kept[rows[able]]]
    wrong[able] = apart(mine, its + 1) | apart(mine + 1, its)
    moved: Array = rows[wrong]
    return moved


def _exchangeable(program: Program) -> Array:
    """Rows whose first two operands may be exchanged: bool."""
    from volta_pipe.passes.lower.commuting import EXCHANGEABLE

    code = np.isin(program.op, list(EXCHANGEABLE)) | (
        (program.op == Op.VALUE) & COMMUTES[program.node.clip(0, 255)].astype(bool)
    )
    able = np.append(code, False)
    found: Array = able[program.row_instr.clip(-1)]
    return found


def makers(program: Program) -> Makers:
    """(start, count) by row of its operands in the two columns behind: the row that wrote the operand's register last before
    it in its CTA (-1: none), and as which of its results. Rows are taken in their order, whichever lanes they are of."""
    instr, rows = program.row_instr, np.arange(len(program.row_instr))
    real = np.flatnonzero(instr >= 0)
    code = instr[real]
    first, results, inputs = (column[code].astype(np.int64) for column in (program.first, program.results, program.inputs))
    constant = np.flatnonzero(instr < 0)
    made_row = np.concatenate([np.repeat(real, results), constant])
    made_slot = np.concatenate([ragged(np.zeros_like(results), results), np.zeros(len(constant), np.int64)])
    made = np.concatenate([program.operands[ragged(first, results)], -1 - instr[constant]]).astype(np.int64)
    guarded = ((program.row_flags[real] & FLAG_GUARDED) != 0) & (program.guard[code] >= 0)
    used_row = np.concatenate([np.repeat(real, inputs), real[guarded]])
    used = np.concatenate([program.operands[ragged(first + results, inputs)], program.guard[code[guarded]]]).astype(np.int64)
    order = np.argsort(used_row, kind="stable")  # the guard behind the operands of its row
    used_row, used = used_row[order], used[order]
    span = len(rows) + 1
    keys = made * span + made_row
    order = np.argsort(keys, kind="stable")
    keys, made, made_row, made_slot = keys[order], made[order], made_row[order], made_slot[order]
    before = np.searchsorted(keys, used * span + used_row) - 1
    cta_start = program.cta_rows[np.searchsorted(program.cta_rows, used_row, side="right") - 1]
    if len(keys):
        known = (before >= 0) & (made[before] == used) & (made_row[before] >= cta_start)
        maker, slot = np.where(known, made_row[before], -1), np.where(known, made_slot[before], 0)
    else:
        maker, slot = np.full(len(used), -1), np.zeros(len(used), np.int64)
    count = np.bincount(used_row, minlength=len(rows))
    return np.cumsum(count) - count, count, maker, slot

"""Writes programs by hand for the tests of `check`: one call a row, in the order in which the machine would emit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import (
    CONST_REGION,
    GLOBAL_VARIABLES_REGION,
    LOCAL_REGION,
    REGION_SHIFT,
    SHARED_REGION,
    tensor_region,
)
from volta_pipe.ir.atomics import CODES, WIDE_SCOPE
from volta_pipe.ir.findings import Finding
from volta_pipe.ir.instructions import Op
from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.ir.program import (
    COPIED_SHIFT,
    FLAG_DECIDED,
    FLAG_ENDS_PHASE,
    FLAG_GUARDED,
    FLAG_SOURCE,
    INIT_KNOWN,
    INIT_SYMBOLIC,
    INIT_UNINIT,
    Event,
    Program,
    Region,
)
from volta_pipe.passes.check.agreement import Agreement, folded, merged
from volta_pipe.passes.check.claims import pairs_of
from volta_pipe.passes.check.explain import findings, report_of
from volta_pipe.passes.check.faults import MEETING, R_KIND
from volta_pipe.passes.check.report import SafetyReport
from volta_pipe.passes.check.run import WARP_SHIFT, Result, run

SHARED_BYTES = 256


def told(program: Program, result: Result, same: Callable[[int, int], bool] = lambda *_: False) -> Agreement | None:
    """The pairs of unordered stores decided: the same value where `same` of their two rows says so, for the same bytes.

    Programs that are written by hand have no registers, so no expressions."""
    if not len(result.claims):
        return None
    pairs = pairs_of(program, result.claims)
    equal = [bool(whole) and same(*map(int, rows)) for whole, rows in zip(pairs.whole, pairs.rows, strict=True)]
    return Agreement(pairs, np.array(equal, np.bool_), np.zeros(len(equal), np.bool_), None, ())


def met(program: Program, launch: Launch, warp_shift: int = WARP_SHIFT) -> Result:
    """What the loops find where the rows say who meets at a barrier, whether or not other threads could."""
    result = run(program, launch, warp_shift)
    return replace(result, raw=result.raw[result.raw[:, R_KIND] != MEETING])


def check(program: Program, launch: Launch, warp_shift: int = WARP_SHIFT) -> SafetyReport:
    """`check` without values: all unordered stores are races."""
    result = met(program, launch, warp_shift)
    return report_of(program, launch, result, told(program, result))


def shared(offset: int) -> int:
    return (SHARED_REGION << REGION_SHIFT) + offset


def local(offset: int) -> int:
    return (LOCAL_REGION << REGION_SHIFT) + offset


def const(offset: int) -> int:
    return (CONST_REGION << REGION_SHIFT) + offset


def variable(offset: int) -> int:
    return (GLOBAL_VARIABLES_REGION << REGION_SHIFT) + offset


def tensor(number: int, offset: int) -> int:
    return (tensor_region(number) << REGION_SHIFT) + offset


def f32(name: str, role: str, *shape: int, strides: tuple[int, ...] = (), alias_of: int = -1) -> Tensor:
    """A tensor, row-major contiguous without `strides`."""
    contiguous = tuple(int(np.prod(shape[k + 1 :])) for k in range(len(shape)))
    return Tensor(name, "f32", shape, strides or contiguous, role, alias_of=alias_of)


def everything(program: Program, launch: Launch, warp_shift: int = WARP_SHIFT) -> tuple[Finding, ...]:
    """All findings of the loops, those too that others make uncertain."""
    result = met(program, launch, warp_shift)
    agreed = told(program, result)
    apart = folded(program, agreed.pairs, ~agreed.same) if agreed is not None else result.raw[:0]
    return findings(program, launch, replace(result, raw=merged(result.raw, apart)))


class Handmade:
    """Collects rows. Every call makes its own static instruction unless `again` names an earlier one; it returns its index.

    x (in), y (out) and z (inout), 16 floats each, are there without `tensors`."""

    def __init__(self, threads: int = 64, tensors: Sequence[Tensor] = (), restricted: bool = False) -> None:
        self.threads = threads
        self.tensors = tuple(tensors) or (f32("x", "in", 16), f32("y", "out", 16), f32("z", "inout", 16))
        self.restricted = restricted
        self.static: list[tuple[int, int, int, int]] = []  # op, width, results, inputs
        self.subs: dict[int, int] = {}
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.masks: dict[tuple[int, ...], int] = {}
        self.patterns: dict[tuple[int, ...], int] = {}
        self.ctas = [0]
        self.events: list[Event] = []
        self.complete = True

    def cta(self) -> None:
        """The rows from here on are of the next CTA."""
        self.ctas.append(len(self.rows))

    def _row(
        self, static: tuple[int, int, int, int], lanes: Sequence[int], values: Sequence[int], again: int, flags: int
    ) -> int:
        if again < 0:
            self.static.append(static)
            again = len(self.static) - 1
        mask = self.masks.setdefault(tuple(lanes), len(self.masks))
        pattern = -1
        if any(value != values[0] for value in values):
            pattern = self.patterns.setdefault(tuple(value - values[0] for value in values), len(self.patterns))
        self.rows.append((again, mask, values[0], pattern, flags))
        return again

    def ld(self, at: Mapping[int, int], width: int = 32, count: int = 1, again: int = -1, guarded: bool = False) -> int:
        """A load: `at` gives the address of each thread that takes part."""
        lanes = sorted(at)
        flags = FLAG_GUARDED if guarded else 0
        return self._row((int(Op.LD), width, count, 1), lanes, [at[t] for t in lanes], again, flags)

    def st(self, at: Mapping[int, int], width: int = 32, count: int = 1, again: int = -1, guarded: bool = False) -> int:
        """A store."""
        lanes = sorted(at)
        flags = FLAG_GUARDED if guarded else 0
        return self._row((int(Op.ST), width, 0, 1 + count), lanes, [at[t] for t in lanes], again, flags)

    def bar(self, lanes: Iterable[int] | None = None, number: int = 0) -> int:
        """A bar.sync: of all threads, or with a thread count."""
        who = sorted(lanes) if lanes is not None else list(range(self.threads))
        return self._row((int(Op.BAR), 0, 0, 1 if lanes is None else 2), who, [number] * len(who), -1, 0)

    def warpsync(self, lanes: Iterable[int] | None = None) -> int:
        who = sorted(lanes) if lanes is not None else list(range(self.threads))
        return self._row((int(Op.WARPSYNC), 0, 0, 1), who, [0xFFFFFFFF] * len(who), -1, 0)

    def atom(self, at: Mapping[int, int], name: str = "add", width: int = 32, wide: bool = True, decided: bool = False) -> int:
        """An atomic; its results count where `decided`."""
        lanes = sorted(at)
        inputs = 3 if name == "cas" else 2
        static = (int(Op.ATOM if decided else Op.RED), width, int(decided), inputs)
        made = self._row(static, lanes, [at[t] for t in lanes], -1, FLAG_DECIDED if decided else 0)
        self.subs[made] = CODES[name] | (WIDE_SCOPE if wide else 0)
        return made

    def copy(self, source: Mapping[int, int], target: Mapping[int, int], size: int, count: int) -> int:
        """A cp.async of `size` bytes, `count` of them from the source."""
        lanes = sorted(source)
        flags = count << COPIED_SHIFT
        static = (int(Op.COPY), 8 * size, 0, 3)
        made = self._row(static, lanes, [source[t] for t in lanes], -1, flags | FLAG_SOURCE)
        return self._row(static, lanes, [target[t] for t in lanes], made, flags)

    def commit(self, lanes: Iterable[int] | None = None) -> int:
        who = sorted(lanes) if lanes is not None else list(range(self.threads))
        return self._row((int(Op.COPY_COMMIT), 0, 0, 0), who, [0] * len(who), -1, 0)

    def wait(self, lanes: Iterable[int] | None = None, pending: int = 0) -> int:
        who = sorted(lanes) if lanes is not None else list(range(self.threads))
        return self._row((int(Op.COPY_WAIT), 0, 0, 1), who, [pending] * len(who), -1, 0)

    def arrive(self, lanes: Iterable[int], number: int = 0, fills: bool = False) -> int:
        """A bar.arrive. fills: it completes the barrier, at which nobody waits."""
        who = sorted(lanes)
        return self._row((int(Op.BAR_ARRIVE), 0, 0, 2), who, [number] * len(who), -1, FLAG_ENDS_PHASE if fills else 0)

    def shfl(self) -> int:
        return self._row((int(Op.SHFL), 32, 1, 4), list(range(self.threads)), [0] * self.threads, -1, 0)

    def launch(self, collectives: bool = False) -> Launch:
        count = len(self.ctas)
        ctas = tuple((i, 0, 0) for i in range(count)) if self.restricted else None
        block = (self.threads, 1, 1)
        return Launch(self.tensors, (), (), (count, 1, 1), block, ctas=ctas, warp_collectives_order_memory=collectives)

    def program(self) -> Program:
        static = np.array(self.static, np.int64).reshape(-1, 4)
        rows = np.array(self.rows, np.int64).reshape(-1, 5)
        count = len(static)
        bits = np.zeros((len(self.masks), -(-self.threads // 64) * 64), np.uint8)
        for lanes, number in self.masks.items():
            bits[number, list(lanes)] = 1
        sizes = [len(pattern) for pattern in self.patterns]
        unread: dict[str, Any] = {
            name: np.zeros(count, np.uint8) for name in ("width2", "signed", "signed2", "node", "negated")
        }  # not read by `check`
        regions = [
            Region(SHARED_REGION, "shared", "shared", 0, SHARED_BYTES, INIT_UNINIT, variables=(("s", 0, 128), ("t", 128, 128))),
            Region(LOCAL_REGION, "local", "local", 0, 64, INIT_UNINIT),
            Region(CONST_REGION, "const", "const", 0, 64, INIT_KNOWN, variables=(("taps", 0, 64),)),
            Region(GLOBAL_VARIABLES_REGION, "variables", "global", 0, 64, INIT_KNOWN, variables=(("counter", 0, 64),)),
        ]
        for i, t in enumerate(self.tensors):
            if t.alias_of < 0:
                extent = max(u.extent for k, u in enumerate(self.tensors) if i in (k, u.alias_of))
                regions.append(Region(tensor_region(i), t.name, "global", 0, extent, INIT_SYMBOLIC, i, t.role))
        return Program(
            threads=self.threads,
            block=(self.threads, 1, 1),
            registers=0,
            op=static[:, 0].astype(np.uint8),
            width=static[:, 1].astype(np.uint8),
            sub=np.array([self.subs.get(i, 0) for i in range(count)], np.int32),
            imm=np.zeros(count, np.int64),
            guard=np.full(count, -1, np.int32),
            first=np.zeros(count, np.int32),
            results=static[:, 2].astype(np.uint8),
            inputs=static[:, 3].astype(np.uint8),
            operands=np.zeros(0, np.int32),
            row_instr=rows[:, 0].astype(np.int32),
            row_mask=rows[:, 1].astype(np.int32),
            row_base=rows[:, 2].copy(),
            row_pattern=rows[:, 3].astype(np.int32),
            row_flags=rows[:, 4].astype(np.uint8),
            mask_bits=np.packbits(bits, axis=1, bitorder="little").view(np.uint64),
            pattern_start=np.cumsum([0, *sizes]).astype(np.int64),
            pattern_values=np.array([v for pattern in self.patterns for v in pattern], np.int64),
            cta_ids=np.array([[i, 0, 0] for i in range(len(self.ctas))], np.int32),
            cta_rows=np.array([*self.ctas, len(self.rows)], np.int64),
            regions=tuple(regions),
            events=tuple(self.events),
            steps=0,
            complete=self.complete,
            **unread,
        )

"""Tiny programs for the oracle: two to four threads, each with a few operations on eight shared bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

BYTES = 8  # of memory, all known at the start
INITIAL = tuple(range(200, 200 + BYTES))
ACCESSES = ("ld", "st", "add", "max")
ATOMICS = ("add", "max")


@dataclass(frozen=True)
class Op:
    """One operation of one thread.

    kind: ld, st, add, max (red, four bytes); sync, arrive (named barriers); warpsync. static: the instruction: operations with
    equal numbers are one instruction in the text. at, size: bytes [at, at + size); value: what is stored or added. number,
    count: of a barrier (count 0: all threads); aligned: bar, not barrier. mask: lanes of the warp."""

    kind: str
    static: int
    at: int = 0
    size: int = 4
    value: int = 0
    number: int = 0
    count: int = 0
    aligned: bool = True
    mask: int = 0

    def __str__(self) -> str:
        return f"{self.static}: {self._what()}"

    def _what(self) -> str:
        if self.kind in ACCESSES:
            return f"{self.kind}{8 * self.size}[{self.at}]"
        if self.kind == "warpsync":
            return f"warpsync {self.mask:#x}"
        return f"{'bar' if self.aligned else 'barrier'}.{self.kind} {self.number}{f',{self.count}' if self.count else ''}"


@dataclass(frozen=True)
class Program:
    """tids: number in the CTA of each thread that does something, ascending; all others of its `block` return at once.
    threads: the operations of each. space: where the bytes are. listed: whether the text is one list of instructions, each
    executed by those whom it concerns, in the order of their numbers; otherwise each thread has a part of its own. guarded:
    whether the others execute an instruction of the list under a guard that is false, and do not jump over it."""

    tids: tuple[int, ...]
    threads: tuple[tuple[Op, ...], ...]
    space: str = "shared"
    block: int = field(default=0)
    listed: bool = False
    guarded: bool = False

    def __post_init__(self) -> None:
        if not self.block:
            object.__setattr__(self, "block", self.tids[-1] + 1)

    def warp(self, thread: int) -> int:
        return self.tids[thread] // 32

    def named(self, thread: int, mask: int) -> tuple[int, ...]:
        """The threads of the same warp that a member mask names."""
        warp = self.warp(thread)
        return tuple(u for u, tid in enumerate(self.tids) if tid // 32 == warp and mask >> (tid % 32) & 1)

    def loads(self) -> list[tuple[int, int]]:
        """(thread, place) of each load, in the order of their slots in the output."""
        return [(t, k) for t, ops in enumerate(self.threads) for k, op in enumerate(ops) if op.kind == "ld"]

    def __str__(self) -> str:
        lines = [f"thread {tid}: {'; '.join(map(str, ops))}" for tid, ops in zip(self.tids, self.threads, strict=True)]
        return "\n".join([f"{self.space}, block {self.block}, {'one list' if self.listed else 'parts'}", *lines])


def overlap(a: Op, b: Op) -> bool:
    return a.at < b.at + b.size and b.at < a.at + a.size


def conflict(a: Op, b: Op) -> str:
    """What two accesses with nothing to order them are: "", "race", or "order" (atomics whose outcome depends on it)."""
    if a.kind not in ACCESSES or b.kind not in ACCESSES or not overlap(a, b) or a.kind == b.kind == "ld":
        return ""
    if a.kind in ATOMICS and b.kind in ATOMICS:
        return "" if a.kind == b.kind else "order"
    return "race"

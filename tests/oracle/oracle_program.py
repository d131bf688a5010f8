"""Tiny programs for the oracle: two to four threads, each with a few operations on sixteen bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

BYTES = 8  # in either half of memory: one where the program says, one always in global memory
INITIAL = tuple(range(200, 200 + 2 * BYTES))
ACCESSES = ("ld", "st", "add", "max", "copy")
ATOMICS = ("add", "max")


@dataclass(frozen=True)
class Op:
    """One operation of one thread.

    kind: ld, st, add, max (red, four bytes); copy, commit, wait (cp.async); sync, arrive (named barriers); warpsync.
    static: the instruction: operations with equal numbers are one instruction in the text. at, size: bytes [at, at + size).
    source: where a copy reads. value: what is stored or added. number, count: of a barrier (count 0: all threads); count of a
    wait: the groups that may be under way (-1: wait_all). aligned: bar, not barrier. mask: lanes of the warp."""

    kind: str
    static: int
    at: int = 0
    size: int = 4
    value: int = 0
    number: int = 0
    count: int = 0
    aligned: bool = True
    mask: int = 0
    source: int = 0

    def touches(self) -> list[tuple[str, int]]:
        """What an access does to which bytes: (kind, first byte), each `size` bytes."""
        return [("ld", self.source), ("st", self.at)] if self.kind == "copy" else [(self.kind, self.at)]

    def __str__(self) -> str:
        return f"{self.static}: {self._what()}"

    def _what(self) -> str:
        if self.kind == "copy":
            return f"copy{8 * self.size}[{self.at}] from [{self.source}]"
        if self.kind in ("commit", "wait"):
            return f"wait {self.count}" if self.kind == "wait" else "commit"
        if self.kind in ACCESSES:
            return f"{self.kind}{8 * self.size}[{self.at}]"
        if self.kind == "warpsync":
            return f"warpsync {self.mask:#x}"
        return f"{'bar' if self.aligned else 'barrier'}.{self.kind} {self.number}{f',{self.count}' if self.count else ''}"


@dataclass(frozen=True)
class Program:
    """tids: number in the CTA of each thread that does something, ascending; all others of its `block` return at once.
    threads: the operations of each. space: where the first half of memory is. listed: whether the text is one list of
    instructions, each executed by those whom it concerns, in the order of their numbers; otherwise each thread has a part of
    its own. guarded: whether the others execute an instruction of the list under a false guard, and do not jump over it."""

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

    def arrives(self, places: Iterable[tuple[int, int]]) -> bool:
        """Whether nobody waits in these operations at a barrier."""
        return all(self.threads[t][k].kind == "arrive" for t, k in places)

    def covering(self, thread: int, copy: int) -> int:
        """The number of the thread's first wait after which that copy of its is done; as many as it has operations for none."""
        commits = 0
        for k, op in enumerate(self.threads[thread]):
            commits += k > copy and op.kind == "commit"
            if k > copy and op.kind == "wait" and (op.count < 0 or commits > op.count):
                return k
        return len(self.threads[thread])

    def __str__(self) -> str:
        lines = [f"thread {tid}: {'; '.join(map(str, ops))}" for tid, ops in zip(self.tids, self.threads, strict=True)]
        return "\n".join([f"{self.space}, block {self.block}, {'one list' if self.listed else 'parts'}", *lines])


def conflict(a: Op, b: Op) -> str:
    """What two accesses with nothing to order them are: "", "race", or "order" (atomics whose outcome depends on it)."""
    if a.kind not in ACCESSES or b.kind not in ACCESSES:
        return ""
    found = ""
    for one, low in a.touches():
        for other, at in b.touches():
            if low >= at + b.size or at >= low + a.size or one == other == "ld":
                continue
            if one not in ATOMICS or other not in ATOMICS:
                return "race"
            found = "" if one == other else "order"
    return found

"""Random tiny programs, each made from its number alone."""

from __future__ import annotations

import random
from dataclasses import replace

from oracle_program import BYTES, Op, Program

# Places of two to four threads: warps of their own, some together, or one warp.
_PLACES = (
    (0, 32), (0, 1), (0, 32, 64), (0, 1, 32), (0, 1, 2), (0, 32, 33), (0, 32, 64, 96), (0, 1, 32, 33), (0, 1, 2, 3),
    (0, 1, 2, 32), (0, 32, 64, 65), (5, 37, 70, 101),
)  # fmt: skip
_MOST = 6  # operations of a thread
_EVERYONE = 0xFFFFFFFF


def program(number: int) -> Program:
    """The program of that number."""
    rng = random.Random(number)
    tids = rng.choice(_PLACES)
    space = rng.choice(("shared", "shared", "global"))
    style = _Style(rng, tids, space)
    listed = rng.random() < (0.4 if style.alone else 0.85)
    threads = _listed(style) if listed else _own(style)
    if style.copying:
        threads = _waited(style, threads, listed)
    block = tids[-1] + 1 if rng.random() < 0.7 else (tids[-1] // 32 + 1) * 32
    return _numbered(Program(tids, threads, space, block, listed, guarded=listed and rng.random() < 0.4))


def _numbered(made: Program) -> Program:
    """Every store writes bytes of its own, so that two of them never store the same."""
    threads = []
    value = 1
    for ops in made.threads:
        changed = []
        for op in ops:
            word = sum((value + 50 * i) % 256 << 8 * i for i in range(op.size))
            changed.append(replace(op, value=word if op.kind == "st" else value))
            value += 1
        threads.append(tuple(changed))
    return replace(made, threads=tuple(threads))


class _Style:
    """What the operations of one program have in common."""

    def __init__(self, rng: random.Random, tids: tuple[int, ...], space: str) -> None:
        self.rng, self.tids = rng, tids
        self.warps = sorted({tid // 32 for tid in tids})
        self.alone = len(self.warps) == len(tids)
        self.sizes = rng.choice(((4,), (1,), (1, 2, 4), (4, 4, 1)))
        self.bases = rng.choice(((0,), (0, 4), (0,)))
        # Per barrier number its count: mostly the same wherever it is used, and rarely less than there are warps.
        most = 32 * len(self.warps)
        self.counts = {number: rng.choice((0, most, most, rng.randrange(32, most + 1, 32))) for number in (1, 2)}
        self.copying = space == "shared" and rng.random() < 0.3
        self.careless = rng.random() < 0.1
        self.aligned = rng.random() < 0.7
        self.kinds = ["ld", "ld", "st", "st", "sync", "sync"]
        self.kinds += rng.choice((["add", "add"], ["add", "max"], [], []))
        self.kinds += ["arrive", "arrive"] if rng.random() < 0.4 else []
        self.kinds += [] if self.alone else ["warpsync", "warpsync"]
        if self.copying:
            self.kinds = ["ld", "ld", "st", "sync", "copy", "copy", "commit", "wait"]
            self.bases = (0, 4, 8, 12)
        self.kinds += ["sync", "sync"] if rng.random() < 0.3 else []

    def access(self, kind: str, static: int) -> Op:
        if kind in ("commit", "wait"):
            return Op(kind, static, count=self.rng.choice((-1, -1, 0, 0, 1)))
        if kind == "copy":
            size = self.rng.choice((4, 4, 8))
            return Op(kind, static, self.rng.randrange(0, BYTES, size), size, source=self.rng.randrange(BYTES, 2 * BYTES, size))
        if kind in ("add", "max"):
            return Op(kind, static, self.rng.choice(self.bases), 4)
        size = self.rng.choice(self.sizes)
        return Op(kind, static, self.rng.choice(self.bases) + size * self.rng.randrange(4 // size), size)

    def barrier(self, kind: str, static: int) -> Op:
        """bar.arrive needs a count; of a barrier that is used without one there is no arriving here: whether the two go
        together where threads have exited is open."""
        numbers = [n for n in (1, 1, 2) if self.counts[n] or kind == "sync"]
        if not numbers:
            return self.barrier("sync", static)
        number = self.rng.choice(numbers)
        count = self.counts[number]
        if count and self.careless and self.rng.random() < 0.3:
            count = self.rng.choice((32, 64))
        return Op(kind, static, number=number, count=count, aligned=self.aligned)

    def mates(self, tid: int) -> list[int]:
        return [t for t, other in enumerate(self.tids) if other // 32 == tid // 32]

    def mask(self, who: list[int]) -> int:
        return sum(1 << self.tids[t] % 32 for t in who)


def _waited(style: _Style, threads: tuple[tuple[Op, ...], ...], listed: bool) -> tuple[tuple[Op, ...], ...]:
    """Puts waits behind most copies, and in a list barriers behind most of these, as far as there is room."""
    rng = style.rng
    more = [[replace(op, static=4 * op.static) for op in ops] for ops in threads]
    for static in sorted({op.static for ops in more for op in ops if op.kind == "copy"}):
        if rng.random() < 0.2:
            continue
        for ops in more:
            if any(op.static == static for op in ops):
                ops.append(Op("wait", static + 1, count=-1))
        if listed and rng.random() < 0.8:
            for ops in more:
                ops.append(Op("sync", static + 2, number=3))
    fits = all(len(ops) <= _MOST for ops in more)
    return tuple(tuple(sorted(ops, key=lambda op: op.static)) for ops in more) if fits else threads


def _own(style: _Style) -> tuple[tuple[Op, ...], ...]:
    """Each thread has instructions of its own. Threads that share a warp do not arrive: what happens then is open."""
    rng = style.rng
    static = 0
    threads = []
    for tid in style.tids:
        ops = []
        mates = style.mates(tid)
        for _ in range(rng.randint(0, 3 if style.copying else _MOST)):
            kind = rng.choice([kind for kind in style.kinds if len(mates) == 1 or kind != "arrive"])
            if kind == "warpsync":
                ops.append(Op(kind, static, mask=style.mask(mates) if rng.random() < 0.8 else 1 << tid % 32))
            else:
                ops.append(style.barrier(kind, static) if kind in ("sync", "arrive") else style.access(kind, static))
            static += 1
        threads.append(tuple(ops))
    return tuple(threads)


def _listed(style: _Style) -> tuple[tuple[Op, ...], ...]:
    """One list of instructions, each for some threads: barriers mostly for whole warps, masks mostly of those who meet."""
    rng = style.rng
    threads: list[list[Op]] = [[] for _ in style.tids]
    for static in range(rng.randint(1, 2 * _MOST)):
        kind = rng.choice(style.kinds)
        made: dict[int, Op] = {}
        if kind == "warpsync":
            mates = style.mates(rng.choice(style.tids))
            who = mates if rng.random() < 0.6 else [t for t in mates if rng.random() < 0.7]
            mask = _EVERYONE if who == mates and rng.random() < 0.3 else style.mask(who if rng.random() < 0.9 else mates)
            made = {t: Op(kind, static, mask=mask) for t in who}
            if len(who) > 1 and rng.random() < 0.05:
                made[who[0]] = Op(kind, static, mask=style.mask(mates[:2] if who[0] in mates[:2] else who[:1]))
        elif kind in ("sync", "arrive"):
            model = style.barrier(kind, static)
            warps = [w for w in style.warps if rng.random() < (0.9 if model.count != 32 else 0.5)]
            who = [t for t, tid in enumerate(style.tids) if tid // 32 in warps]
            if model.kind == "sync" and not model.aligned and rng.random() < 0.2:
                who = [t for t in who if rng.random() < 0.7]
            made = dict.fromkeys(who, model)
        else:
            model = style.access(kind, static)
            for t in range(len(style.tids)):
                op = style.access(kind, static)
                if rng.random() < (0.6 if kind != "wait" else 0.9):
                    at, source = (byte // model.size * model.size for byte in (op.at, op.source))
                    made[t] = replace(op, size=model.size, at=at, source=source, count=model.count, static=static)
                    # One instruction is of one state space.
                    made[t] = replace(made[t], at=at % BYTES + (model.at // BYTES * BYTES))
        if all(len(threads[t]) < (3 if style.copying else _MOST) for t in made):
            for t, op in made.items():
                threads[t].append(op)
    return tuple(tuple(ops) for ops in threads)

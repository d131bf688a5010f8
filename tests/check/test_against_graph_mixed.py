"""Random programs with atomics, asynchronous copies and bar.arrive against a happens-before graph written out in plain Python.

A copy is an agent of its own: it comes after its issue and before the wait that covers it, and is ordered with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from handmade import Handmade, everything, f32, shared, tensor
from hypothesis import given, settings
from hypothesis import strategies as st

WARP_SHIFT = 1  # two threads a warp, so that small programs have several
Node = tuple[int, int]  # row and thread; of barriers -1 - group
ATOMICS = [("add", 32, True, False), ("add", 32, True, True), ("max", 32, True, False), ("exch", 32, True, False)]
ATOMICS += [("add", 32, False, False), ("add", 64, True, False)]


@dataclass
class Step:
    """One row (of a copy: two). kind: ld st atom copy commit wait bar warpsync arrive; at, source: address by thread."""

    kind: str
    at: dict[int, int]
    size: int = 4
    source: dict[int, int] = field(default_factory=dict)
    more: Any = None  # of an atomic its name, width, scope, whether its results count; of a copy bytes read; of a wait a number


@dataclass(frozen=True)
class Access:
    """Who touches what, from one node of the graph to another (None: never known to be over)."""

    cta: int
    step: int
    thread: int
    sort: Any
    low: int
    size: int
    begin: Node
    end: Node | None
    copy: bool = False


@st.composite
def steps(draw: st.DrawFn, threads: int) -> list[Step]:
    everyone = list(range(threads))
    flavour = draw(st.sampled_from(["atomics", "copies", "both"]))
    partial = draw(st.booleans())
    kinds = ["ld", "st", "bar", "warpsync"]
    kinds += ["atom", "atom", "atom"] if flavour != "copies" else []
    kinds += ["copy", "copy", "commit", "wait", "wait"] if flavour != "atomics" else []
    kinds += ["arrive"] if partial else []
    chosen = draw(st.lists(st.sampled_from(ATOMICS), min_size=1, max_size=2))
    result: list[Step] = []
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(kinds))
        who = sorted(draw(st.sets(st.sampled_from(everyone), min_size=1)))
        place = st.sampled_from([shared(0), shared(4), tensor(0, 0), tensor(0, 4)])
        if kind in ("ld", "st"):
            result.append(Step(kind, {t: draw(place) for t in who}))
        elif kind == "atom":
            more = draw(st.sampled_from(chosen))
            result.append(
                Step(kind, {t: draw(place) // 8 * 8 if more[1] == 64 else draw(place) for t in who}, more[1] // 8, more=more)
            )
        elif kind == "copy":
            size = draw(st.sampled_from([4, 8]))
            inside = st.sampled_from(range(0, 8, size))
            source = {t: tensor(0, draw(inside)) for t in who}
            result.append(
                Step(kind, {t: shared(draw(inside)) for t in who}, size, source, draw(st.sampled_from([size, size, 2, 0])))
            )
        elif kind in ("commit", "wait"):
            result.append(Step(kind, dict.fromkeys(who, 0), more=draw(st.sampled_from([0, 0, 1, -1]))))
        elif kind == "arrive":
            result.append(Step(kind, dict.fromkeys(who, 0)))
        else:
            full = not partial or draw(st.booleans())
            if full and kind == "warpsync":
                first = who[0] // 2 * 2
                who = [t for t in everyone if first <= t < first + 2]
            result.append(Step(kind, dict.fromkeys(everyone if full and kind == "bar" else who, 0)))
    return result


@st.composite
def programs(draw: st.DrawFn) -> tuple[int, list[list[Step]]]:
    threads = draw(st.integers(1, 5))
    return threads, [draw(steps(threads)) for _ in range(draw(st.integers(1, 2)))]


def graph(cta: list[Step], threads: int) -> dict[Node, set[Node]]:
    """The nodes after each node. An arrival leads to the next barrier of any kind but a warp's (they all have number 0)."""
    after: dict[Node, set[Node]] = {}
    for t in range(threads):
        path = []
        for row, step in enumerate(cta):
            if t in step.at:
                path.append((row, -1 if step.kind == "bar" else -2 - t // 2 if step.kind == "warpsync" else t))
        for node in path:
            after.setdefault(node, set())
        for a, b in pairwise(path):
            after[a].add(b)
    for row, step in enumerate(cta):
        opening = next((r for r in range(row, len(cta)) if cta[r].kind == "bar"), None)
        if step.kind == "arrive" and opening is not None:
            for t in step.at:
                after[row, t].add((opening, -1))
    for node in sorted(after, reverse=True):
        for successor in list(after[node]):
            after[node] |= after[successor]
    return after


def accesses(number: int, cta: list[Step]) -> Iterator[Access]:
    for row, step in enumerate(cta):
        for t, at in sorted(step.at.items()):
            node = (row, t)
            if step.kind in ("ld", "st", "atom"):
                sort = step.more if step.kind == "atom" else step.kind
                yield Access(number, row, t, sort, at, step.size, node, node)
            elif step.kind == "copy":
                over = covering_wait(cta, row, t)
                if step.more:
                    yield Access(number, row, t, "ld", step.source[t], step.more, node, over, copy=True)
                yield Access(number, row, t, "st", at, step.size, node, over, copy=True)


def covering_wait(cta: list[Step], row: int, thread: int) -> Node | None:
    """The first wait of the thread after which the copy of that row is surely done."""
    commits = 0  # since the copy, its own one included
    for later in range(row + 1, len(cta)):
        step = cta[later]
        if thread not in step.at:
            continue
        if step.kind == "commit":
            commits += 1
        elif step.kind == "wait" and (step.more < 0 or commits > step.more):
            return later, thread
    return None


def outcome(a: Any, b: Any, across: bool) -> str:
    """What two accesses that are not ordered do: nothing, "race", or "order"."""
    if a == "ld" and b == "ld":
        return ""
    if "ld" in (a, b) or "st" in (a, b):
        return "race"
    if a[1] != b[1] or (across and not (a[2] and b[2])):
        return "race"
    return "order" if a[0] != b[0] or a[0] == "exch" or a[3] or b[3] else ""


def expected(threads: int, ctas: list[list[Step]]) -> set[tuple[Access, Access, str]]:
    every = [access for number, cta in enumerate(ctas) for access in accesses(number, cta)]
    after = [graph(cta, threads) for cta in ctas]
    found = set()
    for i, a in enumerate(every):
        for b in every[i + 1 :]:
            kind = outcome(a.sort, b.sort, a.cta != b.cta)
            if not kind or a.low >= b.low + b.size or b.low >= a.low + a.size:
                continue
            if a.cta != b.cta:
                if a.low < shared(1 << 20):
                    continue
            elif a.copy or b.copy or a.thread != b.thread:
                if a.end is not None and (a.end == b.begin or b.begin in after[a.cta].get(a.end, ())):
                    continue
            else:
                continue
            found.add((a, b, kind))
    return found


@settings(max_examples=400, deadline=None)
@given(programs())
def test_findings_are_those_of_the_graph(case: tuple[int, list[list[Step]]]) -> None:
    threads, ctas = case
    made = Handmade(threads, tensors=[f32("g", "scratch", 4)])
    where: dict[int, tuple[int, int]] = {}
    for number, cta in enumerate(ctas):
        if number:
            made.cta()
        for row, step in enumerate(cta):
            if step.kind in ("ld", "st"):
                name = getattr(made, step.kind)(step.at)
            elif step.kind == "atom":
                name = made.atom(step.at, step.more[0], step.more[1], step.more[2], step.more[3])
            elif step.kind == "copy":
                name = made.copy(step.source, step.at, step.size, step.more)
            elif step.kind == "wait":
                name = made.wait(step.at, step.more)
            else:
                name = getattr(made, step.kind)(step.at)
            where[name] = (number, row)
    program, launch = made.program(), made.launch()
    wanted = expected(threads, ctas)
    reported = set()
    for finding in everything(program, launch, WARP_SHIFT):
        a, b = finding.accesses
        kind = {"race": "race", "unsupported-instruction": "order"}[finding.kind]
        (cta, row), second = where[a.instruction], where[b.instruction]
        waited = ctas[cta][row].kind == "wait"
        pairs = [
            pair
            for pair in wanted
            if (pair[1].cta, pair[1].step, pair[1].thread, pair[2]) == (*second, b.thread, kind)
            and (pair[0].cta, pair[0].thread) == (cta, a.thread)
            and (pair[0].end == (row, a.thread) if waited else pair[0].step == row)
        ]
        assert pairs, finding.message
        reported.add((*second, kind))
    assert reported == {(b.cta, b.step, kind) for _, b, kind in wanted}

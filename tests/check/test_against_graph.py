"""Random programs against a happens-before graph that is written out and closed transitively, in plain Python."""

from __future__ import annotations

from itertools import pairwise

from handmade import Handmade, check, f32, shared, tensor
from hypothesis import given, settings
from hypothesis import strategies as st

WARP = 2  # threads a warp here, so that small programs have several
WARP_SHIFT = 1
# A step: ("ld"|"st", {thread: byte address}, bytes), ("bar", threads) or ("warpsync", threads)
Step = tuple[str, dict[int, int], int]
Key = tuple[int, int, int]  # CTA, row, thread


@st.composite
def steps(draw: st.DrawFn, threads: int, partial: bool) -> list[Step]:
    """The rows of one CTA. Few addresses, so that accesses meet."""
    result: list[Step] = []
    everyone = list(range(threads))
    places = draw(st.sampled_from([[shared(0)], [tensor(0, 0)], [shared(0), shared(8), tensor(0, 0), tensor(0, 8)]]))
    sizes = draw(st.sampled_from([[8], [1, 4, 4, 8]]))
    for _ in range(draw(st.integers(1, 10))):
        kind = draw(st.sampled_from(["ld", "ld", "st", "bar", "warpsync"]))
        who = sorted(draw(st.sets(st.sampled_from(everyone), min_size=1)))
        if kind in ("ld", "st"):
            size = draw(st.sampled_from(sizes))
            place = st.sampled_from(places)
            inside = st.integers(0, 8 // size - 1)
            result.append((kind, {t: draw(place) + size * draw(inside) for t in who}, size))
        else:
            full = not partial or draw(st.booleans())
            if full and kind == "warpsync":
                first = who[0] // WARP * WARP
                who = everyone if draw(st.booleans()) else [t for t in everyone if first <= t < first + WARP]
            elif full:
                who = everyone
            result.append((kind, dict.fromkeys(who, 0), 0))
    return result


@st.composite
def programs(draw: st.DrawFn) -> tuple[int, list[list[Step]]]:
    threads = draw(st.integers(1, 6))
    partial = draw(st.booleans())
    ctas = draw(st.integers(1, 3))
    return threads, [draw(steps(threads, partial)) for _ in range(ctas)]


def reachable(cta: list[Step], threads: int) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """For each access (row, thread) of a CTA the nodes after it. A barrier is one node (row, -1 - group)."""
    after: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for t in range(threads):
        path = []
        for row, (kind, who, _) in enumerate(cta):
            if t in who:
                path.append((row, t if kind in ("ld", "st") else -1 if kind == "bar" else -2 - t // WARP))
        for node in path:
            after.setdefault(node, set())
        for a, b in pairwise(path):
            after[a].add(b)
    for node in sorted(after, reverse=True):  # rows only grow along edges
        for successor in list(after[node]):
            after[node] |= after[successor]
    return after


def racing(threads: int, ctas: list[list[Step]]) -> set[tuple[Key, str, Key, str]]:
    """All pairs of accesses that race, the earlier in the rows first."""
    accesses = []
    for number, cta in enumerate(ctas):
        for row, (kind, who, size) in enumerate(cta):
            if kind in ("ld", "st"):
                accesses += [((number, row, t), kind, at, size) for t, at in sorted(who.items())]
    after = [reachable(cta, threads) for cta in ctas]
    pairs = set()
    for i, (key, kind, at, size) in enumerate(accesses):
        for other, other_kind, other_at, other_size in accesses[i + 1 :]:
            overlap = at < other_at + other_size and other_at < at + size
            if not overlap or kind == other_kind == "ld":
                continue
            if key[0] != other[0]:
                if at < shared(1 << 20):
                    continue
            elif key[2] == other[2] or other[1:] in after[key[0]][key[1:]]:
                continue
            pairs.add((key, kind, other, other_kind))
    return pairs


@settings(max_examples=600, deadline=None)
@given(programs())
def test_races_are_those_of_the_graph(case: tuple[int, list[list[Step]]]) -> None:
    threads, ctas = case
    handmade = Handmade(threads, tensors=[f32("g", "scratch", 4)])
    where: dict[int, tuple[int, int]] = {}
    for number, cta in enumerate(ctas):
        if number:
            handmade.cta()
        for row, (kind, who, size) in enumerate(cta):
            if kind in ("ld", "st"):
                instruction = getattr(handmade, kind)(who, width=min(8 * size, 32), count=max(1, size // 4))
                where[instruction] = (number, row)
            else:
                getattr(handmade, kind)(who)
    program, launch = handmade.program(), handmade.launch()
    expected = racing(threads, ctas)
    reported = set()
    for finding in check(program, launch, WARP_SHIFT).findings:
        assert finding.kind == "race"
        a, b = finding.accesses
        names = {"read": "ld", "write": "st"}
        reported.add(((*where[a.instruction], a.thread), names[a.action], (*where[b.instruction], b.thread), names[b.action]))
    assert reported <= expected  # every pair that is named races
    # For each row, whether it races with an earlier write, and whether with an earlier read, is exact.
    assert {(b[:2], kind) for _, kind, b, _ in reported} == {(b[:2], kind) for _, kind, b, _ in expected}

"""Stores that nothing orders are no race where they write the same value: against all orders, written out in plain Python."""

from __future__ import annotations

from itertools import combinations

from handmade import Handmade, f32, met, shared, told
from hypothesis import event, given, settings
from hypothesis import strategies as st
from test_against_graph import WARP_SHIFT, Step, reachable

from volta_pipe.passes.check.explain import report_of

Store = tuple[int, int]  # row, thread


@st.composite
def programs(draw: st.DrawFn) -> tuple[int, list[Step], list[int]]:
    """threads, the rows of one CTA, and what each row stores. Mostly stores to one place, between barriers of all sorts."""
    threads = draw(st.integers(2, 6))
    partial = draw(st.booleans())
    everyone = list(range(threads))
    sizes = draw(st.sampled_from([[4], [4, 4, 8]]))
    rows: list[Step] = []
    for _ in range(draw(st.integers(2, 12))):
        kind = draw(st.sampled_from(["st", "st", "st", "ld", "bar", "warpsync"]))
        who = sorted(draw(st.sets(st.sampled_from(everyone), min_size=1)))
        if kind in ("ld", "st"):
            size = draw(st.sampled_from(sizes))
            rows.append((kind, {t: shared(4 * draw(st.integers(0, 2 - size // 4))) for t in who}, size))
        elif kind == "bar":
            rows.append((kind, dict.fromkeys(who if partial and draw(st.booleans()) else everyone, 0), 0))
        else:
            first = who[0] // 2 * 2
            lanes = who if partial and draw(st.booleans()) else [t for t in everyone if first <= t < first + 2]
            rows.append((kind, dict.fromkeys(lanes, 0), 0))
    return threads, rows, [draw(st.integers(0, 2)) for _ in rows]


def at_word(rows: list[Step], word: int) -> list[tuple[str, Store]]:
    """The accesses of one word, in the order of rows."""
    place = shared(4 * word)
    return [
        (kind, (row, t))
        for row, (kind, who, size) in enumerate(rows)
        if kind in ("ld", "st")
        for t, at in who.items()
        if at <= place < at + size
    ]


def last_of_all(stores: list[Store], after: dict[Store, set[Store]]) -> list[Store]:
    """The stores that can come last."""
    return [s for s in stores if not any(t in after[s] for t in stores)]


@settings(max_examples=600, deadline=None)
@given(programs())
def test_stores_race_where_their_values_can_be_told_apart(case: tuple[int, list[Step], list[int]]) -> None:
    threads, rows, values = case
    made = Handmade(threads, tensors=[f32("g", "scratch", 4)])
    number_of = {}
    for row, (kind, who, size) in enumerate(rows):
        if kind in ("ld", "st"):
            number_of[row] = getattr(made, kind)(who, count=size // 4)
        else:
            getattr(made, kind)(who)
    program, launch = made.program(), made.launch()
    result = met(program, launch, WARP_SHIFT)
    agreed = told(program, result, lambda a, b: values[a] == values[b])
    racing = bool(report_of(program, launch, result, agreed).findings)
    after = reachable(rows, threads)
    must = may = False  # whether a schedule shows a difference; whether any two unordered accesses could
    for word in range(2):
        accesses = at_word(rows, word)
        stores = [store for kind, store in accesses if kind == "st"]
        for (first_kind, first), (kind, second) in combinations(accesses, 2):
            if first_kind == kind == "ld" or first[1] == second[1] or second in after[first]:
                continue
            if "ld" in (first_kind, kind):
                must = True
            elif values[first[0]] != values[second[0]]:
                may = True
        seen = [[s for s in stores if load in after[s] or (s[1] == load[1] and s[0] < load[0])]
                for kind, load in accesses if kind == "ld"]  # fmt: skip
        for visible in [stores, *seen]:
            must = must or len({values[row] for row, _ in last_of_all(visible, after)}) > 1
    event(f"must {must}, racing {racing}")
    assert racing or not must
    assert not racing or must or may

"""What `explain --redundant-barriers` says: first what does nothing, then what is needed; copies of one line of the source, as
an unrolled loop has them, together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.places import where
from volta_pipe.driver.redundant import NotProved, Removal, removals
from volta_pipe.driver.session import Session

_SAME = "the verdict is the same on all dims"


def removal_lines(session: Session, options: Options) -> Iterator[str]:
    """A line or more for each instruction of the candidate that orders threads or copies."""
    yield f"  barriers, fences and waits of {session.contract.candidate.entry}, each taken out alone"
    yield "  (both of two that stand in for each other are redundant; take out one at a time):"
    try:
        found = list(removals(session, options))
    except NotProved as verdict:
        yield f"    not looked at: the verdict is {verdict}, so there is nothing that must stay"
        return
    groups = list(_by_line(found))
    for group in groups:
        if all(not one.needed for one in group):
            yield f"    redundant: {_who(group)}: without {_any(group)} {_SAME}"
    for group in groups:
        yield from _needed(group)
    if not groups:
        yield "    there are none"


def _by_line(found: Sequence[Removal]) -> Iterator[list[Removal]]:
    """Instructions of one name at one place of the source, in the order of the first of each; what has no place stays alone."""
    groups: dict[str, list[Removal]] = {}
    for one in found:
        place = f"{one.words} {one.source}" if one.source else f"{one.words} {one.ptx_line}"
        groups.setdefault(place, []).append(one)
    yield from groups.values()


def _needed(group: Sequence[Removal]) -> Iterator[str]:
    """Of a group of which something is needed: what happens without it, and which of the copies do nothing."""
    needed = [one for one in group if one.needed]
    if not needed:
        return
    reasons = " or ".join(dict.fromkeys(one.needed for one in needed))
    yield f"    needed: {_who(needed)}: without {_any(needed)} {reasons}"
    if len(needed) < len(group):
        spare = [one for one in group if not one.needed]
        copies = "its copy" if len(spare) == 1 else "its copies"
        yield f"      {copies} at {_lines(spare)} {'is' if len(spare) == 1 else 'are'} redundant: without {_any(spare)} {_SAME}"
    finding = next((one.finding for one in needed if one.finding is not None), None)
    if finding is not None:
        yield f"      {finding['message']}"
        yield "      " + "; ".join(f"{access['action']} at {where(access)}" for access in finding["accesses"][:2])


def _who(group: Sequence[Removal]) -> str:
    """The instruction and its place: `bar.sync at k.cu:17 (PTX lines 120 and 131)`."""
    first = where({"source": group[0].source, "ptx_line": group[0].ptx_line})
    return f"{group[0].words} at " + first.replace(_lines(group[:1]), _lines(group))


def _any(group: Sequence[Removal]) -> str:
    return "it" if len(group) == 1 else "any one of them"


def _lines(group: Sequence[Removal]) -> str:
    numbers = [str(one.ptx_line) for one in group]
    text = " and ".join([", ".join(numbers[:-1]), numbers[-1]] if len(numbers) > 1 else numbers)
    return f"PTX line{'s' * (len(numbers) > 1)} {text}"

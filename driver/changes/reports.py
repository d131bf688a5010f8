"""What came and what went between two reports: findings, notes, assumptions, the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from volta_pipe.driver.changes.words import PARTS, many
from volta_pipe.ir.findings import Finding

Text = Callable[[str], str]
_DIGITS = 12  # of a digest
_INPUTS = 8  # of a counterexample that are named


@dataclass(frozen=True)
class ListChanges:
    """Of one list of a report, called `what`: items that only old has, and those that only new has."""

    what: str
    gone: tuple[Any, ...]
    come: tuple[Any, ...]

    @property
    def count(self) -> int:
        return len(self.gone) + len(self.come)


def check_changes(old: Any, new: Any, old_line: Callable[[int], str], new_line: Callable[[int], str]) -> list[ListChanges]:
    """Findings, remarks and notes of two safety reports, and what they counted. `old_line`, `new_line`: the place in the source
    of an instruction: a finding is another one where its line is, and not where only its instruction has another number."""
    findings = [_compared(what, getattr(old, what), getattr(new, what), old_line, new_line) for what in ("findings", "remarks")]
    counts = [(f"{side.accesses:,} accesses", f"{side.barriers:,} barriers") for side in (old, new)]
    lists = [ListChanges("counts", *_apart(*counts)), *_texts(old, new, "notes", "assumptions")]
    return [one for one in (*findings, *lists) if one.count]


def decide_changes(old: Any, new: Any, old_text: Text = str, new_text: Text = str) -> list[ListChanges]:
    """Verdict, findings, counterexample, what was not decided, assumptions and claims of two decisions. Of a claim what is said
    of how many elements and by which rules; of those of which the same is said, which normal forms, renamings and members are
    others. Which of them changed, `canon` tells. `old_text`, `new_text`: how elements are spelled in a text of each
    side, which numbers them row by row; texts are compared as they are spelled."""
    sides = ((old, old_text), (new, new_text))
    pairs = [
        ListChanges("verdict", *_apart([old.verdict], [new.verdict])),
        ListChanges("findings", *_apart(*([t(f"{f.kind}: {f.message}") for f in side.findings] for side, t in sides))),
        ListChanges("counterexample", *_apart(*([t(one) for one in _example(side.counterexample)] for side, t in sides))),
        ListChanges("not decided", *_apart(*([t(one) for one in side.unknown] for side, t in sides))),
        *_texts(old, new, "assumptions"),
        ListChanges("claims", *_apart(*([said for said, *_ in _claims(side, t)] for side, t in sides))),
        *_claims_apart(_claims(old, old_text), _claims(new, new_text)),
    ]
    return [one for one in pairs if one.count]


def dynamic_changes(old: Any, new: Any, old_text: Text = str, new_text: Text = str) -> list[ListChanges]:
    """Runs, mismatch and reason for none of two reports of `dynamic`."""

    def runs(side: Any) -> list[str]:
        return [
            f"{t.kind}, seed {t.seed}: {t.bad:,} of {t.compared:,} bad, off by at most {t.worst} times what is allowed"
            for t in side.trials
        ]

    def mismatch(side: Any) -> list[str]:
        found = side.mismatch
        return [] if found is None else [f"{found.tensor}[{found.element}] is {found.got}, the reference has {found.expected}"]

    pairs = [
        ListChanges("runs", *_apart(runs(old), runs(new))),
        ListChanges("mismatch", *_apart(map(old_text, mismatch(old)), map(new_text, mismatch(new)))),
        ListChanges("refusal", *_apart(*([side.refused] if side.refused else [] for side in (old, new)))),
    ]
    return [one for one in pairs if one.count]


def _apart(old: Iterable[Any], new: Iterable[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """(items of old that new has fewer of, the other way round), in order."""
    left, right = list(old), list(new)
    return tuple(_rest(left, Counter(right))), tuple(_rest(right, Counter(left)))


def _rest(items: list[Any], known: Counter[Any]) -> Iterable[Any]:
    for item in items:
        if known[item]:
            known[item] -= 1
        else:
            yield item


def _compared(
    what: str, old: Iterable[Finding], new: Iterable[Finding], old_line: Callable[[int], str], new_line: Callable[[int], str]
) -> ListChanges:
    left, right = list(old), list(new)
    keys = [[_by_line(f, line) for f in side] for side, line in ((left, old_line), (right, new_line))]
    gone, come = _apart(*keys)
    return ListChanges(what, tuple(_find(left, keys[0], gone)), tuple(_find(right, keys[1], come)))


def _by_line(finding: Finding, line: Callable[[int], str]) -> Any:
    """The finding with lines in place of instructions, as far as they are known."""

    def known(instruction: int) -> Any:
        return line(instruction) or instruction

    accesses = tuple((known(a.instruction), a.cta, a.thread, a.action) for a in finding.accesses)
    steps = tuple((s.text, known(s.instruction) if s.instruction >= 0 else -1) for s in finding.explanation)
    return replace(finding, accesses=(), explanation=()), accesses, steps


def _find(items: list[Finding], keys: list[Any], wanted: tuple[Any, ...]) -> Iterable[Finding]:
    left = Counter(wanted)
    for item, key in zip(items, keys, strict=True):
        if left[key]:
            left[key] -= 1
            yield item


def _texts(old: Any, new: Any, *names: str) -> list[ListChanges]:
    return [ListChanges(name, *_apart(getattr(old, name), getattr(new, name))) for name in names]


def _example(found: Any) -> list[str]:
    if found is None:
        return []
    inputs = [
        f"{name}[{element}] = {found.inputs[name, element]}" if element >= 0 else f"{name} = {found.inputs[name, element]}"
        for name, element in (found.matters or found.inputs)
    ]
    more = f" and {len(inputs) - _INPUTS} more" if len(inputs) > _INPUTS else ""
    where = f"{found.tensor}[{found.element}] is {found.reference} in the reference and {found.candidate} in the candidate"
    return [f"{where}, where {', '.join(inputs[:_INPUTS])}{more}"]


def _claims(decision: Any, text: Text) -> list[tuple[str, str, Any, Any]]:
    """Of each claim: what is said of it, its normal forms in words, its renaming and its members as plain data."""
    if decision.certificate is None:
        return []
    names = decision.certificate.tensors
    found = []
    for c in decision.certificate.claims:
        like = text(f"{names[int(c.tensors[0])]}[{int(c.elements[0])}]")
        said = f"{many(len(c.elements), 'element')} like {like}: {c.claim}"
        said += f" with {', '.join(PARTS.get(rule, rule) for rule in c.rules)}" if c.rules else ""
        forms = " and ".join(dict.fromkeys(d[:_DIGITS] for d in c.digests)) or "none"
        r = c.renaming
        renaming = None if r is None else (*(column.tolist() for column in (r.tensor, r.element, r.pattern, r.shifts)),)
        found.append((said, f"like {like}: {forms}", renaming, (c.tensors.tolist(), c.elements.tolist())))
    return found


def _claims_apart(old: list[tuple[str, str, Any, Any]], new: list[tuple[str, str, Any, Any]]) -> list[ListChanges]:
    """Of the claims of which both sides say the same, in order, what differs behind the words."""
    there: dict[str, list[tuple[str, str, Any, Any]]] = {}
    for claim in new:
        there.setdefault(claim[0], []).append(claim)
    pairs = [(claim, there[claim[0]].pop(0)) for claim in old if there.get(claim[0])]
    forms = [(a[1], b[1]) for a, b in pairs if a[1] != b[1]]
    found = [ListChanges("normal forms", tuple(a for a, _ in forms), tuple(b for _, b in forms))]
    for what, place in (("renamings", 2), ("members", 3)):
        # Of other normal forms the inputs are others, too.
        others = tuple(a[1].partition(":")[0] for a, b in pairs if a[1] == b[1] and a[place] != b[place])
        found.append(ListChanges(what, others, others))
    return found

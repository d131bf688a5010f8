"""A verdict document as text for people: the verdict, what it covers, and the findings with the source lines they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.counterexample_text import counterexample_lines
from volta_pipe.driver.embedded_lines import embedded_in, embedded_lines
from volta_pipe.driver.layers import FAILED, layer_lines, tested
from volta_pipe.driver.places import dims_text, where
from volta_pipe.driver.precision import precision_lines
from volta_pipe.driver.vacuity import KIND as VACUOUS

BRIEF = 5  # findings that `run` shows; `explain` shows all
BRIEF_ACCESSES = 2
_BUDGETS = {"step budget": "--max-steps", "memory budget": "--max-memory"}
_NUMBER = re.compile(r"\d[\d.,]*(?:[eE][-+]?\d+)?|\[[^\]]*\]")
_COLORS = {"equivalent": 32, "safe": 32, "not-equivalent": 31, "unsafe": 31, "unsupported": 33, "unknown": 33}


Places = Callable[[Mapping[str, Any]], Iterable[tuple[str, Mapping[str, Any]]]]


def verdict_lines(
    result: Mapping[str, Any],
    contract: Contract,
    *,
    full: bool = False,
    color: bool = False,
    written: Places = lambda finding: (),
) -> Iterator[str]:
    """The document, line by line; `full` shows every finding, note and assumption, and for each finding what `written` gives:
    sides, and the accesses with which they write the element that is shown."""
    verdict = result["verdict"] or f"stopped after {result['stopped_after']}"
    shown = f"\x1b[1;{_COLORS.get(verdict, 1)}m{verdict}\x1b[0m" if color else verdict
    yield f"{shown}: {contract.name or contract.source.file}"
    yield f"  covers {coverage_text(result)}"
    vacuous = [note for note in result["notes"] if note.get("kind") == VACUOUS]
    yield from (f"  vacuous: {note['message']}" for note, _ in folded(vacuous, same_finding))
    yield from layer_lines(result["layers"])
    findings = list(folded(result["findings"], same_finding))
    if full:
        for first, others in findings:
            yield from finding_lines(first, contract, full=True, written=written(first))
            yield from _also(others)
    else:
        yield from _brief(findings, contract)
    yield from (
        f"  PTX lines of the {side} are those {embedded_in(contract, side)}" for side in _embedded_sides(result, contract)
    )
    yield from precision_lines(result["precision"])
    reasons = list(folded(result["reasons"], lambda reason: reason["message"]))
    for first, others in reasons if full else reasons[:BRIEF]:
        yield f"  why{_dims(first['dims'])}: {first['message']}"
        yield from _also(others)
    if full:
        for note, others in folded((note for note in result["notes"] if note not in vacuous), same_finding):
            times = f" ×{note['count']:,}" if note.get("count", 1) > 1 else ""
            yield f"  note{times} ({note['side']}{_dims(note['dims'])}): {note['message']}"
            yield from (f"    {access['action']} at {where(access)}" for access in note.get("accesses") or ())
            yield from _also(others)
    assumptions = result["assumptions"]
    yield f"  assuming: {assumptions[0]}" if len(assumptions) == 1 else "  assuming:"
    if len(assumptions) > 1:
        yield from (f"    {text}" for text in assumptions)


def folded(
    items: Iterable[Mapping[str, Any]], key: Callable[[Mapping[str, Any]], Any]
) -> Iterator[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]:
    """Each item with those of other combinations of dims that are the same but for the numbers: the first of a combination
    goes with the first of another, the second with the second."""
    groups: dict[Any, tuple[Mapping[str, Any], list[Mapping[str, Any]]]] = {}
    seen: dict[Any, int] = {}
    for item in items:
        what = key(item)
        own = (what, tuple(item["dims"].items()))
        seen[own] = seen.get(own, 0) + 1
        first, others = groups.setdefault((what, seen[own]), (item, []))
        if first is not item:
            others.append(item)
    yield from groups.values()


def _brief(findings: Sequence[tuple[Mapping[str, Any], list[Mapping[str, Any]]]], contract: Contract) -> Iterator[str]:
    """The first few findings. An unrolled loop has one for each copy of its body: they are shown as one, as they have the same
    places in the source."""
    groups: dict[Any, list[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]] = {}
    for first, others in findings:
        groups.setdefault(source_places(first), []).append((first, others))
    for same in list(groups.values())[:BRIEF]:
        first, others = same[0]
        yield from finding_lines(first, contract, full=False)
        if len(same) > 1:
            yield f"    {len(same) - 1} more like it at the same places in the source (volta-pipe explain shows all)"
        yield from _also(others)
    left = sum(len(same) for same in list(groups.values())[BRIEF:])
    if left:
        yield f"  … and {left} more finding{'s' * (left > 1)} (volta-pipe explain shows all)"


def source_places(finding: Mapping[str, Any]) -> Any:
    """Kind, side, dims, tensor or variable, and lines of the source; lines of the PTX where there is no source."""
    places = [
        (place.get("action"), str(place["source"]) if place["source"] else place["ptx_line"])
        for place in (finding["accesses"] or [finding])
    ]
    address = finding.get("address") or {}
    return finding["kind"], finding["side"], dims_text(finding["dims"]), address.get("name"), tuple(places)


def same_finding(finding: Mapping[str, Any]) -> Any:
    """What findings (or notes) of two combinations must share to be shown as one: all but numbers that depend on sizes."""
    accesses = [(access["action"], access["ptx_line"], str(access["source"])) for access in finding.get("accesses") or ()]
    address = finding.get("address") or {}
    place = (finding.get("ptx_line"), str(finding.get("source")), address.get("space"), address.get("name"))
    words = _NUMBER.sub("0", finding["message"])
    return finding.get("kind"), finding["side"], place, tuple(accesses), words


def _also(others: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """One line for the other combinations that have the same."""
    if others:
        shown = [dims_text(one["dims"]) + (f" ×{one['count']:,}" if one.get("count", 1) > 1 else "") for one in others]
        yield f"    likewise at {'; '.join(shown)}"


def finding_lines(
    finding: Mapping[str, Any], contract: Contract, *, full: bool, written: Iterable[tuple[str, Mapping[str, Any]]] = ()
) -> Iterator[str]:
    """One finding: what, where in memory, who, the source lines, and a counterexample; `written` as of `verdict_lines`."""
    side = f"({finding['side']}{_dims(finding['dims'])})"
    yield f"  {finding['kind']}{times_text(finding)} {side}{address_text(finding['address'])}"
    yield f"    {finding['message']}"
    if outputs := finding.get("outputs"):
        yield f"    {outputs_text(outputs)}"
    if finding["kind"] == "budget":
        yield from (f"    {option} N allows more" for word, option in _BUDGETS.items() if word in finding["message"])
    accesses = finding["accesses"]
    for access in accesses if full else accesses[:BRIEF_ACCESSES]:
        yield f"    {access_text(access)}"
        yield from _excerpt(access, finding["side"], contract)
    for side, access in written:
        yield f"    {side}: {access_text(access)}"
        yield from _excerpt(access, side, contract)
    if not accesses and (finding["ptx_line"] or finding["source"]):
        yield f"    at {where(finding)}"
        yield from _excerpt(finding, finding["side"], contract)
    if full:
        yield from _explanation(finding, contract)
    if finding.get("counterexample") is not None:
        yield from counterexample_lines(finding["counterexample"], full=full)


def access_text(access: Mapping[str, Any]) -> str:
    """Who did what, and at which place."""
    return f"{access['action']} by {who(access)} of CTA ({','.join(map(str, access['cta']))}) at {where(access)}"


def who(access: Mapping[str, Any]) -> str:
    if access["thread_xyz"] is None:
        return "a thread"
    return f"thread {access['thread']} ({','.join(map(str, access['thread_xyz']))})"


def _explanation(finding: Mapping[str, Any], contract: Contract) -> Iterator[str]:
    """How a finding came about; each line of the source is shown where it comes up first."""
    shown = [access["source"] or access["ptx_line"] for access in finding["accesses"]]
    for step in finding.get("explanation") or ():
        yield f"    · {step['message']}" + (f" at {where(step)}" if step["ptx_line"] else "")
        if (step["source"] or step["ptx_line"]) not in shown:
            shown.append(step["source"] or step["ptx_line"])
            yield from _excerpt(step, finding["side"], contract)


def outputs_text(outputs: Mapping[str, int]) -> str:
    """What is known of how many output elements, where one of them differs."""
    differ, equal, left = outputs["differ"], outputs["equal"], outputs["open"]
    text = f"{differ:,} of {outputs['compared']:,} output elements differ{' in this way' * (differ > 1)}"
    text += f", {equal:,} {'is' if equal == 1 else 'are'} proved equal" if equal else ""
    return text + (f", {left:,} {'was' if left == 1 else 'were'} neither proved nor refuted" if left else "")


def times_text(finding: Mapping[str, Any]) -> str:
    """How many accesses were folded into a finding; of a mismatch, how many elements differ."""
    count = finding["count"]
    if finding["kind"] == "mismatch":
        return f" in {count:,} elements" if count > 1 else ""
    return f" ×{count:,}" if count > 1 else ""


def _dims(dims: Mapping[str, int]) -> str:
    return f", {dims_text(dims)}" if dims else ""


def coverage_text(result: Mapping[str, Any]) -> str:
    """What a verdict covers: the combinations of dims, the CTAs, and how many output elements were compared, and how."""
    coverage = result["coverage"]
    combinations = [dims_text(dims) for dims in coverage["dims"]]
    few = "; ".join(combinations[:4]) + ("; …" if len(combinations) > 4 else "")
    dims = f"{len(combinations)} combination{'s' * (len(combinations) > 1)} of dims ({few})" if few else "one launch"
    ctas = "all CTAs" if coverage["ctas"] == "all" else f"{len(coverage['ctas'])} of the CTAs, as the contract chooses"
    return f"{dims}, {ctas}, {_compared(coverage['outputs'], tested(result['layers']))}"


def _compared(count: int, by_runs: str) -> str:
    """`count`: elements that a proof compared; `by_runs`: the result of `dynamic` where that compared any."""
    if not count:
        return "outputs compared on concrete inputs only, not over the reals" if by_runs else "no output compared"
    text = f"{count:,} output element{'s' * (count != 1)} compared"
    return f"{text} over the reals, the others on concrete inputs only" if by_runs == FAILED else text


def address_text(address: Mapping[str, Any] | None) -> str:
    if address is None:
        return ""
    index = f"[{','.join(map(str, address['index']))}]" if address["index"] else ""
    if address["space"] == address["name"]:  # a variable that is called like its memory
        return f" at {address['name']}{index} in {address['space']} memory, byte {address['offset']}"
    space = f"{address['space']} " if address["space"] else ""
    return f" at {space}{address['name']}{index}, byte {address['offset']}"


def _embedded_sides(result: Mapping[str, Any], contract: Contract) -> list[str]:
    """The sides whose findings name lines of PTX inside an MLIR module."""
    sides = {one["side"] for one in result["findings"] if one["ptx_line"] or any(a["ptx_line"] for a in one["accesses"])}
    return [side for side in ("reference", "candidate") if side in sides and embedded_in(contract, side)]


def _excerpt(place: Mapping[str, Any], side: str, contract: Contract) -> Iterator[str]:
    """The source line, where the file lies at its path or beside the PTX; without one the line of PTX inside MLIR, which no
    editor shows."""
    kernel = contract.candidate if side == "candidate" else contract.reference
    source, line = place["source"], place["ptx_line"]
    if kernel is None:
        return
    if source is None:
        lines = embedded_lines(contract, side) if line else []
        yield from _shown(lines, line) if line else ()
        return
    for path in (kernel.path.parent / Path(source["file"]).name, Path(source["file"])):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        if 0 < source["line"] <= len(lines):
            yield from _shown(lines, source["line"])
            return


def _shown(lines: Sequence[str], line: int) -> Iterator[str]:
    if 0 < line <= len(lines):
        yield f"      {line:>5} | {lines[line - 1].expandtabs(4).rstrip()[:120]}"

"""A verdict document as text for people: the verdict, what it covers, and the findings with the source lines they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import KernelSpec

BRIEF = 5  # findings that `run` shows; `explain` shows all
BRIEF_ACCESSES = 2
_COLORS = {"equivalent": 32, "safe": 32, "not-equivalent": 31, "unsafe": 31, "unsupported": 33, "unknown": 33}


def verdict_lines(result: Mapping[str, Any], contract: Contract, *, full: bool = False, color: bool = False) -> Iterator[str]:
    """The document, line by line; `full` shows every finding, note and assumption."""
    verdict = result["verdict"] or f"stopped after {result['stopped_after']}"
    shown = f"\x1b[1;{_COLORS.get(verdict, 1)}m{verdict}\x1b[0m" if color else verdict
    yield f"{shown}: {contract.name or contract.source.file}"
    yield f"  covers {_coverage(result['coverage'])}"
    findings = result["findings"]
    for finding in findings if full else findings[:BRIEF]:
        yield from finding_lines(finding, contract, full=full)
    if len(findings) > BRIEF and not full:
        yield f"  … and {len(findings) - BRIEF} more findings (volta-pipe explain shows all)"
    for reason in result["reasons"] if full else result["reasons"][:BRIEF]:
        yield f"  why{_dims(reason['dims'])}: {reason['message']}"
    if full:
        for note in result["notes"]:
            times = f" ×{note['count']}" if note.get("count", 1) > 1 else ""
            yield f"  note{times} ({note['side']}{_dims(note['dims'])}): {note['message']}"
            yield from (f"    {access['action']} at {where(access)}" for access in note.get("accesses") or ())
    assumptions = result["assumptions"]
    yield f"  assuming: {assumptions[0]}" if len(assumptions) == 1 else "  assuming:"
    if len(assumptions) > 1:
        yield from (f"    {text}" for text in assumptions)


def finding_lines(finding: Mapping[str, Any], contract: Contract, *, full: bool) -> Iterator[str]:
    """One finding: what, where in memory, who, the source lines, and a counterexample."""
    times = f" ×{finding['count']}" if finding["count"] > 1 else ""
    yield f"  {finding['kind']}{times} ({finding['side']}{_dims(finding['dims'])}){_address(finding['address'])}"
    yield f"    {finding['message']}"
    accesses = finding["accesses"]
    places = accesses if full else accesses[:BRIEF_ACCESSES]
    for access in places:
        xyz = ",".join(map(str, access["thread_xyz"])) if access["thread_xyz"] else "?"
        cta = ",".join(map(str, access["cta"]))
        yield f"    {access['action']} by thread {access['thread']} ({xyz}) of CTA ({cta}) at {where(access)}"
        yield from _excerpt(access["source"], finding["side"], contract)
    if not accesses and finding["ptx_line"]:
        yield f"    at {where(finding)}"
        yield from _excerpt(finding["source"], finding["side"], contract)
    if finding.get("counterexample") is not None:
        yield "    counterexample (evaluated on both sides):"
        yield from _tree(finding["counterexample"], 6, 1000 if full else 8)


def dims_text(dims: Mapping[str, int]) -> str:
    """`n=33 rows=4`, or "" without dims."""
    return " ".join(f"{name}={value}" for name, value in dims.items())


def _dims(dims: Mapping[str, int]) -> str:
    return f", {dims_text(dims)}" if dims else ""


def _coverage(coverage: Mapping[str, Any]) -> str:
    combinations = [dims_text(dims) for dims in coverage["dims"]]
    few = "; ".join(combinations[:4]) + ("; …" if len(combinations) > 4 else "")
    dims = f"{len(combinations)} combination{'s' * (len(combinations) > 1)} of dims ({few})" if few else "one launch"
    ctas = "all CTAs" if coverage["ctas"] == "all" else f"{len(coverage['ctas'])} of the CTAs, as the contract chooses"
    return f"{dims}, {ctas}, {coverage['outputs']:,} output elements compared"


def _address(address: Mapping[str, Any] | None) -> str:
    if address is None:
        return ""
    index = f"[{','.join(map(str, address['index']))}]" if address["index"] else ""
    space = f"{address['space']} " if address["space"] else ""
    return f" at {space}{address['name']}{index}, byte {address['offset']}"


def where(place: Mapping[str, Any]) -> str:
    source, line = place["source"], place["ptx_line"]
    ptx = f"PTX line {line}" if line else "an unknown place"
    if not source:
        return ptx
    within = source.get("within")
    inside = f"within {Path(within['file']).name}:{within['line']}, " if within else ""
    return f"{Path(source['file']).name}:{source['line']} ({inside}{ptx})"


def _excerpt(source: Mapping[str, Any] | None, side: str, contract: Contract) -> Iterator[str]:
    """The source line, where the file lies at its path or beside the PTX."""
    kernel = contract.candidate if side == "candidate" else contract.reference
    if source is None or not isinstance(kernel, KernelSpec):
        return
    for path in (kernel.path.parent / Path(source["file"]).name, Path(source["file"])):
        try:
            lines = path.read_text(errors="replace").splitlines()
        except OSError:
            continue
        if 0 < source["line"] <= len(lines):
            yield f"      {source['line']:>5} | {lines[source['line'] - 1].rstrip()[:120]}"
            return


def _tree(value: Any, indent: int, most: int) -> Iterator[str]:
    """Nested plain data, one leaf a line, at most `most` entries of each mapping or list."""
    pad = " " * indent
    if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        value = {str(place): item for place, item in enumerate(value)}
    if not isinstance(value, Mapping):
        yield f"{pad}{value}"
        return
    for place, (key, item) in enumerate(value.items()):
        if place == most:
            yield f"{pad}… {len(value) - most} more"
            return
        if isinstance(item, Mapping | list) and item:
            yield f"{pad}{key}:"
            yield from _tree(item, indent + 2, most)
        else:
            yield f"{pad}{key} = {item}"

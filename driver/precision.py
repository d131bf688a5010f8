"""What the verdict says of the formats that outputs are summed in, and whether the contract's rule on them holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.combination import SIDES
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import line_table, place_of, plain_finding
from volta_pipe.driver.places import where
from volta_pipe.driver.rules import counted, narrow_sums
from volta_pipe.ir.precision import WIDE_TO_NARROW

if TYPE_CHECKING:
    from volta_pipe.driver.pipeline import Combination


def precision_entries(one: Combination, engine: Engine) -> list[dict[str, Any]]:
    """Of each kernel that `vc` ran on, for each output: how many additions it depends on by format, how many of them go on with
    a sum (`accumulations`), wide formats first; and where those in the narrowest format are (null where nothing is summed)."""
    found: list[dict[str, Any]] = []
    for side in SIDES:
        for data in counted(one, side):
            chains: dict[str, int] = {}
            for format, _, count in reversed(data["accumulations"]):
                chains[format] = chains.get(format, 0) + count
            least = next(reversed(chains), None)
            lines = line_table(one, side, engine)
            places = [{"count": n, **place_of(lines, int(at))} for format, at, n in data["accumulations"] if format == least]
            entry = {"side": side, "dims": one.plan.dims, "output": data["tensor"], "additions": dict(data["additions"])}
            narrowest = {"format": least, "places": places} if least is not None else None
            found.append({**entry, "accumulations": chains, "narrowest": narrowest})
    return found


def broken_rules(contract: Contract, one: Combination, engine: Engine) -> list[dict[str, Any]]:
    """A finding for each instruction with which the candidate sums an output in a format that is narrower than `accumulate` of
    [numerics] allows."""
    found: list[dict[str, Any]] = []
    for output, wanted, format, instruction, count in narrow_sums(contract, one):
        message = f"{output} is to be summed in {wanted}, but a sum goes on in {format} here"
        place = place_of(line_table(one, "candidate", engine), instruction)
        finding = plain_finding(one, "candidate", {"kind": "precision", "message": message, "count": count}, [], place)
        found.append({**finding, "output": output, "format": format})
    return found


def precision_lines(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Of the candidate what each output is summed in, on any combination of dims; and where, in the narrowest of several."""
    formats: dict[str, set[str]] = {}
    narrowest: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        if entry["side"] != "candidate" or not entry["accumulations"]:
            continue
        output, least = str(entry["output"]), entry["narrowest"]
        formats.setdefault(output, set()).update(entry["accumulations"])
        if output not in narrowest or _order(least["format"]) > _order(narrowest[output]["format"]):
            narrowest[output] = least
    for output, found in formats.items():
        text = f"  {output} is summed in {' and '.join(sorted(found, key=_order))}"
        if len(found) > 1:
            places = narrowest[output]["places"]
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            text += f", in {narrowest[output]['format']} at {where(places[0])}{more}"
        yield text


def _order(format: str) -> int:
    """Wide formats first."""
    return WIDE_TO_NARROW.index(format)

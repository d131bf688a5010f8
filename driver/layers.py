"""The layers of a verdict, the cheap before the dear: what each came to. The first that fails ends the run.

`lower` reads the PTX, `dynamic` runs the candidate on concrete inputs, `safety` is the stage `check`, and `proof` is `vc` to
`decide`. A mismatch of `dynamic` still lets `safety` run, as a race or a bad access may be what made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from volta_pipe.driver.combination import SIDES
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.fields import close
from volta_pipe.driver.rules import narrow_sums
from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.findings import UNSUPPORTED_KINDS

if TYPE_CHECKING:
    from volta_pipe.driver.contract import Contract
    from volta_pipe.driver.pipeline import Combination, Options
    from volta_pipe.driver.step import Step

LAYERS = ("lower", "dynamic", "safety", "proof")
PASSED, FAILED, STOPPED, SKIPPED, NOT_RUN = "passed", "failed", "stopped", "skipped", "not run"
_WORST_FIRST = (FAILED, STOPPED, NOT_RUN, PASSED)
_NO_REFERENCE = "there is no reference"
_AFTER = "an earlier layer did not pass"
_SIDES = (*SIDES, "both")
_UNDECIDED = frozenset({*UNSUPPORTED_KINDS, "budget"})
_UNCHECKED = "all outputs are equal to the reference's, if the kernel is safe: --skip safety left that out"
_UNCHECKED_SUMS = "the rule on sums is kept, if the kernel is safe: --skip safety left that out"
Outcome = tuple[str, str]  # result and detail


def skipped(only: str, skip: Sequence[str]) -> frozenset[str]:
    """The layers that --only and --skip leave out. Errors: InputError on an unknown layer, or one that cannot be left out."""
    for name in [only] * bool(only) + list(skip):
        if name not in LAYERS:
            raise InputError(f"unknown layer '{name}'{close(name, LAYERS)} (layers: {', '.join(LAYERS)})")
    if only and skip:
        raise InputError("--only and --skip both choose layers: give one of them")
    if LAYERS[0] in skip:
        raise InputError("--skip: every layer needs lower")
    return frozenset(LAYERS) - {LAYERS[0], only} if only else frozenset(skip)


def check_chosen(contract: Contract, options: Options) -> None:
    """Errors: InputError where --only and --skip leave nothing of this contract that could fail but `lower`, though they do not
    ask for that alone: a run that checked nothing would look like success."""
    left = [name for name in LAYERS[1:] if name not in options.skip]
    if options.last or not left or "safety" in left:
        return
    why = {"dynamic": _no_dynamic(contract, options), "proof": _no_proof(contract)}
    if all(why[name] for name in left):
        choice = f"--only {options.only}" if options.only else " ".join(f"--skip {n}" for n in LAYERS if n in options.skip)
        reasons = "; ".join(dict.fromkeys(why[name] for name in left))
        raise InputError(f"{choice} leaves nothing to check: {reasons}", Place(contract.source.file))


def undone(contract: Contract, one: Combination, options: Options) -> str:
    """Why a combination on which nothing was found has no verdict though all was asked of it that was to be, or "" where
    that is not so: what was to be checked could not be, or means nothing without what was left out."""
    left = {name for name in LAYERS[1:] if name not in options.skip}
    if left == {"dynamic"}:
        result, detail = _dynamic(contract, one, options)
        return f"dynamic was not run: {detail}" if result == NOT_RUN else ""
    if "proof" in left and "safety" not in left and _proof(contract, one, options)[0] == PASSED:
        return _UNCHECKED_SUMS if contract.reference is None else _UNCHECKED
    return ""


def layers(contract: Contract, combinations: Sequence[Combination], options: Options) -> list[dict[str, str]]:
    """Of each layer the worst that it came to on a combination, as `name`, `result` and `detail`."""
    rows = []
    for name, outcome in zip(LAYERS, (_lower, _dynamic, _safety, _proof), strict=True):
        if name in options.skip:
            rows.append((name, SKIPPED, f"--skip {name}" if not options.only else f"--only {options.only}"))
            continue
        found = [outcome(contract, one, options) for one in combinations]
        result = next(r for r in _WORST_FIRST if any(r == got for got, _ in found))
        details = list(dict.fromkeys(detail for got, detail in found if got == result and detail))
        detail = _trials(combinations) if (name, result) == ("dynamic", PASSED) else "; ".join(details[:1])
        count = sum(got == result for got, _ in found)
        if result != PASSED and len(combinations) > 1 and (result != NOT_RUN or count < len(combinations)):
            detail = f"{detail} at {count} of {len(combinations)} combinations of dims".strip()
        rows.append((name, result, detail))
    return [{"name": name, "result": result, "detail": detail} for name, result, detail in rows]


def layer_lines(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """A line for people, in the order of the layers: neighbours that came to the same, and why something did not pass."""
    said: list[str] = []
    for result, group in groupby(rows, key=lambda row: row["result"]):
        names, details = [], []
        for row in group:
            runs = row["detail"] if (result, row["name"]) == (PASSED, "dynamic") else ""
            names.append(row["name"] + (f" ({runs})" if runs else ""))
            details += [row["detail"]] if result in (FAILED, STOPPED, NOT_RUN) and row["detail"] != _AFTER else []
        joined = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        said.append(f"{joined} {result}" + (f": {'; '.join(dict.fromkeys(details))}" if details else ""))
    yield "  layers: " + "; ".join(said)


def tested(rows: Sequence[dict[str, str]]) -> str:
    """The result of `dynamic` where that compared outputs, else ""."""
    return next((row["result"] for row in rows if row["name"] == "dynamic" and row["result"] in (PASSED, FAILED)), "")


def runs_dynamic(contract: Contract, options: Options) -> bool:
    """Whether the candidate is run on concrete inputs: against a NumPy function, unless that is skipped or a stage was asked
    for; against a kernel, whose own rounding shows and which costs as much again, only where nothing else is asked for."""
    return "dynamic" not in options.skip and not _no_dynamic(contract, options)


def _no_dynamic(contract: Contract, options: Options) -> str:
    """Why the candidate is not run on concrete inputs, whatever it does; "" where it is."""
    if contract.reference is None:
        return _NO_REFERENCE
    if options.last:
        return f"--stage {options.last}"
    if not isinstance(contract.reference, SpecReference) and options.only != "dynamic":
        return "the reference is a kernel (--only dynamic runs both)"
    return ""


def _no_proof(contract: Contract) -> str:
    """Why there is nothing to prove, or ""."""
    return _NO_REFERENCE if contract.reference is None and not contract.accumulate else ""


def _steps(one: Combination, name: str) -> list[Step]:
    """Those of a stage, in the order of the sides: `steps` has the one first that was done first."""
    return [one.steps[side, name] for side in _SIDES if (side, name) in one.steps]


def _of_step(step: Step) -> Outcome:
    """How a stage ended that has findings or an error of its own."""
    if step.error:
        return STOPPED, str(step.error["message"])
    findings = step.summary.get("findings") or ()
    kinds = {str(finding["kind"]) for finding in findings}
    if not kinds:
        return PASSED, ""
    worst = FAILED if kinds - _UNDECIDED else STOPPED
    first = next(f for f in findings if worst == STOPPED or f["kind"] not in _UNDECIDED)
    return worst, str(first["kind"])


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    return next((one for result in _WORST_FIRST for one in outcomes if one[0] == result), (NOT_RUN, ""))


def _lower(contract: Contract, one: Combination, options: Options) -> Outcome:
    refused = [(STOPPED, one.refused[side].message) for side in _SIDES if side in one.refused]
    refused += [(FAILED, "launch-limit")] * any(one.excesses.values())
    return _worst([*refused, *map(_of_step, _steps(one, "lower"))])


def _dynamic(contract: Contract, one: Combination, options: Options) -> Outcome:
    for step in _steps(one, "dynamic"):
        if step.error:
            return STOPPED, str(step.error["message"])
        if step.summary["refused"]:
            return NOT_RUN, str(step.summary["refused"])
        if step.summary["mismatch"] is not None:
            return FAILED, "mismatch"
        return (PASSED, "") if step.summary["compared"] else (NOT_RUN, "no element of the reference is a finite number")
    return NOT_RUN, _no_dynamic(contract, options) or _AFTER


def _trials(combinations: Sequence[Combination]) -> str:
    """How much was run, over all combinations."""
    summaries = [step.summary for one in combinations for step in _steps(one, "dynamic")]
    runs, compared = (sum(int(summary[key]) for summary in summaries) for key in ("trials", "compared"))
    planned = sum(int(summary["planned"]) for summary in summaries)
    fewer = f" of {planned:,}" if runs < planned else ""
    return f"{runs:,}{fewer} runs, {compared:,} numbers compared"


def _safety(contract: Contract, one: Combination, options: Options) -> Outcome:
    stages = [*_steps(one, "unroll"), *_steps(one, "check")]
    outcome = _worst([_of_step(step) for step in stages])
    checked = _steps(one, "check")
    return outcome if checked or outcome[0] != PASSED else (NOT_RUN, f"--stage {options.last}" if options.last else "")


def _proof(contract: Contract, one: Combination, options: Options) -> Outcome:
    if any(narrow_sums(contract, one)):
        return FAILED, "precision"
    if why := _no_proof(contract):
        return NOT_RUN, why
    for step in _steps(one, "decide"):
        verdict = str(step.summary["verdict"]) if not step.error else "unsupported"
        if verdict == "equivalent":
            return PASSED, ""
        return (FAILED, "mismatch") if verdict == "not-equivalent" else (STOPPED, verdict)
    for step in (step for name in ("vc", "trace", "canon") for step in _steps(one, name)):
        if step.error:
            return STOPPED, str(step.error["message"])
    if contract.reference is None and ("candidate", "vc") in one.steps:
        return PASSED, ""  # of the rule on sums, which is all that there is
    return NOT_RUN, f"--stage {options.last}" if options.last else _AFTER

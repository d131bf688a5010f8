"""`volta-pipe replay`: both sides on random concrete inputs, and the largest difference of each output."""

from __future__ import annotations

from volta_pipe.driver.counterexample_text import all_zero, first_of, spans_of, split
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.findings import error_finding
from volta_pipe.driver.pipeline import Combination, Options
from volta_pipe.driver.places import dims_text
from volta_pipe.driver.render import finding_lines, verdict_lines
from volta_pipe.driver.replaying import Difference, SideError, differences
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import Session, opened
from volta_pipe.driver.verdict import exit_code
from volta_pipe.ir.errors import InputError, Place

CLOSE, APART, UNSUPPORTED = 0, 1, 3


def replay_command(contract: str, store: str | None, options: Options, seed: int, tolerance: float | None) -> int:
    """Runs the stages up to `check`, then both sides of every combination; returns the exit code."""
    with opened(contract, store, options, watch=Screen(None)) as session:
        if session.document["findings"]:
            ran = [row for row in session.document["layers"] if not row["detail"].startswith("--stage")]
            for line in verdict_lines({**session.document, "layers": ran}, session.contract):
                print(line)
            print("  not replayed: the stages up to check do not pass")
            return exit_code(session.document)
        codes = [_combination(session, one, seed, tolerance) for one in session.combinations]
    return APART if APART in codes else max(codes, default=CLOSE)


def counterexample_command(contract: str, store: str | None, options: Options, tolerance: float | None) -> int:
    """Runs all stages, then both sides on the inputs of the counterexample; returns the exit code. Errors: InputError where
    there is none."""
    from volta_pipe.driver.counterexample import counterexample_of, replay_counterexample

    with opened(contract, store, options, watch=Screen(None)) as session:
        found = ((one, counterexample_of(one)) for one in session.combinations)
        one, data = next(((one, data) for one, data in found if data is not None), (None, None))
        if one is None or data is None:
            message = f"the verdict is {session.document['verdict']}, without a counterexample to replay"
            raise InputError(message, Place(str(contract)))
        dims = dims_text(one.plan.dims)
        try:
            shown = replay_counterexample(one, session.engine, data, tolerance)
        except SideError as error:
            print(f"{dims}: unsupported" if dims else "unsupported")
            for line in _refusal(session, one, error, session.engine):
                print(line)
            return UNSUPPORTED
    print(f"counterexample{f' at {dims}' if dims else ''}, computed with PTX's rounding:")
    first, others, rest = split(shown.inputs, shown.matters)
    values = {name: value + " (rounded to its dtype)" * (name in shown.rounded) for name, value in shown.inputs.items()}
    for names in (first, others):
        for span, count in spans_of(values, names):
            print(f"  {span} = {values[first_of(span)]}" + (f"   ({count:,} inputs)" if count > 1 else ""))
    if rest:
        print(f"  {all_zero(rest, shown.element, bool(first or others))}")
    print(f"  {shown.element} is {shown.reference:.9g} in the reference and {shown.candidate:.9g} in the candidate")
    verdict = "within" if shown.close else "beyond"
    print(f"  they are apart by {shown.relative:.3g} of the larger one ({verdict} what is allowed, {shown.allowed:g})")
    return CLOSE if shown.close else APART


def _combination(session: Session, one: Combination, seed: int, tolerance: float | None) -> int:
    """Prints one combination; its exit code."""
    dims = dims_text(one.plan.dims)
    name = f"{dims}: " if dims else ""
    try:
        found = differences(one, session.engine, seed, tolerance)
    except SideError as error:
        print(f"{name}unsupported")
        for line in _refusal(session, one, error, session.engine):
            print(line)
        return UNSUPPORTED
    if one.plan.reference is None:
        print(f"{name}ran; there is no reference to compare with")
    for one_tensor in found:
        print(f"{name}{_shown(one_tensor)}")
    return CLOSE if all(d.close for d in found) else APART


def _shown(found: Difference) -> str:
    where = f"[{','.join(map(str, found.element))}]" if found.element else ""
    text = f"{found.tensor}: largest difference {found.largest:.3g}"
    if found.largest:
        text += f" at {found.tensor}{where}, {found.relative:.3g} of the largest number"
    verdict = "within" if found.close else "beyond"
    return f"{text} ({verdict} {found.allowed:g}; {found.compared:,} elements)"


def _refusal(session: Session, one: Combination, error: SideError, engine: Engine) -> list[str]:
    """The finding lines of an instruction that has no concrete meaning."""
    place = [error.place.file, error.place.line, error.place.column]
    data = {"kind": error.kind, "message": error.message, "instruction": error.instruction, "place": place}
    return list(finding_lines(error_finding(one, error.side, data, engine), session.contract, full=True))

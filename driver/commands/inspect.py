"""`volta-pipe inspect`: an artifact, by its stage in a contract or by its digest."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from volta_pipe.driver.commands.artifacts import CONDITIONS_STAGES, column_text, described, is_digest, one_artifact, text_of
from volta_pipe.driver.commands.formula import formula, parse_element
from volta_pipe.driver.commands.mlir_text import conditions_text, parse_rows, rows_text
from volta_pipe.driver.commands.summaries import facts, precision_text, resource_text, summary
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.engine import Step
from volta_pipe.driver.fields import close
from volta_pipe.driver.layers import skipped
from volta_pipe.driver.pipeline import SIDES, Combination, Options
from volta_pipe.driver.places import dims_text
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.screen import Screen, print_json
from volta_pipe.driver.session import Session, store_folder, verify
from volta_pipe.driver.stages import ORDER
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import EXIT_CODES
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.findings import UNSUPPORTED_KINDS

MOST_LINES = 5000
# trace: of a NumPy reference, in place of the first four; dynamic: a layer of its own
STAGES = (*ORDER[:4], "trace", *ORDER[4:], "dynamic")
_OF_BOTH = (*ORDER[4:], "dynamic")
# Which stages an option is for.
_SIDED = STAGES[:5]
_FOR = {
    "--side": _SIDED, "--thread": ("unroll",), "--cta": ("unroll",), "--rows": ("unroll",), "--element": CONDITIONS_STAGES,
    "--mlir": ("lower", "unroll", *CONDITIONS_STAGES), "--raw": STAGES[1:], "--dims": STAGES, "--contract": STAGES,
    "--json": STAGES, "--check": ("decide",),
}  # fmt: skip


class _StoppedError(Exception):
    """A stage that was not reached because of what was found before it, and the exit code that `run` ends with then."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Wanted:
    """What to show: side ("": the candidate's), combination (`name=value`), a thread's program, elements' formulas, MLIR,
    the artifact's columns, JSON, what a check of the certificate says, rows (`A:B`). None and empty: not asked for."""

    side: str = ""
    dims: tuple[str, ...] = ()
    thread: int | None = None
    cta: int | None = None
    elements: tuple[str, ...] = ()
    mlir: bool = False
    raw: bool = False
    json: bool = False
    check: bool = False
    rows: str | None = None

    def given(self) -> list[str]:
        """The options that were given."""
        pairs = {"--side": self.side, "--dims": self.dims, "--mlir": self.mlir, "--raw": self.raw, "--json": self.json}
        pairs |= {"--check": self.check, "--element": self.elements}
        numbers = {"--thread": self.thread, "--cta": self.cta, "--rows": self.rows}
        return [name for name, value in pairs.items() if value] + [n for n, value in numbers.items() if value is not None]


def inspect_command(what: str, contract: str | None, folder: str | None, wanted: Wanted, options: Options) -> int:
    """Prints it; what the store lacks is run with the budgets of `options`. The exit code, of a check its own; where a finding
    keeps the stage from being reached, that of the verdict.

    Errors: InputError when there is nothing to show, or an option is not for that."""
    if what not in STAGES and not is_digest(what):
        raise InputError(f"'{what}' is no stage{close(what, STAGES)} and no digest (stages: {', '.join(STAGES)})")
    _check_options(what, [*wanted.given(), *["--contract"] * (contract is not None)])
    if wanted.rows is not None:
        parse_rows(wanted.rows)  # before anything is run
    with Store(store_folder(folder), create=what in STAGES) as store:
        if what in STAGES:
            try:
                if wanted.check:
                    return _checked(contract or "volta.toml", store, wanted, options)
                lines = _of_stage(what, contract or "volta.toml", store, wanted, options)
            except _StoppedError as stopped:
                print(stopped, file=sys.stderr)
                return stopped.code
        else:
            artifact = one_artifact(store, what)
            lines = iter([f"{described(artifact)}, sha256:{artifact.digest}", *text_of(store, artifact)])
        for place, line in enumerate(lines):
            if place == MOST_LINES:
                print(f"… cut after {MOST_LINES} lines")
                break
            print(line)
    return 0


def _check_options(what: str, given: list[str]) -> None:
    """Errors: InputError on an option that would do nothing, or two that contradict each other."""
    for option in given:
        if what not in _FOR[option]:
            stages = _FOR[option] if len(_FOR[option]) < len(STAGES) else ("a stage",)
            subject = what if what in STAGES else "a digest"
            raise InputError(f"{option} does not apply to {subject}; it is for {_listed(stages)}")
    if "--cta" in given and not {"--thread", "--rows", "--mlir"} & {*given}:
        raise InputError("--cta chooses the CTA of --thread N, --rows A:B or --mlir, which are missing")
    # What --mlir or --rows shows a part of is said by others.
    chosen = {"--thread", "--element", "--rows"} if "--mlir" in given else {"--thread"} if "--rows" in given else set()
    shown = ("--thread", "--rows", "--mlir", "--raw", "--json", "--check", "--element")
    parts = [option for option in given if option in shown and option not in chosen]
    if len(parts) > 1:
        raise InputError(f"{_listed(parts)} show different things: give one of them")


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _of_stage(name: str, contract: str, store: Store, wanted: Wanted, options: Options) -> Iterator[str]:
    step, session, one, side = _step_of(name, contract, store, wanted, options)
    return _shown(step, session, one, replace(wanted, side=side))


def _checked(contract: str, store: Store, wanted: Wanted, options: Options) -> int:
    """Checks the certificate of `decide` and prints what was found."""
    from volta_pipe.driver.pipeline import job_of
    from volta_pipe.passes.recheck import recheck

    step, session, one, _ = _step_of("decide", contract, store, wanted, options)
    engine = session.engine
    both = [engine.bytes_of(s) for s in (step, one.steps["both", "canon"])]
    sides = [engine.value(one.side(name)[-1]) for name in SIDES]
    chosen = job_of(session.contract, options, one, "both", lambda _: None).chosen_ctas
    print(f"decide{_at(one)}, sha256:{step.artifact}", file=sys.stderr)
    report = recheck(both[0], both[1], sides[0], sides[1], chosen=chosen)
    for line in report.lines:
        print(line)
    counts = [f"{len(report.having(o))} {o}" for o in ("passed", "failed", "not checked")]
    print(f"certificate {('holds', 'is wrong', '', 'holds as far as it was checked')[report.exit_code]}: {', '.join(counts)}")
    return report.exit_code


def _step_of(
    name: str, contract: str, store: Store, wanted: Wanted, options: Options
) -> tuple[Step, Session, Combination, str]:
    """The step of a stage, its session, combination and side. Errors: InputError when there cannot be one; _StoppedError when a
    finding kept it from being made."""
    side = wanted.side or ("reference" if name == "trace" else "candidate")
    if side not in SIDES:
        raise InputError(f"--side: '{side}' is neither of {', '.join(SIDES)}")
    screen = Screen(None)
    try:
        last = "vc" if name == "trace" else name
        if name == "dynamic":
            options = replace(options, only=name, skip=skipped(name, ()))
        else:
            options = replace(options, last="" if last == ORDER[-1] else last, skip=frozenset({"dynamic"}))
        session = verify(contract, store, options, watch=screen)
    finally:
        screen.close()
    one = _combination(session, wanted)
    if name in _OF_BOTH:
        side = "both"
    if name == "vc" and (side, "trace") in one.steps:
        name = "trace"
    step = one.steps.get((side, name))
    if step is None or step.error:
        raise _absent(name, side, session, one)
    return step, session, one, side


def _absent(name: str, side: str, session: Session, one: Combination) -> InputError | _StoppedError:
    """Why a stage has no artifact."""
    reference = session.contract.reference
    if reference is None and side != "candidate":
        whose = "" if side == "both" else f" of the {side}"
        return InputError(f"there is no {name}{whose}: the contract has no reference")
    if side == "reference" and (name == "trace") != isinstance(reference, SpecReference):
        other = "a NumPy function, which has trace in place of lower to vc" if name != "trace" else "a kernel (it has a vc)"
        return InputError(f"there is no {name} of the reference: it is {other}")
    if name == "trace":
        return InputError("there is no trace of the candidate: trace is of a NumPy reference")
    findings = [f for f in session.document["findings"] if f["dims"] == one.plan.dims]
    found = [f"{f['kind']}: {f['message']}" for f in sorted(findings, key=lambda f: bool(f["side"] != side))]  # its own first
    whose = "" if side == "both" else f" of the {side}"
    message = f"{name}{whose} has no artifact"
    if not found:
        return InputError(message)
    decided = {f["kind"] for f in findings} - {*UNSUPPORTED_KINDS, "budget"}
    code = EXIT_CODES["unsafe" if decided else "unsupported"]
    return _StoppedError(f"{message}, as the verdict{_at(one)} is found before: {found[0]}", code)


def _combination(session: Session, wanted: Wanted) -> Combination:
    asked: dict[str, int] = {}
    for text in wanted.dims:
        key, _, value = text.partition("=")
        if not value.lstrip("-").isdecimal():
            raise InputError(f"--dims: '{text}' is not NAME=VALUE")
        asked[key] = int(value)
    for one in session.combinations:
        if all(one.plan.dims.get(key) == value for key, value in asked.items()):
            return one
    raise InputError(f"--dims: the contract has no combination with {', '.join(wanted.dims)}")


def _shown(step: Step, session: Session, one: Combination, wanted: Wanted) -> Iterator[str]:
    name = step.stage.name
    if wanted.json:
        dims = one.plan.dims
        found = {"stage": name, "side": wanted.side, "dims": dims, "artifact": f"sha256:{step.artifact}", **step.summary}
        print_json(found)  # whole: a document that is cut is none
        return
    whose = "" if wanted.side == "both" else f" of the {wanted.side}"
    print(f"{name}{whose}{_at(one) if name != 'lower' else ''}, sha256:{step.artifact}", file=sys.stderr)
    value = session.engine.value(step)
    shapes = {tensor.spec.name: tensor.shape for tensor in one.plan.candidate.tensors}
    if name == "lower":
        yield from resource_text(step.summary["resources"]) if not wanted.mlir else ()
        lines = _module(value.module, generic=wanted.mlir)
        yield from _whole(lines) if wanted.mlir else lines
    elif name == "unroll" and (wanted.mlir or wanted.rows is not None):
        lines = rows_text(value, rows=wanted.rows, cta=wanted.cta, thread=wanted.thread, generic=wanted.mlir)
        yield from _whole(lines) if wanted.mlir else lines
    elif wanted.mlir:
        yield from _whole(conditions_text(value, shapes, wanted.elements))
    elif wanted.thread is not None:
        from volta_pipe.passes.unroll.show import thread_program

        threads, ctas, cta = int(value.threads), len(value.cta_ids), wanted.cta or 0
        if wanted.thread >= threads or cta >= ctas:
            raise InputError(f"--thread, --cta: there are {threads} threads in each of {ctas} CTAs, counted from 0")
        kernel = one.plan.candidate if wanted.side == "candidate" else one.plan.reference
        assert isinstance(kernel, KernelPlan)  # a spec has no unroll
        launch = kernel.launch()
        lines = thread_program(value, cta, wanted.thread, launch.tensors, launch.scalars)
        yield from islice(lines, MOST_LINES + 1)
    elif wanted.elements:
        for text in wanted.elements:
            yield from formula(value, shapes, *parse_element(text))
    elif wanted.raw:
        yield from facts(step.summary)
        yield from _columns(value)
    else:
        yield from summary(name, value, shapes)
        yield from precision_text(step.summary.get("precision") or ()) if name == "vc" else ()


def _whole(lines: Iterator[str]) -> Iterator[str]:
    """Prints a document that is none where it is cut."""
    for line in lines:
        print(line)
    yield from ()


def _at(one: Combination) -> str:
    return f" at {dims_text(one.plan.dims)}" if one.plan.dims else ""


def _module(module: Any, *, generic: bool) -> Iterator[str]:
    from volta_pipe.passes import lower

    yield from (lower.print_generic(module) if generic else lower.print_module(module)).splitlines()


def _columns(value: Any) -> Iterator[str]:
    """The header and the columns of an artifact."""
    encoded = value.encode()
    data = encoded if isinstance(encoded, bytes) else b"".join(bytes(part) for part in encoded)
    yield from column_text(memoryview(data))

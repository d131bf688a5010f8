"""`volta-pipe inspect`: an artifact, by its stage in a contract or by its digest."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from volta_pipe.driver.commands.artifacts import CONDITIONS_STAGES, column_text, described, is_digest, one_artifact, text_of
from volta_pipe.driver.commands.documents import document
from volta_pipe.driver.commands.event_table import check_text
from volta_pipe.driver.commands.formula import formula, parse_element
from volta_pipe.driver.commands.graph import KINDS, check_graph, format_of, graph_of, write_graph
from volta_pipe.driver.commands.mlir_text import conditions_text, rows_text
from volta_pipe.driver.commands.reached import STAGES, StoppedError, at_dims, step_of
from volta_pipe.driver.commands.row_table import parse_rows
from volta_pipe.driver.commands.summaries import facts, precision_text, resource_text, summary
from volta_pipe.driver.fields import close
from volta_pipe.driver.findings import as_in_source, source_names
from volta_pipe.driver.pipeline import SIDES, Combination, Options
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.screen import print_json
from volta_pipe.driver.session import Session, store_folder
from volta_pipe.driver.step import Step
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

MOST_LINES = 5000
# Which stages an option is for.
_SIDED = STAGES[:5]
_FOR = {
    "--side": _SIDED, "--thread": ("unroll",), "--cta": ("unroll",), "--rows": ("unroll",), "--element": CONDITIONS_STAGES,
    "--mlir": ("lower", "unroll", *CONDITIONS_STAGES), "--raw": STAGES[1:], "--dims": STAGES, "--contract": STAGES,
    "--json": STAGES, "--check": ("decide",), "--graph": tuple(KINDS), "--format": tuple(KINDS), "-o": tuple(KINDS),
}  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """What to show: side ("": the candidate's), combination (`name=value`), a thread's program, elements' formulas, MLIR,
    the artifact's columns, JSON, what a check of the certificate says, rows (`A:B`), a graph (its kind, `form` dot or svg, file
    to write). None and empty: not asked for."""

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
    graph: str = ""
    form: str = ""
    output: str | None = None

    def given(self) -> list[str]:
        """The options that were given."""
        pairs = {"--side": self.side, "--dims": self.dims, "--mlir": self.mlir, "--raw": self.raw, "--json": self.json}
        pairs |= {"--check": self.check, "--element": self.elements, "--graph": self.graph, "--format": self.form}
        numbers = {"--thread": self.thread, "--cta": self.cta, "--rows": self.rows, "-o": self.output}
        return [name for name, value in pairs.items() if value] + [n for n, value in numbers.items() if value is not None]


def inspect_command(what: str, contract: str | None, folder: str | None, wanted: Wanted, options: Options) -> int:
    """Prints it; what the store lacks is run with the budgets of `options`. The exit code, of a check its own; where a finding
    keeps the stage from being reached, that of the verdict, and a document says the finding.

    Errors: InputError when there is nothing to show, or an option is not for that."""
    if what not in STAGES and not is_digest(what):
        raise InputError(f"'{what}' is no stage{close(what, STAGES)} and no digest (stages: {', '.join(STAGES)})")
    _check_options(what, [*wanted.given(), *["--contract"] * (contract is not None)])
    if wanted.graph:
        check_graph(what, wanted.graph, wanted.form or "dot", wanted.elements)
        wanted = replace(wanted, form=format_of(wanted.form, wanted.output))
    if wanted.rows is not None:
        parse_rows(wanted.rows)  # before anything is run
    with Store(store_folder(folder), create=what in STAGES) as store:
        if what in STAGES:
            try:
                if wanted.check:
                    return _checked(contract or "volta.toml", store, wanted, options)
                lines = _of_stage(what, contract or "volta.toml", store, wanted, options)
            except StoppedError as stopped:
                print(stopped, file=sys.stderr)
                if wanted.json:
                    print_json(stopped.facts)
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
    if "--cta" in given and not {"--thread", "--rows", "--mlir", "--graph"} & {*given}:
        raise InputError("--cta chooses the CTA of --thread N, --rows A:B, --mlir or --graph barriers, which are missing")
    if {"--cta", "--json"} <= {*given}:
        raise InputError("--json shows rows of all CTAs: --cta does not go with it")
    alone = [option for option in ("--format", "-o") if option in given]
    if alone and "--graph" not in given:
        raise InputError(f"{alone[0]} is for --graph KIND, which is missing")
    # What --mlir, --json, --graph or --rows shows a part of is said by others.
    chosen = {"--thread", "--element", "--rows"} if "--mlir" in given else {"--thread"} if "--rows" in given else set()
    chosen = {"--element"} if "--graph" in given else {"--element", "--rows"} if "--json" in given else chosen
    shown = ("--thread", "--element", "--rows", "--mlir", "--raw", "--json", "--check", "--graph")
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
    both = [engine.bytes_of(s)["artifact"] for s in (step, one.steps["both", "canon"])]
    sides = [engine.value(one.side(name)[-1]) for name in SIDES]
    chosen = job_of(session.contract, options, one, "both", lambda _: None).chosen_ctas
    print(f"decide{at_dims(one)}, sha256:{step.artifact}", file=sys.stderr)
    report = recheck(both[0], both[1], sides[0], sides[1], chosen=chosen)
    for line in report.lines:
        print(line)
    counts = [f"{len(report.having(o))} {o}" for o in ("passed", "failed", "not checked")]
    print(f"certificate {('holds', 'is wrong', '', 'holds as far as it was checked')[report.exit_code]}: {', '.join(counts)}")
    return report.exit_code


def _step_of(
    name: str, contract: str, store: Store, wanted: Wanted, options: Options
) -> tuple[Step, Session, Combination, str]:
    return step_of(name, contract, store, wanted.side, wanted.dims, options)


def _shown(step: Step, session: Session, one: Combination, wanted: Wanted) -> Iterator[str]:
    name = step.stage.name
    if wanted.json:  # whole: a document that is cut is none
        print_json(document(step, one, session.engine, wanted.side, wanted.rows, wanted.elements))
        return
    if wanted.graph:
        graph = graph_of(name, session.engine.value(step), session, one, wanted.side, wanted.cta or 0, wanted.elements)
        write_graph(graph, wanted.form, wanted.output)
        return
    whose = "" if wanted.side == "both" else f" of the {wanted.side}"
    print(f"{name}{whose}{at_dims(one) if name != 'lower' else ''}, sha256:{step.artifact}", file=sys.stderr)
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
        names = source_names(name for region in value.regions for name, _, _ in region.variables)
        lines = thread_program(value, cta, wanted.thread, launch.tensors, launch.scalars, names)
        said = (as_in_source(line) if line.startswith("#") else line for line in lines)
        yield from islice(said, MOST_LINES + 1)
    elif wanted.elements:
        for element in wanted.elements:
            yield from formula(value, shapes, *parse_element(element))
    elif wanted.raw:
        yield from facts(step.summary)
        yield from _columns(step.stage.encode(value)["artifact"])
    elif name == "check":
        yield from check_text(value, step.summary, one, session.engine, wanted.side)
    else:
        yield from summary(name, value, shapes)
        yield from precision_text(step.summary.get("precision") or ()) if name == "vc" else ()


def _whole(lines: Iterator[str]) -> Iterator[str]:
    """Prints a document that is none where it is cut."""
    for line in lines:
        print(line)
    yield from ()


def _module(module: Any, *, generic: bool) -> Iterator[str]:
    from volta_pipe.passes import lower

    yield from (lower.print_generic(module) if generic else lower.print_module(module)).splitlines()


def _columns(encoded: Any) -> Iterator[str]:
    """The header and the columns of an artifact."""
    data = encoded if isinstance(encoded, bytes) else b"".join(bytes(part) for part in encoded)
    yield from column_text(memoryview(data))

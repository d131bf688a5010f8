"""The table of stages: how each is run, written, read back and summed up. The only place of the driver that names the passes.

Each entry imports its pass when it is called: where everything is cached, none is."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.library import load_reference
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.spec_reads import watched
from volta_pipe.driver.store import Chunks
from volta_pipe.driver.versions import spec_files, stage_version

ORDER = ("lower", "unroll", "check", "vc", "canon", "decide")
# Bytes of an output by name; `artifact` is the one that later stages depend on.
Outputs = dict[str, Chunks]


@dataclass(frozen=True)
class Job:
    """What a stage needs besides the values of earlier stages. `kernel`: the side's launched kernel (the candidate's for
    canon and decide); `spec`: the NumPy function for `trace`; `externs`: extern functions and what they compute; `progress`
    gets executed thread-instructions; `chosen_ctas`: a spec is compared with what some CTAs of the candidate write; `other`:
    the reference's kernel for `dynamic`, where it is one; `ieee`: infinities and NaNs must come out; `unkeyed` gets files that
    a stage read without their being part of its key, so that its result must not be kept."""

    kernel: KernelPlan
    max_steps: int
    max_memory: int
    constants: str
    progress: Callable[[int], None]
    spec: SpecReference | None = None
    externs: tuple[tuple[str, str], ...] = ()
    chosen_ctas: bool = False
    other: KernelPlan | None = None
    ieee: bool = False
    unkeyed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Stage:
    """One stage. `run(job, values of earlier stages)`; `encode` and `decode` its value; `summarize`: plain data (see
    `records.Record`) that the driver reads where everything is cached; `version`: part of the cache key; `deferred`: how many
    of the last values are given as functions, as they are hardly ever needed."""

    name: str
    run: Callable[[Job, Sequence[Any]], Any]
    encode: Callable[[Any], Outputs]
    decode: Callable[[Mapping[str, memoryview]], Any]
    summarize: Callable[[Any], dict[str, Any]]
    version: Callable[[], str]
    deferred: int = 0


@dataclass(frozen=True)
class LoweredValue:
    """What `lower` gives: module (xDSL), its lines, the entry's parameters as [name, type, size], and what `Lowered` says of
    externs, variables, assumptions and resources; all but module and lines are in the summary only."""

    module: Any
    lines: Any
    parameters: tuple[tuple[str, str, int], ...] = ()
    externs: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str, int], ...] = ()
    assumptions: tuple[str, ...] = ()
    resources: Any = None


def _lower(job: Job, _: Sequence[Any]) -> LoweredValue:
    from volta_pipe.passes.lower import kernel_signature, lower, read_source

    spec = job.kernel.spec
    text, name = read_source(spec.path, spec.source, spec.entry)
    found = [Parameter.of(p) for p in kernel_signature(text, name, spec.entry)]
    lowered = lower(text, name, spec.entry, dict(job.externs))
    parameters = tuple((p.name, p.type, p.size) for p in found)
    said = lowered.externs, lowered.variables, lowered.assumptions, lowered.resources
    return LoweredValue(lowered.module, lowered.lines, parameters, *said)


def _summarize_lower(value: LoweredValue) -> dict[str, Any]:
    names = ("parameters", "externs", "variables", "assumptions", "resources")
    return {name: plain(getattr(value, name)) for name in names}


def _encode_lower(value: LoweredValue) -> Outputs:
    from volta_pipe.passes.lower import print_module

    return {"artifact": print_module(value.module).encode(), "lines": value.lines.encode()}


def _decode_lower(data: Mapping[str, memoryview]) -> LoweredValue:
    from volta_pipe.ir.lines import LineTable
    from volta_pipe.passes.lower import parse_module

    return LoweredValue(parse_module(str(data["artifact"], "utf-8")), LineTable.decode(bytes(data["lines"])))


def _unroll(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.unroll import unroll

    launch = job.kernel.launch()
    return unroll(values[0].module, launch, max_steps=job.max_steps, max_memory=job.max_memory, progress=job.progress)


def _decode_unroll(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.program import Program

    return Program.decode(data["artifact"])


def _summarize_unroll(program: Any) -> dict[str, Any]:
    from volta_pipe.driver.facts import touched

    rows, steps, ctas = len(program.row_instr), int(program.steps), len(program.cta_ids)
    budget = any(e.kind == "budget" for e in program.events)
    summary = {"rows": rows, "steps": steps, "ctas": ctas, "budget": budget, "assumptions": list(program.assumptions)}
    return {**summary, "complete": bool(program.complete), "touched": touched(program)}


def _dynamic(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.dynamic import Function, Kernel, Settings, dynamic

    launch = job.kernel.launch()
    candidate = Kernel(values[1].module, values[0], launch)
    if job.spec is not None:
        with _watching(job):
            reference: Any = Function(load_reference(job.spec), launch)
    else:
        assert job.other is not None
        reference = Kernel(values[3].module, values[2], job.other.launch())
    settings = Settings(job.kernel.ranges(), job.kernel.tolerances(), job.ieee)
    with _watching(job):
        return dynamic(candidate, reference, launch, settings, chosen=job.chosen_ctas)


def _decode_dynamic(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.dynamic import Report

    return Report.decode(data["artifact"])


def _check(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.check import check

    return check(values[0], job.kernel.launch(), lambda: values[1]().module)


def _decode_check(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.check import SafetyReport

    return SafetyReport.decode(data["artifact"])


def _summarize_findings(report: Any) -> dict[str, Any]:
    findings = [finding.to_dict() for finding in report.findings]
    summary = {"findings": findings, "notes": list(report.notes), "budget": any(f["kind"] == "budget" for f in findings)}
    return {**summary, "remarks": [r.to_dict() for r in report.remarks], "assumptions": list(report.assumptions)}


def _vc(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.vc import vc

    return vc(values[0], job.kernel.launch())


def _trace(job: Job, _: Sequence[Any]) -> Any:
    from volta_pipe.passes.trace import trace

    assert job.spec is not None
    launch = job.kernel.launch()
    with _watching(job):
        return trace(load_reference(job.spec), launch)


def _watching(job: Job) -> contextlib.AbstractContextManager[None]:
    """Notes what the spec reads besides the sources that are part of the key."""
    if job.spec is None:
        return contextlib.nullcontext()
    return watched(spec_files(job.spec.path), job.unkeyed)


def _decode_conditions(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.graph import Conditions

    return Conditions.decode(data["artifact"])


def _summarize_conditions(conditions: Any) -> dict[str, Any]:
    from volta_pipe.driver.facts import output_facts

    facts = output_facts(conditions)
    counts = {"outputs": sum(fact["known"] for fact in facts.values()), "nodes": len(conditions.graph)}
    said = {"assumptions": list(conditions.assumptions), "precision": plain(conditions.precision)}
    return {**counts, **said, "facts": facts}


def _canon(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.canon import canon

    reference, candidate = values
    if job.chosen_ctas:
        from volta_pipe.passes.canon.written import where_written

        reference, candidate = where_written(reference, candidate)
    return canon(reference, candidate, constants=job.constants)


def _decode_canon(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.canon import Canonical

    return Canonical.decode(data["artifact"])


def _decide(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.decide import decide

    return decide(values[0], values[1], values[2], ranges=job.kernel.ranges())


def _decode_decide(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.decide import Decision

    return Decision.decode(data["artifact"])


def _summarize_canon(canonical: Any) -> dict[str, Any]:
    spent = any("budget" in c.why for c in canonical.classes)
    return {"assumptions": list(canonical.assumptions), "stats": dict(canonical.stats), "budget": spent}


def _summarize_decision(decision: Any) -> dict[str, Any]:
    found = decision.counterexample
    return {
        "verdict": decision.verdict,
        "findings": [finding.to_dict() for finding in decision.findings],
        "counterexample": None if found is None else found.to_dict(),
        "reasons": list(decision.unknown),
        "assumptions": list(decision.assumptions),
        "stats": dict(decision.stats),
        "budget": any("budget" in reason for reason in decision.unknown),
    }


def plain(value: Any) -> Any:
    """`value` as what JSON and msgpack hold: dataclasses and tuples opened, fractions as text, NumPy numbers as numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(item) for item in items]
    if isinstance(value, float) and not math.isfinite(value):  # JSON has none
        return str(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:  # nor has msgpack larger ones
        return str(value)
    if type(value).__name__ in ("Fraction", "fmpq"):  # by name: neither is worth an import here
        return str(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def _artifact(value: Any) -> Outputs:
    return {"artifact": value.encode()}


def _stage(name: str, run: Any, encode: Any, decode: Any, summarize: Any, deferred: int = 0) -> Stage:
    return Stage(name, run, encode, decode, summarize, lambda: stage_version(name), deferred)


STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        _stage("lower", _lower, _encode_lower, _decode_lower, _summarize_lower),
        _stage("unroll", _unroll, _artifact, _decode_unroll, _summarize_unroll),
        _stage("dynamic", _dynamic, _artifact, _decode_dynamic, lambda report: plain(report.summary())),
        _stage("check", _check, _artifact, _decode_check, _summarize_findings, 1),
        _stage("vc", _vc, _artifact, _decode_conditions, _summarize_conditions),
        _stage("trace", _trace, _artifact, _decode_conditions, _summarize_conditions),
        _stage("canon", _canon, _artifact, _decode_canon, _summarize_canon),
        _stage("decide", _decide, _artifact, _decode_decide, _summarize_decision),
    )
}

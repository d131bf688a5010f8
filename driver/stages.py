"""The table of stages: how each is run, written, read back and summed up. The only place of the driver that names the passes.

Each entry imports its pass when it is called: where everything is cached, none is."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.contract_parts import MAX_SOURCE_BYTES
from volta_pipe.driver.credible import doubt
from volta_pipe.driver.files import CHANGED, read_bytes
from volta_pipe.driver.library import load_reference
from volta_pipe.driver.meaning import meaning
from volta_pipe.driver.spec_reads import watched
from volta_pipe.driver.stage import Job, LoweredValue, Outputs, Stage
from volta_pipe.driver.stage_summaries import (
    plain,
    summarize_canon,
    summarize_conditions,
    summarize_decision,
    summarize_findings,
    summarize_lower,
    summarize_unroll,
)
from volta_pipe.driver.versions import spec_digest, stage_version
from volta_pipe.ir.errors import ArtifactError, InputError, Place, UnsupportedError
from volta_pipe.ir.ptx.lazy import LazyModule

_SHOWN = 120  # characters of a parser's error that are shown


def _lower(job: Job, _: Sequence[Any]) -> LoweredValue:
    from volta_pipe.passes.lower import kernel_signature, lower
    from volta_pipe.passes.lower.source import check_text, source_of

    spec = job.kernel.spec
    data = read_bytes(spec.path, "PTX", MAX_SOURCE_BYTES)
    _as_keyed(job, spec.path, lambda: hashlib.sha256(data).hexdigest())
    text, name = source_of(check_text(data, Place(str(spec.path))), spec.path, spec.source, spec.entry)
    found = [Parameter.of(p) for p in kernel_signature(text, name, spec.entry)]
    lowered = lower(text, name, spec.entry, dict(job.externs))
    parameters = tuple((p.name, p.type, p.size) for p in found)
    said = lowered.externs, lowered.variables, lowered.assumptions, lowered.resources
    return LoweredValue(lowered.made, lowered.lines, parameters, *said)


def _encode_lower(value: LoweredValue) -> Outputs:
    text = value.made.text.encode()
    return {"artifact": text, "lines": value.lines.encode(), "meaning": meaning(text)}


def _decode_lower(data: Mapping[str, memoryview]) -> LoweredValue:
    from volta_pipe.ir.lines import LineTable

    return with_lines(without_lines(data["artifact"]), LineTable.decode(bytes(data["lines"])))


def without_lines(text: memoryview) -> LoweredValue:
    """The value of a module's text, of which no lines are known. Errors: ArtifactError."""
    from volta_pipe.ir.lines import LineTable
    from volta_pipe.passes.lower import parse_module

    try:
        module = parse_module(str(text, "utf-8"))
    except ArtifactError as error:
        raise ArtifactError(" ".join(str(error).split())[:_SHOWN]) from error
    except Exception as error:  # a parser of somebody else's, on a text from outside: any of its errors
        raise ArtifactError(f"the module is damaged: {' '.join(str(error).split())[:_SHOWN]}") from error
    return LoweredValue(LazyModule.of(module), LineTable("", (), (), (), ()))


def with_lines(value: LoweredValue, lines: Any) -> LoweredValue:
    """`value` with a line table. Errors: ArtifactError where that is of a module with more or fewer operations."""
    from volta_pipe.passes.lower import walk_kernel

    if sum(1 for _ in walk_kernel(value.module)) != len(lines.ptx):
        raise ArtifactError("the module is damaged, or the lines are of another one: their numbers of operations differ")
    return replace(value, lines=lines)


def _unroll(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.unroll import unroll

    launch = job.kernel.launch()
    return unroll(values[0].made.kernel, launch, max_steps=job.max_steps, max_memory=job.max_memory, progress=job.progress)


def _encode_unroll(program: Any) -> Outputs:
    from volta_pipe.ir.canonical_program import encode_code

    plain, origins, registers = program.canonical
    return {"artifact": plain.encode(), "code": encode_code(program, origins, registers)}


def _decode_unroll(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.canonical_program import restored
    from volta_pipe.ir.program import Program

    plain = Program.decode(data["artifact"])
    return restored(plain, data["code"]) if "code" in data else plain  # by its digest alone, it has no lines


def _dynamic(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.dynamic import Function, Kernel, Settings, dynamic

    launch = job.kernel.launch()
    _fits(values[0], launch)
    candidate = Kernel(values[1].made.kernel, values[0], launch)
    if job.spec is not None:
        with _watching(job):
            reference: Any = Function(load_reference(job.spec), launch)
    else:
        assert job.other is not None
        other = job.other.launch()
        _fits(values[2], other)
        reference = Kernel(values[3].made.kernel, values[2], other)
    settings = Settings(job.kernel.ranges(), job.kernel.tolerances(), job.ieee)
    with _watching(job):
        return dynamic(candidate, reference, launch, settings, chosen=job.chosen_ctas)


def _decode_dynamic(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.dynamic import Report

    return Report.decode(data["artifact"])


class _ModuleNeededError(Exception):
    """The canonical form of a program does not say enough."""


def _no_module() -> Any:
    raise _ModuleNeededError


def _check(job: Job, values: Sequence[Any]) -> Any:
    """Of the canonical form, so that a clean report is kept for all programs of that form; where there is something to be said
    of instructions, of the program itself."""
    from volta_pipe.passes.check import check

    program, launch = values[0], job.kernel.launch()
    _fits(program, launch)
    if not program.events:
        with contextlib.suppress(_ModuleNeededError):
            report = check(program.canonical[0], launch, _no_module)
            if _names_nothing(report):
                return report
    return check(program, launch, lambda: values[1]().module)


def _names_nothing(report: Any) -> bool:
    """Whether a safety report speaks of no instruction."""
    return not report.findings and not report.remarks


def _fits(program: Any, launch: Any) -> None:
    """Loops follow a program into the launch's memory. Errors: ArtifactError where it is of another launch."""
    from volta_pipe.ir.program_checks import check_fit

    check_fit(program, launch)


def _decode_check(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.check import SafetyReport

    return SafetyReport.decode(data["artifact"])


def _vc(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.vc import vc

    program, launch = values[0], job.kernel.launch()
    _fits(program, launch)
    try:
        return vc(program.canonical[0], launch, job.before)
    except UnsupportedError:
        vc(program, launch)  # the same, with the instruction's own number
        raise


def _trace(job: Job, _: Sequence[Any]) -> Any:
    from volta_pipe.passes.trace import trace

    assert job.spec is not None
    launch = job.kernel.launch()
    with _watching(job):
        return trace(load_reference(job.spec), launch)


@contextlib.contextmanager
def _watching(job: Job) -> Iterator[None]:
    """Notes what the spec rests on besides the sources that are part of the key, and sees to it that these are still the same.
    Errors: InputError."""
    if job.spec is None:
        yield
        return
    path = job.spec.path
    try:
        with watched(path, job.unkeyed):
            yield
    finally:  # where the spec fails, too: a text that was read while it was being written is no Python
        _as_keyed(job, path, lambda: spec_digest(path))


def _as_keyed(job: Job, path: Path, digest: Callable[[], str]) -> None:
    """Errors: InputError where a file of the user is no longer what the stage's key was made with."""
    if path in job.digests and digest() != job.digests[path]:
        raise InputError(CHANGED, Place(str(path)))


def _decode_conditions(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.ir.graph import Conditions

    return Conditions.decode(data["artifact"])


def _bytes(conditions: Any) -> int:
    """How much memory the columns of expressions take."""
    graph = conditions.graph
    columns = (graph.op, graph.a, graph.b, graph.c, graph.constants, *conditions.outputs.values())
    return sum(column.nbytes for column in columns)


def _same_conditions(one: Any, other: Any) -> bool:
    """Whether `one` has the columns of `other`, and says the same of them."""
    names = ("tensors", "scalars", "assumptions", "tensor_types", "scalar_types")
    taken = one.graph is other.graph and one.outputs is other.outputs
    return taken and all(getattr(one, name) == getattr(other, name) for name in names)


def _canon(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.canon import canon

    reference, candidate = values
    if job.chosen_ctas:
        from volta_pipe.passes.canon.written import where_written

        reference, candidate = where_written(reference, candidate)
    return canon(reference, candidate, constants=job.constants, solve=_solver(job))


def _decode_canon(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.canon import Canonical

    return Canonical.decode(data["artifact"])


def _decide(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.decide import decide

    ranges, chosen = job.kernel.ranges(), job.chosen_ctas
    return decide(values[0], values[1], values[2], ranges=ranges, chosen=chosen, solve=_solver(job))


def _solver(job: Job) -> Any:
    """What gives the solutions of units of classes, once it is asked: where all trees are the same, nothing loads it."""

    @cache
    def solver() -> Any:
        from volta_pipe.passes.canon.units import compute, remembering

        return compute if job.memory is None else remembering(job.memory)

    def solve(unit: Any, effort: Any) -> Any:
        return solver()(unit, effort)

    return solve


def _decode_decide(data: Mapping[str, memoryview]) -> Any:
    from volta_pipe.passes.decide import Decision

    return Decision.decode(data["artifact"])


def _artifact(value: Any) -> Outputs:
    return {"artifact": value.encode()}


def _stage(name: str, run: Any, encode: Any, decode: Any, summarize: Any, **more: Any) -> Stage:
    believed = lambda record, store: doubt(name, record, store)  # noqa: E731
    return Stage(name, run, encode, decode, summarize, lambda: stage_version(name), doubt=believed, **more)


_PROGRAM = ("artifact", "code")  # all that `unroll` says of a program
STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        _stage("lower", _lower, _encode_lower, _decode_lower, summarize_lower, again=True),
        _stage("unroll", _unroll, _encode_unroll, _decode_unroll, summarize_unroll, reads=("meaning",)),
        _stage("dynamic", _dynamic, _artifact, _decode_dynamic, lambda report: plain(report.summary()), reads=_PROGRAM),
        _stage(
            "check", _check, _artifact, _decode_check, summarize_findings, deferred=1, reads=_PROGRAM, general=_names_nothing
        ),
        _stage(
            "vc",
            _vc,
            _artifact,
            _decode_conditions,
            summarize_conditions,
            reads=_PROGRAM,
            general=lambda _: True,
            size=_bytes,
            same=_same_conditions,
        ),
        _stage("trace", _trace, _artifact, _decode_conditions, summarize_conditions, size=_bytes),
        _stage("canon", _canon, _artifact, _decode_canon, summarize_canon),
        _stage("decide", _decide, _artifact, _decode_decide, summarize_decision),
    )
}

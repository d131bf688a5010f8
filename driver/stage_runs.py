"""How each stage is run: its pass on the values of its inputs. The only place of the driver that runs the passes of a proof.

Each pass is imported when it is called: where everything is cached, none is."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.contract_parts import MAX_SOURCE_BYTES
from volta_pipe.driver.files import CHANGED, read_bytes
from volta_pipe.driver.library import load_reference
from volta_pipe.driver.spec_reads import watched
from volta_pipe.driver.stage import Job, LoweredValue
from volta_pipe.driver.versions import spec_digest
from volta_pipe.ir.errors import InputError, Place, UnsupportedError


def run_lower(job: Job, _: Sequence[Any]) -> LoweredValue:
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


def run_unroll(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.unroll import unroll

    launch = job.kernel.launch()
    return unroll(values[0].made.kernel, launch, max_steps=job.max_steps, max_memory=job.max_memory, progress=job.progress)


def run_dynamic(job: Job, values: Sequence[Any]) -> Any:
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


class _ModuleNeededError(Exception):
    """The canonical form of a program does not say enough."""


def _no_module() -> Any:
    raise _ModuleNeededError


def run_check(job: Job, values: Sequence[Any]) -> Any:
    """Of the canonical form, so that a clean report is kept for all programs of that form; where there is something to be said
    of instructions, of the program itself."""
    from volta_pipe.passes.check import check

    program, launch = values[0], job.kernel.launch()
    _fits(program, launch)
    if not program.events:
        with contextlib.suppress(_ModuleNeededError):
            report = check(program.canonical[0], launch, _no_module)
            if names_nothing(report):
                return report
    return check(program, launch, lambda: values[1]().module)


def names_nothing(report: Any) -> bool:
    """Whether a safety report speaks of no instruction."""
    return not report.findings and not report.remarks


def _fits(program: Any, launch: Any) -> None:
    """Loops follow a program into the launch's memory. Errors: ArtifactError where it is of another launch."""
    from volta_pipe.ir.program_checks import check_fit

    check_fit(program, launch)


def run_vc(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.vc import vc

    program, launch = values[0], job.kernel.launch()
    _fits(program, launch)
    try:
        return vc(program.canonical[0], launch, job.before)
    except UnsupportedError:
        vc(program, launch)  # the same, with the instruction's own number
        raise


def run_trace(job: Job, _: Sequence[Any]) -> Any:
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


def run_canon(job: Job, values: Sequence[Any]) -> Any:
    from volta_pipe.passes.canon import canon

    reference, candidate = values
    if job.chosen_ctas:
        from volta_pipe.passes.canon.written import where_written

        reference, candidate = where_written(reference, candidate)
    return canon(reference, candidate, constants=job.constants, solve=_solver(job))


def run_decide(job: Job, values: Sequence[Any]) -> Any:
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

"""The pipeline: which stages run on which side for each combination of dims, and where a combination stops."""

from __future__ import annotations

import gc
import hashlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volta_pipe.driver.arguments import Parameter, check_signature
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import MAX_SOURCE_BYTES, SpecReference
from volta_pipe.driver.engine import Engine, Step
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.globals import Variable, resolve, unknown
from volta_pipe.driver.layers import runs_dynamic
from volta_pipe.driver.plan import KernelPlan, Plan, plan
from volta_pipe.driver.resources import Excess, launch_excesses
from volta_pipe.driver.spec_check import FirstImport
from volta_pipe.driver.stages import ORDER, STAGES, Job, Stage
from volta_pipe.driver.versions import spec_digest
from volta_pipe.ir.errors import InputError, Place, UnsupportedError

# Budgets: thread-instructions (rows times lanes) and bytes. Both are part of a cache key, so that a verdict does not depend
# on what an earlier run was allowed.
MAX_STEPS = 200_000_000
MAX_MEMORY = 8 << 30
SIDES = ("reference", "candidate")
_BATCHES_A_COLLECTION = 8


@dataclass(frozen=True)
class Options:
    """How to run. `last`: the stage after which to stop, or "" for all; `jobs`: stages that run at the same time; `skip`: the
    layers that are left out, `only`: the layer for whose sake they are, or ""."""

    last: str = ""
    jobs: int = 0
    max_steps: int = MAX_STEPS
    max_memory: int = MAX_MEMORY
    skip: frozenset[str] = frozenset()
    only: str = ""


@dataclass
class Combination:
    """One combination of dims: its plan and the steps that were run, by side ("reference", "candidate", "both") and stage.
    `refused`: an argument that the tool cannot pass, by side; `excesses`: why a launch fails, by side."""

    plan: Plan
    steps: dict[tuple[str, str], Step] = field(default_factory=dict)
    refused: dict[str, UnsupportedError] = field(default_factory=dict)
    excesses: dict[str, list[Excess]] = field(default_factory=dict)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def side(self, name: str) -> list[Step]:
        """The steps of one side, in order."""
        return [step for (side, _), step in self.steps.items() if side == name]

    def stopped(self) -> bool:
        """Whether a side has a finding or an error, so that later stages would mean nothing."""
        return bool(self.refused or self.excesses) or any(step.blocks for step in self.steps.values())


class Watch:
    """Hears what a run does; the command line overrides it. `dims` is the combination's; calls come from several threads."""

    def start(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        """A step may have to be computed now."""

    def progress(self, side: str, dims: Mapping[str, int], stage: str, steps: int) -> None:
        """So many thread-instructions were executed."""

    def end(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        """The step of `start` is over."""

    def report(self, side: str, dims: Mapping[str, int], step: Step) -> None:
        """A step has its result; each is reported once."""


class Pipeline:
    """Runs a contract. The sides of a combination run on their own up to `vc`; `canon` and `decide` join them.

    `report` gets each step once, when it is done; `progress` the thread-instructions that a step has executed so far."""

    def __init__(
        self, contract: Contract, engine: Engine, options: Options, watch: Watch, stages: Mapping[str, Stage] = STAGES
    ) -> None:
        self.contract = contract
        self.engine = engine
        self.options = options
        self.watch = watch
        self.reported: set[tuple[str, str]] = set()
        self.stages = stages
        self.digests: dict[Any, str] = {}
        self.jobs = options.jobs or min(2, os.cpu_count() or 1)
        self.spec = FirstImport(contract)

    def run(self) -> list[Combination]:
        """All combinations, in the contract's order. Errors: InputError."""
        combinations = [Combination(plan(self.contract, dims)) for dims in self.contract.combinations()]
        size = max(1, self.jobs)  # combinations whose graphs are held at the same time
        for first in range(0, len(combinations), size):
            self._batch(combinations[first : first + size])
            if first // size % _BATCHES_A_COLLECTION == _BATCHES_A_COLLECTION - 1:
                gc.collect()  # the command line switches the automatic one off
        return combinations

    def _batch(self, batch: list[Combination]) -> None:
        """Safety of both sides first; only where it holds are expressions built and compared."""
        work = [(one, side) for one in batch for side in SIDES if _has(one.plan, side)]
        if runs_dynamic(self.contract, self.options):
            self._each(self.unrolled, work)
            self._each(self.test, [(one,) for one in batch if not one.stopped()])
        if "safety" in self.options.skip:  # what could not be unrolled is said all the same: nothing after it means anything
            self._each(self.unrolled, work)
            work_left = [(one, side) for one, side in work if not _complete(one, side)]
            self._each(self.check, work_left)
        else:
            self._each(self.check, work)
        for one in batch:
            self._all_declared(one)
        if self._reaches("vc"):
            self._each(self.express, [(one, side) for one, side in work if not one.stopped()])
        if self._reaches("canon") and self.contract.reference is not None:
            self._each(self.join, [(one,) for one in batch if not one.stopped()])
        for one in batch:
            for step in one.steps.values():
                if step.stage.name != "lower":  # small, and shared by all combinations
                    step.release()

    def _reaches(self, name: str) -> bool:
        """Whether the run goes as far as stage `name`; without a reference it ends after `check`, or after `vc` where that sees
        whether a rule of [numerics] holds, unless told otherwise."""
        last = "check"
        if "proof" not in self.options.skip:
            last = ORDER[-1] if self.contract.reference is not None else "vc" if self.contract.accumulate else last
        last = self.options.last or last
        return ORDER.index(name) <= ORDER.index(last)

    def _each(self, call: Callable[..., bool], work: Sequence[tuple[Any, ...]]) -> None:
        """Calls on all of `work`: first what the store answers, then, in parallel, what must be computed. The error that is
        raised is the first in the order of `work`, whatever finishes first."""
        left = [item for item in work if not call(*item, compute=False)]
        jobs = min(self.jobs, len(left))

        def attempt(item: tuple[Any, ...]) -> Exception | None:
            try:
                call(*item, compute=True)
            except Exception as error:  # raised below
                return error
            return None

        if jobs == len(left) == 2:  # the two sides: two threads, without the tenth of a second that importing joblib takes
            first: list[Exception | None] = []
            other = threading.Thread(target=lambda: first.append(attempt(left[0])))
            other.start()
            second = attempt(left[1])
            other.join()
            errors = [*first, second]
        elif jobs > 1:
            from joblib import Parallel, delayed

            errors = Parallel(n_jobs=jobs, backend="threading")(delayed(attempt)(item) for item in left)
        else:
            errors = [attempt(item) for item in left]
        for error in errors:
            if error is not None:
                raise error

    def check(self, one: Combination, side: str, *, compute: bool) -> bool:
        """Runs `lower`, `unroll` and `check` on one side; False where something must be computed and may not be."""
        return self._up_to("check", one, side, compute=compute)

    def unrolled(self, one: Combination, side: str, *, compute: bool) -> bool:
        """The same without `check`."""
        return self._up_to("unroll", one, side, compute=compute)

    def _up_to(self, last: str, one: Combination, side: str, *, compute: bool) -> bool:
        kernel = _kernel(one, side)
        if isinstance(kernel, SpecReference):
            return True
        budgets = [self.options.max_steps, self.options.max_memory]
        source = [self._digest(kernel), kernel.spec.source, kernel.spec.entry, *self.contract.externs]
        inputs: list[Step] = []
        for name in ("lower", "unroll", "check"):
            if not self._reaches(name) or ORDER.index(name) > ORDER.index(last):
                break
            options = {"lower": source, "unroll": [kernel.key(), budgets], "check": kernel.key()}[name]
            step = self._step(one, side, name, options, inputs, compute=compute)
            if step is None:
                return False
            if step.blocks or not self._arguments_fit(one, side, kernel, step):
                break
            if name == "lower":
                kernel = self._with_globals(one, side, kernel, step)
            inputs = [step, *inputs[:1]] if name == "unroll" else [step]
        return True

    def _with_globals(self, one: Combination, side: str, kernel: KernelPlan, step: Step) -> KernelPlan:
        """The kernel with the variables of its PTX that the host sets, which is the side's from now on. Errors: InputError."""
        for name, problem in step.summary.get("externs") or ():
            if problem:
                raise self.contract.source.error(("externs", name), f"function {name} {problem}")
        if self.contract.globals:
            values = resolve(self.contract.globals, kernel, _variables(step), self.contract.source)
            kernel = replace(kernel, globals=values)
            with one.guard:
                one.plan = replace(one.plan, candidate=kernel) if side == "candidate" else replace(one.plan, reference=kernel)
        return kernel

    def _all_declared(self, one: Combination) -> None:
        """Whether each extern function and variable of the contract is declared by the PTX of a side. Errors: InputError."""
        lowered = [one.steps[side, "lower"] for side in SIDES if (side, "lower") in one.steps]
        if not lowered or any(step.error for step in lowered):
            return
        functions = {name for step in lowered for name, _ in step.summary.get("externs") or ()}
        for name, _ in self.contract.externs:
            if name not in functions:
                raise self.contract.source.error(("externs", name), "the PTX declares no function of this name")
        variables = [variable for step in lowered for variable in _variables(step)]
        for name, _ in self.contract.globals:
            if name not in {variable.name for variable in variables}:
                raise unknown(name, variables, self.contract.source)

    def express(self, one: Combination, side: str, *, compute: bool) -> bool:
        """Runs `vc`, or `trace` for a spec, on one side; False where it must be computed and may not be."""
        kernel = _kernel(one, side)
        if isinstance(kernel, SpecReference):
            options = [self._digest(kernel), kernel.function, kernel.library, kernel.options, one.plan.candidate.data_key()]
            return self._step(one, side, "trace", options, [], compute=compute) is not None
        return self._step(one, side, "vc", kernel.key(), [one.steps[side, "unroll"]], compute=compute) is not None

    def test(self, one: Combination, *, compute: bool) -> bool:
        """Runs the candidate on concrete inputs; False where it must be and may not be."""
        kernel, reference = one.plan.candidate, one.plan.reference
        steps = [one.steps["candidate", name] for name in ("unroll", "lower")]
        if isinstance(reference, SpecReference):
            other: Any = [self._digest(reference), reference.function, reference.library, reference.options]
        else:
            assert reference is not None
            other = reference.key()
            steps += [one.steps["reference", name] for name in ("unroll", "lower")]
        rules = [sorted(kernel.ranges().items()), sorted(kernel.tolerances().items()), self.contract.nonfinite]
        return self._step(one, "both", "dynamic", [other, kernel.key(), rules], steps, compute=compute) is not None

    def join(self, one: Combination, *, compute: bool) -> bool:
        """Compares the two sides of one combination; False where something must be computed and may not be."""
        sides = [one.side(name)[-1] for name in SIDES]
        # Which elements are compared is part of the question: all, or those that the chosen CTAs write.
        options = [self.contract.constants, chosen_ctas(one)]
        canon = self._step(one, "both", "canon", options, sides, compute=compute)
        if canon is None:
            return False
        if canon.error or not self._reaches("decide"):
            return True
        ranges = sorted(one.plan.candidate.ranges().items())
        return self._step(one, "both", "decide", ranges, [canon, *sides], compute=compute) is not None

    def _step(self, one: Combination, side: str, name: str, options: Any, inputs: list[Step], *, compute: bool) -> Step | None:
        job = job_of(
            self.contract, self.options, one, side, lambda steps: self.watch.progress(side, one.plan.dims, name, steps)
        )
        if compute:
            self.spec.check()  # so that a slip in it shows at once, and not after the candidate's stages
            self.watch.start(side, one.plan.dims, name)
        try:
            step = self.engine.step(self.stages[name], options, inputs, job, compute=compute)
        except InputError as error:
            raise self._from_here(error, one, side) from None
        finally:
            if compute:
                self.watch.end(side, one.plan.dims, name)
        if step is not None and (side, name) not in one.steps:
            one.steps[side, name] = step
            if (side, step.key) not in self.reported:  # combinations share what does not depend on their dims
                self.reported.add((side, step.key))
                self.watch.report(side, one.plan.dims, step)
        return step

    def _from_here(self, error: InputError, one: Combination, side: str) -> InputError:
        """Stages know a PTX by the name in the contract; the message shows where it lies. What they say of a key of a kernel's
        table is said at its line."""
        kernel = one.plan.reference if side == "reference" else one.plan.candidate
        if not error.place.file and error.place.field:
            return self.contract.source.error((side, error.place.field), error.message)
        if error.place.file == self.contract.source.file:
            return error
        if error.place.field:  # something in a spec that does not fit the key
            key = self.contract.source.place(tuple(error.place.field.split(".")))
            return InputError(f"{error.message} ({key})", Place(error.place.file, error.place.line, error.place.column))
        if isinstance(kernel, KernelPlan) and error.place.file in ("", kernel.spec.source):
            place = error.place
            return InputError(error.message, Place(str(kernel.spec.path), place.line, place.column, place.field))
        return error

    def _arguments_fit(self, one: Combination, side: str, kernel: KernelPlan, step: Step) -> bool:
        """After `lower`: whether the contract's arguments fit, and the launch what the kernel and its architecture allow.
        Errors: InputError at the argument."""
        if step.stage.name == "lower":
            parameters = [Parameter(*parameter) for parameter in step.summary["parameters"]]
            try:
                check_signature(kernel, parameters, self.contract.source)
            except UnsupportedError as error:
                one.refused[side] = error
                return False
            if excesses := launch_excesses(kernel, step.summary.get("resources")):
                one.excesses[side] = excesses
                return False
        return True

    def _digest(self, kernel: KernelPlan | SpecReference) -> str:
        path = kernel.path if isinstance(kernel, SpecReference) else kernel.spec.path
        if path not in self.digests:
            is_spec = isinstance(kernel, SpecReference)
            data = b"" if is_spec else read_bytes(path, "PTX", MAX_SOURCE_BYTES)
            self.digests[path] = spec_digest(path) if is_spec else hashlib.sha256(data).hexdigest()
        return self.digests[path]


def _complete(one: Combination, side: str) -> bool:
    """Whether all of a side's kernel was unrolled, or there is none."""
    step = one.steps.get((side, "unroll"))
    return step is None or bool(step.error) or bool(step.summary["complete"])


def job_of(contract: Contract, options: Options, one: Combination, side: str, progress: Callable[[int], None]) -> Job:
    """What the stages of a side ("reference", "candidate", "both") need besides values."""
    reference = one.plan.reference
    kernel = reference if side == "reference" and isinstance(reference, KernelPlan) else one.plan.candidate
    spec = reference if side != "candidate" and isinstance(reference, SpecReference) else None
    chosen = chosen_ctas(one)
    ieee = contract.nonfinite == "ieee"
    other = reference if isinstance(reference, KernelPlan) else None
    return Job(
        kernel, options.max_steps, options.max_memory, contract.constants, progress, spec, contract.externs, chosen, other, ieee
    )  # fmt: skip


def chosen_ctas(one: Combination) -> bool:
    """Whether a spec is compared with what some CTAs of the candidate write."""
    return isinstance(one.plan.reference, SpecReference) and one.plan.candidate.ctas is not None


def _variables(step: Step) -> list[Variable]:
    """The variables that a PTX declares, from its `lower` step."""
    return [Variable(*variable) for variable in step.summary.get("variables") or ()]


def _kernel(one: Combination, side: str) -> KernelPlan | SpecReference:
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    assert kernel is not None  # `_has` was asked
    return kernel


def _has(planned: Plan, side: str) -> bool:
    return side == "candidate" or planned.reference is not None

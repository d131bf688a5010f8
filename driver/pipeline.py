"""The pipeline: which stages run on which side for each combination of dims, and where a combination stops."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from volta_pipe.driver.arguments import Parameter, check_signature
from volta_pipe.driver.combination import (
    SIDES,
    Combination,
    Options,
    Watch,
    chosen_ctas,
    has_side,
    job_of,
    kernel_of,
    unrolled_whole,
)
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import MAX_SOURCE_BYTES, SpecReference
from volta_pipe.driver.declared import check_declared, with_globals
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.history import Asked, History, again
from volta_pipe.driver.layers import runs_dynamic
from volta_pipe.driver.parallel import each
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.driver.resources import launch_excesses
from volta_pipe.driver.spec_check import first_import
from volta_pipe.driver.stage import ORDER, Job, Stage
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.step import Step
from volta_pipe.driver.versions import spec_digest
from volta_pipe.ir.errors import InputError, Place, UnsupportedError

__all__ = ["SIDES", "Combination", "Options", "Pipeline", "Watch", "job_of"]
_BATCHES_A_COLLECTION = 8


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
        self.history = History(engine.store, contract, told=watch.wants_reasons)

    def run(self) -> list[Combination]:
        """All combinations, in the contract's order. Errors: InputError."""
        try:
            return self._run()
        finally:
            self.history.save()

    def _run(self) -> list[Combination]:
        combinations = [Combination(plan(self.contract, dims)) for dims in self.contract.combinations()]
        first_import(self.contract, self.engine.store)  # so that a slip shows at once, and not after the candidate's stages
        size = max(1, self.jobs)  # combinations whose graphs are held at the same time
        for first in range(0, len(combinations), size):
            self._batch(combinations[first : first + size])
            if first // size % _BATCHES_A_COLLECTION == _BATCHES_A_COLLECTION - 1:
                gc.collect()  # the command line switches the automatic one off
        return combinations

    def _batch(self, batch: list[Combination]) -> None:
        """Safety of both sides first; only where it holds are expressions built and compared."""
        work = [(one, side) for one in batch for side in SIDES if has_side(one.plan, side)]
        if runs_dynamic(self.contract, self.options):
            each(self.unrolled, work, self.jobs)
            each(self.test, [(one,) for one in batch if not one.stopped()], self.jobs)
        if "safety" in self.options.skip:  # what could not be unrolled is said all the same: nothing after it means anything
            each(self.unrolled, work, self.jobs)
            work_left = [(one, side) for one, side in work if not unrolled_whole(one, side)]
            each(self.check, work_left, self.jobs)
        else:
            each(self.check, work, self.jobs)
        for one in batch:
            check_declared(self.contract, one)
        if self._reaches("vc"):
            each(self.express, [(one, side) for one, side in work if not one.stopped()], self.jobs)
        if self._reaches("canon") and self.contract.reference is not None:
            each(self.join, [(one,) for one in batch if not one.stopped()], self.jobs)
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

    def check(self, one: Combination, side: str, *, compute: bool) -> bool:
        """Runs `lower`, `unroll` and `check` on one side; False where something must be computed and may not be."""
        return self._up_to("check", one, side, compute=compute)

    def unrolled(self, one: Combination, side: str, *, compute: bool) -> bool:
        """The same without `check`."""
        return self._up_to("unroll", one, side, compute=compute)

    def _up_to(self, last: str, one: Combination, side: str, *, compute: bool) -> bool:
        kernel = kernel_of(one, side)
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
                kernel = with_globals(self.contract, one, side, kernel, step)
            inputs = [step, *inputs[:1]] if name == "unroll" else [step]
        return True

    def express(self, one: Combination, side: str, *, compute: bool) -> bool:
        """Runs `vc`, or `trace` for a spec, on one side; False where it must be computed and may not be."""
        kernel = kernel_of(one, side)
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
        was = self.history.last(side, one.plan.dims, self.stages[name]) if self.stages[name].same is not None else ""
        job = replace(job, digests=self.digests, was=was)
        try:
            computing = self._computing(side, one.plan.dims, name, job) if compute else None
            step = self.engine.step(self.stages[name], options, inputs, job, computing=computing)
        except InputError as error:
            raise self._from_here(error, one, side) from None
        if step is not None and (side, name) not in one.steps:
            one.steps[side, name] = step
            known = one.steps.copy()  # the other side's thread may put steps in meanwhile
            owners = {id(found): owner for (owner, _), found in known.items()}
            asked = Asked.of(step, options, [(owners[id(found)], found) for found in inputs])
            why = self.history.reason(side, one.plan.dims, step, asked, self.engine)
            if (side, step.key) not in self.reported:  # combinations share what does not depend on their dims
                self.reported.add((side, step.key))
                step.why = "; ".join(filter(None, (why, again(step))))
                self.watch.report(side, one.plan.dims, step)
        return step

    @contextlib.contextmanager
    def _computing(self, side: str, dims: Mapping[str, int], name: str, job: Job) -> Iterator[None]:
        """Around what is computed: whoever watches hears of it, and of the files that it read."""
        self.watch.start(side, dims, name)
        try:
            yield
        finally:
            self.watch.end(side, dims, name)
            self.watch.read(job.unkeyed.files)

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
                self.engine.confirm(step)
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

"""The stages as functions on artifacts, for one combination of dims, without a store."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from volta_pipe.driver.api.artifacts import (
    CLASSES,
    Artifact,
    CanonArtifact,
    CheckArtifact,
    DecideArtifact,
    LowerArtifact,
    UnrollArtifact,
    VcArtifact,
)
from volta_pipe.driver.api.kernels import check_program, launched, of_side
from volta_pipe.driver.combination import MAX_MEMORY, MAX_STEPS, SIDES, Combination, Options, job_of
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.options import run_options
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.driver.spec_check import check_import, check_text
from volta_pipe.driver.stage import Job
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.tensors import forget_digests
from volta_pipe.ir.errors import ArtifactError, BudgetError, InputError, Place, UnsupportedError

Made = TypeVar("Made", bound=Artifact[Any])


class Pipeline:
    """The stages of a contract at one combination of dims: each takes artifacts and gives one. Nothing is cached: `verify` is
    what looks after a store. The bytes of the artifacts are those that `verify` makes.

    `dims`: some or all of the contract's dims, by name: the first combination that has them. `max_steps`, `max_memory`: the
    budgets of `unroll`, as of `verify`. Errors: InputError on a contract that is none, dims that it does not have, files that
    do not fit.

    Artifacts of one's own (`open_artifact`, `LowerArtifact.from_mlir`) are taken, too, where they fit the contract's launch.
    A stage speaks of the artifacts that it is given and of nothing else: `decide` says `equivalent` of kernels that are safe,
    and whether they are is what `check` says. Each artifact's summary has the `assumptions` that were made on the way to it.

    >>> pipeline = Pipeline("examples/axpy/volta.toml", {"n": 100})
    >>> module = pipeline.lower("candidate")
    >>> program = pipeline.unroll(module)
    >>> program.complete, len(program.value.row_instr), pipeline.check(program, module).safe
    (True, 10, True)
    >>> candidate = pipeline.vc(program)
    >>> candidate.formula("y[67]")
    'y[67] = fma(x[67], a, y[67])'
    >>> reference = pipeline.expressions("reference")
    >>> forms = pipeline.canon(reference, candidate)
    >>> pipeline.decide(forms, reference, candidate).verdict
    'equivalent'
    """

    def __init__(
        self,
        contract: Contract | str | os.PathLike[str],
        dims: Mapping[str, int] | None = None,
        *,
        max_steps: int = MAX_STEPS,
        max_memory: int = MAX_MEMORY,
    ) -> None:
        self.contract = contract if isinstance(contract, Contract) else Contract.from_file(contract)
        self._options: Options = run_options(max_steps=max_steps, max_memory=max_memory)
        forget_digests()
        check_text(self.contract)
        self._one = Combination(plan(self.contract, self._chosen(dims or {})))
        self._kernels: dict[str, KernelPlan] = {}  # as they are launched, once `unroll` has seen their module
        self._shapes = {tensor.spec.name: tensor.shape for tensor in self._one.plan.candidate.tensors}

    @property
    def dims(self) -> dict[str, int]:
        """The combination of dims, in the contract's order."""
        return dict(self._one.plan.dims)

    def lower(self, side: str = "candidate") -> LowerArtifact:
        """The PTX of a side ("candidate" or "reference") in the `ptx` dialect.

        Errors: InputError on PTX that is none, and where the contract's arguments or launch do not fit; UnsupportedError for a
        parameter that nothing can fill."""
        kernel = self._kernel(side)
        made = self._made(LowerArtifact, side, [])
        launched(self.contract, kernel, made.value)
        return made

    def unroll(self, module: LowerArtifact, side: str = "") -> UnrollArtifact:
        """The straight-line program of every CTA of the contract's grid. `side`: whose launch; by default that of the module's
        side, else the candidate's. What a CTA could not pass is an event of the program, which then is not `complete`.

        Errors: InputError where the module does not fit the launch; UnsupportedError for what cannot be assembled."""
        side = self._side(module, side, LowerArtifact)
        self._kernels[side] = launched(self.contract, self._kernel(side), module.value)
        return self._made(UnrollArtifact, side, [module])

    def check(self, program: UnrollArtifact, module: LowerArtifact, side: str = "") -> CheckArtifact:
        """Races, deadlocks and bad accesses of a program that was unrolled from `module`. A program that was not made of it by
        a `Pipeline` of this process, as that of a file, is made again and compared.

        Errors: ArtifactError where it is another; BudgetError where memory runs out."""
        side = self._side(program, side, UnrollArtifact)
        _expect(module, LowerArtifact)
        self._fits(program, side)
        if program.inputs != (module.digest,) and program.digest != self.unroll(module, side).digest:
            raise ArtifactError("the program was not unrolled from this module")
        value = module.value
        return self._made(CheckArtifact, side, [program], [lambda: value])

    def vc(self, program: UnrollArtifact, side: str = "") -> VcArtifact:
        """The expression of each output element.

        Errors: ArtifactError for a program of another launch; UnsupportedError where it is not complete, or leaves what is
        modelled (with the PTX line where it is known); BudgetError where it is too large."""
        side = self._side(program, side, UnrollArtifact)
        self._fits(program, side)
        if not program.complete:
            event = program.value.events[0] if program.value.events else None
            raise self._located(UnsupportedError(
                f"the program is not complete: {event.message if event else 'CTAs are missing'}",
                instruction=event.instruction if event else -1, kind=event.kind if event else "unsupported-instruction",
            ), program)  # fmt: skip
        return self._made(VcArtifact, side, [program])

    def trace(self) -> VcArtifact:
        """The expressions of the contract's NumPy reference. Errors: InputError where the reference is no function, or fails;
        UnsupportedError for what a proof cannot follow."""
        if not isinstance(self._one.plan.reference, SpecReference):
            raise InputError("the contract's reference is no NumPy function", self.contract.source.place(("reference",)))
        check_import(self.contract)
        return self._made(VcArtifact, "reference", [], stage="trace")

    def expressions(self, side: str) -> VcArtifact:
        """The expressions of a side from its source: `trace` of a NumPy function, else `vc` of `unroll` of `lower`.

        Errors: theirs."""
        if side == "reference" and isinstance(self._one.plan.reference, SpecReference):
            return self.trace()
        return self.vc(self.unroll(self.lower(side)))

    def canon(self, reference: VcArtifact, candidate: VcArtifact) -> CanonArtifact:
        """Classes of output elements and their normal forms. Errors: ArtifactError where the two have other tensors."""
        _expect(reference, VcArtifact)
        _expect(candidate, VcArtifact)
        return self._made(CanonArtifact, "both", [reference, candidate])

    def decide(self, forms: CanonArtifact, reference: VcArtifact, candidate: VcArtifact) -> DecideArtifact:
        """The verdict on the output elements that both sides write. Forms that were not made of these two by a `Pipeline` of
        this process, as those of a file, are made again and compared. Errors: ArtifactError where they are others."""
        _expect(forms, CanonArtifact)
        _expect(reference, VcArtifact)
        _expect(candidate, VcArtifact)
        if forms.inputs != (reference.digest, candidate.digest) and forms.digest != self.canon(reference, candidate).digest:
            raise ArtifactError("the normal forms are not those of these expressions")
        return self._made(DecideArtifact, "both", [forms, reference, candidate])

    def _made(
        self, kind: type[Made], side: str, inputs: Sequence[Artifact[Any]], more: Sequence[Any] = (), stage: str = ""
    ) -> Made:
        """What a stage makes of artifacts, and of values that are none."""
        lines = next((one.lines for one in inputs if one.lines is not None), None)
        with self._telling(inputs):
            value = STAGES[stage or kind.stage].run(self._job(side), [*(one.value for one in inputs), *more])
        made = kind(value, side, self._shapes, [one.digest for one in inputs])
        made.lines = value.lines if isinstance(made, LowerArtifact) else lines
        return made

    @contextlib.contextmanager
    def _telling(self, inputs: Sequence[Artifact[Any]]) -> Iterator[None]:
        """Errors of stages, with the place in the PTX; of an artifact that does not fit, as such."""
        try:
            yield
        except (UnsupportedError, BudgetError) as error:
            raise (self._located(error, inputs[0]) if inputs else error) from None
        except (IndexError, KeyError, AssertionError) as error:
            if all(one.side for one in inputs):
                raise  # ours, made in this process: a defect
            raise ArtifactError(f"the artifact does not fit the contract: {type(error).__name__} {error}".strip()) from error

    @staticmethod
    def _located(error: UnsupportedError | BudgetError, artifact: Artifact[Any]) -> UnsupportedError | BudgetError:
        if artifact.lines is not None and not error.place.line and (line := artifact.lines.ptx_line(error.instruction)):
            error.place = Place(artifact.lines.ptx_file, line)
        return error

    def _job(self, side: str) -> Job:
        one = self._one
        if side in self._kernels:
            kernel = self._kernels[side]
            sides = (kernel, one.plan.reference) if side == "candidate" else (one.plan.candidate, kernel)
            one = Combination(type(one.plan)(one.plan.dims, *sides))
        return job_of(self.contract, self._options, one, side, lambda _: None)

    def _kernel(self, side: str) -> KernelPlan:
        if side not in SIDES:
            raise InputError(f"'{side}' is no side of a contract ({' or '.join(SIDES)})")
        return of_side(self.contract, self._one.plan.candidate if side == "candidate" else self._one.plan.reference, side)

    def _side(self, artifact: Artifact[Any], given: str, kind: type[Artifact[Any]]) -> str:
        _expect(artifact, kind)
        if given and artifact.side and given != artifact.side:
            raise InputError(f"the artifact is of the {artifact.side}, not of the {given}")
        side = given or artifact.side or "candidate"
        self._kernel(side)
        return side

    def _fits(self, program: UnrollArtifact, side: str) -> None:
        if self.contract.globals and side not in self._kernels:
            key = self.contract.source.place(("globals", self.contract.globals[0][0]))
            raise InputError("is laid out by `unroll` of this pipeline, which was not called", key)
        check_program(program.value, self._kernels.get(side, self._kernel(side)).launch())

    def _chosen(self, dims: Mapping[str, int]) -> dict[str, int]:
        for one in self.contract.combinations():
            if all(one.get(name) == value for name, value in dims.items()):
                return one
        given = ", ".join(f"{name}={value}" for name, value in dims.items())
        raise InputError(f"the contract has no combination of dims with {given}", self.contract.source.place(("dims",)))


def _expect(artifact: Any, kind: type[Artifact[Any]]) -> None:
    """Errors: InputError where an artifact is of another stage."""
    if not isinstance(artifact, kind):
        what = f"the artifact of {artifact.stage}" if type(artifact) in CLASSES.values() else f"a {type(artifact).__name__}"
        raise InputError(f"wants the artifact of {kind.stage}, is given {what}")

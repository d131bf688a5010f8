"""A run as its parts see it: how it is to go, what it knows of each combination of dims, and who hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.fields import shown
from volta_pipe.driver.plan import KernelPlan, Plan
from volta_pipe.driver.resources import Excess
from volta_pipe.driver.stage import Job
from volta_pipe.driver.step import Step
from volta_pipe.ir.errors import InputError, UnsupportedError

# Budgets: thread-instructions (rows times lanes) and bytes. Both are part of a cache key, so that a verdict does not depend
# on what an earlier run was allowed.
MAX_STEPS = 200_000_000
MAX_MEMORY = 8 << 30
MOST = 10**18  # of any number here: the machine counts in 64 bits, and raises a budget a little for lanes that it set aside
SIDES = ("reference", "candidate")


@dataclass(frozen=True)
class Options:
    """How to run. `last`: the stage after which to stop, or "" for all; `jobs`: stages that run at the same time; `skip`: the
    layers that are left out, `only`: the layer for whose sake they are, or "".

    Errors: InputError for a number that is out of its range."""

    last: str = ""
    jobs: int = 0
    max_steps: int = MAX_STEPS
    max_memory: int = MAX_MEMORY
    skip: frozenset[str] = frozenset()
    only: str = ""

    def __post_init__(self) -> None:
        for name, number, least in (
            ("jobs", self.jobs, 0),
            ("max-steps", self.max_steps, 1),
            ("max-memory", self.max_memory, 1),
        ):
            if isinstance(number, bool) or not isinstance(number, int):
                raise InputError(f"--{name}: {shown(number)} is no integer")
            if number < least:
                raise InputError(f"--{name}: {shown(number)} is less than {least}")
            if number > MOST:
                raise InputError(f"--{name}: the largest number that it takes is {MOST}")


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

    wants_reasons = False  # whether steps are to say why they ran, which takes a look at what they replace

    def start(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        """A step is computed now."""

    def progress(self, side: str, dims: Mapping[str, int], stage: str, steps: int) -> None:
        """So many thread-instructions were executed."""

    def end(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        """The step of `start` is over."""

    def report(self, side: str, dims: Mapping[str, int], step: Step) -> None:
        """A step has its result; each is reported once."""

    def read(self, paths: Sequence[str]) -> None:
        """A spec read these files, which no key covers."""

    def close(self) -> None:
        """The run is over, or failed."""


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


def kernel_of(one: Combination, side: str) -> KernelPlan | SpecReference:
    """What stands on a side."""
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    assert kernel is not None  # `has_side` was asked
    return kernel


def has_side(planned: Plan, side: str) -> bool:
    """Whether there is a reference, for its side."""
    return side == "candidate" or planned.reference is not None


def unrolled_whole(one: Combination, side: str) -> bool:
    """Whether all of a side's kernel was unrolled, or there is none."""
    step = one.steps.get((side, "unroll"))
    return step is None or bool(step.error) or bool(step.summary["complete"])

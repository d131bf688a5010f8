"""What a caller may ask of a run, checked: the same for the command line and the Python API."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.driver.combination import MAX_MEMORY, MAX_STEPS, Options
from volta_pipe.driver.fields import close
from volta_pipe.driver.layers import skipped
from volta_pipe.driver.stage import ORDER
from volta_pipe.ir.errors import InputError


def run_options(
    stage: str = "",
    jobs: int = 0,
    max_steps: int = MAX_STEPS,
    max_memory: int = MAX_MEMORY,
    only: str = "",
    skip: Sequence[str] = (),
) -> Options:
    """Errors: InputError on a stage or layer that is none, a number out of range, and choices that contradict each other."""
    left_out = skipped(only, skip)
    if stage and left_out:
        raise InputError("--stage chooses stages, --only and --skip choose layers: give one of them")
    if stage:
        _check_stage(stage)
    return Options("" if stage == ORDER[-1] else stage, jobs, max_steps, max_memory, left_out, only)


def check_force(force: Sequence[str]) -> None:
    """Errors: InputError on what is no stage."""
    for name in force:
        if name not in ("all", "trace", "dynamic"):
            _check_stage(name)


def _check_stage(name: str) -> None:
    if name == "trace":
        raise InputError("trace is what vc is for a NumPy reference, and runs with it: --stage vc")
    if name not in ORDER:
        raise InputError(f"unknown stage '{name}'{close(name, ORDER)} (stages: {', '.join(ORDER)})")

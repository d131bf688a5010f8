"""Runs the trials, all at once, and looks for what makes the first mismatch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.dynamic.compare import Comparison, Rules, compare
from volta_pipe.passes.dynamic.inputs import NONFINITE, TRIALS, draw
from volta_pipe.passes.dynamic.kernel import Kernel
from volta_pipe.passes.dynamic.minimise import Contents, listed, minimise, zeros_of
from volta_pipe.passes.dynamic.report import Mismatch, Report, Trial
from volta_pipe.passes.dynamic.sides import Runs, Side
from volta_pipe.passes.replay import from_numbers, to_numbers
from volta_pipe.passes.replay.formats import FORMATS

Array = np.ndarray[Any, np.dtype[Any]]
_NEIGHBOURS = 3  # runs of the reference on inputs that differ in their last places
_ULPS = 4.0  # by how many units of roundoff
_ROUNDS = 40  # of the search for the inputs that matter, at most


@dataclass(frozen=True)
class Settings:
    """ranges: of tensors by name; tolerances: (rtol, atol) of outputs that have one of their own; ieee: infinities and NaNs are
    among the inputs, and must come out as they should; most_steps: thread-instructions that all trials together may take."""

    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    tolerances: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    ieee: bool = False
    most_steps: int = 60_000_000


def dynamic(candidate: Kernel, reference: Runs, launch: Launch, settings: Settings, *, chosen: bool = False) -> Report:
    """Both sides on the same concrete inputs. launch: the candidate's; chosen: only the elements that the candidate's chosen
    CTAs write are compared.

    Errors: InputError of a spec that cannot be run. What the executor has no meaning for is in the report."""
    # What the contract asks for comes before all but one of the others, as a large kernel may have few runs.
    kinds = [TRIALS[0], *(NONFINITE if settings.ieee else ()), *TRIALS[1:]]
    planned = len(kinds)
    if not candidate.program.complete:
        events = candidate.program.events
        return Report((), None, f"not all of the kernel could be unrolled: {events[-1].message}" if events else "", -1, planned)
    count = settings.most_steps // max(candidate.steps, 1)
    if not count:
        message = f"a run takes {candidate.steps:,} thread-instructions, more than the {settings.most_steps:,} of this layer"
        return Report((), None, message, -1, planned)
    kinds = kinds[: max(1, min(planned, count))]
    test = _Test(candidate, reference, launch, settings, chosen)
    contents = [draw(launch, settings.ranges, kind, seed) for kind, seed in kinds]
    try:
        judged = test.judged(contents)
    except UnsupportedError as error:
        return Report((), None, error.message, error.instruction, planned)
    trials = []
    for (kind, seed), outputs in zip(kinds, judged, strict=True):
        compared, bad = (sum(n) for n in zip(*((c.compared, int(c.bad.sum())) for c in outputs.values()), strict=True))
        worst = max(c.worst for c in outputs.values())
        trials.append(Trial(kind, seed, compared, bad, f"{worst:.3g}"))
    first = next((place for place, trial in enumerate(trials) if trial.bad), None)
    mismatch = None if first is None else test.mismatch(contents[first], judged[first], trials[first])
    return Report(tuple(trials), mismatch, "", -1, planned)


class _Test:
    """Both sides and the rules by which their outputs are compared."""

    def __init__(self, candidate: Kernel, reference: Runs, launch: Launch, settings: Settings, chosen: bool) -> None:
        self.candidate, self.reference, self.launch, self.settings, self.chosen = candidate, reference, launch, settings, chosen
        outputs = [t for t in launch.tensors if t.role in ("out", "inout")]
        self.rules = {t.name: Rules(t.dtype, *settings.tolerances.get(t.name, (None, None)), settings.ieee) for t in outputs}
        self.dtypes = {t.name: t.dtype for t in launch.tensors} | {s.name: s.dtype for s in launch.scalars}

    def sides(self, contents: Sequence[Contents]) -> tuple[list[Side], list[Side], list[list[Side]]]:
        """(candidate, reference, reference on neighbouring inputs, by trial)."""
        found = self.candidate(contents)
        wanted = self.reference(contents)
        coarsest = max((2.0 ** -(FORMATS[name].fraction + 1) for name in (*found[0].rounded, *wanted[0].rounded)), default=0.0)
        if all((rules.rtol, rules.atol) != (None, None) for rules in self.rules.values()):
            return found, wanted, [[] for _ in contents]
        near = [[self._neighbour(one, k, coarsest) for one in contents] for k in range(_NEIGHBOURS)]
        return found, wanted, [list(sides) for sides in zip(*map(self.reference, near), strict=True)]

    def judged(self, contents: Sequence[Contents]) -> list[dict[str, Comparison]]:
        """Each output in each trial."""
        return [self._compared(*sides) for sides in zip(*self.sides(contents), strict=True)]

    def _compared(self, found: Side, wanted: Side, near: Sequence[Side]) -> dict[str, Comparison]:
        """Each output in one trial."""
        rounded = (*found.rounded, *wanted.rounded)
        held, expected = (found.stored, found.stored) if self.chosen else (found.written, wanted.written)
        outputs = {}
        for name, rules in self.rules.items():
            others = [side.numbers[name] for side in near]
            outputs[name] = compare(
                found.numbers[name], held[name], wanted.numbers[name], expected[name], others, rounded, rules
            )
        return outputs

    def mismatch(self, contents: Contents, outputs: Mapping[str, Comparison], trial: Trial) -> Mismatch:
        """The first output that is wrong, at its worst element, and inputs that are enough for it."""
        name = next(name for name, one in outputs.items() if one.bad.any())
        element = outputs[name].element
        zeros = zeros_of(contents, self.dtypes, self.settings.ranges)
        for scalar in self.launch.scalars:
            if scalar.name in contents:
                zeros[scalar.name] = contents[scalar.name]

        def wrong(tried: Sequence[Contents]) -> list[bool]:
            return [bool(one[name].bad.reshape(-1)[element]) for one in self.judged(tried)]

        most = min(_ROUNDS, self.settings.most_steps // (12 * max(self.candidate.steps, 1)))
        small, complete = minimise(contents, self.dtypes, zeros, wrong, most)
        (found,), (wanted,), (near,) = self.sides([small])
        here = self._compared(found, wanted, near)[name]
        got = found.numbers[name].reshape(-1)[element].item() if found.written[name].reshape(-1)[element] else None
        kept = {s.name: np.zeros_like(contents[s.name]) for s in self.launch.scalars if s.name in contents}
        return Mismatch(
            name, element, _number(wanted.numbers[name].reshape(-1)[element].item()),
            "never written" if got is None else _number(got), listed(small, self.dtypes, {**zeros, **kept}), complete,
            int(outputs[name].bad.sum()), outputs[name].compared, trial.kind, trial.seed,
            "" if got is None else f"{float(here.allowed.reshape(-1)[element]):.3g}",
        )  # fmt: skip

    def _neighbour(self, contents: Contents, k: int, unit: float) -> Contents:
        """Float inputs, each changed by a few units of roundoff of the coarsest format in one of two directions; of subnormal
        ones, which may be flushed, by the least normal number."""
        changed: dict[str, Array] = {}
        for name, array in contents.items():
            dtype = self.dtypes[name]
            changed[name] = array
            if dtype not in FORMATS:
                continue
            form = FORMATS[dtype]
            rng = np.random.default_rng([k, *name.encode()])
            with np.errstate(all="ignore"):
                numbers = to_numbers(array, dtype)
                step = np.abs(numbers) * _ULPS * max(unit, 2.0 ** -(form.fraction + 1))
                least = float(np.ldexp(1.0, form.least_exponent + form.fraction))
                step = np.where((numbers != 0) & (np.abs(numbers) < least), least, step)
                moved = numbers + np.where(rng.integers(0, 2, numbers.shape) == 1, step, -step)
                moved = np.where(
                    np.isfinite(moved) & (np.abs(moved) <= np.abs(numbers).max(initial=0.0) * 2 + least), moved, numbers
                )
                changed[name] = from_numbers(moved, dtype)
        return changed


def _number(value: float | int) -> str:
    """As text; 9 digits of a float, so that libraries of different machines agree."""
    return str(value) if isinstance(value, int) else f"{value:.9g}"

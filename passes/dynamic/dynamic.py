"""Runs the trials, all at once, and looks for what makes the first mismatch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
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
from volta_pipe.passes.dynamic.touched import lines_of, read_by, touching
from volta_pipe.passes.replay import from_numbers, to_numbers
from volta_pipe.passes.replay.formats import FORMATS

Array = np.ndarray[Any, np.dtype[Any]]
_NEIGHBOURS = 3  # runs of the reference on inputs that differ in their last places
_ULPS = 4.0  # by how many units of roundoff
_ROUNDS = 40  # of the search for the inputs that matter, at most
_SEARCH = 4  # how much more of `most_steps` it may take than the trials
_FUNCTION = 4  # a function takes the time of its kernel's thread-instructions by this (measured: a product of 128 x 128)


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
        self.neighbours = _NEIGHBOURS
        outputs = [t for t in launch.tensors if t.role in ("out", "inout")]
        self.rules = {t.name: Rules(t.dtype, *settings.tolerances.get(t.name, (None, None)), settings.ieee) for t in outputs}
        self.dtypes = {t.name: t.dtype for t in launch.tensors} | {s.name: s.dtype for s in launch.scalars}

    def sides(self, contents: Sequence[Contents]) -> tuple[list[Side], list[Side], list[list[Side]]]:
        """(candidate, reference, reference on neighbouring inputs, by trial)."""
        found = self.candidate(contents)
        wanted = self.reference(contents)
        coarsest = max((2.0 ** -(FORMATS[name].fraction + 1) for name in (*found[0].rounded, *wanted[0].rounded)), default=0.0)
        if not self.neighbours or all((rules.rtol, rules.atol) != (None, None) for rules in self.rules.values()):
            return found, wanted, [[] for _ in contents]
        near = [[self._neighbour(one, k, coarsest) for one in contents] for k in range(self.neighbours)]
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

        small, complete = self.smaller(contents, zeros, name, element)
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

    def wrong(self, name: str, element: int, tried: Sequence[Contents]) -> list[bool]:
        """Whether an element is wrong on each of these contents."""
        return [bool(one[name].bad.reshape(-1)[element]) for one in self.judged(tried)]

    def smaller(self, contents: Contents, zeros: Contents, name: str, element: int) -> tuple[Contents, bool]:
        """As of `minimise`, which has less to do where the element is still wrong without all that its threads, or CTAs, have
        no business with, and where these CTAs are wrong by themselves. What was found has to hold for the whole kernels."""
        few = _Test(
            self.candidate.of_element(name, element),
            self.reference.of_element(name, element) if isinstance(self.reference, Kernel) else self.reference,
            self.launch, self.settings, self.chosen,
        )  # fmt: skip
        few.neighbours = 0
        threads = touching(self.candidate.program, self.launch, name, element)
        own, theirs = (read_by(self.candidate.program, self.launch, chosen) for chosen in (threads, dict.fromkeys(threads)))
        for read in (own, {name: lines_of(elements) for name, elements in own.items()}, theirs):
            fewer = {n: np.where(read[n], array, zeros[n]) if n in read else array for n, array in contents.items()}
            if self.wrong(name, element, [fewer])[0]:
                contents = fewer
                break
        if few.wrong(name, element, [contents])[0]:
            small, complete = few._searched(contents, zeros, name, element, self.candidate.steps)
            if self.wrong(name, element, [small])[0]:
                return small, complete
        return self._searched(contents, zeros, name, element, self.candidate.steps)

    def _searched(self, contents: Contents, zeros: Contents, name: str, element: int, steps: int) -> tuple[Contents, bool]:
        """steps: of the whole candidate, by which the cost of a function is guessed."""
        cost = self.candidate.steps + (self.reference.steps if isinstance(self.reference, Kernel) else steps // _FUNCTION)
        rounds = min(_ROUNDS, _SEARCH * self.settings.most_steps // (12 * max(cost, 1)))
        return minimise(contents, self.dtypes, zeros, partial(self.wrong, name, element), rounds)

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

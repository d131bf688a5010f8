"""Why a stage had to run: what it was asked the last time this contract was verified, against what it is asked now.

What the stages of a contract were asked last is a record of the store, by the path of the contract. A stage that the last run
did not reach, as something was found before, keeps what it was asked by the one before that. It is told to people only, so a
record that is missing or wrong makes a stage run without a reason."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack

from volta_pipe.driver.places import dims_text
from volta_pipe.driver.records import is_digest
from volta_pipe.driver.store import Store, action_key
from volta_pipe.ir.errors import ArtifactError, InputError

if TYPE_CHECKING:
    from volta_pipe.driver.contract import Contract
    from volta_pipe.driver.engine import Engine
    from volta_pipe.driver.stage import Stage
    from volta_pipe.driver.step import Step

STAGE = "history"  # of the record, which is the result of no stage
_MOST_BYTES = 32 << 20  # artifacts that are compared to say what changed: some tenths of a second
_BUDGETED = frozenset(("unroll",))  # stages whose options are [what the contract says, budgets]
_NOUNS = {"lower": "kernel", "unroll": "program", "vc": "expressions", "trace": "expressions", "canon": "normal forms"}
_DONE = {"canon": "compared", "decide": "proved"}
_Outputs = Mapping[str, str]


@dataclass(frozen=True)
class Asked:
    """What a stage was asked: its version, digests of its options and of those that the contract makes, which leaves out the
    budgets, and of each input its side, stage and outputs."""

    version: str
    options: str
    contracted: str
    inputs: tuple[tuple[str, str, _Outputs], ...]

    @staticmethod
    def of(step: Step, options: Any, inputs: Sequence[tuple[str, Step]]) -> Asked:
        found = tuple((side, one.stage.name, one.outputs) for side, one in inputs)
        contracted = options[0] if step.stage.name in _BUDGETED else options
        return Asked(step.stage.version(), _digest(options), _digest(contracted), found)


@dataclass
class History:
    """What the stages of a contract were asked last, and what this run asks. `told`: whether anybody wants reasons."""

    store: Store
    contract: Contract
    told: bool = True
    before: dict[str, Any] = field(default_factory=dict)
    now: dict[str, Any] = field(default_factory=dict)
    phrases: dict[Any, str] = field(default_factory=dict)  # by what was compared

    def __post_init__(self) -> None:
        self.key = action_key([STAGE, os.fsencode(Path(self.contract.source.file).resolve())])  # which need not be UTF-8
        record = self.store.lookup(self.key)
        steps = record.summary.get("steps") if record is not None and record.stage == STAGE else None
        self.before = steps if isinstance(steps, dict) else {}

    def reason(self, side: str, dims: Mapping[str, int], step: Step, asked: Asked, engine: Engine) -> str:
        """Why a step ran, "" where nothing is known of it or it was found in the store; notes what it was asked."""
        name = _name(side, step.stage.name, dims)
        was: Any = self.before.get(name)
        inputs: list[list[Any]] = [[s, n, dict(o), self._table(s)] for s, n, o in asked.inputs]
        self.now[name] = [asked.version, asked.options, inputs, dict(step.outputs), asked.contracted]
        if step.cached or not self.told:
            return ""
        if step.stage.name in engine.force or "all" in engine.force:
            return "forced"
        try:
            version, options, before, outputs, *more = was  # records of older runs end here
            if version != asked.version:
                return "the tool changed"
            for (s, n, new, table), (_, _, old, old_table) in zip(inputs, before, strict=True):  # as the record has them
                if n in _NOUNS and new.get("artifact") != old.get("artifact"):
                    return self._changed(s, n, (old, old_table), (new, table))
            if options != asked.options:
                if step.stage.name in _BUDGETED and more[:1] in ([], [asked.contracted]):
                    return "the budget changed" if more else "the contract or the budget changed"
                return _OPTIONS.get(step.stage.name, "the contract changed")
            if outputs.get("artifact") != step.artifact:
                return "code that no row names changed"
        except Exception:  # the first time, or a record that is none of ours: it may say anything
            return ""
        return "the store has it no more" if step.stored else f"not kept: {step.unkept}"

    def last(self, side: str, dims: Mapping[str, int], stage: Stage) -> str:
        """Digest of the artifact of a stage of this version the last time; "" where nothing is known of it."""
        was: Any = self.before.get(_name(side, stage.name, dims))
        try:
            version, _, _, outputs, *_ = was
            digest = outputs["artifact"]
        except (TypeError, ValueError, KeyError):  # the first time, or a record that is none of ours
            return ""
        return str(digest) if version == stage.version() and is_digest(digest) else ""

    def _changed(self, side: str, stage: str, *both: tuple[_Outputs, str]) -> str:
        """The input that is another one, and in what it differs where its artifacts are there and not too large. `both`: its
        outputs, and the digest of the line table, before and now."""
        key = (side, stage, *((one.get("artifact", ""), table) for one, table in both))
        if key not in self.phrases:  # `check` and `vc` read the same program
            self.phrases[key] = self._phrase(side, stage, *both)
        return self.phrases[key]

    def _phrase(self, side: str, stage: str, *both: tuple[_Outputs, str]) -> str:
        whose = f"{side}'s {_NOUNS[stage]} changed" if side != "both" else f"the {_NOUNS[stage]} changed"
        try:
            sides = [{n: self.store.load(digest) for n, digest in one.items() if n != "lines"} for one, _ in both]
            tables: list[Any] = [self._lines(table) for _, table in both]
            if sum(len(part) for one in sides for part in one.values()) > _MOST_BYTES:
                return whose
            from volta_pipe.driver.changes import phrase

            return f"{whose}: {phrase(stage, sides[0], sides[1], *tables)}"
        except (ArtifactError, InputError, KeyError, ValueError, OSError):
            return whose  # no longer there

    def _table(self, side: str) -> str:
        """Digest of the line table of a side's kernel in this run, "" of a side that has none."""
        lowered = self.now.get(_name(side, "lower", {}))
        return str(lowered[3].get("lines", "")) if lowered is not None else ""

    def _lines(self, digest: str) -> Any:
        """Errors: ArtifactError, KeyError."""
        from volta_pipe.ir.lines import LineTable

        return LineTable.decode(bytes(self.store.load(digest)))

    def save(self) -> None:
        """Remembers what this run asked, and of the combinations of dims that it had what others asked of stages that it did
        not reach."""
        if self.now and self.store.exists:
            had = [name.split(" ", 2)[2:] for name in self.now]
            kept = {name: was for name, was in self.before.items() if str(name).split(" ", 2)[2:] in had}
            steps = kept | self.now
            if steps != self.before:  # a run that finds everything writes nothing
                self.store.record(self.key, STAGE, {}, {"steps": steps})


def again(step: Step) -> str:
    """How much of what a step does was not found in the store, "" where that is all or nothing is known."""
    computed, asked = step.classes
    return f"{computed} of {asked} classes {_DONE.get(step.stage.name, 'done')} again" if asked else ""


def _digest(options: Any) -> str:
    return hashlib.sha256(msgpack.packb(options)).hexdigest()


def _name(side: str, stage: str, dims: Mapping[str, int]) -> str:
    return f"{side} {stage} {dims_text(dims) if stage != 'lower' else ''}"


_OPTIONS = {
    "lower": "the PTX changed", "trace": "the reference changed", "dynamic": "the reference or the contract changed",
}  # fmt: skip

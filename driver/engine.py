"""Runs single stages with the store in front of them: look up, else compute and remember. All caching of the tool is here.

A result is kept for the outputs that its stage reads. Where it turns out to rest on less (no deferred input was asked for, and
the stage says so), it is kept for that alone, and is found again for all inputs which agree in it.

A step's value is loaded only when a later stage must be computed; when what the store holds turns out damaged at that moment,
the step is computed again. What rests on a budget that ran out, or on files that are no part of a key, is not stored."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from volta_pipe.driver.held import HELD
from volta_pipe.driver.memory import Memory
from volta_pipe.driver.records import Stamped
from volta_pipe.driver.stage import Job, Outputs, Stage
from volta_pipe.driver.stage_summaries import as_kept
from volta_pipe.driver.step import Step, error_data
from volta_pipe.driver.store import Store, action_key
from volta_pipe.ir.errors import ArtifactError, BudgetError, UnsupportedError, VoltaError


class StaleError(ArtifactError):
    """What a run was told by the store turned out to be wrong: it has to start again, without that."""


class Engine:
    """The store, what was run so far, and which stages are forced (computed even where the store has them)."""

    def __init__(self, store: Store, force: Sequence[str] = ()) -> None:
        self.store = store
        self.force = frozenset(force)
        self.steps: dict[str, Step] = {}
        self.line_tables: dict[str, Any] = {}  # by digest, for messages
        self.took: set[str] = set()  # stages parts of whose work were found in the store
        self.guard = threading.Lock()
        self.locks: dict[str, threading.Lock] = {}

    def step(
        self,
        stage: Stage,
        options: Any,
        inputs: Sequence[Step],
        job: Job,
        *,
        computing: contextlib.AbstractContextManager[None] | None,
    ) -> Step | None:
        """The step of `stage` on these inputs: from this run, from the store, or computed within `computing`; None where
        it would have to be computed and `computing` is None. Errors: InputError."""
        seen = [[step.outputs.get(name, step.artifact) for name in stage.reads] for step in inputs]
        key = action_key([stage.name, stage.version(), options, seen])
        general = ""
        if stage.general is not None:
            least = [step.artifact for step in inputs[: len(inputs) - stage.deferred]]
            general = action_key([stage.name, stage.version(), options, "general", least])
        with self.guard:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            step = self.steps.get(key)
            if step is None:
                step = self._find(stage, general, inputs, job) or self._find(stage, key, inputs, job)
                if step is None:
                    if computing is None:
                        return None
                    with computing:
                        step = self._compute(stage, (key, general), inputs, job)
                self.steps[key] = step
        return step

    def _find(self, stage: Stage, key: str, inputs: Sequence[Step], job: Job) -> Step | None:
        if not key or self._forced(stage):
            return None
        start = time.perf_counter()
        record = self.store.lookup(key)
        if record is None or record.stage != stage.name:
            return None
        if stage.doubt is not None and (why := stage.doubt(record, self.store)):
            self.store.forget(key)  # so that it is said once
            self.store.warn(f"store: record {key[:12]} of {stage.name}: {why}; computing it again")
            return None
        outputs = {name: stamped.digest for name, stamped in record.outputs.items()}
        seconds = time.perf_counter() - start
        return Step(stage, key, record.summary, outputs, True, seconds, True, lambda: self._run(stage, inputs, job))

    def _forced(self, stage: Stage) -> bool:
        return stage.name in self.force or "all" in self.force

    def _run(self, stage: Stage, inputs: Sequence[Step], job: Job, asked: list[Step] | None = None) -> Any:
        """The value of a stage; `asked` gets the deferred inputs that it asked for."""
        needed = len(inputs) - stage.deferred
        values = [self.value(step) for step in inputs[:needed]]

        def ask(step: Step) -> Any:
            if asked is not None:
                asked.append(step)
            return self.value(step)

        return stage.run(job, [*values, *(partial(ask, step) for step in inputs[needed:])])

    def _compute(self, stage: Stage, keys: tuple[str, str], inputs: Sequence[Step], job: Job) -> Step:
        """Computes a step and remembers it, by the second of `keys` where the result is a general one."""
        for step in inputs[: len(inputs) - stage.deferred]:  # not this stage's time
            self.value(step)
        start = time.perf_counter()
        outputs: Outputs = {}
        asked: list[Step] = []
        value, key = None, keys[0]
        keeps = not job.unkeyed and all(step.stored for step in inputs)
        memory = (
            Memory(self.store, stage.name, stage.version(), look=not self._forced(stage), took=self.took) if keeps else None
        )
        last = _Last(self, stage, job.was) if keeps and stage.same is not None and not self._forced(stage) else None
        job = replace(job, memory=memory, before=last.read if last is not None else lambda: None)
        unchanged = False
        try:
            value = self._run(stage, inputs, job, asked)
            summary = stage.summarize(value)
            unchanged = last is not None and last.is_of(value)
            outputs = {} if unchanged else stage.encode(value)
            if stage.general is not None and stage.general(value) and not asked:
                key = keys[1]
        except (UnsupportedError, BudgetError) as error:
            summary = {"error": error_data(error), "budget": isinstance(error, BudgetError)}
        except MemoryError:
            summary = {"error": error_data(BudgetError("the memory of this machine ran out")), "budget": True}
        summary = as_kept(summary)
        reasons = ["a budget ran out" if summary.get("budget") else job.unkeyed.why, *(step.unkept for step in inputs)]
        unkept = next(filter(None, reasons), "")
        stored = not unkept and all(step.stored for step in inputs)
        if stored:
            digests = {"artifact": job.was} if unchanged else {name: self.store.put(chunks) for name, chunks in outputs.items()}
            self.store.record(key, stage.name, digests, summary)
            self._hold(stage, digests, value)
        else:
            digests = {name: _digest(chunks) for name, chunks in outputs.items()}
        seconds = time.perf_counter() - start
        recompute = lambda: self._run(stage, inputs, job)  # noqa: E731
        partly = memory is not None and memory.computed < memory.asked
        classes = (memory.computed, memory.asked) if memory is not None and partly else (0, 0)
        return Step(stage, key, summary, digests, False, seconds, stored, recompute, classes=classes, held=value, unkept=unkept)

    def value(self, step: Step) -> Any:
        """The value of a step that has one."""
        with step.value_lock:
            if step.held is None and step.stored:
                try:
                    step.held = self._made_again(step) or self.read(step.stage, step.outputs)
                except ArtifactError as error:
                    self.store.warn(f"store: {step.stage.name}: {error}; computing it again")
            if step.held is None:
                step.held = step.recompute()
                self._restore(step)
            return step.held

    def read(self, stage: Stage, outputs: Mapping[str, str]) -> Any:
        """The value of a stage that has these outputs, as the store has them. Errors: ArtifactError."""
        held = HELD.get(self._stamp(outputs["artifact"])) if stage.size is not None else None
        if held is not None:
            return held
        value = stage.decode({name: self.store.load(digest) for name, digest in outputs.items()})
        self._hold(stage, outputs, value)
        return value

    def _made_again(self, step: Step) -> Any:
        """The value of a step whose stage is quick, where it is written as the record says; else None: what is stored counts.
        Errors: ArtifactError where that is damaged."""
        if not step.stage.again:
            return None
        for digest in step.outputs.values():
            self.store.load(digest)
        try:
            value = step.recompute()
        except VoltaError:  # a file that was changed in the meantime
            return None
        made = {name: _digest(chunks) for name, chunks in step.stage.encode(value).items()}
        return value if made == step.outputs else None

    def _hold(self, stage: Stage, outputs: Mapping[str, str], value: Any) -> None:
        """Errors: ArtifactError where the object is gone."""
        if stage.size is not None and outputs:
            HELD.put(self._stamp(outputs["artifact"]), value, stage.size(value))

    def _stamp(self, digest: str) -> Stamped:
        """Errors: ArtifactError where the object is not there."""
        try:
            return self.store.stamp(digest)
        except OSError as error:
            raise ArtifactError(f"object {digest[:12]} is missing: {error.strerror}") from None

    def confirm(self, step: Step) -> None:
        """Sees that a step which was found says what its stage says, where its record alone decides a verdict: that is data
        from outside. Errors: StaleError where it does not."""
        if step.cached and as_kept(step.stage.summarize(step.recompute())) != step.summary:
            self.store.forget(step.key)
            raise StaleError(f"the store's record of {step.stage.name} said what the stage does not; run again")

    def bytes_of(self, step: Step) -> dict[str, bytes | memoryview]:
        """The outputs of a step as they are written."""
        value = self.value(step)  # which mends what is damaged in the store
        if step.stored:
            return {name: self.store.load(digest) for name, digest in step.outputs.items()}
        return {
            name: chunks if isinstance(chunks, bytes) else b"".join(bytes(part) for part in chunks)
            for name, chunks in step.stage.encode(value).items()
        }

    def _restore(self, step: Step) -> None:
        """Writes the objects of a recomputed step again; a stage that gives other bytes than before is a defect."""
        outputs = step.stage.encode(step.held)
        digests = {name: self.store.put(c) if step.stored else _digest(c) for name, c in outputs.items()}
        if digests != step.outputs and (step.cached or step.classes[1]):  # others were looked up by these
            self.store.forget(step.key)
            raise StaleError(f"the store's record of {step.stage.name} named what the stage does not give; run again")
        if digests != step.outputs:
            raise VoltaError(f"stage {step.stage.name} gave another result for the same inputs; run again with --force all")
        if step.stored:
            self.store.record(step.key, step.stage.name, digests, step.summary)


class _Last:
    """What a stage gave the last time that the contract was run. That is named by a record of the store, which is data from
    outside: the stage has to see for itself whether it would give it again."""

    def __init__(self, engine: Engine, stage: Stage, digest: str) -> None:
        self._engine, self._stage, self._digest = engine, stage, digest
        self._value: Any = None

    def read(self) -> Any:
        """Its value; None where it is not there any more, or damaged."""
        if self._value is None and self._digest:
            with contextlib.suppress(ArtifactError):
                self._value = self._engine.read(self._stage, {"artifact": self._digest})
                self._engine.took.add(self._stage.name)
        return self._value

    def is_of(self, value: Any) -> bool:
        """Whether `value` is of the same artifact."""
        return self._value is not None and self._stage.same is not None and self._stage.same(value, self._value)


def _digest(chunks: Any) -> str:
    sha = hashlib.sha256()
    for part in [chunks] if isinstance(chunks, bytes | memoryview) else chunks:
        sha.update(part)
    return sha.hexdigest()

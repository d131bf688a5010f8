"""What a stage is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.memory import Memory
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.records import Record
from volta_pipe.driver.spec_reads import Unkeyed
from volta_pipe.driver.store import Chunks, Store
from volta_pipe.ir.ptx.lazy import LazyModule

ORDER = ("lower", "unroll", "check", "vc", "canon", "decide")
# Bytes of an output by name; `artifact` is the one that later stages depend on.
Outputs = dict[str, Chunks]


@dataclass(frozen=True)
class Job:
    """What a stage needs besides the values of earlier stages. `kernel`: the side's launched kernel (the candidate's for
    canon and decide); `spec`: the NumPy function for `trace`; `externs`: extern functions and what they compute; `progress`
    gets executed thread-instructions; `chosen_ctas`: a spec is compared with what some CTAs of the candidate write; `other`:
    the reference's kernel for `dynamic`, where it is one; `ieee`: infinities and NaNs must come out; `unkeyed` gets what
    a stage rested on that is no part of its key, so that its result must not be kept; `digests`: of the PTX and specs that keys
    were made with, by path, and a stage that finds another content raises InputError; `memory`: where parts of what a stage
    does are kept, None where nothing may be; `was`: digest of the stage's artifact the last time that the contract was run,
    "" where nothing is known of it; `before` gives its value then, or None."""

    kernel: KernelPlan
    max_steps: int
    max_memory: int
    constants: str
    progress: Callable[[int], None]
    spec: SpecReference | None = None
    externs: tuple[tuple[str, str], ...] = ()
    chosen_ctas: bool = False
    other: KernelPlan | None = None
    ieee: bool = False
    unkeyed: Unkeyed = field(default_factory=Unkeyed)
    digests: Mapping[Path, str] = field(default_factory=dict)
    memory: Memory | None = None
    was: str = ""
    before: Callable[[], Any] = lambda: None


@dataclass(frozen=True)
class Stage:
    """One stage. `run(job, values of earlier stages)`; `encode` and `decode` its value; `summarize`: plain data (see
    `records.Record`) that the driver reads where everything is cached; `version`: part of the cache key; `deferred`: how many
    of the last values are given as functions, as they are hardly ever needed; `reads`: the outputs of earlier stages that are
    part of the key; `general(value)`: whether it rests on the `artifact`s of the values that are no functions alone; `doubt`:
    why a record is not to be believed, or ""; `again`: its value is sooner made again than decoded, which is done where it is
    written with the same bytes; `size`: bytes of a value that takes long to decode (held.py); `same(value, value of the last
    time)`: whether they are known to have the same artifact, their one output, without a look at all of it."""

    name: str
    run: Callable[[Job, Sequence[Any]], Any]
    encode: Callable[[Any], Outputs]
    decode: Callable[[Mapping[str, memoryview]], Any]
    summarize: Callable[[Any], dict[str, Any]]
    version: Callable[[], str]
    deferred: int = 0
    reads: tuple[str, ...] = ("artifact",)
    general: Callable[[Any], bool] | None = None
    doubt: Callable[[Record, Store], str] | None = None
    again: bool = False
    size: Callable[[Any], int] | None = None
    same: Callable[[Any, Any], bool] | None = None


@dataclass(frozen=True)
class LoweredValue:
    """What `lower` gives: a module (of xDSL, when asked for), its lines, the entry's parameters as [name, type, size], and
    what `Lowered` says of externs, variables, assumptions and resources; all but module and lines are in the summary only."""

    made: LazyModule
    lines: Any
    parameters: tuple[tuple[str, str, int], ...] = ()
    externs: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str, int], ...] = ()
    assumptions: tuple[str, ...] = ()
    resources: Any = None

    @property
    def module(self) -> Any:
        """The module of xDSL."""
        return self.made.module

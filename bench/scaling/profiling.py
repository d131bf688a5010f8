"""Where time goes within the stages: cProfile in a process of its own, where nothing runs side by side.

A call of compiled code is one of its entry, which numba tells cProfile; what is called within it is not seen."""

from __future__ import annotations

import cProfile
import json
import os
import pstats
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.paper.variants import variant
from bench.runs import ROOT
from bench.scaling.studies import Series

TOP = 3  # functions of a stage
_BUILT_IN = re.compile(r"<(?:built-in )?method '?([\w.]+)'?(?: of '([\w.]+)' objects)?>|<(.+)>")


@dataclass(frozen=True)
class Share:
    """name: module:function; part: its own time, of the stage's time in the profile."""

    name: str
    part: float


Profile = Mapping[str, tuple[Share, ...]]  # by stage, the largest first


def profile(series: Series, size: int) -> Profile:
    """The functions that take the most time at a size. Errors: SystemExit where the child fails."""
    with tempfile.TemporaryDirectory() as folder:
        contracts = []
        for name, dims in (("small", series.at(series.sizes[0])), ("large", series.at(size))):
            (Path(folder) / name).mkdir()
            contracts.append(str(variant(series.contract, Path(folder) / name, dims)))
        command = [sys.executable, "-m", "bench.scaling.profiling", *contracts]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{series.name}, {size}: the profile ended with status {done.returncode}")
    return {stage: tuple(Share(*share) for share in shares) for stage, shares in json.loads(done.stdout).items()}


def function_name(file: str, name: str) -> str:
    """module:function, without what all modules of the project begin with; of what is no Python, its name alone."""
    found = _BUILT_IN.fullmatch(name)
    if file == "~" and found:
        return f"{found[2]}.{found[1]}" if found[2] else found[1] or found[3]
    path = Path(os.path.realpath(file))
    inside = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts[-2:]
    if "site-packages" in path.parts:  # which may lie in the checkout, too
        inside = path.parts[path.parts.index("site-packages") + 1 :]
    words = [*inside[1 if inside[0] in {"passes", "volta_pipe"} else 0 :]]
    return f"{'.'.join(words).removesuffix('.py').removesuffix('.__init__')}:{name}"


def largest(stats: Mapping[tuple[str, int, str], tuple[Any, ...]], top: int = TOP) -> list[Share]:
    """Of pstats' table, by own time (functions of one name added up)."""
    own: dict[str, float] = {}
    for (file, _, name), (_, _, seconds, *_) in stats.items():
        shown = function_name(file, name)
        own[shown] = own.get(shown, 0.0) + seconds
    total = sum(own.values()) or 1.0
    return [Share(name, seconds / total) for name, seconds in sorted(own.items(), key=lambda one: -one[1])[:top]]


class _Watched:
    """Profiles calls, those of one stage together."""

    def __init__(self) -> None:
        self.profiles: dict[str, cProfile.Profile] = {}

    def around(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        """`compute`, a method of the driver's engine that runs a stage and writes what it made, profiled."""

        def call(engine: Any, stage: Any, *rest: Any) -> Any:
            one = self.profiles.setdefault(stage.name, cProfile.Profile())
            one.enable()
            try:
                return compute(engine, stage, *rest)
            finally:
                one.disable()

        return call


class _InTurn(threading.Thread):
    """A thread that does its work when it is started, before its starter goes on: cProfile sees one thread."""

    def start(self) -> None:
        self.run()

    def join(self, timeout: float | None = None) -> None:
        """It has ended."""


def main(small: str, large: str) -> None:
    """Runs `small` to load everything, then `large`, whose profile it prints as JSON."""
    from volta_pipe.driver.combination import Options
    from volta_pipe.driver.engine import Engine
    from volta_pipe.driver.session import verify
    from volta_pipe.driver.store import Store

    def run(contract: str) -> None:
        with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
            document = verify(contract, store, Options(jobs=1)).document
        if document["verdict"] != "equivalent":
            raise SystemExit(f"{contract}: {document['verdict']}")

    run(small)
    watched = _Watched()
    threading.Thread = _InTurn  # type: ignore[misc]
    Engine._compute = watched.around(Engine._compute)  # type: ignore[method-assign]
    run(large)
    shares = {name: largest(pstats.Stats(one).stats) for name, one in watched.profiles.items()}  # type: ignore[attr-defined]
    print(json.dumps({name: [(share.name, share.part) for share in found] for name, found in shares.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Runs that are killed at any moment, runs at the same time, and `store gc` beside them: the store verifies after each, and the
next run gives the right verdict."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from volta_pipe.driver.store import Store
from volta_pipe.driver.upkeep import damaged

ROOT = Path(__file__).resolve().parents[2]
CODE = "from volta_pipe.driver.cli import main; main()"
CONTRACT = "examples/axpy/volta.toml"
RIGHT = (0, "equivalent: axpy, one thread an element against a grid-stride loop\n")
IN_USE = "the store is in use by another run; try again when it has ended"
_LONGEST = 300.0  # seconds that one command may take on a busy machine


@dataclass
class Score:
    """What was seen. `left`: stray files that killed runs left behind; `early`: kills before the run had ended by itself."""

    tries: int = 0
    early: int = 0
    left: int = 0
    busy: int = 0
    wrong: list[str] = field(default_factory=list)


def started(store: Path, *arguments: str, **more: str) -> subprocess.Popen[str]:
    """A command on a store."""
    environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)), "VOLTA_STORE": str(store), **more}
    command = [sys.executable, "-c", CODE, *arguments]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(store: Path, **more: str) -> subprocess.Popen[str]:
    """A run of the contract."""
    return started(store, "run", CONTRACT, "--quiet", **more)


def ended(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    out, err = child.communicate(timeout=_LONGEST)
    return child.returncode, out, err


def _judge(score: Score, what: str, store: Path, results: Sequence[tuple[int, str, str]]) -> None:
    """Each run gave the right verdict without a warning, and the store is sound."""
    for code, out, err in results:
        if (code, out) != RIGHT or _without_notes(err):
            score.wrong.append(f"{what}: exit code {code}, {out.strip()!r}, {err.strip()!r}")
    with Store(store) as opened:
        score.wrong += [f"{what}: {line}" for line in damaged(opened)]
        score.left += sum(len(opened.files(kind, temporary=True)) for kind in ("objects", "actions"))


def killed(count: int, folder: Path, seed: int = 0) -> Score:
    """Kills so many runs at random moments: of a run on an empty store, and of one that goes on with what is left of it."""
    score = Score()
    store = folder / "store"
    _judge(score, "first run", store, [ended(run(store))])  # loads and compiles
    shutil.rmtree(store)
    begin = time.perf_counter()
    _judge(score, "second run", store, [ended(run(store))])
    length = time.perf_counter() - begin
    draw = random.Random(seed)
    for i in range(count):
        if i % 2 == 0:
            shutil.rmtree(store, ignore_errors=True)
        child = run(store)
        time.sleep(length * draw.uniform(0.05, 1.0))
        score.tries += 1
        score.early += child.poll() is None
        child.send_signal(signal.SIGKILL)
        ended(child)
        if store.exists():
            _judge(score, f"kill {i}", store, [])
        if i % 2 == 1:
            _judge(score, f"run after kill {i}", store, [ended(run(store))])
    return score


def paired(count: int, folder: Path, *, collect: bool = False) -> Score:
    """So many times two runs at once on one store, which is empty every second time; with `collect` a third command removes
    what it can, and a limit makes runs make room, too."""
    score = Score()
    store = folder / "store"
    limit = {"VOLTA_STORE_SIZE": "40K"} if collect else {}
    for i in range(count):
        if i % 2 == 0:
            shutil.rmtree(store, ignore_errors=True)
        children = [run(store, **limit), run(store, **limit)]
        if collect:
            children.append(started(store, "store", "gc", "--max-size", "20K"))
        results = [ended(child) for child in children]
        score.tries += 1
        if collect:
            code, _, err = results.pop()
            if code and IN_USE in err:
                score.busy += 1
            elif code or _without_notes(err):
                score.wrong.append(f"gc {i}: exit code {code}, {err.strip()}")
        _judge(score, f"pair {i}", store, results)
    return score


def _without_notes(err: str) -> str:
    """Without what is said of waiting, of making room, and of loops that are compiled first."""
    notes = ("has been cleaned up by another command", "of what was used least recently are gone", "compiling its own loops")
    return "\n".join(line for line in err.splitlines() if not any(note in line for note in notes))

"""What a run shows while it goes on: a line a stage, a notice where its own code is compiled first, and progress on anything
over two seconds (on a terminal only)."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, TextIO

from volta_pipe.driver.api.verdict import json_text
from volta_pipe.driver.compiling import NOTICE, cold
from volta_pipe.driver.pipeline import Watch
from volta_pipe.driver.places import dims_text
from volta_pipe.driver.step import Step

ERROR_SCHEMA = "volta-pipe/error/1"  # of a document that says why there is no other
PATIENCE = 2.0  # seconds before progress is shown
_REFRESH = 0.25


class Screen(Watch):
    """Prints a line for each finished step to `out` (None: quiet), and shows progress on standard error. `brief`: steps that
    were in the store are counted, on one line at the end."""

    def __init__(self, out: TextIO | None, *, progress: bool = True, brief: bool = False) -> None:
        self.out = out
        self.brief = brief
        self.cached = 0  # steps that were counted
        self.wants_reasons = out is not None
        self.lock = threading.RLock()
        self.running: dict[tuple[str, str, str], tuple[float, int]] = {}
        self.status: Any = None
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None
        self.wanted = progress and sys.stderr.isatty()
        self.asked: set[str] = set()  # stages of which it is known whether they compile
        self.noticed = False

    def start(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        self._notice(stage)
        with self.lock:
            self.running[side, dims_text(dims), stage] = (time.perf_counter(), 0)
            if self.wanted and self.thread is None:
                self.thread = threading.Thread(target=self._show, daemon=True)
                self.thread.start()

    def _notice(self, stage: str) -> None:
        """Says once a run that something has to be compiled before the stages can go on, on standard error."""
        with self.lock:
            if self.noticed or stage in self.asked:
                return
            self.asked.add(stage)
        if cold(stage):
            with self.lock:
                if not self.noticed:
                    print(NOTICE, file=sys.stderr, flush=True)
                self.noticed = True

    def progress(self, side: str, dims: Mapping[str, int], stage: str, steps: int) -> None:
        key = (side, dims_text(dims), stage)
        with self.lock:
            if key in self.running:
                self.running[key] = (self.running[key][0], steps)

    def end(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        with self.lock:
            self.running.pop((side, dims_text(dims), stage), None)

    def report(self, side: str, dims: Mapping[str, int], step: Step) -> None:
        if self.out is None:
            return
        if self.brief and step.cached:
            with self.lock:
                self.cached += 1
            return
        name = side if side != "both" else ""
        how = "cached" if step.cached else "ran"
        artifact = step.artifact[:12] or "-"
        where = dims_text(dims) if step.stage.name != "lower" else ""
        with self.lock:
            line = f"{step.stage.name:<7} {name:<10} {how:<7} {step.seconds:8.3f} s  {artifact:<12}  {where}"
            why = f"  ({step.why})" if step.why else ""
            print(line.rstrip() + why, file=self.out, flush=True)

    def close(self) -> None:
        """Takes the progress line off the screen."""
        self.ended.set()
        if self.thread is not None:
            self.thread.join()
        if self.cached:
            print(f"{self.cached} cached", file=self.out, flush=True)
            self.cached = 0

    def _show(self) -> None:
        while not self.ended.wait(_REFRESH):
            now = time.perf_counter()
            with self.lock:
                slow = [(key, now - since, steps) for key, (since, steps) in self.running.items() if now - since > PATIENCE]
                self._update(" · ".join(_text(*entry) for entry in slow))
        with self.lock:
            self._update("")

    def _update(self, text: str) -> None:
        if not text:
            if self.status is not None:
                self.status.stop()
                self.status = None
            return
        if self.status is None:
            from rich.console import Console

            self.status = Console(stderr=True).status("")
            self.status.start()
        self.status.update(text)


def print_json(data: Mapping[str, Any], *, line: bool = False) -> None:
    """Prints a document in UTF-8 whatever the locale is, so that it is the same bytes everywhere (RFC 8259, section 8.1);
    `line`: on one line, and at once."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    print(json_text(data, line=line), flush=line)


def _text(key: tuple[str, str, str], seconds: float, steps: int) -> str:
    side, dims, stage = key
    count = f", {steps / 1e6:.1f} M thread-instructions" if steps else ""
    return f"{stage} {side if side != 'both' else ''} {dims} {seconds:.0f} s{count}".replace("  ", " ")

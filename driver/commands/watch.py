"""`volta-pipe run --watch`: the verdict again, whenever a file of the contract changes, in one process that stays warm."""

from __future__ import annotations

import gc
import importlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from volta_pipe.driver.api.verdict import verdict_of
from volta_pipe.driver.commands.run import print_verdict
from volta_pipe.driver.contract import MAX_BYTES
from volta_pipe.driver.error_line import BAD_INPUT, INTERRUPTED, error_line, say
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.options import check_force
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.screen import ERROR_SCHEMA, Screen, print_json
from volta_pipe.driver.session import opened
from volta_pipe.driver.streams import OutputError
from volta_pipe.driver.versions import ROOT
from volta_pipe.driver.watching.files import ContractFiles, Snapshot, own_sources
from volta_pipe.driver.watching.turns import turns
from volta_pipe.ir.errors import InputError

_BLANK = "\n"  # between two turns
_COMPUTES = "volta_pipe.passes.vc.machine"  # what is imported once something is computed
# What only kernels with findings need: an edit may make one of these.
_FINDS = ("volta_pipe.passes.check.arithmetic", "volta_pipe.passes.unroll.probe", "volta_pipe.passes.lower.build")


class _Listening(Screen):
    """A screen that also tells which files a spec read."""

    files: ContractFiles

    def read(self, paths: Sequence[str]) -> None:
        self.files.also(paths)


def _load() -> None:
    """While nobody waits: the code that an edit may need, and this verdict did not."""
    if _COMPUTES not in sys.modules:  # all of it was in the store
        from volta_pipe.driver.serving.preload import preload

        preload()
    for name in _FINDS:
        importlib.import_module(name)


class Watching:
    """The turns of one command. `force` holds for the first of them."""

    def __init__(
        self, contract: str, store: str | None, options: Options, force: Sequence[str], *, json: bool, quiet: bool
    ) -> None:
        self.contract, self.store, self.options, self.force = contract, store, options, force
        self.json, self.quiet = json, quiet
        self.out = sys.stderr if json else sys.stdout
        self.files = ContractFiles(Path(contract))
        self.own = own_sources(ROOT)
        self.busy = True

    def run(self, rounds: Callable[[Callable[[], Snapshot], Snapshot], Iterable[list[Path]]] = turns) -> int:
        """Until an interrupt; the exit code: that of the last verdict, or 130 where one was being worked on. Errors: InputError
        where there is no contract to begin with, or the tool itself has changed."""
        code = INTERRUPTED
        try:
            for files in rounds(self.files.snapshot, self.files.read):
                self.busy = True
                code = self.turn(files)
                self.busy = False
                _load()
                gc.collect()  # the command line switches the automatic one off
        except KeyboardInterrupt:
            return INTERRUPTED if self.busy else code
        return code

    def turn(self, files: list[Path]) -> int:
        """One verdict, or error, printed; its exit code. `files`: what changed. Errors: InputError."""
        if own_sources(ROOT) != self.own:
            raise InputError("the files of volta-pipe itself have changed: start it again")
        changed = f"changed: {', '.join(map(str, files))}" if files else ""
        self._say(f"{'' if self.json else _BLANK}{changed}" if changed else "")
        start = time.perf_counter()
        try:
            brief = bool(files) and not self.json  # what is not new would push the verdict off the screen
            screen = _Listening(None if self.quiet else self.out, progress=not self.quiet, brief=brief)
            screen.files = self.files
            force, self.force = self.force, ()
            with opened(self.contract, self.store, self.options, force=force, watch=screen) as session:
                verdict = verdict_of(session)
            code = verdict.exit_code
            if self.json:
                print_json(verdict.document, line=True)
            else:
                print_verdict(verdict, quiet=self.quiet)
        except (OutputError, BrokenPipeError):
            raise
        except Exception as error:  # shown, and the next change may mend it
            if self.json:
                print_json({"schema": ERROR_SCHEMA, "error": error_line(error)}, line=True)
            say(error_line(error))
            code = BAD_INPUT
        seconds = f"  {time.perf_counter() - start:.2f} s"
        self._say(f"{seconds}; waiting for a change of {len(self.files.snapshot())} files (Ctrl-C ends)")
        sys.stdout.flush()
        if self.quiet and not self.json:  # aside, so that standard output has one line a turn
            print("; ".join(filter(None, (seconds, changed))), file=sys.stderr, flush=True)
        return code

    def _say(self, line: str) -> None:
        if line and not self.quiet:
            print(line, file=self.out, flush=True)


def watch_command(contract: str, store: str | None, options: Options, force: Sequence[str], *, json: bool, quiet: bool) -> int:
    """Runs and prints until an interrupt; returns the exit code. Errors: InputError."""
    check_force(force)
    read_bytes(Path(contract), "contract", MAX_BYTES)  # a name that is wrong would be waited for
    return Watching(contract, store, options, force, json=json, quiet=quiet).run()

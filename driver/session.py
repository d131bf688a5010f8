"""One run of a contract from file to verdict: what the commands and the Python API share."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.contract_parts import KernelSpec
from volta_pipe.driver.engine import Engine, StaleError
from volta_pipe.driver.layers import check_chosen
from volta_pipe.driver.pipeline import Combination, Options, Pipeline, Watch
from volta_pipe.driver.shortages import shortage
from volta_pipe.driver.spec_check import check_text
from volta_pipe.driver.stage import Stage
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store, print_warning
from volta_pipe.driver.streams import OutputError
from volta_pipe.driver.tensors import forget_digests
from volta_pipe.driver.verdict import document
from volta_pipe.ir.errors import InputError, UnsupportedError

DEFAULT_STORE = "artifacts"
_ATTEMPTS = 8  # to go on with what is left of the store
_CLOCK = 1.0  # seconds by which files that a checkout wrote together can differ


@dataclass(frozen=True)
class Session:
    """A finished run. `engine` still gives the values of its steps while the store is open."""

    contract: Contract
    combinations: list[Combination]
    engine: Engine
    document: dict[str, Any]


def store_folder(given: str | None) -> Path:
    """The store to use: `given`, else $VOLTA_STORE, else `artifacts/`."""
    return Path(given or os.environ.get("VOLTA_STORE") or DEFAULT_STORE)


def newer(source: Path, ptx: Path) -> bool:
    """Whether a source was written after the PTX that was made of it."""
    try:
        return source.stat().st_mtime > ptx.stat().st_mtime + _CLOCK
    except OSError:  # gone in the meantime
        return False


def _warn_of_newer_sources(contract: Contract, store: Store) -> None:
    """Where a kernel's source was edited after its PTX was made: the PTX is what is proved."""
    kernels = [k for k in (contract.reference, contract.candidate) if isinstance(k, KernelSpec) and k.compiled_from is not None]
    for source, ptx in dict.fromkeys((kernel.compiled_from, kernel.path) for kernel in kernels):
        assert source is not None
        if newer(source, ptx):
            store.warn(f"{source} is newer than {ptx}, which is what is proved: compile it again")


def verify(
    contract: Contract | str | Path,
    store: Store,
    options: Options | None = None,
    *,
    force: Sequence[str] = (),
    watch: Watch | None = None,
    stages: Mapping[str, Stage] | None = None,
) -> Session:
    """Runs a contract through the stages, with all files as they are now. Errors: InputError on anything wrong with what the
    user gave."""
    forget_digests()
    read = contract if isinstance(contract, Contract) else read_contract(contract)
    check_text(read)
    _warn_of_newer_sources(read, store)
    chosen = options or Options()
    check_chosen(read, chosen)
    cached: set[str] = set()

    def attempt(forced: Sequence[str], watch: Watch | None = watch) -> Session:
        engine = Engine(store, forced)
        try:
            combinations = Pipeline(read, engine, chosen, watch or Watch(), STAGES if stages is None else stages).run()
            return Session(read, combinations, engine, document(read, combinations, engine, chosen))
        except Exception:
            cached.update(engine.took, (step.stage.name for step in engine.steps.values() if step.cached))
            raise

    return _trusting(attempt, force, store, cached)


def _trusting(attempt: Callable[..., Session], force: Sequence[str], store: Store, cached: set[str]) -> Session:
    """`attempt`, made again where it failed on what the store holds: artifacts are data from outside, and one that decodes may
    still be nothing that a stage gives. The last attempt takes nothing from the store. `cached` gets the stages of which an
    attempt took something.

    Errors: those of an attempt that took nothing from the store."""
    for _ in range(_ATTEMPTS):
        try:
            return attempt(force)
        except InputError as error:
            # What a kernel's parameters are is told by the record of `lower`; a contract that does not fit is mostly that.
            if "lower" not in cached:
                raise
            with contextlib.suppress(InputError):
                found = attempt([*force, "lower"], Watch())
                store.warn("store: a record of lower was wrong; computed it again")
                return found
            raise error from None
        except (UnsupportedError, OutputError, BrokenPipeError):  # the last two: of what hears of the run
            raise
        except StaleError as error:
            store.warn(f"store: {error.message.removesuffix('; run again')}; starting again")
        except Exception as error:
            if not cached or shortage(error):
                raise
            store.warn(f"store: an artifact made a stage fail ({type(error).__name__}: {error}); computing everything again")
            break
        cached.clear()
    return attempt([*force, "all"])


@contextmanager
def opened(
    contract: Contract | str | Path,
    store: str | None,
    options: Options,
    *,
    force: Sequence[str] = (),
    watch: Watch | None = None,
    warn: Callable[[str], None] = print_warning,
) -> Iterator[Session]:
    """A finished run whose store, a folder (None: the usual one), is open. Errors: as of `verify`."""
    heard = watch or Watch()
    with Store(store_folder(store), warn) as found:
        try:
            session = verify(contract, found, options, force=force, watch=heard)
        finally:
            heard.close()
        yield session

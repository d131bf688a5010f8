"""What the tool makes of one PTX file of the corpus: against its spec, against itself, and on concrete inputs."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from table import TABLE, Entry

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.expectations import Expectation, expectation
from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.pipeline import Options, Pipeline, Watch
from volta_pipe.driver.plan import plan
from volta_pipe.driver.replaying import Difference, differences
from volta_pipe.driver.session import Session
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import document
from volta_pipe.ir.errors import BudgetError, InputError, UnsupportedError
from volta_pipe.ir.findings import UNSUPPORTED_KINDS
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.program import Program

SEED = 1
# Which contents are given before the launch, the weakest first. Where control or addresses depend on data, a program exists
# only for known data; floats are left symbolic as long as that is enough.
GIVEN = ("", "integers", "contents")
# dtypes whose known contents `Tensor.known_bytes` takes.
_KNOWN_FLOATS = ("f64", "f32", "f16")


@dataclass(frozen=True)
class Proof:
    """A verdict, and the kind and message of the first finding or open question ("" where there is none)."""

    verdict: str
    kind: str = ""
    message: str = ""

    def __str__(self) -> str:
        kind = f" ({self.kind})" if self.kind else ""
        return f"{self.verdict}{kind}" + (f": {self.message}" if self.message else "")


@dataclass(frozen=True)
class Concrete:
    """Runs of all combinations of dims. `state`: agrees, differs, or "not run" with the reason as `message`; `worst`: the
    difference nearest to (or farthest beyond) its tolerance; `shapes`: combinations compared, `elements`: in all; `given`:
    what had to be known before the launch, see GIVEN."""

    state: str
    message: str = ""
    worst: Difference | None = None
    shapes: int = 0
    elements: int = 0
    given: str = ""


@dataclass(frozen=True)
class Outcome:
    """One file. `expected`: what the contract expects; `met`: whether that came out; `text`: what goes wrong with its printed
    texts, "" where nothing does or nothing was tried."""

    entry: Entry
    expected: str
    met: bool
    proof: Proof
    itself: Proof
    concrete: Concrete
    text: str = ""


class _NothingMoreError(Exception):
    """No further contents can be given."""


def contract_of(entry: Entry, *, smallest: bool = False) -> Contract:
    """The contract with this maker's PTX; `smallest`: at the least value of each dim only."""
    contract = _read(entry.contract)
    candidate = replace(contract.candidate, source=entry.ptx.name, path=entry.ptx)
    dims = tuple((name, (min(values),)) for name, values in contract.dims) if smallest else contract.dims
    return replace(contract, candidate=candidate, dims=dims)


@lru_cache(maxsize=512)
def _read(path: Path) -> Contract:
    return read_contract(path)


def run(contract: Contract, engine: Engine, last: str = "") -> Session:
    """The contract through the stages up to `last`. Errors: InputError."""
    options = Options(last, jobs=1)
    combinations = Pipeline(contract, engine, options, Watch()).run()
    return Session(contract, combinations, engine, document(contract, combinations, engine, options))


def outcome(entry: Entry, store: Store, *, smallest: bool = False) -> Outcome:
    """Everything about one file; `smallest`: at its smallest dims only."""
    contract = contract_of(entry, smallest=smallest)
    engine = Engine(store)
    wanted = expected_of(entry)
    concrete = concrete_run(contract, engine)
    try:
        session = run(contract, engine)
        met, proof = wanted.met_by(session), proof_of(session)
    except InputError as error:
        met, proof = False, Proof("error", "", error.message)
    return Outcome(entry, str(wanted), met, proof, equal_to_itself(contract, engine), concrete)


def expected_of(entry: Entry) -> Expectation:
    """What the contract expects of a file: the line `# expect -fast: …` is for makers whose name ends so."""
    for line in entry.contract.read_text().splitlines():
        suffix, colon, wanted = line.removeprefix("# expect ").partition(":")
        if line.startswith("# expect ") and colon and entry.maker.endswith(suffix):
            verdict, _, kind = wanted.strip().partition(" ")
            return Expectation(verdict, kind)
    return expectation(entry.contract)


def equal_to_itself(contract: Contract, engine: Engine) -> Proof:
    """The kernel as its own reference."""
    same = replace(contract, reference=replace(contract.candidate, side="reference"))
    try:
        return proof_of(run(same, engine))
    except InputError as error:
        return Proof("error", "", error.message)


def proof_of(session: Session) -> Proof:
    """The verdict with its first reason."""
    found = session.document
    verdict = str(found["verdict"])
    if found["findings"]:
        # The verdict is the worst of several findings: the first that is of its kind tells why.
        refused = {*UNSUPPORTED_KINDS, "budget"}
        one = next((f for f in found["findings"] if verdict != "unsafe" or f["kind"] not in refused), found["findings"][0])
        return Proof(verdict, one["kind"], one["message"] + _where(one))
    return Proof(verdict, "", found["reasons"][0]["message"] if found["reasons"] else "")


def _where(finding: dict[str, Any]) -> str:
    source = finding["source"]
    if source:
        return f" [{source['file']}:{source['line']}]"
    return f" [PTX line {finding['ptx_line']}]" if finding["ptx_line"] else ""


def concrete_run(contract: Contract, engine: Engine) -> Concrete:
    """Every combination of dims on random contents, compared with the spec. As little is known before the launch as will do."""
    refusal = ""
    for given in GIVEN:
        try:
            return _compared(contract, engine, given)
        except _NothingMoreError:
            continue
        except (UnsupportedError, BudgetError) as error:
            refusal = error.message
        except InputError as error:
            return Concrete("not run", error.message)
    return Concrete("not run", refusal)


def _compared(contract: Contract, engine: Engine, given: str) -> Concrete:
    found: list[Difference] = []
    dims = contract.combinations()
    with tempfile.TemporaryDirectory() as folder:
        for place, one in enumerate(dims):
            single = replace(contract, dims=tuple((name, (value,)) for name, value in one.items()))
            session = run(_known(single, given, folder, place), engine, "check")
            if session.document["findings"]:
                raise UnsupportedError(str(proof_of(session)))
            found += differences(session.combinations[0], engine, SEED)
    worst = max(found, key=lambda d: (not d.close, d.relative / d.allowed if d.allowed else d.relative), default=None)
    state = "agrees" if all(d.close for d in found) else "differs"
    return Concrete(state, "", worst, len(dims), sum(d.compared for d in found), given)


def _known(contract: Contract, given: str, folder: str, place: int) -> Contract:
    """The contract with the contents that `given` names: files in `folder`, drawn as `differences` draws them."""
    if not given:
        return contract
    (dims,) = contract.combinations()
    contents = random_contents(plan(contract, dims).candidate, SEED)
    tensors, changed = [], False
    for tensor in contract.tensors:
        wanted = DTYPES[tensor.dtype].kind != "f" or (given == "contents" and tensor.dtype in _KNOWN_FLOATS)
        if wanted and tensor.name in contents:
            path = Path(folder) / f"{place}-{tensor.name}.npy"
            np.save(path, contents[tensor.name])
            tensor, changed = replace(tensor, values=path), True
        tensors.append(tensor)
    if not changed:
        raise _NothingMoreError
    return replace(contract, tensors=tuple(tensors))


def lowered_kernel(contract: Contract, engine: Engine) -> tuple[Any, LineTable, Program | None] | None:
    """Of the first combination: the module with its lines, and the program if there is one; None where nothing was lowered."""
    try:
        session = run(contract, engine, "unroll")
    except InputError:
        return None
    steps = session.combinations[0].steps
    lower, unroll = steps.get(("candidate", "lower")), steps.get(("candidate", "unroll"))
    if lower is None or lower.error:
        return None
    value = engine.value(lower)
    return value.module, value.lines, engine.value(unroll) if unroll is not None and not unroll.error else None


def first_entries(names: Sequence[str] = ()) -> list[Entry]:
    """The file of each kernel's first maker."""
    return [Entry(family, kernel, makers[0]) for family, kernels in TABLE.items() for kernel, makers in kernels.items()
            if not names or family in names or f"{family}/{kernel}" in names]  # fmt: skip

"""The two sides of a comparison: artifacts of the store by their digests, or what a stage makes of contracts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volta_pipe.driver.commands.artifacts import Artifact, load, one_artifact
from volta_pipe.driver.commands.reached import OF_BOTH, StoppedError, at_dims, step_of
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.elements import Shapes
from volta_pipe.driver.findings import line_table, shapes
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store
from volta_pipe.driver.verdict import EXIT_CODES
from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.ir.lines import LineTable

UNDECIDED = EXIT_CODES["unknown"]  # of two artifacts of which one is not there
_ENDLESS = 1 << 62  # elements of a tensor whose shape is not known: its elements are numbered


@dataclass(frozen=True)
class Side:
    """One artifact. label: what it is, in words; outputs: of the stage by name, as far as they are known; lines: of the kernel;
    shapes: of the contract's tensors, None where there is only a digest."""

    label: str
    stage: str
    output: str
    digest: str
    outputs: Mapping[str, bytes | memoryview]
    lines: LineTable | None
    shapes: Shapes | None

    def value(self) -> Any:
        """What the stage made (of `lower`, the text). Errors: InputError where it is damaged."""
        data = self.outputs["artifact"]
        if self.stage == "lower":
            return str(data, "utf-8")
        try:
            return STAGES[self.stage].decode({name: memoryview(part) for name, part in self.outputs.items()})
        except ArtifactError as error:
            raise InputError(f"{self.label}: {error}; run the contract again to compute it") from None

    def known_shapes(self, tensors: tuple[str, ...]) -> Shapes:
        """The shapes of tensors; without a contract, one dimension that numbers the elements row by row."""
        return self.shapes or dict.fromkeys(tensors, (_ENDLESS,))


def of_digest(store: Store, prefix: str) -> Side:
    """The side that is an artifact of the store. Errors: InputError."""
    found = one_artifact(store, prefix)
    outputs = {found.output: load(store, found)}
    return Side(found.digest[:12], found.stage, found.output, found.digest, outputs, _lines_beside(store, found), None)


def _lines_beside(store: Store, artifact: Artifact) -> LineTable | None:
    """Of a module of `lower`, the line table that was recorded with it last."""
    if (artifact.stage, artifact.output) != ("lower", "artifact"):
        return None
    found = [
        (path.stat().st_mtime_ns, record.outputs["lines"].digest)
        for path, record in store.records()
        if record is not None and "lines" in record.outputs and record.outputs["artifact"].digest == artifact.digest
    ]
    try:
        return LineTable.decode(bytes(store.load(max(found)[1]))) if found else None
    except ArtifactError:
        return None  # lines are a help, and what differs can be said without


def of_contracts(
    stage: str, contract: str, against: str | None, side: str, dims: tuple[str, ...], store: Store, options: Options
) -> tuple[Side, Side]:
    """What `stage` makes of `contract`, and of `against`; without `against`, of the reference and of the candidate of one
    contract. Errors: InputError, StoppedError."""
    if against is not None:
        return _both(stage, [(contract, side), (against, side)], dims, store, options)
    if stage == "trace":
        reference = read_contract(contract).reference
        if not isinstance(reference, SpecReference):
            what = "the contract has no reference" if reference is None else "it is a kernel (it has a vc)"
            raise InputError(f"{contract}: there is no trace of the reference: {what}")
    if stage in OF_BOTH or stage == "trace" or side:
        what = (
            "--side chooses one side"
            if side
            else f"{stage} is of both sides"
            if stage in OF_BOTH
            else "trace is of one side (of both, there is vc)"
        )
        raise InputError(f"{what}: give another contract to compare with (--against CONTRACT)")
    return _both(stage, [(contract, "reference"), (contract, "candidate")], dims, store, options)


def _both(stage: str, of: list[tuple[str, str]], dims: tuple[str, ...], store: Store, options: Options) -> tuple[Side, Side]:
    """What `stage` makes of two (contract, side). Errors: as of `of_contracts`; StoppedError says what stopped either."""
    found: list[Side] = []
    stops: dict[str, StoppedError] = {}
    for sign, (contract, side) in zip("-+", of, strict=True):
        try:
            found.append(_of_contract(stage, contract, side, dims, store, options))
        except StoppedError as stopped:
            stops[sign] = stopped
    if stops:
        sides = {sign: {"what": contract} for sign, (contract, _) in zip("-+", of, strict=True)}
        sides = {sign: {**side, **(stops[sign].facts if sign in stops else {})} for sign, side in sides.items()}
        message = "\n".join(map(str, dict.fromkeys(map(str, stops.values()))))
        raise StoppedError(message, UNDECIDED, {"stage": stage, **sides, "same": None})
    return found[0], found[1]


def _of_contract(stage: str, contract: str, side: str, dims: tuple[str, ...], store: Store, options: Options) -> Side:
    try:
        step, session, one, side = step_of(stage, contract, store, side, dims, options)
    except StoppedError as stopped:
        raise StoppedError(f"{contract}: {stopped}", stopped.code, stopped.facts) from None
    engine = session.engine
    whose = "" if side == "both" else f"{side} of "
    label = f"{whose}{contract}{at_dims(one) if stage != 'lower' else ''}"
    lines = line_table(one, "candidate" if side == "both" else side, engine)
    name = step.stage.name  # of a NumPy reference's vc: trace
    return Side(label, name, "artifact", step.artifact, engine.bytes_of(step), lines, shapes(one))

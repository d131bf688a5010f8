"""`open_artifact`: an artifact of a file or of the store, as an object of its kind."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from volta_pipe.driver.api import facts_file
from volta_pipe.driver.api.artifacts import CLASSES, Artifact, LowerArtifact
from volta_pipe.driver.files import file_problem, is_there, read_bytes
from volta_pipe.driver.session import store_folder
from volta_pipe.driver.stages import STAGES
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import ArtifactError, InputError, Place

MAX_BYTES = 1 << 40
# The kind in the header of an artifact in columns (ir/columns.py), and the stage that makes it; other artifacts are MLIR.
KINDS = {
    "program": "unroll", "check": "check", "conditions": "vc", "canonical": "canon", "decision": "decide", "dynamic": "dynamic",
}  # fmt: skip
_DIGEST = re.compile(r"(?:sha256:)?[0-9a-f]{4,64}")


def open_artifact(what: str | os.PathLike[str], store: str | os.PathLike[str] | None = None) -> Artifact[Any]:
    """The artifact in a file, or, where there is no file of that name, the one in the store whose digest begins so (4 to 64 hex
    digits, with or without `sha256:`). `store`: its folder (None: $VOLTA_STORE, else `artifacts`).

    The object's class is that of its header's kind. All of it is validated: sizes, indices, dtypes, the order of nodes. What
    a file does not say is not known: its `side` and `shapes`. Errors: InputError where there is no such file or digest;
    ArtifactError for damage, another format version, and what is no artifact.

    >>> import tempfile
    >>> program = Pipeline("examples/axpy/volta.toml").unroll(Pipeline("examples/axpy/volta.toml").lower())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = open_artifact(program.save(f"{folder}/axpy.program"))
    >>> type(again).__name__, again.digest == program.digest, again.value.row_instr.dtype, again.value.row_instr.shape
    ('UnrollArtifact', True, dtype('int32'), (10,))
    >>> digest = verify("examples/axpy/volta.toml").stages[-1]["artifact"]
    >>> open_artifact(digest).verdict
    'equivalent'
    """
    path = Path(what)
    if isinstance(what, str) and _DIGEST.fullmatch(what) and not is_there(path):
        return _stored(what, None if store is None else os.fspath(store))
    if problem := file_problem(path, MAX_BYTES):
        hint = "" if not isinstance(what, str) or is_there(path) else ", and is no digest (4 to 64 hex digits)"
        raise InputError(f"artifact {problem}{hint}", Place(str(path)))
    try:
        with path.open("rb") as stream:
            data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise InputError(f"artifact cannot be read: {error}", Place(str(path))) from None
    found = _opened(data, str(path))
    facts = facts_file.beside(path)
    if isinstance(found, LowerArtifact) and facts.exists():
        own = f"sha256:{_sha256(data)}"
        try:
            found.value = facts_file.decode(read_bytes(facts, "facts", facts_file.MAX_BYTES), own, found.value)
        except ArtifactError as error:
            raise ArtifactError(error.message, Place(str(facts))) from None
        found.lines = found.value.lines
    return found


def _sha256(data: memoryview) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _stored(digest: str, folder: str | None) -> Artifact[Any]:
    from volta_pipe.driver.commands.artifacts import described, one_artifact
    from volta_pipe.driver.upkeep import find

    with Store(store_folder(folder), create=False) as store:
        one = one_artifact(store, digest)
        if one.output != "artifact":
            raise InputError(f"{digest} is {described(one)}: give that of the artifact itself")
        record = find(store, one.digest)[0][0]
        found = _opened(store.load(one.digest), f"sha256:{one.digest}", record.stage)
        if isinstance(found, LowerArtifact) and "lines" in record.outputs:
            lines = store.load(record.outputs["lines"].digest)
            found.value = facts_file.with_facts(found.value, lines, record.summary)
            found.lines = found.value.lines
        return found


def _opened(data: memoryview, name: str, stage: str = "") -> Artifact[Any]:
    """The artifact with these bytes. `stage`: that of its record, which is `trace` where the header says `conditions`."""
    try:
        kind = _kind(data)
        made = KINDS.get(kind, "") if kind else "lower"
        if not made:
            raise ArtifactError(f"holds an artifact of kind {kind}, which no stage makes")
        if stage and stage != made and (stage, made) != ("trace", "vc"):
            raise ArtifactError(f"is of kind {kind or 'MLIR'}, its record says {stage}")
        if made == "lower":
            return LowerArtifact.from_mlir(_text(data), name)
        values: Mapping[str, memoryview] = {"artifact": data}
        return CLASSES[made](STAGES[made].decode(values))
    except ArtifactError as error:
        raise error if error.place.file else ArtifactError(error.message, Place(name)) from None


def _kind(data: memoryview) -> str:
    """The kind in the header; "" where the bytes are no columns. Errors: ArtifactError."""
    from volta_pipe.driver.commands.artifacts import header
    from volta_pipe.ir.columns import MAGIC

    if bytes(data[: len(MAGIC)]) != MAGIC:
        return ""
    try:
        return header(data)[0]
    except InputError as error:
        raise ArtifactError(error.message) from None


def _text(data: memoryview) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise ArtifactError("is no artifact: neither columns nor MLIR text") from None

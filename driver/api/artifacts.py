"""Artifacts as objects: what a stage made, its bytes and digest, what it says in words."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from volta_pipe.driver.api import facts_file
from volta_pipe.driver.stage import LoweredValue
from volta_pipe.driver.stage_artifacts import without_lines
from volta_pipe.driver.stages import STAGES
from volta_pipe.ir.errors import ArtifactError, InputError, Place

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    # Used in quotes below, as arguments of a class.
    from volta_pipe.ir.graph import Conditions  # noqa: F401
    from volta_pipe.ir.program import Program  # noqa: F401
    from volta_pipe.passes.canon import Canonical  # noqa: F401
    from volta_pipe.passes.check import SafetyReport  # noqa: F401
    from volta_pipe.passes.decide import Decision  # noqa: F401
    from volta_pipe.passes.dynamic import Report  # noqa: F401

Shapes = Mapping[str, tuple[int, ...]]
Value = TypeVar("Value")


class Artifact(Generic[Value]):
    """What a stage made. `value`: the stage's own object (its class says shapes and dtypes); `side`: "candidate", "reference",
    "both", or "" where it is not known, as of one that was read from a file; `shapes`: of the contract's tensors by name,
    empty where they are not known. Artifacts are immutable: their digest stands for them.

    `open_artifact` reads back what `save` writes."""

    stage: ClassVar[str]

    def __init__(self, value: Value, side: str = "", shapes: Shapes | None = None, inputs: Sequence[str] = ()) -> None:
        self.value = value
        self.side = side
        self.shapes = shapes or {}
        self.inputs = tuple(inputs)  # digests of the artifacts that it was made of, where a `Pipeline` made it
        self.lines: Any = None  # the kernel's LineTable, for messages

    @cached_property
    def data(self) -> bytes:
        """The bytes that the store holds: the same for the same inputs, on every machine."""
        return _joined(STAGES[self.stage].encode(self.value)["artifact"])

    @cached_property
    def digest(self) -> str:
        """`sha256:` and 64 hex digits, by which the store names it."""
        return f"sha256:{hashlib.sha256(self.data).hexdigest()}"

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The facts that a verdict is made of: plain data, as `inspect --json` shows it."""
        from volta_pipe.driver.stage_summaries import plain

        found: dict[str, Any] = plain(STAGES[self.stage].summarize(self.value))
        return found

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes `data` to a file, which then holds what the store's object holds. Errors: InputError where that fails."""
        target = Path(path)
        _write(target, self.data)
        return target

    def text(self) -> str:
        """What `volta-pipe inspect` prints of it."""
        from volta_pipe.driver.commands.summaries import summary

        return "\n".join(summary(self.stage, self.value, self.shapes))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest[7:19]}{f' of the {self.side}' if self.side else ''}>"


class LowerArtifact(Artifact[LoweredValue]):
    """A kernel in the `ptx` dialect; its bytes are MLIR text."""

    stage = "lower"

    @staticmethod
    def from_mlir(text: str, file: str = "<mlir>") -> LowerArtifact:
        """The module of a text that has one `ptx.kernel`. Errors: ArtifactError on anything else, which begins with `file`."""
        try:
            return LowerArtifact(without_lines(memoryview(text.encode())))
        except (ArtifactError, UnicodeEncodeError) as error:
            message = error.message if isinstance(error, ArtifactError) else "is no Unicode text"
            raise ArtifactError(message, Place(file)) from None

    @property
    def module(self) -> ModuleOp:
        """The module of xDSL."""
        found: ModuleOp = self.value.module
        return found

    @property
    def mlir(self) -> str:
        """The module in MLIR's generic form, which `mlir-opt --allow-unregistered-dialect` reads."""
        from volta_pipe.passes.lower import print_generic

        return print_generic(self.module)

    @property
    def parameters(self) -> tuple[tuple[str, str, int], ...]:
        """(name, PTX type without the dot, bytes) of each parameter of the kernel."""
        if self.value.parameters:
            return self.value.parameters
        from volta_pipe.driver.api.kernels import kernel_parameters

        return kernel_parameters(self.module)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the module; and beside it, in a file of the same name and `.facts`, what PTX says and the dialect does not:
        lines, types of variables, resources. Errors: InputError where that fails."""
        target = super().save(path)
        _write(facts_file.beside(target), facts_file.encode(self.value, self.digest))
        return target

    def text(self) -> str:
        return self.data.decode()


class UnrollArtifact(Artifact["Program"]):
    """The straight-line program of every CTA, as rows in columns (see `Program`)."""

    stage = "unroll"

    @property
    def complete(self) -> bool:
        """Whether all CTAs were run to their end; where not, `value.events` says why, and no `vc` can be made of it."""
        return bool(self.value.complete)


class CheckArtifact(Artifact["SafetyReport"]):
    """What the safety check found. Findings have indices of instructions; a verdict has lines in their place."""

    stage = "check"

    @property
    def safe(self) -> bool:
        """Whether nothing was found."""
        return not self.value.findings


class VcArtifact(Artifact["Conditions"]):
    """The expression of each output element of one side: of `vc`, or of `trace` for a NumPy function."""

    stage = "vc"

    def formula(self, element: str) -> str:
        """An element such as `y[3,5]` as a formula; of an artifact without shapes by its row-major number, `y[5]`. Errors:
        InputError on an element that is not there."""
        from volta_pipe.driver.commands.formula import formula, parse_element

        found = self.value
        flat = dict.fromkeys(found.tensors, (1 << 62,))  # of inputs nobody needs to know how many elements there are
        flat |= {found.tensors[place]: (len(roots),) for place, roots in found.outputs.items()}
        return "\n".join(formula(found, {**flat, **self.shapes}, *parse_element(element)))


class CanonArtifact(Artifact["Canonical"]):
    """Classes of output elements and their normal forms on both sides."""

    stage = "canon"


class DecideArtifact(Artifact["Decision"]):
    """What was decided of the elements of a `canon`, with its certificate."""

    stage = "decide"

    @property
    def verdict(self) -> str:
        """equivalent (over the reals, where both kernels are safe), not-equivalent or unknown."""
        return str(self.value.verdict)


class DynamicArtifact(Artifact["Report"]):
    """What runs on concrete inputs came to."""

    stage = "dynamic"


def _parts() -> Iterator[type[Artifact[Any]]]:
    yield from (LowerArtifact, UnrollArtifact, CheckArtifact, VcArtifact, CanonArtifact, DecideArtifact, DynamicArtifact)


CLASSES: dict[str, type[Artifact[Any]]] = {one.stage: one for one in _parts()}


def _joined(chunks: Any) -> bytes:
    return bytes(chunks) if isinstance(chunks, bytes | memoryview) else b"".join(bytes(part) for part in chunks)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(path))) from None

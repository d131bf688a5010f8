"""volta-pipe proves GPU kernels safe, and equal to a reference over the reals.

`verify` gives the verdict on a contract; `Pipeline` runs single stages on artifacts; `open_artifact` reads one. docs/api.md
has all of it, docs/contract.md the contract and the verdict, docs/architecture.md what the stages do."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Relative, as a stage's version counts what is imported by full name, and no stage is made of these (driver/versions.py).
    from .driver.api.artifacts import (
        Artifact,
        CanonArtifact,
        CheckArtifact,
        DecideArtifact,
        DynamicArtifact,
        LowerArtifact,
        UnrollArtifact,
        VcArtifact,
    )
    from .driver.api.opening import open_artifact
    from .driver.api.pipeline import Pipeline
    from .driver.api.verdict import Verdict
    from .driver.api.verifying import verify
    from .driver.contract import Contract
    from .ir.errors import ArtifactError, BudgetError, InputError, Place, UnsupportedError, VoltaError

__version__ = "0.1.0"
__all__ = [
    "Artifact",
    "ArtifactError",
    "BudgetError",
    "CanonArtifact",
    "CheckArtifact",
    "Contract",
    "DecideArtifact",
    "DynamicArtifact",
    "InputError",
    "LowerArtifact",
    "Pipeline",
    "Place",
    "UnrollArtifact",
    "UnsupportedError",
    "VcArtifact",
    "Verdict",
    "VoltaError",
    "open_artifact",
    "verify",
]

# Where each name is; imported when it is asked for, so that the package itself costs nothing.
_HOMES = {
    "driver.api.opening": "open_artifact",
    "driver.api.pipeline": "Pipeline",
    "driver.api.verdict": "Verdict",
    "driver.api.verifying": "verify",
    "driver.contract": "Contract",
    "ir.errors": "ArtifactError BudgetError InputError Place UnsupportedError VoltaError",
    "driver.api.artifacts": "Artifact CanonArtifact CheckArtifact DecideArtifact DynamicArtifact LowerArtifact UnrollArtifact "
    "VcArtifact",
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names.split():
            found = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = found  # the next time it is found at once
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

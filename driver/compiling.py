"""Whether a stage's loops have to be compiled first, which takes minutes, and happens once for a version of the code."""

from __future__ import annotations

from pathlib import Path

# Stages whose folder in `passes/` holds code that takes long to compile.
COMPILED = ("unroll", "check", "vc", "canon")
NOTICE = (
    "volta-pipe: compiling its own loops, once after each installation or update (45 to 90 s on two idle cores); "
    "later runs load them, and volta-pipe doctor --warm does it ahead of time"
)


def cold(stage: str) -> bool:
    """Whether nothing is compiled yet of what `stage` calls. Imports numba, as the stage is going to."""
    if stage not in COMPILED:
        return False
    from volta_pipe.ir.compiled import cache_folder

    folder = Path(__file__).resolve().parent.parent / "passes" / stage
    return next(cache_folder(folder).glob("*.nbc"), None) is None

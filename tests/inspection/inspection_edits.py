"""Examples with one edit, and what their stages made: what the tests of differences compare."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.changes.words import phrase
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.lines import LineTable

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Edit = tuple[str, str, str]  # file, what stands there once, what stands there then


def edited(example: str, folder: Path, *edits: Edit) -> Path:
    """A copy of an example with some edits; its contract."""
    shutil.copytree(EXAMPLES / example, folder)
    for name, before, after in edits:
        text = (folder / name).read_text()
        assert text.count(before) == 1, (name, before, text.count(before))
        (folder / name).write_text(text.replace(before, after))
    return folder / "volta.toml"


@dataclass(frozen=True)
class Made:
    """A run, and the outputs of its first combination."""

    session: Session

    def outputs(self, stage: str, side: str) -> dict[str, memoryview]:
        step = self.session.combinations[0].steps[side, stage]
        return {name: self.session.engine.store.load(digest) for name, digest in step.outputs.items()}

    def lines(self, side: str) -> LineTable | None:
        return LineTable.decode(bytes(self.outputs("lower", side)["lines"])) if side != "both" else None


def made(contract: Path, store: Store, last: str = "") -> Made:
    return Made(verify(contract, store, Options(last, 1, skip=frozenset({"dynamic"}))))


def phrases(old: Made, new: Made, side: str) -> dict[str, str]:
    """What `phrase` says of every stage that both ran."""
    found = {}
    for (whose, stage), _ in old.session.combinations[0].steps.items():
        if whose in (side, "both") and (whose, stage) in new.session.combinations[0].steps:
            outputs = [one.outputs(stage, whose) for one in (old, new)]
            found[stage] = phrase(stage, outputs[0], outputs[1], old.lines(whose), new.lines(whose))
    return found

"""Runs on stores with mutated artifacts and records, and what must hold of them.

*Damage* (bytes under a digest that is not theirs, a record with a wrong checksum) is always found: the verdict is the true one.

*Forgery* (bytes under their own digest, and records that name them) cannot be seen where the forged artifact is a good one: a
program with an addition in the place of a subtraction is another program. So there are two rules. No forgery makes a stage or a
command fail in a way that was not foreseen. And a forged artifact of `canon` and what comes after it, a forged line table or a
forged record gives the true verdict, or `unknown`; of earlier stages it may be the verdict of what the artifact says, but a
kernel that is refuted is not proved by any of these mutations."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from store_forging import body_of, copied, damage, drop, forge, outputs, sealed, written
from store_mutations import edited, flipped, mutated

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import VoltaError

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = (
    "examples/axpy-spec/volta.toml", "examples/reduce-tree/volta.toml", "examples/broken-index/volta.toml",
    "tests/kernels/axpy/wrong_sign.toml", "examples/broken-race/volta.toml", "examples/layernorm/volta.toml",
)  # fmt: skip
PROVED = ("equivalent", "safe")
UNDECIDED = ("unknown", "unsupported")
ORDER = ("lower", "unroll", "dynamic", "check", "vc", "trace", "canon", "decide")
EARLY = {("lower", "artifact"), ("unroll", "artifact"), ("vc", "artifact"), ("trace", "artifact")}
UNFORESEEN = "an artifact made a stage fail"


@dataclass
class Tally:
    """What came of the mutations: by kind and outcome, and what must not be."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Victim:
    """A contract with the store of a first run, which is copied and tampered with."""

    def __init__(self, contract: str, folder: Path) -> None:
        self.contract = ROOT / contract
        self.name = contract
        self.store = folder / "pristine"
        self.copy = folder / "copy"
        self.truth = self.verdict(self.store, [])
        self.outputs = outputs(self.store)

    def verdict(self, store: Path, warnings: list[str]) -> str:
        """The verdict of a run; warnings of the store go to `warnings`. Errors: those of the run."""
        with Store(store, warnings.append) as opened:
            return str(verify(self.contract, opened).document["verdict"])

    def attack(self, draw: random.Random, tally: Tally) -> None:
        """One mutation, one run."""
        copied(self.store, self.copy)
        way = draw.choice(("forged", "forged", "forged", "damaged", "record", "broken record"))
        if way in ("forged", "damaged"):
            kinds = sorted({(o.stage, o.name) for o in self.outputs})
            kind = draw.choice(kinds)
            one = draw.choice([o for o in self.outputs if (o.stage, o.name) == kind])
            with Store(self.copy) as opened:
                data = bytes(opened.load(one.digest))
            changed = mutated(data, draw)
            (forge if way == "forged" else damage)(self.copy, one.digest, changed)
            if way == "damaged":
                drop(self.copy, ORDER[ORDER.index(one.stage) + 1 :])
            what = f"{way} {one.stage} {one.name}"
        else:
            path = draw.choice(sorted(self.copy.glob("actions/??/*")))
            if way == "record":
                written(path, sealed(edited(body_of(path), draw)))
            else:
                written(path, flipped(path.read_bytes(), draw))
            kind, what = ("record", ""), way
        self._judge(what, kind, way, tally)

    def _judge(self, what: str, kind: tuple[str, str], way: str, tally: Tally) -> None:
        warnings: list[str] = []
        try:
            found = self.verdict(self.copy, warnings)
        except VoltaError as error:
            found = f"error {type(error).__name__}: {error}"
        except Exception as error:
            found = f"TRACEBACK {type(error).__name__}: {error}"
        for warning in warnings:
            if UNFORESEEN in warning:
                tally.caught[f"{what}: {warning}"] += 1
        tally.outcomes[what, found if found != self.truth else "true verdict"] += 1
        allowed = {self.truth}
        if way in ("forged", "record"):
            allowed |= set(UNDECIDED)
        if way == "forged" and kind in EARLY and self.truth in PROVED:
            allowed |= {"not-equivalent", "unsafe"}
        if way == "forged" and kind in EARLY and self.truth in ("not-equivalent", "unsafe"):
            allowed |= {"not-equivalent", "unsafe"}
        if found not in allowed:
            tally.wrong.append(f"{self.name}: {what}: {found} in place of {self.truth}")


def attacked(count: int, folder: Path, seed: int, contracts: tuple[str, ...] = CONTRACTS) -> Tally:
    """So many mutations, in turn of each contract."""
    tally = Tally()
    victims = []
    for i, contract in enumerate(contracts):
        (folder / str(i)).mkdir(parents=True, exist_ok=True)
        victims.append(Victim(contract, folder / str(i)))
    for i in range(count):
        draw = random.Random(f"{seed}-{i}")
        victims[i % len(victims)].attack(draw, tally)
    return tally

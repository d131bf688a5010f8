"""Mutated artifacts and records: a few of each kind; `python -m tests.store` does a thousand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from driver_commands import Commands
from store_forging import Output, copied, drop, forge, outputs
from store_hostile import CONTRACTS, ORDER, ROOT, Victim, attacked
from store_mutations import mutated, other_version

from volta_pipe.driver.store import Store

COUNT = 60
VERSIONED = [
    ("lower", "lines"), ("unroll", "artifact"), ("dynamic", "artifact"), ("check", "artifact"), ("vc", "artifact"),
    ("trace", "artifact"), ("canon", "artifact"), ("decide", "artifact"),
]  # fmt: skip


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Victim:
    return Victim("examples/axpy-spec/volta.toml", tmp_path_factory.mktemp("victim"))


def test_no_mutation_gives_a_traceback_or_a_wrong_verdict(tmp_path: Path) -> None:
    tally = attacked(COUNT, tmp_path, 1, CONTRACTS[:5])
    assert not tally.wrong
    assert sum(tally.outcomes.values()) == COUNT
    assert len({what for what, _ in tally.outcomes}) > 10  # kinds of artifacts and ways


def _one(victim: Victim, stage: str, name: str) -> Output:
    return next(o for o in victim.outputs if (o.stage, o.name) == (stage, name))


@pytest.mark.parametrize(("stage", "name"), VERSIONED, ids=lambda word: word)
def test_an_artifact_of_another_version_is_computed_again(victim: Victim, tmp_path: Path, stage: str, name: str) -> None:
    """The version is all that differs: digests and records fit it."""
    store = copied(victim.store, tmp_path / "store")
    before = {o.key: o.digest for o in outputs(store) if o.name == name}
    for one in [o for o in victim.outputs if (o.stage, o.name) == (stage, name)]:
        with Store(store) as opened:
            changed = other_version(bytes(opened.load(one.digest)))
        forge(store, one.digest, changed)
    drop(store, ORDER[ORDER.index(stage) + 1 :])
    said: list[str] = []
    if name == "lines":  # read where something is said of a line
        from volta_pipe.driver.session import verify

        with Store(store, said.append) as opened:
            session = verify(victim.contract, opened)
            step = session.combinations[0].steps["candidate", "lower"]
            assert session.engine.value(step).lines.ptx
            assert session.document["verdict"] == victim.truth
    else:
        assert victim.verdict(store, said) == victim.truth
    assert any("another format" in text or "is of format" in text for text in said), said
    after = {o.key: o.digest for o in outputs(store) if o.name == name}
    assert after == before  # as if it had never been another
    said.clear()
    assert victim.verdict(store, said) == victim.truth and not said


def test_formats_that_records_are_compared_with_are_those_of_the_stages() -> None:
    from volta_pipe.driver.credible import FORMATS
    from volta_pipe.passes.check import report as check
    from volta_pipe.passes.decide.decision import Decision
    from volta_pipe.passes.dynamic import report as dynamic

    parts = {"dynamic": dynamic, "check": check}
    assert {name: (m.KIND, m.VERSION) for name, m in parts.items()} | {"decide": (Decision.KIND, Decision.VERSION)} == FORMATS


def test_reading_commands_on_mutated_artifacts(victim: Victim, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`inspect DIGEST`, `diff` and the check of a certificate end with an error of one line, or say something."""
    import random

    command = Commands(capsys)
    kinds = sorted({(o.stage, o.name) for o in victim.outputs})
    for number in range(4 * len(kinds)):
        draw = random.Random(number)
        one = _one(victim, *kinds[number % len(kinds)])
        store = copied(victim.store, tmp_path / "store")
        with Store(store) as opened:
            changed = mutated(bytes(opened.load(one.digest)), draw)
        forge(store, one.digest, changed)
        with Store(store) as opened:
            digest = opened.put(changed)
        code = command("inspect", digest, "--store", str(store))
        assert code in (0, 2) and "internal error" not in command.err, (kinds[number % len(kinds)], number, command.err)
        assert code == 0 or len(command.err.splitlines()) == 1
        alike = [o for o in victim.outputs if (o.stage, o.name) == (one.stage, one.name) and o.digest != one.digest]
        pair = (alike or [one])[0]
        code = command("diff", digest, pair.digest, "--store", str(store))
        assert code in (0, 1, 2) and "internal error" not in command.err, (kinds[number % len(kinds)], number, command.err)


def test_a_certificate_of_a_mutated_decision_is_not_believed(tmp_path: Path) -> None:
    import random

    from volta_pipe.driver.session import verify
    from volta_pipe.ir.errors import ArtifactError
    from volta_pipe.passes.recheck import recheck

    contract = ROOT / "examples/reduce-tree/volta.toml"
    with Store(tmp_path / "store") as store:
        session = verify(contract, store)
        one = session.combinations[0]
        parts = [bytes(session.engine.bytes_of(one.steps["both", name])["artifact"]) for name in ("decide", "canon")]
        sides = [session.engine.value(one.steps[side, "vc"]) for side in ("reference", "candidate")]
    assert recheck(*parts, *sides).exit_code == 0
    refused = 0
    for number in range(40):
        draw = random.Random(number)
        which = number % 2
        changed = list(parts)
        changed[which] = mutated(parts[which], draw)
        try:
            recheck(*changed, *sides, budget=20_000)
        except ArtifactError:
            refused += 1
    assert refused


def test_a_table_with_a_cosine_is_read_as_it_was_written() -> None:
    """Its square needs parts that no form is made of, so that these are not written: reading makes them behind the others."""
    from volta_pipe.ir.normal_form import Form, Table
    from volta_pipe.passes.canon.canonical import Canonical, EquivalenceClass
    from volta_pipe.passes.canon.circles import cosine

    t = Table()
    angle = t.form(Form({t.monomial(((t.atom("leaf", 0, 1), 1),)): 1}, ()))
    number = t.form(Form({t.monomial(((cosine(t, angle), 1),)): 2}, ()))
    member = np.zeros(1, np.int32)
    made = Canonical((EquivalenceClass(member, member, (1, 1), "equal", "", (number, number)),), (t,), ("x",), ())
    data = b"".join(bytes(part) for part in made.encode())
    read = Canonical.decode(data)
    assert b"".join(bytes(part) for part in read.encode()) == data
    (table,) = read.tables
    cos = next(i for i, item in enumerate(table.items) if table.kinds[i] == 0 and item[0] == "cos")
    sine = next(i for i, item in enumerate(table.items) if table.kinds[i] == 0 and item[0] == "sin")
    both = table.add(table.of_atom(cos, 2), table.of_atom(sine, 2))
    assert table.equal(both, Form({0: 1}, ()))

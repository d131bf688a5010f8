"""Every row of the evaluation at a reduced size gets its verdict, and its mutants are refuted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.paper.rows import Mutant, Row, rows
from bench.paper.variants import variant
from volta_pipe.driver.expectations import Expectation
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.store import Store

ROWS = rows()
MUTANTS = [(row, mutant) for row in ROWS for mutant in row.mutants]
PROOFS = ("equivalent", "safe")


def run(row: Row, folder: Path, candidate: Mapping[str, str] | None = None) -> Session:
    (folder / "row").mkdir()
    contract = variant(row.contract, folder / "row", row.small, candidate)
    with Store(folder / "store") as store:
        return verify(contract, store)


def told(session: Session, expected: Expectation) -> str:
    """What came out, for the message of an assertion."""
    document = session.document
    kinds = sorted({finding["kind"] for finding in document["findings"]})
    return f"{document['verdict']} {kinds} {document['reasons']}, expected {expected}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_gets_its_verdict(row: Row, tmp_path: Path) -> None:
    session = run(row, tmp_path)
    assert row.expect.met_by(session), told(session, row.expect)
    if row.expect.verdict == "equivalent":  # and all of its elements are compared, none is sampled
        assert session.document["coverage"]["outputs"] > 0
        proved = sum(one.steps["both", "decide"].summary["stats"]["proved"] for one in session.combinations)
        assert proved == session.document["coverage"]["outputs"]


@pytest.mark.parametrize(("row", "mutant"), MUTANTS, ids=lambda one: getattr(one, "candidate", None) or one.name)
def test_a_mutant_is_refuted(row: Row, mutant: Mutant, tmp_path: Path) -> None:
    keys = {"entry": mutant.candidate} | ({"source": mutant.source} if mutant.source else {})
    session = run(row, tmp_path, keys)
    assert mutant.expect.verdict not in PROOFS
    assert mutant.expect.met_by(session), told(session, mutant.expect)


def test_every_proof_has_a_mutant() -> None:
    assert ROWS
    without = [row.name for row in ROWS if row.expect.verdict in PROOFS and not row.mutants]
    assert not without

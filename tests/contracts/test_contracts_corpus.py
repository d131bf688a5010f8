"""The same as test_contracts_agree.py for the corpus: kernels of several compilers at the smallest dims of their contracts."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from contracts_sides import EXACT, Sides
from contracts_table import ROOT

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.store import Store

CORPUS = str(ROOT / "tests" / "corpus")
sys.path.insert(0, CORPUS)

from gaps import NOT_RUN, SLOW, UNEXPECTED  # noqa: E402
from outcomes import contract_of, expected_of, first_entries, run  # noqa: E402

sys.path.remove(CORPUS)

ENTRIES = {
    f"{entry.family}/{entry.kernel}": entry
    for entry in first_entries()
    if expected_of(entry).verdict == "equivalent" and isinstance(contract_of(entry).reference, SpecReference)
}
NAMES = [name for name in ENTRIES if name not in {*NOT_RUN, *UNEXPECTED, *SLOW}]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("store")) as opened:
        yield opened


@pytest.mark.parametrize("name", NAMES)
def test_spec_executor_and_expressions_agree(name: str, store: Store) -> None:
    engine = Engine(store)
    session = run(contract_of(ENTRIES[name], smallest=True), engine, "vc")
    assert not session.document["findings"], session.document["findings"]
    (combination,) = session.combinations
    one = Sides(combination, engine, seed=1)
    assert not one.apart(one.kernel, one.spec)
    assert not one.apart(one.of_spec, one.spec, EXACT)
    assert not one.apart(one.of_kernel, one.spec, EXACT)

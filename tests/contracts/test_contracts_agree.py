"""A spec on plain NumPy, the kernel run instruction by instruction, and the expressions that proofs are about, evaluated, are
the same numbers on the same random inputs: all contracts with a spec here, in examples/ and in tests/kernels/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts_sides import EXACT, Sides
from contracts_table import HERE, ROOT

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.counterexample import counterexample_of, replay_counterexample
from volta_pipe.driver.expectations import expectation
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

SEEDS = (0, 1)
SMALL = 2.0**-8  # factor of inputs among which an epsilon matters
PLACES = (ROOT / "examples", HERE, ROOT / "tests" / "kernels")
CONTRACTS = [path for place in PLACES for path in sorted(place.glob("*/*.toml"))]
WITH_SPEC = [path for path in CONTRACTS if isinstance(read_contract(path).reference, SpecReference)]
EXPECTED = {path: expectation(path) for path in WITH_SPEC}
# A sum in too few bits breaks a rule; over the reals, and within the tolerance of those bits, the kernel is right.
RIGHT = [path for path, e in EXPECTED.items() if e.verdict == "equivalent" or e.kind == "precision"]
WRONG = [path for path, e in EXPECTED.items() if e.verdict == "not-equivalent" and e.kind != "precision"]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("store")) as opened:
        yield opened


def sides(path: Path, store: Store, factor: float = 1) -> Iterator[Sides]:
    """All combinations, two random inputs each, whose floats are multiplied by the factor."""
    session = verify(path, store, Options("vc"))
    assert not [f for f in session.document["findings"] if f["kind"] != "precision"]
    for one in session.combinations:
        for seed in SEEDS:
            yield Sides(one, session.engine, seed, factor)


@pytest.mark.parametrize("path", RIGHT, ids=name_of)
def test_spec_executor_and_expressions_agree(path: Path, store: Store) -> None:
    """Each with the spec on plain NumPy in double precision."""
    for one in sides(path, store):
        assert not one.apart(one.kernel, one.spec)
        assert not one.apart(one.of_spec, one.spec, EXACT)
        assert not one.apart(one.of_kernel, one.spec, EXACT)


@pytest.mark.parametrize("path", WRONG, ids=name_of)
def test_a_wrong_kernel_is_what_its_expressions_say_and_not_what_the_spec_does(path: Path, store: Store) -> None:
    """The executor shows the difference on random inputs, on small ones, or on those of the counterexample."""
    differ = False
    for factor in (1, SMALL):
        for one in sides(path, store, factor):
            assert not one.apart(one.of_spec, one.spec, EXACT)
            assert not one.apart(one.of_kernel, one.kernel)
            differ = differ or bool(one.apart(one.kernel, one.spec) and one.apart(one.of_kernel, one.of_spec, EXACT))
        if differ:
            return
    session = verify(path, store, Options(skip=frozenset({"dynamic"})))
    examples = [(one, counterexample_of(one)) for one in session.combinations]
    shown = [replay_counterexample(one, session.engine, data, None) for one, data in examples if data is not None]
    assert any(not one.close for one in shown), shown

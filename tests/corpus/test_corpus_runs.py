"""Every contract of the corpus with its first maker's file at its smallest dims: runs concretely and agrees with NumPy, comes
out as expected, and is equal to itself.

gaps.py lists what does not hold, each with its reason: an entry that has become wrong fails here, so the lists cannot rot. The
other makers and shapes, and the kernels in SLOW, are left to `make coverage`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.store import Store

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from gaps import NOT_RUN, SLOW, UNEXPECTED  # noqa: E402
from outcomes import Outcome, concrete_run, contract_of, first_entries, outcome, proof_of, run  # noqa: E402

sys.path.remove(str(HERE))

NAMES = {f"{entry.family}/{entry.kernel}": entry for entry in first_entries()}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("store")) as opened:
        yield opened


def test_the_lists_name_kernels_of_the_corpus() -> None:
    assert {*NOT_RUN, *UNEXPECTED, *SLOW} <= set(NAMES)
    assert not set(SLOW) & {*NOT_RUN, *UNEXPECTED}
    assert len(SLOW) < len(NAMES) // 20


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_a_kernel(name: str, store: Store) -> None:
    found = outcome(NAMES[name], store, smallest=True)
    proved(name, found)
    equal_to_itself(name, found)
    ran(name, found)


def proved(name: str, found: Outcome) -> None:
    if name in UNEXPECTED:
        assert not found.met, f"{name} is {found.proof} as its contract expects: take it out of UNEXPECTED"
        assert str(found.proof).startswith(UNEXPECTED[name]), found.proof
    else:
        assert found.met, f"expected {found.expected}, found {found.proof}"


def equal_to_itself(name: str, found: Outcome) -> None:
    """Whatever has a formula is equal to itself; what has none says why."""
    if found.itself.verdict != "equivalent":
        assert found.proof.verdict != "equivalent"
        assert found.expected != "equivalent" or name in UNEXPECTED
        assert found.itself.verdict in ("unsupported", "unsafe") and found.itself.message


def ran(name: str, found: Outcome) -> None:
    run = found.concrete
    assert run.state != "differs", run
    if name in NOT_RUN:
        assert run.state == "not run", f"{name} runs: take it out of NOT_RUN"
        assert run.message.startswith(NOT_RUN[name]), run.message
    else:
        assert run.state == "agrees", run.message
        assert run.elements > 0 and run.worst is not None


def test_a_wrong_kernel_is_told(store: Store, tmp_path: Path) -> None:
    """The means of this test notice a difference, in numbers and in formulas."""
    path = tmp_path / "spec.py"
    path.write_text("def add_f32(a, b):\n    return {'c': a - b}\n")
    contract = contract_of(NAMES["elementwise/add_f32"], smallest=True)
    wrong = replace(contract, reference=SpecReference("spec.py:add_f32", path, "add_f32"))
    engine = Engine(store)
    assert proof_of(run(wrong, engine)).verdict == "not-equivalent"
    assert concrete_run(wrong, engine).state == "differs"
    assert concrete_run(contract, engine).state == "agrees"

"""Every kernel of the repository is first proved equal to itself (its own verification conditions, made twice)."""

from __future__ import annotations

from pathlib import Path

import pytest

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.expectations import expectation
from volta_pipe.driver.plan import instantiate
from volta_pipe.passes.canon import canon
from volta_pipe.passes.check import check
from volta_pipe.passes.decide import decide
from volta_pipe.passes.lower import lower, read_source
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

ROOT = Path(__file__).resolve().parents[2]
SAFE_VERDICTS = ("equivalent", "not-equivalent")
CONTRACTS = sorted(path for room in ("examples", "tests/contracts", "tests/kernels") for path in ROOT.glob(f"{room}/*/*.toml"))
PROVABLE = [path for path in CONTRACTS if expectation(path).verdict in SAFE_VERDICTS]
SIDES = [(path, side) for path in PROVABLE for side in ("reference", "candidate")]


@pytest.mark.parametrize(("path", "side"), SIDES, ids=lambda value: str(value).removeprefix(f"{ROOT}/"))
def test_a_kernel_is_equal_to_itself(path: Path, side: str) -> None:
    contract = read_contract(path)
    spec = contract.reference if side == "reference" else contract.candidate
    source = getattr(spec, "source", None)
    if source is None:  # a NumPy spec has no kernel; its own test is in tests/trace
        assert side == "reference"
        return
    smallest = {name: min(values) for name, values in contract.dims}
    launches = dict(zip(("reference", "candidate"), instantiate(contract, smallest), strict=True))
    launch = launches[side]
    assert launch is not None
    file = path.parent / source
    lowered = lower(*read_source(file, str(file), spec.entry), spec.entry)
    program = unroll(lowered.module, launch)
    assert program.complete and not check(program, launch).findings
    once, again = vc(program, launch), vc(unroll(lowered.module, launch), launch)
    decision = decide(canon(once, again), once, again)
    assert decision.verdict == "equivalent", decision
    assert decision.stats["proved"] == decision.stats["elements"] > 0

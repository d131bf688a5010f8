"""Barriers that open over threads that have returned: the verdict says so, with a thread count and without, and the contract's
option holds for both. PTX ISA 9.7.13.1 counts whole warps; CUDA says nothing of the lanes that are gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_explanations import document

ASSUMED = "a barrier does not wait for threads that have returned, nor do their warps have to reach it"
# Threads 50 to 63 store and return; the others meet.
LEAVE = "setp.ge.u32 %q, %t, 50; @!%q bra L; st.global.u32 [%y], %t; ret; L: "
METS = ["bar.sync 0;", "bar.sync 1;", "bar.sync 0, 64;", "bar.sync 1, 64;", "barrier.sync 1, 64;"]


def verdict(folder: Path, body: str, assume: str = "") -> tuple[str, set[str], list[str]]:
    made = document(folder, body, assume=assume)
    return made["verdict"], {finding["kind"] for finding in made["findings"]}, made["assumptions"]


@pytest.mark.parametrize("met", METS)
def test_the_assumption_is_listed(tmp_path: Path, met: str) -> None:
    found, kinds, assumptions = verdict(tmp_path, LEAVE + met)
    assert (found, kinds) == ("safe", set()) and ASSUMED in assumptions


@pytest.mark.parametrize("met", METS)
def test_threads_that_returned_are_waited_for_where_the_contract_says_so(tmp_path: Path, met: str) -> None:
    found, kinds, _ = verdict(tmp_path, LEAVE + met, "[assume]\nexited_threads_block_barriers = true\n")
    assert found == "unsafe" and kinds <= {"deadlock", "barrier-divergence"}


@pytest.mark.parametrize("met", [*METS, "@%p bar.sync 1, 32;", "@%p bar.arrive 1, 64; @!%p bar.sync 1, 64;"])
def test_nothing_is_assumed_where_all_come(tmp_path: Path, met: str) -> None:
    for assume in ("", "[assume]\nexited_threads_block_barriers = true\n"):
        found, kinds, assumptions = verdict(tmp_path, met, assume)
        assert (found, kinds) == ("safe", set()) and ASSUMED not in assumptions

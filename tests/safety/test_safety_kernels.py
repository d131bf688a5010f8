"""Every labelled kernel comes out as its label says: verdict, kind and place of the finding, and the source lines of a race.

safety_gaps.py lists what does not hold yet, each with its reason: an entry that has become wrong fails here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from safety_gaps import GAPS, MISSED
from safety_labels import CONTRACTS, KERNELS, Case, cases

from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

CASES = cases()
FAMILIES = sorted({case.family for case in CASES})


def key(case: Case) -> str:
    return f"{case.family}/{case.name}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("store")) as opened:
        yield opened


def complaint(case: Case, document: dict[str, Any]) -> str:
    """What is not as the label says; "" where all is."""
    findings = document["findings"]
    kinds = sorted({finding["kind"] for finding in findings})
    if document["verdict"] != case.verdict:
        return f"the verdict is {document['verdict']} {kinds}: {[finding['message'] for finding in findings[:2]]}"
    if case.verdict == "safe":
        noted = [note["message"] for note in document["notes"]]
        return f"no note says '{case.note}': {noted}" if case.note and not any(case.note in note for note in noted) else ""
    chosen = [finding for finding in findings if not case.kinds or finding["kind"] in case.kinds]
    if not chosen:
        return f"the findings are {kinds}"
    if case.space and not any(placed(case, finding["address"]) for finding in chosen):
        return f"no finding is at {case.space} {case.where}: {[finding['address'] for finding in chosen[:3]]}"
    return wrong_lines(case, chosen) if case.kinds == ("race",) else ""


def placed(case: Case, address: dict[str, Any] | None) -> bool:
    return address is not None and address["space"] == case.space and case.where in ("", address["name"])


def wrong_lines(case: Case, findings: list[dict[str, Any]]) -> str:
    """Races name the marked lines, all of them and no others."""
    files = {access["source"]["file"] for finding in findings for access in finding["accesses"]}
    lines = {access["source"]["line"] for finding in findings for access in finding["accesses"]}
    if files != {f"{case.family}.cu"}:
        return f"the race is placed in {sorted(files)}"
    return "" if lines == case.lines else f"the race is at lines {sorted(lines)}, not {sorted(case.lines)}"


@pytest.mark.parametrize("case", CASES, ids=key)
def test_a_kernel_comes_out_as_labelled(case: Case, store: Store) -> None:
    document = verify(case.contract, store).document
    wrong = complaint(case, document)
    if key(case) in GAPS:
        verdict, why = GAPS[key(case)]
        assert wrong, f"{key(case)} comes out as labelled: take it out of GAPS ({why})"
        assert document["verdict"] == verdict, wrong
    else:
        assert not wrong, f"{case.title}: {wrong}"


def test_what_is_unsafe_and_called_safe_is_listed() -> None:
    labels = {key(case): case.verdict for case in CASES}
    assert set(GAPS) <= set(labels)
    missed = [name for name, (verdict, _) in GAPS.items() if verdict == "safe" and labels[name] != "safe"]
    assert tuple(sorted(missed)) == MISSED


def test_there_are_kernels_of_all_kinds_good_and_bad() -> None:
    assert len({(case.family, case.entry) for case in CASES}) >= 150
    kinds = {kind for case in CASES for kind in case.kinds}
    wanted = {"race", "deadlock", "barrier-divergence", "out-of-bounds", "uninitialized-read", "misaligned", "frame"}
    assert {*wanted, "unwritten-output"} <= kinds
    for family in FAMILIES:
        verdicts = {case.verdict for case in CASES if case.family == family}
        assert {"safe", "unsafe"} <= verdicts, family


def test_a_race_has_marked_lines_and_one_place() -> None:
    for case in CASES:
        if case.kinds == ("race",):
            assert case.lines and case.space, key(case)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_contracts_are_those_of_the_labels(family: str) -> None:
    """tests/safety/make.py --contracts makes them again."""
    wanted = {case.contract: case.toml() for case in CASES if case.family == family}
    assert {path: path.read_text() for path in (CONTRACTS / family).glob("*.toml")} == wanted
    ptx = (KERNELS / f"{family}.ptx").read_text()
    assert [case.entry for case in CASES if case.family == family and f".entry {case.entry}(" not in ptx] == []

"""In which formats kernels sum: the counts of the verdict against counts by hand, and the rule `accumulate` of [numerics]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driver_precision import CASES, KERNELS, Case

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

BY_NAME = {case.entry: case for case in CASES}
# The proof alone: on concrete numbers, sums in half differ from the reference by more than rounding once.
PROOF = Options(skip=frozenset({"dynamic"}))
SIGNIFICAND = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}  # bits, with the hidden one (PTX ISA 5.2.2, IEEE 754)


def verdict(tmp_path: Path, kept: Path, text: str, options: Options = PROOF) -> dict[str, Any]:
    path = tmp_path / "volta.toml"
    path.write_text(text)
    with Store(kept) as store:
        document: dict[str, Any] = verify(path, store, options).document
    return document


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.entry)
def test_the_additions_are_those_counted_by_hand(case: Case, tmp_path: Path, kept: Path) -> None:
    document = verdict(tmp_path, kept, case.contract())
    assert document["verdict"] == "equivalent", document["findings"]
    (entry,) = document["precision"]
    assert (entry["side"], entry["output"], entry["dims"]) == ("candidate", case.output, {})
    assert list(entry["additions"].items()) == list(case.additions.items())
    assert list(entry["accumulations"].items()) == list(case.chains.items())
    if not case.chains:
        assert entry["narrowest"] is None
        return
    least = list(case.chains)[-1]
    assert entry["narrowest"]["format"] == least
    assert sum(place["count"] for place in entry["narrowest"]["places"]) == case.chains[least]
    assert all(place["source"]["file"].endswith("sums.cu") for place in entry["narrowest"]["places"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.entry)
@pytest.mark.parametrize("format", ["f64", "f32", "f16", "bf16"])
def test_the_rule_holds_where_no_sum_goes_on_in_fewer_bits(case: Case, format: str, tmp_path: Path, kept: Path) -> None:
    document = verdict(tmp_path, kept, case.contract(f'accumulate = "{format}"'))
    broken = {one: count for one, count in case.chains.items() if SIGNIFICAND[one] < SIGNIFICAND[format]}
    assert document["verdict"] == ("not-equivalent" if broken else "equivalent")
    found: dict[str, int] = {}
    for finding in document["findings"]:
        assert (finding["kind"], finding["output"], finding["side"]) == ("precision", case.output, "candidate")
        assert finding["ptx_line"] and finding["source"]["file"].endswith("sums.cu")
        found[finding["format"]] = found.get(finding["format"], 0) + finding["count"]
    assert found == broken


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.entry)
def test_a_reference_of_twice_as_much_is_refuted(case: Case, tmp_path: Path, kept: Path) -> None:
    names = ", ".join(name for name, _, _, role in case.tensors if role != "out")
    body = f"return {{name: value + value for name, value in spec.{case.spec}({names}).items()}}"
    (tmp_path / "spec.py").write_text((KERNELS / "spec.py").read_text())
    (tmp_path / "twice.py").write_text(f"import spec\n\n\ndef twice({names}):\n    {body}\n")
    document = verdict(tmp_path, kept, case.contract('accumulate = "bf16"', f"{tmp_path}/twice.py:twice"))
    assert document["verdict"] == "not-equivalent"
    assert {finding["kind"] for finding in document["findings"]} == {"mismatch"}


def test_a_finding_names_the_line_that_adds(tmp_path: Path, kept: Path) -> None:
    (finding,) = verdict(tmp_path, kept, BY_NAME["dot_half"].contract('accumulate = "f32"'))["findings"]
    source, ptx = (KERNELS / "sums.cu").read_text().splitlines(), (KERNELS / "sums.ptx").read_text().splitlines()
    assert "sum = __hfma(" in source[finding["source"]["line"] - 1]
    assert "fma.rn.f16" in ptx[finding["ptx_line"] - 1]
    assert (finding["count"], finding["format"]) == (56, "f16")
    assert finding["message"] == "y is to be summed in f32, but a sum goes on in f16 here"


def test_a_rule_for_one_output_leaves_others_alone(tmp_path: Path, kept: Path) -> None:
    case = BY_NAME["dot_half"]
    assert verdict(tmp_path, kept, case.contract('accumulate = {y = "f32"}'))["verdict"] == "not-equivalent"
    assert verdict(tmp_path, kept, case.contract('accumulate = {y = "f16"}'))["verdict"] == "equivalent"
    assert verdict(tmp_path, kept, case.contract("accumulate = {}"))["verdict"] == "equivalent"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ('"f8"', "unknown value 'f8' (one of: f64, f32, tf32, f16, bf16)"),
        ('"e4m3"', "unknown value 'e4m3'"),
        ("32", "must be a table, is 32"),
        ('{a = "f32"}', "is no out or inout tensor (those: y)"),
        ("{y = 32}", "must be a string, is 32"),
    ],
)
def test_a_rule_that_is_none_is_an_error_at_its_line(rule: str, message: str, tmp_path: Path, kept: Path) -> None:
    with pytest.raises(InputError) as error:
        verdict(tmp_path, kept, BY_NAME["dot_half"].contract(f"accumulate = {rule}"))
    assert message in error.value.message
    assert error.value.place.line == 3
    assert error.value.place.field.startswith("numerics.accumulate")


def test_without_a_reference_the_rule_is_looked_at_all_the_same(tmp_path: Path, kept: Path) -> None:
    half, whole = BY_NAME["dot_half"], BY_NAME["dot_float"]
    rule = 'accumulate = "f32"'
    kept_rule = verdict(tmp_path, kept, whole.contract(rule, "none"))
    assert (kept_rule["verdict"], kept_rule["layers"][-1]["result"]) == ("safe", "passed")
    broken = verdict(tmp_path, kept, half.contract(rule, "none"))
    assert (broken["verdict"], broken["findings"][0]["kind"]) == ("not-equivalent", "precision")
    assert broken["layers"][-1] == {"name": "proof", "result": "failed", "detail": "precision"}
    # Stopped before the additions are known, nothing is said.
    early = verdict(tmp_path, kept, half.contract(rule, "none"), Options(last="check"))
    assert (early["verdict"], early["findings"], early["precision"]) == (None, [], [])
    for skip, left in (("proof", None), ("safety", "unknown")):
        one = verdict(tmp_path, kept, whole.contract(rule, "none"), Options(skip=frozenset({skip})))
        assert (one["verdict"], one["findings"]) == (left, [])
    assert verdict(tmp_path, kept, half.contract("", "none"))["verdict"] == "safe"

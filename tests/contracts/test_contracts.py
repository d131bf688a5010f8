"""Every contract of this folder comes out as its first line says; all families are there, and all ways to be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from contracts_table import CASES, FAMILIES, HERE, MODES, ROOT, Case

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.contract_parts import SpecReference, TensorSpec
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

RIGHT = [case for case in CASES if not case.mode]
WRONG = [case for case in CASES if case.mode]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict_is_the_expected_one(case: Case, folder: Path) -> None:
    """By safety and proof alone: random inputs would refute most siblings before `decide` has to."""
    with Store(folder) as store:
        session = verify(case.path, store, Options(skip=frozenset({"dynamic"})))
    document = {key: value for key, value in session.document.items() if key != "stages"}
    assert case.expected.met_by(session), json.dumps(document, indent=1)
    assert document["assumptions"] and document["coverage"]["dims"]


def test_right_contracts_are_proved_and_wrong_ones_refuted() -> None:
    """By what they expect, which the test above holds them to."""
    assert {case.expected.verdict for case in RIGHT} == {"equivalent"}
    assert {case.expected.verdict for case in WRONG} == {"not-equivalent", "unsafe"}
    for case in WRONG:  # a finding of this kind, not just any
        assert case.expected.kind, case.name


def test_there_are_at_least_forty_with_specs() -> None:
    own = [case for case in RIGHT if isinstance(case.read().reference, SpecReference)]
    assert len(own) == len(RIGHT) >= 40
    examples = [read_contract(path) for path in (ROOT / "examples").glob("*-spec/volta.toml")]
    assert len(examples) >= 7 and all(isinstance(one.reference, SpecReference) for one in examples)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_each_way_to_be_wrong(family: str) -> None:
    assert FAMILIES[family] <= {case.mode for case in WRONG if case.family == family}


def test_all_families_and_modes_are_in_the_table() -> None:
    assert {case.family for case in CASES} == {path.parent.name for path in HERE.glob("*/*.toml")} == set(FAMILIES)
    assert set.union(*FAMILIES.values()) == set(MODES)


@pytest.mark.parametrize("case", [case for case in RIGHT if case.family != "library"], ids=lambda case: case.name)
def test_a_right_contract_has_a_wrong_sibling(case: Case) -> None:
    """Of the same spec, so that what differs is the kernel, or one tensor."""
    siblings = [other for other in WRONG if other.is_sibling_of(case)]
    assert siblings
    for other in siblings:
        assert other.read().reference == case.read().reference, other.name


@pytest.mark.parametrize("case", [case for case in WRONG if case.family != "library"], ids=lambda case: case.name)
def test_a_wrong_sibling_has_a_right_contract(case: Case) -> None:
    assert any(case.is_sibling_of(right) for right in RIGHT)


def some_tensor(has: Callable[[TensorSpec], bool]) -> Callable[[Contract], bool]:
    return lambda contract: any(has(tensor) for tensor in contract.tensors)


def strided(tensor: TensorSpec, *strides: str | int) -> bool:
    return tensor.strides is not None and tuple(map(str, tensor.strides)) == tuple(map(str, strides))


# Ways to lay out and to fill tensors and to name dims: where a right contract has each, and a sibling that fails because of it.
LAYOUTS: dict[str, tuple[Callable[[Contract], bool], str, str]] = {
    "column-major": (some_tensor(lambda t: strided(t, 1, "m+3")), "matmul/gemm_blas", "transposed"),
    "row-major where columns are meant": (some_tensor(lambda t: strided(t, 1, "k")), "matmul/gemm_blas", "row_major"),
    "leading dimension": (some_tensor(lambda t: strided(t, 1, "m+1")), "matmul/gemm_blas", "ignored_padding"),
    "padded rows": (some_tensor(lambda t: strided(t, "n+2", 1)), "norm/rms_norm", "ignored_padding"),
    "padded result": (some_tensor(lambda t: strided(t, "n+1", 1)), "layout/copy_rows", "ignored_padding"),
    "channels last": (some_tensor(lambda t: strided(t, "c*h*w", 1, "c*w", "c")), "conv/conv_last", "wrong_axis"),
    "aliases": (lambda c: bool(c.aliases), "activations/residual", "neighbour"),
    "alignment": (some_tensor(lambda t: t.align == 16), "activations/scale_float4", "misaligned"),
    "values: a file of ids": (some_tensor(lambda t: isinstance(t.values, Path)), "embedding/embed", "wrong_axis"),
    "values: a file of scales": (
        some_tensor(lambda t: isinstance(t.values, Path) and t.dtype == "f32"), "quant/unpack_known", "wrong_axis",
    ),
    "values: a mask": (some_tensor(lambda t: isinstance(t.values, Path) and t.dtype == "u8"), "attention/masked", "wrong_mask"),
    "values: a number": (some_tensor(lambda t: t.values == 2), "loss/smoothed", "missing_scale"),
    "values: the index": (some_tensor(lambda t: t.values == "index"), "loss/gradient", "wrong_axis"),
    "dims: a list": (lambda c: dict(c.dims)["n"] == (3, 32, 41), "conv/conv1d", "missing_tail"),
    "dims: a range": (lambda c: dict(c.dims)["n"] == (62, 63, 64, 65, 66), "activations/scale_float4", "missing_tail"),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_has_a_right_contract_and_a_wrong_one(layout: str) -> None:
    has, name, suffix = LAYOUTS[layout]
    cases = {case.name: case for case in CASES}
    right, wrong = cases[name], cases[f"{name}_{suffix}"]
    assert has(right.read()) and not right.mode and wrong.mode

"""What --only and --skip leave of a contract: nothing that was not checked may look like success."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Commands
from driver_kernels import contract, document, ptx, tensor

from volta_pipe.ir.errors import InputError

TENSORS = [tensor("x"), tensor("y", "out")]
COPY = "  ld.global.f32 %f0, [%x];\n  st.global.f32 [%y], %f0;"
BEYOND = "  ld.global.f32 %f0, [%x+4];\n  st.global.f32 [%y], %f0;"  # the last thread reads behind x
LAYERS = ("dynamic", "safety", "proof")


def _made(folder: Path, body: str = COPY, spec: str | None = None, more: str = "") -> Path:
    return contract(folder, ptx("x y", body), spec, TENSORS, args="x y", more=more)


@pytest.mark.parametrize("skip", [("dynamic", "safety"), ("safety", "proof"), ("safety",)], ids=" ".join)
def test_what_needs_a_reference_is_refused_without_one(tmp_path: Path, skip: tuple[str, ...]) -> None:
    """An unsafe kernel: with any of these choices nobody looks at it."""
    path = _made(tmp_path, BEYOND)
    assert document(path)["verdict"] == "unsafe"
    with pytest.raises(InputError, match="leaves nothing to check: there is no reference") as error:
        document(path, *skip)
    assert error.value.place.file == str(path)


def test_a_kernel_as_the_reference_is_run_only_when_that_is_asked_for(tmp_path: Path) -> None:
    path = contract(tmp_path, ptx("x y", BEYOND), None, TENSORS, args="x y", reference=ptx("x y", BEYOND))
    with pytest.raises(InputError, match="--skip safety --skip proof leaves nothing to check: the reference is a kernel"):
        document(path, "safety", "proof")


def test_what_was_chosen_and_is_there_goes_on_as_before(tmp_path: Path) -> None:
    alone = _made(tmp_path)
    assert document(alone, "dynamic", "proof")["verdict"] == document(alone, "dynamic")["verdict"] == "safe"
    assert document(alone, *LAYERS)["stopped_after"] == "lower"  # which is what is asked for
    spec = _made(tmp_path, spec="x: {'y': x}")
    assert [document(spec, *skip)["verdict"] for skip in ((), ("safety",), ("safety", "proof"))] == [
        "equivalent",
        "unknown",
        None,
    ]


def test_the_rule_on_sums_alone_is_no_success(tmp_path: Path) -> None:
    found = document(_made(tmp_path, more='[numerics]\naccumulate = "f32"\n'), "safety")
    assert found["verdict"] == "unknown" and found["reasons"][0]["message"].startswith("the rule on sums is kept, if")


def test_runs_that_compare_nothing_are_no_success(tmp_path: Path) -> None:
    """Infinity is what the reference is everywhere: no number of the kernel is compared with anything."""
    found = document(_made(tmp_path, spec="x: {'y': x * 0 + np.inf}"), "safety", "proof")
    assert found["verdict"] == "unknown"
    assert found["reasons"][0]["message"] == "dynamic was not run: no element of the reference is a finite number"


def test_the_command_says_which_choice_and_which_contract(tmp_path: Path, real: Commands) -> None:
    path = str(_made(tmp_path, BEYOND))
    for options in (["run", path, "--only", "proof"], ["run", path, "--only", "proof", "--json"]):
        assert real(*options) == 2 and real.out == ""
        assert real.err == f"volta-pipe: error: {path}: --only proof leaves nothing to check: there is no reference\n"
    assert real("explain", path, "--skip", "safety") == 2 and "--skip safety leaves nothing" in real.err

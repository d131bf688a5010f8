"""Known ways to pass an evaluation without doing the work: none gets past a contract, nor past its proof alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driver_kernels import contract, document, ptx, tensor

X, Y, INOUT = tensor("x"), tensor("y", "out"), tensor("y", "inout")
LOAD = "ld.global.f32 %f1, [%x];\n"
STORE = "st.global.f32 [%y], %f1;\n"
DOUBLE = LOAD + "add.f32 %f1, %f1, %f1;\n" + STORE
SPEC = "x: {'y': 2 * x}"


def kinds(found: dict[str, Any]) -> tuple[str, list[str]]:
    """The verdict and the kinds of its findings."""
    return found["verdict"], [finding["kind"] for finding in found["findings"]]


def doubled(folder: Path, body: str, tensors: list[str] | None = None, **options: Any) -> dict[str, Any]:
    """What is found without the run on concrete inputs, with which at least the same is found; the kernel is to compute
    y = 2 x. `pointers`, `variables`, `guard` are of the PTX, others of the contract."""
    pointers = options.pop("pointers", "x y")
    text = {key: options.pop(key) for key in ("variables", "guard") if key in options}
    spec = options.pop("spec", SPEC)
    path = contract(folder, ptx(pointers, body, **text), spec, tensors or [X, Y], args=pointers, **options)
    found, proof = document(path), document(path, "dynamic")
    tested = {finding["kind"] for finding in found["findings"]}
    assert ({finding["kind"] for finding in proof["findings"]} <= tested and tested) or found["verdict"] == "equivalent"
    if "data-dependent-control" not in tested:  # a run may refute what a proof cannot follow
        assert found["verdict"] == proof["verdict"]
    return proof


def test_the_honest_kernel_passes(tmp_path: Path) -> None:
    found = doubled(tmp_path, DOUBLE, n="[32, 64, 70]")
    assert kinds(found) == ("equivalent", []) and found["coverage"]["outputs"] == 32 + 64 + 70


def test_no_work_at_all(tmp_path: Path) -> None:
    assert kinds(doubled(tmp_path, "")) == ("unsafe", ["unwritten-output"])


def test_the_output_of_an_earlier_run_left_in_place(tmp_path: Path) -> None:
    """An inout tensor may be left as it is, but then holds anything, and not the result."""
    assert kinds(doubled(tmp_path, "", [X, INOUT], spec="x, y: {'y': 2 * x}")) == ("not-equivalent", ["mismatch"])


def test_the_output_of_an_earlier_run_written_again(tmp_path: Path) -> None:
    found = doubled(tmp_path, "ld.global.f32 %f1, [%y];\n" + STORE)
    assert found["verdict"] == "unsafe" and found["findings"][0]["kind"] == "uninitialized-read"


def test_stale_output_in_memory_shared_with_an_input(tmp_path: Path) -> None:
    found = doubled(tmp_path, "", top='aliases = [["x", "y"]]')
    assert kinds(found) == ("unsafe", ["unwritten-output"])


def test_a_shape_that_is_built_in(tmp_path: Path) -> None:
    """x / n with n = 64 built in: right at 64, refuted at 65, and a dispatcher is told to call it at 64 only."""
    body = LOAD + "mul.f32 %f1, %f1, 0f3C800000;\n" + STORE  # 1/64
    found = doubled(tmp_path, body, spec="x: {'y': x / x.shape[0]}", n="[64, 65]")
    assert kinds(found) == ("not-equivalent", ["mismatch"])
    assert found["findings"][0]["dims"] == {"n": 65}
    assert found["dispatch"]["expression"].startswith("n == 64 and ")


def test_a_bound_that_is_built_in(tmp_path: Path) -> None:
    body = "setp.ge.u32 %p1, %i, 64;\n@%p1 ret;\n" + DOUBLE
    found = doubled(tmp_path, body, n="[64, 96]")
    assert kinds(found) == ("unsafe", ["unwritten-output"])
    assert (found["findings"][0]["dims"], found["findings"][0]["count"]) == ({"n": 96}, 32)
    found = doubled(tmp_path, body, guard=False, n="[64, 40]")  # no guard of its own: the built-in one is too wide at 40
    assert {finding["kind"] for finding in found["findings"]} == {"out-of-bounds"} and found["verdict"] == "unsafe"


def test_a_skipped_tail(tmp_path: Path) -> None:
    found = doubled(tmp_path, DOUBLE, n="[64, 70]", grid='["n//32"]')
    assert kinds(found) == ("unsafe", ["unwritten-output"])
    assert (found["findings"][0]["dims"], found["findings"][0]["count"]) == ({"n": 70}, 6)


def test_only_the_first_elements(tmp_path: Path) -> None:
    found = doubled(tmp_path, DOUBLE, n="1024", grid="[1]")
    assert kinds(found) == ("unsafe", ["unwritten-output"]) and found["findings"][0]["count"] == 1024 - 32
    found = doubled(tmp_path, DOUBLE, [X, INOUT], n="1024", grid="[1]", spec="x, y: {'y': 2 * x}")
    assert kinds(found) == ("not-equivalent", ["mismatch"])


def test_most_ctas_leave_at_once(tmp_path: Path) -> None:
    found = doubled(tmp_path, "setp.ne.u32 %p1, %c, 0;\n@%p1 ret;\n" + DOUBLE, n="256")
    assert kinds(found) == ("unsafe", ["unwritten-output"]) and found["findings"][0]["count"] == 256 - 32


def test_a_constant_that_is_close_on_random_inputs(tmp_path: Path) -> None:
    """The mean of many standard normal numbers is close to 0."""
    body = "mov.f32 %f1, 0f00000000;\n" + STORE
    found = doubled(tmp_path, body, spec="x: {'y': np.ones(1024) * x.mean()}", n="1024")
    assert kinds(found) == ("not-equivalent", ["mismatch"])
    notes = [note for note in found["notes"] if note.get("kind") == "vacuous"]
    assert [note["message"] for note in notes] == ["the reference's outputs depend on x, the candidate's do not"]


def test_the_answer_is_taken_from_beyond_a_tensor(tmp_path: Path) -> None:
    """A reference's output often lies right behind the candidate's."""
    found = doubled(tmp_path, "mul.wide.u32 %a1, %n, 4;\nadd.s64 %a1, %a1, %y;\nld.global.f32 %f1, [%a1];\n" + STORE)
    assert found["verdict"] == "unsafe" and found["findings"][0]["kind"] == "out-of-bounds"


def test_the_answer_is_taken_from_a_wild_pointer(tmp_path: Path) -> None:
    found = doubled(tmp_path, "mov.u64 %a1, 140000000000000;\nadd.s64 %a1, %a1, %o;\nld.global.f32 %f1, [%a1];\n" + STORE)
    assert found["verdict"] == "unsafe" and found["findings"][0]["kind"] == "out-of-bounds"


def test_the_inputs_of_the_test_are_recognised(tmp_path: Path) -> None:
    """Where x[i] is 1, as it may be in a test, y[i] is right."""
    test = LOAD + "setp.neu.f32 %p1, %f1, 0f3F800000;\n@%p1 bra OTHER;\n"
    body = test + "mov.f32 %f1, 0f40000000;\n" + STORE + "ret;\nOTHER:\n" + STORE
    found = doubled(tmp_path, body)
    assert found["verdict"] == "unsupported" and found["findings"][0]["kind"] == "data-dependent-control"
    select = LOAD + "setp.eq.f32 %p1, %f1, 0f3F800000;\nselp.f32 %f1, 0f40000000, %f1, %p1;\n" + STORE
    assert kinds(doubled(tmp_path, select)) == ("not-equivalent", ["mismatch"])


@pytest.mark.parametrize("space", ["const", "global"])
def test_an_answer_that_was_computed_before(tmp_path: Path, space: str) -> None:
    """A table of answers, which a host may have made at the inputs of a test."""
    values = ", ".join(f"0f4{i:X}000000" for i in range(8))
    variables = f".{space} .align 4 .f32 table[8] = {{{values}}};"
    body = f"mov.u64 %a1, table;\nadd.s64 %a1, %a1, %o;\nld.{space}.f32 %f1, [%a1];\n" + STORE
    found = doubled(tmp_path, body, n="8", variables=variables)
    assert kinds(found) == ("not-equivalent", ["mismatch"])


def test_a_result_that_is_kept_from_an_earlier_launch(tmp_path: Path) -> None:
    """The first launch computes and keeps what later ones only copy: right once."""
    variables = ".global .align 4 .u32 done;\n.global .align 4 .f32 kept[64];"
    test = "mov.u64 %a2, kept;\nadd.s64 %a2, %a2, %o;\nld.global.u32 %r1, [done];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra AGAIN;\n"
    first = LOAD + "add.f32 %f1, %f1, %f1;\nst.global.f32 [%a2], %f1;\n" + STORE + "ret;\n"
    body = test + first + "AGAIN:\nld.global.f32 %f1, [%a2];\n" + STORE
    found = doubled(tmp_path, body, variables=variables)
    assert kinds(found) == ("unsafe", ["frame"]) and found["findings"][0]["address"]["name"] == "kept"


def test_a_copy_that_is_never_refreshed(tmp_path: Path) -> None:
    """What a variable holds from an earlier launch is not what the first one finds in it."""
    variables = ".global .align 4 .f32 kept[64];"
    body = "mov.u64 %a1, kept;\nadd.s64 %a1, %a1, %o;\nld.global.f32 %f1, [%a1];\n" + STORE
    assert kinds(doubled(tmp_path, body, variables=variables)) == ("not-equivalent", ["mismatch"])

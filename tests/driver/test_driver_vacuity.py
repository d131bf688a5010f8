"""Contracts that cannot fail, or say less than it seems: each kind of note, and an honest contract close to it without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driver_commands import Commands
from driver_kernels import contract, document, ptx, tensor

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import plan
from volta_pipe.ir.errors import InputError

LOAD = "ld.global.f32 %f1, [%x];\n"
STORE = "st.global.f32 [%y], %f1;\n"
ZERO = "mov.f32 %f1, 0f00000000;\n" + STORE
COPY = ptx("x y", LOAD + STORE)
X, Y, B = tensor("x"), tensor("y", "out"), tensor("b")


def vacuous(found: dict[str, Any]) -> list[tuple[str, str]]:
    """(side, subject) of the notes, each once."""
    notes = [note for note in found["notes"] if note.get("kind") == "vacuous"]
    assert all(note["message"] and note["subject"] in note["message"] for note in notes)
    return list(dict.fromkeys((note["side"], note["subject"]) for note in notes))


def test_a_kernel_compared_with_itself(tmp_path: Path) -> None:
    found = document(contract(tmp_path, COPY, None, [X, Y], args="x y", reference=COPY))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "")])
    other = ptx("x y", LOAD + "add.f32 %f1, %f1, 0f00000000;\n" + STORE)
    found = document(contract(tmp_path, COPY, None, [X, Y], args="x y", reference=other))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])


def test_a_reference_of_constants(tmp_path: Path) -> None:
    kernel = ptx("x y", ZERO)
    found = document(contract(tmp_path, kernel, "x: {'y': np.zeros_like(x)}", [X, Y], args="x y", n="[32, 64]"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("reference", "")])
    assert [note["dims"] for note in found["notes"] if note.get("kind") == "vacuous"] == [{"n": 32}, {"n": 64}]
    found = document(contract(tmp_path, ptx("y", ZERO), ": {'y': np.zeros(64)}", [Y], args="y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])  # a kernel that fills, and has no input


def test_what_holds_at_some_dims_only_is_none(tmp_path: Path) -> None:
    """y[0] = 0 and y[i] = x[i]: at n = 1 there are constants only."""
    body = LOAD + "setp.eq.u32 %p1, %i, 0;\n@%p1 mov.f32 %f1, 0f00000000;\n" + STORE
    spec = "x: {'y': np.concatenate([np.zeros(1), x[1:]])}"
    found = document(contract(tmp_path, ptx("x y", body), spec, [X, Y], args="x y", n="[1, 4]"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])
    found = document(contract(tmp_path, ptx("x y", body), spec, [X, Y], args="x y", n="1"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("reference", "")])


def test_an_input_that_nobody_uses(tmp_path: Path) -> None:
    spec = "x, b: {'y': 2 * x}"
    body = LOAD + "add.f32 %f1, %f1, %f1;\n"
    kernel = ptx("x b y", body + STORE)
    found = document(contract(tmp_path, kernel, spec, [X, B, Y], args="x b y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "b")])
    assert "could be left out" in found["notes"][-1]["message"]
    in_vain = "ld.global.f32 %f2, [%b];\nfma.rn.f32 %f1, %f2, 0f00000000, %f1;\n"
    found = document(contract(tmp_path, ptx("x b y", body + in_vain + STORE), spec, [X, B, Y], args="x b y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "b")])
    assert "reads in vain" in found["notes"][-1]["message"]
    known = tensor("b", extra="values = 1")
    assert vacuous(document(contract(tmp_path, kernel, spec, [X, known, Y], args="x b y"))) == []
    scalar = '[scalars.eps]\ndtype = "f32"\n'
    found = document(contract(tmp_path, ptx("x y", body + STORE), "x: {'y': 2 * x}", [X, Y], args="x y", more=scalar))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "eps")])


def test_an_input_that_one_side_ignores(tmp_path: Path) -> None:
    plus_b = LOAD + "ld.global.f32 %f2, [%b];\nadd.f32 %f1, %f1, %f2;\n"
    path = contract(tmp_path, ptx("x b y", LOAD + STORE), "x, b: {'y': x + b}", [X, B, Y], args="x b y")
    found = document(path, "dynamic")
    assert (found["verdict"], vacuous(found)) == ("not-equivalent", [("candidate", "b")])
    assert (document(path)["verdict"], vacuous(document(path))) == ("not-equivalent", [])  # no expression is made
    cancels = plus_b + "sub.f32 %f1, %f1, %f2;\nadd.f32 %f1, %f1, %f1;\n" + STORE
    found = document(contract(tmp_path, ptx("x b y", cancels), "x: {'y': 2 * x}", [X, B, Y], args="x b y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("reference", "b")])
    found = document(contract(tmp_path, ptx("x b y", plus_b + STORE), "x, b: {'y': x + b}", [X, B, Y], args="x b y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])


def test_an_output_that_stays_as_it_was(tmp_path: Path) -> None:
    inout, other = tensor("y", "inout"), tensor("z", "inout")
    found = document(contract(tmp_path, ptx("y", ""), "y: {'y': y}", [inout], args="y"))
    assert (found["verdict"], vacuous(found)) == ("unknown", [("both", "y")])
    found = document(contract(tmp_path, ptx("y", ""), None, [inout], args="y", reference=ptx("y", "bar.sync 0;")))
    assert (found["verdict"], vacuous(found)) == ("unknown", [("both", "y")])
    twice = ptx("y z", "ld.global.f32 %f1, [%y];\nadd.f32 %f1, %f1, %f1;\n" + STORE)
    found = document(contract(tmp_path, twice, "y, z: {'y': 2 * y, 'z': z}", [inout, other], args="y z"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "z")])
    both = twice.replace(STORE, STORE + STORE.replace("%y", "%z"))
    found = document(contract(tmp_path, both, "y, z: {'y': 2 * y, 'z': 2 * y}", [inout, other], args="y z"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])
    shared = contract(tmp_path, COPY, "x: {'y': x}", [X, Y], args="x y", top='aliases = [["x", "y"]]')
    assert vacuous(document(shared)) == [("both", "y")]


def test_an_answer_that_is_given_as_an_input(tmp_path: Path) -> None:
    expected = tensor("e")
    kernel = ptx("x e y", "ld.global.f32 %f1, [%e];\n" + STORE)
    found = document(contract(tmp_path, kernel, "x, e: {'y': e}", [X, expected, Y], args="x e y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("both", "x"), ("both", "y")])
    assert "plain copy of e" in found["notes"][-1]["message"]
    found = document(contract(tmp_path, COPY, "x: {'y': x}", [X, Y], args="x y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])  # a copy of the only input is what such a kernel is for


def test_old_contents_that_are_overwritten_are_no_input(tmp_path: Path) -> None:
    """A copy, and a kernel that fills, into a tensor that held something before."""
    inout = tensor("y", "inout")
    found = document(contract(tmp_path, COPY, "x: {'y': x}", [X, inout], args="x y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])
    found = document(contract(tmp_path, ptx("y", ZERO), ": {'y': np.zeros(64)}", [inout], args="y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])
    found = document(contract(tmp_path, COPY, "x, y: {'y': x + y}", [X, inout], args="x y"), "dynamic")
    assert (found["verdict"], vacuous(found)) == ("not-equivalent", [("candidate", "y")])


def test_scratch_that_is_written_and_never_read(tmp_path: Path) -> None:
    scratch = tensor("s", "scratch")
    write = LOAD + "add.f32 %f1, %f1, %f1;\nst.global.f32 [%s], %f1;\n"
    found = document(contract(tmp_path, ptx("x s y", write + STORE), "x: {'y': 2 * x}", [X, scratch, Y], args="x s y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [("candidate", "s")])
    read = write + "ld.global.f32 %f1, [%s];\n" + STORE
    found = document(contract(tmp_path, ptx("x s y", read), "x: {'y': 2 * x}", [X, scratch, Y], args="x s y"))
    assert (found["verdict"], vacuous(found)) == ("equivalent", [])
    found = document(contract(tmp_path, ptx("x s y", write + STORE), None, [X, scratch, Y], args="x s y"))
    assert (found["verdict"], vacuous(found)) == ("safe", [])  # nothing is compared, and nothing seems to be


@pytest.mark.parametrize("role", ["out", "inout"])
def test_chosen_ctas_that_write_nothing_are_no_proof(tmp_path: Path, role: str) -> None:
    """CTA 1 writes z, CTA 0 y."""
    body = LOAD + "setp.eq.u32 %p1, %c, 0;\n@%p1 st.global.f32 [%y], %f1;\n@!%p1 st.global.f32 [%z], %f1;\n"
    tensors = [X, tensor("y", role), tensor("z", role)]
    given = "x" if role == "out" else "x, y, z"
    for ctas, missing in (("[[0,0,0]]", ["z"]), ("[[1,0,0]]", ["y"]), ("[[0,0,0],[1,0,0]]", [])):
        path = contract(
            tmp_path, ptx("x y z", body), f"{given}: {{'y': x, 'z': x}}", tensors, args="x y z", chosen=f"ctas = {ctas}\n"
        )
        found = document(path)
        assert found["verdict"] == ("unsafe" if missing else "equivalent"), found["findings"]
        assert [(f["kind"], f["address"]["name"]) for f in found["findings"]] == [
            ("unwritten-output", name) for name in missing
        ]
        assert found["dispatch"] is None


def test_threads_that_are_all_masked_off_leave_the_output_unwritten(tmp_path: Path) -> None:
    body = LOAD + "setp.gt.u32 %p1, %i, 1000000;\n@%p1 st.global.f32 [%y], %f1;\n"
    found = document(contract(tmp_path, ptx("x y", body), "x: {'y': x}", [X, Y], args="x y"))
    assert found["verdict"] == "unsafe"
    assert [f["count"] for f in found["findings"] if f["kind"] == "unwritten-output"] == [64]


def test_a_grid_that_some_dims_make_empty_is_an_error(tmp_path: Path) -> None:
    path = contract(tmp_path, COPY, "x: {'y': x}", [X, Y], args="x y", n="[64, 16]", grid='["n//32"]')
    read = read_contract(path)
    with pytest.raises(InputError, match=r"candidate.grid\[0\]: n//32 = 0 is not within 1 to .*an empty launch runs no thread"):
        plan(read, {"n": 16})


def test_the_notes_are_shown_without_asking(tmp_path: Path, real: Commands) -> None:
    path = contract(tmp_path, ptx("x b y", LOAD + STORE), "x: {'y': x}", [X, B, Y], args="x b y", n="[32, 64]")
    assert real("run", str(path)) == 0
    lines = real.out.splitlines()
    covers = next(i for i, line in enumerate(lines) if line.startswith("  covers "))
    assert lines[covers + 1].startswith("  vacuous: no output depends on b,")
    assert lines[covers + 2].startswith("  vacuous: y is a plain copy of x on both sides")
    assert sum("vacuous" in line for line in lines) == 2
    assert real("explain", str(path)) == 0
    assert sum("no output depends on b" in line for line in real.out.splitlines()) == 1


def test_a_reference_without_a_finite_value(tmp_path: Path) -> None:
    """e^(log x) is x where x > 0, which the range leaves out: the proof's assumption never holds."""
    spec = "x: {'y': np.exp(np.log(x))}"
    for span, found in (("[-4.0, -1.0]", [("reference", "")]), ("[1.0, 4.0]", []), ("[-4.0, 4.0]", [])):
        x = tensor("x", extra=f"range = {span}")
        one = document(contract(tmp_path, COPY, spec, [x, Y], args="x y"))
        assert (one["verdict"], vacuous(one)) == ("equivalent", found), span

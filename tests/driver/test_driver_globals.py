"""[globals]: module variables that the host sets, on the real stages: what the kernel reads, and what does not fit."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.cli import main
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
CONTRACT = """name = "variables"
[tensors.x]
dtype = "f32"
shape = [32]
role  = "in"
[tensors.w]
dtype = "{w}"
shape = [{n}]
role  = "in"
{more}
[tensors.y]
dtype = "f32"
shape = [32]
role  = "out"
[reference]
spec = "spec.py:f"
[candidate]
source = "k.ptx"
entry  = "k"
grid   = [1]
block  = [32]
args   = ["x", "y"]
[globals]
{globals}
"""
# %r2 = tid % 4, %rd9 = address of element %r2 of V (by its size), %f1 = x[tid]; the result is %f9.
FLOAT4 = "mul.wide.u32 %d6, %r2, 4; mov.u64 %d7, V; add.u64 %d9, %d7, %d6; ld.{space}.f32 %f2, [%d9]; mul.f32 %f9, %f1, %f2;"


def ptx(variables: str, body: str) -> str:
    return f"""{HEAD}{variables}
.visible .entry k(.param .u64 px, .param .u64 py)
{{
.reg .b32 %r<9>; .reg .f32 %f<10>; .reg .b64 %d<10>; .reg .pred %p<3>; .reg .b16 %h<9>;
ld.param.u64 %d1, [px]; ld.param.u64 %d2, [py]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3; ld.global.f32 %f1, [%d4];
{body}
st.global.f32 [%d5], %f9;
ret;
}}
"""


def project(folder: Path, text: str, value: str, given: str, w: str = "f32", n: int = 4, more: str = "") -> Path:
    (folder / "k.ptx").write_text(text)
    (folder / "spec.py").write_text(f"import numpy as np\n\ndef f(x, w):\n    return {{'y': {value}}}\n")
    (folder / "volta.toml").write_text(CONTRACT.format(globals=given, w=w, n=n, more=more))
    return folder / "volta.toml"


def document(folder: Path, *arguments: Any, **more: Any) -> dict[str, Any]:
    path = project(folder, *arguments, **more)
    with Store(folder / "store") as store:
        return verify(path, store).document


def test_what_is_known_of_variables_is_found_again(tmp_path: Path) -> None:
    body = FLOAT4.format(space="const")
    path = project(
        tmp_path,
        ptx(".const .align 4 .f32 V[4];", body),
        "x * np.tile(np.float32([1, 2, 3, 4]), 8)",
        "V = [1.0, 2.0, 3.0, 4.0]",
    )
    told: list[str] = []
    for cached in (False, True):
        with Store(tmp_path / "store", told.append) as store:
            found = verify(path, store).document
        assert found["verdict"] == "equivalent" and {stage["cached"] for stage in found["stages"]} == {cached}
    assert not told


def command(name: str, folder: Path) -> int:
    """The exit code of the command line."""
    with pytest.raises(SystemExit) as done:
        main([name, str(folder / "volta.toml"), "--store", str(folder / "store")])
    return int(done.value.code or 0)


@pytest.mark.parametrize("space", ["const", "global"])
@pytest.mark.parametrize("kind", [".f32 V[4]", ".b32 V[4]", ".b8 V[16]"])
def test_a_list_of_floats(kind: str, space: str, tmp_path: Path) -> None:
    """Overrides the initialiser; a mutant of the spec is refuted."""
    ones = ", ".join(["1.0" if kind.startswith(".f") else "1"] * 4)
    text = ptx(f".{space} .align 16 {kind} = {{{ones}}};", FLOAT4.format(space=space))
    right = "x * np.tile(np.array([0.5, -1.5, 2.0, 0.1], np.float32), 8)"
    found = document(tmp_path, text, right, "V = [0.5, -1.5, 2, 0.1]")
    assert found["verdict"] == "equivalent", found
    assert "before the launch the host sets variable V to [0.5, -1.5, 2, 0.1] (f32)" in found["assumptions"]
    assert command("replay", tmp_path) == 0
    assert document(tmp_path, text, right, "V = [0.5, -1.5, 2, 0.25]")["verdict"] == "not-equivalent"
    assert command("replay", tmp_path) == 1
    assert document(tmp_path, text, right, "")["verdict"] != "equivalent"


def test_integers_decide_addresses_and_branches(tmp_path: Path) -> None:
    """A loop that runs N times, and a nested list of bytes."""
    body = """ld.const.u32 %r3, [N]; mov.f32 %f9, %f1; Loop: setp.eq.u32 %p1, %r3, 0; @%p1 bra Done;
    add.f32 %f9, %f9, %f1; sub.u32 %r3, %r3, 1; bra Loop; Done:
    cvt.u64.u32 %d6, %r2; mov.u64 %d7, B; add.u64 %d7, %d7, %d6; ld.const.u8 %h1, [%d7]; cvt.rn.f32.u16 %f3, %h1; mul.f32 %f9, %f9, %f3;"""
    text = ptx(".const .align 4 .u32 N; .const .align 1 .b8 B[4];", body)
    given = "N = {}\nB = [[1, 2], [3, 255]]"
    right = "6 * x * np.tile(np.array([1, 2, 3, 255], np.float32), 8)"
    assert document(tmp_path, text, right, given.format(5))["verdict"] == "equivalent"
    assert document(tmp_path, text, right, given.format(4))["verdict"] == "not-equivalent"


@pytest.mark.parametrize("space", ["const", "global"])
@pytest.mark.parametrize(
    ("w", "load"),
    [
        ("f32", FLOAT4),
        ("f64", "mul.wide.u32 %d6, %r2, 8; mov.u64 %d7, V; add.u64 %d9, %d7, %d6; ld.{space}.f64 %g1, [%d9]; cvt.rn.f32.f64 %f2, %g1; mul.f32 %f9, %f1, %f2;"),
        ("f16", "mul.wide.u32 %d6, %r2, 2; mov.u64 %d7, V; add.u64 %d9, %d7, %d6; ld.{space}.b16 %h1, [%d9]; cvt.f32.f16 %f2, %h1; mul.f32 %f9, %f1, %f2;"),
    ],
)  # fmt: skip
def test_what_a_tensor_holds(w: str, load: str, space: str, tmp_path: Path) -> None:
    """Its contents are symbolic; the mutant reads the next element."""
    size = {"f32": 4, "f64": 8, "f16": 2}[w]
    load = ".reg .f64 %g1;" + load.format(space=space)
    text = ptx(f".{space} .align 8 .b8 V[{4 * size}];", load)
    right = "x * np.tile(w, 8).astype(np.float32)"
    found = document(tmp_path, text, right, 'V = "w"', w=w)
    assert found["verdict"] == "equivalent", found
    assert "before the launch the host sets variable V to what tensor w holds" in found["assumptions"]
    assert command("replay", tmp_path) == 0
    mutant = text.replace("and.b32 %r2, %r1, 3;", "add.u32 %r2, %r1, 1; and.b32 %r2, %r2, 3;")
    assert document(tmp_path, mutant, right, 'V = "w"', w=w)["verdict"] == "not-equivalent"
    assert command("replay", tmp_path) == 1


def test_known_contents_of_a_tensor(tmp_path: Path) -> None:
    body = "mul.wide.u32 %d6, %r2, 4; mov.u64 %d7, V; add.u64 %d9, %d7, %d6; ld.global.u32 %r4, [%d9]; cvt.rn.f32.u32 %f2, %r4; mul.f32 %f9, %f1, %f2;"
    text = ptx(".global .align 4 .u32 V[4];", body)
    right = "x * np.tile(np.arange(4.0), 8).astype(np.float32)"
    assert document(tmp_path, text, right, 'V = "w"', w="u32", more='values = "index"')["verdict"] == "equivalent"
    assert document(tmp_path, text, right, 'V = "w"', w="u32", more="values = 1")["verdict"] == "not-equivalent"


def test_a_variable_is_its_own_memory(tmp_path: Path) -> None:
    """Written through the tensor's pointer, the variable keeps what the tensor held; to write the variable is no part of the
    contract."""
    text = ptx(".global .align 4 .f32 V[4];", "ld.global.f32 %f2, [V]; mul.f32 %f9, %f1, %f2; st.global.f32 [%d4], %f9;")
    path = project(tmp_path, text, "x * x[0], 'x': x * x[0]", 'V = "x"')
    contract = path.read_text().replace('shape = [32]\nrole  = "in"', 'shape = [4]\nrole  = "inout"', 1)
    contract = contract.replace('shape = [32]\nrole  = "out"', 'shape = [4]\nrole  = "out"').replace(
        "block  = [32]", "block  = [4]"
    )
    path.write_text(contract)
    with Store(tmp_path / "store") as store:
        found = verify(path, store).document
    assert found["verdict"] == "equivalent", found
    body = FLOAT4.format(space="global") + "bar.sync 0; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.f32 [V], %f1;"
    found = document(tmp_path, ptx(".global .align 4 .f32 V[4];", body), "x * np.tile(w, 8)", 'V = "w"')
    assert found["verdict"] == "unsafe" and found["findings"][0]["kind"] == "frame"


def test_a_variable_of_one_side_only(tmp_path: Path) -> None:
    """The reference has no variable, and multiplies by a constant."""
    path = project(tmp_path, ptx(".const .f32 V;", "ld.const.f32 %f2, [V]; mul.f32 %f9, %f1, %f2;"), "x", "V = 3.0")
    (tmp_path / "g.ptx").write_text(ptx("", "mul.f32 %f9, %f1, 0f40400000;"))
    kernel = '[reference]\nsource = "g.ptx"\nentry = "k"\ngrid = [1]\nblock = [32]\nargs = ["x", "y"]'
    text = path.read_text().replace('[reference]\nspec = "spec.py:f"', kernel)
    for one, verdict in ((text, "equivalent"), (text.replace("V = 3.0", "V = 2.0"), "not-equivalent")):
        path.write_text(one)
        with Store(tmp_path / "store") as store:
            assert verify(path, store).document["verdict"] == verdict


def test_a_variable_of_a_function_is_another_one(tmp_path: Path) -> None:
    """It has the name of the module's, which the kernel does not mention."""
    body = ".const .align 4 .f32 V = 3.0; ld.const.f32 %f2, [V]; mul.f32 %f9, %f1, %f2;"
    for value, verdict in (("3 * x", "equivalent"), ("2 * x", "not-equivalent")):
        assert document(tmp_path, ptx(".const .align 4 .f32 V;", body), value, "V = 2.0")["verdict"] == verdict


WRONG = [
    ("W = 3", ".f32 V[4]", "no variable in .const or .global memory has this name.*\\(V\\)"),
    ("V = 3.0", ".f32 V[4]", "gives 4 bytes \\(1 of f32\\), the variable has 16 \\(.f32\\)"),
    ("V = [1.0, 2.0, 3.0]", ".f32 V[4]", "gives 12 bytes \\(3 of f32\\), the variable has 16"),
    ("V = [1.0, 2.0, 3.0]", ".b8 V[16]", "3 numbers do not fill 16 bytes evenly"),
    ("V = [1, 2, 3, 4.5]", ".u32 V[4]", "4.5 is no integer"),
    ("V = [1, 2, 3, 4294967296]", ".u32 V[4]", "does not fit u32"),
    ("V = [1, 2, 3, -1]", ".u32 V[4]", "does not fit u32"),
    ("V = [1e39, 2, 3, 4]", ".f32 V[4]", "does not fit f32"),
    ("V = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]", ".b8 V[16]", "2 bytes each are no number"),
    ("V = true", ".f32 V[4]", "must be a number, a list of numbers or the name of a tensor"),
    ("V = []", ".f32 V[4]", "must be a number, a list"),
    ('V = "ww"', ".f32 V[4]", "unknown tensor 'ww', did you mean 'w'"),
    ('V = "y"', ".f32 V[4]", "tensor y has the role out: it holds nothing before the launch"),
    ('V = "w"', ".f32 V[5]", "tensor w has 16 bytes, the variable has 20"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "declared", "message"), WRONG, ids=[w[0] for w in WRONG])
def test_what_does_not_fit_is_an_error_with_file_line_and_field(
    given: str, declared: str, message: str, tmp_path: Path
) -> None:
    path = project(tmp_path, ptx(f".const .align 4 {declared};", FLOAT4.format(space="const")), "x", given)
    with pytest.raises(InputError, match=message) as caught, Store(tmp_path / "store") as store:
        verify(path, store)
    line = next(i for i, one in enumerate(path.read_text().splitlines(), 1) if one.startswith(f"{given[0]} ="))
    assert str(caught.value).startswith(f"{path}:{line}: globals.{given[0]}")
    assert command("run", tmp_path) == 2

"""The contract reader: what it accepts, and that each error names file, line and field."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from driver_project import Project

from volta_pipe.driver.arguments import Parameter, check_signature
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.dtypes import DTYPES, fit
from volta_pipe.driver.plan import instantiate, plan
from volta_pipe.driver.toml_lines import key_lines
from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import DTYPES as LAUNCH_DTYPES

# ruff: noqa: E501 tables of cases, a line each
# (text of the contract to replace, its replacement, text on the line that the error names, field, words of the message)
ERRORS = [
    ('name = "copy"', 'nmae = "copy"', "nmae", "nmae", "unknown field, did you mean 'name'?"),
    ('name = "copy"', "name = 3", "name = 3", "name", "must be a string"),
    ("n = [4, 8]", "n = []", "n = []", "dims.n", "has no value"),
    ("n = [4, 8]", "n = [4, 4]", "n = [", "dims.n", "twice"),
    ("n = [4, 8]", "n = [4, true]", "n = [", "dims.n[1]", "must be an integer"),
    ("n = [4, 8]", "n = {min = 1}", "n = {", "dims.n.max", "is missing"),
    ("n = [4, 8]", "n = {min = 4, max = 1}", "n = {", "dims.n", "max >= min"),
    ("n = [4, 8]", "n = {min = 1, max = 20000}", "n = {", "dims.n", "more than 10,000 values"),
    ("n = [4, 8]", "n = {min = 1, max = 200}\nm = {min = 1, max = 200}", "[dims]", "dims", "40,000 combinations"),
    ("n = [4, 8]", "min = 4", "min = 4", "dims.min", "cannot be a name"),
    ("n = [4, 8]", "n = 4\nx = 4", "[tensors.x]", "tensors.x", "taken by dims.x"),
    ('dtype = "f32"\nshape = ["n"]\nrole  = "in"', 'dtype = "f23"\nshape = ["n"]\nrole  = "in"', '"f23"', "tensors.x.dtype", "'f32'"),
    ('role  = "in"', 'role  = "input"', '"input"', "tensors.x.role", "unknown value 'input'"),
    ('role  = "in"', 'role  = "in"\nshap = 3', "shap = ", "tensors.x.shap", "unknown field"),
    ('role  = "in"', 'role  = "in"\nalign = 12', "align", "tensors.x.align", "power of two"),
    ('role  = "in"', 'role  = "in"\nvalues = "none.npy"', "none.npy", "tensors.x.values", "does not exist"),
    ('role  = "in"', 'role  = "in"\nvalues = "ones"', "values", "tensors.x.values", "a number, \"index\" or a .npy"),
    ('role  = "in"', 'role  = "in"\nrange = [1, 0]', "range", "tensors.x.range", "the smaller first"),
    ('role  = "in"', 'role  = "in"\nstrides = [1, 1]', "strides", "tensors.x.strides", "one stride a dimension"),
    ('[scalars.a]\ndtype = "f32"', '[scalars.a]\ndtype = "u8"\nvalue = 256', "value = 256", "scalars.a.value", "256 does not fit u8"),
    ('[scalars.a]\ndtype = "f32"', '[scalars.a]\ndtype = "s32"\nvalue = 1.5', "value = 1.5", "scalars.a.value", "no integer"),
    ('[scalars.a]\ndtype = "f32"', '[scalars.a]\nvalue = 1.5', "[scalars.a]", "scalars.a.dtype", "is missing"),
    ('entry  = "copy"\n', "", "[candidate]", "candidate.entry", "is missing"),
    ('entry  = "copy"\n', 'entri = "copy"\n', "[candidate]", "candidate.entry", "is missing (a string), is it 'entri'?"),
    ('source = "k.ptx"\nentry  = "copy"', 'source = "k.cu"\nentry  = "copy"', '"k.cu"', "candidate.source", "compile it to PTX first"),
    ('source = "k.ptx"\nentry  = "copy"', 'source = "no.ptx"\nentry  = "copy"', '"no.ptx"', "candidate.source", "does not exist"),
    ('source = "k.ptx"\nentry  = "copy"', 'source = "."\nentry  = "copy"', '"."', "candidate.source", "is a directory"),
    ('grid   = ["(n+31)//32"]', "grid   = []", "grid   = []", "candidate.grid", "needs 1 to 3 values"),
    ('entry  = "reference"', 'spec = "k.py:f"', "[reference]", "reference.source", "a spec or a kernel, not both"),
    ("[candidate]", "[numerics]\nmodel = \"float\"\n[candidate]", "model", "numerics.model", "unknown value 'float'"),
    ("[candidate]", "[assume]\nno_races = true\n[candidate]", "no_races", "assume.no_races", "unknown field"),
    ("[dims]", 'aliases = [["x"]]\n[dims]', "aliases", "aliases[0]", "pair of tensors"),
    ("[dims]", 'aliases = [["x", "z"]]\n[dims]', "aliases", "aliases[0]", "unknown tensor 'z'"),
]  # fmt: skip

# The same, for errors that need the dims.
PLAN_ERRORS = [
    ('shape = ["n"]\nrole  = "in"', 'shape = ["m"]\nrole  = "in"', '["m"]', "tensors.x.shape[0]", "unknown name 'm'"),
    ('shape = ["n"]\nrole  = "in"', 'shape = ["n-4"]\nrole  = "in"', "n-4", "tensors.x.shape[0]", "n-4 = 0 is not within"),
    ('shape = ["n"]\nrole  = "in"', 'shape = [-1]\nrole  = "in"', "[-1]", "tensors.x.shape[0]", "-1 is not within"),
    ('role  = "in"', 'role  = "in"\nstrides = [0]', "strides", "tensors.x.strides", "elements overlap"),
    ("[dims]", 'aliases = [["x", "y"]]\n[dims]', "aliases", "aliases[0]", "must have one size"),
    ('grid   = ["(n+31)//32"]', 'grid   = ["n//32"]', "n//32", "candidate.grid[0]", "n//32 = 0 is not within"),
    ('grid   = ["(n+31)//32"]\nblock  = [32]', "grid   = [1]\nblock  = [1024, 2]", "1024, 2", "candidate.block", "2048 threads"),
    ('"(n+31)//32"]', '"(n+31)//32"]\nshared = "n-100"', "n-100", "candidate.shared", "is not within"),
    ('"(n+31)//32"]', '"(n+31)//32"]\nctas = [[0,0,1]]', "ctas", "candidate.ctas[0][2]", "not within 0 to 0"),
    ('"(n+31)//32"]', '"(n+31)//32"]\nctas = [[0,0,0],[0,0,0]]', "ctas", "candidate.ctas[1]", "twice"),
    ('block  = [32]\nargs   = ["x", "y", "n"]\n\n[c', 'block  = [32]\nargs   = ["x", "z", "n"]\n\n[c', '"z"', "reference.args[1]", "'z'"),
    ('block  = [32]\nargs   = ["x", "y", "n"]\n\n[c', 'block  = [32]\nargs   = ["x+99", "y", "n"]\n\n[c', "x+99", "reference.args[0]", "outside x"),
    ('block  = [32]\nargs   = ["x", "y", "n"]\n\n[c', 'block  = [32]\nargs   = ["x-4", "y", "n"]\n\n[c', "x-4", "reference.args[0]", "outside x"),
    ('block  = [32]\nargs   = ["x", "y", "n"]\n\n[c', 'block  = [32]\nargs   = ["4+x", "y", "n"]\n\n[c', "4+x", "reference.args[0]", "'x'"),
]  # fmt: skip


def _expect(project: Project, error: InputError, on_line: str, field: str, message: str) -> None:
    assert error.place.file == str(project.contract)
    assert error.place.line == project.line_of(on_line), str(error)
    assert error.place.field == field
    assert message in error.message
    assert "\n" not in str(error)


@pytest.mark.parametrize("case", ERRORS, ids=lambda case: case[3])
def test_errors_name_file_line_and_field(project: Project, case: tuple[str, str, str, str, str]) -> None:
    old, new, on_line, field, message = case
    project.change(old, new)
    with pytest.raises(InputError) as caught:
        read_contract(project.contract)
    if field == "reference.source":  # the line of `source` in [reference]
        on_line = 'source = "k.ptx"'
    _expect(project, caught.value, on_line, field, message)


@pytest.mark.parametrize("case", PLAN_ERRORS, ids=lambda case: case[3])
def test_errors_that_need_dims(project: Project, case: tuple[str, str, str, str, str]) -> None:
    old, new, on_line, field, message = case
    if field == "aliases[0]":
        project.change('shape = ["n"]\nrole  = "in"', 'shape = ["2*n"]\nrole  = "in"')
    project.change(old, new)
    contract = read_contract(project.contract)
    with pytest.raises(InputError) as caught:
        plan(contract, {"n": 4})
    _expect(project, caught.value, on_line, field, message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"name = \n", "not valid TOML"),
        (b"\x7fELF\x00\x01\xff\xfe", "not"),
        (b"\n\nname = '\xff'", "not UTF-8"),
        (b"x = " + b"[" * 5000, "not valid TOML|nested too deeply"),
        (b'name = "only this"', "candidate: is missing"),
        (b"tensors = 3", "tensors: must be a table"),
        (b"[[candidate]]\nsource = 3", "candidate: must be a table"),
        (b"#" * (2 << 20), "bytes .at most"),
    ],
)
def test_wrong_files(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "volta.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_contract(path)
    assert str(caught.value).startswith(str(path))


def test_a_folder_and_a_missing_file(project: Project) -> None:
    with pytest.raises(InputError, match=r"is a directory.*did you mean .*volta.toml"):
        read_contract(project.folder)
    with pytest.raises(InputError, match="does not exist"):
        read_contract(project.folder / "other.toml")


def test_combinations_and_launch(project: Project) -> None:
    project.change("n = [4, 8]", "n = [4, 8]\nk = {min = 1, max = 5, step = 2}")
    project.change('args   = ["x", "y", "n"]\n\n[candidate]', 'args   = ["x+4*k", "y", "n*k"]\n\n[candidate]')
    project.change('role  = "in"', 'role  = "in"\nvalues = "index"')
    contract = read_contract(project.contract)
    assert contract.combinations()[:4] == [{"n": 4, "k": 1}, {"n": 4, "k": 3}, {"n": 4, "k": 5}, {"n": 8, "k": 1}]
    reference, candidate = instantiate(contract, {"n": 4, "k": 3})
    assert reference is not None and reference.grid == (4, 1, 1) and candidate.grid == (1, 1, 1)
    assert [(a.kind, a.index, a.offset, a.number) for a in reference.arguments] == [
        ("pointer", 0, 12, 0), ("pointer", 1, 0, 0), ("number", -1, 0, 12),
    ]  # fmt: skip
    assert reference.tensors[0].values is not None and reference.tensors[0].values.tolist() == [0, 1, 2, 3]


def test_aliases_strides_and_numpy_values(project: Project) -> None:
    project.change("[dims]", 'aliases = [["y", "x"]]\n[dims]')
    np.save(project.folder / "v.npy", np.arange(4.0))
    project.change('role  = "in"', 'role  = "in"\nstrides = [1]\nvalues = "v.npy"')
    contract = read_contract(project.contract)
    _, launch = instantiate(contract, {"n": 4})
    assert [t.alias_of for t in launch.tensors] == [-1, 0]
    with pytest.raises(InputError, match=r"v.npy has shape \(4,\), the tensor \(8,\)"):
        instantiate(contract, {"n": 8})
    np.save(project.folder / "v.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"is not a \.npy file of numbers"):
        instantiate(contract, {"n": 4})


def test_integer_values_must_fit(project: Project) -> None:
    np.save(project.folder / "v.npy", np.array([0, 1, 2, 300]))
    project.change('dtype = "f32"\nshape = ["n"]\nrole  = "in"', 'dtype = "u8"\nshape = ["n"]\nrole  = "in"\nvalues = "v.npy"')
    contract = read_contract(project.contract)
    with pytest.raises(InputError, match="holds 0 to 300, u8 holds 0 to 255"):
        instantiate(contract, {"n": 4})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("u64 u64", r"candidate.args: copy takes 2 arguments, the contract gives 3"),
        ("u64 u32 u32", r"candidate.args\[1\]: 'y' is a pointer"),
        ("u64 u64 u8", "n' does not fit: value 400"),
    ],
)
def test_arguments_against_the_signature(project: Project, parameters: str, message: str) -> None:
    contract = read_contract(project.contract)
    planned = plan(contract, {"n": 400})
    sizes = {"u64": 8, "u32": 4, "u8": 1}
    found = [Parameter(f"p{i}", kind, sizes[kind]) for i, kind in enumerate(parameters.split())]
    with pytest.raises(InputError, match=message):
        check_signature(planned.candidate, found, contract.source)


def test_arguments_that_fit(project: Project) -> None:
    project.change('args   = ["x", "y", "n"]\n\n[candidate]', 'args   = ["x", "null", "a", 1.5, 7]\n\n[candidate]')
    contract = read_contract(project.contract)
    planned = plan(contract, {"n": 4}).reference
    found = [
        Parameter(str(i), kind, size)
        for i, (kind, size) in enumerate([("u64", 8), ("b64", 8), ("f32", 4), ("f64", 8), ("f32", 4)])
    ]
    check_signature(planned, found, contract.source)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'a' is a scalar of type f32"):
        check_signature(planned, [*found[:2], Parameter("q", "u32", 4), *found[3:]], contract.source)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"1\.5' is no integer"):
        check_signature(planned, [*found[:3], Parameter("q", "u64", 8), found[4]], contract.source)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="16 bytes by value"):
        check_signature(planned, [Parameter("q", "b8", 16), *found[1:]], contract.source)  # type: ignore[arg-type]


def test_lines_of_keys() -> None:
    text = 'a = """\n[b]\nc = 1\n"""\n[t."x y".z]\nk = [\n  "]", # ]\n  2,\n]\nd.e = {f = 1}\n[[s]]\n[[s]]\nm = 3\n'
    lines = key_lines(text)
    assert lines["a",] == 1 and ("b",) not in lines
    assert lines["t", "x y", "z", "k"] == 6 and lines["t", "x y", "z", "d", "e"] == 10
    assert lines["s", 1, "m"] == 13


def test_dtypes_are_those_of_the_launch() -> None:
    assert {name: (d.size, d.kind) for name, d in DTYPES.items()} == LAUNCH_DTYPES


@pytest.mark.parametrize(("value", "dtype", "numpy_type"), [(1e-5, "f32", np.float32), (0.1, "f16", np.float16), (1e-41, "f32", np.float32), (6e-8, "f16", np.float16)])  # fmt: skip
def test_floats_are_rounded_as_a_host_does(value: float, dtype: str, numpy_type: type) -> None:
    assert fit(value, dtype) == float(numpy_type(value))
    with pytest.raises(ValueError, match="does not fit"):
        fit(1e39, dtype)


def test_small_formats() -> None:
    assert fit(1.0 + 2**-8, "bf16") == 1.0 and fit(1.0 + 3 * 2**-8, "bf16") == 1.0 + 2**-6
    assert fit(449, "e4m3") == 448.0 and fit(17.0, "e4m3") == 16.0
    with pytest.raises(ValueError, match="does not fit e4m3"):
        fit(480.0, "e4m3")

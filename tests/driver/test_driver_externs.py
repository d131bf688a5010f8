"""[externs]: calls of extern device functions have the meaning that the contract gives, on the real stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.cli import main
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError
from volta_pipe.ir.externs import EXTERNS

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
TWO = """name = "extern"
[tensors.x]
dtype = "{t}"
shape = [40]
role  = "in"
range = [0.5, 2.0]
[tensors.y]
dtype = "{t}"
shape = [40]
role  = "out"
[reference]
spec = "spec.py:f"
[candidate]
source = "k.ptx"
entry  = "k"
grid   = [1]
block  = [40]
args   = ["x", "y"]
[externs]
{externs}
"""
SPEC = "import numpy as np\nfrom math import erf\nE = np.vectorize(erf)\n\ndef f(x):\n    return {{'y': {value}}}\n"
# On x: what NumPy computes, and the same with another constant or function.
MEANINGS = {
    "exp": ("np.exp(x)", "np.exp2(x)"), "exp2": ("np.exp2(x)", "np.exp(x)"), "expm1": ("np.exp(x) - 1", "np.exp(x)"),
    "log": ("np.log(x)", "np.log2(x)"), "log2": ("np.log2(x)", "np.log(x)"), "log10": ("np.log10(x)", "np.log(x)"),
    "log1p": ("np.log(1 + x)", "np.log(x)"), "sqrt": ("np.sqrt(x)", "x"), "rsqrt": ("1 / np.sqrt(x)", "np.sqrt(x)"),
    "rcp": ("1 / x", "x"), "tanh": ("np.tanh(x)", "x"), "sin": ("np.sin(x)", "np.cos(x)"), "cos": ("np.cos(x)", "np.sin(x)"),
    "pow": ("x ** (x + 1)", "x ** x"), "fma": ("x * (x + 1) + 2 * x", "x * (x + 1) + x"), "add": ("2 * x + 1", "2 * x"),
    "sub": ("x - (x + 1)", "x"), "mul": ("x * x + x", "x * x"), "div": ("x / (x + 1)", "x"),
    "max": ("np.maximum(x, x * x + x)", "x"), "min": ("np.minimum(x, x + 1)", "x + 1"), "abs": ("np.abs(x)", "x"),
    "neg": ("-x", "x"), "floor": ("np.floor(x)", "x"), "ceil": ("np.ceil(x)", "x"), "trunc": ("np.trunc(x)", "x"),
    "rint": ("np.rint(x)", "x"),
}  # fmt: skip
# Operands of functions of several: x, then one more than x (x squared more of max), then twice x.
SECOND = {"max": "fma.rn.{t} %f2, %f1, %f1, %f1;"}


def ptx(name: str, kind: str = "f32", *, arity: int = 1, guard: str = "", declare: str | None = None, space: str = ".b") -> str:
    """y = name(x, x + 1, 2 x)[:arity]; with a guard on even threads only, and x elsewhere."""
    bits = kind[1:]
    params = ", ".join(f".param {space}{bits} p{i}" for i in range(arity))
    declared = f".extern .func (.param {space}{bits} r) {name} ({params});" if declare is None else declare
    one = "0f3F800000" if kind == "f32" else "0d3FF0000000000000"
    stores = "".join(f".param .b{bits} a{i}; st.param.{kind} [a{i}+0], %f{i + 1};" for i in range(arity))
    call = f"{stores} .param .b{bits} q; call.uni (q), {name}, ({', '.join(f'a{i}' for i in range(arity))});"
    call = f"{{ {call} ld.param.{kind} %f9, [q+0]; }}"
    size = int(bits) // 8
    if guard:
        call = f"and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0; mov.{kind} %f9, %f1; @%p1 bra L; {call} L:"
    second = SECOND.get(name.removeprefix("my_"), f"add.{kind} %f2, %f1, {one};").format(t=kind)
    return f"""{HEAD}{declared}
.visible .entry k(.param .u64 px, .param .u64 py)
{{
.reg .b32 %r<9>; .reg .{kind} %f<10>; .reg .b64 %d<9>; .reg .pred %p<3>;
ld.param.u64 %d1, [px]; ld.param.u64 %d2, [py]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, {size};
add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
ld.global.{kind} %f1, [%d4]; {second} add.{kind} %f3, %f1, %f1;
{call}
st.global.{kind} [%d5], %f9;
ret;
}}
"""


def project(folder: Path, text: str, value: str, externs: str, kind: str = "f32") -> Path:
    (folder / "k.ptx").write_text(text)
    (folder / "spec.py").write_text(SPEC.format(value=value))
    (folder / "volta.toml").write_text(TWO.format(externs=externs, t=kind))
    return folder / "volta.toml"


def document(folder: Path, *arguments: Any, **more: Any) -> dict[str, Any]:
    path = project(folder, *arguments, **more)
    with Store(folder / "store") as store:
        return verify(path, store).document


def command(name: str, path: Path) -> int:
    """The exit code of the command line."""
    with pytest.raises(SystemExit) as done:
        main([name, str(path), "--store", str(path.parent / "store")])
    return int(done.value.code or 0)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", [n for n in EXTERNS if n != "erf"])
def test_a_function_has_the_meaning_that_the_contract_gives(name: str, kind: str, tmp_path: Path) -> None:
    right, wrong = MEANINGS[name]
    text = ptx(f"my_{name}", kind, arity=EXTERNS[name][0])
    found = document(tmp_path, text, right, f'my_{name} = "{name}"', kind)
    assert found["verdict"] == "equivalent", found
    assert f"extern function my_{name} computes {name}" in found["assumptions"]
    mutant = document(tmp_path, text, wrong, f'my_{name} = "{name}"', kind)
    # Where two functions agree on the range of the inputs, they do not on all reals.
    assert mutant["verdict"] in ("not-equivalent", "unknown"), mutant
    assert mutant["verdict"] == "not-equivalent" or name in ("floor", "ceil", "trunc", "rint"), mutant


@pytest.mark.parametrize("name", list(EXTERNS))
def test_replay_computes_the_same_function(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right, wrong = MEANINGS.get(name, ("E(x)", "E(x) + 1"))
    text = ptx(f"my_{name}", arity=EXTERNS[name][0])
    for value, code in ((right, 0), (wrong if name != "abs" else "-x", 1)):
        path = project(tmp_path, text, value, f'my_{name} = "{name}"')
        assert command("replay", path) == code, capsys.readouterr()


def test_erf_against_a_kernel_and_under_a_branch(tmp_path: Path) -> None:
    """Two kernels, one of which calls on even threads only: the other elements are x."""
    path = project(tmp_path, ptx("my_erf"), "x", 'my_erf = "erf"')
    (tmp_path / "g.ptx").write_text(ptx("my_erf", guard="even"))
    reference = '[reference]\nsource = "{}"\nentry = "k"\ngrid = [1]\nblock = [40]\nargs = ["x", "y"]'
    text = path.read_text().replace('[reference]\nspec = "spec.py:f"', reference.format("k.ptx"))
    results = []
    for one in (text, text.replace('source = "k.ptx"\nentry  =', 'source = "g.ptx"\nentry  =')):
        path.write_text(one)
        with Store(tmp_path / "store") as store:
            results.append(verify(path, store).document)
    assert [one["verdict"] for one in results] == ["equivalent", "not-equivalent"]


def test_registers_as_parameters(tmp_path: Path) -> None:
    """PTX allows parameters of device functions in registers, and constants for them."""
    text = ptx("my_pow", arity=2, declare=".extern .func (.reg .f32 r) my_pow (.reg .f32 a, .reg .f32 b);")
    start, end = text.index("{ .param"), text.index("st.global")
    text = text[:start] + "call (%f9), my_pow, (%f1, 0f40400000);\n" + text[end:]
    assert document(tmp_path, text, "x * x * x", 'my_pow = "pow"')["verdict"] == "equivalent"
    assert document(tmp_path, text, "x * x", 'my_pow = "pow"')["verdict"] == "not-equivalent"


def test_what_is_not_named_is_unsupported_by_name_and_line(tmp_path: Path) -> None:
    found = document(tmp_path, ptx("my_exp"), "np.exp(x)", "")
    assert found["verdict"] == "unsupported"
    (finding,) = found["findings"]
    assert "function my_exp is not in the file, and [externs] does not say what it computes" in finding["message"]
    assert finding["ptx_line"] == ptx("my_exp").split("call.uni")[0].count("\n") + 1


WRONG = [
    ('my_exp = "expp"', ptx("my_exp"), "unknown value 'expp', did you mean 'exp'"),
    ('my_exp = 3', ptx("my_exp"), "must be a string"),
    ('my_exp = "pow"', ptx("my_exp"), "takes 1 parameters, pow takes 2"),
    ('my_exp = "exp"\nmy_log = "log"', ptx("my_exp"), "the PTX declares no function of this name"),
    ('my_exp = "exp"', ptx("my_exp", space=".u"), "not all .f32 or all .f64"),
    ('my_exp = "exp"', ptx("my_exp", declare=".extern .func (.param .b64 r) my_exp (.param .b32 a);"), "not all .f32 or all"),
    ('my_exp = "exp"', ptx("my_exp", declare=".extern .func my_exp (.param .b32 a);"), "gives 0 results, exp gives 1"),
    ('my_exp = "exp"', ptx("my_exp", declare=".func (.param .b32 r) my_exp (.param .b32 a) { ret; }"), "has a body in the PTX"),
]  # fmt: skip


@pytest.mark.parametrize(("externs", "text", "message"), WRONG, ids=[w[2][:20] for w in WRONG])
def test_what_does_not_fit_is_an_error_with_file_line_and_field(
    externs: str, text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, text, "np.exp(x)", externs)
    with pytest.raises(InputError, match=message) as caught, Store(tmp_path / "store") as store:
        verify(path, store)
    field = externs.splitlines()[-1].split()[0]
    line = next(i for i, one in enumerate(path.read_text().splitlines(), 1) if one.startswith(f"{field} ="))
    assert str(caught.value).startswith(f"{path}:{line}: externs.{field}")
    assert command("run", path) == 2
    assert message.split("'", maxsplit=1)[0] in capsys.readouterr().err


def test_no_text_can_spell_the_instruction_that_calls_become(tmp_path: Path) -> None:
    text = ptx("my_exp")
    start, end = text.index("{ .param"), text.index("st.global")
    found = document(tmp_path, text[:start] + "extern.exp.f32 %f9, %f1;\n" + text[end:], "np.exp(x)", 'my_exp = "exp"')
    assert found["verdict"] == "unsupported" and "extern.exp.f32 is not supported" in found["findings"][0]["message"]
    assert not any("extern" in text for text in found["assumptions"])

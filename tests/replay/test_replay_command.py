"""`volta-pipe replay`: what it prints and its exit codes; its random inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from volta_pipe.driver.cli import main
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.inputs import random_contents
from volta_pipe.driver.plan import plan
from volta_pipe.passes.replay import to_numbers

ROOT = Path(__file__).resolve().parents[2]
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py)
{
.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>; .reg .pred %p<3>;
ld.param.u64 %d1, [px]; ld.param.u64 %d2, [py]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
ld.global.f32 %f1, [%d4];
BODY
st.global.f32 [%d5], %f2;
ret;
}
"""
CONTRACT = """
name = "one kernel"
[tensors.x]
dtype = "f32"
shape = [32]
role  = "in"
range = [2.0, 4.0]
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
"""
SPEC = 'import numpy as np\n\ndef f(x):\n    return {"y": np.sqrt(x)}\n'


def run(
    folder: Path, body: str, capsys: pytest.CaptureFixture[str], *options: str, contract: str = CONTRACT
) -> tuple[int, str]:
    """(exit code, standard output) of the command on a kernel whose value is made by `body`."""
    (folder / "k.ptx").write_text(PTX.replace("BODY", body))
    (folder / "volta.toml").write_text(contract)
    (folder / "spec.py").write_text(SPEC)
    with pytest.raises(SystemExit) as done:
        main(["replay", str(folder / "volta.toml"), "--store", str(folder / "store"), *options])
    code = done.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out


def test_close(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(tmp_path, "sqrt.approx.f32 %f2, %f1;", capsys)
    assert code == 0
    assert out.startswith("y: largest difference ")
    assert out.endswith("(within 0.0001; 32 elements)\n")


def test_beyond_a_tolerance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rounding to float32 is seen where the tolerance asks for it."""
    code, out = run(tmp_path, "sqrt.approx.f32 %f2, %f1;", capsys, "--tolerance", "1e-12")
    assert code == 1
    assert "(beyond 1e-12; 32 elements)" in out


def test_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(tmp_path, "mul.f32 %f2, %f1, %f1;", capsys)
    assert code == 1
    assert "at y[" in out


def test_seeds_draw_other_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [run(tmp_path, "mul.f32 %f2, %f1, %f1;", capsys, "--seed", seed)[1] for seed in ("1", "2", "1")]
    assert outputs[0] == outputs[2] != outputs[1]


def test_unsupported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A branch on data: the verdict of the stages before."""
    code, out = run(tmp_path, "mov.f32 %f2, %f1; setp.gt.f32 %p1, %f1, 0f40400000; @%p1 bra L; mov.f32 %f2, %f1; L:", capsys)
    assert code == 3
    assert out.startswith("unsupported")


def test_without_a_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = CONTRACT.replace('[reference]\nspec = "spec.py:f"\n', "")
    code, out = run(tmp_path, "mov.f32 %f2, %f1;", capsys, contract=contract)
    assert code == 0
    assert "no reference" in out


def test_unsafe_kernels_are_not_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as done:
        main(["replay", str(ROOT / "examples/broken-race/volta.toml"), "--store", str(tmp_path)])
    assert done.value.code == 1
    assert capsys.readouterr().out.startswith("unsafe")


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "e4m3", "e5m2", "tf32", "f64", "s8", "u8", "s32", "u64"])
def test_random_contents(dtype: str, tmp_path: Path) -> None:
    """In the range of the contract; without one small, simple, and exact in every dtype."""
    (tmp_path / "spec.py").write_text("def f(x):\n    return {'y': x}\n")
    (tmp_path / "k.ptx").write_text(PTX)
    for spread in ("range = [2.0, 4.0]", ""):
        text = CONTRACT.replace("range = [2.0, 4.0]", spread)
        path = tmp_path / "volta.toml"
        path.write_text(
            text.replace('dtype = "f32"\nshape = [32]\nrole  = "in"', f'dtype = "{dtype}"\nshape = [32]\nrole  = "in"')
        )
        candidate = plan(read_contract(path), {}).candidate
        drawn = random_contents(candidate, 5)
        assert set(drawn) == {"x"}
        numbers = to_numbers(drawn["x"], dtype).astype(np.float64)
        assert len(np.unique(numbers)) > 2
        if spread:
            assert numbers.min() >= 2
            assert numbers.max() <= 4
        elif dtype[0] in "su":
            assert np.abs(numbers).max() <= 8
        else:
            assert np.abs(numbers).max() <= 2
            assert dtype.startswith("e") or (numbers * 16 % 1 == 0).all()
        again = random_contents(candidate, 5)["x"]
        assert np.array_equal(again, drawn["x"])

"""`explain --redundant-barriers`: what happens without each barrier, fence and wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from volta_pipe.driver.commands.explain import explain_command
from volta_pipe.driver.pipeline import Options

# Thread t hands x[t] to thread 63 - t through shared memory. The first barrier is needed; of the last two either would do, but
# nothing comes behind them: both are redundant, as is the fence.
PTX = """.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 s[256];
.visible .entry k(.param .u64 px, .param .u64 py) {
  .reg .f32 %f; .reg .b32 %t, %a; .reg .b64 %x, %y, %o;
  ld.param.u64 %x, [px];
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.s64 %x, %x, %o;
  ld.global.f32 %f, [%x];
  mov.u32 %a, s;
  mad.lo.u32 %a, %t, 4, %a;
  st.shared.f32 [%a], %f;
  membar.cta;
  bar.sync 0;
  mov.u32 %a, s;
  sub.u32 %t, 63, %t;
  mad.lo.u32 %a, %t, 4, %a;
  ld.shared.f32 %f, [%a];
  add.s64 %y, %y, %o;
  st.global.f32 [%y], %f;
  bar.sync 0;
  bar.sync 0;
  ret;
}
"""
TOML = """[tensors.x]
dtype = "f32"
shape = [64]
role = "in"
[tensors.y]
dtype = "f32"
shape = [64]
role = "out"
[reference]
spec = "spec.py:flip"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [64]
args = ["x", "y"]
"""


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    (tmp_path / "k.ptx").write_text(PTX)
    (tmp_path / "spec.py").write_text("def flip(x):\n    return {'y': x[::-1]}\n")
    (tmp_path / "volta.toml").write_text(TOML)
    return tmp_path / "volta.toml"


def test_each_barrier_is_taken_out_alone(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    stays = "without it the verdict is the same on all dims"
    assert f"redundant: membar.cta at PTX line 16: {stays}" in lines
    at = lines.index("needed: bar.sync at PTX line 17: without it there is a finding: race")
    assert lines[at + 2] == "write at PTX line 15; read at PTX line 21"
    assert at == len(lines) - 3  # what can be taken out stands first
    assert f"redundant: bar.sync at PTX line 24: {stays}" in lines
    assert f"redundant: bar.sync at PTX line 25: {stays}" in lines
    assert sum(line.startswith(("redundant", "needed")) for line in lines) == 4


def test_copies_of_one_line_of_the_source_are_one_group(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The needed barrier and the last of all come from line 7, as in a loop that was unrolled; the one between from line 9."""
    parts = PTX.split("  bar.sync 0;\n")
    text = parts[0] + "  .loc 1 7 0\n  bar.sync 0;\n" + parts[1] + "  .loc 1 9 0\n  bar.sync 0;\n" + parts[2]
    text += "  .loc 1 7 0\n  bar.sync 0;\n" + parts[3] + '.file 1 "k.cu"\n'
    (contract.parent / "k.ptx").write_text(text)
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 0
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    kinds = [line.split(":")[0] for line in shown if line.startswith(("redundant", "needed"))]
    assert kinds == ["redundant", "redundant", "needed"]
    at = shown.index("needed: bar.sync at k.cu:7 (PTX line 18): without it there is a finding: race")
    assert shown[at + 1] == "its copy at PTX line 28 is redundant: without it the verdict is the same on all dims"
    assert "redundant: bar.sync at k.cu:9 (PTX line 26): without it the verdict is the same on all dims" in shown


def test_redundant_copies_are_one_line(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = PTX.rsplit("  bar.sync 0;\n", 2)
    text = "  .loc 1 9 0\n  bar.sync 0;\n".join(parts) + '.file 1 "k.cu"\n'
    (contract.parent / "k.ptx").write_text(text)
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 0
    line = "redundant: bar.sync at k.cu:9 (PTX lines 25 and 27): without any one of them the verdict is the same on all dims"
    assert line in [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_of_two_barriers_in_a_row_either_would_do(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PTX.replace("membar.cta;\n", "").replace("  st.shared.f32 [%a], %f;\n", "  st.shared.f32 [%a], %f;\n  bar.sync 0;\n")
    (contract.parent / "k.ptx").write_text(text)
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 0
    out = capsys.readouterr().out
    assert out.count("redundant: bar.sync") == 4  # either of the first two would do
    assert "needed" not in out


def test_with_chosen_ctas_the_proof_is_that_of_the_run(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """y has 64 elements more, which the CTA that runs does not write."""
    text = TOML.replace('shape = [64]\nrole = "out"', 'shape = [128]\nrole = "out"').replace(
        "grid = [1]", "grid = [2]\nctas = [[0, 0, 0]]"
    )
    contract.write_text(text)
    (contract.parent / "spec.py").write_text(
        "import numpy as np\ndef flip(x):\n    return {'y': np.concatenate([x[::-1], x])}\n"
    )
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 0
    out = capsys.readouterr().out
    assert (out.count("    redundant: "), out.count("    needed: ")) == (3, 1)


def test_nothing_is_taken_out_of_a_kernel_that_is_not_proved(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (contract.parent / "k.ptx").write_text(PTX.replace("  membar.cta;\n  bar.sync 0;\n", ""))
    assert explain_command(str(contract), str(contract.parent / "store"), Options(), redundant=True) == 1
    assert "not looked at: the verdict is unsafe" in capsys.readouterr().out

"""`bench.cutting`: which CTAs execute an instruction."""

from __future__ import annotations

from pathlib import Path

from bench.cutting import executions
from bench.stages import launched_at

_PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry parts(.param .u64 y)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [y];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 32, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  setp.eq.u32 %p1, %r1, 2;
  @%p1 bra last;
  setp.lt.u32 %p2, %r3, 8;
  @%p2 st.global.f32 [%rd3], %f1;
  ret;
last:
  sqrt.rn.f32 %f2, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
"""
_CONTRACT = """[tensors.y]
dtype = "f32"
shape = [96]
role = "inout"
[candidate]
source = "parts.ptx"
entry = "parts"
grid = [3]
block = [32]
args = ["y"]
"""


def test_who_executes_what(tmp_path: Path) -> None:
    """Two CTAs go one way and the last another; a store that is guarded counts where one lane makes it."""
    (tmp_path / "parts.ptx").write_text(_PTX)
    (tmp_path / "parts.toml").write_text(_CONTRACT)
    found = [tuple(bool(x) for x in row) for row in executions(launched_at(str(tmp_path / "parts.toml"), {}))]
    first, both, last = (True, False, False), (True, True, False), (False, False, True)
    assert sorted(row for row in found if row != (True, True, True)) == sorted([both, first, both, last, last, last])

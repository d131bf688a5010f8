"""A kernel of several classes: each row of a triangle is a sum of its own length, from the last term to the first, and a row
may have an epilogue of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

ROWS, SHORTEST, STEP = 6, 1100, 8  # each sum is long enough for a unit of its own
WIDEST = SHORTEST + STEP * (ROWS - 1)
PLAIN = "add.f32 %f1, %f1, %f4;"
# Other ways to say the same, and one that says something else.
EXCHANGED = "sub.f32 %f4, 0f00000000, %f4;\n  sub.f32 %f1, %f1, %f4;"
SPLIT = "add.f32 %f4, %f4, 0f3F800000;\n  add.f32 %f1, %f1, %f4;\n  sub.f32 %f1, %f1, 0f3F800000;"
WRONG = "add.f32 %f1, %f1, %f4;\n  add.f32 %f1, %f1, 0f3F800000;"

_PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry rows(.param .u64 a, .param .u64 w, .param .u64 b, .param .u64 y)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .f32 %f<5>;
  .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [w];
  ld.param.u64 %rd3, [b];
  ld.param.u64 %rd4, [y];
  mov.u32 %r1, %tid.x;
  mad.lo.s32 %r2, %r1, STEP, SHORTEST;
  mul.wide.u32 %rd5, %r1, PITCH;
  add.s64 %rd1, %rd1, %rd5;
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd3, %rd3, %rd6;
  add.s64 %rd4, %rd4, %rd6;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd1, %rd1, %rd5;
  add.s64 %rd2, %rd2, %rd5;
  mov.u32 %r3, 0;
  mov.f32 %f1, 0f00000000;
again:
  add.s64 %rd1, %rd1, -4;
  add.s64 %rd2, %rd2, -4;
  ld.global.f32 %f2, [%rd1];
  ld.global.f32 %f3, [%rd2];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p1, %r3, %r2;
  @%p1 bra again;
  ld.global.f32 %f4, [%rd3];
BRANCHES
  PLAIN
  bra end;
BLOCKS
end:
  st.global.f32 [%rd4], %f1;
  ret;
}
"""
_CONTRACT = f"""name = "rows of a triangle"
[tensors.a]
dtype = "f32"
shape = [{ROWS}, {WIDEST}]
role = "in"
[tensors.w]
dtype = "f32"
shape = [{WIDEST}]
role = "in"
[tensors.b]
dtype = "f32"
shape = [{ROWS}]
role = "in"
[tensors.y]
dtype = "f32"
shape = [{ROWS}]
role = "out"
[reference]
spec = "spec.py:rows"
[candidate]
source = "rows.ptx"
entry = "rows"
grid = [1]
block = [{ROWS}]
args = ["a", "w", "b", "y"]
"""
_SPEC = f"""import numpy as np


def rows(a, w, b):
    return {{"y": np.stack([b[i] + a[i, : {SHORTEST} + {STEP} * i] @ w[: {SHORTEST} + {STEP} * i] for i in range({ROWS})])}}
"""


def kernel(epilogues: Mapping[int, str]) -> str:
    """The PTX where some rows have epilogues of their own: what becomes of the sum %f1 and the bias %f4, in %f1."""
    branches = "\n".join(f"  setp.eq.u32 %p2, %r1, {row};\n  @%p2 bra row{row};" for row in epilogues)
    blocks = "\n".join(f"row{row}:\n  {text}\n  bra end;" for row, text in epilogues.items())
    text = _PTX.replace("BRANCHES", branches).replace("BLOCKS", blocks).replace("PLAIN", PLAIN)
    return text.replace("STEP", str(STEP)).replace("SHORTEST", str(SHORTEST)).replace("PITCH", str(4 * WIDEST))


def written(folder: Path, epilogues: Mapping[int, str] | None = None) -> Path:
    """The contract in a folder, with its spec and the kernel."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.py").write_text(_SPEC)
    (folder / "rows.ptx").write_text(kernel(epilogues or {}))
    (folder / "volta.toml").write_text(_CONTRACT)
    return folder / "volta.toml"

"""Contracts of which one side or both are PTX: a body makes %v of %a and %b (two inputs), %t (thread) and %c (CTA).

The left side may be a NumPy expression of a and b instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

KERNEL = """.visible .entry NAME(.param .u64 pa, .param .u64 pb, .param .u64 py) {
  .reg .pred %p, %q; .reg .f32 %a, %b, %v, %w, %u; .reg .b32 %t, %c, %n, %i, %j; .reg .b16 %h; .reg .b64 %x, %z, %y, %o, %l;
  .reg .f32 %f<4>, %g<4>, %r<16>;
  ld.param.u64 %x, [pa];
  ld.param.u64 %z, [pb];
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mad.lo.s32 %n, %c, 32, %t;
  mul.wide.u32 %o, %n, 4;
  add.s64 %x, %x, %o;
  add.s64 %z, %z, %o;
  add.s64 %y, %y, %o;
  ld.global.f32 %a, [%x];
  ld.global.f32 %b, [%z];
  BODY
  st.global.f32 [%y], %v;
  ret;
}
"""
TOML = """[tensors.a]
dtype = "f32"
shape = [64]
role = "in"
[tensors.b]
dtype = "f32"
shape = [64]
role = "in"
[tensors.y]
dtype = "f32"
shape = [64]
role = "ROLE"
[reference]
REFERENCE
[candidate]
source = "k.ptx"
entry = "right"
grid = [2]
block = [32]
args = ["a", "b", "y"]
"""
LEFT = 'source = "k.ptx"\nentry = "left"\ngrid = [2]\nblock = [32]\nargs = ["a", "b", "y"]'
SPEC = "import numpy as np\ndef spec(a, b):\n    return {'y': LEFT}\n"


def verdict(folder: Path, left: str, right: str, role: str = "out") -> dict[str, Any]:
    spec = not left.rstrip().endswith(";")
    kernels = KERNEL.replace("NAME", "right").replace("BODY", right)
    if spec:
        (folder / "spec.py").write_text(SPEC.replace("LEFT", left))
    else:
        kernels += KERNEL.replace("NAME", "left").replace("BODY", left)
    (folder / "k.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + kernels)
    toml = TOML.replace("REFERENCE", 'spec = "spec.py:spec"' if spec else LEFT)
    (folder / "volta.toml").write_text(toml.replace("ROLE", role))
    with Store(folder / "store") as store:
        return verify(folder / "volta.toml", store, Options(skip=frozenset({"dynamic"}))).document

"""Small elementwise kernels as PTX, and contracts for them, run on the real stages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

SPEC = "spec.py:spec"
KERNEL = 'source = "{name}.ptx"\nentry = "k"\ngrid = {grid}\nblock = [32]\nargs = [{args}]\n'


def ptx(pointers: str, body: str, *, variables: str = "", guard: bool = True) -> str:
    """An entry k(pointers…, n) for CTAs of 32 threads. In `body`, %i is the thread's number in the grid, %o is 4 %i, %n is n,
    and %x is the address of element %i of the f32 tensor x; `guard`: threads from n on return first."""
    names = pointers.split()
    parameters = ", ".join([f".param .u64 p_{name}" for name in names] + [".param .u32 p_n"])
    loads = "".join(f"  ld.param.u64 %{name}, [p_{name}];\n  add.s64 %{name}, %{name}, %o;\n" for name in names)
    leave = "  setp.ge.u32 %out, %i, %n;\n  @%out ret;\n" if guard else ""
    registers = ", ".join(["%o", "%a<4>", *(f"%{name}" for name in names)])
    return f""".version 8.0
.target sm_80
.address_size 64
{variables}
.visible .entry k({parameters}) {{
  .reg .pred %out, %p<4>; .reg .f32 %f<8>; .reg .b32 %t, %c, %i, %n, %r<8>; .reg .b64 {registers};
  ld.param.u32 %n, [p_n];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mad.lo.u32 %i, %c, 32, %t;
{leave}  mul.wide.u32 %o, %i, 4;
{loads}{body}
  ret;
}}
"""


def tensor(name: str, role: str = "in", extra: str = "", *, dtype: str = "f32", shape: str = '["n"]') -> str:
    """A table of the contract."""
    return f'[tensors.{name}]\ndtype = "{dtype}"\nshape = {shape}\nrole = "{role}"\n{extra}\n'


def contract(
    folder: Path,
    kernel: str,
    spec: str | None,
    tensors: Sequence[str],
    *,
    args: str,
    n: str = "64",
    grid: str = '["(n+31)//32"]',
    reference: str | None = None,
    top: str = "",
    more: str = "",
    chosen: str = "",
) -> Path:
    """Writes a contract: `spec` is what the NumPy function `spec(PARAMETERS): BODY` returns, "x, b: {'y': x + b}"; `reference`
    the PTX of a reference kernel instead; `args` the names of the arguments, n behind them."""
    arguments = ", ".join(f'"{name}"' for name in [*args.split(), "n"])
    (folder / "candidate.ptx").write_text(kernel)
    text = f"{top}\n[dims]\nn = {n}\n{''.join(tensors)}{more}\n"
    if reference is not None:
        (folder / "reference.ptx").write_text(reference)
        text += "[reference]\n" + KERNEL.format(name="reference", grid=grid, args=arguments)
    elif spec is not None:
        parameters, _, result = spec.partition(": ")
        (folder / "spec.py").write_text(f"import numpy as np\n\n\ndef spec({parameters}):\n    return {result}\n")
        text += f'[reference]\nspec = "{SPEC}"\n'
    text += "[candidate]\n" + KERNEL.format(name="candidate", grid=grid, args=arguments) + chosen
    path = folder / "volta.toml"
    path.write_text(text)
    return path


def document(path: Path, *skip: str) -> dict[str, Any]:
    """The verdict document of a contract; `skip`: layers that are left out."""
    with Store(path.parent / "store") as store:
        return verify(path, store, Options(skip=frozenset(skip))).document

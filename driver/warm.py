"""Warms numba's cache: one process compiles the machine and the checks, another the expressions and their normal forms.

Both need no file but their own, so that an installed wheel can warm itself, too."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from volta_pipe.ir.launch import Launch

# A kernel with global and shared memory, a barrier and one of half a warp: enough for all but the rare entries of `unroll` and
# `check` (mbarrier, atomics that are mixed with other accesses).
_PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry warm(.param .u64 x, .param .u64 y)
{
.reg .pred %p<3>;
.reg .b32 %r<4>;
.reg .f32 %f<4>;
.reg .b64 %rd<6>;
.shared .align 4 .b8 tile[256];
ld.param.u64 %rd1, [x];
ld.param.u64 %rd2, [y];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.f32 %f1, [%rd4];
shl.b32 %r2, %r1, 2;
mov.u32 %r3, tile;
add.s32 %r3, %r3, %r2;
st.shared.f32 [%r3], %f1;
bar.sync 0;
setp.lt.u32 %p1, %r1, 16;
@%p1 bar.warp.sync 65535;
ld.shared.f32 %f2, [%r3];
fma.rn.f32 %f3, %f2, %f1, %f1;
st.global.f32 [%rd5], %f3;
ret;
}
"""


def warm_machine() -> None:
    """Compiles what `unroll` and `check` run."""
    from volta_pipe.passes.check import check
    from volta_pipe.passes.lower import lower
    from volta_pipe.passes.unroll import unroll

    launch = _launch()
    check(unroll(lower(_PTX, "warm.ptx", "warm").module, launch), launch)


def warm_expressions() -> None:
    """Compiles what `trace`, `vc`, `canon` and `decide` run; `vc` gets a program without rows."""
    import numpy as np

    from volta_pipe.ir.address_space import tensor_region
    from volta_pipe.ir.graph import Conditions
    from volta_pipe.ir.program import INIT_SYMBOLIC, INIT_UNINIT, Program, Region
    from volta_pipe.passes.canon import canon
    from volta_pipe.passes.canon.units import compute
    from volta_pipe.passes.canon.units.glance import seem_equal
    from volta_pipe.passes.decide import decide
    from volta_pipe.passes.points import warm_points
    from volta_pipe.passes.trace import load_spec, trace
    from volta_pipe.passes.vc import vc

    def glanced(unit: Any, effort: Any) -> Any:
        seem_equal(unit)
        return compute(unit, effort)

    launch = _launch()
    code: dict[str, Any] = {}
    code |= {name: np.zeros(1, np.uint8) for name in ("op", "width", "width2", "signed", "signed2", "node", "negated")}
    code |= {name: np.zeros(1, np.int32) for name in ("sub", "guard", "first", "results", "inputs")}
    x, y = (
        Region(tensor_region(i), t.name, "global", 0, t.extent, (INIT_SYMBOLIC, INIT_UNINIT)[i], i, t.role)
        for i, t in enumerate(launch.tensors)
    )
    program = Program(
        threads=32, block=(32, 1, 1), registers=1, **code, imm=np.zeros(1, np.int64), operands=np.zeros(1, np.int64),
        row_instr=np.zeros(0, np.int32), row_mask=np.zeros(0, np.int32), row_base=np.zeros(0, np.int64),
        row_pattern=np.zeros(0, np.int32), row_flags=np.zeros(0, np.uint8), mask_bits=np.ones((1, 1), np.uint64),
        pattern_start=np.zeros(1, np.int64), pattern_values=np.zeros(0, np.int64), cta_ids=np.zeros((1, 3), np.int32),
        cta_rows=np.zeros(2, np.int64), regions=(x, y), events=(), steps=0, complete=True,
    )  # fmt: skip
    made = vc(program, launch)
    vc(program, launch, lambda: made)
    with tempfile.TemporaryDirectory() as folder:
        # Classes of one element, as each stands elsewhere in the row's sums, and a class that is worth a walk.
        lines = ["e = np.exp(x[:64] - x[:64].max())", "one = e / e.sum() + x[:64] @ x[:64]"]
        lines += [
            "many = x[64:1024] * x[63:1023] * (x[1024:] @ x[1024:])",
            "return {'y': np.concatenate((one, many, x[1024:] + 1))}",
        ]
        text = "\n    ".join(["import numpy as np\ndef warm(x):", *lines]) + "\n"
        sides = []
        other = text.replace("e / e.sum()", "e * (1 / e.sum())").replace("x[1024:] + 1", "x[1024:] + 2 - 1")
        for name, said in (("warm", text), ("other", other)):  # equal, not identical
            (Path(folder) / f"{name}.py").write_text(said)
            made = trace(load_spec(f"{name}.py:warm", Path(folder)), _launch(2048))
            sides.append(Conditions.decode(b"".join(bytes(part) for part in made.encode())))
    decide(canon(sides[0], sides[1]), sides[0], sides[1])
    warm_points(sides[0].graph)
    canon(sides[0], sides[1], solve=glanced, least=1)  # the same in several units, as large ones are compared


def _launch(size: int = 32) -> Launch:
    from volta_pipe.ir.launch import Argument, Launch, Tensor

    tensors = (Tensor("x", "f32", (size,), (1,), "in"), Tensor("y", "f32", (size,), (1,), "out"))
    return Launch(tensors, (), (Argument("pointer", 0), Argument("pointer", 1)), (1, 1, 1), (32, 1, 1))


def warm() -> float:
    """Compiles everything in two processes; seconds taken. Errors: RuntimeError when the second one fails."""
    start = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", "volta_pipe.driver.warm"]) as other:
        warm_machine()
    if other.returncode:
        raise RuntimeError(f"compiling the expression stages failed with exit code {other.returncode}")
    return time.perf_counter() - start


if __name__ == "__main__":
    warm_expressions()

"""How fast PTX is read: parsing in megabytes a second, and the kernel that takes longest to lower."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from volta_pipe.ir.errors import VoltaError
from volta_pipe.passes.lower import list_entries, lower, parse, print_module, read_ptx

_HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
# A generated kernel of this many rounds has about 4 MB, each register written once, as nvcc does.
_ROUNDS = 20_000


def generated(rounds: int = _ROUNDS) -> str:
    """A kernel of statements in the proportions that compilers write, with line information."""
    lines = [f"{_HEAD}.visible .entry k(.param .u64 k_param_0)\n{{\n\t.reg .pred %p<{rounds}>;"]
    for kind, letter in (("b32", "r"), ("f32", "f"), ("b64", "rd")):
        lines.append(f"\t.reg .{kind} %{letter}<{4 * rounds}>;")
    for i in range(rounds):
        lines.append(
            f"\t.loc\t1 {i % 900} 9\n\tmul.wide.s32 \t%rd{i}, %r{i}, 4;\n\tadd.s64 \t%rd{rounds + i}, %rd1, %rd{i};\n"
            f"\tld.global.nc.f32 \t%f{i}, [%rd{rounds + i}+{4 * i}];\n\tfma.rn.ftz.f32 \t%f{rounds + i}, %f{i}, %f1, %f2;\n"
            f"\tsetp.lt.u32 \t%p{i}, %r{i}, {i};\n$L__BB0_{i}:\n\t@%p{i} bra \t$L__BB0_{i};"
        )
    return "\n".join([*lines, "\tret;\n}\n"])


def parsing_lines(folders: tuple[str, ...] = ("examples", "tests/kernels")) -> list[str]:
    """Two lines of figures: best of three, in CPU seconds (one thread: what an idle machine takes)."""
    text = generated()
    files = [(str(path), read_ptx(path)) for folder in folders for path in sorted(Path(folder).rglob("*.ptx"))]
    size = sum(len(one) for _, one in files)
    big = len(text) / _best(lambda: parse(text, "generated"))
    real = size / _best(lambda: [parse(one, path) for path, one in files])
    slowest = max((_best(lambda a=one, p=path, n=name: _lower(a, p, n), 2), path, name)
                  for path, one in files for name, _ in list_entries(one, path))  # fmt: skip
    return [
        f"parsing: {len(text) / 1e6:.1f} MB generated {big / 1e6:.1f} MB/s, {size / 1e6:.1f} MB of {len(files)} files "
        f"{real / 1e6:.1f} MB/s, target 1.0",
        f"lowering: slowest kernel {slowest[0]:.2f} s ({slowest[1]}: {slowest[2]}), target 1.00",
    ]


def _lower(text: str, path: str, name: str) -> None:
    """With the text of the artifact; a refused kernel costs what it costs."""
    try:
        print_module(lower(text, path, name).module)
    except VoltaError:
        return


def _best(work: Callable[[], object], times: int = 3) -> float:
    found: list[float] = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)

"""Triton, TileLang and numba-cuda: compiles one Python source in this process and prints tool, options, launch note and PTX.

Called by `makers.py` as `python_makers.py SOURCE MAKER CACHE-FOLDER` in the folder of the source; exit status 3 says that the
tool is missing. The source names its kernel KERNEL; the other upper-case names say how it is compiled. CONTRACT is the file
that says the launch, NAME.toml if absent. No GPU is needed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

MODULE_ID = re.compile(r"(?<=_)[0-9a-f]{8}(?=_9_kernel_cu_)")  # in the names of a CUDA file's own variables, made of its folder


def load(name: str) -> ModuleType:
    """Runs the source as a module. Its code keeps the relative file name, so that line information holds no other path."""
    module = ModuleType(Path(name).stem)
    module.__file__ = name
    sys.modules[module.__name__] = module
    exec(compile(Path(name).read_text(), name, "exec", dont_inherit=True), module.__dict__)
    return module


def contract(module: ModuleType) -> str:
    """The contract beside the source."""
    return str(getattr(module, "CONTRACT", f"{module.__name__}.toml"))


def triton(name: str, number: int) -> tuple[str, str, str, str]:
    """SIGNATURE: parameter -> type; CONSTANTS: parameter -> value; ALIGNED: parameters divisible by 16; WARPS, STAGES."""
    import triton as tool
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    m = load(name)
    kernel, constants = m.KERNEL, m.CONSTANTS
    signature = m.SIGNATURE | dict.fromkeys(constants, "constexpr")
    order = list(kernel.arg_names)
    aligned = {(order.index(name),): [["tt.divisibility", 16]] for name in m.ALIGNED}
    source = ASTSource(kernel, {n: signature[n] for n in order}, constants, aligned)
    options = {"num_warps": m.WARPS, "num_stages": m.STAGES}
    made = tool.compile(source, target=GPUTarget("cuda", number, 32), options=options)
    meta = made.metadata
    shown = " ".join(f"{key}={value}" for key, value in (options | constants).items())
    types = " ".join(f"{n}:{t}" for n, t in m.SIGNATURE.items())
    note = f"{32 * meta.num_warps} threads (num_warps {meta.num_warps}), {meta.shared} bytes of dynamic shared memory, "
    note += f"constexprs {' '.join(f'{key}={value}' for key, value in constants.items())}; see {contract(m)}"
    return (
        f"Triton {version('triton')}",
        f"sm_{number} {shown}; {types}; divisible by 16: {' '.join(m.ALIGNED)}",
        note,
        made.asm["ptx"],
    )


def numba(name: str, number: int) -> tuple[str, str, str, str]:
    """TYPES: the parameters' numba types; OPTIONS: keyword arguments of compile_ptx."""
    from numba import cuda

    m = load(name)
    options: dict[str, Any] = {"lineinfo": True} | m.OPTIONS
    ptx, _ = cuda.compile_ptx(m.KERNEL, m.TYPES, cc=divmod(number, 10), **options)
    shown = " ".join(f"{key}={value}" for key, value in options.items())
    types = ", ".join(str(t) for t in m.TYPES)
    tool = f"numba-cuda {version('numba-cuda')}, numba {version('numba')}"
    return tool, f"cc={number // 10}.{number % 10} {shown}; {types}", "", ptx


def tilelang(name: str, number: int) -> tuple[str, str, str, str]:
    """KERNEL: a TileLang primitive function. What it becomes is CUDA, compiled by nvcc and not kept: hence no lines."""
    if shutil.which("nvcc") is None:
        raise ModuleNotFoundError("no nvcc to compile what TileLang writes", name="nvcc")
    import tilelang as tool

    root = Path(tool.__file__).parent
    target = tool.tvm.target.Target({"kind": "cuda", "arch": f"sm_{number}"})
    with target:
        m = load(name)
        made = tool.lower(m.KERNEL, target=target, enable_device_compile=False)
    (function,) = made.device_mod.functions.values()
    shared = int(function.attrs.get("dyn_shared_memory_buf", 0))
    options = ["-ptx", f"-arch=sm_{number}", "-std=c++17", "-w"]
    include = [f"-I{root / 'src'}", f"-I{root / '3rdparty' / 'cutlass' / 'include'}"]
    with tempfile.TemporaryDirectory() as folder:
        cuda, out = Path(folder) / "kernel.cu", Path(folder) / "kernel.ptx"
        cuda.write_text(made.kernel_source)
        subprocess.run(["nvcc", *options, *include, str(cuda), "-o", str(out)], check=True, stdout=sys.stderr)
        ptx = MODULE_ID.sub("0" * 8, out.read_text())
    # The parameters come in the order of their names, the sizes last.
    parameters = " ".join(str(parameter.name) for parameter in function.params)
    note = f"parameters {parameters}, {shared} bytes of dynamic shared memory; see {contract(m)}"
    return f"TileLang {version('tilelang')} and nvcc {nvcc_version()}", " ".join(options), note, ptx


def nvcc_version() -> str:
    """The version that `nvcc --version` gives."""
    found = re.search(r"V([\d.]+)", subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout)
    return found[1] if found else "of unknown version"


TOOLS = {"triton": triton, "numba": numba, "tilelang": tilelang}
EXTRAS = {"triton": "corpus", "numba": "corpus", "tilelang": "corpus-tilelang"}


def main(name: str, maker: str, cache: str) -> int:
    """Prints what was made; 3 when the tool is not installed."""
    os.environ["TRITON_CACHE_DIR"] = cache
    # The folders here are named after the tools: none of them may be found in the tools' place.
    sys.path.remove(str(Path(__file__).resolve().parent))
    tool, architecture = maker.split("-")
    # Tools print to standard output as they please; what was made goes to the real one.
    out = os.dup(1)
    os.dup2(2, 1)
    try:
        made = TOOLS[tool](name, int(architecture.removeprefix("sm")))
    except ImportError as error:
        print(f"{tool} is not installed (no {error.name}; pip install '.[{EXTRAS[tool]}]')", file=sys.stderr)
        return 3
    with os.fdopen(out, "w") as stream:
        stream.write("\n".join(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

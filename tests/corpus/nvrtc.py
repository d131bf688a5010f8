"""NVRTC through ctypes: the wheels nvidia-cuda-nvrtc, -runtime, -crt and -cccl are all it needs."""

from __future__ import annotations

import ctypes
import importlib.util
from functools import lru_cache
from pathlib import Path

from makers import Made, MissingToolError


@lru_cache
def _library() -> tuple[ctypes.CDLL, Path]:
    """(the library, the folder of CUDA's headers)."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        for library in sorted(Path(root).glob("cu*/lib/libnvrtc.so.*")):
            # NVRTC opens its built-ins by their bare name, which the loader finds once they are loaded.
            for builtins in library.parent.glob("libnvrtc-builtins.so.*"):
                ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(str(library)), library.parent.parent / "include"
    raise MissingToolError("NVRTC is not installed (pip install '.[corpus]')")


def compile_nvrtc(source: Path, number: str, fast: bool) -> Made:
    """PTX of a .cu file. Errors: MissingToolError; RuntimeError with the compiler's log."""
    library, include = _library()
    options = [f"--gpu-architecture=compute_{number}", "--generate-line-info", *(["--use_fast_math"] if fast else [])]
    program = ctypes.c_void_p()
    text, name = source.read_bytes(), source.name.encode()
    _check(library.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None), "nvrtcCreateProgram")
    given = [*options, f"--include-path={include}", f"--include-path={include / 'cccl'}"]
    flags = (ctypes.c_char_p * len(given))(*(option.encode() for option in given))
    status = library.nvrtcCompileProgram(program, len(given), flags)
    if status:
        raise RuntimeError(_read(library, program, "ProgramLog"))
    ptx = _read(library, program, "PTX")
    _check(library.nvrtcDestroyProgram(ctypes.byref(program)), "nvrtcDestroyProgram")
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return Made(ptx, f"NVRTC {major.value}.{minor.value}", " ".join(options))


def _read(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)), what)
    buffer = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{what}")(program, buffer), what)
    return buffer.value.decode()


def _check(status: int, what: str) -> None:
    if status:
        raise RuntimeError(f"{what} returned {status}")

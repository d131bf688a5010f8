"""Lines of PTX inside an MLIR module: no editor counts them, so that messages say whose lines they are and show them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import KernelSpec
from volta_pipe.ir.errors import InputError


def embedded_in(contract: Contract, side: str) -> str:
    """`of the assembly inside tiles.mlir (…)` of a kernel that an MLIR module holds; "" of others."""
    kernel = contract.candidate if side == "candidate" else contract.reference
    if not isinstance(kernel, KernelSpec) or kernel.path.suffix != ".mlir":
        return ""
    return f"of the assembly inside {kernel.path.name} (docs/mlir.md says how to print it)"


def embedded_lines(contract: Contract, side: str) -> tuple[str, ...]:
    """The lines of that PTX; none of other kernels, and where the module cannot be read any more."""
    kernel = contract.candidate if side == "candidate" else contract.reference
    return ptx_lines(kernel) if isinstance(kernel, KernelSpec) and embedded_in(contract, side) else ()


def ptx_lines(kernel: KernelSpec) -> tuple[str, ...]:
    """The lines of a kernel's PTX, inside MLIR or not; none where it cannot be read any more."""
    try:
        return _lines(kernel.path, kernel.entry, kernel.path.stat().st_mtime_ns)
    except (OSError, InputError):
        return ()


@lru_cache(maxsize=4)
def _lines(path: Path, entry: str, _changed: int) -> tuple[str, ...]:
    """The lines, read once for each time that the file was changed. Errors: OSError; InputError where it has no such PTX."""
    from volta_pipe.passes.lower import read_source

    text, _ = read_source(path, path.name, entry)
    return tuple(text.split("\n"))  # by \n alone: the lexer counts no other character as the end of a line

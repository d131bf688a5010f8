"""Where everything lies: regions of tensors and variables, and the flat arrays behind them.

A tensor's cells exist when they are touched: the flat arrays are zero pages of the operating system until then, and byte state
0 means "what the region holds before the launch"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volta_pipe.ir.address_space import (
    CONST_REGION,
    GLOBAL_VARIABLES_REGION,
    LOCAL_REGION,
    REGION_SHIFT,
    SHARED_REGION,
    tensor_region,
)
from volta_pipe.ir.errors import InputError, Place, UnsupportedError
from volta_pipe.ir.launch import Launch, Tensor
from volta_pipe.ir.program import INIT_KNOWN, INIT_SYMBOLIC, INIT_UNINIT, Region
from volta_pipe.ir.ptx.flat import FlatKernel

Array = np.ndarray[Any, np.dtype[Any]]
SPACE_REGION = {"shared": SHARED_REGION, "local": LOCAL_REGION, "const": CONST_REGION, "global": GLOBAL_VARIABLES_REGION}
_PAGE = 4096


@dataclass(frozen=True)
class Layout:
    """regions: all of them. symbols: variable -> (space, offset in its region). base_of: tensor index -> full address of its
    first byte. flat: int64 [64+tensors, 4] by region number of (flat start, window start, size, init), size 0 where there is
    none (local: size of one thread's part). bytes_total: size of the flat arrays. known: (flat offset, bytes) to copy in.
    symbolic: (flat offset, size) of variables that hold a tensor whose contents are not known."""

    regions: tuple[Region, ...]
    symbols: dict[str, tuple[str, int]]
    base_of: tuple[int, ...]
    flat: Array
    bytes_total: int
    known: tuple[tuple[int, Array], ...]
    symbolic: tuple[tuple[int, int], ...] = ()


def align_up(value: int, align: int) -> int:
    """The least multiple of `align` that is not below `value`."""
    return -(-value // align) * align


def plan(kernel: FlatKernel, launch: Launch, gap: int = 0) -> Layout:
    """Lays out variables and tensors. gap: bytes that are left free in front of each variable, a multiple of all alignments.
    Errors: InputError where the contract does not fit the kernel's variables."""
    symbols: dict[str, tuple[str, int]] = {}
    parts: dict[str, list[tuple[str, int, int]]] = {space: [] for space in SPACE_REGION}
    ends = dict.fromkeys(SPACE_REGION, 0)
    initial: list[tuple[str, int, bytes | None, int]] = []
    dynamic: list[tuple[str, int]] = []
    for variable in kernel.variables:
        space, name = variable.space, variable.name
        if variable.extern:
            if space != "shared":
                raise UnsupportedError(f"extern variable {name} in .{space} memory has no definition")
            dynamic.append((name, variable.align))
            continue
        offset = align_up(ends[space] or gap, variable.align)
        symbols[name] = (space, offset)
        parts[space].append((name, offset, variable.size))
        ends[space] = offset + variable.size + gap
        initial.append((space, offset, _set_by_host(launch, name, variable.size) or variable.init, variable.size))
    # All extern shared arrays start at the same place behind the static ones (CUDA C++ guide, "__shared__").
    start = align_up(ends["shared"], max([16, *(a for _, a in dynamic)]))
    for name, _ in dynamic:
        symbols[name] = ("shared", start)
        parts["shared"].append((name, start, launch.shared_bytes))
    if dynamic and not launch.shared_bytes:
        raise InputError(
            f"the kernel has extern shared memory ({dynamic[0][0]}), of which this launch gives no byte: write its size in "
            "bytes, `shared = …` (a number or an expression over dims)",
            Place(field="shared"),
        )
    if dynamic:
        ends["shared"] = start + launch.shared_bytes
    regions: list[Region] = []
    flat = np.zeros((tensor_region(len(launch.tensors)), 4), np.int64)
    cursor = 0
    starts: dict[int, int] = {}

    def place(region: Region, bytes_needed: int) -> None:
        nonlocal cursor
        regions.append(region)
        starts[region.number] = cursor
        flat[region.number] = (cursor, region.start, region.size, region.init)
        cursor += align_up(bytes_needed, _PAGE)

    for space, number in SPACE_REGION.items():
        if ends[space]:
            copies = launch.threads if space == "local" else 1
            # Global and const variables without an initialiser are zero (PTX ISA 5.4.4).
            init = INIT_KNOWN if space in ("const", "global") else INIT_UNINIT
            content = np.zeros(ends[space] if init == INIT_KNOWN else 0, np.uint8)
            for where, offset, data, _ in initial:
                if where == space and data is not None and init == INIT_KNOWN:
                    content[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
            region = Region(
                number, space, space, 0, ends[space], init, variables=tuple(parts[space]), content=content.tobytes()
            )
            place(region, align_up(ends[space], 8) * copies)
    base_of: list[int] = []
    for index, tensor in enumerate(launch.tensors):
        if tensor.alias_of >= 0:
            base_of.append(base_of[tensor.alias_of])
            continue
        number = tensor_region(index)
        offset = tensor.align % 256 if tensor.align < 256 else 0
        base_of.append((number << REGION_SHIFT) + offset)
        sharing = [tensor, *(t for t in launch.tensors if t.alias_of == index)]
        init = INIT_SYMBOLIC if any(t.role in ("in", "inout") for t in sharing) else INIT_UNINIT
        if any(t.values is not None for t in sharing):
            init = INIT_KNOWN
        if tensor.extent >= 1 << 31:
            raise InputError(f"tensor {tensor.name} has {tensor.extent:,} bytes; 2 GiB is the most")
        role = _joint_role(sharing)
        if tensor.extent:
            place(Region(number, tensor.name, "global", offset, tensor.extent, init, index, role), tensor.extent + offset)
    known = [(starts[region.number], np.frombuffer(region.content, np.uint8)) for region in regions if region.content]
    for region in regions:
        if region.tensor >= 0 and region.init == INIT_KNOWN:
            known.append((starts[region.number], launch.known_contents(region.tensor)))
    sizes = {variable.name: variable.size for variable in kernel.variables}
    symbolic = tuple(
        (starts[SPACE_REGION[symbols[one.name][0]]] + symbols[one.name][1], sizes[one.name])
        for one in launch.globals
        if one.name in symbols and one.tensor >= 0 and not _is_known(launch, one.tensor)
    )
    return Layout(tuple(regions), symbols, tuple(base_of), flat, cursor, tuple(known), symbolic)


def _is_known(launch: Launch, tensor: int) -> bool:
    """Whether the contents of a tensor before the launch are known."""
    return any(t.values is not None for i, t in enumerate(launch.tensors) if i == tensor or t.alias_of == tensor)


def _set_by_host(launch: Launch, name: str, size: int) -> bytes | None:
    """The bytes that the contract gives a module variable; None where it gives none, or not known ones."""
    one = next((one for one in launch.globals if one.name == name), None)
    if one is None:
        return None
    extent = len(one.content)
    if one.tensor >= 0:
        extent = launch.tensors[one.tensor].extent
    if extent != size:
        raise InputError(f"variable {name} has {size:,} bytes, the contract gives {extent:,}")
    if one.tensor < 0:
        return one.content
    return launch.known_contents(one.tensor).tobytes() if _is_known(launch, one.tensor) else None


def _joint_role(tensors: list[Tensor]) -> str:
    """The role of memory that several tensors share: writable where one of them is."""
    roles = {t.role for t in tensors}
    if roles == {"in"} or len(roles) == 1:
        return tensors[0].role
    return "inout" if roles & {"in", "inout"} else "out"

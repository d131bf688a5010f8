"""What `init` takes the parameters of a kernel for, each guess with what it rests on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from volta_pipe.driver.arguments import Parameter

if TYPE_CHECKING:
    from volta_pipe.driver.evidence import Evidence, KernelEvidence

INTEGERS = ("u", "s", "b")
_DTYPES = "f64 f32 tf32 f16 bf16 e4m3 e5m2 s8 u8 s16 u16 s32 u32 s64 u64 b8"
_ROLES = "in | out | inout | scratch"
_SIZE = 256  # elements: two blocks of the 128 threads that are guessed


@dataclass(frozen=True)
class Dim:
    name: str
    value: int
    why: str


@dataclass(frozen=True)
class Guess:
    """A tensor; `shape` as TOML."""

    name: str
    why: str
    dtype: str
    dtype_why: str
    shape: str
    role: str
    role_why: str


@dataclass(frozen=True)
class Guesses:
    """Everything that a contract says and the PTX does not; grid, block and args as TOML. `names`: of all parameters."""

    names: tuple[str, ...]
    dims: tuple[Dim, ...]
    tensors: tuple[Guess, ...]
    grid: str
    grid_why: str
    block: str
    block_why: str
    args: tuple[str, ...]
    args_why: str


def guess(parameters: Sequence[Parameter], found: KernelEvidence | None, names: Sequence[str]) -> Guesses:
    """`names`: of the parameters; one that is there twice, or is the length's, gets its number behind it."""
    names = [name if names.count(name) == 1 else f"{name}_{place}" for place, name in enumerate(names)]
    said = [found.parameters.get(p.name) if found else None for p in parameters]
    kinds = [_kind(p, one) for p, one in zip(parameters, said, strict=True)]
    sizes = [place for place, kind in enumerate(kinds) if kind == "size"]
    compared = [place for place in sizes if (one := said[place]) is not None and one.compared]
    # One size that bounds the threads is taken for the length of all tensors; otherwise they have one of their own.
    if len(compared) == len(sizes) == 1:
        length = names[compared[0]]
    else:
        length = next(word for word in ("n", "length", "elements", f"n{len(names)}") if word not in names)
    dims = [Dim(names[place], _SIZE, _size_why(parameters[place], said[place])) for place in sizes]
    if length not in [dim.name for dim in dims]:
        dims.insert(0, Dim(length, _SIZE, "the length of every tensor below, as long as their shapes say so"))
    pointers = [place for place, kind in enumerate(kinds) if kind == "pointer"]
    tensors = [
        _tensor(names[place], parameters[place], said[place], length, place == pointers[-1], found) for place in pointers
    ]
    args = {"null": '"null"', "structure": "0"}
    unused = "null" in kinds, "structure" in kinds
    why = "in the order of the parameters"
    why += "; CHECK: null for a pointer that the kernel does not use" * unused[0]
    why += "; CHECK: a structure by value cannot be given yet" * unused[1]
    written = tuple(args.get(kind, json.dumps(name)) for kind, name in zip(kinds, names, strict=True))
    return Guesses(tuple(names), tuple(dims), tuple(tensors), *_launch(found, length), written, why)


def _kind(p: Parameter, one: Evidence | None) -> str:
    if p.type[0] not in INTEGERS:
        return "scalar"
    if p.size > 8:
        return "structure"
    if p.size < 8:
        return "size"
    if one is None or one.pointer:
        return "pointer"
    return "size" if one.used else "null"


def _size_why(p: Parameter, one: Evidence | None) -> str:
    what = f"parameter {p.name} (.{p.type}), taken for a size"
    if one is not None and one.compared:
        return f"{what}: the thread's index is compared with it at line {one.compared}"
    return what + (", as nothing is loaded or stored through it" if p.size == 8 else "")


def _tensor(name: str, p: Parameter, one: Evidence | None, length: str, last: bool, found: KernelEvidence | None) -> Guess:
    shape = f'["{length}"]'
    what = f"parameter {p.name} (.{p.type}), taken for a pointer"
    if one is None or not (one.loads or one.stores):
        role = "out" if last else "in"
        role_why = _ROLES + " (the last pointer, taken for the output)" * last
        return Guess(name, what, "f32", _DTYPES, shape, role, role_why)
    role = "in" if not one.stores else "out" if not one.loads else "inout"
    uses = (("loaded from", one.loads), ("stored to", one.stores))
    where = [f"{verb} at line {lines[0]}" for verb, lines in uses if lines]
    role_why = f"{', '.join(where)} ({_ROLES})"
    if not one.dtype:
        copied = "its elements are only copied, as bits"
        if found and found.matrix:
            copied += f", and the tensor cores of the kernel multiply {found.matrix}"
        dtype = found.matrix if found and found.matrix else "f32"
        return Guess(name, what, dtype, f"{copied} ({_DTYPES})", shape, role, role_why)
    others = [f"{dtype} {one.votes[dtype]}" for dtype in sorted(one.votes) if dtype != one.dtype]
    said = one.votes[one.dtype] + (f"; but {', '.join(others)}" if others else "")
    return Guess(name, f"{what}, as it is dereferenced", one.dtype, f"{said} ({_DTYPES})", shape, role, role_why)


def _launch(found: KernelEvidence | None, length: str) -> tuple[str, str, str, str]:
    """grid and block, and what they rest on. A kernel that reads tid.y or ctaid.y has that many dimensions."""
    specials = found.specials if found else frozenset()
    rank = 1 + max((axis for axis, letter in enumerate("xyz") if f"tid.{letter}" in specials), default=0)
    block, why = [[128], [16, 16], [8, 8, 4]][rank - 1], "CHECK: threads of a CTA, 1 to 3 numbers or expressions"
    if found and found.block:
        block, why = list(found.block), "the kernel wants this block (.reqntid)"
    elif found and found.most:
        block, why = list(found.most), "CHECK: the largest block that the kernel allows (.maxntid)"
    axes = 1 + max((axis for axis, letter in enumerate("xyz") if f"ctaid.{letter}" in specials), default=0)
    blocks = [*block, 1, 1]
    grid: list[str | int] = [
        f"({length}+{blocks[axis] - 1})//{blocks[axis]}" if blocks[axis] > 1 else 1 for axis in range(axes)
    ]
    reads = "CTAs of the launch, 1 to 3 numbers or expressions"
    if axes > 1:
        reads += f" (the kernel reads ctaid.{'xyz'[axes - 1]})"
    return json.dumps(grid), reads, json.dumps(block), why

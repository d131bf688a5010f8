"""What a kernel's instructions say of its parameters: which are pointers, to what, read or written; which are sizes.

Values are followed from `ld.param` through additions, copies and blocks to the instructions that use them as addresses, and
from loads to the instructions whose types say what the bits are. It is evidence for a first contract, no proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.element_types import element_dtypes, matrix_dtype
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.ptx import (
    BranchOp,
    CondBranchOp,
    InstructionOp,
    LoadParamOp,
    SpecialOp,
    UnmodelledOp,
    kernel_of,
    walk_kernel,
)

# Which operands of an instruction its result points at the same thing as; of all others none does.
_FOLLOWED: dict[str, tuple[int, ...]] = {
    "cvta": (0,), "mov": (0, 1), "cvt": (0,), "add": (0, 1), "addc": (0, 1), "sub": (0,), "and": (0, 1), "or": (0, 1),
    "selp": (0, 1), "mad": (2,), "madc": (2,), "shfl": (0,), "mapa": (0,), "prmt": (0, 1),
}  # fmt: skip
_ELSEWHERE = frozenset({"shared", "shared::cta", "shared::cluster", "local", "const", "param"})
_LANES = ("v2", "v4", "v8")


@dataclass
class Evidence:
    """Of one parameter. dtypes: votes for what it points to, with the instruction of each dtype's first vote; loads, stores:
    lines of the PTX; compared: the line where it is compared with what depends on the thread's number, or 0."""

    used: bool = False
    opaque: bool = False
    dtypes: Counter[str] = field(default_factory=Counter)
    votes: dict[str, str] = field(default_factory=dict)
    loads: list[int] = field(default_factory=list)
    stores: list[int] = field(default_factory=list)
    compared: int = 0

    @property
    def pointer(self) -> bool:
        """Whether it is dereferenced, or goes where that cannot be seen."""
        return bool(self.loads or self.stores or self.opaque)

    @property
    def dtype(self) -> str:
        """What most accesses say, floats before integers; "" where none says anything."""
        floats = {name: count for name, count in self.dtypes.items() if name[0] in "fbte"}
        known = floats or self.dtypes
        return max(known, key=lambda name: (known[name], name)) if known else ""


@dataclass(frozen=True)
class KernelEvidence:
    """By parameter, and what the kernel reads of the launch; `matrix`: the dtype that its tensor cores multiply, or "";
    `block`: .reqntid, `most`: .maxntid, or ()."""

    parameters: dict[str, Evidence]
    specials: frozenset[str]
    matrix: str
    block: tuple[int, ...]
    most: tuple[int, ...]


def evidence(module: Any, lines: LineTable, parameters: list[Parameter]) -> KernelEvidence:
    """Looks at a lowered kernel; lines as `lower` gives them."""
    kernel = kernel_of(module)
    place = {operation: lines.ptx_line(index) for index, operation in enumerate(walk_kernel(module))}
    offsets = {
        byte: parameter.name
        for parameter in kernel.parameters
        for byte in range(parameter.offset, parameter.offset + max(parameter.size, 1))
    }
    found = {parameter.name: Evidence() for parameter in parameters}
    points, threads = _flow(place, offsets)
    for operation, line in place.items():
        if isinstance(operation, LoadParamOp) and operation.byte_offset in offsets:
            found[offsets[operation.byte_offset]].used |= any(result.uses for result in operation.results)
        elif isinstance(operation, InstructionOp):
            _look(operation, line, points, threads, found)
    limits = [tuple(int(one.value.data) for one in limit) if limit else () for limit in (kernel.reqntid, kernel.maxntid)]
    specials = frozenset(one.register.data for one in place if isinstance(one, SpecialOp))
    return KernelEvidence(found, specials, matrix_dtype(place), limits[0], limits[1])


def _flow(operations: Any, offsets: dict[int, str]) -> tuple[dict[SSAValue, set[str]], set[SSAValue]]:
    """Which parameters a value may point at or be, and the values that depend on the thread's number."""
    points: dict[SSAValue, set[str]] = {}
    threads: set[SSAValue] = set()
    changed = True
    while changed:
        changed = False
        for operation in operations:
            for source, target, thread_only in _steps(operation):
                new = set() if thread_only or source is None else points.get(source, set())
                if not new <= points.setdefault(target, set()):
                    points[target] |= new
                    changed = True
                if source in threads and target not in threads:
                    threads.add(target)
                    changed = True
            if isinstance(operation, LoadParamOp):
                for result in operation.results:
                    if operation.byte_offset in offsets and not points.setdefault(result, set()):
                        points[result].add(offsets[operation.byte_offset])
                        changed = True
            elif isinstance(operation, SpecialOp) and operation.register.data.partition(".")[0] in ("tid", "ctaid", "laneid"):
                fresh = set(operation.results) - threads
                threads |= fresh
                changed |= bool(fresh)
    return points, threads


def _steps(operation: Operation) -> Iterator[tuple[SSAValue | None, SSAValue, bool]]:
    """(from, to, whether only dependence on the thread goes along) for what an operation computes or hands on."""
    if isinstance(operation, BranchOp):
        yield from ((a, b, False) for a, b in _handed(operation.arguments, operation.target))
    elif isinstance(operation, CondBranchOp):
        yield from ((a, b, False) for a, b in _handed(operation.then_arguments, operation.then))
        yield from ((a, b, False) for a, b in _handed(operation.else_arguments, operation.els))
    elif isinstance(operation, InstructionOp) and operation.offset is None:
        followed = _FOLLOWED.get(operation.mnemonic, ())
        for place, source in enumerate(operation.inputs):
            for target in operation.res:
                yield source, target, place not in followed
        for before, target in zip(operation.old, operation.res, strict=False):
            yield before, target, False


def _handed(values: Any, block: Block) -> Iterator[tuple[SSAValue, SSAValue]]:
    return zip(values, block.args, strict=True)


def _look(
    operation: InstructionOp, line: int, points: dict[SSAValue, set[str]], threads: set[SSAValue], found: dict[str, Evidence]
) -> None:
    """What one instruction says."""
    inputs = list(operation.inputs)
    if isinstance(operation, UnmodelledOp):
        for value in inputs:
            for name in points.get(value, ()):
                found[name].opaque = True
    elif operation.mnemonic == "setp" and any(value in threads for value in inputs):
        for value in inputs:
            for name in () if value in threads else points.get(value, ()):
                found[name].compared = found[name].compared or line
    if operation.offset is None or not inputs:
        return
    name, words = operation.mnemonic, set(operation.modifier_names)
    if name == "cp" and operation.offset2 is not None:  # to the first address from the second
        _access(operation, inputs[0], line, points, found, load=False, store=True)
        _access(operation, inputs[1], line, points, found, load=True, store=False)
    elif not words & _ELSEWHERE or "global" in words:
        both = name in ("atom", "red")
        store = name in ("st", "stmatrix") or (name == "wmma" and "store" in words)
        if name not in ("prefetch", "prefetchu", "discard"):
            _access(operation, inputs[0], line, points, found, load=both or not store, store=both or store)


def _access(
    operation: InstructionOp,
    address: SSAValue,
    line: int,
    points: dict[SSAValue, set[str]],
    found: dict[str, Evidence],
    *,
    load: bool,
    store: bool,
) -> None:
    for name in points.get(address, ()):
        one = found[name]
        one.loads += [line] * load
        one.stores += [line] * store
        words = [word for word in operation.modifier_names if word in _LANES] + list(operation.type_names)
        text = f"{'loaded' if load and not store else 'stored' if not load else 'updated'}"
        said = f" as .{'.'.join(words)}" if words else ""
        for dtype in element_dtypes(operation):
            one.dtypes[dtype] += 1
            one.votes.setdefault(dtype, f"{text}{said} at line {line}")

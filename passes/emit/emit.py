"""PTX text of a `ptx` module: declarations around the statements of body.py. Lowering the text gives the module again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp

from volta_pipe.ir.errors import ArtifactError, UnsupportedError
from volta_pipe.ir.instructions import WIDTH
from volta_pipe.ir.ptx import AddressOp, KernelOp, Param, VariableOp, walk_kernel
from volta_pipe.passes.emit.body import Body

_NAME = re.compile(r"[A-Za-z][\w$]*|[_$%][\w$]+", re.ASCII)
# Packed types, which the table of widths has only where an instruction computes with them.
_PACKED = {"f16x2": 32, "bf16x2": 32, "bf16": 16, "f16": 16}
_DECLARED = {1: (".pred", "p"), 8: (".b8", "rb"), 16: (".b16", "rs"), 32: (".b32", "r"), 64: (".b64", "rd")}


def emit_ptx(module: ModuleOp) -> str:
    """The text of a module's kernels, those of nested modules included; raises UnsupportedError on what PTX cannot say,
    ArtifactError on an address of nothing.

    Exact but for this: what a `ptx.trap` says as its reason is left out, and of an unmodelled instruction the text is as it
    was read, which need not be enough (a call of an unknown function)."""
    for one in _modules(module):
        if _kernel(one) is not None:
            _check(one)
    pairs = [(kernel, variables) for one in _modules(module) if (kernel := _kernel(one)) for variables in [_variables(one)]]
    if not pairs:
        raise UnsupportedError("the module holds no ptx.kernel")
    heads = {(one.version.data, one.target.data, one.address_size.value.data) for one, _ in pairs}
    if len(heads) > 1:
        raise UnsupportedError("the kernels of the module have different versions, targets or address sizes")
    version, target, address_size = next(iter(heads))
    lines = [f".version {version}", f".target {target}", f".address_size {address_size}", ""]
    known: dict[str, str] = {}
    bodies: list[str] = []
    for kernel, variables in pairs:
        names, inside = _declare(variables, known, lines)
        bodies += ["", *_kernel_lines(kernel, names, inside)]
    return "\n".join([*lines, *bodies]) + "\n"


def _check(module: ModuleOp) -> None:
    """Raises ArtifactError where an address is of no variable of the module."""
    names = {one.sym_name.data for one in _variables(module)}
    for op in walk_kernel(module):
        if isinstance(op, AddressOp) and op.variable not in names:
            raise ArtifactError(f"ptx.address: {op.variable} is not declared")


def _modules(module: ModuleOp) -> Iterable[ModuleOp]:
    """A module and those inside it."""
    yield module
    for op in module.body.ops:
        if isinstance(op, ModuleOp):
            yield from _modules(op)


def _kernel(module: ModuleOp) -> KernelOp | None:
    kernels = [op for op in module.body.ops if isinstance(op, KernelOp)]
    if len(kernels) > 1:
        raise UnsupportedError("a ptx module holds one kernel; put each into a builtin.module of its own")
    return kernels[0] if kernels else None


def _variables(module: ModuleOp) -> list[VariableOp]:
    return [op for op in module.body.ops if isinstance(op, VariableOp)]


def _declare(variables: list[VariableOp], known: dict[str, str], lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """Declare variables at the top of the file, up to the first local one: the others go into the kernel, to keep their order.
    `known`: the declarations of the file by name; two kernels may share a variable."""
    names: dict[str, str] = {}
    inside: list[str] = []
    for one in variables:
        name = one.sym_name.data
        _check_name(name)
        text = _declaration(one, name)
        if inside or one.space.data == "local":
            inside.append(f"\t{text};")
        elif known.setdefault(name, text) != text:
            raise UnsupportedError(f"two kernels of the module declare {name} in different ways")
        elif text + ";" not in lines:
            lines.append(text + ";")
        names[name] = name
    return names, inside


def _declaration(one: VariableOp, name: str) -> str:
    linking = ".extern " if one.extern is not None else ""
    size = str(one.byte_size) if one.byte_size or one.extern is None else ""
    data = one.init_bytes
    init = f" = {{{', '.join(map(str, data))}}}" if data else ""
    return f"{linking}.{one.space.data} .align {one.byte_align} .b8 {name}[{size}]{init}"


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UnsupportedError(f"'{name}' is no name in PTX")


def _kernel_lines(kernel: KernelOp, names: dict[str, str], inside: list[str]) -> list[str]:
    params = kernel.parameters
    for name in (kernel.sym_name.data, *(one.name for one in params)):
        _check_name(name)
    taken = [*names, *(one.name for one in params), kernel.sym_name.data]
    label = "$L"
    while any(name.startswith(label) for name in taken):
        label += "_"
    body = Body(kernel, names, label)
    shown = ",\n".join(f"\t{text}" for text in _parameters(params))
    head = f".visible .entry {kernel.sym_name.data}(" + (f"\n{shown}\n)" if shown else ")")
    limits = [
        f".{word} {', '.join(str(size.value.data) for size in sizes)}"
        for word, sizes in (("maxntid", kernel.maxntid), ("reqntid", kernel.reqntid))
        if sizes is not None
    ]
    registers = [
        f"\t.reg {_DECLARED[width][0]} %{_DECLARED[width][1]}<{count + 1}>;" for width, count in sorted(body.registers.items())
    ]
    return [head, *limits, "{", *registers, *inside, *body.lines, "}"]


def _parameters(params: tuple[Param, ...]) -> Iterable[str]:
    """Declarations of parameters, which PTX lays out itself: each must come to lie where the module has it."""
    end = 0
    for one in params:
        unit = (WIDTH.get(one.type) or _PACKED.get(one.type, 0)) // 8
        if not unit or one.size % unit or one.align < 1 or one.offset != -(-end // one.align) * one.align:
            raise UnsupportedError(f"parameter {one.name} does not lie where PTX would put it")
        end = one.offset + one.size
        align = f".align {one.align} " if one.align != unit or one.size != unit else ""
        yield f".param {align}.{one.type} {one.name}" + (f"[{one.size // unit}]" if one.size != unit else "")
